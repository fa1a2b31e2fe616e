import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { approvalsOf, approve, approvingOrganizations, revokeApproval } from '../../../src/auth/apps/approvals.js';
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
import { revokeSecret, rotateSecret, secretsOf, verifySecret } from '../../../src/auth/apps/secrets.js';
import { auditOf, auditPageSize } from '../../../src/auth/audit.js';
import { demoSyncSecret } from '../../../src/database/demo/apps.js';
import { demoId } from '../../../src/database/demo/ids.js';
import { startApp } from '../../support/app.js';

const { db, token } = await startApp();

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
  const { id, clientId, secret = '' } = await registerApp(db, actor, { ...confidential, ...change });
  return { id, clientId, secret };
}

/** What the audit says of an app, oldest first. */
const actionsOf = async (appId: string) => (await auditOf(db, { appId })).map(({ action }) => action).reverse();
const coded = (code: string) => ({ code });

describe('registerApp', () => {
  it('makes an app of the actor, with a secret when it is confidential', async () => {
    const { id, clientId, secret } = await newApp();
    assert.match(clientId, /^app_[0-9a-f]{24}$/);
    assert.match(secret, /^lanyard_secret_[\w-]{43}$/);
    const app = await ownedApp(db, owner, id);
    assert.deepEqual([app.clientId, app.apiScopes, app.status, app.isFirstParty], [clientId, confidential.apiScopes, 'active', false]);
    assert.deepEqual(await actionsOf(id), ['create', 'add_secret']);
  });

  it('gives a public app no secret', async () => {
    assert.equal('secret' in (await registerApp(db, actor, { ...confidential, tokenEndpointAuthMethod: 'none' })), false);
  });

  it('leaves nothing behind when the settings are wrong', async () => {
    const before = await appsOf(db, owner);
    await assert.rejects(registerApp(db, actor, { ...confidential, redirectUris: ['x'] }), coded('validation_error'));
    assert.deepEqual(await appsOf(db, owner), before);
  });

  it('shows an app to its owner alone', async () => {
    const { id } = await newApp();
    await assert.rejects(ownedApp(db, admin.userId, id), coded('not_found'));
  });
});

describe('updateApp', () => {
  it('audits what changed, from what to what, by whom', async () => {
    const { id } = await newApp();
    await updateApp(db, actor, id, { ...confidential, name: 'Hourly Sync' });
    const [event] = await auditOf(db, { appId: id });
    assert.deepEqual([event?.action, event?.by, event?.changes], ['update', 'Jonah Tsosie', { name: ['Nightly Sync', 'Hourly Sync'] }]);
  });

  it('writes nothing when nothing changes', async () => {
    const { id } = await newApp();
    const before = await ownedApp(db, owner, id);
    await updateApp(db, actor, id, confidential);
    assert.deepEqual(await ownedApp(db, owner, id), before);
    assert.deepEqual(await actionsOf(id), ['create', 'add_secret']);
  });

  it('takes the secrets from an app that becomes public, and gives a new one when it is confidential again', async () => {
    const { id, clientId, secret } = await newApp();
    await updateApp(db, actor, id, { ...confidential, tokenEndpointAuthMethod: 'none' });
    assert.equal(await verifySecret(db, clientId, secret), false);
    const { secret: next = '' } = await updateApp(db, actor, id, { ...confidential, tokenEndpointAuthMethod: 'client_secret_post' });
    assert.equal(await verifySecret(db, clientId, next), true);
  });

  it('ends the approval of a scope that the app gives up, even when it asks for it again', async () => {
    const { id } = await newApp();
    await approve(db, admin, skyline, id, confidential.apiScopes);
    await updateApp(db, actor, id, { ...confidential, apiScopes: ['organizations:read'] });
    await updateApp(db, actor, id, confidential);
    const approval = (await approvalsOf(db, skyline)).find(({ appId }) => appId === id);
    assert.deepEqual(
      [approval?.status, approval?.approvedScopes, approval?.newScopes],
      ['widened', ['organizations:read'], ['job_roles:read']],
    );
    assert.equal(approval?.changedBy, 'Jonah Tsosie');
  });
});

