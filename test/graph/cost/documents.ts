/** Random queries that fit the schema, and what their answers hold. */
import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../../src/graph/schema.js';
import {
  climberEmail,
  memberId,
  qualificationId,
  recordId,
  skylineId,
  typeId,
} from '../../support/names.js';

/**
 * What required arguments are given, by the field or by the argument. A field with any other
 * required argument is left out.
 */
const values: Readonly<Record<string, string>> = {
  organizationId: skylineId,
  organizationMemberId: memberId(climberEmail),
  qualificationId: qualificationId('night-crew'),
  'organization.id': skylineId,
  'organizationMember.id': memberId(climberEmail),
  'qualification.id': qualificationId('night-crew'),
  'certificationType.id': typeId('rf-awareness'),
  'myCertification.id': recordId(climberEmail, 'rf-awareness'),
};

const isRequired = ({ type, defaultValue }: GraphQLArgument) =>
  isNonNullType(type) && defaultValue === undefined;
const given = (field: string, { name }: GraphQLArgument) =>
  values[`${field}.${name}`] ?? values[name];
const isAskable = ({ name, args }: GraphQLField<unknown, unknown>) =>
  args.filter(isRequired).every((argument) => given(name, argument) !== undefined);

/** @param first What pages ask for; null for the default. */
const field = (
  of: GraphQLField<unknown, unknown>,
  first: fc.Arbitrary<string | null>,
  depth: number,
): fc.Arbitrary<string> => {
  const fixed = of.args
    .filter(isRequired)
    .map((argument) => `${argument.name}: "${given(of.name, argument)}"`);
  const pages = of.args.some(({ name }) => name === 'first')
    ? first.map((size) => (size === null ? [] : [`first: ${size}`]))
    : fc.constant([]);
  const below = getNamedType(of.type);
  const set = isCompositeType(below)
    ? selection(below, first, depth - 1).map((fields) => ` ${fields}`)
    : fc.constant('');
  return fc.tuple(pages, set).map(([paging, fields]) => {
    const args = [...fixed, ...paging];
    return `${of.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${fields}`;
  });
};

function selection(
  type: GraphQLCompositeType,
  first: fc.Arbitrary<string | null>,
  depth: number,
): fc.Arbitrary<string> {
  if (!isObjectType(type)) {
    const each = schema
      .getPossibleTypes(type)
      .map((possible) => fieldsOf(possible, first, depth).map((fields) => oneOf(possible, fields)));
    return fc.tuple(...each).map((fragments) => `{ ${['__typename', ...fragments].join(' ')} }`);
  }
  return fieldsOf(type, first, depth).map((all) => `{ ${['__typename', ...all].join(' ')} }`);
}

/** Fields of different types must not share a name in the answer. */
const oneOf = ({ name }: GraphQLObjectType, fields: string[]): string =>
  `... on ${name} { ${fields.map((each) => `${name}_${each.split(/\W/)[0]}: ${each}`).join(' ')} }`;

function fieldsOf(
  type: GraphQLObjectType,
  first: fc.Arbitrary<string | null>,
  depth: number,
): fc.Arbitrary<string[]> {
  const fields = Object.values(type.getFields()).filter(
    (each) => isAskable(each) && (depth > 0 || !isCompositeType(getNamedType(each.type))),
  );
  const some = fc.subarray(fields, {
    minLength: Math.min(1, fields.length),
    maxLength: Math.min(3, fields.length),
  });
  return some.chain((chosen) => fc.tuple(...chosen.map((each) => field(each, first, depth))));
}

/** A query of a few levels, aliases in front of the root fields. */
export const queries = (first: fc.Arbitrary<string | null>, depth = 6): fc.Arbitrary<string> =>
  selection(schema.getQueryType() as GraphQLObjectType, first, depth);

/** How many values an answer holds: fields of objects, those of rows in each row. */
export function valuesIn(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null) return 0;
  if (Array.isArray(answer)) return answer.reduce((sum: number, each) => sum + valuesIn(each), 0);
  return Object.values(answer).reduce((sum: number, each) => sum + 1 + valuesIn(each), 0);
}
