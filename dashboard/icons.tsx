/** Icons of Lucide, drawn inline: the page's policy allows no other images. */
import type { IconNode } from 'lucide';
import { h } from 'preact';

/** Decoration beside a text; a screen reader skips it. */
export const Icon = ({ of }: { of: IconNode }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {of.map(([tag, attributes], index) => h(tag, { ...attributes, key: index }))}
  </svg>
);
