/**
 * Every mutation of the schema leaves exactly the events that tell what it changed: who, through
 * which app, in which request, from what to what.
 */
import { demoId } from '../../../src/demo/ids.js';
import { startApp } from '../../support/app.js';
import { fail } from '../../support/expect.js';
import { graphOf } from '../../support/graph.js';
import { adminEmail, memberId, nothing, skylineId, userId } from '../../support/names.js';
import { found } from '../../support/tenants.js';
import { operationOf } from '../documents.js';
import { type Ids, mutationCases, type RootField, rootFields } from '../fields.js';
import { eventsOf, expectedOf, takeSnapshot, toldBy } from './rows.js';

const app = await startApp();
const { db } = app;
const admin = graphOf(app, adminEmail);

let made = 0;

/** New records for one case, so that no case depends on another. */
async function newRecords(): Promise<Ids> {
  const name = `Audit ${++made}`;
  const email = `audit-${made}@skyline.example`;
  const data = await admin.data(
    `mutation ($o: ID!, $name: Name!, $email: Email!, $externalId: ExternalId!) {
      member: createOrganizationMember(organizationId: $o, input: { email: $email, externalId: $externalId }) { id }
      type: createCertificationType(organizationId: $o, input: { title: $name }) { id slug }
      qualification: createQualification(organizationId: $o, input: { name: $name }) { id }
      jobRole: createJobRole(organizationId: $o, input: { name: $name }) { id } }`,
    { o: skylineId, name, email, externalId: `AUDIT-${made}` },
  );
  const { record } = await admin.data(
    `mutation ($o: ID!, $input: CertificationCreate!) { record: createCertification(organizationId: $o, input: $input) { id } }`,
    {
      o: skylineId,
      input: {
        organizationMemberId: data.member.id,
        certificationTypeId: data.type.id,
        issuerName: 'Harbor Fiber',
        issuedOn: '2026-01-04',
        externalId: name,
      },
    },
  );
  return {
    organization: skylineId,
    member: data.member.id,
    memberEmail: email,
    memberExternalId: `AUDIT-${made}`,
    certification: record.id,
    certificationExternalId: name,
    certificationType: data.type.id,
    certificationTypeSlug: data.type.slug,
    qualification: data.qualification.id,
    jobRole: data.jobRole.id,
  };
}

/** What must have happened to the records before. */
const first: Readonly<Record<string, string>> = {
  restoreCertification: 'archiveCertification',
  restoreCertificationType: 'archiveCertificationType',
  restoreQualification: 'archiveQualification',
  restoreJobRole: 'archiveJobRole',
  reinstateOrganizationMember: 'suspendOrganizationMember',
  removeJobRole: 'assignJobRole',
};

/** Records that only the caller has. */
const instead: Readonly<Record<string, Partial<Ids>>> = {
  createMyCertification: { member: memberId(adminEmail) },
  setPrimaryMembership: { organization: await found(db, adminEmail) },
};

/** Asked again, these find everything as it should be already, and so leave nothing. */
const isRepeatable = (name: string) => /^(update|replace|assign|remove|upsert)/.test(name);

const fieldOf = (name: string): RootField =>
  rootFields.find((each) => each.name === name) ?? fail(name);

let requests = 0;
const send = async (text: string, variables: object) => {
  const requestId = `audit-request-${++requests}`;
  const token = await app.token(adminEmail);
  return {
    requestId,
    response: await app.graphql(text, variables, { token, headers: { 'x-request-id': requestId } }),
  };
};

/**
 * Sends the operation and checks that the events tell just what became of the tables. @returns How
 * many there are.
 */
async function expectTold(text: string, variables: object): Promise<number> {
  const earlier = await takeSnapshot(db);
  let requestId = '';
  const events = await eventsOf(db, async () => {
    const sent = await send(text, variables);
    expect([sent.response.text, sent.response.body.errors]).toStrictEqual([
      sent.response.text,
      undefined,
    ]);
    requestId = sent.requestId;
  });
  const later = await takeSnapshot(db);
  expect(toldBy(events)).toStrictEqual(expectedOf(earlier, later));
  for (const { subjectType, subjectId, action, ...event } of events) {
    expect([event.userId, event.appId, event.requestId]).toStrictEqual([
      userId(adminEmail),
      demoId('app', 'demo-dashboard'),
      requestId,
    ]);
    const stamp = later.get(`${subjectType} ${subjectId}`)?.updated_at;
    if (action !== 'delete')
      expect(new Date(event.occurredAt).toISOString()).toBe(new Date(String(stamp)).toISOString());
  }
  return events.length;
}

/** Sends an operation that leaves nothing. @returns Its errors. */
async function expectSilent(text: string, variables: object): Promise<object | undefined> {
  const earlier = await takeSnapshot(db);
  let errors: object | undefined;
  const events = await eventsOf(db, async () => {
    errors = (await send(text, variables)).response.body.errors;
  });
  expect(events).toEqual([]);
  expect(await takeSnapshot(db)).toStrictEqual(earlier);
  return errors;
}

/** The mutation, and after it one that fails: both are one transaction. */
const failing = (text: string): string =>
  text.replace(
    / }$/,
    ` failed: archiveCertification(organizationId: "${skylineId}", id: "${nothing}") { id } }`,
  );

for (const name of Object.keys(mutationCases)) {
  describe(name, () => {
    const { args } = mutationCases[name] ?? fail();
    let given: Record<string, unknown>;
    let text: string;
    beforeAll(async () => {
      const ids = { ...(await newRecords()), ...instead[name] };
      const earlier = first[name];
      if (earlier) {
        const prepared = mutationCases[earlier]?.args(ids) ?? {};
        await admin.data(operationOf(fieldOf(earlier), prepared), prepared);
      }
      given = args(ids);
      text = operationOf(fieldOf(name), given);
    });

    test('leaves nothing when it is rolled back', async () =>
      expect(await expectSilent(failing(text), given)).toBeTruthy());

    if (fieldOf(name).field.args.some((each) => each.name === 'dryRun')) {
      test('leaves nothing as a dry run', async () => {
        const dry = { ...given, dryRun: true };
        expect(await expectSilent(operationOf(fieldOf(name), dry), dry)).toBeUndefined();
      });
    }

    test('leaves what it changed, from what to what', async () =>
      expect(await expectTold(text, given)).toBeGreaterThan(0));

    if (isRepeatable(name)) {
      test('leaves nothing when nothing changes', async () =>
        expect(await expectTold(text, given)).toBe(0));
    }
  });
}

test('no query leaves anything, previews among them', async () => {
  const ids = await newRecords();
  for (const root of rootFields.filter(({ kind }) => kind === 'query')) {
    const given = root.args(ids);
    await expectSilent(operationOf(root, given), given);
  }
});
