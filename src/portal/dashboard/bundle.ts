/** What esbuild made of dashboard/. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../root.js';

export const bundleFolder = join(packageRoot, 'dist', 'dashboard');

interface Bundle {
  /** Paths below /assets/. The names change with the content. */
  readonly script: string;
  readonly style: string;
}

let found: Bundle | undefined;

/** @throws When `npm run build` has not been run. */
export function bundle(): Bundle {
  found ??= { script: nameOf('.js'), style: nameOf('.css') };
  return found;
}

function nameOf(ending: string): string {
  const name = readdirSync(bundleFolder).find((file) => file.startsWith('main-') && file.endsWith(ending));
  if (!name) throw new Error(`${bundleFolder} has no main-*${ending}: run "npm run build".`);
  return `dashboard/${name}`;
}
