/** An audit log in sentences. */
import { type AuditEntry, auditPageSize } from '../../auth/audit.js';
import { Empty, LinkButton } from '../../pages/components.js';
import { Time } from '../../pages/time.js';
import { Changes, inWords } from './changes.js';

const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  disable: 'disabled',
  enable: 'enabled',
  add_secret: 'added a secret to',
  revoke_secret: 'revoked a secret of',
  revoke_grant: 'ended a sign-in through',
  approve: 'approved',
  revoke_approval: 'revoked the approval of',
  change_password: 'changed the password of',
  set_password: 'set the password of',
  create_link: 'made a one-time link for',
  prove_address: 'proved the e-mail address of',
  lose_address: 'proved, elsewhere, the e-mail address of',
  end_managed: 'ended the management of',
  confirm_passkey: 'confirmed a passkey of',
  add_passkey: 'added a passkey to',
  remove_passkey: 'removed a passkey of',
  sign_in: 'signed in to',
  fail_sign_in: 'failed to sign in to',
  fail_change_password: 'failed to change the password of',
  end_session: 'ended a session of',
  issue_token: 'issued an access token for',
  end_other_sessions: 'ended all other sessions of',
  grant: 'let an app work for',
  end_grant: 'ended a sign-in through an app for',
  fail_authentication: 'gave a wrong secret of',
};

export interface AuditLogProps {
  readonly entries: readonly AuditEntry[];
  /** The path of the first page. */
  readonly home: string;
  /** The common subject or organization of all entries. */
  readonly about: 'app' | 'organization' | 'person';
}

export const AuditLog = ({ entries, home, about }: AuditLogProps) => {
  const last = entries.length === auditPageSize ? entries.at(-1) : undefined;
  return (
    <>
      {entries.length === 0 ? (
        <Empty>There are no events yet.</Empty>
      ) : (
        <ol class="log">
          {entries.map((entry) => (
            <Entry {...entry} about={about} />
          ))}
        </ol>
      )}
      {last && (
        <p class="actions">
          <LinkButton href={`${home}?before=${last.id}`} kind="plain">
            Older
          </LinkButton>
        </p>
      )}
    </>
  );
};

const Entry = ({ about, ...entry }: AuditEntry & Pick<AuditLogProps, 'about'>) => {
  const { action, by, through, organization, occurredAt, requestId } = entry;
  const subject =
    about === 'app'
      ? 'the app'
      : about === 'person' && entry.subjectType === 'User'
        ? 'this account'
        : nounOf(entry);
  const place = about !== 'organization' && organization ? ` for ${organization}` : '';
  const means = by && through ? ` through ${through}` : '';
  return (
    <li>
      <p>
        <strong>{by ?? through ?? (requestId ? 'Someone' : 'The operator')}</strong>{' '}
        {verbs[action] ?? action.replaceAll('_', ' ')} {subject}
        {place}
        {means}
      </p>
      <p class="muted small">
        <Time at={occurredAt} />
        {requestId && (
          <>
            {' '}
            · request <code>{requestId}</code>
          </>
        )}
      </p>
      <Changes {...entry} />
    </li>
  );
};

/** The name in the log, else the id. */
function nounOf({ subjectType, subjectName, subjectId, changes }: AuditEntry): string {
  if (subjectName) return subjectName;
  const [, name] = changes.title ?? changes.name ?? changes.displayName ?? [];
  return `${inWords(subjectType)} ${typeof name === 'string' && name ? `“${name}”` : subjectId}`;
}
