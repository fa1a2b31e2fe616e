/** docs/errors.md: every error that a client can meet, from the tables that make them. */
import { taken } from '../edge/failure.js';
import { type Guidance, guidance } from '../errors/guidance.js';
import { type ErrorCode, errorCodes, statusOf } from '../errors.js';
import { snakeCase } from '../graph/dialect.js';
import { exampleError } from '../rest/openapi/responses.js';

const introduction = `# Errors

REST answers an error with its HTTP status and the body \`{"error": {"code", "message", "details", "request_id"}}\`. In GraphQL the same error stands in
\`errors\`: the code in upper case, \`details\` and \`request_id\` are under \`extensions\`. A GraphQL answer has the status of the error when nothing was run, such as
401 without a token. An error of one field comes with status 200, beside what the other fields answer.

- Decide by the code. The message is for people, and its words may change. New codes may be added: treat one that you don't know by its status.
- \`details\` is there where the text of the code names it.
- \`request_id\` is also in the header \`X-Request-Id\`. Quote it when you report a problem.
- With 429 and 503 comes \`Retry-After\`, in seconds (in GraphQL also \`extensions.retry_after\`).

The token endpoint and the others below \`/auth/v1/oauth\` answer as OAuth does: [Authentication](authentication.md#when-something-fails).

To change this page, change \`src/errors.ts\` or \`src/errors/guidance.ts\`, and run \`npm run generate\`.
`;

const retries: Record<Guidance['retry'], string> = {
  no: 'No. The same request gets the same answer.',
  later: 'Yes, after a pause.',
  after: 'Yes, once it is fixed.',
};

export const writeErrorCatalogue = (): string => `${[introduction, overview(), ...errorCodes.map(section)].join('\n')}`;

const overview = (): string => `## All codes

| Status | Code | Try again? |
| ------ | ---- | ---------- |
${errorCodes.map((code) => `| ${statusOf(code)} | [\`${code}\`](#${code}) | ${retries[guidance[code].retry].replace(/\..*/, '')} |`).join('\n')}
`;

const section = (code: ErrorCode): string => {
  const { when, advice, retry } = guidance[code];
  return `## \`${code}\`

Status ${statusOf(code)}, in GraphQL \`${code.toUpperCase()}\`.

- **When:** ${when}
- **What to do:** ${advice}
- **Try again?** ${retries[retry]}

\`\`\`json
${JSON.stringify(exampleError(code), null, 2)}
\`\`\`
${code === 'conflict' ? takenValues() : ''}`;
};

const takenValues = (): string => `
| \`details.field\` | Message |
| --------------- | ------- |
${Object.values(taken)
  .map(([field, message]) => `| \`${snakeCase(field)}\` | ${message} |`)
  .join('\n')}
`;
