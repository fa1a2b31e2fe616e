/** Pages that are the same for everybody: rendered once, and kept by browsers for as long as they stay the same. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import type { ComponentChildren } from 'preact';
import { requireMethod } from '../edge/method.js';
import { Frame, type PageOptions, toHtml } from '../portal/page.js';
import { headersOf } from '../portal/security.js';
import { isNamed } from '../rest/reply.js';

export type Handle = (ctx: ParameterizedContext) => void | Promise<void>;

const navigation = [
  { href: '/docs/quickstart', text: 'Guides' },
  { href: '/docs', text: 'Reference' },
  { href: '/graphql', text: 'GraphQL' },
  { href: '/dashboard', text: 'Dashboard' },
  { href: '/portal', text: 'Portal' },
] as const;

/** @param path Where it is served. */
export function publicPage(path: string, options: PageOptions, children: ComponentChildren): Handle {
  const html = toHtml(
    options,
    <Frame kind="public" home="/" navigation={<Navigation current={currentOf(path)} />}>
      {children}
    </Frame>,
  );
  return constant('text/html', html);
}

/** Makes what answers when somebody asks, and keeps it. */
export function atFirstUse(make: () => Promise<Handle>): Handle {
  let handle: Promise<Handle> | undefined;
  return async (ctx) => {
    handle ??= make();
    return (await handle)(ctx);
  };
}

/** Answers with the same text always. */
export function constant(type: string, text: string): Handle {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const zipped = gzipSync(text);
  // Weak: it holds for the text, compressed or not.
  const headers = { ...headersOf(false), 'Cache-Control': 'public, no-cache', ETag: `W/${etag}` };
  return (ctx) => {
    requireMethod(ctx, 'GET', 'HEAD');
    ctx.vary('Accept-Encoding');
    ctx.set(headers);
    if (isNamed(ctx.headers['if-none-match'], etag)) {
      ctx.status = 304;
      return;
    }
    const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isZipped ? zipped : text;
    ctx.type = type;
  };
}

/** Below the reference stand the guides. */
const currentOf = (path: string): string => (path.startsWith('/docs/') ? navigation[0].href : path);

const Navigation = ({ current }: { current: string }) => (
  <nav aria-label="Lanyard">
    {navigation.map(({ href, text }) => (
      <a href={href} aria-current={href === current ? 'page' : undefined}>
        {text}
      </a>
    ))}
  </nav>
);
