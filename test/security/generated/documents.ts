/**
 * Random documents of the GraphQL schema, with variables that fit; where a request is wild, neither
 * need fit.
 */
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
import {
  anything,
  type Draft,
  day,
  email,
  happens,
  idFor,
  instant,
  pick,
  slug,
  text,
  upTo,
} from './values.js';

/** A document, to ask as often as one likes. */
export interface GraphqlDocument {
  readonly query: string;
  /** Values of its variables, others each time. */
  readonly variables: (draft: Draft) => Record<string, unknown>;
}

/** A document in the making. */
interface Building extends Draft {
  readonly declared: {
    readonly name: string;
    readonly type: GraphQLInputType;
    readonly argument: string;
    readonly around: string;
  }[];
}

const deepest = 4;

export function graphqlDocument(draft: Draft): GraphqlDocument {
  const kind = happens(draft, 35) ? 'mutation' : 'query';
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const fields = Object.values(root?.getFields() ?? {});
  const building: Building = { ...draft, declared: [] };
  const chosen = Array.from(
    { length: happens(draft, 15) ? 2 : 1 },
    (_, index) => `r${index}: ${fieldOf(building, pick(draft, fields), 0)}`,
  );
  const { declared } = building;
  const head =
    declared.length > 0
      ? `(${declared.map(({ name, type }) => `$${name}: ${type}`).join(', ')})`
      : '';
  const query = `${kind} ${head} { ${chosen.join(' ')} }`;
  return {
    query: draft.isWild && happens(draft, 25) ? broken(draft, query) : query,
    variables: (other) =>
      Object.fromEntries(
        declared.map(({ name, type, argument, around }) => [
          name,
          inputFor(other, type, argument, around),
        ]),
      ),
  };
}

function fieldOf(building: Building, field: GraphQLField<unknown, unknown>, depth: number): string {
  const given = field.args.filter(
    (argument) =>
      isNonNullType(argument.type) || happens(building, argument.name === 'after' ? 1 : 20),
  );
  const args = given.map(
    (argument) => `${argument.name}: ${argumentOf(building, argument, field.name)}`,
  );
  const type = getNamedType(field.type);
  const below = isCompositeType(type) ? ` ${selectionOf(building, type, depth + 1)}` : '';
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${below}`;
}

function argumentOf(building: Building, { name, type }: GraphQLArgument, around: string): string {
  if (happens(building, 30)) return literalOf(type, inputFor(building, type, name, around));
  const variable = `v${building.declared.length}`;
  building.declared.push({ name: variable, type, argument: name, around });
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
  for (let count = upTo(building, 3); count > 0 && leaves.length > 0; count--)
    chosen.add(fieldOf(building, pick(building, leaves), depth));
  // Two fields of one name with other arguments would not merge, so one branch at the most.
  if (depth < deepest && branches.length > 0 && happens(building, 70))
    chosen.add(`b: ${fieldOf(building, pick(building, branches), depth)}`);
  return `{ ${[...chosen].filter((each, _, all) => !each.includes('(') || all.length < 99).join(' ')} }`;
}

function inputFor(draft: Draft, type: GraphQLInputType, name: string, around: string): unknown {
  if (isNonNullType(type))
    return draft.isWild && happens(draft, 3) ? null : inputFor(draft, type.ofType, name, around);
  if (draft.isWild && happens(draft, 12)) return anything(draft);
  if (isListType(type))
    return Array.from({ length: upTo(draft, 3) }, () => inputFor(draft, type.ofType, name, around));
  if (isInputObjectType(type)) {
    const given = Object.values(type.getFields()).filter(
      (field) => isNonNullType(field.type) || happens(draft, 30),
    );
    return Object.fromEntries(
      given.map((field) => [field.name, inputFor(draft, field.type, field.name, around)]),
    );
  }
  if (isEnumType(type)) return pick(draft, type.getValues()).name;
  const scalar = scalars[type.name];
  return scalar ? scalar(draft, name, around) : text(draft);
}

const scalars: Readonly<Record<string, (draft: Draft, name: string, around: string) => unknown>> = {
  ID: idFor,
  Date: (draft, name) => (name === 'expiresOn' ? `3${day(draft).slice(1)}` : day(draft)),
  DateTime: instant,
  Slug: slug,
  Email: email,
  Boolean: (draft) => happens(draft, 50),
  Int: (draft) => 1 + upTo(draft, 9),
  Float: (draft) => upTo(draft, 9),
  DayCount: (draft) => 1 + upTo(draft, 60),
  Headcount: (draft) => 1 + upTo(draft, 3),
};

/**
 * The value as a document has it. What doesn't fit its type comes out as something that doesn't,
 * either.
 */
function literalOf(type: GraphQLInputType, value: unknown): string {
  if (isNonNullType(type)) return literalOf(type.ofType, value);
  if (Array.isArray(value))
    return `[${value.map((each) => literalOf(isListType(type) ? type.ofType : type, each)).join(', ')}]`;
  if (isEnumType(type) && typeof value === 'string' && /^\w+$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = isInputObjectType(type) ? type.getFields() : {};
  const entries = Object.entries(value).map(
    ([name, each]) =>
      `${name}: ${fields[name] ? literalOf(fields[name].type, each) : JSON.stringify(each)}`,
  );
  return `{${entries.join(', ')}}`;
}

/** The text with a piece cut out, doubled or put in from elsewhere. */
function broken(draft: Draft, query: string): string {
  const at = upTo(draft, query.length);
  const end = at + upTo(draft, 12);
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
