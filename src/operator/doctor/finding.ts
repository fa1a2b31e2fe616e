/** What the doctor has to say of one thing. */
export type Level = 'ok' | 'warning' | 'failure';

export interface Finding {
  /** What was looked at. */
  readonly check: string;
  readonly level: Level;
  readonly found: string;
  /** What to do about it; nothing when all is well. */
  readonly remedy?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, level: 'ok', found });
/** Lanyard serves, but not as it could or should. */
export const warning = (check: string, found: string, remedy: string): Finding => ({ check, level: 'warning', found, remedy });
/** Lanyard doesn't start, or answers some or all requests wrongly. */
export const failure = (check: string, found: string, remedy: string): Finding => ({ check, level: 'failure', found, remedy });

/** What was found wrong, or that nothing was. */
export const orOk = (problems: readonly Finding[], check: string, found: string): readonly Finding[] =>
  problems.length > 0 ? problems : [ok(check, found)];

/** Errors of the network may have no message, only a code. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code ?? error.name) : String(error);
