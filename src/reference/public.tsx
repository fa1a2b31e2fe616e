/** Public pages: rendered once, and cached by browsers until they change. */
import { createHash } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import type { ComponentChildren } from 'preact';
import { constantBody } from '../http/compression.js';
import { Frame, type PageOptions, toHtml } from '../pages/page.js';
import { headersOf } from '../pages/security.js';
import { isNamed } from '../rest/preconditions.js';

export type Handle = (ctx: ParameterizedContext) => void | Promise<void>;

const navigation = [
  { href: '/docs/quickstart', text: 'Guides' },
  { href: '/docs', text: 'Reference' },
  { href: '/graphql', text: 'GraphQL' },
  { href: '/dashboard', text: 'Dashboard' },
  { href: '/portal', text: 'Sign in' },
] as const;

/** @param path The path of the page. */
export const publicPage = (
  path: string,
  options: PageOptions,
  children: ComponentChildren,
): Handle => constant('text/html', htmlOf(path, options, children));

/** A complete document in the frame of the public pages. */
export const htmlOf = (path: string, options: PageOptions, children: ComponentChildren): string =>
  toHtml(
    options,
    <Frame kind="public" home="/" navigation={<Navigation current={currentOf(path)} />}>
      {children}
    </Frame>,
  );

/** Makes a value at its first use, and keeps it. */
export function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Creates the handler at the first request, and keeps it. */
export function atFirstUse(make: () => Promise<Handle>): Handle {
  const handle = lazily(make);
  return async (ctx) => (await handle())(ctx);
}

/** Responds with a constant text. */
export function constant(type: string, text: string): Handle {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const bodyFor = constantBody(text);
  // Weak: it is the same with and without compression.
  const headers = { ...headersOf(), 'Cache-Control': 'public, no-cache', ETag: `W/${etag}` };
  return async (ctx) => {
    ctx.vary('Accept-Encoding');
    ctx.set(headers);
    if (isNamed(ctx.headers['if-none-match'], etag)) {
      ctx.status = 304;
      return;
    }
    const { headers: coding, body } = await bodyFor(ctx.req);
    ctx.set(coding);
    ctx.body = body;
    ctx.type = type;
  };
}

/** Guides belong to the navigation entry of the reference. */
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
