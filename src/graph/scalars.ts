/**
 * The values of the wire. A scalar holds the whole rule of its value: what it accepts, the sentence for what it refuses, and the JSON Schema that
 * OpenAPI shows. Both styles read input through it. Output passes as it stands: the database holds what was once accepted.
 */
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { isDay } from '../entities/day.js';

/** Thrown by a scalar's parser; the message completes «slug …». */
const refuse = (sentence: string): never => {
  throw new GraphQLError(sentence);
};

interface Rule<T> {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  parse(value: unknown): T;
}

function scalar<T>({ name, description, schema, parse }: Rule<T>): GraphQLScalarType<T, unknown> {
  return new GraphQLScalarType<T, unknown>({
    name,
    description,
    extensions: { jsonSchema: schema },
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) =>
      parse(node.kind === Kind.STRING ? node.value : node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined),
  });
}

function text(name: string, what: string, limits: { min?: number; max: number; pattern?: RegExp; hint?: string }) {
  const { min = 1, max, pattern, hint = 'has a wrong form' } = limits;
  return scalar<string>({
    name,
    description: `${what} ${min === 0 ? 'Up to' : `${min} to`} ${max} characters; surrounding blanks are removed, control characters refused.`,
    schema: { type: 'string', minLength: min, maxLength: max, ...(pattern && { pattern: pattern.source }) },
    parse(value) {
      if (typeof value !== 'string') return refuse('must be a string');
      const trimmed = value.trim();
      if (/\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) return refuse('must not contain control characters or broken surrogates');
      const length = [...trimmed].length;
      if (length < min) return refuse('must not be empty');
      if (length > max) return refuse(`must be at most ${max} characters long`);
      if (pattern && !pattern.test(trimmed)) return refuse(hint);
      return trimmed;
    },
  });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const UUID = scalar<string>({
  name: 'UUID',
  description: 'A UUID of any version, such as `0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11`.',
  schema: { type: 'string', format: 'uuid' },
  parse: (value) => (typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : refuse('must be a UUID')),
});

export const DateScalar = scalar<string>({
  name: 'Date',
  description: 'A calendar day, `YYYY-MM-DD`.',
  schema: { type: 'string', format: 'date' },
  parse: (value) => (typeof value === 'string' && isDay(value) ? value : refuse('must be a real calendar day in the form YYYY-MM-DD')),
});

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Accepts RFC 3339; digits beyond the microsecond, the database's precision, are cut: no stored instant lies between. */
export const DateTime = scalar<string>({
  name: 'DateTime',
  description: 'An instant in RFC 3339. Given out in UTC with exactly six fraction digits: `2026-03-01T09:30:00.000000Z`.',
  schema: { type: 'string', format: 'date-time' },
  parse(value) {
    const [, day = '', hour, minute, second, fraction = '', offset = ''] = (typeof value === 'string' && rfc3339.exec(value)) || [];
    if (!isDay(day)) {
      return refuse('must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:30:00Z (in a URL, write "+" as %2B)');
    }
    return `${day}T${hour}:${minute}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}${offset.toUpperCase()}`;
  },
});

export const maxPageSize = 200;

function count(name: string, what: string, max: number) {
  return scalar<number>({
    name,
    description: `${what}: 1 to ${max}.`,
    schema: { type: 'integer', minimum: 1, maximum: max },
    parse: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
        ? value
        : refuse(`must be a whole number from 1 to ${max}`),
  });
}

export const PageSize = count('PageSize', 'How many records a page has at most', maxPageSize);
export const DayCount = count('DayCount', 'A number of days', 366);
export const Headcount = count('Headcount', 'A number of people', 100);

export const Cursor = text('Cursor', 'An opaque position in one list with one set of filters.', { max: 500 });
export const Slug = text('Slug', 'A short name for addresses: lower-case letters, digits and hyphens.', {
  max: 100,
  pattern: /^[a-z0-9-]+$/,
  hint: 'must have only lower-case letters, digits and hyphens (a-z, 0-9, -)',
});
export const Name = text('Name', 'A name or title.', { max: 200 });
export const Text = text('Text', 'A short text, possibly empty.', { min: 0, max: 200 });
export const Description = text('Description', 'A description, possibly empty.', { min: 0, max: 5000 });
export const ExternalId = text('ExternalId', 'An identifier of an outside system.', { max: 255 });
export const Email = text('Email', 'An e-mail address.', {
  max: 254,
  pattern: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/,
  hint: 'must be an e-mail address',
});
