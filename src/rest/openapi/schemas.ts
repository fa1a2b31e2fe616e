/** JSON Schema from the GraphQL schema: what an operation gives out and what an input takes, under the names of the REST wire. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { restDialect } from '../../graph/dialect.js';

export type Json = Readonly<Record<string, unknown>>;

/** GraphQL's own scalars, as far as the schema has them. */
const builtIn: Readonly<Record<string, Json>> = {
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  String: { type: 'string' },
};

export const objectOf = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
  additionalProperties: false,
});

const orNull = (schema: Json): Json => (schema.$ref ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [schema.type, 'null'] });

/** What a response calls a field. */
export const aliasOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/** The selections of a document's operations, with their fragments. */
export class Selections {
  private readonly fragments: ReadonlyMap<string, SelectionSetNode>;

  constructor({ definitions }: DocumentNode) {
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map(({ name, selectionSet }) => [name.value, selectionSet]));
  }

  /** All fields, fragments spread. */
  fieldsOf(set: SelectionSetNode | undefined): FieldNode[] {
    return (set?.selections ?? []).flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node];
      return this.fieldsOf(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : this.fragments.get(node.name.value));
    });
  }
}

/** The fragment that is all there is in a selection. */
function soleFragment({ selections: [first, ...more] }: SelectionSetNode): string | undefined {
  return first?.kind === Kind.FRAGMENT_SPREAD && more.length === 0 ? first.name.value : undefined;
}

export class Schemas {
  /** Each fragment, input type and enumeration that was met, by name. */
  readonly components: Record<string, Json> = {};

  /** @param say Puts a description of the GraphQL schema into the words of REST. */
  constructor(
    readonly selections: Selections,
    readonly say: (text: string | null | undefined) => string,
  ) {}

  private component(name: string, make: () => Json): Json {
    this.components[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  }

  /** What a field gives out, as far as it is selected. */
  output(type: GraphQLOutputType, set: SelectionSetNode | undefined): Json {
    const schema = this.outputPresent(getNullableType(type), set);
    return isNonNullType(type) ? schema : orNull(schema);
  }

  private outputPresent(type: GraphQLOutputType, set: SelectionSetNode | undefined): Json {
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType, set) };
    if (!isObjectType(type) || !set) return this.leaf(type);
    const name = soleFragment(set);
    return name
      ? this.component(name, () => ({ description: this.say(type.description), ...this.record(type, set) }))
      : this.record(type, set);
  }

  private record(type: GraphQLObjectType, set: SelectionSetNode): Json {
    const fields = type.getFields();
    const properties = this.selections.fieldsOf(set).map((node) => {
      const { type: fieldType, description } = fields[node.name.value] as GraphQLField<unknown, unknown>;
      return [aliasOf(node), { ...this.output(fieldType, node.selectionSet), description: this.say(description) }];
    });
    return objectOf(Object.fromEntries(properties));
  }

  /**
   * What an input takes.
   * @param record What the input makes or changes: null may be sent where null can come back.
   */
  input(type: GraphQLInputType, record: GraphQLOutputType): Json {
    const plain = getNullableType(type);
    if (isListType(plain)) return { type: 'array', items: this.input(plain.ofType, record) };
    if (isInputObjectType(plain)) return this.component(plain.name, () => this.inputObject(plain, record));
    return this.leaf(plain);
  }

  private inputObject(type: GraphQLInputObjectType, record: GraphQLOutputType): Json {
    const named = getNamedType(record);
    const stored = isObjectType(named) ? named.getFields() : {};
    const fields = Object.values(type.getFields());
    const properties = fields.map((field) => {
      const { name, description, defaultValue } = field;
      const schema = this.input(field.type, record);
      const isNullable = !isNonNullType(field.type) && stored[name] && !isNonNullType(stored[name].type);
      const withDefault = { ...(isNullable ? orNull(schema) : schema), ...(defaultValue !== undefined && { default: defaultValue }) };
      return [restDialect.wireName(name), { ...withDefault, description: this.say(description) }];
    });
    const required = fields.filter(isRequiredInputField).map(({ name }) => restDialect.wireName(name));
    return { description: this.say(type.description), ...objectOf(Object.fromEntries(properties), required) };
  }

  private leaf(type: GraphQLInputType | GraphQLOutputType): Json {
    if (isEnumType(type)) return this.component(type.name, () => this.enumeration(type));
    const schema = isScalarType(type) && (type.extensions.jsonSchema ?? builtIn[type.name]);
    if (!schema) throw new Error(`There is no JSON Schema for ${type}.`);
    return schema as Json;
  }

  /** As the specification spells the values. */
  private enumeration(type: GraphQLEnumType): Json {
    const values = type.getValues();
    const lines = values.map(({ value, description }) => `- \`${value}\`: ${this.say(description)}`);
    return { description: [this.say(type.description), '', ...lines].join('\n'), type: 'string', enum: values.map(({ value }) => value) };
  }
}
