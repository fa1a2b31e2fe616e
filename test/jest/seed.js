/**
 * Random tests make the same values in every run, so that a run of CI can be repeated. `FUZZ_SEED`
 * chooses others: a number, or `random` for new ones each time.
 */
import fc from 'fast-check';

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(FUZZ_SEED);
if (!Number.isInteger(seed))
  throw new Error(`FUZZ_SEED is "${FUZZ_SEED}"; it must be an integer, or random.`);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
