/**
 * What a process runs that test files share: loading the application and the modules of test/support, and making their code fast, happens once. All other
 * modules of the tests are loaded for each file anew, so that none finds what another left in them.
 */
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { suite } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Milliseconds after which a file that still loads has failed: node:test's own limit is for tests alone. */
const patience = 600_000;

/**
 * Runs the files one after the other, each as a suite: its root hooks run before and after its own tests, and what is wrong with one is no other's failure.
 * @param files By the name that each is reported under, its absolute path.
 */
export async function runFiles(files: Readonly<Record<string, string>>): Promise<void> {
  registerHooks({ resolve });
  let running: string | undefined;
  process.on('exit', () => running && writeSync(process.stderr.fd, `The process ended while it ran ${running}.\n`));
  for (const [name, path] of Object.entries(files)) {
    running = name;
    const { href } = Object.assign(pathToFileURL(path), { search: name });
    await suite(name, () => Promise.race([import(href), giveUp()]));
    running = undefined;
  }
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;
const tests = new URL('..', import.meta.url).href;

/** A module that is a file's own has the name of that file in its URL. */
const resolve: Resolve = (specifier, context, next) => {
  const found = next(specifier, context);
  const { search } = new URL(context.parentURL ?? import.meta.url);
  const isOwn = search !== '' && found.url.startsWith(tests) && !found.url.startsWith(`${tests}support/`);
  return isOwn ? { ...found, url: found.url + search } : found;
};

async function giveUp(): Promise<never> {
  await delay(patience, undefined, { ref: false });
  throw new Error(`It still loads after ${patience / 1000} s.`);
}
