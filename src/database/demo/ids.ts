/** Names of the demo set: what documents and tests quote instead of made-up ids. */
import { v5 as uuidv5 } from 'uuid';

const namespace = '7d94c661-ebc8-4920-8fbc-8903ffb344d4';

export type DemoKind = 'organization' | 'user' | 'member' | 'certification-type' | 'qualification' | 'job-role' | 'certification' | 'app';

/**
 * The id of a record of the demo set, the same wherever it is loaded.
 * @param name `skyline-towers` · `admin@skyline.example` · `skyline-towers/climber@skyline.example` (member) · `rf-awareness` (definitions) ·
 *   `skyline-towers/climber@skyline.example/rf-awareness` (certification; its predecessor ends in `/previous`) · `demo-sync` (app)
 */
export const demoId = (kind: DemoKind, name: string): string => uuidv5(`${kind}/${name}`, namespace);
