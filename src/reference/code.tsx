/** Code blocks of requests and responses. */
import { Highlighted } from './highlight.js';

export interface CodeProps {
  readonly id: string;
  /** The accessible name of the copy button's object: `the curl request`. */
  readonly what: string;
  /** `sh`, `json`: decides the colors. */
  readonly language: string;
  readonly text: string;
}

/** With a copy button, where scripts run (public/copy.js). */
export const Code = ({ id, what, language, text }: CodeProps) => (
  <div class="program">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
    <pre id={id} tabIndex={0}>
      <Highlighted language={language} text={text} />
    </pre>
    <button type="button" class="button plain" data-copy={id} aria-label={`Copy ${what}`} hidden>
      Copy
    </button>
  </div>
);

export const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);
