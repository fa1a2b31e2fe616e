/** The form of an operation, and the response. */
import json from 'highlight.js/lib/languages/json';
import { createLowlight } from 'lowlight';
import { useState } from 'preact/hooks';
import { session } from '../dashboard/session.js';
import { colored } from '../src/reference/colored.js';
import type { Parameter } from '../src/reference/openapi.js';
import {
  bodyField,
  type Described,
  type Fields,
  fieldOf,
  type Reply,
  send,
} from './try-request.js';

const lowlight = createLowlight({ json });
/** Longer responses are not colored: it would block the page. */
const maxColored = 200_000;

/** The signed-in person, from `GET /v1/me`. */
export interface Person {
  readonly user: { readonly email: string };
  readonly organizations: readonly {
    readonly id: string;
    readonly name: string;
    readonly organization_member_id: string;
    readonly is_primary: boolean;
  }[];
}

export interface TryFormProps extends Described {
  /** Undefined when it could not be read. */
  readonly person: Person | undefined;
  /** Leads to the sign-in. */
  readonly again: () => Promise<void>;
}

/** Examples, with the person's own organization where they cannot reach that of the example. */
function defaultsOf({ parameters, body, person }: TryFormProps): Fields {
  const organizations = person?.organizations ?? [];
  const own = organizations.find((each) => each.is_primary) ?? organizations[0];
  const defaultOf = ({ name, in: place, example = '' }: Parameter): string => {
    if (name === 'Idempotency-Key') return crypto.randomUUID();
    if (place !== 'path') return '';
    const isReachable = organizations.some(({ id }) => id === exampleOrganization(parameters));
    if (!own || isReachable) return example;
    if (name === 'organization_id') return own.id;
    return name === 'organization_member_id' ? own.organization_member_id : example;
  };
  return {
    ...Object.fromEntries(parameters.map((each) => [fieldOf(each), defaultOf(each)])),
    [bodyField]: body ?? '',
  };
}

const exampleOrganization = (parameters: readonly Parameter[]): string | undefined =>
  parameters.find(({ name }) => name === 'organization_id')?.example;

export function TryForm(props: TryFormProps) {
  const { method, path, parameters, body, person, again } = props;
  const [fields, setFields] = useState(() => defaultsOf(props));
  const [isSending, setSending] = useState(false);
  const [reply, setReply] = useState<Reply | Error>();
  const now = session.value;
  if (now.state !== 'open')
    return (
      <div class="notice warning" role="status">
        <p>{now.state === 'ended' ? now.why : 'You are signed out.'}</p>
        <button type="button" class="button plain" onClick={() => void again()}>
          Sign in again
        </button>
      </div>
    );
  const submit = async (event: Event) => {
    event.preventDefault();
    setSending(true);
    setReply(await send(props, fields).catch((error: Error) => error));
    setSending(false);
  };
  const set = (name: string) => (value: string) => setFields({ ...fields, [name]: value });
  const id = `${method} ${path}`.replace(/\W+/g, '-');
  return (
    <form
      class="try-form"
      aria-label={`${method} ${path}`}
      onSubmit={(event) => void submit(event)}
    >
      <p class="small muted">
        {person ? (
          <>
            Signed in as <strong>{person.user.email}</strong>.
          </>
        ) : (
          'Signed in.'
        )}{' '}
        The request runs on this server with your permissions.
      </p>
      {parameters.map((each) => (
        <Field
          key={fieldOf(each)}
          id={`${id}-${each.in}-${each.name}`}
          parameter={each}
          value={fields[fieldOf(each)] ?? ''}
          onChange={set(fieldOf(each))}
        />
      ))}
      {body !== undefined && (
        <div class="field">
          <label for={`${id}-body`}>
            Body <span class="type">application/json</span>
          </label>
          <textarea
            id={`${id}-body`}
            class="code"
            rows={Math.min(16, body.split('\n').length + 1)}
            spellcheck={false}
            value={fields[bodyField]}
            onInput={({ currentTarget }) => set(bodyField)(currentTarget.value)}
          />
        </div>
      )}
      {method !== 'GET' && (
        <p class="notice warning">
          {method === 'DELETE' ? 'This deletes real data.' : 'This changes real data.'} It is
          audited as your change.
        </p>
      )}
      <button
        type="submit"
        class={`button ${method === 'GET' ? 'primary' : 'danger'}`}
        disabled={isSending}
      >
        Send the {method} request
      </button>
      <div role="status">{isSending ? 'Sending…' : reply && <Answer reply={reply} id={id} />}</div>
    </form>
  );
}

const Field = ({
  id,
  parameter: { name, in: place, required = false, schema },
  value,
  onChange,
}: {
  id: string;
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}) => (
  <div class="field">
    <label for={id}>
      <code>{name}</code>{' '}
      <span class="type">
        {place}
        {!required && ', optional'}
      </span>
    </label>
    {schema.enum ? (
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {!required && <option value="" />}
        {schema.enum.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    ) : (
      <input
        id={id}
        class="code"
        required={required}
        autocomplete="off"
        spellcheck={false}
        inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </div>
);

const Answer = ({ reply, id }: { reply: Reply | Error; id: string }) => {
  if (reply instanceof Error)
    return <p class="notice bad">The request was not sent: {reply.message}</p>;
  const { request, status, statusText, milliseconds, headers, body, isJson } = reply;
  return (
    <section class="reply" aria-label="Response">
      <p class="small muted">
        <code>{request}</code>
      </p>
      <p>
        <span class={`status ${status < 400 ? 'good' : 'bad'}`}>
          {status} {statusText}
        </span>{' '}
        <span class="small muted">{milliseconds} ms</span>
      </p>
      <details>
        <summary class="small">{headers.length} headers</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <pre id={`${id}-headers`} tabIndex={0}>
          {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
        </pre>
      </details>
      {body ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <pre id={`${id}-body-of-response`} tabIndex={0}>
          {isJson && body.length <= maxColored ? colored(lowlight.highlight('json', body)) : body}
        </pre>
      ) : (
        <p class="small muted">The response has no body.</p>
      )}
    </section>
  );
};
