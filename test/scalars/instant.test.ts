import fc from 'fast-check';
import { firstInstant, lastInstant, OutOfRange, readInstant } from '../../src/scalars/instant.js';

describe('An instant', () => {
  const taken: [text: string, instant: string][] = [
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01t09:30:00z', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01 09:30:00-00:00', '2026-03-01T09:30:00.000000Z'],
    ['2026-03-01T00:00:00.1+23:59', '2026-02-28T00:01:00.100000Z'],
    ['2026-03-01T00:00:00.1234567-23:59', '2026-03-01T23:59:00.123456Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31T15:59:60.5-08:00', '2017-01-01T00:00:00.500000Z'],
    ['0000-12-31T23:59:59-00:01', '0001-01-01T00:00:59.000000Z'],
    ['0000-02-29T00:00:00Z', 'out of range'],
    ['0000-12-31T23:59:59Z', 'out of range'],
    ['9999-12-31T23:59:59.9999999Z', lastInstant],
    ['0001-01-01T00:00:00Z', firstInstant],
    ['9999-12-31T23:59:60Z', 'out of range'],
    ['9999-12-31T23:59:59-23:59', 'out of range'],
  ];
  for (const [text, instant] of taken) {
    test(`${text} is ${instant}`, () => {
      if (instant === 'out of range') expect(() => readInstant(text)).toThrow(OutOfRange);
      else expect(readInstant(text)).toBe(instant);
    });
  }

  for (const text of [
    '2026-03-01T09:30:60Z',
    '2026-03-01T23:59:60+01:00',
    '2026-03-01T23:59:61Z',
    '2025-02-29T00:00:00Z',
    '0000-02-30T00:00:00Z',
    '2026-03-01T09:30:00',
    '2026-03-01T09:30Z',
    '2026-03-01T09:30:00+24:00',
    '2026-03-01T09:30:00+01:60',
    '2026-03-01T09:30:00.Z',
    '+002026-03-01T09:30:00Z',
    '2026-03-01T09:30:00Z\n',
    '',
  ]) {
    test(`${JSON.stringify(text)} is none`, () => expect(readInstant(text)).toBeUndefined());
  }

  test('has one text, whatever its offset', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
        fc.integer({ min: -1439, max: 1439 }),
        (date, offset) => {
          const digits = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const text = `${local}${offset < 0 ? '-' : '+'}${digits(offset / 60)}:${digits(offset % 60)}`;
          expect(readInstant(text)).toBe(`${date.toISOString().slice(0, -1)}000Z`);
        },
      ),
    ));
});
