/** The rules of a bulk upsert of certification records, by external id. */
import type { Certification } from '../../entities/certification.js';
import {
  certificateProperties,
  datesInOrder,
  emptyCertificate,
  verificationAfter,
} from '../validity.js';
import { changes, creates, fails, type Plan, type UpsertRow } from './plan.js';

/** The properties that identify the holder and the type. The first one given applies. */
export const holderNames = ['organizationMemberId', 'memberExternalId', 'memberEmail'] as const;
export const typeNames = ['certificationTypeId', 'certificationTypeSlug'] as const;

/** The stored records that a row refers to. */
export interface Found {
  readonly stored?: Certification | undefined;
  readonly holder?: { readonly id: string; readonly userId: string } | undefined;
  readonly type?: { readonly id: string; readonly status: string } | undefined;
  /** The earlier row with the same key. */
  readonly repeats?: number | undefined;
}

/** The first of the names that has a value in the row. */
export const givenName = <Name extends string>(
  names: readonly Name[],
  { values }: UpsertRow,
): Name | undefined => names.find((name) => values[name]);

/**
 * A new record requires a holder and a type; an existing one keeps what the row omits, even a type
 * that was archived.
 * @param source The source of a new record.
 */
export function planCertification(
  row: UpsertRow,
  { stored, holder, type, repeats }: Found,
  source: Certification['source'],
): Plan {
  const problems = { ...row.problems };
  const { externalId, externalSource, ...values } = row.values;
  const addProblem = (path: string, sentence: string): void => {
    problems[path] ??= [sentence];
  };
  if (!externalId) addProblem('externalId', 'is required: it is the key of the record');
  if (repeats !== undefined) addProblem('externalId', `is already the key of row ${repeats}`);

  const holderName = givenName(holderNames, row);
  if (holderName && !holder) addProblem(holderName, 'is not a member of this organization');
  const isNameless = (names: readonly string[]) =>
    !names.some((name) => row.values[name] || problems[name]);
  if (isNameless(holderNames)) {
    // Null may come from a failed lookup, after which the record must not silently keep its holder.
    const empty = holderNames.find((name) => row.values[name] === null);
    if (!stored)
      addProblem(
        'organizationMemberId',
        `is required for a new record, unless ${holderNames.slice(1).join(' or ')} is given`,
      );
    else if (empty) addProblem(empty, 'must not be empty: omit it to keep the holder');
  }

  const typeName = givenName(typeNames, row);
  const isUsable = type && (type.status === 'active' || type.id === stored?.certificationTypeId);
  if (typeName && !isUsable)
    addProblem(typeName, 'is not an active certification type that this organization can use');
  if (!stored && isNameless(typeNames))
    addProblem(
      'certificationTypeId',
      'is required for a new record, unless certificationTypeSlug is given',
    );

  const own = Object.fromEntries(
    certificateProperties.flatMap((name) =>
      values[name] === undefined ? [] : [[name, values[name]]],
    ),
  );
  const { issuedOn = null, expiresOn = null } = { ...stored, ...own };
  if (!datesInOrder({ issuedOn, expiresOn }))
    addProblem('expiresOn', 'must not be before the day of issue');
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
    ...emptyCertificate,
    ...wanted,
    source,
    lifecycleStatus: 'active',
    verificationStatus: 'unverified',
  });
}
