/** Components of pages, besides forms. */
import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  /** `quiet` looks like a link. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly id?: string;
  readonly name?: string;
  readonly value?: string;
  readonly type?: 'submit' | 'button';
  /** The id of the form that it submits, if it is outside of the form. */
  readonly form?: string;
  /** The accessible name, if longer than the text: "Remove laptop". Starts with the text. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

export const Button = ({
  kind = 'primary',
  type = 'submit',
  label,
  children,
  ...rest
}: ButtonProps) => (
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

/** A framed section of a page, with its heading. */
export const Card = ({
  title,
  id,
  children,
}: {
  title: ComponentChildren;
  id?: string;
  children: ComponentChildren;
}) => (
  <section class="card" id={id}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** A card with an explanation beside it. */
export const Setting = ({
  title,
  about,
  children,
}: {
  title: string;
  about: ComponentChildren;
  children: ComponentChildren;
}) => (
  <section class="card setting">
    <div>
      <h2>{title}</h2>
      <p class="muted small">{about}</p>
    </div>
    <div>{children}</div>
  </section>
);

/** A message. Screen readers announce `bad` ones immediately. */
export const Notice = ({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'good' | 'warning' | 'bad';
  children: ComponentChildren;
}) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** A status in one or two words. */
export const Tag = ({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'warning' | 'bad';
  children: ComponentChildren;
}) => <span class={`tag ${kind}`}>{children}</span>;

/** The placeholder of an empty list. */
export const Empty = ({ children }: { children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);
