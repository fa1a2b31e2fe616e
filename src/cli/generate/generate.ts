/**
 * Generates the committed files: the schemas, the operations of the dashboard, the errors and the
 * links of the docs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLSchema, isObjectType, lexicographicSortSchema, printSchema } from 'graphql';
import { readConfig } from '../../config.js';
import { demoId } from '../../demo/ids.js';
import { scopesOf } from '../../graph/access.js';
import { schema } from '../../graph/schema.js';
import { buildOpenApi } from '../../rest/openapi.js';
import { readEndpoints } from '../../rest/operations.js';
import { packageRoot } from '../../root.js';
import { commands } from '../command-table.js';
import { writeCommands } from './commands.js';
import { writeErrorCatalogue } from './error-catalogue.js';
import { writeExplorerLinks } from './explorer-links.js';
import { writeOperations } from './operations.js';
import { buildPostman, type Described } from './postman.js';
import type { Document } from './python/document.js';
import { writePythonModels } from './python/models.js';
import { writePythonOperations } from './python/operations.js';

const managersCertificationId = demoId(
  'certification',
  'skyline-towers/manager@skyline.example/nwsa-foreman',
);

/** The text of each generated file, by its path in the package. */
export function generate() {
  const schemaText = `${printSchema(withScopes(lexicographicSortSchema(schema)))}\n`;
  const baseUrl = readConfig({}).BASE_URL;
  const openApi = `${JSON.stringify(buildOpenApi(readEndpoints(), baseUrl), null, 2)}\n`;
  const document: Document & Described = JSON.parse(openApi);
  return {
    'schema/schema.graphql': schemaText,
    'schema/openapi.json': openApi,
    'schema/postman.json': `${JSON.stringify(buildPostman(document, baseUrl, managersCertificationId), null, 2)}\n`,
    'clients/python/src/lanyard/models.py': writePythonModels(document),
    'clients/python/src/lanyard/operations.py': writePythonOperations(document),
    'dashboard/operations.ts': writeOperations(schema, readDashboard(), {
      files: 'operations/*.graphql',
      module: './api.js',
    }),
    'clients/graphql/schema.graphql': schemaText,
    'clients/graphql/src/operations.ts': writeOperations(schema, readQueries(), {
      files: 'docs/dashboards.md',
      module: './types.js',
    }),
    'docs/errors.md': writeErrorCatalogue(),
    'docs/cli.md': writeCommands(read('docs/cli.md'), commands),
    'docs/dashboards.md': writeExplorerLinks(read('docs/dashboards.md')),
  };
}

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

/** The operations of the guide, as one document. */
const readQueries = (): string =>
  [...read('docs/dashboards.md').matchAll(/^```graphql\n([^`]+)^```$/gm)]
    .map(([, text]) => text)
    .join('\n');

const readDashboard = (): string =>
  readdirSync(join(packageRoot, 'dashboard/operations'))
    .sort()
    .map((file) => read(join('dashboard/operations', file)))
    .join('\n');

/**
 * Writes the files of {@link generate}.
 * @returns The paths.
 */
export function writeGenerated(): string[] {
  const files = Object.entries(generate());
  for (const [path, text] of files) writeFileSync(join(packageRoot, path), text);
  return files.map(([path]) => path);
}

/**
 * Adds the required scopes to the description of each field. Sorting copied the schema, so the
 * executed schema is not affected.
 */
function withScopes(copy: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(copy.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(field) ?? [];
      if (scopes.length > 0)
        field.description = `${field.description} Scope: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
    }
  }
  return copy;
}
