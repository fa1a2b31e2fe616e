import {
  addedScopes,
  approvalStatus,
  checkSettings,
  redirectUriProblem,
} from '../../../src/auth/apps/rules.js';
import { ApiError } from '../../../src/errors.js';
import { ensure } from '../../support/expect.js';

const good = {
  name: 'Sync',
  tokenEndpointAuthMethod: 'client_secret_basic',
  redirectUris: ['https://app.example/callback'],
  apiScopes: ['organizations:read'],
};

const config = { BASE_URL: 'https://lanyard.example' };

/** The paths of what is wrong with the settings. */
function problemsOf(
  change: Partial<typeof good>,
  app?: { readonly id: string; readonly isFirstParty: boolean },
): string[] {
  try {
    checkSettings({ ...good, ...change }, config, app);
    return [];
  } catch (error) {
    ensure(error instanceof ApiError && error.code === 'validation_error');
    return Object.keys(error.details ?? {});
  }
}

describe('redirectUriProblem', () => {
  for (const uri of [
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a/b/?tenant=1&x=%20',
    'http://127.0.0.1:4100/callback',
    'http://[::1]/callback',
    'http://localhost:3000/',
  ]) {
    it(`takes ${uri}`, () => expect(redirectUriProblem(uri)).toBeUndefined());
  }

  for (const [uri, reason] of [
    ['/callback', /absolute/],
    ['app.example/callback', /absolute/],
    ['https:app.example/callback', /absolute/],
    ['https://', /absolute/],
    ['javascript:alert(1)', /absolute/],
    ['https://app.example/callback#', /fragment/],
    ['https://app.example/callback#done', /fragment/],
    ['https://me@app.example/callback', /user name/],
    ['https://me:secret@app.example/callback', /user name/],
    ['https://@app.example/callback', /user name/],
    ['http://app.example/callback', /https/],
    ['http://127.0.0.1.example/callback', /https/],
    ['http://localhost.example/callback', /https/],
    ['com.example.app://callback', /https/],
    ['ftp://app.example/', /https/],
    ['https://*.app.example/callback', /Wildcards/],
    ['https://app.example/call back', /spaces/],
    ['https://app.example/\tcallback', /spaces/],
    ['https://app.example\\@evil.example/', /spaces/],
    ['https://åpp.example/', /spaces/],
    [`https://app.example/${'a'.repeat(2000)}`, /2000 characters/],
  ] as const) {
    it(`refuses ${uri.slice(0, 60)}`, () =>
      expect(redirectUriProblem(uri) ?? 'nothing').toMatch(reason));
  }
});

