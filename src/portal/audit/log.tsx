/** An audit log, told in sentences. */
import { type AuditEntry, auditPageSize } from '../../auth/audit.js';
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

function inText(values: readonly unknown[]): string {
  const text = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(', ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const valuesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null || value === '' ? [] : [value]);

export interface AuditLogProps {
  readonly entries: readonly AuditEntry[];
  /** Where the first page is. */
  readonly home: string;
  /** What all the entries are about, or where they happened. */
  readonly about: 'app' | 'organization';
}

export const AuditLog = ({ entries, home, about }: AuditLogProps) => {
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

const Entry = ({ about, ...entry }: AuditEntry & Pick<AuditLogProps, 'about'>) => {
  const { action, by, through, organization, occurredAt, requestId } = entry;
  const subject = about === 'app' ? 'the app' : nounOf(entry);
  const place = about === 'app' && organization ? ` for ${organization}` : '';
  const means = by && through ? ` through ${through}` : '';
  return (
    <li>
      <p>
        <strong>{by ?? through ?? 'The operator'}</strong> {verbs[action] ?? action.replaceAll('_', ' ')} {subject}
        {place}
        {means}{' '}
        <span class="muted small">
          · <Time at={occurredAt} />
          {requestId && ` · request ${requestId}`}
        </span>
      </p>
      <Changes {...entry} />
    </li>
  );
};

/** The name as the log knows it, else the id. */
function nounOf({ subjectType, subjectName, subjectId, changes }: AuditEntry): string {
  if (subjectName) return subjectName;
  const [, name] = changes.title ?? changes.name ?? changes.displayName ?? [];
  return `${inWords(subjectType)} ${typeof name === 'string' && name ? `“${name}”` : subjectId}`;
}

const Changes = ({ changes }: AuditEntry) => {
  const rows = Object.entries(changes).filter(([, [before, after]]) => valuesOf(before).length + valuesOf(after).length > 0);
  if (rows.length === 0) return null;
  const list = (
    <dl class="changes">
      {rows.map(([name, change]) => (
        <div>
          <dt>{inWords(name)}</dt>
          <dd>
            <Difference change={change} />
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

/** Of two lists only what differs. */
const Difference = ({ change: [before, after] }: { change: AuditEntry['changes'][string] }) => {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const gone = inText(was.filter((each) => !is.includes(each)));
  const come = inText(is.filter((each) => !was.includes(each)));
  if (gone && come) {
    return (
      <>
        from <del>{gone}</del> to <ins>{come}</ins>
      </>
    );
  }
  if (gone)
    return (
      <>
        removed <del>{gone}</del>
      </>
    );
  return <ins>{was.length > 0 ? `added ${come}` : come}</ins>;
};
