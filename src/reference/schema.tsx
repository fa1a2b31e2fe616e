/** JSON Schema for people: a short type, and the properties of an object. */
import type { ComponentChildren } from 'preact';
import { refName, type Schema } from './openapi.js';
import { Prose, Words } from './prose.js';

/** The anchor of a schema on the page. */
export const schemaAnchor = (name: string): string => `schema-${name}`;

/**
 * `string (uuid) or null`, `Certification[]`, `{ data: Certification }`, where each name links to
 * its schema.
 */
export const TypeOf = ({ schema }: { schema: Schema }): ComponentChildren => {
  const { $ref, anyOf, type = [], format, items, properties } = schema;
  if ($ref) return <a href={`#${schemaAnchor(refName($ref))}`}>{refName($ref)}</a>;
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

/** The constraints in words. */
function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  pattern,
  default: fallback,
}: Schema): string[] {
  const limits = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    // The document has long patterns; in words they are under «Values».
    pattern && (pattern.length < 40 ? `matches \`${pattern}\`` : 'no control characters'),
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

/** A parameter or property. The properties of an unnamed object are listed below it. */
export const FieldRow = ({ name, schema, description, required = false }: FieldRowProps) => {
  const object = [schema, schema.items].find((each) => each?.properties);
  const sentences = limitsOf(schema).map(
    (limit) => ` ${limit[0]?.toUpperCase()}${limit.slice(1)}.`,
  );
  return (
    <div>
      <dt>
        <code>{name}</code>{' '}
        <span class="type">
          {object ? `object${object === schema ? '' : '[]'}` : <TypeOf schema={schema} />}
        </span>
        {required && <span class="needed"> required</span>}
      </dt>
      <dd>
        <Words text={description + sentences.join('')} />
        {object && <Properties schema={object} marked={false} />}
      </dd>
    </div>
  );
};

/** Required elements first, otherwise in their order. */
export const requiredFirst = <Element,>(
  all: readonly Element[],
  isRequired: (each: Element) => boolean,
): Element[] => [...all.filter(isRequired), ...all.filter((each) => !isRequired(each))];

/**
 * @param marked Whether to mark required properties and list them first: for requests, not for
 * responses.
 */
export const Properties = ({ schema, marked }: { schema: Schema; marked: boolean }) => {
  const isRequired = (name: string): boolean => marked && (schema.required ?? []).includes(name);
  return (
    <dl class="fields">
      {requiredFirst(Object.entries(schema.properties ?? {}), ([name]) => isRequired(name)).map(
        ([name, property]) => (
          <FieldRow
            name={name}
            schema={property}
            description={property.description ?? ''}
            required={isRequired(name)}
          />
        ),
      )}
    </dl>
  );
};

/**
 * A named schema: an object with its properties, or an enumeration, whose description lists the
 * values.
 */
export const NamedSchema = ({
  name,
  schema,
  marked,
}: {
  name: string;
  schema: Schema;
  marked: boolean;
}) => (
  <section class="schema" id={schemaAnchor(name)}>
    <h3>{name}</h3>
    <Prose text={schema.description ?? ''} />
    {schema.properties && <Properties schema={schema} marked={marked} />}
  </section>
);
