/**
 * The types of the client: made from the OpenAPI document as it is, and strict. What must not
 * compile is checked by the compiler.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  follow,
  type Lanyard,
  type LanyardError,
  records,
} from '../../clients/typescript/src/index.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { climberEmail, managerEmail, memberId, skylineId, typeId } from '../support/names.js';
import { lanyardOf } from './lanyard.js';

const app = await startApp();
const lanyard = lanyardOf(app, managerEmail);
const path = { organization_id: skylineId };
const body = {
  organization_member_id: memberId(climberEmail),
  certification_type_id: typeId('rf-awareness'),
};

test('clients/typescript/src/schema.ts was made from schema/openapi.json as it is', () => {
  const document = readFileSync(join(packageRoot, 'schema/openapi.json'));
  const [header = ''] = readFileSync(
    join(packageRoot, 'clients/typescript/src/schema.ts'),
    'utf8',
  ).split('\n');
  const hash = createHash('sha256').update(document).digest('hex');
  expect(header).toContain(hash); // else run npm run generate
});

test('the versions of the package and its API are one', () => {
  const versionOf = (file: string) =>
    JSON.parse(readFileSync(join(packageRoot, file), 'utf8')).version;
  expect(versionOf('clients/typescript/package.json')).toBe(versionOf('package.json'));
});

test('answers are typed to the values of enumerations', async () => {
  const { data } = await lanyard.get('/v1/organizations/{organization_id}/certifications', {
    params: { path, query: { limit: 1 } },
  });
  for (const { validity_status, source, certification_type } of data) {
    const known = { valid: 1, expiring: 2, expired: 3, unknown: 4 }[validity_status];
    expect(
      known &&
        { manual: 1, import: 2, api: 3, 'self-reported': 4 }[source] &&
        certification_type.title,
    ).toBeTruthy();
  }
  expect(data).toHaveLength(1);
});

test('an answer without a body is undefined', async () => {
  const ids = {
    ...path,
    organization_member_id: memberId(climberEmail),
    job_role_id: memberId(climberEmail),
  };
  const gone: undefined = await lanyard.delete(
    '/v1/organizations/{organization_id}/organization-members/{organization_member_id}/job-roles/{job_role_id}',
    { params: { path: ids } },
  );
  expect(gone).toBeUndefined();
});

/** Never called: each line that is expected not to compile must not. */
async function mustNotCompile(lanyard: Lanyard, error: LanyardError): Promise<void> {
  // @ts-expect-error: there is no such path
  await lanyard.get('/v1/certification');
  // @ts-expect-error: the path doesn't take this method
  await lanyard.post('/v1/me');
  // @ts-expect-error: the organization is missing
  await lanyard.get('/v1/organizations/{organization_id}/certifications');
  await lanyard.get('/v1/organizations', {
    // @ts-expect-error: a parameter that the list doesn't have
    params: { query: { updated_since: '2026-03-01T00:00:00Z' } },
  });
  await lanyard.post('/v1/certifications', {
    // @ts-expect-error: the type of certification is missing
    body: { organization_member_id: memberId(climberEmail) },
  });
  // @ts-expect-error: not a source
  await lanyard.post('/v1/certifications', { body: { ...body, source: 'self_reported' } });
  // @ts-expect-error: not a property
  await lanyard.post('/v1/certifications', { body: { ...body, expires: '2027-03-01' } });
  const { data } = await lanyard.post('/v1/certifications', {
    body: { ...body, expires_on: null },
  });
  // @ts-expect-error: without a last day it is null
  data.expires_on.slice(0, 4);
  // @ts-expect-error: not a state
  if (data.lifecycle_status === 'deleted') return;
  const member = { params: { path: { ...path, organization_member_id: memberId(climberEmail) } } };
  for await (const result of records(
    lanyard,
    '/v1/organizations/{organization_id}/organization-members/{organization_member_id}/qualifications',
    member,
  )) {
    // @ts-expect-error: a result has no stamp
    result.updated_at;
  }
  follow(
    lanyard,
    // @ts-expect-error: and so its list can't be followed
    '/v1/organizations/{organization_id}/organization-members/{organization_member_id}/qualifications',
    member,
  );
  // @ts-expect-error: not a list
  records(lanyard, '/v1/me');
  const code: 'not_found' | 'conflict' | (string & {}) = error.code;
  expect(code).toBeTruthy();
}
void mustNotCompile;
