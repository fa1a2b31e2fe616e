/** GraphQL Code Generator with its client preset, for the served schema. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildClientSchema, getIntrospectionQuery, parse, print, printSchema } from 'graphql';
import { readOperations } from '../../src/rest/operations.js';
import { packageRoot } from '../../src/root.js';
import type { Body } from '../support/app.js';
import { documents, record, recordOfClimber, serveTools } from './served.js';
import { describeTool } from './works.js';

const served = await serveTools();
// Below the packages that the generated files import.
const folder = mkdtempSync(join(packageRoot, 'dist', 'codegen-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Uses the generated types: a misspelt field or variable would not compile. */
const program = `
import { graphql } from './gql/gql.js';
import type { RecordQuery, RecordQueryVariables } from './gql/graphql.js';

export const document = graphql(${JSON.stringify(documents.record)});
export const variables: RecordQueryVariables = ${JSON.stringify(record)};
export const nameOf = (data: RecordQuery): string => {
  const { id, issuerName } = data.certification;
  const name: string | null | undefined = issuerName;
  return \`\${id} \${name ?? ''}\`;
};
// @ts-expect-error The schema has no such field.
export const nothing = (data: RecordQuery) => data.certification.nothing;
// @ts-expect-error The id is required.
export const missing: RecordQueryVariables = { organizationId: '' };
`;

async function generate(): Promise<void> {
  const { body } = await served.app.graphql(getIntrospectionQuery());
  const schemaAst = buildClientSchema(body.data);
  const sources = [print(readOperations()), documents.record].map((rawSDL, index) => ({
    document: parse(rawSDL),
    rawSDL,
    location: `${index}.ts`,
  }));
  const files = await preset.buildGeneratesSection({
    baseOutputDir: './gql/',
    schema: parse(printSchema(schemaAst)),
    schemaAst,
    documents: sources,
    plugins: [],
    pluginMap: {},
    presetConfig: {},
    config: { documentMode: 'string', useTypeImports: true, emitLegacyCommonJSImports: false },
  } as Parameters<typeof preset.buildGeneratesSection>[0]);
  mkdirSync(join(folder, 'gql'));
  for (const file of files) {
    const text = await codegen(file);
    writeFileSync(join(folder, file.filename), text);
  }
  writeFileSync(join(folder, 'main.ts'), program);
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    types: [],
    outDir: 'out',
    rootDir: '.',
  };
  const options = { compilerOptions, files: ['main.ts', 'gql/index.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}

/** @returns What the compiler says of the generated files. */
function compile(): string {
  const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    return execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout: unknown }).stdout);
  }
}

await generate();
const compiled = compile();

describeTool('GraphQL Code Generator', (works) => {
  works('schema', async () => {
    expect(compiled).toBe('');
  });

  works('query', async () => {
    const main: Body = await import(pathToFileURL(join(folder, 'out', 'main.js')).href);
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { ...served.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: String(main.document), variables: main.variables }),
    });
    const { data } = (await response.json()) as Body;
    expect(main.nameOf(data)).toContain(recordOfClimber);
  });
});
