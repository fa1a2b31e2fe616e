/**
 * The TypeScript client in a folder, where programs of the docs find it as after an installation.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';

/** Puts the client and a program that uses it into the folder. */
export function installClient(directory: string, program: string, text: string): void {
  const folder = join(directory, 'node_modules/@lanyard');
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(packageRoot, 'clients/typescript'), join(folder, 'client'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, program), text);
}
