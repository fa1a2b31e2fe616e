/**
 * No secret is in the repository. The demo password and secret are words, to be read and typed, and
 * open nothing but demo data.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/root.js';

/** Secrets that show what they are. */
const known: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a private JWK': /"d"\s*:\s*"[\w-]{40,}"/,
  'a JWT': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
  'a client secret': /lanyard_secret_[\w-]{43}/,
  'a token of GitHub, npm, Slack, Stripe or a cloud':
    /\b(gh[pousr]_\w{30,}|npm_\w{36}|xox[abprs]-[\w-]{20,}|sk_live_\w{20,}|AKIA[A-Z0-9]{16}|AIza[\w-]{35})\b/,
  'a URL with a password':
    /\b[a-z]+:\/\/[^\s:/@'"`${}]+:(?!secret@|password@|\$|%|…)[^\s:/@'"`${}]{6,}@(?!127\.0\.0\.1|localhost|\$)/,
};

/** Random text: long, of one alphabet, and hardly a character twice. */
const random = /["'`=:\s]([A-Za-z0-9+/_-]{40,}={0,2})["'`\s;,]/g;
const minEntropy = 4.6;

/** Not secret, whatever they look like: checksums, and what is generated from public text. */
const checksums =
  /^(package-lock\.json|.*\/package-lock\.json|schema\/released\/migrations\.json)$/;

function entropyOf(text: string): number {
  const counts = Object.values(Object.groupBy(text, (character) => character)).map(
    (each) => each?.length ?? 0,
  );
  return -counts.reduce(
    (sum, count) => sum + (count / text.length) * Math.log2(count / text.length),
    0,
  );
}

const looksRandom = (text: string): boolean =>
  entropyOf(text) > minEntropy &&
  /[a-z]/.test(text) &&
  /[A-Z]/.test(text) &&
  /\d/.test(text) &&
  !/[a-z]{12}|\//i.test(text);

function secretsIn(text: string): string[] {
  const named = Object.entries(known).flatMap(([what, pattern]) =>
    pattern.test(text) ? [what] : [],
  );
  const found = [...text.matchAll(random)].flatMap(([, each = '']) =>
    looksRandom(each) ? [`“${each.slice(0, 6)}…”`] : [],
  );
  return [...named, ...found];
}

describe('the repository', () => {
  it('has no secret in a tracked file', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: packageRoot, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((file) => {
      if (checksums.test(file) || /\.(png|ico|woff2?)$/.test(file)) return [];
      return secretsIn(read(file)).map((what) => `${file}: ${what}`);
    });
    expect(found).toEqual([]);
  });

  it('would be found to have one', () => {
    const jwt = ['eyJhbGciOiJFUzI1NiJ9', 'eyJzdWIiOiJjbGltYmVyIn0', 'c2lnbmF0dXJlLW9mLXRoaXM'].join(
      '.',
    );
    for (const secret of [
      ['-----BEGIN', 'PRIVATE KEY-----'].join(' '),
      jwt,
      `lanyard_secret_${'aB3'.repeat(15).slice(0, 43)}`,
      `password = "${['pQ7xLm2Rt9', 'VwZ4bNc6Yd', '8KfHs3Ja5G', 'uEo1Ti0Xq'].join('')}aB";`,
      `postgres://lanyard:${'hunter2hunter2'}@db.example.com/lanyard`.replace(
        'hunter2hunter2',
        ['wK4', 'zP9', 'qL2'].join(''),
      ),
    ])
      expect([secret, secretsIn(` ${secret} `).length]).toStrictEqual([secret, 1]);
  });
});

/** Of files that were deleted and are still in the index: nothing. */
function read(file: string): string {
  try {
    return readFileSync(join(packageRoot, file), 'utf8');
  } catch {
    return '';
  }
}
