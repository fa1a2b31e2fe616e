/** The input spelling of GraphQL and REST. */
export interface Dialect {
  /** The name of a field in requests and responses. */
  readonly wireName: (field: string) => string;
  /**
   * Whether enum values have the spelling of the specification (`self-reported`) or their GraphQL
   * name (`SELF_REPORTED`).
   */
  readonly specifiedEnums: boolean;
  /** Whether a single value is coerced to a list of one, as in GraphQL. */
  readonly listsOfOne: boolean;
}

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const graphqlDialect: Dialect = {
  wireName: (field) => field,
  specifiedEnums: false,
  listsOfOne: true,
};
export const restDialect: Dialect = {
  wireName: snakeCase,
  specifiedEnums: true,
  listsOfOne: false,
};
