/** The client of Lanyard. */
export {
  type Call,
  createLanyard,
  type InputOf,
  type Lanyard,
  type LanyardOptions,
  type OutputOf,
} from './client.js';
export { type ErrorCode, LanyardError } from './errors.js';
export { type ListPath, pages, type RecordOf, records } from './pages.js';
export type * from './schema.js';
export { type Batch, type FollowOptions, follow, type SyncPath } from './sync.js';
export { type RefreshOptions, refreshingTokens, type TokenSource, type Tokens } from './tokens.js';
