/** How each style spells input. */
export interface Dialect {
  /** What a field is called on the wire. */
  readonly wireName: (field: string) => string;
  /** Whether enum values are written as the specification spells them (`self-reported`) or by their GraphQL name (`SELF_REPORTED`). */
  readonly specifiedEnums: boolean;
  /** Whether one value does for a list of one, as GraphQL has it. */
  readonly listsOfOne: boolean;
}

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const graphqlDialect: Dialect = { wireName: (field) => field, specifiedEnums: false, listsOfOne: true };
export const restDialect: Dialect = { wireName: snakeCase, specifiedEnums: true, listsOfOne: false };
