/** Prints the changes of an organization as they happen. Interrupted, it continues. */
import { createLanyardGraphQL, Follow } from '@lanyard/graphql';

const { LANYARD_URL: baseUrl = '', TOKEN = '', ORGANIZATION: organizationId = '' } = process.env;
const lanyard = createLanyardGraphQL({ baseUrl, token: () => TOKEN });

// Store each position, and pass the last one as `after` when the program starts again.
for await (const { data, position } of lanyard.stream(Follow, { organizationId }))
  console.log(
    position,
    data.changes.nodes.map(({ kind, resourceType }) => `${kind} ${resourceType}`),
  );
