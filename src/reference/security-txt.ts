/** /.well-known/security.txt (RFC 9116): where to report a vulnerability. */
import type { Config } from '../config.js';
import type { Handle } from './public.js';

/** Validity of the text in days; the RFC recommends less than a year. */
const validDays = 180;
const dayMs = 86_400_000;

export const securityTxt = ({ BASE_URL, SECURITY_CONTACT }: Config): Handle => {
  const contact = SECURITY_CONTACT ?? `mailto:security@${new URL(BASE_URL).hostname}`;
  return (ctx) => {
    // The same text for a whole day, from every process.
    const expires = new Date((Math.floor(Date.now() / dayMs) + validDays) * dayMs)
      .toISOString()
      .replace('.000Z', 'Z');
    ctx.type = 'text/plain; charset=utf-8';
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${BASE_URL}/.well-known/security.txt\n`;
  };
};
