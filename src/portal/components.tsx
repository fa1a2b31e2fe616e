/** What pages are built of, besides forms. */
import type { ComponentChildren } from 'preact';

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
