/** Accepted breaks since the last release, each with its reason. A release empties the list. */
export const accepted: readonly (readonly [what: RegExp, why: string])[] = [
  [
    /(cursor|q|email|external_id|external_source|issuer_name|serial_number|display_name|first_name|last_name|role|slug|name|title|description)(, the whole)?: pattern changed$/,
    'Control characters were refused before, and are documented now. Bidirectional controls and invisible text are refused for safety.',
  ],
  [
    /body, requirements: maxItems was lowered$/,
    'More than 200 were refused before, and are documented to be now.',
  ],
  [
    /^GraphQL: .* changed type from (\[?)UUID(!?\]?!?) to \1ID\2\.$/,
    'Stock clients declare ids as ID. The values are the same, and documents that say UUID stay valid.',
  ],
  [
    /^GraphQL: \S+ arg first has changed type from PageSize! to Int!\.$/,
    'Stock clients declare it as Int. The limits are the same, and documents that say PageSize stay valid.',
  ],
  [
    /^GraphQL: \S+ arg after has changed type from Cursor to String\.$/,
    'Cursors are String in results. Documents that say Cursor stay valid.',
  ],
  [
    /^GraphQL: (UUID|PageSize|Cursor) was removed\.$/,
    'Documents that name these types of variables stay valid (graph/input/former-types.ts).',
  ],
];
