import { apply, blocksOf } from './blocks.js';

const change = (text: string) => ({ path: 'list.ts', language: 'diff', text });

describe('the blocks of a guide', () => {
  it('are those below a path, with their language', () => {
    const page =
      '`new.ts`\n\n```ts\none;\n```\n\n```sh\nls\n```\n\nProse on `a.ts`.\n\n`list.ts`\n\n```diff\n one\n+two\n```\n';
    expect(blocksOf(page)).toStrictEqual([
      { path: 'new.ts', language: 'ts', text: 'one;\n' },
      change(' one\n+two\n'),
    ]);
  });

  it('change the lines that they show, at each of their places', () => {
    expect(apply(change('+zero\n one\n@@\n-three\n+3\n four\n'), 'one\ntwo\nthree\nfour\n')).toBe(
      'zero\none\ntwo\n3\nfour\n',
    );
  });

  it('fit one place only, whole lines of it', () => {
    expect(() => apply(change(' one\n+two\n'), 'one\none\n')).toThrow(
      /list\.ts must have these lines once/,
    );
    expect(() => apply(change(' one\n+two\n'), 'someone\n')).toThrow(/once:\none/);
  });

  it('make only files that are not there, and change only those that are', () => {
    const made = { path: 'new.ts', language: 'ts', text: 'one;\n' };
    expect(apply(made, undefined)).toBe(made.text);
    expect(() => apply(made, '')).toThrow(/new\.ts is there already/);
    expect(() => apply(change('+one\n'), undefined)).toThrow(/no list\.ts/);
  });
});
