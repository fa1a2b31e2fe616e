/** Collecting garbage on demand, to see what is left. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** A collection of the young generation alone, or of everything. */
export const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc');
