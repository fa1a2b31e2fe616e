/** The Markdown pages of the repository, and the blocks of code in them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { packageRoot } from '../../src/root.js';

/** Every Markdown file that is there and not ignored, by its path in the repository. */
export const markdownFiles = (): string[] =>
  execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.md'],
    {
      cwd: packageRoot,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => file && isThere(file));

const isThere = (file: string): boolean => {
  try {
    return readText(file) !== '';
  } catch {
    return false;
  }
};

export const readText = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');

/** The parts of a page in order, those of lists too. */
export const partsOf = (text: string): Token[] => flatten(lexer(text));

const flatten = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => {
    if (token.type === 'list')
      return (token as Tokens.List).items.flatMap((item) => flatten(item.tokens));
    return token.type === 'space' || token.type === 'def' ? [] : [token];
  });

/** A block of code. */
export interface Block {
  /** `sh`, `json` */
  readonly language: string;
  /** The name that follows the language, of a program. */
  readonly file: string;
  readonly text: string;
  /** The block right above, with nothing between. */
  readonly above: Block | undefined;
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let above: Block | undefined;
  for (const token of partsOf(text)) {
    if (token.type === 'code') {
      const [language = '', file = ''] = (token.lang ?? '').split(' ');
      above = { language, file, text: `${token.text}\n`, above };
      blocks.push(above);
    } else above = undefined;
  }
  return blocks;
}
