/** Names of the demo set, from which its ids derive: documents and tests quote them. */
import { parse, v5 as uuidv5 } from 'uuid';

/**
 * As bytes, like the name below: uuid converts strings one character at a time, and the set has
 * thousands of ids.
 */
const namespace = parse('7d94c661-ebc8-4920-8fbc-8903ffb344d4');

/** Each with an example of its name. */
export type DemoKind =
  | 'organization' // skyline-towers
  | 'user' // admin@skyline.example
  | 'member' // skyline-towers/climber@skyline.example
  | 'certification-type' // rf-awareness
  | 'qualification' // night-crew
  | 'job-role' // gin-pole-operator
  | 'certification' // skyline-towers/climber@skyline.example/rf-awareness; its predecessor ends in /previous
  | 'app' // demo-sync
  | 'audit-event' // the id of the subject, and the instant
  | 'request'; // likewise

/** The id of a record of the demo set, the same wherever it is loaded. */
export const demoId = (kind: DemoKind, name: string): string =>
  uuidv5(Buffer.from(`${kind}/${name}`), namespace);
