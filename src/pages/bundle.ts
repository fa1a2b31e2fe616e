/** The output of esbuild for dashboard/ and explorer/ (dashboard/build.mjs). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../root.js';

export const bundleFolder = join(packageRoot, 'dist', 'browser');

const found = new Map<string, string>();

/**
 * The path below /assets/ of a bundled file, which contains a hash of its content.
 * @param entry The name of an entry point: `graphiql`.
 * @param ending `.js` or `.css`.
 * @throws when `npm run build` has not been run.
 */
export function bundled(entry: string, ending: '.js' | '.css'): string {
  const known = found.get(entry + ending);
  if (known) return known;
  const name = readdirSync(bundleFolder).find(
    (file) => file.startsWith(`${entry}-`) && file.endsWith(ending),
  );
  if (!name) throw new Error(`${bundleFolder} has no ${entry}-*${ending}: run "npm run build".`);
  found.set(entry + ending, `browser/${name}`);
  return `browser/${name}`;
}
