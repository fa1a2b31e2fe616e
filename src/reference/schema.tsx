/** JSON Schema for people: the type in a few words, and the properties of an object. */
import type { ComponentChildren } from 'preact';
import { nameOf, type Schema } from './openapi.js';
import { Prose, Words } from './prose.js';

/** The anchor of a schema on the page. */
export const schemaAnchor = (name: string): string => `schema-${name}`;

/** `string (uuid) or null`, `Certification[]`, `{ data: Certification }`, where each name leads to the schema. */
export const TypeOf = ({ schema }: { schema: Schema }): ComponentChildren => {
  const { $ref, anyOf, type = [], format, items, properties } = schema;
  if ($ref) return <a href={`#${schemaAnchor(nameOf($ref))}`}>{nameOf($ref)}</a>;
  if (anyOf) return <Listed between=" or ">{anyOf.map((each) => TypeOf({ schema: each }))}</Listed>;
  if (properties) {
    const parts = Object.entries(properties).map(([name, each]) => (
      <>
        {name}: <TypeOf schema={each} />
      </>
    ));
    return (
      <>
        {'{ '}
        <Listed between=", ">{parts}</Listed>
        {' }'}
      </>
    );
  }
  const names = [type].flat().map((each) => {
    if (each === 'array' && items)
      return (
        <>
          <TypeOf schema={items} />
          []
        </>
      );
    return each !== 'null' && format ? `${each} (${format})` : each;
  });
  return <Listed between=" or ">{names}</Listed>;
};

const Listed = ({ between, children }: { between: string; children: ComponentChildren[] }) => (
  <>{children.flatMap((each, index) => (index === 0 ? [each] : [between, each]))}</>
);

/** What it must keep to, in words. */
function limitsOf({ minimum, maximum, minLength, maxLength, pattern, default: fallback }: Schema): string[] {
  const limits = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    pattern && `matches \`${pattern}\``,
    fallback !== undefined && `\`${JSON.stringify(fallback)}\` when left out`,
  ];
  return limits.filter((limit) => typeof limit === 'string');
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return `at least ${from}${unit}`;
  return from ? `${from} to ${to}${unit}` : `up to ${to}${unit}`;
}

export interface FieldRowProps {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly required?: boolean;
}

/** A parameter or a property; what is in an object without a name of its own stands under it. */
export const FieldRow = ({ name, schema, description, required = false }: FieldRowProps) => {
  const object = [schema, schema.items].find((each) => each?.properties);
  const sentences = limitsOf(schema).map((limit) => ` ${limit[0]?.toUpperCase()}${limit.slice(1)}.`);
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="type">{object ? `object${object === schema ? '' : '[]'}` : <TypeOf schema={schema} />}</span>
        {required && <span class="needed"> required</span>}
      </dt>
      <dd>
        <Words text={description + sentences.join('')} />
        {object && <Properties schema={object} marked={false} />}
      </dd>
    </div>
  );
};

/** @param marked Whether to say what is required: in what clients send, not in what they get. */
export const Properties = ({ schema, marked }: { schema: Schema; marked: boolean }) => (
  <dl class="fields">
    {Object.entries(schema.properties ?? {}).map(([name, property]) => (
      <FieldRow
        name={name}
        schema={property}
        description={property.description ?? ''}
        required={marked && (schema.required ?? []).includes(name)}
      />
    ))}
  </dl>
);

/** A schema of its own: an object with its properties, or an enumeration, whose description lists the values. */
export const NamedSchema = ({ name, schema, marked }: { name: string; schema: Schema; marked: boolean }) => (
  <section class="schema" id={schemaAnchor(name)}>
    <h3>{name}</h3>
    <Prose text={schema.description ?? ''} />
    {schema.properties && <Properties schema={schema} marked={marked} />}
  </section>
);
