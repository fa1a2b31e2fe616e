/** The examples of the reference, run as they stand, each language on a database of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../src/rest/routes.js';
import { packageRoot } from '../../src/root.js';
import { openApp, startApp } from '../support/app.js';
import { installClient } from '../support/installed-client.js';
import { freePort } from '../support/server.js';
import { startShell } from '../support/walkthrough.js';
import { programOf, readPage, whoRuns } from './pages.js';

/** What a language needs to run a program, given its file. */
const commands: Readonly<Record<string, (file: string) => string>> = {
  curl: (file) => `bash ${file}`,
  TypeScript: (file) => `cp ${file} program.ts && node program.ts`,
  Python: (file) => `python3 ${file}`,
};

const { directory, run } = startShell();
installClient(directory, 'program.ts', '');

for (const [language, command] of Object.entries(commands)) {
  const port = String(await freePort());
  const app = await startApp({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
  const page = await readPage(app, '/docs');

  describe(language, () => {
    for (const { operation, method } of routes) {
      test(`${operation} does what the page says`, async () => {
        const id = `${operation}-${language}`;
        writeFileSync(join(directory, id), programOf(page, id));
        const printed = await run(
          `export TOKEN=${await app.token(whoRuns(operation))} && ${command(id)}`,
        );
        expect(printed).not.toMatch(/request_id/);
        if (method === 'DELETE')
          return void expect(printed.trim()).toBe(language === 'Python' ? '204' : '');
        const shown = JSON.parse(programOf(page, `${operation}-answer`));
        if (language === 'curl') assertShape(JSON.parse(printed), shown);
        const [record = {}] = [shown.data].flat();
        const names = Object.keys(record);
        expect(names.length).toBeGreaterThan(3);
        expect(names.filter((name) => !printed.includes(name))).toEqual([]);
      });
    }
  });
}

/** The same properties; a list has at least as many records. */
function assertShape(actual: unknown, shown: unknown): void {
  if (typeof shown !== 'object' || shown === null) return;
  if (!Array.isArray(shown))
    expect(Object.keys(actual as object)).toStrictEqual(Object.keys(shown));
  for (const [name, value] of Object.entries(shown))
    assertShape((actual as Record<string, unknown>)[name], value);
}

test('the examples in TypeScript fit the types of the client', async () => {
  await using app = await openApp();
  const page = await readPage(app, '/docs');
  const files = routes.map(({ operation }) => {
    const file = join(directory, 'typed', `${operation}.ts`);
    mkdirSync(join(directory, 'typed'), { recursive: true });
    writeFileSync(file, programOf(page, `${operation}-TypeScript`));
    return file;
  });
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      skipLibCheck: true,
      types: ['node'],
    },
    typeRoots: [join(packageRoot, 'node_modules/@types')],
    paths: { '@lanyard/client': [join(packageRoot, 'clients/typescript/src/index.ts')] },
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  execFileSync(
    process.execPath,
    [join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', directory],
    {
      encoding: 'utf8',
      stdio: 'pipe',
    },
  );
});
