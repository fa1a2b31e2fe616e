/** The workflows of schema/arazzo.yaml, which redocly runs as they stand. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { registerApp } from '../../src/auth/apps/registry.js';
import { demoRedirectUri } from '../../src/demo/apps.js';
import { packageRoot } from '../../src/root.js';
import { Browser } from '../auth/oauth/browser.js';
import { startOAuthApp, ThirdParty } from '../auth/oauth/client.js';
import { fail } from '../support/expect.js';
import { managerEmail, skylineId, userId } from '../support/names.js';

const apiScopes = [
  'organization_members:read',
  'certification_types:read',
  'certification_records:read',
  'certification_records:write',
] as const;

const app = await startOAuthApp();
const redocly = join(packageRoot, 'node_modules/@redocly/cli/bin/cli.js');

/** Runs redocly without its colours and its questions to a server of its own. */
async function run(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = { cwd: packageRoot, env, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [redocly, ...args],
    options,
  ).catch(({ stdout, stderr }) => fail(`${stdout}\n${stderr}`));
  return stdout + stderr;
}

test('both descriptions are valid', async () => {
  await run('lint', 'schema/arazzo.yaml', 'schema/oauth.yaml');
});

test('an app that is registered and approved performs all workflows', async () => {
  const actor = { userId: userId(managerEmail), appId: null, requestId: null };
  const { clientId, id } = await registerApp(app.db, actor, app.config, {
    name: 'Arazzo',
    tokenEndpointAuthMethod: 'none',
    redirectUris: [demoRedirectUri],
    apiScopes: [...apiScopes],
  });
  await app.db.query(
    'insert into app_approvals (organization_id, app_id, scopes, approved_at) values ($1, $2, $3, now())',
    [skylineId, id, [...apiScopes]],
  );
  const { code, verifier } = await new ThirdParty(app.base, clientId).authorize(
    new Browser(app.base),
    managerEmail,
  );
  const inputs = {
    client_id: clientId,
    ...{ code, code_verifier: verifier, redirect_uri: demoRedirectUri },
    idempotency_key: 'arazzo-1',
  };
  const output = await run(
    ...['respect', 'schema/arazzo.yaml', '--workflow', 'integrate'],
    ...['--input', JSON.stringify(inputs), '--server', `api=${app.base},oauth=${app.base}`],
  );
  expect(output).toMatch(/Workflows: \d+ passed, \d+ total/);
  const made = await app.db.query(
    `select serial_number as serial from certifications where expires_on = '2028-03-01' and issued_on = '2026-03-01'`,
  );
  expect(made).toStrictEqual([{ serial: 'NT-100222' }]);
});
