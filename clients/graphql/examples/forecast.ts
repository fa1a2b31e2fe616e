/** Prints who loses a qualification within 90 days, and the cost of the query. */
import { createLanyardGraphQL, Forecast, LanyardGraphQLError } from '@lanyard/graphql';

const { LANYARD_URL: baseUrl = '', TOKEN = '', ORGANIZATION: organizationId = '' } = process.env;
const lanyard = createLanyardGraphQL({ baseUrl, token: () => TOKEN });

try {
  const { data, cost } = await lanyard.run(Forecast, { organizationId, days: 90 });
  for (const { organizationMember, qualification, lostOn } of data.qualificationForecast.nodes)
    console.log(`${organizationMember.displayName} loses ${qualification.name} on ${lostOn}`);
  console.log(`cost ${cost?.requested} of ${cost?.limit}`);
} catch (error) {
  if (!(error instanceof LanyardGraphQLError)) throw error;
  console.error(`${error.code}: ${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
