/** The API reference: the whole OpenAPI document on one page. */
import { bundled } from '../pages/bundle.js';
import { Code, jsonOf } from './code.js';
import { Contents, Navigator, SearchForm } from './contents.js';
import type { Entry } from './entry.js';
import type { Guide } from './guides.js';
import { type OpenApi, refName } from './openapi.js';
import { Method, OperationSection } from './operation.js';
import { anchorOf, headingsOf, Prose } from './prose.js';
import { NamedSchema, schemaAnchor } from './schema.js';

export interface ReferenceProps {
  readonly document: OpenApi;
  readonly entries: readonly Entry[];
  readonly guides: readonly Guide[];
}

export const Reference = ({ document, entries, guides }: ReferenceProps) => {
  const { info, components } = document;
  const sent = new Set(
    entries.flatMap(({ operation }) =>
      refName(operation.requestBody?.content['application/json'].schema.$ref ?? ''),
    ),
  );
  // The schemas of request bodies are shown with their operations, under the same names.
  const schemas = Object.entries(components.schemas).filter(([name]) => !sent.has(name));
  const statuses = new Map(
    entries.flatMap(({ errors }) =>
      errors.map(({ response, status }) => [response, status] as const),
    ),
  );
  const groups = Object.entries(Object.groupBy(entries, ({ resource }) => resource)).map(
    ([resource, members = []]) => ({
      name: titleOf(resource),
      description: components.schemas[resource]?.description ?? '',
      anchor: `group-${resource}`,
      entries: members,
    }),
  );
  return (
    <div class="reference" data-try={`/assets/${bundled('try', '.js')}`}>
      <Navigator label="Contents and search">
        <SearchForm />
        <p id="found" class="small muted" role="status" />
        <Contents
          title="Start here"
          links={headingsOf(info.description).map((text) => ({ href: `#${anchorOf(text)}`, text }))}
        />
        {groups.map((group) => (
          <section>
            <h2>{group.name}</h2>
            <ul>
              {group.entries.map(({ name, title, route }) => (
                <li>
                  <a href={`#${name}`}>
                    <span>{title}</span> <Method method={route.method} />
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Contents
          title="Details"
          links={[
            { href: '#schemas', text: 'Records' },
            { href: '#error-codes', text: 'Error codes' },
          ]}
        />
        <Contents
          title="Guides"
          links={guides.map(({ path, title }) => ({ href: path, text: title }))}
        />
      </Navigator>
      <div class="body">
        <section class="intro">
          <h1>API reference</h1>
          <p class="lead">
            Version {info.version}. Each operation of REST with its twin in GraphQL, examples that
            work with the demo data, and the <a href="/v1/openapi.json">OpenAPI description</a> that
            this page is made from.
          </p>
          <Prose text={info.description} />
        </section>
        {groups.map((group) => (
          <section id={group.anchor} class="group">
            <h2>{group.name}</h2>
            <p class="lead">{group.description}</p>
            {group.entries.map((entry) => (
              <OperationSection entry={entry} schemaOf={(name) => components.schemas[name] ?? {}} />
            ))}
          </section>
        ))}
        <section id="schemas" class="group">
          <h2>Records</h2>
          {schemas.map(([name, schema]) => (
            <NamedSchema name={name} schema={schema} marked={name.endsWith('Input')} />
          ))}
        </section>
        <Errors document={document} statuses={statuses} />
      </div>
    </div>
  );
};

/** `JobRole` → `Job roles` */
const titleOf = (resource: string): string => {
  const [first = '', ...others] = resource.split(/(?<=[a-z])(?=[A-Z])/);
  const words = [first, ...others.map((word) => word.toLowerCase())].join(' ');
  return words.endsWith('y') ? words : `${words}s`;
};

const Errors = ({
  document: { components },
  statuses,
}: {
  document: OpenApi;
  statuses: ReadonlyMap<string, string>;
}) => (
  <section id="error-codes" class="group">
    <h2>Error codes</h2>
    <p class="lead">
      The body of each is an <a href={`#${schemaAnchor('Error')}`}>Error</a>. Decide by its code;{' '}
      <a href="/docs/errors">Errors</a> says when each comes and what to do.
    </p>
    {Object.entries(components.responses).map(([name, { description, content }]) => (
      <section class="operation" id={name}>
        <div class="about">
          <h3>
            {statuses.get(name)} {name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}
          </h3>
          <Prose text={description} />
        </div>
        <div class="use">
          {Object.entries(content?.['application/json'].examples ?? {}).map(([code, { value }]) => (
            <Code
              id={`error-${code}`}
              what={`the example of ${code}`}
              language="json"
              text={jsonOf(value)}
            />
          ))}
        </div>
      </section>
    ))}
  </section>
);
