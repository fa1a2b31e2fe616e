import { fileURLToPath } from 'node:url';

/** The folder of package.json, from the compiled files in dist/src. */
export const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
