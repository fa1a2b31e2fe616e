/**
 * Entities are GraphQL types too: which of their columns GraphQL shows, and that both declarations
 * of a field agree.
 */
import type { EntityClass } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroORM } from '@mikro-orm/postgresql';
import { isNonNullType, isObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { entities } from '../../src/entities/tables.js';
import { schema } from '../../src/graph/schema.js';
import { ensure } from '../support/expect.js';

/** The columns that GraphQL must not show. A new column belongs here, or has a `@Field`. */
const privateColumns: Readonly<Record<string, readonly string[]>> = {
  AuditEvent: ['changes', 'organizationId'],
  Certification: [],
  CertificationType: [],
  JobRole: [],
  MemberJobRole: ['organizationId'],
  Organization: ['isPublisher'],
  OrganizationMember: [],
  Qualification: [],
  QualificationRequirement: ['organizationId', 'position'],
};

/** Tables that have no GraphQL type. */
const privateTables = [
  ...[
    'App',
    'AppApproval',
    'AppSecret',
    'Grant',
    'IdempotencyRecord',
    'Invitation',
    'JobRoleQualification',
    'OAuthModel',
    'OneTimeLink',
    'OrganizationClock',
    'Passkey',
    'PasskeyChallenge',
    'RevokedToken',
    'SigningKey',
    'UnsettledMember',
    'User',
    'WebSession',
  ],
];

/** Private columns whose name is that of a computed field: what a resolver makes of the column. */
const resolved: Readonly<Record<string, readonly string[]>> = { AuditEvent: ['changes'] };

const metadata = new MikroORM({
  entities,
  dbName: 'none',
  metadataProvider: ReflectMetadataProvider,
  logger: () => {},
}).getMetadata();
const { objectTypes, fieldResolvers } = getMetadataStorage();
const typeNameOf = (entity: EntityClass<object>) =>
  objectTypes.find(({ target }) => target === entity)?.name;

test('every table is either a GraphQL type or private', () => {
  const names = (isPublic: boolean) =>
    entities
      .filter((entity) => (typeNameOf(entity as EntityClass<object>) !== undefined) === isPublic)
      .map(({ name }) => name);
  expect(names(true).sort()).toStrictEqual(Object.keys(privateColumns).sort());
  expect(names(false).sort()).toStrictEqual(privateTables.sort());
});

for (const entity of entities as EntityClass<object>[]) {
  const name = typeNameOf(entity);
  if (name === undefined) continue;
  const type = schema.getType(name);
  ensure(isObjectType(type), `${name} is no object type of the schema`);
  const fields = type.getFields();
  const properties = metadata.get(entity).props;
  const computed = new Set(
    fieldResolvers
      .filter(({ kind, getObjectType }) => kind === 'external' && getObjectType?.() === entity)
      .map(({ schemaName }) => schemaName),
  );

  describe(entity.name, () => {
    test('shows no private column', () => {
      const hidden = properties
        .map((property) => property.name)
        .filter((property) => !fields[property] || computed.has(property));
      expect(hidden.sort()).toStrictEqual(privateColumns[entity.name]);
      const resolvedHere = hidden.filter((property) => computed.has(property));
      expect(resolvedHere).toStrictEqual(resolved[entity.name] ?? []);
    });

    test('is null in GraphQL exactly where it is null in PostgreSQL', () => {
      const shown = properties.filter(
        (property) => fields[property.name] && !computed.has(property.name),
      );
      expect(shown.length).toBeGreaterThan(0);
      for (const { name: property, nullable = false } of shown) {
        const field = fields[property];
        expect([`${entity.name}.${property}`, field && !isNonNullType(field.type)]).toStrictEqual([
          expect.any(String),
          nullable,
        ]);
      }
    });
  });
}
