/**
 * Bundles what runs in browsers. The names get a hash of the content, so that they may be cached
 * for good.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

const outdir = 'dist/browser';
const common = {
  outdir,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  // Addresses of the portal's own assets stay as they are.
  external: ['/assets/*'],
};
await rm(outdir, { recursive: true, force: true });
await Promise.all([
  build({ ...common, entryPoints: ['dashboard/dashboard.tsx'], sourcemap: true }),
  // Without source maps: those of GraphiQL are several times its size.
  build({
    ...common,
    entryPoints: ['explorer/graphiql.ts', 'explorer/sandbox.ts', 'explorer/try.tsx'],
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'linked',
  }),
]);
// koa-static sends the .br or .gz beside a file where the browser takes it.
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
const compressed = {
  br: (content) => promisify(brotliCompress)(content, { params }),
  gz: promisify(gzip),
};
const names = (await readdir(outdir)).filter((name) => /\.(js|css)$/.test(name));
await Promise.all(
  names.flatMap((name) =>
    Object.entries(compressed).map(async ([ending, compress]) => {
      const content = await compress(await readFile(join(outdir, name)));
      await writeFile(join(outdir, `${name}.${ending}`), content);
    }),
  ),
);
