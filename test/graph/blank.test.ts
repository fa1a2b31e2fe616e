/**
 * Blank text and null mean the same as a literal and as a variable: what the place where they stand
 * allows.
 */
import { startApp } from '../support/app.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  recordId,
  skylineId,
  typeId,
} from '../support/names.js';

const app = await startApp();

/** Sends a field with its arguments as literals, and again as one variable each. */
async function bothWays(
  field: string,
  args: Readonly<Record<string, { type: string; value: unknown }>>,
  selection: string,
) {
  const token = await app.token(managerEmail);
  const root = field.startsWith('certifications') ? 'query' : 'mutation';
  const literal = (value: unknown): string =>
    typeof value === 'object' && value !== null
      ? `{ ${Object.entries(value)
          .map(([name, each]) => `${name}: ${name === 'source' ? each : literal(each)}`)
          .join(', ')} }`
      : JSON.stringify(value);
  const literals = Object.entries(args).map(([name, { value }]) => `${name}: ${literal(value)}`);
  const names = Object.keys(args);
  const declared = names.map((name) => `$${name}: ${args[name]?.type}`).join(', ');
  const variables = Object.fromEntries(names.map((name) => [name, args[name]?.value]));
  return [
    await app.graphql(
      `${root} { it: ${field}(${literals.join(', ')}) ${selection} }`,
      {},
      { token },
    ),
    await app.graphql(
      `${root} (${declared}) { it: ${field}(${names.map((name) => `${name}: $${name}`).join(', ')}) ${selection} }`,
      variables,
      { token },
    ),
  ];
}

const uuid = (value: string) => ({ type: 'ID!', value });
const organizationId = uuid(skylineId);
const id = uuid(recordId(climberEmail, 'osha-10'));
const create = (value: object) => ({
  organizationId,
  input: {
    type: 'CertificationCreate!',
    value: { certificationTypeId: typeId('osha-30'), ...value },
  },
});

describe('In an input', () => {
  test('blank text is null where null is allowed', async () => {
    const value = { externalId: ' ', externalSource: '', issuerName: '\u00a0', serialNumber: '' };
    const full = { externalId: 'a', externalSource: 'b', issuerName: 'c', serialNumber: 'd' };
    const selection = `{ ${Object.keys(value).join(' ')} }`;
    const update = (input: object) =>
      bothWays(
        'updateCertification',
        { organizationId, id, input: { type: 'CertificationUpdate!', value: input } },
        selection,
      );
    for (const index of [0, 1]) {
      await update(full);
      const answer = (await update(value))[index];
      expect([String(answer?.text), answer?.body.data?.it]).toStrictEqual([
        expect.any(String),
        { externalId: null, externalSource: null, issuerName: null, serialNumber: null },
      ]);
    }
  });

  test('blank text is refused, or empty text, where null is not allowed', async () => {
    const role = uuid('00000000-0000-4000-8000-000000000000');
    const update = (value: object) =>
      bothWays(
        'updateJobRole',
        { organizationId, id: role, input: { type: 'JobRoleUpdate!', value } },
        '{ id }',
      );
    for (const { body } of await update({ name: ' ', slug: '' })) {
      const { code, details } = body.errors[0].extensions;
      expect([code, details]).toStrictEqual([
        'VALIDATION_ERROR',
        { name: ['must not be empty'], slug: ['must not be empty'] },
      ]);
    }
    for (const { body } of await update({ name: null, description: null })) {
      const { code, details } = body.errors[0].extensions;
      expect([code, details]).toStrictEqual([
        'VALIDATION_ERROR',
        { name: ['must not be null'], description: ['must not be null'] },
      ]);
    }
    for (const { body } of await update({ description: ' ' }))
      expect(body.errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

test('as a filter blank text is refused: it would let everything through', async () => {
  for (const name of ['externalId', 'externalSource', 'after']) {
    const type = name === 'after' ? 'String' : 'ExternalId';
    for (const { body, text } of await bothWays(
      'certifications',
      { organizationId, [name]: { type, value: ' ' } },
      '{ nodes { id } }',
    )) {
      const { code, details } = body.errors[0].extensions;
      expect([text, [code, details]]).toStrictEqual([
        text,
        ['VALIDATION_ERROR', { [name]: ['must not be empty'] }],
      ]);
    }
  }
});

describe('A certification record without a member', () => {
  test('is the own one only when it is self-reported', async () => {
    for (const { body, text } of await bothWays(
      'createCertification',
      create({ source: 'SELF_REPORTED' }),
      '{ organizationMemberId }',
    )) {
      expect([text, body.data?.it.organizationMemberId]).toStrictEqual([
        text,
        memberId(managerEmail),
      ]);
    }
    const required =
      'is required unless source is self-reported; then it defaults to your own membership';
    for (const value of [{}, { source: 'API' }, { source: 'MANUAL' }]) {
      for (const { body } of await bothWays('createCertification', create(value), '{ id }')) {
        expect(body.errors[0].extensions.details).toStrictEqual({
          organizationMemberId: [required],
        });
      }
    }
  });

  test('is refused when the member is null', async () => {
    for (const source of ['API', 'SELF_REPORTED']) {
      const { organizationId: _, ...own } = create({ organizationMemberId: null, source });
      for (const [field, args] of [
        ['createCertification', create({ organizationMemberId: null, source })],
        ['createMyCertification', own],
      ] as const) {
        for (const { body } of await bothWays(field, args, '{ id }')) {
          expect(body.errors[0].extensions.details).toStrictEqual({
            organizationMemberId: ['must not be null'],
          });
        }
      }
    }
  });

  test('is no row of an upsert, and does not stay with its holder when a look-up found nobody', async () => {
    const rows = async (...given: object[]) => {
      const text =
        'mutation ($o: ID!, $rows: [CertificationUpsert!]!) { it: upsertCertifications(organizationId: $o, rows: $rows, mode: PARTIAL) { rows { outcome problems { path messages } } } }';
      const { body } = await app.graphql(
        text,
        { o: skylineId, rows: given },
        { token: await app.token(managerEmail) },
      );
      return body.data.it.rows as { outcome: string; problems: object[] }[];
    };
    const row = { externalId: 'look-up', certificationTypeSlug: 'osha-30' };
    expect((await rows({ ...row, memberEmail: climberEmail }))[0]?.outcome).toBe('CREATED');
    for (const [name, empty] of [
      ['organizationMemberId', null],
      ['memberEmail', ' '],
      ['memberExternalId', ''],
    ] as const) {
      const [known, fresh] = await rows(
        { ...row, [name]: empty, serialNumber: 'S' },
        { ...row, externalId: 'fresh', [name]: empty },
      );
      expect(known).toStrictEqual({
        outcome: 'FAILED',
        problems: [{ path: name, messages: ['must not be empty: omit it to keep the holder'] }],
      });
      expect(fresh?.outcome).toBe('FAILED');
    }
    expect(
      (await rows({ ...row, organizationMemberId: null, memberEmail: climberEmail }))[0]?.outcome,
    ).toBe('UNCHANGED');
    expect((await rows({ ...row, serialNumber: 'S' }))[0]?.outcome).toBe('UPDATED');
  });
});
