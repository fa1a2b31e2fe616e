/** The blocks of the documents that no test runs as they stand, and why. */
export interface Exception {
  readonly page: string;
  /** How they begin; nothing: all of the page. */
  readonly begins: string;
  readonly because: string;
}

const needsAnEngine =
  'It needs a container engine or a cluster. Tests of test/deploy read the files that it names.';

export const exceptions: readonly Exception[] = [
  {
    page: 'README.md',
    begins: 'npm ci && npm start',
    because: 'It serves until it is stopped: test/start.test.ts.',
  },
  {
    page: 'README.md',
    begins: 'export DATABASE_URL=',
    because: 'It names a database of yours: test/cli does this on one of its own.',
  },
  { page: 'README.md', begins: 'npm ci && npm test', because: 'It is what runs the tests.' },
  { page: 'README.md', begins: 'schema/', because: 'It is a map of the folders.' },
  {
    page: 'docs/quickstart.md',
    begins: 'npm ci && npm start',
    because: 'It serves until it is stopped: test/start.test.ts.',
  },
  {
    page: 'docs/graphql.md',
    begins: 'const sse = createClient({',
    because: 'It needs a function of yours: test/tools/sse.test.ts creates the same client.',
  },
  { page: 'docs/deployment.md', begins: 'POSTGRES_PASSWORD=', because: needsAnEngine },
  { page: 'docs/deployment.md', begins: 'kubectl create', because: needsAnEngine },
  {
    page: 'docs/add-a-resource.md',
    begins: '',
    because:
      'Its blocks are a change of the source: test/guides/add-a-resource.test.ts applies them all.',
  },
  {
    page: 'docs/monitoring.md',
    begins: 'scrape_configs:',
    because: 'It belongs into the configuration of Prometheus, which npm does not bring.',
  },
  { page: 'docs/monitoring.md', begins: 'GET /v1/', because: 'It is a drawing of a trace.' },
  {
    page: 'docs/api.md',
    begins: 'PATCH /v1/',
    because: 'It is a header of a request: test/rest/preconditions.test.ts sends it.',
  },
  {
    page: 'docs/cli.md',
    begins: '',
    because: 'It is made from the commands, and compared: test/rest/openapi.test.ts.',
  },
  {
    page: 'docs/errors.md',
    begins: '{\n  "error"',
    because: 'It is made from the code, and compared: test/rest/openapi.test.ts.',
  },
];
