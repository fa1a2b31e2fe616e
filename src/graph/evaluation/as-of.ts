/** The as-of parameters: the evaluated day and the time of knowledge. */
import { ArgsType, Field } from 'type-graphql';
import type { Context } from '../../context.js';
import { DateScalar, DateTime } from '../../scalars/scalars.js';

@ArgsType()
export class AsOfArgs {
  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The day (UTC), past or future, to evaluate with all data known now. Revocations, ' +
      'archivals and restorations apply from their effective day; dates, holder, type and ' +
      'verification apply as they are now. A future day is evaluated with the records of today. ' +
      'Requirements, members and job roles are always the current ones. Defaults to today, or ' +
      'to the day of `knownAt`.',
  })
  asOf?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Evaluates with only the data that was recorded by this time. Defaults to the current data.',
  })
  knownAt?: string | null;
}

export interface AsOf {
  /** The UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Any RFC 3339 date-time; null for current knowledge. */
  readonly knownAt: string | null;
  /** Whether the stored records are sufficient, without their history. */
  readonly isPresent: boolean;
}

export function asOfFrom({ today }: Context, { asOf, knownAt }: AsOfArgs): AsOf {
  const day = asOf ?? (knownAt ? new Date(knownAt).toISOString().slice(0, 10) : today);
  return { day, knownAt: knownAt ?? null, isPresent: !knownAt && day >= today };
}

/** Identifies the as-of parameters in cursors; empty for the current state. */
export const asOfIdentity = ({ asOf, knownAt }: AsOfArgs): unknown[] =>
  asOf || knownAt ? [asOf ?? null, knownAt ?? null] : [];
