/** The input spelling of GraphQL and REST. */
import type { GraphQLInputField, GraphQLInputObjectType } from 'graphql';

export interface Dialect {
  /** The name of a field in requests and responses. */
  readonly wireName: (field: string) => string;
  /** The fields of each input type by their wire names; readVariables fills it on first use. */
  readonly fields: WeakMap<GraphQLInputObjectType, ReadonlyMap<string, GraphQLInputField>>;
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
  fields: new WeakMap(),
  specifiedEnums: false,
  listsOfOne: true,
};
export const restDialect: Dialect = {
  wireName: snakeCase,
  fields: new WeakMap(),
  specifiedEnums: true,
  listsOfOne: false,
};
