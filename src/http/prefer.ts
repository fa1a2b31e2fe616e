/** The request header `Prefer` (RFC 7240). */

/** Allows a query on a standby; in `Preference-Applied`, the query ran there. */
const standbyPreference = 'read=standby';

/** @param prefer The header's value; several are joined by commas. */
export const prefersStandby = (prefer: string | readonly string[] | undefined): boolean =>
  /(^|,)\s*read\s*=\s*("standby"|standby)\s*([,;]|$)/i.test(String(prefer ?? ''));

/** The header fields of a response to a query. */
export const appliedPreferences = (isFromStandby: boolean | undefined): Record<string, string> =>
  isFromStandby ? { 'Preference-Applied': standbyPreference } : {};
