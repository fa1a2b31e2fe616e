import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.js';

const app = await startApp();
test('smoke', async () => {
  const token = await app.token('manager@skyline.example');
  const me = await app.rest('GET', '/v1/me', { token });
  console.log(me.status, me.text);
  const org = me.body.data.organizations[0];
  for (const path of ['', '/certifications?limit=1', '/organization-members?limit=1', '/job-roles?limit=1', '/certification-types?limit=1', '/qualifications?limit=1', `/organization-members/${org.organization_member_id}/qualifications?limit=2`]) {
    const r = await app.rest('GET', `/v1/organizations/${org.id}${path}`, { token });
    console.log(path, r.status, r.text.slice(0, 700));
  }
  for (const path of ['/v1/organizations', '/v1/certifications', '/v1/qualifications?q=climb&limit=2']) {
    const r = await app.rest('GET', path, { token });
    console.log(path, r.status, r.text.slice(0, 500));
  }
  const t = await app.rest('POST', `/v1/organizations/${org.id}/certification-types`, { token, body: { title: 'Tést Type II' }, headers: { 'idempotency-key': 'a1' } });
  console.log(t.status, t.text, t.headers.get('location'));
  const t2 = await app.rest('POST', `/v1/organizations/${org.id}/certification-types`, { token, body: { title: 'Tést Type II' }, headers: { 'idempotency-key': 'a1' } });
  console.log(t2.status, t2.text === t.text, t2.headers.get('idempotency-replayed'));
  const t3 = await app.rest('POST', `/v1/organizations/${org.id}/certification-types`, { token, body: { title: 'Tést Type II' }});
  console.log(t3.status, t3.text);
  const t4 = await app.rest('POST', `/v1/organizations/${org.id}/certifications`, { token, body: { certification_type_id: t.body.data.id, issued_on: '2026-01-01', source: 'self-reported', x: 1 }});
  console.log(t4.status, t4.text);
  const t5 = await app.rest('POST', `/v1/organizations/${org.id}/certifications`, { token, body: { certification_type_id: t.body.data.id, issued_on: '2026-01-01', source: 'self-reported', external_id: '7' }});
  console.log(t5.status, t5.text);
  const g = await app.graphql('{ organizations { nodes { name members(first: 3) { nodes { email certifications(first: 2) { nodes { validityStatus source certificationType { title } } } } } } } }', {}, { token });
  console.log(g.status, g.text.slice(0, 1500));
  const g2 = await app.graphql('{ __schema { queryType { name } } }', {}, {});
  console.log(g2.status, g2.text);
  const g3 = await app.graphql('{ me { user { email } } }', {}, {});
  console.log(g3.status, g3.text, g3.headers.get('www-authenticate'));
  console.log(app.log.slice(-6));
  assert.ok(true);
});
