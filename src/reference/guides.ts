/** The pages of docs/, as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../root.js';

export interface Guide {
  /** Where it is served. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const folder = join(packageRoot, 'docs');

export const readGuides = (): Guide[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { path: `/docs/${file}`, title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
    });
