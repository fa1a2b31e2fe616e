/**
 * JSON Schema from the GraphQL schema: outputs and inputs of operations, with the property names of
 * REST.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
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
import { blankIsNull, mayBeNull } from '../../graph/input/blank.js';
import { restDialect } from '../../graph/input/dialect.js';
import { blankOr } from '../../scalars/scalars.js';

export type Json = Readonly<Record<string, unknown>>;

/** The built-in scalars of GraphQL that the schema uses. */
const builtIn: Readonly<Record<string, Json>> = {
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  String: { type: 'string' },
};

/**
 * An object of a response. It allows additional properties, so that validating clients accept later
 * versions.
 */
export const objectOf = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
});

/** An object of a request: unknown properties are rejected. */
const closed = (schema: Json): Json => ({ ...schema, additionalProperties: false });

const orNull = (schema: Json): Json =>
  schema.$ref ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [schema.type, 'null'] };

/** Text that may be blank, which is equivalent to null. */
const orBlank = ({ minLength, ...schema }: Json): Json => ({
  ...schema,
  pattern: blankOr(String(schema.pattern)),
});

/** Property name of a field in a response. */
export const aliasOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/** The selections of a document's operations, with their fragments. */
export class Selections {
  private readonly fragments: ReadonlyMap<string, SelectionSetNode>;

  constructor({ definitions }: DocumentNode) {
    const fragments = definitions.filter(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION,
    );
    this.fragments = new Map(fragments.map(({ name, selectionSet }) => [name.value, selectionSet]));
  }

  /** All fields, fragments spread. */
  fieldsOf(set: SelectionSetNode | undefined): FieldNode[] {
    return (set?.selections ?? []).flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node];
      return this.fieldsOf(
        node.kind === Kind.INLINE_FRAGMENT
          ? node.selectionSet
          : this.fragments.get(node.name.value),
      );
    });
  }
}

/** Name of the fragment if it is the only element of a selection. */
function soleFragment({ selections: [first, ...more] }: SelectionSetNode): string | undefined {
  return first?.kind === Kind.FRAGMENT_SPREAD && more.length === 0 ? first.name.value : undefined;
}

export class Schemas {
  /** Each used fragment, input type and enumeration, by name. */
  readonly components: Record<string, Json> = {};

  /** @param say Replaces GraphQL names in a description with those of REST. */
  constructor(
    readonly selections: Selections,
    readonly say: (text: string | null | undefined) => string,
  ) {}

  private component(name: string, make: () => Json): Json {
    this.components[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Schema of the selected output of a field. */
  output(type: GraphQLOutputType, set: SelectionSetNode | undefined): Json {
    const schema = this.outputPresent(getNullableType(type), set);
    return isNonNullType(type) ? schema : orNull(schema);
  }

  private outputPresent(type: GraphQLOutputType, set: SelectionSetNode | undefined): Json {
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType, set) };
    if (!isObjectType(type) || !set) return this.leaf(type);
    const name = soleFragment(set);
    return name
      ? this.component(name, () => ({
          description: this.say(type.description),
          ...this.record(type, set),
        }))
      : this.record(type, set);
  }

  private record(type: GraphQLObjectType, set: SelectionSetNode): Json {
    const fields = type.getFields();
    const properties = this.selections.fieldsOf(set).map((node) => {
      const { type: fieldType, description } = fields[node.name.value] as GraphQLField<
        unknown,
        unknown
      >;
      return [
        aliasOf(node),
        { ...this.output(fieldType, node.selectionSet), description: this.say(description) },
      ];
    });
    return objectOf(Object.fromEntries(properties));
  }

  /** Schema of an input. */
  input(type: GraphQLInputType): Json {
    const plain = getNullableType(type);
    if (isListType(plain)) return { type: 'array', items: this.input(plain.ofType) };
    if (isInputObjectType(plain)) return this.component(plain.name, () => this.inputObject(plain));
    return this.leaf(plain);
  }

  private inputObject(type: GraphQLInputObjectType): Json {
    const fields = Object.values(type.getFields());
    const properties = fields.map((field) => {
      const { name, description, defaultValue } = field;
      const schema = {
        ...this.property(field),
        ...(defaultValue !== undefined && { default: defaultValue }),
        description: this.say(description),
      };
      return [restDialect.wireName(name), schema];
    });
    const required = fields
      .filter(isRequiredInputField)
      .map(({ name }) => restDialect.wireName(name));
    return {
      description: this.say(type.description),
      ...closed(objectOf(Object.fromEntries(properties), required)),
    };
  }

  private property(field: GraphQLInputField): Json {
    const schema = this.input(field.type);
    const { maxItems } = field.extensions;
    if (schema.type === 'array' && maxItems === undefined)
      throw new Error(`${field.name} has no maximum number of items.`);
    const limited = maxItems === undefined ? schema : { ...schema, maxItems };
    return mayBeNull(field) ? orNull(blankIsNull(field) ? orBlank(limited) : limited) : limited;
  }

  private leaf(type: GraphQLInputType | GraphQLOutputType): Json {
    if (isEnumType(type)) return this.component(type.name, () => this.enumeration(type));
    const schema = isScalarType(type) && (type.extensions.jsonSchema ?? builtIn[type.name]);
    if (!schema) throw new Error(`There is no JSON Schema for ${type}.`);
    return schema as Json;
  }

  /** An enumeration with the values of the specification. */
  private enumeration(type: GraphQLEnumType): Json {
    const values = type.getValues();
    const lines = values.map(
      ({ value, description }) => `- \`${value}\`: ${this.say(description)}`,
    );
    return {
      description: [this.say(type.description), '', ...lines].join('\n'),
      type: 'string',
      enum: values.map(({ value }) => value),
    };
  }
}
