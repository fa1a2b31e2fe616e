/** Requests of every kind that telemetry tells apart, with values in them that it must not tell. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Response, send } from '../support/app.js';
import { ensure } from '../support/expect.js';
import {
  climberEmail,
  harbor,
  managerEmail,
  memberId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';
import { openStream } from '../support/stream.js';

export interface Sent {
  readonly response: Response;
  /** Of the caller, who began the trace. */
  readonly traceId: string;
  readonly parentId: string;
}

export type Kind =
  | 'list'
  | 'dashboard'
  | 'create'
  | 'replay'
  | 'refused'
  | 'taken'
  | 'missing'
  | 'costly'
  | 'named'
  | 'anonymous';

export interface Traffic {
  readonly sent: Readonly<Record<Kind, Sent>>;
  /** Values that requests carried. */
  readonly planted: readonly string[];
}

const dashboard = `query Crew($id: ID!, $external: ExternalId) {
  organization(id: $id) { members(first: 5) { nodes { email certifications(first: 3) { nodes { certificationType { title } } } } } }
  found: organizationMembers(organizationId: $id, externalId: $external) { nodes { id } }
  written: organizationMembers(organizationId: $id, externalId: "IN-THE-DOCUMENT") { nodes { id } }
}`;

/** Waits for the first event of a stream, and leaves it open. @returns What breaks it off. */
export async function follow(base: string, token: string): Promise<() => void> {
  const query = `subscription Feed { changes(organizationId: "${skylineId}") { pageInfo { endCursor } } }`;
  const stream = await openStream(base, token, { query });
  expect((await stream.next())?.event).toBe('next');
  return () => stream.stop();
}

export async function drive(base: string, token: string): Promise<Traffic> {
  const mark = () => `planted${randomBytes(8).toString('hex')}`;
  const [email, serial, secret, key, path] = [
    `${mark()}@skyline.example`,
    mark(),
    mark(),
    mark(),
    mark(),
  ];
  const ask = async (
    method: string,
    address: string,
    body?: unknown,
    headers: Record<string, string> = {},
    sender?: string,
  ) => {
    const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const traceparent = `00-${traceId}-${parentId}-01`;
    const options = {
      token: sender === undefined ? token : sender || undefined,
      body,
      headers: { traceparent, ...headers },
    };
    return { response: await send(base, method, address, options), traceId, parentId };
  };
  const graphql = (query: string, variables: object = {}) =>
    ask('POST', '/graphql', { query, variables });
  const certification = {
    certification_type_id: typeId('osha-30'),
    organization_member_id: memberId(climberEmail),
    serial_number: serial,
  };
  const creating = () =>
    ask('POST', `${skyline}/certifications`, certification, { 'idempotency-key': key });
  const type = { title: 'Ladders', slug: mark() };
  const sent = {
    list: await ask(
      'GET',
      `${skyline}/organization-members?email=${encodeURIComponent(email)}&limit=50`,
    ),
    dashboard: await graphql(dashboard, { id: skylineId, external: 'IN-A-VARIABLE' }),
    create: await creating(),
    replay: await creating(),
    refused: await ask('GET', `${harbor}/certifications`),
    taken: await ask('POST', `${skyline}/certification-types`, type).then(() =>
      ask('POST', `${skyline}/certification-types`, type),
    ),
    missing: await ask('GET', `/v1/${path}/${encodeURIComponent(email)}?token=${secret}`),
    costly: await graphql(
      `{ organization(id: "${skylineId}") { members(first: 200) { nodes { certifications(first: 200) { nodes { id source issuedOn } } } } } }`,
    ),
    named: await graphql(
      `query NameOf${randomUUID().replaceAll('-', '')} { me { user { email } } }`,
    ),
    anonymous: await ask('GET', '/v1/me', undefined, {}, ''),
  } satisfies Record<Kind, Sent>;
  await ask('GET', `/portal/links/${secret}`);
  const expected = {
    list: 200,
    dashboard: 200,
    create: 201,
    replay: 201,
    refused: 403,
    taken: 409,
    missing: 404,
    named: 200,
    anonymous: 401,
  };
  for (const [kind, status] of Object.entries(expected)) {
    const { response } = sent[kind as Kind];
    expect([`${kind}: ${response.text}`, response.status]).toStrictEqual([
      expect.any(String),
      status,
    ]);
  }
  expect(sent.costly.response.text).toContain('values at once');
  ensure(!sent.dashboard.response.body.errors, sent.dashboard.response.text);
  expect(sent.replay.response.headers.get('idempotency-replayed')).toBe('true');
  // The line and the span of the last come after its answer.
  await delay(50);
  return {
    sent,
    planted: [
      email,
      serial,
      secret,
      key,
      path,
      token,
      type.slug,
      managerEmail,
      climberEmail,
      'Skyline Towers',
      'IN-A-VARIABLE',
      'IN-THE-DOCUMENT',
    ],
  };
}
