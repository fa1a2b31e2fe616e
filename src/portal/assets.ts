/** The files that pages load. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParameterizedContext } from 'koa';
import mount from 'koa-mount';
import serve from 'koa-static';
import { packageRoot } from '../root.js';

/** The files of public/, and the browser half of the passkey library as its package ships it. */
export function createAssets(): (ctx: ParameterizedContext) => Promise<void> {
  const options = { maxAge: 300_000 };
  const library = fileURLToPath(new URL('.', import.meta.resolve('@simplewebauthn/browser')));
  const passkeys = mount('/assets/simplewebauthn', serve(library, options));
  const own = mount('/assets', serve(join(packageRoot, 'public'), options));
  return async (ctx) => {
    try {
      await passkeys(ctx as never, () => own(ctx as never, async () => {}));
    } catch (error) {
      // A path that leads out of the folder, or isn't one.
      if (((error as { status?: number }).status ?? 500) >= 500) throw error;
      ctx.status = 404;
    }
  };
}
