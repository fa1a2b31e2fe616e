/** The names under which sessions prepare statements. */
import { hash } from 'node:crypto';

/** Texts that get a name in each session. Past that a text is parsed at each use: a session's memory must not grow with what clients select. */
const mostNames = 500;
const names = new Map<string, string>();

/** The same name for the same text in every process, so that sessions shared through a pooler never mix two texts up. '' for a text that gets none. */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= mostNames) return '';
    name = hash('sha256', text, 'base64url');
    names.set(text, name);
  }
  return name;
}
