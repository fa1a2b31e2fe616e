/**
 * The TypeScript client in a folder, where programs of the docs find it as after an installation.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/root.js';

/** Puts the client and a program that uses it into the folder. */
export function installClient(directory: string, program: string, text: string): void {
  const folder = join(directory, 'node_modules/@lanyard/client');
  const built = pathToFileURL(join(packageRoot, 'dist/clients/typescript/src/index.js'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(folder, 'index.js'), `export * from '${built}';`);
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, program), text);
}
