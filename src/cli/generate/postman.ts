/**
 * Generates a Postman collection (format 2.1) from the OpenAPI document. Its requests succeed with
 * the token of any admin or manager of the demo organization.
 */
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly example?: unknown;
}

interface Example {
  readonly description?: string;
  readonly content?: { readonly 'application/json': { readonly example?: unknown } };
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Example;
}

export interface Described {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Certifications of the caller: the examples of other paths are those of another member. */
const ownCertifications = '/v1/certifications';

/** The list of the caller's certifications stores the id of the first for the other requests. */
const storeOwnId = [
  'const [first] = pm.response.json().data;',
  "if (first) pm.collectionVariables.set('own_certification_id', first.id);",
];

/**
 * The collection, with a folder for each resource.
 * @param ownCertificationId A certification of the person whose token the documents use.
 */
export function buildPostman(
  { info, paths }: Described,
  baseUrl: string,
  ownCertificationId: string,
) {
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      folder: folderOf(path),
      item: {
        name: operation.summary,
        ...(path === ownCertifications &&
          method === 'get' && { event: [{ listen: 'test', script: { exec: storeOwnId } }] }),
        request: requestOf(path, method, operation),
      },
    })),
  );
  const folders = Object.entries(Object.groupBy(requests, ({ folder }) => folder));
  return {
    info: {
      name: `${info.title} ${info.version}`,
      description:
        'Set the variable `token` to an access token of an admin or manager (docs/authentication.md), and `base_url` to your server. The ids are those of the demo data. `own_certification_id` is a certification of the caller: the request that lists them sets it.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: baseUrl },
      { key: 'token', value: '' },
      { key: 'own_certification_id', value: ownCertificationId },
    ],
    item: folders.map(([name, members = []]) => ({ name, item: members.map(({ item }) => item) })),
  };
}

/** The resource that a path ends in: `Job roles` for `…/job-roles/{job_role_id}`. */
function folderOf(path: string): string {
  const last = path.split('/').findLast((part) => !part.startsWith('{')) ?? path;
  return `${last.charAt(0).toUpperCase()}${last.slice(1).replaceAll('-', ' ')}`;
}

function requestOf(path: string, method: string, operation: Operation) {
  const parameters = operation.parameters ?? [];
  const isOwn = path.startsWith(ownCertifications);
  const of = (place: string) =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, example, description }) => ({
        key: name,
        value:
          isOwn && name === 'certification_id' ? '{{own_certification_id}}' : String(example ?? ''),
        description,
      }));
  const segments = path.slice(1).replaceAll('{', ':').replaceAll('}', '').split('/');
  const example = operation.requestBody?.content?.['application/json'].example;
  // Without a member, the record is one of the caller.
  const body = isOwn && example ? { ...example, organization_member_id: undefined } : example;
  const isCreate = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
  return {
    method: method.toUpperCase(),
    description: operation.description,
    // A new key for each request; send the same key again to retry.
    header: isCreate ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : [],
    url: {
      raw: `{{base_url}}/${segments.join('/')}`,
      host: ['{{base_url}}'],
      path: segments,
      query: of('query').map((each) => ({ ...each, disabled: true })),
      variable: of('path'),
    },
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(body, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  };
}
