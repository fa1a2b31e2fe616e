/** docs/errors.md: every error code, from the tables of the code. */

import { type ErrorCode, errorCodes, statusOf } from '../../errors.js';
import { snakeCase } from '../../graph/input/dialect.js';
import { taken } from '../../http/error-mapping.js';
import { type Guidance, guidance } from '../../rest/openapi/error-guidance.js';
import { exampleError } from '../../rest/openapi/responses.js';

const introduction = `# Errors

REST answers an error with its HTTP status and the body \`{"error": {"code", "message", "details", "request_id"}}\`. In GraphQL the same error is in
\`errors\`: the code in upper case, \`details\` and \`request_id\` are in \`extensions\`. If nothing was executed, the response has the
status of the error, such as 401 without a token. An error of a field has status 200. If the field is non-null, the enclosing object
or all data is null.

- Branch on the code. The message is for people and may change. New codes may be added: handle unknown ones by their status.
- \`details\` is present if the description of the code names it.
- \`request_id\` is also in the header \`X-Request-Id\`. Quote it when you report a problem.
- 429 and 503 have \`Retry-After\`, in seconds (in GraphQL also \`extensions.retry_after\`).

The endpoints below \`/auth/v1/oauth\` return errors in the format of OAuth: [Authentication](authentication.md#handling-errors).

To change this page, change \`src/errors.ts\` or \`src/rest/openapi/error-guidance.ts\`, and run \`npm run generate\`.
`;

const retries: Record<Guidance['retry'], string> = {
  no: 'No. The same request gets the same response.',
  later: 'Yes, after a pause.',
  after: 'Yes, after a correction.',
};

export const writeErrorCatalogue = (): string =>
  `${[introduction, overview(), ...errorCodes.map(section)].join('\n')}`;

const overview = (): string => `## All codes

| Status | Code | Retry |
| ------ | ---- | ----- |
${errorCodes.map((code) => `| ${statusOf(code)} | [\`${code}\`](#${code}) | ${retries[guidance[code].retry].replace(/\..*/, '')} |`).join('\n')}
`;

const section = (code: ErrorCode): string => {
  const { when, advice, retry } = guidance[code];
  return `## \`${code}\`

Status ${statusOf(code)}, in GraphQL \`${code.toUpperCase()}\`.

- **Cause:** ${when}
- **What to do:** ${advice}
- **Retry:** ${retries[retry]}

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
