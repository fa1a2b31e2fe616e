/** The operations that are measured, each as every server understands it. */
import { apollo, lanyard, postgraphile } from './documents.js';
import type { Request } from './load/protocol.js';
import { type Ask, ask, get, ofOrganization, send, type Variables } from './requests.js';
import type { Sample, World } from './world.js';

/** `lanyard` is Lanyard's own API, which the floor has too. */
export type Dialect = 'lanyard' | 'apollo' | 'postgraphile';

export interface Operation {
  readonly name: string;
  /** What it changes stays in the database. */
  readonly isWrite?: boolean;
  readonly asks: Readonly<Partial<Record<Dialect, Ask>>>;
  /** Which samples it is asked for; left out, all. */
  readonly pick?: (sample: Sample, index: number, all: readonly Sample[]) => boolean;
}

const organization = ({ organizationId }: Sample): string => `/v1/organizations/${organizationId}`;

const one: Variables = ({ organizationId, certificationId }) => ({
  organizationId,
  id: certificationId,
});
const page =
  (first: number, more: Variables = () => ({})): Variables =>
  (sample) => ({ ...ofOrganization(sample), first, ...more(sample) });
const source = () => ({ externalSource: 'workday' });
const list = (query: string, variables: Variables) => ({
  lanyard: get(
    (sample) => `${organization(sample)}/certifications?${query.replace('{at}', sample.updatedAt)}`,
  ),
  apollo: ask('List', apollo.records, variables),
  postgraphile: ask('List', postgraphile.records, variables),
});

const newRecord = ({ memberId, certificationTypeId }: Sample) => ({
  organization_member_id: memberId,
  certification_type_id: certificationTypeId,
  issued_on: '2026-03-01',
  expires_on: '2028-02-29',
  issuer_name: 'Tower Academy',
});
const newInput: Variables = ({ organizationId, memberId, certificationTypeId }) => ({
  organizationId,
  input: {
    organizationMemberId: memberId,
    certificationTypeId,
    issuedOn: '2026-03-01',
    expiresOn: '2028-02-29',
    issuerName: 'Tower Academy',
  },
});
const create = (headers: Record<string, string>, key?: string) => ({
  lanyard: send('POST', (sample) => `${organization(sample)}/certifications`, newRecord, headers),
  apollo: ask('Create', apollo.create, newInput, 'manager', headers),
  postgraphile: ask(
    'Create',
    postgraphile.create,
    (sample) => ({ ...newInput(sample), caller: sample.managerId, app: sample.appId, key }),
    'manager',
    headers,
  ),
});

/** Two sets by turns, so that each request changes something. */
const requirements = ({ ownTypeIds }: Sample, index: number) => {
  const from = index % 2;
  return {
    requirements: ownTypeIds
      .slice(from, from + 5)
      .map((id, place) => ({ certification_type_id: id, is_required: place + from < 4 })),
  };
};

const isFirstOf =
  (key: (sample: Sample) => string) =>
  (sample: Sample, index: number, all: readonly Sample[]): boolean =>
    all.findIndex((each) => key(each) === key(sample)) === index;

export const operations: readonly Operation[] = [
  {
    name: 'get-one',
    asks: {
      lanyard: get(({ certificationId }) => `/v1/certifications/${certificationId}`, 'holder'),
      apollo: ask('Get', apollo.record, one, 'holder'),
      postgraphile: ask('Get', postgraphile.record, one, 'holder'),
    },
  },
  { name: 'list-50', asks: list('limit=50', page(50)) },
  { name: 'list-200', asks: list('limit=200', page(200)) },
  {
    name: 'filtered-list',
    asks: {
      ...list('external_source=workday&limit=50', page(50, source)),
      postgraphile: ask('List', postgraphile.filtered, page(50, source)),
    },
  },
  {
    name: 'sync-page',
    asks: {
      ...list(
        'updated_after={at}&limit=50',
        page(50, ({ updatedAt }) => ({ updatedAfter: updatedAt })),
      ),
      postgraphile: ask(
        'List',
        postgraphile.records,
        page(50, ({ organizationId, updatedAt, certificationId }) => ({
          after: postgraphile.cursor(updatedAt, organizationId, certificationId),
        })),
      ),
    },
  },
  {
    name: 'me',
    asks: {
      lanyard: get(() => '/v1/me', 'holder'),
      postgraphile: ask('Me', postgraphile.me, ({ userId }) => ({ id: userId }), 'holder'),
    },
  },
  {
    name: 'results',
    asks: {
      lanyard: get(
        (sample) =>
          `${organization(sample)}/organization-members/${sample.memberId}/qualifications`,
      ),
    },
  },
  {
    name: 'graphql-list-50',
    asks: {
      lanyard: ask('List', lanyard.list),
      apollo: ask('List', lanyard.list),
      postgraphile: ask('List', postgraphile.list),
    },
  },
  {
    name: 'graphql-dashboard',
    asks: {
      lanyard: ask('Dashboard', lanyard.dashboard),
      apollo: ask('Dashboard', lanyard.dashboard),
      postgraphile: ask('Dashboard', postgraphile.dashboard),
    },
  },
  {
    name: 'matrix',
    asks: { lanyard: ask('Matrix', lanyard.matrix) },
    pick: ({ isOrdinary }) => isOrdinary,
  },
  { name: 'create', isWrite: true, asks: create({}) },
  {
    name: 'create-with-key',
    isWrite: true,
    asks: create({ 'idempotency-key': '{uuid}' }, '{uuid}'),
  },
  {
    name: 'create-with-key-one-organization',
    isWrite: true,
    pick: ({ isOrdinary }) => !isOrdinary,
    asks: create({ 'idempotency-key': '{uuid}' }, '{uuid}'),
  },
  {
    name: 'put-requirements',
    isWrite: true,
    pick: isFirstOf(({ qualificationId }) => qualificationId),
    asks: {
      lanyard: send(
        'PUT',
        (sample) => `${organization(sample)}/qualifications/${sample.qualificationId}/requirements`,
        requirements,
      ),
    },
  },
  {
    name: 'token-refresh',
    isWrite: true,
    asks: {
      lanyard: () => ({
        method: 'POST',
        path: '/auth/v1/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=refresh_token&client_id=bench-app&refresh_token={refresh_token}',
      }),
    },
  },
];

/**
 * The requests of an operation in the order in which they are sent, round and round. Undefined when
 * the dialect has no such operation.
 */
export function requestsOf(
  { asks, pick = () => true }: Operation,
  dialect: Dialect,
  world: World,
): Request[] | undefined {
  const ask = asks[dialect];
  if (!ask) return undefined;
  const samples = world.samples.filter(pick);
  // Twice, since a request may differ by turns.
  return [0, 1].flatMap((turn) => samples.map((sample) => ask(sample, world, turn)));
}
