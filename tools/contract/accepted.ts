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
];
