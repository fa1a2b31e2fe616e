/** Forms and their fields. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ApiError, type Problems } from '../errors.js';
import { Button } from './components.js';
import { field, type PageContext } from './context.js';
import { csrfField } from './csrf.js';
import { say, useTexts } from './language.js';

/** The CSRF token of the page's forms; page.tsx provides it. */
export const CsrfToken = createContext('');

export interface FormProps {
  readonly action: string;
  readonly id?: string;
  /** Distinguishes several one-button forms of a page. */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A POST form with the CSRF token: the portal accepts no other. */
export const Form = ({ action, id, label, class: className, children }: FormProps) => (
  <form method="post" action={action} id={id} aria-label={label} class={className}>
    <input type="hidden" name={csrfField} value={useContext(CsrfToken)} />
    {children}
  </form>
);

/** The field that confirms; see {@link requireSure}. */
const sureField = 'sure';

export interface ConfirmProps {
  readonly action: string;
  /** The text that opens the confirmation: `Revoke`. */
  readonly text: string;
  /** The consequence, and whether it can be undone. */
  readonly about: ComponentChildren;
  /** The text of the button, with its object. */
  readonly button: string;
  readonly name?: string;
  readonly value?: string;
}

/**
 * Asks for confirmation before data is lost. Works without scripts; the server refuses unconfirmed
 * forms.
 */
export const Confirm = ({ action, text, about, button, ...rest }: ConfirmProps) => (
  <details class="confirm">
    <summary aria-label={`${text}…: ${button}`}>{text}…</summary>
    <Form action={action} label={button}>
      <p>{about}</p>
      <input type="hidden" name={sureField} value="yes" />
      <Button kind="danger" {...rest}>
        {button}
      </Button>
    </Form>
  </details>
);

export const isSure = (ctx: PageContext): boolean => field(ctx, sureField) === 'yes';

/** @throws {ApiError} `validation_error` when the form does not come from a {@link Confirm}. */
export function requireSure(ctx: PageContext): void {
  if (!isSure(ctx))
    throw new ApiError(
      'validation_error',
      'This must be confirmed: go back, reload the page, and confirm it there.',
    );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'url';
  readonly value?: string;
  readonly hint?: ComponentChildren;
  /** The messages of a `validation_error`; those of this field are shown with it. */
  readonly problems?: Problems | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly maxLength?: number;
  /** More than one makes a text area. */
  readonly rows?: number;
}

/** A labelled input, with its hint and error message associated for screen readers. */
export const Field = ({
  name,
  label,
  type = 'text',
  value = '',
  hint,
  problems,
  required = true,
  rows = 1,
  ...rest
}: FieldProps) => {
  const t = useTexts();
  const wrong = problems?.[name]?.map((each) => say(t, each));
  const described = [hint && `${name}-hint`, wrong && `${name}-problem`].filter(Boolean).join(' ');
  const common = {
    id: name,
    name,
    required,
    ...(wrong && { 'aria-invalid': true }),
    ...(described && { 'aria-describedby': described }),
    ...rest,
  };
  return (
    <div class="field">
      <label for={name}>
        {label}
        {!required && <span class="muted"> {t.frame.optional}</span>}
      </label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {rows > 1 ? (
        <textarea {...common} rows={rows}>{`\n${value}`}</textarea>
      ) : (
        <input {...common} type={type as 'text'} value={type === 'password' ? '' : value} />
      )}
      {wrong && (
        <p class="problem" id={`${name}-problem`}>
          {wrong.join(' ')}
        </p>
      )}
    </div>
  );
};

/** A checkbox, initially checked. */
export const Tick = ({ name, label }: { name: string; label: string }) => (
  <label class="check">
    <input type="checkbox" name={name} value="yes" checked /> {label}
  </label>
);

/** Text with a copy button, where scripts run (public/copy.js). */
export const CopyField = ({ id, label, value }: { id: string; label: string; value: string }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="copy">
      <input id={id} value={value} readOnly class="code" />
      <button
        type="button"
        class="button plain"
        data-copy={id}
        data-copied={useTexts().frame.copied}
        hidden
      >
        {useTexts().frame.copy}
      </button>
    </div>
  </div>
);
