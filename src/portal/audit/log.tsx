/** An audit log, told in sentences. */
import { type AuditEntry, auditPageSize } from '../../auth/apps/audit.js';
import { LinkButton, Time } from '../components.js';

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
  add_passkey: 'added a passkey to',
  remove_passkey: 'removed a passkey of',
};

/** `certificationTypeId` → `certification type id`. */
const inWords = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

const longest = 200;

function inText(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing';
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** @param home Where the first page is. @param noun Left out where every event is about one thing, which the page names. */
export const AuditLog = ({ entries, home, about }: { entries: readonly AuditEntry[]; home: string; about: 'app' | 'organization' }) => {
  const last = entries.length === auditPageSize ? entries.at(-1) : undefined;
  return (
    <>
      {entries.length === 0 && <p class="muted">Nothing yet.</p>}
      <ol class="log">
        {entries.map((entry) => (
          <Entry {...entry} about={about} />
        ))}
      </ol>
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

const Entry = ({ about, ...entry }: AuditEntry & { about: 'app' | 'organization' }) => {
  const { action, by, through, organization, occurredAt, changes } = entry;
  const subject = about === 'app' ? 'the app' : nounOf(entry);
  const place = about === 'app' && organization ? ` for ${organization}` : '';
  const means = through ? ` through ${through}` : '';
  return (
    <li>
      <p>
        <strong>{by ?? 'The operator'}</strong> {verbs[action] ?? action.replaceAll('_', ' ')} {subject}
        {place}
        {means} <span class="muted small">· <Time at={occurredAt} /></span>
      </p>
      <Changes {...entry} changes={changes} />
    </li>
  );
};

const nounOf = ({ subjectType, subjectName, subjectId }: AuditEntry): string =>
  subjectName || `${inWords(subjectType)} ${subjectId.length > 36 ? '' : subjectId}`.trim();

const Changes = ({ action, changes }: AuditEntry) => {
  const rows = Object.entries(changes).filter(([, [before, after]]) => inText(before) !== inText(after));
  if (rows.length === 0) return null;
  const isNew = action === 'create';
  const list = (
    <dl class="changes">
      {rows.map(([name, [before, after]]) => (
        <div>
          <dt>{inWords(name)}</dt>
          <dd>
            {!isNew && before !== null && (
              <>
                <del>{inText(before)}</del>{' '}
              </>
            )}
            <ins>{inText(after)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
  if (rows.length <= 4) return list;
  return (
    <details>
      <summary>{rows.length} values</summary>
      {list}
    </details>
  );
};
