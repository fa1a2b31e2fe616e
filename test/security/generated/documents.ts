/** Random documents of the GraphQL schema, with variables that fit; where a request is wild, neither need fit. */
import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../../src/graph/schema.js';
import { anything, type Draft, day, email, happens, idFor, instant, pick, slug, text } from './values.js';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** A document in the making. */
interface Building extends Draft {
  readonly declared: string[];
  readonly variables: Record<string, unknown>;
}

const deepest = 4;

export function graphqlRequest(draft: Draft): GraphqlRequest {
  const kind = happens(draft, 35) ? 'mutation' : 'query';
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const fields = Object.values(root?.getFields() ?? {});
  const building: Building = { ...draft, declared: [], variables: {} };
  const chosen = Array.from(
    { length: happens(draft, 15) ? 2 : 1 },
    (_, index) => `r${index}: ${fieldOf(building, pick(draft, fields), 0)}`,
  );
  const declared = building.declared.length > 0 ? `(${building.declared.join(', ')})` : '';
  const query = `${kind} ${declared} { ${chosen.join(' ')} }`;
  return { query: draft.isWild && happens(draft, 25) ? broken(draft, query) : query, variables: building.variables };
}

function fieldOf(building: Building, field: GraphQLField<unknown, unknown>, depth: number): string {
  const given = field.args.filter((argument) => isNonNullType(argument.type) || happens(building, argument.name === 'after' ? 1 : 20));
  const args = given.map((argument) => `${argument.name}: ${argumentOf(building, argument, field.name)}`);
  const type = getNamedType(field.type);
  const below = isCompositeType(type) ? ` ${selectionOf(building, type, depth + 1)}` : '';
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${below}`;
}

function argumentOf(building: Building, { name, type }: GraphQLArgument, around: string): string {
  const value = inputFor(building, type, name, around);
  if (happens(building, 30)) return literalOf(type, value);
  const variable = `v${building.declared.length}`;
  building.declared.push(`$${variable}: ${type}`);
  building.variables[variable] = value;
  return `$${variable}`;
}

function selectionOf(building: Building, type: GraphQLNamedType, depth: number): string {
  if (isAbstractType(type)) {
    return `{ __typename ${schema
      .getPossibleTypes(type)
      .map((each) => `... on ${each.name} ${selectionOf(building, each, depth)}`)
      .join(' ')} }`;
  }
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const [leaves, branches] = [
    fields.filter((field) => isLeafType(getNamedType(field.type))),
    fields.filter((field) => !isLeafType(getNamedType(field.type))),
  ];
  const chosen = new Set<string>(['__typename']);
  for (let count = building.g(fc.nat, { max: 3 }); count > 0 && leaves.length > 0; count--)
    chosen.add(fieldOf(building, pick(building, leaves), depth));
  // Two fields of one name with other arguments would not merge, so one branch at the most.
  if (depth < deepest && branches.length > 0 && happens(building, 70))
    chosen.add(`b: ${fieldOf(building, pick(building, branches), depth)}`);
  return `{ ${[...chosen].filter((each, _, all) => !each.includes('(') || all.length < 99).join(' ')} }`;
}

function inputFor(draft: Draft, type: GraphQLInputType, name: string, around: string): unknown {
  if (isNonNullType(type)) return draft.isWild && happens(draft, 3) ? null : inputFor(draft, type.ofType, name, around);
  if (draft.isWild && happens(draft, 12)) return anything(draft);
  if (isListType(type)) return Array.from({ length: draft.g(fc.nat, { max: 3 }) }, () => inputFor(draft, type.ofType, name, around));
  if (isInputObjectType(type)) {
    const given = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || happens(draft, 30));
    return Object.fromEntries(given.map((field) => [field.name, inputFor(draft, field.type, field.name, around)]));
  }
  if (isEnumType(type)) return pick(draft, type.getValues()).name;
  const scalar = scalars[type.name];
  return scalar ? scalar(draft, name, around) : text(draft);
}

const scalars: Readonly<Record<string, (draft: Draft, name: string, around: string) => unknown>> = {
  UUID: idFor,
  Date: (draft, name) => (name === 'expiresOn' ? `3${day(draft).slice(1)}` : day(draft)),
  DateTime: instant,
  Slug: slug,
  Email: email,
  Boolean: (draft) => happens(draft, 50),
  PageSize: (draft) => 1 + draft.g(fc.nat, { max: 9 }),
  Int: (draft) => draft.g(fc.nat, { max: 9 }),
  Float: (draft) => draft.g(fc.nat, { max: 9 }),
  DayCount: (draft) => 1 + draft.g(fc.nat, { max: 60 }),
  Headcount: (draft) => 1 + draft.g(fc.nat, { max: 3 }),
};

/** The value as a document has it. What doesn't fit its type comes out as something that doesn't, either. */
function literalOf(type: GraphQLInputType, value: unknown): string {
  if (isNonNullType(type)) return literalOf(type.ofType, value);
  if (Array.isArray(value)) return `[${value.map((each) => literalOf(isListType(type) ? type.ofType : type, each)).join(', ')}]`;
  if (isEnumType(type) && typeof value === 'string' && /^\w+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = isInputObjectType(type) ? type.getFields() : {};
  const entries = Object.entries(value).map(
    ([name, each]) => `${name}: ${fields[name] ? literalOf(fields[name].type, each) : JSON.stringify(each)}`,
  );
  return `{${entries.join(', ')}}`;
}

/** The text with a piece cut out, doubled or put in from elsewhere. */
function broken(draft: Draft, query: string): string {
  const at = draft.g(fc.nat, { max: query.length });
  const end = at + draft.g(fc.nat, { max: 12 });
  const piece = pick(draft, [
    '',
    query.slice(at, end).repeat(2),
    '{',
    '}',
    '(',
    '"',
    '...',
    '@skip(if: true)',
    '$x',
    ' nothing ',
    '\u0000',
    '"""',
    '[',
    '#',
  ]);
  return query.slice(0, at) + piece + query.slice(end);
}
