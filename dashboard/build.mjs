/** Bundles the dashboard for browsers. The names get a hash of the content, so that they may be cached for good. */
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

const outdir = 'dist/dashboard';
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['dashboard/main.tsx'],
  outdir,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  sourcemap: true,
  format: 'esm',
  target: 'es2022',
  // Addresses of the portal's own assets stay as they are.
  external: ['/assets/*'],
});
