/**
 * Lists the certifications of an organization that have ended, and says plainly what goes wrong.
 */
import { createLanyard, LanyardError, records } from '@lanyard/client';

const { LANYARD_URL: baseUrl = '', TOKEN = '', ORGANIZATION: organization_id = '' } = process.env;
const lanyard = createLanyard({ baseUrl, token: () => TOKEN });

try {
  const list = records(lanyard, '/v1/organizations/{organization_id}/certifications', {
    params: { path: { organization_id } },
    signal: AbortSignal.timeout(60_000),
  });
  for await (const { validity_status, certification_type, expires_on } of list) {
    if (validity_status === 'expired')
      console.log(`${certification_type.title} ended on ${expires_on}`);
  }
} catch (error) {
  if (!(error instanceof LanyardError)) throw error;
  console.error(`${error.status} ${error.code}: ${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
