import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply, blocksOf } from './blocks.js';

const change = (text: string) => ({ path: 'list.ts', language: 'diff', text });

describe('the blocks of a guide', () => {
  it('are those below a path, with their language', () => {
    const page = '`new.ts`\n\n```ts\none;\n```\n\n```sh\nls\n```\n\nProse on `a.ts`.\n\n`list.ts`\n\n```diff\n one\n+two\n```\n';
    assert.deepEqual(blocksOf(page), [{ path: 'new.ts', language: 'ts', text: 'one;\n' }, change(' one\n+two\n')]);
  });

  it('change the lines that they show, at each of their places', () => {
    assert.equal(apply(change('+zero\n one\n@@\n-three\n+3\n four\n'), 'one\ntwo\nthree\nfour\n'), 'zero\none\ntwo\n3\nfour\n');
  });

  it('fit one place only, whole lines of it', () => {
    assert.throws(() => apply(change(' one\n+two\n'), 'one\none\n'), /list\.ts must have these lines once/);
    assert.throws(() => apply(change(' one\n+two\n'), 'someone\n'), /once:\none/);
  });

  it('make only files that are not there, and change only those that are', () => {
    const made = { path: 'new.ts', language: 'ts', text: 'one;\n' };
    assert.equal(apply(made, undefined), made.text);
    assert.throws(() => apply(made, ''), /new\.ts is there already/);
    assert.throws(() => apply(change('+one\n'), undefined), /no list\.ts/);
  });
});
