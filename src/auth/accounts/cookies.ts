/** Sign-in cookies: `__Host-` prefix, `HttpOnly`, and `SameSite=Lax`. */
import type { ParameterizedContext } from 'koa';
import type { Config } from '../../config.js';

export type CookieName = 'session' | 'visit' | 'device';

/**
 * Browsers accept `__Host-` only over https; a development server on plain http omits the prefix
 * and `Secure`.
 */
const isSecure = ({ BASE_URL }: Config): boolean => BASE_URL.startsWith('https:');
const cookieName = (config: Config, name: CookieName): string =>
  `${isSecure(config) ? '__Host-' : ''}lanyard_${name}`;

export const readCookie = (
  ctx: ParameterizedContext,
  config: Config,
  name: CookieName,
): string | undefined => ctx.cookies.get(cookieName(config, name), { signed: false });

/** Sets a session cookie; null removes it. */
export function writeCookie(
  ctx: ParameterizedContext,
  config: Config,
  name: CookieName,
  value: string | null,
): void {
  // A proxy may terminate TLS, so the public URL decides.
  const secure = isSecure(config);
  ctx.cookies.secure = secure;
  // Not signed: the value is random, and only a key of the database.
  ctx.cookies.set(cookieName(config, name), value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    signed: false,
    overwrite: true,
  });
}

/** The value of a cookie with this server's signature; otherwise undefined. */
export const readSignedCookie = (
  ctx: ParameterizedContext,
  config: Config,
  name: CookieName,
): string | undefined => ctx.cookies.get(cookieName(config, name), { signed: true });

/** @param maxAge In milliseconds. */
export function writeSignedCookie(
  ctx: ParameterizedContext,
  config: Config,
  name: CookieName,
  value: string,
  maxAge: number,
): void {
  const secure = isSecure(config);
  ctx.cookies.secure = secure;
  ctx.cookies.set(cookieName(config, name), value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    signed: true,
    overwrite: true,
    maxAge,
  });
}
