/** One operation: description and parameters on the left, samples on the right. */
import { Code, jsonOf } from './code.js';
import type { Entry } from './entry.js';
import type { Failure } from './failure.js';
import { type Parameter, refName, type Schema } from './openapi.js';
import { Prose } from './prose.js';
import { FieldRow, Properties, requiredFirst, TypeOf } from './schema.js';
import { Samples } from './tabs.js';

export const Method = ({ method }: { method: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
);

/** Allows line breaks before slashes. */
const Path = ({ path }: { path: string }) => (
  <code>
    {path.split(/(?=\/)/).map((part) => (
      <>
        {part}
        <wbr />
      </>
    ))}
  </code>
);

export const OperationSection = ({
  entry,
  schemaOf,
}: {
  entry: Entry;
  schemaOf: (name: string) => Schema;
}) => {
  const { name, title, route, scopes, operation, parameters, success, failures, twin } = entry;
  const body = operation.requestBody;
  const bodySchema = body?.content['application/json'].schema.$ref;
  const [text = ''] = operation.description.split('\n\nNeeds ');
  return (
    <article class="operation" id={name} aria-labelledby={`${name}-title`}>
      <div class="about">
        <h3 id={`${name}-title`}>
          <a href={`#${name}`}>{title}</a>
        </h3>
        <p class="endpoint">
          <Method method={route.method} /> <Path path={route.path} />
        </p>
        <Prose text={text} />
        <p class="small">
          {scopes.length === 0 ? (
            <span class="muted">Needs no API scope, only a valid token.</span>
          ) : (
            <span class="muted">Scope </span>
          )}
          {scopes.map((scope) => (
            <code class="scope">{scope}</code>
          ))}
        </p>
        <p class="small">
          <span class="muted">In GraphQL </span>
          <code>{name}</code>{' '}
          <a href={twin.link} class="explore">
            Open in the explorer<span class="unseen">: {title}</span>
          </a>
        </p>
        <ParameterList
          title="Path parameters"
          parameters={parameters.filter((each) => each.in === 'path')}
        />
        <ParameterList
          title="Query parameters"
          parameters={parameters.filter((each) => each.in === 'query')}
        />
        <ParameterList
          title="Headers"
          parameters={parameters.filter((each) => each.in === 'header')}
        />
        {body && bodySchema && (
          <>
            <h4>Body</h4>
            <p class="small muted">{body.description}</p>
            <Properties schema={schemaOf(refName(bodySchema))} marked />
          </>
        )}
        <h4>Responses</h4>
        <Answers entry={entry} />
      </div>
      <div class="use">
        <Samples entry={entry} />
        {/* Shown by public/reference.js, which loads the form at the first use. */}
        <div class="try" id={`${name}-try`} hidden>
          <button type="button" class="button plain" data-try={name} aria-expanded="false">
            Try it<span class="unseen">: {title}</span>
          </button>
        </div>
        {success.content && (
          <>
            <p class="small muted">
              Response <strong>{success.status}</strong>
            </p>
            <Code
              id={`${name}-answer`}
              what="the response"
              language="json"
              text={jsonOf(success.content['application/json'].example)}
            />
          </>
        )}
        <FailureList name={name} failures={failures} />
      </div>
    </article>
  );
};

const FailureList = ({ name, failures }: { name: string; failures: readonly Failure[] }) => (
  <>
    <p class="small muted">Errors</p>
    {failures.map(({ code, status, cause, body }) => (
      <details class="failure">
        <summary>
          <span class="status bad">{status}</span> <code>{code}</code>{' '}
          <span class="small muted">{cause}</span>
        </summary>
        <Code
          id={`${name}-${code}`}
          what={`the example of ${code}`}
          language="json"
          text={jsonOf(body)}
        />
      </details>
    ))}
  </>
);

const ParameterList = ({
  title,
  parameters,
}: {
  title: string;
  parameters: readonly Parameter[];
}) =>
  parameters.length === 0 ? null : (
    <>
      <h4>{title}</h4>
      <dl class="fields">
        {requiredFirst(parameters, ({ required = false }) => required).map(
          ({ name, schema, description, required }) => (
            <FieldRow
              name={name}
              schema={schema}
              description={description}
              required={required === true}
            />
          ),
        )}
      </dl>
    </>
  );

const Answers = ({ entry: { operation, success, errors } }: { entry: Entry }) => (
  <>
    <dl class="fields">
      <div>
        <dt>
          <span class="status good">{success.status}</span>{' '}
          {success.content && (
            <span class="type">
              <TypeOf schema={success.content['application/json'].schema} />
            </span>
          )}
        </dt>
        <dd>
          {success.description} Headers: {Object.keys(success.headers ?? {}).join(', ')}.
        </dd>
      </div>
      {'304' in operation.responses && (
        <div>
          <dt>
            <span class="status">304</span>
          </dt>
          <dd>Not modified: your copy is current.</dd>
        </div>
      )}
    </dl>
    <p class="errors small">
      <span class="muted">Errors </span>
      {errors.map(({ status, response }) => (
        <a href={`#${response}`} class="status bad">
          {status}
        </a>
      ))}
    </p>
  </>
);