describe('secrets', () => {
  it('are stored as hashes', async () => {
    const { id, secret } = await newApp();
    const [row] = await db.query<object>('select * from app_secrets where app_id = $1', [id]);
    assert.ok(row && !JSON.stringify(row).includes(secret.slice(15, -4)));
  });

  it('work for their app alone, and are noted as used', async () => {
    const [one, other] = [await newApp(), await newApp()];
    assert.equal(await verifySecret(db, other.clientId, one.secret), false);
    assert.equal((await secretsOf(db, one.id))[0]?.lastUsedAt, null);
    assert.equal(await verifySecret(db, one.clientId, one.secret), true);
    assert.notEqual((await secretsOf(db, one.id))[0]?.lastUsedAt, null);
    assert.equal(await verifySecret(db, one.clientId, `${one.secret} `), false);
  });

  it('are noted as used once a minute', async () => {
    const { id, clientId, secret } = await newApp();
    const noted = async () => (await secretsOf(db, id))[0]?.lastUsedAt;
    await verifySecret(db, clientId, secret);
    const first = await noted();
    await verifySecret(db, clientId, secret);
    assert.equal(await noted(), first);
    await db.query(`update app_secrets set last_used_at = now() - interval '2 minutes' where app_id = $1`, [id]);
    await verifySecret(db, clientId, secret);
    assert.ok(String(await noted()) > String(first));
  });

  it('overlap when rotated, until the overlap ends', async () => {
    const { id, clientId, secret } = await newApp();
    const next = await rotateSecret(db, actor, id, 24);
    assert.deepEqual([await verifySecret(db, clientId, secret), await verifySecret(db, clientId, next)], [true, true]);
    await db.query(`update app_secrets set expires_at = expires_at - interval '24 hours' where app_id = $1`, [id]);
    assert.deepEqual([await verifySecret(db, clientId, secret), await verifySecret(db, clientId, next)], [false, true]);
    assert.equal((await secretsOf(db, id)).length, 1);
  });

  it('never live longer by a second rotation', async () => {
    const { id } = await newApp();
    await rotateSecret(db, actor, id, 1);
    await rotateSecret(db, actor, id, 168);
    const [, , oldest] = await secretsOf(db, id);
    assert.ok(Date.parse(oldest?.expiresAt ?? '') < Date.now() + 3_700_000);
  });

  it('end at once when rotated without overlap, or revoked', async () => {
    const { id, clientId, secret } = await newApp();
    const next = await rotateSecret(db, actor, id, 0);
    assert.equal(await verifySecret(db, clientId, secret), false);
    await revokeSecret(db, actor, id, (await secretsOf(db, id))[0]?.id ?? '');
    assert.equal(await verifySecret(db, clientId, next), false);
    assert.deepEqual(await actionsOf(id), ['create', 'add_secret', 'add_secret', 'revoke_secret']);
  });

  it('are not for public apps', async () => {
    const { id } = await newApp({ tokenEndpointAuthMethod: 'none' });
    await assert.rejects(rotateSecret(db, actor, id, 0), coded('invalid_transition'));
  });

  it('include the one of the demo set', async () => assert.equal(await verifySecret(db, 'demo-sync', demoSyncSecret), true));
});

describe('approvals', () => {
  const find = async (organizationId: string, id: string) => (await approvalsOf(db, organizationId)).find(({ appId }) => appId === id);

  it('go from requested, by the first sign-in of a member, over approved and widened to revoked', async () => {
    const { id, clientId } = await newApp();
    assert.equal(await find(skyline, id), undefined);
    await token('manager@skyline.example', clientId);
    await token('climber@skyline.example', clientId);
    const requested = await find(skyline, id);
    assert.deepEqual(
      [requested?.status, requested?.requestedBy, requested?.newScopes],
      ['requested', 'Marcus Delgado', confidential.apiScopes],
    );
    assert.equal(await find(harbor, id), undefined);

    await approve(db, admin, skyline, id, confidential.apiScopes);
    const approved = await find(skyline, id);
    assert.deepEqual([approved?.status, approved?.approvedBy, approved?.newScopes], ['approved', 'Rosalind Achebe', []]);
    assert.deepEqual(
      (await approvingOrganizations(db, id)).map(({ name }) => name),
      ['Skyline Towers'],
    );

    await updateApp(db, actor, id, { ...confidential, apiScopes: [...confidential.apiScopes, 'job_roles:write'] });
    assert.deepEqual([(await find(skyline, id))?.status, (await find(skyline, id))?.newScopes], ['widened', ['job_roles:write']]);

    await revokeApproval(db, admin, skyline, id);
    const revoked = await find(skyline, id);
    assert.deepEqual([revoked?.status, revoked?.revokedBy, revoked?.approvedScopes], ['revoked', 'Rosalind Achebe', []]);
    assert.deepEqual(await approvingOrganizations(db, id), []);
    await assert.rejects(revokeApproval(db, admin, skyline, id), coded('not_found'));

    await approve(db, admin, skyline, id, confidential.apiScopes);
    assert.equal((await find(skyline, id))?.revokedAt, null);
    const events = await auditOf(db, { organizationId: skyline });
    assert.deepEqual(
      events.filter(({ subjectId }) => subjectId === id).map(({ action, by, subjectName }) => [action, by, subjectName]),
      [
        ['approve', 'Rosalind Achebe', 'Nightly Sync'],
        ['revoke_approval', 'Rosalind Achebe', 'Nightly Sync'],
        ['approve', 'Rosalind Achebe', 'Nightly Sync'],
      ],
    );
  });

  it('hold only what the admin was shown', async () => {
    const { id } = await newApp();
    await approve(db, admin, skyline, id, ['organizations:read', 'certification_records:write']);
    assert.deepEqual((await find(skyline, id))?.approvedScopes, ['organizations:read']);
  });

  it('leave first-party apps out', async () => {
    const { id, clientId } = await newApp();
    await token('both@skyline.example', clientId);
    await setFirstParty(db, { ...actor, userId: null }, id, true);
    assert.equal(await find(skyline, id), undefined);
    await setFirstParty(db, { ...actor, userId: null }, id, false);
    assert.equal((await find(harbor, id))?.status, 'requested');
  });

  for (const [who, email] of [
    ['an admin of another organization', 'admin@harbor.example'],
    ['a manager', 'manager@skyline.example'],
    ['a plain member', 'climber@skyline.example'],
  ] as const) {
    it(`are refused to ${who}`, async () => {
      const { id } = await newApp();
      const other = { ...actor, userId: demoId('user', email) };
      await assert.rejects(approve(db, other, skyline, id, confidential.apiScopes), coded('forbidden'));
      await approve(db, admin, skyline, id, confidential.apiScopes);
      await assert.rejects(revokeApproval(db, other, skyline, id), coded('forbidden'));
      assert.equal((await find(skyline, id))?.status, 'approved');
    });
  }
});

