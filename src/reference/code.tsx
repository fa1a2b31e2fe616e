/** Code blocks of requests and responses. */

export interface CodeProps {
  readonly id: string;
  /** The accessible name of the copy button's object: `the curl request`. */
  readonly what: string;
  readonly text: string;
}

/** With a copy button, where scripts run (public/copy.js). */
export const Code = ({ id, what, text }: CodeProps) => (
  <div class="program">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
    <pre id={id} tabIndex={0}>
      {text}
    </pre>
    <button type="button" class="button plain" data-copy={id} aria-label={`Copy ${what}`} hidden>
      Copy
    </button>
  </div>
);

export const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
