/**
 * Every query of docs/dashboards.md, in order, with the variables that the page gives it, and its
 * response. With LANYARD_WRITE_RESPONSES the page gets the responses of this run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import { packageRoot } from '../../src/root.js';
import { type Body, startApp } from '../support/app.js';
import { ensure, fail } from '../support/expect.js';
import { climberEmail, managerEmail } from '../support/names.js';
import { assertShape, compact, shorten } from '../support/responses.js';
import { openStream } from '../support/stream.js';

const page = readFileSync(join(packageRoot, 'docs/dashboards.md'), 'utf8');
const app = await startApp();
const token = await app.token(managerEmail, 'demo-dashboard');

/**
 * A part of the page that asks one question: the text up to the next heading. Where a question has
 * parts, each of them.
 */
interface Part {
  readonly heading: string;
  readonly text: string;
}

const fence = /```graphql\n([\s\S]*?)```(?:\s*```json\n([\s\S]*?)```)?/g;
const isIntroduction = ({ heading }: Part, next: Part | undefined) =>
  heading.startsWith('## ') && next?.heading.startsWith('### ');

/** The response of a query. */
const response = /^Response:\n\n```json\n([\s\S]*?)```/gm;

/** The last section asks nothing: it is about the dashboard that Lanyard has. */
const parts = page
  .slice(0, page.indexOf('\n## The page at `/dashboard`') + 1)
  .split(/^(?=##)/m)
  .slice(1)
  .map((text): Part => ({ heading: text.slice(0, text.indexOf('\n')), text }))
  .filter((part, index, all) => !isIntroduction(part, all[index + 1]));

const blocks = new Map(
  parts.map(({ heading, text }) => {
    const [[, query = '', variables] = []] = text.matchAll(fence);
    return [
      heading.replace(/^#+ (\d+\. )?/, ''),
      { query, variables: variables === undefined ? undefined : JSON.parse(variables) },
    ];
  }),
);

const block = (heading: string) => {
  const found = blocks.get(heading);
  ensure(found, `The page does not ask «${heading}».`);
  return found;
};

const operationOf = (query: string): OperationDefinitionNode => {
  const [operation, ...others] = parse(query).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  ensure(operation && others.length === 0, query);
  return operation;
};

/** Whether some value of an answer is neither null nor the name of a type. */
const hasValue = (value: Body): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([key, inner]) => key !== '__typename' && hasValue(inner))
    : value !== null;

/** Later responses than those of the queries as they stand. */
let polled: Body;
let streamed: Body;
const secondPages: Body[] = [];
const answers = new Map<string, Body>();
const answer = (heading: string): Body => {
  ensure(answers.has(heading), `The page has no answer to «${heading}».`);
  return answers.get(heading)?.data;
};

async function ask(query: string, variables: object): Promise<Body> {
  const { status, body } = await app.graphql(query, variables, { token });
  expect([`${query}\n${JSON.stringify(body.errors)}`, body.errors]).toStrictEqual([
    expect.any(String),
    undefined,
  ]);
  expect(status).toBe(200);
  return body;
}

test('the page has twelve questions, and one query under each heading', () => {
  expect([...page.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ]);
  for (const { heading, text } of parts)
    expect([heading, [...text.matchAll(fence)].length]).toStrictEqual([heading, 1]);
  expect([...page.matchAll(/^```graphql$/gm)]).toHaveLength(parts.length);
  expect(blocks.size).toBe(parts.length);
});

test('each query comes with just the variables that it declares', () => {
  for (const [heading, { query, variables }] of blocks) {
    const declared =
      operationOf(query).variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
    expect([heading, Object.keys(variables ?? {}).sort()]).toStrictEqual([
      heading,
      declared.sort(),
    ]);
  }
});

describe('each answers without an error, with data', () => {
  for (const [heading, { query, variables = {} }] of blocks) {
    if (operationOf(query).operation === 'subscription') continue;
    test(heading, async () => {
      const body = await ask(query, variables);
      expect(Object.keys(body.data).length).toBeGreaterThan(0);
      for (const [field, value] of Object.entries(body.data)) ensure(hasValue(value), field);
      expect(body.extensions.cost.requested).toBeGreaterThan(0);
      answers.set(heading, body);
    });
  }
});

describe('they tell what the page says', () => {
  test('why not', () => {
    const { status, requirements, actions } = answer(
      'Why is a member not qualified?',
    ).qualificationResult;
    expect(status).toBe('NOT_QUALIFIED');
    const reasons = requirements.map(({ reason }: Body) => reason);
    expect(reasons.toSorted()).toEqual(['EXPIRED', 'NONE_HELD', 'NOT_VERIFIED', null, null]);
    expect(actions.map(({ kind }: Body) => kind).toSorted()).toEqual(['OBTAIN', 'RENEW', 'VERIFY']);
  });
  test('then and now', () => {
    const { knownThen, trueLater } = answer('What was true on a day, and what was known?');
    expect(knownThen.asOf).toBe('2024-01-01');
    expect(knownThen.requirements.every(({ reason }: Body) => reason === 'NONE_HELD')).toBeTruthy();
    expect(trueLater.status).toBe('NOT_QUALIFIED');
  });
  test('who loses what', () => {
    const { nodes } = answer('Who loses which qualification soon?').qualificationForecast;
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.every(({ through }: Body) => through.length > 0)).toBeTruthy();
  });
  test('the matrix', () => {
    const { memberCount, totals, members } = answer(
      'Who in a job role is ready for what?',
    ).readiness;
    expect(members.nodes).toHaveLength(memberCount);
    expect(totals.length).toBeGreaterThan(0);
    for (const { cells } of members.nodes) expect(cells).toHaveLength(totals.length);
  });
  test('the crew', () => {
    const { isFilled, shortage, needs } = answer('Can this crew go up on that day?').planCrew;
    expect(isFilled).toBe(shortage === null);
    expect(needs).toHaveLength(3);
  });
  test('the preview', () => {
    const { qualifiedBefore, qualifiedAfter, gainCount, lossCount, changes } = answer(
      'What would a change of requirements do?',
    ).previewRequirements;
    expect(gainCount > 0 && lossCount === 0).toBe(true);
    expect(qualifiedAfter - qualifiedBefore).toBe(gainCount);
    expect(changes.nodes.length).toBeGreaterThan(0);
  });
  test('a check in two steps', () => {
    const { history, ...record } = answer('Verify a certification').verifyCertification;
    expect(record.verificationStatus).toBe('VERIFIED');
    expect(history.slice(0, 2).map(({ reason }: Body) => reason)).toEqual([
      'Found under its number',
      'Card handed in',
    ]);
  });
  test('a second check is refused', async () => {
    const { query, variables } = block('Verify a certification');
    const { body } = await app.graphql(query, variables, { token });
    expect(body.errors[0].extensions.code).toBe('INVALID_TRANSITION');
  });
  test('a recall that takes nothing yet', async () => {
    const { dryRun, revokedCount, revokedIds } = answer(
      'Preview and run a bulk revocation',
    ).revokeCertifications;
    expect(dryRun && revokedCount > 0).toBeTruthy();
    const [row] = await app.db.query<{ count: number }>(
      `select count(*) as count from certifications where id = any ($1) and lifecycle_status = 'active'`,
      [revokedIds],
    );
    expect(Number(row?.count)).toBe(revokedCount);
  });
  test('there and back', () => {
    const {
      suspendOrganizationMember,
      reinstateOrganizationMember,
      archiveJobRole,
      restoreJobRole,
    } = answer('Suspend a member, archive a job role');
    expect([suspendOrganizationMember.status, reinstateOrganizationMember.status]).toEqual([
      'SUSPENDED',
      'ACTIVE',
    ]);
    expect([archiveJobRole.status, restoreJobRole.status]).toEqual(['ARCHIVED', 'ACTIVE']);
  });
  test('a file of which nothing is written', () => {
    const { certifications, members } = answer('What would this file change?');
    expect(certifications.rows.map(({ outcome }: Body) => outcome)).toEqual([
      'UNCHANGED',
      'CREATED',
      'FAILED',
    ]);
    expect(certifications.rows[2].problems.map(({ path }: Body) => path)).toEqual(['memberEmail']);
    expect(members.rows[0].outcome).toBe('CREATED');
    expect(!certifications.applied && !members.applied).toBe(true);
  });
  test('the cost', () => {
    const shown = page.match(/`(\{ "requested": [^`]*\})`/)?.[1] ?? '';
    expect(answers.get('What does a query cost?').extensions.cost).toStrictEqual(JSON.parse(shown));
  });
  test('filters, orders and totals', () => {
    const { organizationMembers } = answer('Members of a job role by name');
    expect(organizationMembers.totalCount).toBe(organizationMembers.nodes.length);
    const { totalCount, nodes } = answer(
      'Certifications that expire between two days',
    ).certifications;
    expect(totalCount >= nodes.length && nodes.length > 0).toBe(true);
    const days = nodes.map(({ expiresOn }: Body) => expiresOn);
    expect(days).toStrictEqual(days.toSorted());
  });
});

test('a plain member is refused 3 to 6, and finds only their own in the lists', async () => {
  const member = await app.token(climberEmail, 'demo-dashboard');
  const headings = [...page.matchAll(/^## [3-6]\. (.*)$/gm)].map(([, heading = '']) => heading);
  expect(headings).toHaveLength(4);
  for (const { query, variables } of headings.map(block)) {
    const { body } = await app.graphql(query, variables, { token: member });
    expect([query, body.errors?.[0].extensions.code]).toStrictEqual([query, 'FORBIDDEN']);
  }
  const { query, variables } = block('What does a query cost?');
  const { body } = await app.graphql(query, variables, { token: member });
  expect(body.data.organizationMembers.nodes).toHaveLength(1);
});

test('the changes go on from the position of the page before, in the query and in the stream', async () => {
  const since = block('Poll');
  const { nodes, pageInfo } = answer('Poll').changes;
  expect(nodes).toEqual([]);
  await writeMember();
  const after = pageInfo.endCursor;
  polled = await ask(since.query, { ...since.variables, after });
  const { changes } = polled.data;
  expect(changes.nodes.length).toBeGreaterThan(0);
  expect(
    changes.nodes.every(
      ({ resourceType, kind }: Body) =>
        resourceType === 'ORGANIZATION_MEMBER' && kind === 'UPDATED',
    ),
  ).toBeTruthy();
  const { query, variables } = block('Stream');
  const pages = await follow(query, { ...variables, after }, async () => {});
  expect(pages.at(-1).nodes.map(({ resourceId }: Body) => resourceId)).toStrictEqual(
    changes.nodes.map(({ resourceId }: Body) => resourceId),
  );
});

test('the stream as it stands tells what happens from now on', async () => {
  const { query, variables } = block('Stream');
  const [first, second] = await follow(query, variables, writeMember);
  expect(first.nodes).toEqual([]);
  expect(second.nodes[0].resourceType).toBe('ORGANIZATION_MEMBER');
  streamed = { data: { changes: second } };
});

const writeMember = async (): Promise<void> => {
  const { query, variables } = block('Suspend a member, archive a job role');
  await ask(query, variables);
};

/**
 * The pages of a stream up to the first that has changes. @param onEmpty Called after a page that
 * has none.
 */
async function follow(
  query: string,
  variables: object,
  onEmpty: () => Promise<void>,
): Promise<Body[]> {
  const stream = await openStream(app.base, token, { query, variables });
  const pages: Body[] = [];
  try {
    expect(stream.status).toBe(200);
    while (!pages.at(-1)?.nodes.length) {
      const event = await stream.next();
      ensure(event); // The stream ended.
      if (event.event !== 'next') continue;
      expect(event.data.errors).toBeUndefined();
      const { changes } = event.data.data;
      pages.push(changes);
      expect(event.id).toBe(changes.pageInfo.endCursor);
      if (changes.nodes.length === 0) await onEmpty();
    }
    return pages;
  } finally {
    stream.stop();
  }
}

test('the second page has the members after the first', async () => {
  const { query, variables } = block('How is a list read to its end?');
  const { nodes, pageInfo } = answer('How is a list read to its end?').organizationMembers;
  expect(nodes).toHaveLength(variables.first);
  const after = pageInfo.nextCursor;
  const second = (await ask(query, { ...variables, after })).data;
  secondPages.push({ data: second });
  for (const node of second.organizationMembers.nodes) expect(nodes).not.toContainEqual(node);
});

describe('below each query is its response', () => {
  const write = process.env.LANYARD_WRITE_RESPONSES !== undefined;
  let written = page;
  afterAll(() => {
    if (write) writeFileSync(join(packageRoot, 'docs/dashboards.md'), written);
  });
  for (const { heading, text } of parts) {
    const name = heading.replace(/^#+ (\d+\. )?/, '');
    test(name, () => {
      const actual = name === 'Poll' ? polled : (answers.get(name) ?? streamed);
      const all = [
        { data: actual?.data },
        ...(name.startsWith('How is a list') ? secondPages : []),
      ];
      const shown = [...text.matchAll(response)].map(([, json = '']) => json);
      expect([name, shown.length]).toStrictEqual([name, all.length]);
      for (const [index, body] of all.entries()) {
        written = written.replace(
          `Response:\n\n\`\`\`json\n${shown[index]}\`\`\``,
          () => `Response:\n\n\`\`\`json\n${compact(shorten(body))}\n\`\`\``,
        );
        if (!write) assertShape(body, JSON.parse(shown[index] ?? ''), name);
      }
    });
  }
});

describe('each query but the stream has a link, and the explorer that it opens has that query in it', () => {
  const links = new Map(
    [...page.matchAll(/^\[(\w+)\]: (\S+)$/gm)].map(([, name = '', address = '']) => [
      name,
      new URL(address),
    ]),
  );
  for (const { heading, text } of parts) {
    const [[, query = '', variables = ''] = []] = text.matchAll(fence);
    const { operation, name } = operationOf(query);
    if (operation === 'subscription') continue;
    test(heading, async () => {
      expect(text).toContain(`[Open in the explorer][${name?.value}]`);
      const { pathname, search, searchParams } =
        links.get(name?.value ?? '') ?? fail(`no address of ${name?.value}`);
      expect(pathname).toBe('/graphql');
      expect([
        searchParams.get('document'),
        JSON.parse(searchParams.get('variables') ?? ''),
      ]).toStrictEqual([query.trim(), JSON.parse(variables)]);
      const response = await fetch(app.base + pathname + search, {
        headers: { accept: 'text/html' },
      });
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/<div id="sandbox">/);
    });
  }
});
