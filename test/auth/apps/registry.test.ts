import {
  approvalsOf,
  approve,
  approvingOrganizations,
  revokeApproval,
} from '../../../src/auth/apps/approvals.js';
import { grantsOf, revokeGrant } from '../../../src/auth/apps/grants.js';
import {
  appsOf,
  deleteApp,
  findApp,
  ownedApp,
  registerApp,
  setAppStatus,
  setFirstParty,
  updateApp,
} from '../../../src/auth/apps/registry.js';
import {
  revokeSecret,
  rotateSecret,
  secretsOf,
  verifySecret,
} from '../../../src/auth/apps/secrets.js';
import { auditOf, auditPageSize } from '../../../src/auth/audit.js';
import { demoSyncSecret } from '../../../src/demo/apps.js';
import { demoId } from '../../../src/demo/ids.js';
import { startApp } from '../../support/app.js';

const { db, token, config } = await startApp();

const owner = demoId('user', 'climber@skyline.example');
const skyline = demoId('organization', 'skyline-towers');
const harbor = demoId('organization', 'harbor-fiber');
const actor = { userId: owner, appId: null, requestId: 'r-1' };
const admin = { ...actor, userId: demoId('user', 'admin@skyline.example') };
const confidential = {
  name: 'Nightly Sync',
  tokenEndpointAuthMethod: 'client_secret_basic',
  redirectUris: ['https://sync.example/callback'],
  apiScopes: ['organizations:read', 'job_roles:read'],
};

async function newApp(change = {}) {
  const {
    id,
    clientId,
    secret = '',
  } = await registerApp(db, actor, config, { ...confidential, ...change });
  return { id, clientId, secret };
}

/** What the audit says of an app, oldest first. */
const actionsOf = async (appId: string) =>
  (await auditOf(db, { appId })).map(({ action }) => action).reverse();
const coded = (code: string) => ({ code });

describe('registerApp', () => {
  it('makes an app of the actor, with a secret when it is confidential', async () => {
    const { id, clientId, secret } = await newApp();
    expect(clientId).toMatch(/^app_[0-9a-f]{24}$/);
    expect(secret).toMatch(/^lanyard_secret_[\w-]{43}$/);
    const app = await ownedApp(db, owner, id);
    expect([app.clientId, app.apiScopes, app.status, app.isFirstParty]).toStrictEqual([
      clientId,
      confidential.apiScopes,
      'active',
      false,
    ]);
    expect(await actionsOf(id)).toEqual(['create', 'add_secret']);
  });

  it('gives a public app no secret', async () => {
    expect(
      'secret' in
        (await registerApp(db, actor, config, {
          ...confidential,
          tokenEndpointAuthMethod: 'none',
        })),
    ).toBe(false);
  });

  it('leaves nothing behind when the settings are wrong', async () => {
    const before = await appsOf(db, owner);
    await expect(
      registerApp(db, actor, config, { ...confidential, redirectUris: ['x'] }),
    ).rejects.toMatchObject(coded('validation_error'));
    expect(await appsOf(db, owner)).toStrictEqual(before);
  });

  it('shows an app to its owner alone', async () => {
    const { id } = await newApp();
    await expect(ownedApp(db, admin.userId, id)).rejects.toMatchObject(coded('not_found'));
  });
});

