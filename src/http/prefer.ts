/** The request header `Prefer` (RFC 7240). */

/** Allows a query on a standby; in `Preference-Applied`, the query ran there. */
const standbyPreference = 'read=standby';

/** Maximum `max-age` in seconds. */
const maxAgeLimit = 300;

export interface StandbyPreference {
  /** Milliseconds before the request in which commits may be missing; 0 for none. */
  readonly maxAgeMs: number;
}

/**
 * The preference for a standby, if it is in the list. A `max-age` that is no number from 1 to 300 is
 * ignored, as RFC 7240 requires.
 * @param prefer The header's value; several are joined by commas.
 */
export function standbyPreferenceOf(
  prefer: string | readonly string[] | undefined,
): StandbyPreference | undefined {
  const found = /(?:^|,)\s*read\s*=\s*(?:"standby"|standby)\s*((?:;[^,]*)?)(?:,|$)/i.exec(
    String(prefer ?? ''),
  );
  if (!found) return undefined;
  const [, given] = /;\s*max-age\s*=\s*"?(\d{1,3})"?\s*(?:;|$)/i.exec(found[1] ?? '') ?? [];
  const seconds = Number(given ?? 0);
  return { maxAgeMs: seconds <= maxAgeLimit ? seconds * 1000 : 0 };
}

/** The header fields of a response to a query. */
export const appliedPreferences = (isFromStandby: boolean | undefined): Record<string, string> =>
  isFromStandby ? { 'Preference-Applied': standbyPreference } : {};
