/** A request as a program, which runs once TOKEN is an access token. */
import type { Route } from '../rest/routes.js';

/** A sample request, which each sample (curl, TypeScript, Python) shows. */
export interface ExampleRequest {
  readonly baseUrl: string;
  readonly method: Route['method'];
  /** The path template: `/v1/certifications/{certification_id}`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, number>>;
  /** Besides `Authorization` and `Content-Type`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Sample {
  readonly language: string;
  readonly text: string;
}

/** In the order of their tabs. */
export const samplesOf = (request: ExampleRequest): Sample[] => [
  { language: 'curl', text: curl(request) },
  { language: 'TypeScript', text: typescript(request) },
  { language: 'Python', text: python(request) },
];

function addressOf({ baseUrl, path, parameters, query }: ExampleRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  return (
    baseUrl +
    path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '') +
    (search && `?${search}`)
  );
}

export function curl(request: ExampleRequest): string {
  const { method, headers, body } = request;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${quoted(addressOf(request))}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

function typescript({
  baseUrl,
  method,
  path,
  parameters,
  query,
  headers,
  body,
}: ExampleRequest): string {
  const isEmpty = (value: object) => Object.keys(value).length === 0;
  const params = {
    ...(!isEmpty(parameters) && { path: parameters }),
    ...(!isEmpty(query) && { query }),
  };
  const input = {
    ...(!isEmpty(params) && { params }),
    ...(body !== undefined && { body }),
    ...(!isEmpty(headers) && { headers }),
  };
  const call = `await lanyard.${method.toLowerCase()}(${text(path)}${isEmpty(input) ? '' : `, ${literal(input, javascript)}`})`;
  return `import { createLanyard } from '@lanyard/client';

const lanyard = createLanyard({ baseUrl: ${text(baseUrl)}, token: () => process.env.TOKEN ?? '' });

${method === 'DELETE' ? `${call};` : `const answer = ${call};\nconsole.log(answer.data);`}
`;
}

function python(request: ExampleRequest): string {
  const { method, headers, body } = request;
  const fields = [
    `'Authorization': f"Bearer {os.environ['TOKEN']}",`,
    ...Object.entries(headers).map(([name, value]) => `${text(name)}: ${text(value)},`),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ];
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${text(addressOf(request))},
    method='${method}',
    headers={
${fields.map((field) => `        ${field}`).join('\n')}
    },${body === undefined ? '' : `\n    data=json.dumps(${literal(body, pythonic, 1)}).encode(),`}
)
with urllib.request.urlopen(request) as response:
    ${method === 'DELETE' ? 'print(response.status)' : 'print(json.load(response))'}
`;
}

interface Dialect {
  readonly indent: string;
  /** The name of a property. */
  readonly key: (name: string) => string;
  /** A value other than a string, list or object. */
  readonly atom: (value: unknown) => string;
}

/** A single-quoted literal, equal in both languages. */
const text = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

const javascript: Dialect = {
  indent: '  ',
  key: (name) => (/^\w+$/.test(name) ? name : text(name)),
  atom: String,
};

const pythonic: Dialect = {
  indent: '    ',
  key: text,
  atom: (value) =>
    value === null
      ? 'None'
      : typeof value === 'boolean'
        ? value
          ? 'True'
          : 'False'
        : String(value),
};

function literal(value: unknown, dialect: Dialect, depth = 0): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return dialect.atom(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((each) => literal(each, dialect, depth + 1))
    : Object.entries(value).map(
        ([name, each]) => `${dialect.key(name)}: ${literal(each, dialect, depth + 1)}`,
      );
  const inner = dialect.indent.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${dialect.indent.repeat(depth)}${close}`;
}
