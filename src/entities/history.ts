/**
 * The history of a certification record answers two questions. «What was true on that day»: lifecycle and verification as they then were; what was
 * corrected since (dates, issuer, type, holder) holds backwards, for a correction says how it had been all along. «What was known then»: the same,
 * from only the versions that had been recorded by that instant.
 */
import type { Certification } from './certification.js';

/** What a certification record says, for an evaluation. */
export type Evidence = Pick<
  Certification,
  | 'organizationMemberId'
  | 'certificationTypeId'
  | 'source'
  | 'issuedOn'
  | 'expiresOn'
  | 'issuerName'
  | 'lifecycleStatus'
  | 'verificationStatus'
  | 'verificationMethod'
> & { readonly certificationId: string };

/** A record as it was after one change. */
export interface Version extends Evidence {
  /** The instant of the change, its stamp. */
  readonly recordedAt: string;
  /** The UTC day (`YYYY-MM-DD`) from which on the change of lifecycle or verification holds. */
  readonly effectiveOn: string;
}

/** What moves in time. Each group changes on its own: a check entered late doesn't bring back what was archived meanwhile. */
const timelines = [['lifecycleStatus'], ['verificationStatus', 'verificationMethod']] as const;

/**
 * What was true of a record on a day (`YYYY-MM-DD`, UTC).
 * @param versions Those of one record that were known, oldest first.
 * @returns Undefined when the record was not there yet, or not known.
 */
export function replay(versions: readonly Version[], asOf: string): Evidence | undefined {
  const [first] = versions;
  const last = versions.at(-1);
  if (!first || !last || first.effectiveOn > asOf) return undefined;
  const { recordedAt, effectiveOn, ...evidence } = last;
  return Object.assign(evidence, ...timelines.map((properties) => inEffect(versions, asOf, properties)));
}

/**
 * The properties by the change that was in effect. Each change holds from its day on, over all that was recorded before it; so the newest
 * of those whose day had come decides.
 */
function inEffect(versions: readonly Version[], asOf: string, properties: readonly (keyof Evidence)[]): Partial<Evidence> {
  const changes = versions.filter(
    (version, index) => version.effectiveOn <= asOf && properties.some((name) => version[name] !== versions[index - 1]?.[name]),
  );
  const deciding = changes.at(-1) ?? versions[0];
  return Object.fromEntries(properties.map((name) => [name, deciding?.[name]]));
}
