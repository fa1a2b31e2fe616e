/** Content security policy: nothing from elsewhere, nothing inline, no framing. */
const policy = ["connect-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"];

/** The origin of Apollo Sandbox's code. */
export const sandboxOrigin = 'https://sandbox.embed.apollographql.com';

/**
 * Device features that neither pages nor their frames need. Passkeys are restricted to our origin.
 */
const permissions = [
  ...[
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
  ],
  ...['payment', 'screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
].map((feature) => `${feature}=()`);

export interface PagePolicy {
  /**
   * Whether a form of the page may lead to an app. `form-action` applies to the whole redirect
   * chain after a form, and would block a sign-in that ends at an app. An app that opened the
   * sign-in in a popup waits for that window, which COOP would disconnect.
   */
  readonly leadsAway?: boolean;
  /** The one origin that this page may frame. */
  readonly frames?: string;
  /**
   * GraphiQL embeds fonts in its style sheet and creates style elements, which need this nonce.
   * They cannot run code.
   */
  readonly styleNonce?: string | undefined;
}

/** The header fields of a page. */
export const headersOf = ({
  leadsAway = false,
  frames,
  styleNonce,
}: PagePolicy = {}): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleNonce ? ` 'nonce-${styleNonce}'` : ''}`,
    `img-src 'self'${styleNonce ? ' data:' : ''}`,
    ...(styleNonce ? ['font-src data:'] : []),
    ...policy,
    ...(frames ? [`frame-src ${frames}`] : []),
    ...(leadsAway ? [] : ["form-action 'self'"]),
  ].join('; '),
  ...(!leadsAway && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
  'Permissions-Policy': [
    'publickey-credentials-create=(self)',
    'publickey-credentials-get=(self)',
    ...permissions,
  ].join(', '),
  'X-Frame-Options': 'DENY',
  // Not `no-referrer`: with it, browsers send forms with "Origin: null".
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
});
