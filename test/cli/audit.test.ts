/** `lanyard audit list`: what the operator reads of the audit. */
import { recordFailedProof } from '../../src/auth/denied-attempts.js';
import { auditCommands } from '../../src/cli/commands/audit.js';
import { directoryCommands } from '../../src/cli/commands/directory.js';
import type { WithDatabase } from '../../src/cli/commands/on.js';
import { serviceCommands } from '../../src/cli/commands/service.js';
import { UsageError } from '../../src/cli/usage.js';
import { recordChanges } from '../../src/database/record-changes.js';
import { demoId } from '../../src/demo/ids.js';
import { ApiError } from '../../src/errors.js';
import { startApp } from '../support/app.js';
import { newCertificationType } from '../support/changes.js';
import { fail, satisfying } from '../support/expect.js';
import { climberEmail, managerEmail, skylineId, userId } from '../support/names.js';

const app = await startApp();
const onDatabase: WithDatabase = (_, work) => work(app.db);
const commands = {
  ...directoryCommands(onDatabase),
  ...serviceCommands(onDatabase),
  ...auditCommands(onDatabase),
};
const given = {
  config: app.config,
  environment: {},
  notify: () => {},
  signal: AbortSignal.abort(),
};
const run = (name: string, values: Record<string, string> = {}) =>
  commands[name]?.run({ ...given, values }) ?? fail(name);

interface Listed {
  readonly action: string;
  readonly subject_type: string;
  readonly organization: string | null;
  readonly person: string | null;
  readonly app: string | null;
  readonly request_id: string | null;
  readonly occurred_at: string;
  readonly changes: readonly { readonly property: string; readonly to: string | null }[];
}

const list = async (values: Record<string, string> = {}): Promise<Listed[]> => {
  const answer = (await run('audit list', values)) ?? fail();
  return (answer.json as { events: Listed[] }).events;
};
/** Later than the past of the demo data. */
const since = new Date().toISOString();
const actions = async (values: Record<string, string> = {}) =>
  (await list({ since, ...values })).map(({ action, subject_type }) => `${subject_type} ${action}`);

describe('lanyard audit list', () => {
  beforeAll(async () => {
    await run('keys rotate');
    await run('apps disable', { CLIENT_ID: 'demo-reader' });
    await recordFailedProof(
      app.db,
      'failed-request',
      'fail_sign_in',
      { email: climberEmail },
      'wrong_password',
    );
    const actor = {
      userId: userId(managerEmail),
      appId: demoId('app', 'demo-sync'),
      requestId: 'r',
    };
    await app.db.transaction((tx) => recordChanges(tx, actor, [newCertificationType(skylineId)]));
  });

  it('has what no organization has, newest first', async () => {
    const all = await list();
    expect(
      all
        .slice(0, 3)
        .map(
          ({ subject_type, action, organization }) => `${subject_type} ${action} ${organization}`,
        ),
    ).toEqual([
      'CertificationType create skyline-towers',
      'User fail_sign_in null',
      'App disable null',
    ]);
    expect(all.filter(({ subject_type }) => subject_type === 'SigningKey')).toHaveLength(3);
    const { person, app: through, request_id, changes } = all[1] ?? fail();
    expect([person, through, request_id]).toEqual([null, null, 'failed-request']);
    expect(changes).toStrictEqual([{ property: 'reason', from: null, to: 'wrong_password' }]);
  });

  it('is of one person, one app, one organization, from a time on, and so many', async () => {
    expect(await actions({ person: climberEmail.toUpperCase() })).toEqual(['User fail_sign_in']);
    expect(await actions({ person: managerEmail })).toEqual(['CertificationType create']);
    expect(await actions({ app: 'demo-reader' })).toEqual(['App disable']);
    expect(await actions({ app: 'demo-sync' })).toEqual(['CertificationType create']);
    expect(await actions({ organization: 'skyline-towers', limit: '1' })).toEqual([
      'CertificationType create',
    ]);
    expect(await actions({ organization: 'skyline-towers', person: climberEmail })).toEqual([]);
    expect(await actions({ since: '2999-01-01' })).toEqual([]);
    const [, second] = await list();
    expect(await actions({ since: second?.occurred_at ?? '' })).toEqual([
      'CertificationType create',
      'User fail_sign_in',
    ]);
  });

  it('refuses what there is not, and what is no number or time', async () => {
    for (const values of [
      { person: 'nobody@skyline.example' },
      { app: 'nothing' },
      { organization: 'nothing' },
    ] as Record<string, string>[]) {
      await expect(list(values)).rejects.toEqual(
        satisfying((error) => error instanceof ApiError && error.code === 'not_found'),
      );
    }
    for (const values of [
      { limit: '0' },
      { limit: '1001' },
      { limit: '1e3' },
      { since: 'yesterday' },
      { since: '2026-13-01' },
    ] as Record<string, string>[]) {
      await expect(list(values)).rejects.toThrow(UsageError);
    }
  });
});