describe('updateApp', () => {
  it('audits what changed, from what to what, by whom', async () => {
    const { id } = await newApp();
    await updateApp(db, actor, config, id, { ...confidential, name: 'Hourly Sync' });
    const [event] = await auditOf(db, { appId: id });
    expect([event?.action, event?.by, event?.changes]).toStrictEqual([
      'update',
      'Jonah Tsosie',
      { name: ['Nightly Sync', 'Hourly Sync'] },
    ]);
  });

  it('writes nothing when nothing changes', async () => {
    const { id } = await newApp();
    const before = await ownedApp(db, owner, id);
    await updateApp(db, actor, config, id, confidential);
    expect(await ownedApp(db, owner, id)).toStrictEqual(before);
    expect(await actionsOf(id)).toEqual(['create', 'add_secret']);
  });

  it('takes the secrets from an app that becomes public, and gives a new one when it is confidential again', async () => {
    const { id, clientId, secret } = await newApp();
    await updateApp(db, actor, config, id, { ...confidential, tokenEndpointAuthMethod: 'none' });
    expect(await verifySecret(db, clientId, secret)).toBe(false);
    const { secret: next = '' } = await updateApp(db, actor, config, id, {
      ...confidential,
      tokenEndpointAuthMethod: 'client_secret_post',
    });
    expect(await verifySecret(db, clientId, next)).toBe(true);
  });

  it('ends the approval of a scope that the app gives up, even when it asks for it again', async () => {
    const { id } = await newApp();
    await approve(db, admin, skyline, id, confidential.apiScopes);
    await updateApp(db, actor, config, id, { ...confidential, apiScopes: ['organizations:read'] });
    await updateApp(db, actor, config, id, confidential);
    const approval = (await approvalsOf(db, skyline)).find(({ appId }) => appId === id);
    expect([approval?.status, approval?.approvedScopes, approval?.newScopes]).toEqual([
      'widened',
      ['organizations:read'],
      ['job_roles:read'],
    ]);
    expect(approval?.changedBy).toBe('Jonah Tsosie');
  });
});

describe('secrets', () => {
  it('are stored as hashes', async () => {
    const { id, secret } = await newApp();
    const [row] = await db.query<object>('select * from app_secrets where app_id = $1', [id]);
    expect(row && !JSON.stringify(row).includes(secret.slice(15, -4))).toBeTruthy();
  });

  it('work for their app alone, and are noted as used', async () => {
    const [one, other] = [await newApp(), await newApp()];
    expect(await verifySecret(db, other.clientId, one.secret)).toBe(false);
    expect((await secretsOf(db, one.id))[0]?.lastUsedAt).toBeNull();
    expect(await verifySecret(db, one.clientId, one.secret)).toBe(true);
    expect((await secretsOf(db, one.id))[0]?.lastUsedAt).not.toBeNull();
    expect(await verifySecret(db, one.clientId, `${one.secret} `)).toBe(false);
  });

  it('are noted as used once a minute', async () => {
    const { id, clientId, secret } = await newApp();
    const noted = async () => (await secretsOf(db, id))[0]?.lastUsedAt;
    await verifySecret(db, clientId, secret);
    const first = await noted();
    await verifySecret(db, clientId, secret);
    expect(await noted()).toBe(first);
    await db.query(
      `update app_secrets set last_used_at = now() - interval '2 minutes' where app_id = $1`,
      [id],
    );
    await verifySecret(db, clientId, secret);
    expect(String(await noted()) > String(first)).toBe(true);
  });

  it('overlap when rotated, until the overlap ends', async () => {
    const { id, clientId, secret } = await newApp();
    const next = await rotateSecret(db, actor, id, 24);
    expect([
      await verifySecret(db, clientId, secret),
      await verifySecret(db, clientId, next),
    ]).toEqual([true, true]);
    await db.query(
      `update app_secrets set expires_at = expires_at - interval '24 hours' where app_id = $1`,
      [id],
    );
    expect([
      await verifySecret(db, clientId, secret),
      await verifySecret(db, clientId, next),
    ]).toEqual([false, true]);
    expect(await secretsOf(db, id)).toHaveLength(1);
  });

  it('never live longer by a second rotation', async () => {
    const { id } = await newApp();
    await rotateSecret(db, actor, id, 1);
    await rotateSecret(db, actor, id, 168);
    const [, , oldest] = await secretsOf(db, id);
    expect(Date.parse(oldest?.expiresAt ?? '')).toBeLessThan(Date.now() + 3_700_000);
  });

  it('end at once when rotated without overlap, or revoked', async () => {
    const { id, clientId, secret } = await newApp();
    const next = await rotateSecret(db, actor, id, 0);
    expect(await verifySecret(db, clientId, secret)).toBe(false);
    await revokeSecret(db, actor, id, (await secretsOf(db, id))[0]?.id ?? '');
    expect(await verifySecret(db, clientId, next)).toBe(false);
    expect(await actionsOf(id)).toEqual(['create', 'add_secret', 'add_secret', 'revoke_secret']);
  });

  it('are not for public apps', async () => {
    const { id } = await newApp({ tokenEndpointAuthMethod: 'none' });
    await expect(rotateSecret(db, actor, id, 0)).rejects.toMatchObject(coded('invalid_transition'));
  });

  it('include the one of the demo set', async () =>
    expect(await verifySecret(db, 'demo-sync', demoSyncSecret)).toBe(true));
});

