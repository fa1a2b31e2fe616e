/** The files that pages load. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import mount from 'koa-mount';
import serve from 'koa-static';
import { ApiError } from '../errors.js';
import { createRouter } from '../http/router.js';
import { bundleFolder } from '../pages/bundle.js';
import { packageRoot } from '../root.js';

/**
 * The files of public/, the browser bundles, and the browser part of the passkey library from its
 * package.
 */
export function createAssets(): Router {
  const options = { maxAge: 300_000 };
  const library = fileURLToPath(new URL('.', import.meta.resolve('@simplewebauthn/browser')));
  const passkeys = mount('/assets/simplewebauthn', serve(library, options));
  // The names contain a hash of the content, so the content of a name never changes.
  const bundles = mount(
    '/assets/browser',
    serve(bundleFolder, { maxAge: 31_536_000_000, immutable: true }),
  );
  const own = mount('/assets', serve(join(packageRoot, 'public'), options));
  const router = createRouter();
  const missing = () => {
    throw new ApiError('not_found', 'There is no such file.');
  };
  const refuse: Middleware = async (ctx, next) => {
    ctx.vary('Accept-Encoding');
    try {
      await next();
    } catch (error) {
      if (((error as { status?: number }).status ?? 500) >= 500) throw error;
      // Also for malformed paths and paths outside of the folder.
      missing();
    }
  };
  router.register('/assets/*path', ['GET'], [refuse, passkeys, bundles, own, missing], {
    name: '/assets/*',
  });
  return router;
}
