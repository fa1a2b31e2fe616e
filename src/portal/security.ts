/** What browsers may do with our pages: nothing from elsewhere, nothing inline, in nobody's frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * The header fields of a page.
 * @param leadsAway `form-action` holds for the whole chain of redirects after a form, and so would stop a sign-in that ends at an app.
 */
export const headersOf = (leadsAway: boolean): Record<string, string> => ({
  'Content-Security-Policy': [...policy, ...(leadsAway ? [] : ["form-action 'self'"])].join('; '),
  'X-Frame-Options': 'DENY',
  // Not `no-referrer`: with it, browsers send forms with "Origin: null".
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});
