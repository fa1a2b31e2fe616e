/** Random queries that fit the schema, and what their answers hold. */
import fc from 'fast-check';
import { type GraphQLArgument, type GraphQLField, type GraphQLObjectType, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { schema } from '../../../src/graph/schema.js';
import { climberEmail, memberId, qualificationId, recordId, skylineId, typeId } from '../../support/names.js';

/** What required arguments are given, by the field or by the argument. A field with any other required argument is left out. */
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

const isRequired = ({ type, defaultValue }: GraphQLArgument) => isNonNullType(type) && defaultValue === undefined;
const given = (field: string, { name }: GraphQLArgument) => values[`${field}.${name}`] ?? values[name];
const isAskable = ({ name, args }: GraphQLField<unknown, unknown>) =>
  args.filter(isRequired).every((argument) => given(name, argument) !== undefined);

/** @param first What pages ask for; null for the default. */
const field = (of: GraphQLField<unknown, unknown>, first: fc.Arbitrary<string | null>, depth: number): fc.Arbitrary<string> => {
  const fixed = of.args.filter(isRequired).map((argument) => `${argument.name}: "${given(of.name, argument)}"`);
  const pages = of.args.some(({ name }) => name === 'first')
    ? first.map((size) => (size === null ? [] : [`first: ${size}`]))
    : fc.constant([]);
  const below = getNamedType(of.type);
  const set = isObjectType(below) ? selection(below, first, depth - 1).map((fields) => ` ${fields}`) : fc.constant('');
  return fc.tuple(pages, set).map(([paging, fields]) => {
    const args = [...fixed, ...paging];
    return `${of.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${fields}`;
  });
};

function selection(type: GraphQLObjectType, first: fc.Arbitrary<string | null>, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter((each) => isAskable(each) && (depth > 0 || !isObjectType(getNamedType(each.type))));
  const some = fc.subarray(fields, { minLength: Math.min(1, fields.length), maxLength: Math.min(3, fields.length) });
  return some
    .chain((chosen) => fc.tuple(...chosen.map((each) => field(each, first, depth))))
    .map((all) => `{ ${['__typename', ...all].join(' ')} }`);
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
