/** Fits text to the width of a terminal. */
import { createRequire } from 'node:module';
import type measure from 'string-width';

let loaded: typeof measure | undefined;

/**
 * Loaded on demand: it compiles large expressions, and most processes, in particular servers, do
 * not need it.
 */
function stringWidth(text: string): number {
  loaded ??= createRequire(import.meta.url)('string-width').default as typeof measure;
  return loaded(text);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Truncates the text to `columns`, with `…` at the end. */
export function fit(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - stringWidth(text)));

/**
 * Wraps the text to `columns`; a longer word gets its own line.
 * @param indent Prefix of all lines but the first.
 */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && stringWidth(`${indent}${last} ${word}`) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indent}`);
}
