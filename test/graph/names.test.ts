/**
 * Names that mean something to JavaScript are names like any other: in results, variables and
 * costs.
 */
import { startApp } from '../support/app.js';
import { managerEmail, skylineId } from '../support/names.js';

const app = await startApp();
const ask = async (query: string, variables: object = {}) =>
  app.graphql(query, variables, { token: await app.token(managerEmail) });

// biome-ignore format: a list
const names = ['constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'then', 'hasOwnProperty', '__defineGetter__', '__lookupSetter__', 'length', 'data', 'errors', 'null', 'true', 'default', 'arguments', 'eval', '_'];

describe('an alias', () => {
  for (const name of names) {
    test(name, async () => {
      const { status, body, text } = await ask(
        `{ ${name}: me { ${name}: user { ${name}: id } ${name}s: organizations { ${name}: id } } }`,
      );
      expect([text, status]).toStrictEqual([text, 200]);
      const { data } = await ask('{ me { user { id } organizations { id } } }').then(
        ({ body }) => body,
      );
      expect(Object.hasOwn(body.data, name)).toBe(true);
      expect(body.data[name][name][name]).toBe(data.me.user.id);
      expect(body.data[name][`${name}s`][0][name]).toBe(data.me.organizations[0].id);
    });
  }

  test('__proto__ is refused, at any depth and in fragments', async () => {
    const documents = [
      '{ __proto__: me { user { id } } }',
      '{ me { user { __proto__: id } } }',
      '{ ...f } fragment f on Query { me { __proto__: user { id } } }',
    ];
    for (const query of documents) {
      const { status, body } = await ask(query);
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(/__proto__ is reserved/);
    }
  });
});

describe('a variable', () => {
  for (const name of [...names, '__proto__']) {
    test(`${name} has its value, and none when it is left out`, async () => {
      const query = `query ($${name}: Int) { organizations(first: $${name}) { nodes { id } } }`;
      const [given, left] = [await ask(query, JSON.parse(`{"${name}":1}`)), await ask(query)];
      expect([
        given.text,
        [given.status, given.body.data.organizations.nodes.length],
      ]).toStrictEqual([given.text, [200, 1]]);
      expect([
        left.text,
        [left.status, Number.isFinite(left.body.extensions.cost.requested)],
      ]).toStrictEqual([left.text, [200, true]]);
    });

    test(`${name} can't hide what an operation costs`, async () => {
      const query = `query ($${name}: Int) { organizationMembers(organizationId: "${skylineId}", first: $${name}) { nodes { certifications(first: 200) { nodes { organizationMember { certifications(first: 200) { nodes { id } } } } } } } }`;
      const { status, body } = await ask(query);
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(/values at once, and the limit is/);
    });
  }
});
