/**
 * The scalars of the API. A scalar defines the accepted values, the error message and the JSON
 * Schema of OpenAPI, for GraphQL and REST. Output is not validated, because the database only
 * contains accepted values.
 */
import { GraphQLError, GraphQLInt, GraphQLScalarType, GraphQLString, Kind } from 'graphql';
import { firstDay, isDay, lastDay } from './day.js';
import { firstInstant, lastInstant, OutOfRange, readInstant } from './instant.js';
import { emailRule, nameRule, patternOf, readText, TextError, type TextRule } from './text.js';

/**
 * Thrown by a scalar's parser. The message continues a sentence that starts with the name: “slug
 * …”.
 */
const reject = (sentence: string): never => {
  throw new GraphQLError(sentence);
};

/**
 * The built-in type under which a scalar appears in the schema, so that a variable of that type can
 * be sent. The scalar still defines the accepted values (graph/input/shown-types.ts).
 */
export interface Shown {
  readonly type: GraphQLScalarType;
  /** The rule in one sentence, for the description of the argument. */
  readonly rule: string;
}

interface Rule<T> {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  /** Minimum length, for text. */
  min?: 0 | 1;
  shown?: Shown;
  parse(value: unknown): T;
}

function scalar<T>({
  name,
  description,
  schema,
  min,
  shown,
  parse,
}: Rule<T>): GraphQLScalarType<T, unknown> {
  return new GraphQLScalarType<T, unknown>({
    name,
    description,
    extensions: { jsonSchema: schema, ...(min !== undefined && { min }), ...(shown && { shown }) },
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) =>
      parse(
        node.kind === Kind.STRING
          ? node.value
          : node.kind === Kind.INT || node.kind === Kind.FLOAT
            ? Number(node.value)
            : undefined,
      ),
  });
}

/**
 * @returns '' for blank text, regardless of the rule: its place decides whether that is empty or
 * null (blank.ts).
 */
function parseText(value: unknown, rule: TextRule): string {
  if (typeof value !== 'string') return reject('must be a string');
  try {
    return readText(value, { ...rule, min: 0 });
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return reject(error.message);
  }
}

/** A pattern that also accepts blank text. */
export const blankOr = (pattern: string): string =>
  pattern.startsWith(blank) ? pattern : `${blank}${pattern}`;
const blank = '^\\s*$|';

function text(name: string, what: string, rule: TextRule, shown?: Shown) {
  const { min = 1, max, pattern, hasLines } = rule;
  const lines = hasLines ? 'Line breaks are allowed. ' : '';
  const form = pattern?.source ?? patternOf(rule);
  const refused =
    'Control characters, bidirectional controls and text of only invisible characters are rejected.';
  return scalar<string>({
    name,
    description: `${what} ${min === 0 ? 'Up to' : `${min} to`} ${max} characters. Surrounding whitespace is removed and the text is normalized to Unicode NFC. ${lines}${refused}`,
    schema: {
      type: 'string',
      minLength: min,
      maxLength: max,
      pattern: min === 0 ? blankOr(form) : form,
    },
    min,
    ...(shown && { shown }),
    parse: (value) => parseText(value, rule),
  });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * GraphQL's `ID`, for which the values are up to the service: here, UUIDs. Do not use the `ID` of
 * type-graphql, which accepts any text: a schema has one type of a name.
 */
export const UUID = scalar<string>({
  name: 'ID',
  description: 'A UUID of any version, such as `0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11`.',
  schema: { type: 'string', format: 'uuid' },
  parse: (value) =>
    typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : reject('must be a UUID'),
});

export const DateScalar = scalar<string>({
  name: 'Date',
  description: 'A calendar day, `YYYY-MM-DD`.',
  schema: { type: 'string', format: 'date' },
  parse: (value) =>
    typeof value === 'string' && isDay(value)
      ? value
      : reject(
          `must be a real calendar day in the form YYYY-MM-DD, from ${firstDay} to ${lastDay}`,
        ),
});

/**
 * @returns The instant in UTC with six fractional digits, so that equal instants have equal text.
 */
export const DateTime = scalar<string>({
  name: 'DateTime',
  description:
    'An RFC 3339 date-time with any offset. Returned in UTC with exactly six fractional digits: ' +
    '`2026-03-01T09:30:00.000000Z`. Years 0001 to 9999.',
  schema: { type: 'string', format: 'date-time' },
  parse(value) {
    try {
      const instant = typeof value === 'string' ? readInstant(value) : undefined;
      return (
        instant ??
        reject(
          'must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:30:00Z (in a URL, write "+" as %2B)',
        )
      );
    } catch (error) {
      if (!(error instanceof OutOfRange)) throw error;
      return reject(`must be from ${firstInstant} to ${lastInstant}`);
    }
  },
});

export const maxPageSize = 200;

function count(name: string, what: string, max: number, shown?: GraphQLScalarType) {
  return scalar<number>({
    name,
    description: `${what}: 1 to ${max}.`,
    schema: { type: 'integer', minimum: 1, maximum: max },
    ...(shown && { shown: { type: shown, rule: `From 1 to ${max}.` } }),
    parse: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
        ? value
        : reject(`must be a whole number from 1 to ${max}`),
  });
}

export const PageSize = count(
  'PageSize',
  'The maximum number of records on a page',
  maxPageSize,
  GraphQLInt,
);
export const DayCount = count('DayCount', 'A number of days', 366);
export const Headcount = count('Headcount', 'A number of people', 100);

export const Cursor = text(
  'Cursor',
  'An opaque cursor, valid for one list with one set of filters.',
  { max: 500 },
  { type: GraphQLString, rule: '`endCursor` and the `cursor` of an edge are valid too.' },
);
export const Slug = text(
  'Slug',
  'A short identifier for URLs: lower-case letters, digits and hyphens.',
  {
    max: 100,
    pattern: /^[a-z0-9-]+$/,
    hint: 'must have only lower-case letters, digits and hyphens (a-z, 0-9, -)',
  },
);
export const Name = text('Name', 'A name or title.', nameRule);
export const Text = text('Text', 'A short text; may be empty.', { min: 0, max: 200 });
export const Description = text('Description', 'A description; may be empty.', {
  min: 0,
  max: 5000,
  hasLines: true,
});
export const ExternalId = text('ExternalId', 'An identifier in an external system.', { max: 255 });
export const Email = text('Email', 'An e-mail address.', emailRule);
