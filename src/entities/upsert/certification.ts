/** The rules of a bulk upsert of certification records, by external id. */
import { type Certification, datesInOrder, verificationAfter } from '../certification.js';
import { changes, creates, fails, type Plan, type UpsertRow } from './plan.js';

/** What of a row names the holder, and what the type; the first that is given counts. */
export const holderNames = ['organizationMemberId', 'memberExternalId', 'memberEmail'] as const;
export const typeNames = ['certificationTypeId', 'certificationTypeSlug'] as const;

/** What the row's names stand for in the organization. */
export interface Found {
  readonly stored?: Certification | undefined;
  readonly holder?: { readonly id: string; readonly userId: string } | undefined;
  readonly type?: { readonly id: string; readonly status: string } | undefined;
  /** The earlier row with the same key. */
  readonly repeats?: number | undefined;
}

/** The name that the row gives, with its value. */
export const givenName = <Name extends string>(names: readonly Name[], { values }: UpsertRow): Name | undefined =>
  names.find((name) => values[name]);

/**
 * A new record needs a holder and a type; one that is there keeps what the row leaves out. A type that is archived meanwhile stays where it is.
 * @param source How a new record came in.
 */
export function planCertification(row: UpsertRow, { stored, holder, type, repeats }: Found, source: Certification['source']): Plan {
  const problems = { ...row.problems };
  const { externalId, externalSource, ...values } = row.values;
  const refuse = (path: string, sentence: string): void => {
    problems[path] ??= [sentence];
  };
  if (!externalId) refuse('externalId', 'is required: it is the key of the record');
  if (repeats !== undefined) refuse('externalId', `is already the key of row ${repeats}`);

  const holderName = givenName(holderNames, row);
  if (holderName && !holder) refuse(holderName, 'is not a member of this organization');
  const isNameless = (names: readonly string[]) => !names.some((name) => row.values[name] || problems[name]);
  if (!stored && isNameless(holderNames))
    refuse('organizationMemberId', `is required for a new record, or else ${holderNames.slice(1).join(' or ')}`);

  const typeName = givenName(typeNames, row);
  const isUsable = type && (type.status === 'active' || type.id === stored?.certificationTypeId);
  if (typeName && !isUsable) refuse(typeName, 'is not an active certification type that this organization can use');
  if (!stored && isNameless(typeNames)) refuse('certificationTypeId', 'is required for a new record, or else certificationTypeSlug');

  const own = Object.fromEntries(
    ['issuedOn', 'expiresOn', 'issuerName', 'serialNumber'].flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
  const { issuedOn = null, expiresOn = null } = { ...stored, ...own };
  if (!datesInOrder({ issuedOn, expiresOn })) refuse('expiresOn', 'must not be before the day of issue');
  if (Object.keys(problems).length > 0) return fails(problems);

  const wanted = {
    ...own,
    ...(holder && { organizationMemberId: holder.id, userId: holder.userId }),
    ...(type && { certificationTypeId: type.id }),
  };
  if (stored) return changes({ ...stored }, wanted, verificationAfter);
  return creates({
    externalId,
    externalSource: externalSource ?? null,
    issuedOn,
    expiresOn,
    issuerName: null,
    serialNumber: null,
    ...wanted,
    source,
    lifecycleStatus: 'active',
    verificationStatus: 'unverified',
  });
}
