/** The request header `Prefer` (RFC 7240), by which a caller allows what the server may do or leave. */

/** That a query may be read on a standby; in `Preference-Applied`, that it was. */
const standbyPreference = 'read=standby';

/** @param prefer The header, several of them joined by commas. */
export const prefersStandby = (prefer: string | readonly string[] | undefined): boolean =>
  /(^|,)\s*read\s*=\s*("standby"|standby)\s*([,;]|$)/i.test(String(prefer ?? ''));

/** The fields of a response to a query. */
export const appliedPreferences = (isFromStandby: boolean | undefined): Record<string, string> =>
  isFromStandby ? { 'Preference-Applied': standbyPreference } : {};
