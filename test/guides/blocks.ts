/**
 * The code of a guide: each fenced block stands below the path of its file, and is the whole file
 * or a diff of it.
 */

export interface Block {
  readonly path: string;
  /** `diff` for lines to change; any other language for a file that is new. */
  readonly language: string;
  readonly text: string;
}

const named = /^`([^`\n]+)`\n\n```(\w+)\n(.*?)^```$/gms;

export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(named)].map(([, path = '', language = '', text = '']) => ({
    path,
    language,
    text,
  }));

/**
 * @param old The file as it is; undefined when there is none.
 * @returns The file as the block has it.
 * @throws {Error} when a new file is there already, a file to change is not, or the lines around a
 * change are not in it exactly once.
 */
export function apply({ path, language, text }: Block, old: string | undefined): string {
  if (language !== 'diff') {
    if (old !== undefined) throw new Error(`${path} is there already.`);
    return text;
  }
  if (old === undefined) throw new Error(`There is no ${path} to change.`);
  return text.split(/^@@\n/m).reduce((file, hunk) => applyHunk(path, file, hunk), old);
}

/** The lines of a hunk begin with a blank, `-` or `+`, as those of a diff. */
function applyHunk(path: string, file: string, hunk: string): string {
  const lines = hunk.split(/(?<=\n)/);
  const without = (sign: string): string =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('');
  const [before, after, whole] = [`\n${without('+')}`, `\n${without('-')}`, `\n${file}`];
  const place = whole.indexOf(before);
  if (place < 0 || place !== whole.lastIndexOf(before))
    throw new Error(`${path} must have these lines once:${before}`);
  return `${whole.slice(0, place)}${after}${whole.slice(place + before.length)}`.slice(1);
}
