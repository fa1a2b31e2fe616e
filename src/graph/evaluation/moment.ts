/** The day that an answer is about, and the knowledge that it is from. */
import { ArgsType, Field } from 'type-graphql';
import type { Context } from '../../context.js';
import { DateScalar, DateTime } from '../scalars.js';

@ArgsType()
export class MomentArgs {
  @Field(() => DateScalar, {
    nullable: true,
    description:
      'What is true on this day (UTC), past or future: a past day sees lifecycle and verification as they then were, a future day the records of today. Today, or the day of `knownAt`, when left out. Requirements, members and job roles are those of today.',
  })
  asOf?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'What was known at this instant: only what had been recorded by then. What is known now when left out.',
  })
  knownAt?: string | null;
}

export interface Moment {
  /** The UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** Any RFC 3339; null for what is known now. */
  readonly knownAt: string | null;
  /** Whether the stored records answer, without their history. */
  readonly isPresent: boolean;
}

export function momentOf({ today }: Context, { asOf, knownAt }: MomentArgs): Moment {
  const day = asOf ?? (knownAt ? new Date(knownAt).toISOString().slice(0, 10) : today);
  return { day, knownAt: knownAt ?? null, isPresent: !knownAt && day >= today };
}

/** What tells a list at one moment from the same list at another; nothing for the present. */
export const identityOfMoment = ({ asOf, knownAt }: MomentArgs): unknown[] => (asOf || knownAt ? [asOf ?? null, knownAt ?? null] : []);
