/** Forms and their fields. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problems } from '../errors.js';
import { csrfField } from './csrf.js';

/** The token of the page's forms; page.tsx provides it. */
export const CsrfToken = createContext('');

export interface FormProps {
  readonly action: string;
  readonly id?: string;
  /** Names what a form of one button does, where the page has several alike. */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A POST form with the CSRF token in it: the only kind that the portal takes. */
export const Form = ({ action, id, label, class: className, children }: FormProps) => (
  <form method="post" action={action} id={id} aria-label={label} class={className}>
    <input type="hidden" name={csrfField} value={useContext(CsrfToken)} />
    {children}
  </form>
);

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'url';
  readonly value?: string;
  readonly hint?: ComponentChildren;
  /** The sentences of a `validation_error`; those of this field are shown with it. */
  readonly problems?: Problems | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly maxLength?: number;
  /** More than one makes a text area. */
  readonly rows?: number;
}

/** A labelled input, with its hint and what is wrong with it tied to it for screen readers. */
export const Field = ({ name, label, type = 'text', value = '', hint, problems, required = true, rows = 1, ...rest }: FieldProps) => {
  const wrong = problems?.[name];
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
        {!required && <span class="muted"> (optional)</span>}
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

/** Text to take along: with a button that copies it, where scripts run (public/copy.js). */
export const CopyField = ({ id, label, value }: { id: string; label: string; value: string }) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="copy">
      <input id={id} value={value} readOnly class="code" />
      <button type="button" class="button plain" data-copy={id} hidden>
        Copy
      </button>
    </div>
  </div>
);
