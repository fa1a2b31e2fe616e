/**
 * Limits the text of a response. The cost of an operation counts values of any length, and aliases
 * repeat long ones, so that a document within its cost could have a response of hundreds of
 * megabytes, whose serialization blocks the process.
 */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { ApiError } from '../../errors.js';
import type { Cost } from '../cost/check.js';
import type { Operation } from './compile.js';

/** Maximum length of a response in characters. Serialization takes 5 to 10 ms per million. */
export const maxResponseLength = 10_000_000;

/** Below this cost, values of the maximum length are within the limit. */
const smallCost = 500;
/** Longer texts count in bytes: those that are not ASCII take several times as long. */
const longText = 200;

/** Characters beside a name or a text: quotes, colon, comma. */
const punctuation = 4;

/** The length that is left of `rest` after a value; negative as soon as the value exceeds it. */
function restAfter(value: unknown, rest: number): number {
  if (typeof value === 'string') {
    const length = value.length > longText ? Buffer.byteLength(value) : value.length;
    return rest - length - punctuation;
  }
  if (typeof value !== 'object' || value === null) return rest - punctuation;
  let left = rest - punctuation;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = restAfter(item, left);
      if (left < 0) return left;
    }
    return left;
  }
  for (const name in value) {
    left = restAfter((value as Record<string, unknown>)[name], left - name.length - punctuation);
    if (left < 0) return left;
  }
  return left;
}

const limited = (result: ExecutionResult): ExecutionResult => {
  if (restAfter(result.data, maxResponseLength) >= 0) return result;
  const message = `The response is longer than ${maxResponseLength.toLocaleString('en')} characters: use smaller pages, or select fewer or shorter fields.`;
  const error = new ApiError('invalid_request', message, { max_characters: maxResponseLength });
  return { data: null, errors: [new GraphQLError(message, { originalError: error })] };
};

/**
 * The operation with a limit of its response. A mutation over the limit is rolled back, like any
 * other that has an error.
 */
export function withSizeLimit(operation: Operation, { requested }: Cost): Operation {
  if (requested <= smallCost) return operation;
  return {
    ...operation,
    hasSizeLimit: true,
    run: async (...given) => limited(await operation.run(...given)),
  };
}
