/** docs/security.md claims nothing that no test shows. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { ensure } from '../support/expect.js';

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
const page = read('docs/security.md');
const claims = [...page.matchAll(/`(test\/[\w./-]+)`\s+“([^”]+)”/g)].map(
  ([, file = '', words = '']) => ({ file, words }),
);

describe('docs/security.md', () => {
  for (const { file, words } of claims)
    it(`${file} has “${words}”`, () => expect(read(file)).toContain(words));

  it('says of each file that it names what is in it', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`/g)];
    expect(named.length).toBeGreaterThan(30);
    expect(named).toHaveLength(claims.length);
  });

  it('has the ten risks, each with a guard and a test', () => {
    for (let risk = 1; risk <= 10; risk++) {
      const row = page.split('\n').find((line) => line.startsWith(`| API${risk} `));
      const [, , guard = '', shown = ''] = row?.split('|') ?? [];
      ensure(guard.trim().length > 30, `API${risk}`);
      expect([`API${risk}`, shown]).toStrictEqual([
        expect.any(String),
        expect.stringMatching(/`test\//),
      ]);
    }
  });

  it('names sources, settings and scripts that are there', () => {
    for (const [, file = ''] of page.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g)) {
      ensure(
        existsSync(join(packageRoot, file)) || existsSync(join(packageRoot, 'src', file)),
        file,
      );
    }
    const example = read('.env.example');
    for (const [, name = ''] of page.matchAll(/`([A-Z]+_[A-Z_]+)`/g))
      ensure(example.includes(name), name);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, name = ''] of page.matchAll(/npm run ([\w:]+)/g)) ensure(name in scripts, name);
  });

  it('is where SECURITY.md leads', () =>
    expect(read('SECURITY.md')).toMatch(/\(docs\/security\.md\)/));
});
