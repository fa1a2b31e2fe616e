/** Lists that are asked for no field of a record: each still reads its own table. */
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { graphOf } from '../support/graph.js';
import { managerEmail, skylineId } from '../support/names.js';

const app = await startApp();
const manager = graphOf(app, managerEmail);

test('lists asked for their positions alone, one after the other', async () => {
  const args = {
    organizations: 'first: 1',
    certifications: 'first: 1, organizationId: $id',
    jobRoles: 'first: 1, organizationId: $id',
  };
  for (const below of ['pageInfo { endCursor }', 'edges { cursor }', 'nodes { __typename }']) {
    for (const [list, given] of Object.entries(args)) {
      const id = given.includes('$id');
      const data = await manager.data(
        `query ${id ? '($id: ID!)' : ''} { ${list}(${given}) { ${below} } }`,
        id ? { id: skylineId } : {},
      );
      ensure(data[list], `${list} { ${below} }`);
    }
  }
});
