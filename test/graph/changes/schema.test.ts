import 'reflect-metadata';
import { buildSchema } from 'graphql';
import { withChanges } from '../../../src/graph/changes/schema.js';

test('a kind of record that has changes must be in the union of records', () => {
  const schema = buildSchema(
    'type Query { changes: Int } type Certification { id: ID } union ChangedRecord = Certification',
  );
  expect(() => withChanges(schema)).toThrow(/ChangedRecord lacks OrganizationMember/);
});