describe('approvals', () => {
  const find = async (organizationId: string, id: string) =>
    (await approvalsOf(db, organizationId)).find(({ appId }) => appId === id);

  it('go from requested, by the first sign-in of a member, over approved and widened to revoked', async () => {
    const { id, clientId } = await newApp();
    expect(await find(skyline, id)).toBeUndefined();
    await token('manager@skyline.example', clientId);
    await token('climber@skyline.example', clientId);
    const requested = await find(skyline, id);
    expect([requested?.status, requested?.requestedBy, requested?.newScopes]).toStrictEqual([
      'requested',
      'Marcus Delgado',
      confidential.apiScopes,
    ]);
    expect(await find(harbor, id)).toBeUndefined();

    await approve(db, admin, skyline, id, confidential.apiScopes);
    const approved = await find(skyline, id);
    expect([approved?.status, approved?.approvedBy, approved?.newScopes]).toEqual([
      'approved',
      'Rosalind Achebe',
      [],
    ]);
    expect((await approvingOrganizations(db, id)).map(({ name }) => name)).toEqual([
      'Skyline Towers',
    ]);

    await updateApp(db, actor, config, id, {
      ...confidential,
      apiScopes: [...confidential.apiScopes, 'job_roles:write'],
    });
    expect([(await find(skyline, id))?.status, (await find(skyline, id))?.newScopes]).toEqual([
      'widened',
      ['job_roles:write'],
    ]);

    await revokeApproval(db, admin, skyline, id);
    const revoked = await find(skyline, id);
    expect([revoked?.status, revoked?.revokedBy, revoked?.approvedScopes]).toEqual([
      'revoked',
      'Rosalind Achebe',
      [],
    ]);
    expect(await approvingOrganizations(db, id)).toEqual([]);
    await expect(revokeApproval(db, admin, skyline, id)).rejects.toMatchObject(coded('not_found'));

    await approve(db, admin, skyline, id, confidential.apiScopes);
    expect((await find(skyline, id))?.revokedAt).toBeNull();
    const events = await auditOf(db, { organizationId: skyline });
    expect(
      events
        .filter(({ subjectId }) => subjectId === id)
        .map(({ action, by, subjectName }) => [action, by, subjectName]),
    ).toEqual([
      ['approve', 'Rosalind Achebe', 'Nightly Sync'],
      ['revoke_approval', 'Rosalind Achebe', 'Nightly Sync'],
      ['approve', 'Rosalind Achebe', 'Nightly Sync'],
    ]);
  });

  it('hold only what the admin was shown', async () => {
    const { id } = await newApp();
    await approve(db, admin, skyline, id, ['organizations:read', 'certification_records:write']);
    expect((await find(skyline, id))?.approvedScopes).toEqual(['organizations:read']);
  });

  it('leave first-party apps out', async () => {
    const { id, clientId } = await newApp();
    await token('both@skyline.example', clientId);
    await setFirstParty(db, { ...actor, userId: null }, id, true);
    expect(await find(skyline, id)).toBeUndefined();
    await setFirstParty(db, { ...actor, userId: null }, id, false);
    expect((await find(harbor, id))?.status).toBe('requested');
  });

  for (const [who, email] of [
    ['an admin of another organization', 'admin@harbor.example'],
    ['a manager', 'manager@skyline.example'],
    ['a plain member', 'climber@skyline.example'],
  ] as const) {
    it(`are refused to ${who}`, async () => {
      const { id } = await newApp();
      const other = { ...actor, userId: demoId('user', email) };
      await expect(approve(db, other, skyline, id, confidential.apiScopes)).rejects.toMatchObject(
        coded('forbidden'),
      );
      await approve(db, admin, skyline, id, confidential.apiScopes);
      await expect(revokeApproval(db, other, skyline, id)).rejects.toMatchObject(
        coded('forbidden'),
      );
      expect((await find(skyline, id))?.status).toBe('approved');
    });
  }
});