describe('checkSettings', () => {
  it('parses every spelling of a scope, drops repetitions, and keeps the order of the catalogue', () => {
    const { apiScopes } = checkSettings(
      {
        ...good,
        apiScopes: [
          'job-roles:read',
          'certifications:write',
          'organization-members:read',
          'certification_records:write',
        ],
      },
      config,
    );
    expect(apiScopes).toEqual([
      'organization_members:read',
      'certification_records:write',
      'job_roles:read',
    ]);
  });

  it('takes an app that only signs people in', () =>
    expect(checkSettings({ ...good, apiScopes: [] }, config).apiScopes).toEqual([]));

  it('trims the name', () =>
    expect(checkSettings({ ...good, name: '  Sync  ' }, config).name).toBe('Sync'));

  it('keeps the name in NFC', () =>
    expect(checkSettings({ ...good, name: 'Cafe\u0301' }, config).name).toBe('Caf\u00e9'));

  it('keeps redirect URIs as they were typed', () => {
    const redirectUris = ['https://APP.example/Callback/', 'https://app.example/a/../b'];
    expect(checkSettings({ ...good, redirectUris }, config).redirectUris).toStrictEqual(
      redirectUris,
    );
  });

  it('names everything that is wrong, at once', () => {
    const bad = {
      name: ' ',
      tokenEndpointAuthMethod: 'private_key_jwt',
      redirectUris: ['https://a.example/', 'x'],
      apiScopes: ['everything'],
    };
    expect(problemsOf(bad)).toEqual([
      'name',
      'tokenEndpointAuthMethod',
      'redirectUris.1',
      'apiScopes.0',
    ]);
  });

  for (const [what, change, path] of [
    ['a name with an invisible character', { name: 'Lan\u202eyard' }, 'name'],
    ['a name of two lines', { name: 'Lan\nyard' }, 'name'],
    ['a name with a broken surrogate', { name: 'Lan\ud800yard' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['the name of the product', { name: 'Lanyard' }, 'name'],
    ['a name that begins with it', { name: 'Lanyard API reference' }, 'name'],
    ['the product in other letters of its width', { name: '\uff2c\uff41\uff4eyard' }, 'name'],
    ['the product with spaces and signs', { name: ' l a-N\u00a0y\u00b7ard+' }, 'name'],
    [
      'a redirect URI of this server',
      { redirectUris: ['https://lanyard.example/docs'] },
      'redirectUris.0',
    ],
    [
      'a redirect URI of this server in another spelling',
      { redirectUris: ['https://LANYARD.example.:443/docs'] },
      'redirectUris.0',
    ],
    ['no redirect URI', { redirectUris: [] }, 'redirectUris'],
    [
      'a redirect URI twice',
      { redirectUris: ['https://a.example/', 'https://a.example/'] },
      'redirectUris',
    ],
    [
      '21 redirect URIs',
      { redirectUris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) },
      'redirectUris',
    ],
  ] as const) {
    it(`refuses ${what}`, () =>
      expect(problemsOf(change as Partial<typeof good>)).toStrictEqual([path]));
  }

  it('takes the product inside of a name, and other ports and hosts', () => {
    const redirectUris = ['https://lanyard.example:8443/', 'https://a.lanyard.example/'];
    expect(problemsOf({ name: 'Sync for Lanyard', redirectUris })).toEqual([]);
  });

  it('lets only a first-party app have the name of the product', () => {
    const change = { name: 'Lanyard Sync' };
    expect(problemsOf(change, { id: 'a', isFirstParty: true })).toEqual([]);
    expect(problemsOf(change, { id: 'a', isFirstParty: false })).toEqual(['name']);
  });

  it('lets an app return to the page where it is tried, not to that of another', () => {
    const change = { redirectUris: ['https://lanyard.example/portal/apps/a/try'] };
    expect(problemsOf(change, { id: 'a', isFirstParty: false })).toEqual([]);
    expect(problemsOf(change, { id: 'b', isFirstParty: false })).toEqual(['redirectUris.0']);
    expect(problemsOf(change)).toEqual(['redirectUris.0']);
  });
});

describe('addedScopes', () => {
  it('is what the second has and the first has not', () => {
    expect(
      addedScopes(
        ['organizations:read', 'job_roles:read'],
        ['organizations:read', 'job_roles:write'],
      ),
    ).toEqual(['job_roles:write']);
    expect(addedScopes(['organizations:read', 'job_roles:read'], ['organizations:read'])).toEqual(
      [],
    );
  });
});

describe('approvalStatus', () => {
  const facts = {
    apiScopes: ['a', 'b'],
    approvedScopes: ['a', 'b'],
    approvedAt: '2026-01-01',
    revokedAt: null,
  };
  it('is approved while everything asked for is approved', () =>
    expect(approvalStatus(facts)).toBe('approved'));
  it('stays approved when the app asks for less', () =>
    expect(approvalStatus({ ...facts, apiScopes: ['a'] })).toBe('approved'));
  it('is widened when the app asks for more', () =>
    expect(approvalStatus({ ...facts, apiScopes: ['a', 'b', 'c'] })).toBe('widened'));
  it('is requested before the first approval', () =>
    expect(approvalStatus({ ...facts, approvedScopes: [], approvedAt: null })).toBe('requested'));
  it('is revoked after a revocation', () =>
    expect(approvalStatus({ ...facts, approvedScopes: [], revokedAt: '2026-02-01' })).toBe(
      'revoked',
    ));
});
