/** Tables, widths and progress, as a terminal and a pipe get them. */

import stringWidth from 'string-width';
import { shapeOf } from '../../src/cli/output/command-output.js';
import { Progress, type Step } from '../../src/cli/output/progress.js';
import { table } from '../../src/cli/output/table.js';
import { fit, wrap } from '../../src/cli/output/width.js';
import { ensure } from '../support/expect.js';

const pipe = { columns: undefined, hasStyles: false };
const terminal = (columns: number) => ({ columns, hasStyles: false });

describe('columns of a terminal', () => {
  for (const [text, width] of [
    ['', 0],
    ['Dvořáková', 9],
    ['Dvor\u030ca\u0301kova\u0301', 9],
    ['塔の作業', 8],
    ['한국어', 6],
    ['ｶﾀｶﾅ', 4],
    ['Ａ１', 4],
    ['👷🏽‍♀️', 2],
    ['🇩🇪', 2],
    ['a\u200bb', 2],
    ['–…“”█░', 6],
    ['⚠️', 2],
  ] as const)
    it(`${JSON.stringify(text)} takes ${width}`, () => expect(stringWidth(text)).toBe(width));
});

describe('fit', () => {
  it('cuts between characters, never within one', () => {
    expect(fit('Tower', 5)).toBe('Tower');
    expect(fit('Towers', 5)).toBe('Towe…');
    expect(fit('塔塔塔', 4)).toBe('塔…');
    expect(fit('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  });
});

describe('wrap', () => {
  it('breaks between words, and indents what follows', () =>
    expect(wrap('one two three', 9, '  ')).toBe('one two\n  three'));
});

describe('table', () => {
  const rows = [
    ['SLUG', 'NAME', 'N'],
    ['skyline', 'Skyline Towers of the North', '1'],
    ['tower', '塔の作業', '22'],
  ];

  it('is whole and aligned in a pipe, wide characters too', () =>
    expect(table(rows, pipe)).toBe(
      'SLUG     NAME                         N\nskyline  Skyline Towers of the North  1\ntower    塔の作業                     22\n',
    ));

  it('never wraps on a terminal', () => {
    for (const columns of [22, 25, 30, 40]) {
      const lines = table(rows, terminal(columns)).trimEnd().split('\n');
      expect(lines).toHaveLength(3);
      for (const line of lines) ensure(stringWidth(line) <= columns, `${columns}: ${line}`);
    }
    expect(table(rows, terminal(30))).toMatch(/Skyline Towers o… {2}1\n/);
  });

  it('shows what would move the cursor or turn the writing as a replacement', () =>
    expect(table([['A'], ['x\u001b[2Jy\u202ez\n']], pipe)).toBe('A\nx�[2Jy�z�\n'));

  it('is bold in its first line only where styles are wanted', () => {
    expect(table(rows, { ...pipe, hasStyles: true }).split('\u001b[1m')).toHaveLength(2);
    expect(table(rows, pipe)).not.toContain('\u001b');
  });
});

describe('Progress', () => {
  const step: Step = { doing: 'importing', done: 500, unit: 'rows', fraction: 0.5 };
  function shown(stream: { isTTY?: boolean; columns?: number }, isJson = false) {
    const written: string[] = [];
    const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
    const progress = new Progress({ isTTY: false, columns: 80, ...stream, write }, isJson);
    progress.notify(step);
    progress.clear();
    return written;
  }

  it('is a line on a terminal, within its width, and taken away in the end', () => {
    const [line = '', end] = shown({ isTTY: true });
    expect(line).toBe(`\r\u001b[Kimporting ${'█'.repeat(12)}${'░'.repeat(12)}  50 %  500 rows`);
    expect(end).toBe('\r\u001b[K');
    expect(
      stringWidth(shown({ isTTY: true, columns: 20 })[0]?.replace('\r\u001b[K', '') ?? ''),
    ).toBe(19);
  });

  it('is a line of JSON for scripts, and nothing in a pipe', () => {
    expect(shown({ isTTY: true }, true).map((line) => JSON.parse(line))).toStrictEqual([
      { progress: step },
    ]);
    expect(shown({})).toEqual([]);
  });
});

describe('shapeOf', () => {
  it('names the properties, those of objects in braces', () =>
    expect(shapeOf({ apps: [{ name: 'x', scopes: ['a'], of: { slug: null } }], count: 1 })).toBe(
      'apps[] { name, scopes[], of { slug } }, count',
    ));
});