describe('grants', () => {
  it('are listed for the app and for the person, and end when either revokes', async () => {
    const { id, clientId } = await newApp();
    await token('manager@skyline.example', clientId);
    const manager = demoId('user', 'manager@skyline.example');
    const [grant] = await grantsOf(db, { appId: id });
    expect([grant?.userName, grant?.userEmail, grant?.appName]).toEqual([
      'Marcus Delgado',
      'manager@skyline.example',
      'Nightly Sync',
    ]);
    expect((await grantsOf(db, { userId: manager })).some((each) => each.id === grant?.id)).toBe(
      true,
    );
    await expect(revokeGrant(db, actor, { userId: owner }, grant?.id ?? '')).rejects.toMatchObject(
      coded('not_found'),
    );
    await revokeGrant(db, actor, { appId: id }, grant?.id ?? '');
    expect(await grantsOf(db, { appId: id })).toEqual([]);
    expect((await auditOf(db, { appId: id }))[0]?.changes).toStrictEqual({
      grantedBy: ['manager@skyline.example', null],
    });
  });
});

describe('setAppStatus and deleteApp', () => {
  it('are audited once each', async () => {
    const { id } = await newApp({ tokenEndpointAuthMethod: 'none' });
    for (const status of ['disabled', 'disabled', 'active'] as const)
      await setAppStatus(db, actor, id, status);
    expect(await actionsOf(id)).toEqual(['create', 'disable', 'enable']);
  });

  it('delete the app with all that hangs on it, and keep the audit', async () => {
    const { id, clientId } = await newApp();
    await token('manager@skyline.example', clientId);
    await approve(db, admin, skyline, id, confidential.apiScopes);
    await deleteApp(db, actor, id);
    expect(await findApp(db, clientId)).toBeUndefined();
    expect(await actionsOf(id)).toEqual(['create', 'add_secret', 'approve', 'delete']);
    await expect(deleteApp(db, actor, id)).rejects.toMatchObject(coded('not_found'));
  });
});

describe('auditOf', () => {
  it('pages backwards without gap or repetition', async () => {
    const { id } = await newApp({ tokenEndpointAuthMethod: 'none' });
    for (let round = 0; round < auditPageSize; round++)
      await setAppStatus(db, actor, id, round % 2 ? 'active' : 'disabled');
    const first = await auditOf(db, { appId: id });
    const second = await auditOf(db, { appId: id }, first.at(-1)?.id);
    expect([first.length, second.length]).toStrictEqual([auditPageSize, 1]);
    expect(second[0]?.action).toBe('create');
  });
});

describe('every change and its audit event', () => {
  it('are one transaction: without the one there is not the other', async () => {
    await db.query('delete from apps where owner_id = $1', [owner]);
    const { id, clientId } = await newApp();
    await token('manager@skyline.example', clientId);
    await approve(db, admin, skyline, id, confidential.apiScopes);
    const state = () =>
      db.query(
        `select a.*, array(select s from app_secrets s where s.app_id = a.id) as secrets, array(select p from app_approvals p where p.app_id = a.id) as approvals,
           array(select g.id from grants g where g.app_id = a.id) as grants from apps a where a.owner_id = $1 order by a.id`,
        [owner],
      );
    const before = await state();
    const [grant] = await grantsOf(db, { appId: id });
    const [secret] = await secretsOf(db, id);
    // PostgreSQL takes no such text, so the event can't be written.
    const unaudited = { requestId: '\u0000' };
    const by = { ...actor, ...unaudited };
    const byAdmin = { ...admin, ...unaudited };
    for (const change of [
      () => registerApp(db, by, config, confidential),
      () => updateApp(db, by, config, id, { ...confidential, apiScopes: [] }),
      () => setAppStatus(db, by, id, 'disabled'),
      () => setFirstParty(db, by, id, true),
      () => rotateSecret(db, by, id, 0),
      () => revokeSecret(db, by, id, secret?.id ?? ''),
      () => revokeGrant(db, by, { appId: id }, grant?.id ?? ''),
      () => approve(db, byAdmin, skyline, id, []),
      () => revokeApproval(db, byAdmin, skyline, id),
      () => deleteApp(db, by, id),
    ]) {
      await expect(change).rejects.toThrow(/invalid byte sequence/);
      expect([String(change), await state()]).toStrictEqual([expect.any(String), before]);
    }
  });
});
