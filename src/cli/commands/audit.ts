/** The command that reads the audit. */
import { listAudit } from '../operations/audit.js';
import type { Command } from '../usage.js';
import { commandsOn, type WithDatabase } from './on.js';

export function auditCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  return {
    'audit list': commandsOn(withDatabase)(
      {
        does: 'list audit events, newest first, also those outside of organizations, such as sign-ins and new keys',
        usage:
          '[--person E-MAIL] [--app CLIENT_ID] [--organization SLUG] [--since TIME] [--limit N]',
        explains: {
          '--person': 'only actions of this user, and changes of the account',
          '--app': 'only actions through this app, and changes of it',
          '--organization': 'only events of this organization',
          '--since': 'only since this day or instant: 2026-03-01, 2026-03-01T09:30:00Z',
          '--limit': 'the maximum number, up to 1000; default: 50',
        },
        example: '--person climber@skyline.example --since 2026-03-01',
        json: 'events[] { id, occurred_at, action, subject_type, subject_id, organization, person, app, request_id, changes[] { property, from, to } }',
      },
      (db, values) => listAudit(db, values),
    ),
  };
}