describe('grants', () => {
  it('are listed for the app and for the person, and end when either revokes', async () => {
    const { id, clientId } = await newApp();
    await token('manager@skyline.example', clientId);
    const manager = demoId('user', 'manager@skyline.example');
    const [grant] = await grantsOf(db, { appId: id });
    assert.deepEqual([grant?.userName, grant?.userEmail, grant?.appName], ['Marcus Delgado', 'manager@skyline.example', 'Nightly Sync']);
    assert.ok((await grantsOf(db, { userId: manager })).some((each) => each.id === grant?.id));
    await assert.rejects(revokeGrant(db, actor, { userId: owner }, grant?.id ?? ''), coded('not_found'));
    await revokeGrant(db, actor, { appId: id }, grant?.id ?? '');
    assert.deepEqual(await grantsOf(db, { appId: id }), []);
    assert.deepEqual((await auditOf(db, { appId: id }))[0]?.changes, { grantedBy: ['manager@skyline.example', null] });
  });
});

describe('setAppStatus and deleteApp', () => {
  it('are audited once each', async () => {
    const { id } = await newApp({ tokenEndpointAuthMethod: 'none' });
    for (const status of ['disabled', 'disabled', 'active'] as const) await setAppStatus(db, actor, id, status);
    assert.deepEqual(await actionsOf(id), ['create', 'disable', 'enable']);
  });

  it('delete the app with all that hangs on it, and keep the audit', async () => {
    const { id, clientId } = await newApp();
    await token('manager@skyline.example', clientId);
    await approve(db, admin, skyline, id, confidential.apiScopes);
    await deleteApp(db, actor, id);
    assert.equal(await findApp(db, clientId), undefined);
    assert.deepEqual(await actionsOf(id), ['create', 'add_secret', 'approve', 'delete']);
    await assert.rejects(deleteApp(db, actor, id), coded('not_found'));
  });
});

describe('auditOf', () => {
  it('pages backwards without gap or repetition', async () => {
    const { id } = await newApp({ tokenEndpointAuthMethod: 'none' });
    for (let round = 0; round < auditPageSize; round++) await setAppStatus(db, actor, id, round % 2 ? 'active' : 'disabled');
    const first = await auditOf(db, { appId: id });
    const second = await auditOf(db, { appId: id }, first.at(-1)?.id);
    assert.deepEqual([first.length, second.length], [auditPageSize, 1]);
    assert.equal(second[0]?.action, 'create');
  });
});

describe('every change and its audit event', () => {
  it('are one transaction: without the one there is not the other', async () => {
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
      () => registerApp(db, by, confidential),
      () => updateApp(db, by, id, { ...confidential, apiScopes: [] }),
      () => setAppStatus(db, by, id, 'disabled'),
      () => setFirstParty(db, by, id, true),
      () => rotateSecret(db, by, id, 0),
      () => revokeSecret(db, by, id, secret?.id ?? ''),
      () => revokeGrant(db, by, { appId: id }, grant?.id ?? ''),
      () => approve(db, byAdmin, skyline, id, []),
      () => revokeApproval(db, byAdmin, skyline, id),
      () => deleteApp(db, by, id),
    ]) {
      await assert.rejects(change, /invalid byte sequence/, String(change));
      assert.deepEqual(await state(), before, String(change));
    }
  });
});
