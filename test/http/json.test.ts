import fc from 'fast-check';
import { toJson } from '../../src/http/json.js';

describe('toJson', () => {
  it('writes what JSON.stringify does', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const data = fc.letrec((tie) => ({
      leaf: fc.oneof(
        fc.constant(null),
        fc.boolean(),
        fc.double(),
        fc.integer(),
        text,
        fc.constant(undefined),
      ),
      value: fc.oneof(
        { maxDepth: 6 },
        tie('leaf'),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(data.value, (value) => {
        if (value !== undefined) expect(toJson(value).toString()).toBe(JSON.stringify(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('escapes what UTF-8 has no bytes for', () => {
    expect(toJson({ list: ['\ud800', 'é “ 𝄞'] }).toString()).toBe('{"list":["\\ud800","é “ 𝄞"]}');
  });

  it('writes answers of any size, and the next one', () => {
    for (const length of [1, 60_000, 3_000_000, 2]) {
      const value = { data: Array.from({ length: 3 }, () => '”'.repeat(length)), page: {} };
      expect(toJson(value).toString()).toBe(JSON.stringify(value));
    }
  });

  it('gives each answer bytes of its own', () => {
    const first = toJson({ a: [1] });
    toJson({ b: [2] });
    expect(first.toString()).toBe('{"a":[1]}');
  });
});
