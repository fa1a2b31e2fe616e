/** Every command of the operator leaves its events, and no others. */
import { auditCommands } from '../../../src/cli/commands/audit.js';
import { catalogueCommands } from '../../../src/cli/commands/catalogue.js';
import { directoryCommands } from '../../../src/cli/commands/directory.js';
import type { WithDatabase } from '../../../src/cli/commands/on.js';
import { serviceCommands } from '../../../src/cli/commands/service.js';
import { fail } from '../../support/expect.js';
import { climberEmail } from '../../support/names.js';
import { app, db, expectEvents, operator, startAudited } from './people.js';

await startAudited();

describe('a command of the operator', () => {
  const onDatabase: WithDatabase = (_, work) => work(db);
  const commands = {
    ...directoryCommands(onDatabase),
    ...serviceCommands(onDatabase),
    ...auditCommands(onDatabase),
    ...catalogueCommands(onDatabase),
  };
  const given = {
    config: app.config,
    environment: {},
    notify: () => {},
    signal: AbortSignal.abort(),
  };
  const cases: Readonly<
    Record<string, readonly [values: Record<string, string>, ...events: string[]]>
  > = {
    'org create': [
      { name: 'Ridge', admin: 'ada@ridge.example' },
      'Invitation create_link sentBy',
      'Organization create isPublisher,name,slug,status',
      'OrganizationMember create displayName,email,isPrimary,role,status,userId',
    ],
    'org invite': [{ SLUG: 'ridge', email: 'ada@ridge.example' }, 'Invitation create_link sentBy'],
    'user create': [
      { email: 'new@ridge.example', name: 'New' },
      'User create displayName,email',
      'User create_link purpose',
    ],
    'user verify': [{ 'E-MAIL': climberEmail }],
    'user reset-password': [{ 'E-MAIL': climberEmail }, 'User create_link purpose'],
    'user disable': [{ 'E-MAIL': climberEmail }, 'User disable status'],
    'user enable': [{ 'E-MAIL': climberEmail }, 'User enable status'],
    'user list': [{}],
    'org list': [{}],
    'apps list': [{}],
    'apps show': [{ CLIENT_ID: 'demo-sync' }],
    'keys list': [{}],
    'apps disable': [{ CLIENT_ID: 'demo-sync' }, 'App disable status'],
    'apps enable': [{ CLIENT_ID: 'demo-sync' }, 'App enable status'],
    'apps first-party': [{ CLIENT_ID: 'demo-sync' }, 'App update isFirstParty'],
    'dashboard enable': [{}, 'App create apiScopes,redirectUris'],
    'graphiql enable': [{}, 'App create apiScopes,redirectUris'],
    'reference enable': [{}, 'App create apiScopes,redirectUris'],
    'keys rotate': [{}, ...Array(3).fill('SigningKey rotate kid,purpose')],
    'org publisher': [{ SLUG: 'skyline-towers' }, 'Organization update isPublisher'],
    'catalogue load': [{}],
    purge: [{}],
    'audit list': [{}],
  };

  for (const [name, command] of Object.entries(commands)) {
    test(name, async () => {
      const [values, ...events] =
        cases[name] ?? fail(`test/security/audit/operator.test.ts has no ${name}: add it`);
      await expectEvents(events, operator, async () => command.run({ ...given, values }));
    });
  }
});
