import { registerEnumType } from 'type-graphql';

type EnumOf<Value extends string> = Record<string, Value>;

/**
 * A GraphQL enumeration. Each value has the spelling of the specification inside and a GraphQL name
 * outside: `self-reported`, `SELF_REPORTED`.
 * @param descriptions The description of each value.
 */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  values: readonly Value[],
  descriptions: Record<Value, string>,
): EnumOf<Value> {
  const graphqlName = (value: Value) => value.toUpperCase().replaceAll('-', '_');
  const members = Object.fromEntries(values.map((value) => [graphqlName(value), value]));
  const valuesConfig = Object.fromEntries(
    values.map((value) => [graphqlName(value), { description: descriptions[value] }]),
  );
  registerEnumType(members, { name, description, valuesConfig });
  return members;
}
