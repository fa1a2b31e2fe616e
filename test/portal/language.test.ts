/** The language of pages: the choice, the browser's languages, and complete catalogues. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '../../src/auth/accounts/sessions.js';
import { catalogues, languageCookie } from '../../src/pages/language.js';
import { packageRoot } from '../../src/root.js';
import { Browser, formsOf } from '../auth/oauth/browser.js';
import { climber, startOAuthApp } from '../auth/oauth/client.js';
import { managerEmail, userId } from '../support/names.js';

const app = await startOAuthApp();

/** The text of each entry by its path; of a function, its number of parameters. */
function entriesOf(part: object, path = ''): Map<string, unknown> {
  return new Map(
    Object.entries(part).flatMap(([key, value]) =>
      typeof value === 'object' ? [...entriesOf(value, `${path}${key}.`)] : [[path + key, value]],
    ),
  );
}

/** Texts of the code by their English text, which English does not repeat. */
const isOptional = (path: string) => /^(?:errors\.(?:said|byCode)|consent\.scopes)\./.test(path);
const holesIn = (text: unknown) => String(text).split('{}').length - 1;

const dashboard = async (language: string) =>
  (await import(join(packageRoot, 'dashboard', 'messages', `${language}.ts`)))[language] as object;

const pairs = [
  ['pages', catalogues.en, catalogues.es],
  ['dashboard', await dashboard('en'), await dashboard('es')],
] as const;

describe('the catalogues', () => {
  for (const [name, en, es] of pairs)
    it(`of ${name} have the same entries, with the same parts`, () => {
      const [one, other] = [entriesOf(en), entriesOf(es)];
      const keysOf = (all: Map<string, unknown>) =>
        [...all.keys()].filter((path) => !isOptional(path)).sort();
      expect(keysOf(other)).toStrictEqual(keysOf(one));
      for (const [path, text] of one) {
        if (isOptional(path)) continue;
        const translated = other.get(path);
        expect([path, typeof translated]).toStrictEqual([path, typeof text]);
        expect([path, holesIn(translated)]).toStrictEqual([path, holesIn(text)]);
        expect([path, String(translated).trim()]).not.toStrictEqual([path, '']);
      }
      const same = [...one].filter(([path, text]) => other.get(path) === text);
      // Words that both languages share.
      expect(same.length).toBeLessThan(6);
    });

  it('translate messages that the code has', () => {
    const source = readdirSync(join(packageRoot, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('messages'))
      .map((file) => readFileSync(join(packageRoot, 'src', file), 'utf8'))
      .join('\n');
    const missing = Object.keys(catalogues.es.errors.said).filter((text) => !source.includes(text));
    expect(missing).toEqual([]);
  });
});

/** A browser that prefers the languages, with a session of the person. */
async function browserOf(email: string | undefined, accepted: string): Promise<Browser> {
  const browser = new Browser(app.base, { 'accept-language': accepted });
  if (email)
    browser.remember(
      'lanyard_session',
      await openSession(app.db.em, userId(email), 'password', {
        userAgent: 'Firefox on Linux',
        address: '127.0.0.1',
      }),
    );
  return browser;
}

const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];

describe('a page', () => {
  it("is in the first of the browser's languages that exists here", async () => {
    for (const [accepted, expected] of [
      ['es-MX,es;q=0.9,en;q=0.8', 'es'],
      ['en-US,en;q=0.9,es;q=0.8', 'en'],
      ['de-DE,de;q=0.9', 'en'],
      ['de-DE,es;q=0.5', 'es'],
      ['', 'en'],
    ] as const) {
      const { html, headers } = await (await browserOf(undefined, accepted)).get('/portal/sign-in');
      expect([accepted, langOf(html), headers.get('content-language')]).toStrictEqual([
        accepted,
        expected,
        expected,
      ]);
      expect(html.includes('Iniciar sesión')).toBe(expected === 'es');
    }
  });

  it('is in the language that the person chose, on every page after that', async () => {
    const browser = await browserOf(climber, 'en');
    const account = await browser.get('/portal/account');
    const after = await browser.post(
      '/portal/language',
      {
        ...formsOf(account.html).find(({ action }) => action === '/portal/language')?.fields,
        language: 'es',
      },
      { referer: `${app.base}/portal/account?x=1` },
    );
    expect(after.url.href).toBe(`${app.base}/portal/account?x=1`);
    expect(langOf(after.html)).toBe('es');
    for (const path of [
      '/portal',
      '/portal/account',
      '/portal/account/activity',
      '/nowhere/portal',
    ]) {
      const { html, status } = await browser.get(path);
      if (status === 200) expect([path, langOf(html)]).toStrictEqual([path, 'es']);
    }
    const { html } = await browser.get('/portal/account');
    for (const english of [
      'Sign out',
      'Skip to content',
      'who may safely',
      'Password<',
      'Passkeys',
    ])
      expect([english, html.includes(english)]).toStrictEqual([english, false]);
  });

  it('that is English only says so, inside of the Spanish frame', async () => {
    const { html } = await (await browserOf(climber, 'es')).get('/portal/apps');
    expect(langOf(html)).toBe('es');
    expect(html).toMatch(/<main[^>]* lang="en"/);
    expect(html).toContain('Cerrar sesión');
  });

  it('shows refusals in its language', async () => {
    const browser = await browserOf(undefined, 'es');
    const form = await browser.get('/portal/sign-in');
    const refused = await browser.submit(form, '/portal/sign-in', {
      email: managerEmail,
      password: 'wrong',
    });
    expect(refused.html).toContain('El correo electrónico o la contraseña no son correctos.');
    // The address of this page has no GET, so it offers no other language.
    expect(refused.html).not.toContain('/portal/language');
    const missing = await (await browserOf(climber, 'es')).get('/portal/apps/nothing');
    expect([missing.status, langOf(missing.html)]).toStrictEqual([404, 'es']);
    expect(missing.html).toContain('No se encuentra la página');
  });
});

describe('POST /portal/language', () => {
  const choose = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const browser = await browserOf(climber, 'en');
    const page = await browser.get('/portal');
    const own = formsOf(page.html).find(({ action }) => action === '/portal/language')?.fields;
    return {
      browser,
      visit: await browser.post('/portal/language', { ...own, ...fields }, headers),
    };
  };

  it('needs a form of ours, and a language that exists', async () => {
    expect((await choose({ language: 'es', csrf: 'forged' })).visit.status).toBe(403);
    const foreign = { origin: 'https://evil.example' };
    expect((await choose({ language: 'es' }, foreign)).visit.status).toBe(403);
    for (const language of ['de', '', '__proto__', 'constructor'])
      expect([language, (await choose({ language })).visit.status]).toStrictEqual([language, 422]);
  });

  it('leads to pages of this server only', async () => {
    for (const referer of ['https://evil.example/portal', `${app.base}/docs`, 'nonsense', ''])
      expect((await choose({ language: 'es' }, { referer })).visit.url.pathname).toBe('/portal');
    const crew = `${app.base}/dashboard?tab=crew`;
    expect((await choose({ language: 'es' }, { referer: crew })).visit.url.href).toBe(crew);
  });

  it('ignores a cookie with another value', async () => {
    const browser = await browserOf(undefined, 'es');
    browser.remember(languageCookie, '"><script>');
    const { html } = await browser.get('/portal/sign-in');
    expect(langOf(html)).toBe('es');
    expect(html).not.toContain('<script>');
  });
});
