/** A result of the doctor. */
export type Level = 'ok' | 'warning' | 'failure';

export interface Finding {
  /** The name of the check. */
  readonly check: string;
  readonly level: Level;
  readonly found: string;
  /** The remedy; omitted when the check passed. */
  readonly remedy?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, level: 'ok', found });
/** Lanyard works, but not optimally. */
export const warning = (check: string, found: string, remedy: string): Finding => ({
  check,
  level: 'warning',
  found,
  remedy,
});
/** Lanyard does not start, or some requests fail. */
export const failure = (check: string, found: string, remedy: string): Finding => ({
  check,
  level: 'failure',
  found,
  remedy,
});

/** The problems, or one `ok` finding without problems. */
export const orOk = (
  problems: readonly Finding[],
  check: string,
  found: string,
): readonly Finding[] => (problems.length > 0 ? problems : [ok(check, found)]);

/** Network errors may have a code, but no message. */
export const messageOf = (error: unknown): string =>
  Error.isError(error)
    ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
    : String(error);
