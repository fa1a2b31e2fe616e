/** The files that pages load. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParameterizedContext } from 'koa';
import mount from 'koa-mount';
import serve from 'koa-static';
import { packageRoot } from '../root.js';
import { bundleFolder } from './dashboard/bundle.js';

/** The files of public/, the bundle of the dashboard, and the browser half of the passkey library as its package ships it. */
export function createAssets(): (ctx: ParameterizedContext) => Promise<void> {
  const options = { maxAge: 300_000 };
  const library = fileURLToPath(new URL('.', import.meta.resolve('@simplewebauthn/browser')));
  const passkeys = mount('/assets/simplewebauthn', serve(library, options));
  // The names have a hash of the content in them: what has the name never changes.
  const dashboard = mount('/assets/dashboard', serve(bundleFolder, { maxAge: 31_536_000_000, immutable: true }));
  const own = mount('/assets', serve(join(packageRoot, 'public'), options));
  return async (ctx) => {
    try {
      await passkeys(ctx as never, () => dashboard(ctx as never, () => own(ctx as never, async () => {})));
    } catch (error) {
      // A path that leads out of the folder, or isn't one.
      if (((error as { status?: number }).status ?? 500) >= 500) throw error;
      ctx.status = 404;
    }
  };
}
