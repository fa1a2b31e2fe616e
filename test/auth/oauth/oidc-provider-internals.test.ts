/** The interfaces of oidc-provider that src/auth/oauth/oidc-provider-internals.ts uses are there. */
import Provider from 'oidc-provider';
import {
  compareSecretsBy,
  markChanged,
  sessionsOf,
  verifiedVersions,
} from '../../../src/auth/oauth/oidc-provider-internals.js';
import { expectInstalled } from '../../support/verified.js';

const secret = 'a secret of the configuration';
const createProvider = () =>
  new Provider('http://127.0.0.1', {
    clients: [{ client_id: 'app', client_secret: secret, redirect_uris: ['http://127.0.0.1/'] }],
    features: { devInteractions: { enabled: false } },
  });

test('the installed version is the one that was verified', () => expectInstalled(verifiedVersions));

test('a session can be made, given a person, and marked as changed', () => {
  const sessions = sessionsOf(createProvider());
  expect(typeof sessions.get).toBe('function');
  const session = sessions.instantiate({});
  markChanged(session);
  expect(session).toMatchObject({ touched: true });
  session.loginAccount({ accountId: 'someone', loginTs: 7, transient: true });
  expect(session.accountId).toBe('someone');
});

test('a replaced comparison gets the client and the secret', async () => {
  const provider = createProvider();
  const compared: unknown[] = [];
  compareSecretsBy(provider, async ({ clientId, tokenEndpointAuthMethod }, given) => {
    compared.push([clientId, tokenEndpointAuthMethod, given]);
    return given === 'another';
  });
  const client = (await provider.Client.find('app')) as unknown as {
    compareClientSecret(secret: string): Promise<boolean>;
  };
  expect(await client.compareClientSecret('another')).toBe(true);
  expect(await client.compareClientSecret(secret)).toBe(false);
  expect(compared).toEqual([
    ['app', 'client_secret_basic', 'another'],
    ['app', 'client_secret_basic', secret],
  ]);
});
