/** Documents for any field of the schema. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../src/graph/schema.js';
import type { RootField } from './fields.js';

const hasNoArguments = ({ args }: GraphQLField<unknown, unknown>) =>
  !args.some(({ type }) => isNonNullType(type));

/**
 * The plain values of an object; of a connection those of its records; of an interface or union
 * those of each type, under aliases, because fields of several types need not merge.
 */
export function plainSelection(type: GraphQLNamedOutputType): string {
  if (isAbstractType(type))
    return `{ __typename ${schema.getPossibleTypes(type).map(onType).join(' ')} }`;
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields());
  const plain = fields
    .filter((field) => isLeafType(getNamedType(field.type)) && hasNoArguments(field))
    .map(({ name }) => name);
  const below = fields.filter(({ name }) => ['nodes', 'pageInfo'].includes(name));
  return `{ ${['__typename', ...plain, ...below.map(({ name, type: each }) => `${name} ${plainSelection(getNamedType(each))}`)].join(' ')} }`;
}

const onType = (type: GraphQLObjectType): string => {
  const fields = Object.values(type.getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && hasNoArguments(field),
  );
  return `... on ${type.name} { ${fields.map(({ name }) => `${type.name}_${name}: ${name}`).join(' ')} }`;
};

/** The operation of one root field, with a variable for each of the arguments. */
export function operationOf(
  { kind, name, field }: Pick<RootField, 'kind' | 'name' | 'field'>,
  given: object,
  selection?: string,
): string {
  const args = field.args.filter((argument) => argument.name in given);
  const declared = args.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  return `${kind}${declared && ` (${declared})`} { ${name}${passed && `(${passed})`} ${selection ?? plainSelection(getNamedType(field.type))} }`;
}

/** What may name a record in an input, by its path: `input.requirements.certificationTypeId`. */
export function idPaths(type: GraphQLInputType, path: string): string[] {
  if (isNonNullType(type) || isListType(type)) return idPaths(type.ofType, path);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap((field) =>
      idPaths(field.type, `${path}.${field.name}`),
    );
  const isReference =
    type.name === 'ID' || /(MemberId|memberEmail|memberExternalId|TypeId|TypeSlug)$/.test(path);
  return isReference ? [path] : [];
}

/** The values at a path, through lists. */
export function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((each) => valuesAt(each, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value === undefined ? [] : [value];
  return typeof value === 'object' && value !== null
    ? valuesAt((value as Record<string, unknown>)[name], rest)
    : [];
}
