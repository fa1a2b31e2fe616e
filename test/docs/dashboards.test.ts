/** Every query of docs/dashboards.md, in order, with the variables that the page gives it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Kind, type OperationDefinitionNode, parse } from 'graphql';
import { packageRoot } from '../../src/root.js';
import { type Body, send, startApp } from '../support/app.js';
import { climberEmail, managerEmail } from '../support/names.js';
import { openStream } from '../support/stream.js';

const page = readFileSync(join(packageRoot, 'docs/dashboards.md'), 'utf8');
const app = await startApp();
const token = await app.token(managerEmail, 'demo-dashboard');

/** A part of the page that asks one question: the text up to the next heading. Where a question has parts, each of them. */
interface Part {
  readonly heading: string;
  readonly text: string;
}

const fence = /```graphql\n([\s\S]*?)```(?:\s*```json\n([\s\S]*?)```)?/g;
const isIntroduction = ({ heading }: Part, next: Part | undefined) => heading.startsWith('## ') && next?.heading.startsWith('### ');

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
    return [heading.replace(/^#+ (\d+\. )?/, ''), { query, variables: variables === undefined ? undefined : JSON.parse(variables) }];
  }),
);

const block = (heading: string) => {
  const found = blocks.get(heading);
  assert.ok(found, `The page does not ask «${heading}».`);
  return found;
};

const operationOf = (query: string): OperationDefinitionNode => {
  const [operation, ...others] = parse(query).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  assert.ok(operation && others.length === 0, query);
  return operation;
};

/** Whether some value of an answer is neither null nor the name of a type. */
const hasValue = (value: Body): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([key, inner]) => key !== '__typename' && hasValue(inner))
    : value !== null;

const answers = new Map<string, Body>();
const answer = (heading: string): Body => {
  assert.ok(answers.has(heading), `The page has no answer to «${heading}».`);
  return answers.get(heading)?.data;
};

async function ask(query: string, variables: object): Promise<Body> {
  const { status, body } = await app.graphql(query, variables, { token });
  assert.equal(body.errors, undefined, `${query}\n${JSON.stringify(body.errors)}`);
  assert.equal(status, 200);
  return body;
}

