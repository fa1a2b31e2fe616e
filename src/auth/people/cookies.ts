/** Cookies of the sign-in: for this host alone, out of reach of scripts, and not sent along with what other sites post. */
import type { ParameterizedContext } from 'koa';
import type { Config } from '../../config.js';

export type CookieName = 'session' | 'visit';

/** Browsers take `__Host-` only over https; a developer's machine on plain http does without the prefix and `Secure`. */
const isSecure = ({ BASE_URL }: Config): boolean => BASE_URL.startsWith('https:');
const nameOf = (config: Config, name: CookieName): string => `${isSecure(config) ? '__Host-' : ''}lanyard_${name}`;

export const readCookie = (ctx: ParameterizedContext, config: Config, name: CookieName): string | undefined =>
  ctx.cookies.get(nameOf(config, name), { signed: false });

/** Sets the cookie until the browser closes; null removes it. */
export function writeCookie(ctx: ParameterizedContext, config: Config, name: CookieName, value: string | null): void {
  // TLS may end at a proxy: what counts is the address that people use.
  const secure = isSecure(config);
  ctx.cookies.secure = secure;
  // Not signed: the value is random, and means nothing but what the database has under it.
  ctx.cookies.set(nameOf(config, name), value, { httpOnly: true, sameSite: 'lax', path: '/', secure, signed: false, overwrite: true });
}
