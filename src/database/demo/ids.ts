/** Names of the demo set: what documents and tests quote instead of made-up ids. */
import { parse, v5 as uuidv5 } from 'uuid';

/** As bytes, as the name is below: uuid would turn texts into bytes one character at a time, and the set has thousands of ids. */
const namespace = parse('7d94c661-ebc8-4920-8fbc-8903ffb344d4');

/** Each with a name of its kind. */
export type DemoKind =
  | 'organization' // skyline-towers
  | 'user' // admin@skyline.example
  | 'member' // skyline-towers/climber@skyline.example
  | 'certification-type' // rf-awareness
  | 'qualification' // night-crew
  | 'job-role' // gin-pole-operator
  | 'certification' // skyline-towers/climber@skyline.example/rf-awareness; its predecessor ends in /previous
  | 'app'; // demo-sync

/** The id of a record of the demo set, the same wherever it is loaded. */
export const demoId = (kind: DemoKind, name: string): string => uuidv5(Buffer.from(`${kind}/${name}`), namespace);