test('the page has eleven questions, and one query under each heading', () => {
  assert.deepEqual(
    [...page.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  );
  for (const { heading, text } of parts) assert.equal([...text.matchAll(fence)].length, 1, heading);
  assert.equal([...page.matchAll(/^```graphql$/gm)].length, parts.length);
  assert.equal(blocks.size, parts.length);
});

test('each query comes with just the variables that it declares', () => {
  for (const [heading, { query, variables }] of blocks) {
    const declared = operationOf(query).variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
    assert.deepEqual(Object.keys(variables ?? {}).sort(), declared.sort(), heading);
  }
});

test('each answers without an error, with data', async (t) => {
  for (const [heading, { query, variables = {} }] of blocks) {
    if (operationOf(query).operation === 'subscription') continue;
    await t.test(heading, async () => {
      const body = await ask(query, variables);
      assert.ok(Object.keys(body.data).length > 0);
      for (const [field, value] of Object.entries(body.data)) assert.ok(hasValue(value), field);
      assert.ok(body.extensions.cost.requested > 0);
      answers.set(heading, body);
    });
  }
});

test('they tell what the page says', async (t) => {
  await t.test('why not', () => {
    const { status, requirements, actions } = answer('Why is a member not qualified?').qualificationResult;
    assert.equal(status, 'NOT_QUALIFIED');
    const reasons = requirements.map(({ reason }: Body) => reason);
    assert.deepEqual(reasons.toSorted(), ['EXPIRED', 'NONE_HELD', 'NOT_VERIFIED', null, null]);
    assert.deepEqual(actions.map(({ kind }: Body) => kind).toSorted(), ['OBTAIN', 'RENEW', 'VERIFY']);
  });
  await t.test('then and now', () => {
    const { knownThen, trueLater } = answer('What was true on that day, and what was known?');
    assert.equal(knownThen.asOf, '2026-03-01');
    assert.ok(knownThen.requirements.every(({ reason }: Body) => reason === 'NONE_HELD'));
    assert.equal(trueLater.status, 'NOT_QUALIFIED');
  });
  await t.test('who loses what', () => {
    const { nodes } = answer('Who loses which qualification soon?').qualificationForecast;
    assert.ok(nodes.length > 0);
    assert.ok(nodes.every(({ through }: Body) => through.length > 0));
  });
  await t.test('the matrix', () => {
    const { memberCount, totals, members } = answer('Who in a job role is ready for what?').readiness;
    assert.equal(members.nodes.length, memberCount);
    assert.ok(totals.length > 0);
    for (const { cells } of members.nodes) assert.equal(cells.length, totals.length);
  });
  await t.test('the crew', () => {
    const { isFilled, shortage, needs } = answer('Can this crew go up on that day?').planCrew;
    assert.equal(isFilled, shortage === null);
    assert.equal(needs.length, 3);
  });
  await t.test('the preview', () => {
    const { qualifiedBefore, qualifiedAfter, gainCount, lossCount, changes } =
      answer('What would other requirements do?').previewRequirements;
    assert.ok(gainCount > 0 && lossCount === 0);
    assert.equal(qualifiedAfter - qualifiedBefore, gainCount);
    assert.ok(changes.nodes.length > 0);
  });
  await t.test('a check in two steps', () => {
    const { history, ...record } = answer('Have a record checked').verifyCertification;
    assert.equal(record.verificationStatus, 'VERIFIED');
    assert.deepEqual(
      history.slice(0, 2).map(({ reason }: Body) => reason),
      ['Found under its number', 'Card handed in'],
    );
  });
  await t.test('a second check is refused', async () => {
    const { query, variables } = block('Have a record checked');
    const { body } = await app.graphql(query, variables, { token });
    assert.equal(body.errors[0].extensions.code, 'INVALID_TRANSITION');
  });
  await t.test('a recall that takes nothing yet', async () => {
    const { dryRun, revokedCount, revokedIds } = answer('What would a recall take back?').revokeCertifications;
    assert.ok(dryRun && revokedCount > 0);
    const [row] = await app.db.query<{ count: number }>(
      `select count(*) as count from certifications where id = any ($1) and lifecycle_status = 'active'`,
      [revokedIds],
    );
    assert.equal(Number(row?.count), revokedCount);
  });
  await t.test('there and back', () => {
    const { suspendOrganizationMember, reinstateOrganizationMember, archiveJobRole, restoreJobRole } = answer(
      'Suspend a member, put a job role out of use',
    );
    assert.deepEqual([suspendOrganizationMember.status, reinstateOrganizationMember.status], ['SUSPENDED', 'ACTIVE']);
    assert.deepEqual([archiveJobRole.status, restoreJobRole.status], ['ARCHIVED', 'ACTIVE']);
  });
  await t.test('a file of which nothing is written', () => {
    const { certifications, members } = answer('What would this file change?');
    assert.deepEqual(
      certifications.rows.map(({ outcome }: Body) => outcome),
      ['UNCHANGED', 'CREATED', 'FAILED'],
    );
    assert.deepEqual(
      certifications.rows[2].problems.map(({ path }: Body) => path),
      ['memberEmail'],
    );
    assert.equal(members.rows[0].outcome, 'CREATED');
    assert.ok(!certifications.applied && !members.applied);
  });
  await t.test('the cost', () => {
    const shown = page.match(/`(\{ "requested": [^`]*\})`/)?.[1] ?? '';
    assert.deepEqual(answers.get('What does a query cost?').extensions.cost, JSON.parse(shown));
  });
  await t.test('filters, orders and totals', () => {
    const { organizationMembers } = answer('Members of a job role by name');
    assert.equal(organizationMembers.totalCount, organizationMembers.nodes.length);
    const { totalCount, nodes } = answer('Records that end between two days').certifications;
    assert.ok(totalCount >= nodes.length && nodes.length > 0);
    const days = nodes.map(({ expiresOn }: Body) => expiresOn);
    assert.deepEqual(days, days.toSorted());
  });
});

test('a plain member is refused 3 to 6, and finds only their own in the lists', async () => {
  const member = await app.token(climberEmail, 'demo-dashboard');
  const headings = [...page.matchAll(/^## [3-6]\. (.*)$/gm)].map(([, heading = '']) => heading);
  assert.equal(headings.length, 4);
  for (const { query, variables } of headings.map(block)) {
    const { body } = await app.graphql(query, variables, { token: member });
    assert.equal(body.errors?.[0].extensions.code, 'FORBIDDEN', query);
  }
  const { query, variables } = block('What does a query cost?');
  const { body } = await app.graphql(query, variables, { token: member });
  assert.equal(body.data.organizationMembers.nodes.length, 1);
});

test('the changes go on from the position of the page before, in the query and in the stream', async () => {
  const since = block('Since I last asked');
  const { nodes, pageInfo } = answer('Since I last asked').changes;
  assert.deepEqual(nodes, []);
  await writeMember();
  const after = pageInfo.endCursor;
  const { changes } = (await ask(since.query, { ...since.variables, after })).data;
  assert.ok(changes.nodes.length > 0);
  assert.ok(changes.nodes.every(({ resourceType, kind }: Body) => resourceType === 'ORGANIZATION_MEMBER' && kind === 'UPDATED'));
  const { query, variables } = block('As it happens');
  const pages = await follow(query, { ...variables, after }, async () => {});
  assert.deepEqual(
    pages.at(-1).nodes.map(({ resourceId }: Body) => resourceId),
    changes.nodes.map(({ resourceId }: Body) => resourceId),
  );
});

test('the stream as it stands tells what happens from now on', async () => {
  const { query, variables } = block('As it happens');
  const [first, second] = await follow(query, variables, writeMember);
  assert.deepEqual(first.nodes, []);
  assert.equal(second.nodes[0].resourceType, 'ORGANIZATION_MEMBER');
});

const writeMember = async (): Promise<void> => {
  const { query, variables } = block('Suspend a member, put a job role out of use');
  await ask(query, variables);
};

/** The pages of a stream up to the first that has changes. @param onEmpty Called after a page that has none. */
async function follow(query: string, variables: object, onEmpty: () => Promise<void>): Promise<Body[]> {
  const stream = await openStream(app.base, token, { query, variables });
  const pages: Body[] = [];
  try {
    assert.equal(stream.status, 200);
    while (!pages.at(-1)?.nodes.length) {
      const event = await stream.next();
      assert.ok(event, 'The stream ended.');
      if (event.event !== 'next') continue;
      assert.equal(event.data.errors, undefined, JSON.stringify(event.data));
      const { changes } = event.data.data;
      pages.push(changes);
      assert.equal(event.id, changes.pageInfo.endCursor);
      if (changes.nodes.length === 0) await onEmpty();
    }
    return pages;
  } finally {
    stream.stop();
  }
}

test('each query but the stream has a link, and it opens Sandbox with that query in it', async (t) => {
  const links = new Map([...page.matchAll(/^\[(\w+)\]: (\S+)$/gm)].map(([, name = '', address = '']) => [name, new URL(address)]));
  for (const { heading, text } of parts) {
    const [[, query = '', variables = ''] = []] = text.matchAll(fence);
    const { operation, name } = operationOf(query);
    if (operation === 'subscription') continue;
    await t.test(heading, async () => {
      assert.ok(text.includes(`[Open in Sandbox][${name?.value}]`));
      const { pathname, search } = links.get(name?.value ?? '') ?? assert.fail(`no address of ${name?.value}`);
      const response = await fetch(app.base + pathname + search, { headers: { accept: 'text/html' } });
      assert.equal(response.status, 200);
      const config = /embeddedSandboxConfig = (\{.*\});/.exec(await response.text())?.[1] ?? assert.fail('no Sandbox');
      const { document, variables: given } = JSON.parse(config).initialState;
      assert.deepEqual([document, given], [query.trim(), JSON.parse(variables)]);
      // Sandbox asks where it stands.
      const asked = await send(app.base, 'POST', pathname + search, { token, body: { query: '{ __typename }' } });
      assert.equal(asked.body.data.__typename, 'Query');
    });
  }
});

test('a link that could put a script into the page of Sandbox is refused', async () => {
  const open = (parameters: Record<string, string>) =>
    fetch(`${app.base}/graphql?${new URLSearchParams(parameters)}`, { headers: { accept: 'text/html' } });
  const script = '</script><script>alert(1)</script>';
  for (const parameters of [{ document: `# ${script}` }, { document: '{ me }', variables: JSON.stringify({ a: script }) }]) {
    const response = await open(parameters);
    assert.equal(response.status, 400);
    assert.ok(!(await response.text()).includes('alert(1)'));
  }
});
