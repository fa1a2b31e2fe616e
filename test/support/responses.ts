/** The responses that a page shows below its queries, and the means to write them anew. */
import type { Body } from './app.js';

const maxElements = 2;
const maxWidth = 98;

/** Cuts lists, and leaves the position out, which no reader can use. */
export const shorten = (value: Body): Body => {
  if (Array.isArray(value)) return value.slice(0, maxElements).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      /Cursor$/.test(key) && inner !== null ? '…' : shorten(inner),
    ]),
  );
};

/**
 * JSON where what fits on a line is on one line.
 * @param before The length of the key before the value.
 */
export function compact(value: Body, indent = '', before = 0): string {
  const flat = JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replaceAll('[ ', '[')
    .replaceAll(' ]', ']');
  if (
    typeof value !== 'object' ||
    value === null ||
    indent.length + before + flat.length < maxWidth
  )
    return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((each) => compact(each, inner))
    : Object.entries(value).map(
        ([key, each]) => `${JSON.stringify(key)}: ${compact(each, inner, key.length + 4)}`,
      );
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/** Keys and kinds of values; null is of any kind, and a list has at least as many elements. */
export function assertShape(actual: Body, shown: Body, path: string): void {
  if (actual === null || shown === null) return;
  expect([path, kindOf(actual)]).toStrictEqual([path, kindOf(shown)]);
  if (typeof shown !== 'object') return;
  if (!Array.isArray(shown))
    expect([path, Object.keys(actual)]).toStrictEqual([path, Object.keys(shown)]);
  for (const [key, value] of Object.entries(shown)) {
    expect([`${path}.${key}`, key in actual]).toStrictEqual([`${path}.${key}`, true]);
    assertShape(actual[key], value, `${path}.${key}`);
  }
}

const kindOf = (value: Body): string => (Array.isArray(value) ? 'list' : typeof value);
