/**
 * Every REST route, asked by everyone through every app with the ids of a tenant that none of them
 * reach, in the path, the query and the body.
 */
import { type FieldNode, getOperationAST, separateOperations } from 'graphql';
import { readOperations } from '../../../src/rest/operations.js';
import { type Response, send } from '../../support/app.js';
import { addressOf, type Sample, samples } from '../../support/cases.js';
import { ensure } from '../../support/expect.js';
import { type FieldCase, type Ids, rootFields } from '../fields.js';
import { expectBlind } from './ask.js';
import { kindsIn } from './oracle.js';
import { app, digest, startWorld, tokenOf } from './world.js';

await startWorld();

const kinds: Readonly<Record<string, keyof Ids>> = {
  organization_id: 'organization',
  organization_member_id: 'member',
  certification_id: 'certification',
  certification_type_id: 'certificationType',
  qualification_id: 'qualification',
  job_role_id: 'jobRole',
};
/** By the path that they filter. */
const filters = ({ endpoint }: Sample): Readonly<Record<string, keyof Ids>> =>
  endpoint.route.path.endsWith('/certifications')
    ? { ...kinds, external_id: 'certificationExternalId' }
    : { ...kinds, external_id: 'memberExternalId', email: 'memberEmail' };

interface Request {
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: unknown;
}

const named = (
  names: Readonly<Record<string, keyof Ids>>,
  ids: Ids,
  given: Readonly<Record<string, string>>,
) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, names[name] ? ids[names[name]] : value]),
  );

/** The body with every id in it, however deep, taken from the ids. */
const bodyOf = (sample: Sample, ids: Ids): unknown =>
  JSON.parse(
    JSON.stringify(sample.body?.() ?? null, (name, value) =>
      typeof value === 'string' && kinds[name] ? ids[kinds[name]] : value,
    ),
  );

const requestOf = (sample: Sample, ids: Ids): Request => ({
  path: named(kinds, ids, sample.path),
  query: named(filters(sample), ids, sample.query),
  body: bodyOf(sample, ids),
});

const operations = separateOperations(readOperations());

/**
 * What the root field behind the route needs; without an organization in its path, a route is about
 * whoever asks.
 */
function caseOf(sample: Sample): FieldCase {
  const document = operations[sample.endpoint.route.operation];
  const [root] = (document && getOperationAST(document))?.selectionSet.selections ?? [];
  const field = rootFields.find(({ name }) => name === (root as FieldNode).name.value);
  ensure(field);
  return {
    ...field,
    ...(!('organization_id' in sample.path) && { needs: 'token' }),
    args: (ids) => ({ ...requestOf(sample, ids) }),
  };
}

const verdictOf = ({ status, body }: Response): string => (status < 400 ? 'ok' : body.error.code);

let stored: string;
beforeAll(async () => {
  stored = await digest();
});

for (const sample of samples) {
  test(`${sample.title}: what exists elsewhere is as what does not exist`, async () => {
    const of = caseOf(sample);
    const compared = await expectBlind(
      of,
      (ids, who, clientId) => {
        const { path, query, body } = requestOf(sample, ids);
        const address = addressOf(sample, { path, query: new URLSearchParams(query).toString() });
        return send(app.base, sample.endpoint.route.method, address, {
          token: tokenOf(who, clientId),
          ...(body !== null && { body: JSON.stringify(body) }),
        });
      },
      verdictOf,
    );
    expect(compared).toBeGreaterThanOrEqual(42);
    const references = [...Object.keys(sample.path), ...Object.keys(sample.query)].filter((name) =>
      /_id$|^email$/.test(name),
    );
    ensure(references.length <= kindsIn(of).length, `an id of ${references} is not varied`);
  });
}

test('nothing was written by any of it', async () => expect(await digest()).toBe(stored));
