/** What pages are built of. */
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

export interface ButtonProps {
  /** `quiet` looks like a link. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly id?: string;
  readonly name?: string;
  readonly value?: string;
  readonly type?: 'submit' | 'button';
  /** The id of the form that it submits, when it stands outside. */
  readonly form?: string;
  /** Says more than the text, for screen readers: "Remove laptop". Begins with the text. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export const Button = ({ kind = 'primary', type = 'submit', label, children, ...rest }: ButtonProps) => (
  <button type={type} class={`button ${kind}`} aria-label={label} {...rest}>
    {children}
  </button>
);

export const LinkButton = ({
  href,
  kind = 'primary',
  children,
}: {
  href: string;
  kind?: ButtonProps['kind'];
  children: ComponentChildren;
}) => (
  <a href={href} class={`button ${kind}`}>
    {children}
  </a>
);

/** A framed part of a page, with its heading. */
export const Card = ({ title, id, children }: { title: ComponentChildren; id?: string; children: ComponentChildren }) => (
  <section class="card" id={id}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** A card with an explanation beside it. */
export const Setting = ({ title, about, children }: { title: string; about: ComponentChildren; children: ComponentChildren }) => (
  <section class="card setting">
    <div>
      <h2>{title}</h2>
      <p class="muted small">{about}</p>
    </div>
    <div>{children}</div>
  </section>
);

/** Something that happened, or needs attention. Read out at once when it is bad. */
export const Notice = ({ kind = 'info', children }: { kind?: 'info' | 'good' | 'warning' | 'bad'; children: ComponentChildren }) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** A state in one or two words. */
export const Tag = ({ kind = 'plain', children }: { kind?: 'plain' | 'good' | 'warning' | 'bad'; children: ComponentChildren }) => (
  <span class={`tag ${kind}`}>{children}</span>
);

/** What stands where a list has nothing to show. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

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
