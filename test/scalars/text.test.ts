import fc from 'fast-check';
import { patternOf, readText, TextError, type TextRule } from '../../src/scalars/text.js';
import { ensure } from '../support/expect.js';

const line: TextRule = { max: 10 };
const lines: TextRule = { min: 0, max: 10, hasLines: true };
const refusalOf = (text: string, rule: TextRule): string => {
  try {
    return `accepted: ${JSON.stringify(readText(text, rule))}`;
  } catch (error) {
    ensure(error instanceof TextError, String(error));
    return error.message;
  }
};

describe('Text', () => {
  const control = 'must not contain control characters or line breaks';
  const bidirectional = 'must not contain bidirectional controls';
  const invisible = 'must not have only invisible characters';
  const refused: [text: string, sentence: string][] = [
    ['', 'must not be empty'],
    [' \u00a0\ufeff\n', 'must not be empty'],
    ['a\u0000', control],
    ['a\nb', control],
    ['a\tb', control],
    ['a\u0085b', control],
    ['a\u2028b', control],
    ...[...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'].map(
      (each): [string, string] => [`a${each}b`, bidirectional],
    ),
    ['\u200b', invisible],
    ['\u200d \u2060\u00ad', invisible],
    ['\u3164\u115f\ufe0f', invisible],
    ['\u2800', invisible],
    ['\u{e0041}', invisible],
    ['a\ud800', 'must not contain unpaired surrogates'],
    [`a${'\u0301'.repeat(31)}`, 'must not have more than 30 combining marks in a row'],
    ['x'.repeat(11), 'must be at most 10 characters long'],
    ['🗼'.repeat(11), 'must be at most 10 characters long'],
    ['x'.repeat(1_000_000), 'must be at most 10 characters long'],
  ];
  for (const [text, sentence] of refused) {
    test(`${JSON.stringify(text.slice(0, 20))}: ${sentence}`, () =>
      expect(refusalOf(text, line)).toBe(sentence));
  }

  test('is trimmed, and in NFC', () => {
    expect(readText(' e\u0301\u200d ', line)).toBe('\u00e9\u200d');
    expect(readText('e\u0301'.repeat(10), line)).toBe('\u00e9'.repeat(10));
    expect(readText('🗼'.repeat(10), line)).toBe('🗼'.repeat(10));
  });

  test('of several lines has line feeds, and may be empty', () => {
    expect(readText('a\r\nb\rc\u2029d\n', lines)).toBe('a\nb\nc\nd');
    expect(readText(' \n', lines)).toBe('');
    expect(refusalOf('a\tb', lines)).toBe(
      'must not contain control characters other than line breaks',
    );
  });

  test('that was read once stays as it is', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom(line, lines),
        (text, rule) => {
          const refusal = refusalOf(text, rule);
          const read = refusal.startsWith('accepted') ? readText(text, rule) : '';
          return read === '' || readText(read, rule) === read;
        },
      ),
      { numRuns: 2000 },
    ));

  test('of 16 bits is what the pattern in OpenAPI takes, and the other way round', () => {
    // Compared without matchers, which take most of a minute for so many texts.
    const wrong: string[] = [];
    let compared = 0;
    for (const rule of [line, { ...lines, min: 1 as const }]) {
      const pattern = new RegExp(patternOf(rule), 'u');
      for (let code = 0; code < 0x10000; code++) {
        // Ideographs, surrogates and private use.
        if (code === 0x3400) code = 0xf900;
        const each = String.fromCharCode(code);
        for (const text of [each, `a${each}b`, `${each}\u200d`]) {
          // Surrounding blanks are removed before the pattern counts.
          if (text.trim() !== text) continue;
          compared++;
          if (refusalOf(text, rule).startsWith('accepted') !== pattern.test(text))
            wrong.push(`U+${code.toString(16)} in ${JSON.stringify(text)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(80_000);
  });
});
