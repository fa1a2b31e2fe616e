/** One member: memberships, job roles, results, certifications and their history. */
import { ArrowLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.js';
import { formatDay, formatExactly, formatMoment, t } from './language.js';
import { type PersonData, Person as PersonOperation } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Export, Go, Notice, Print } from './parts.js';
import { inWords, lookOf, Sign } from './standing.js';
import type { View } from './view.js';

type Member = PersonData['organizationMember'];
type Result = Member['qualificationResults']['nodes'][number];
type Record = Member['certifications']['nodes'][number];

/** @param id The membership. */
export function Person({ organizationId, day, id, isManager }: View & { id: string }) {
  const person = usePages(
    PersonOperation,
    { organizationId, memberId: id, asOf: day },
    (data) => data.organizationMember.certifications.pageInfo.nextCursor,
  );
  return (
    <>
      {isManager ? (
        <p class="back">
          <Go to={{ person: '' }}>
            <Icon of={ArrowLeft} /> {t.person.back}
          </Go>
        </p>
      ) : (
        <Notice>{t.person.onlyOwn}</Notice>
      )}
      <Answer of={person} lines={10}>
        {({ organizationMember: member }, pages) => {
          const records = pages.flatMap((page) => page.organizationMember.certifications.nodes);
          return (
            <div class="person">
              <Membership member={member} />
              <Results member={member} id={id} day={day} isManager={isManager} />
              <Records records={records} name={member.displayName} day={day} />
              <History records={records} />
            </div>
          );
        }}
      </Answer>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Membership = ({ member }: { member: Member }) => (
  <section class="card">
    <div class="card-head">
      <h2 class="person-name">
        <bdi>{member.displayName}</bdi>
      </h2>
      <div class="tools">
        <Print />
      </div>
    </div>
    <dl class="facts">
      <Fact name={t.person.jobRoles}>
        {member.jobRoles.length === 0
          ? t.person.noJobRoles
          : member.jobRoles.map(({ jobRole, isPrimary, assignedAt }) => (
              <span key={jobRole.id} class="line-of">
                {jobRole.name}
                {isPrimary && member.jobRoles.length > 1 && (
                  <span class="tag">{t.person.main}</span>
                )}{' '}
                <span class="muted">{t.person.assigned(dayOf(assignedAt))}</span>
              </span>
            ))}
      </Fact>
      <Fact name={t.person.role}>{roleOf(member.role)}</Fact>
      <Fact name={t.person.status}>{t.person.statuses[member.status]}</Fact>
      <Fact name={t.person.memberSince}>{dayOf(member.createdAt)}</Fact>
      <Fact name={t.person.email}>{member.email}</Fact>
      {member.externalId && <Fact name={t.person.externalId}>{member.externalId}</Fact>}
    </dl>
  </section>
);

/** The name of a role; a role that only the organization knows is shown as it is. */
const roleOf = (role: string): string =>
  Object.hasOwn(t.person.roles, role) ? t.person.roles[role as keyof typeof t.person.roles] : role;

/** The day (UTC) of an instant. */
const dayOf = (at: string): string => formatDay(at.slice(0, 10));

const byName = (one: Result, other: Result) =>
  one.qualification.name.localeCompare(other.qualification.name);

const Results = ({
  member,
  id,
  day,
  isManager,
}: {
  member: Member;
  id: string;
  day: string;
  isManager: boolean;
}) => {
  const required = new Set(
    member.jobRoles.flatMap(({ jobRole }) => jobRole.qualifications.map((each) => each.id)),
  );
  const nodes = [...member.qualificationResults.nodes].sort(byName);
  const needed = nodes.filter(({ qualificationId }) => required.has(qualificationId));
  const others = nodes.filter(({ qualificationId }) => !required.has(qualificationId));
  return (
    <Card title={isManager ? t.person.qualifications : t.person.own}>
      {nodes.length === 0 ? (
        <Empty>{t.person.noQualifications}</Empty>
      ) : needed.length === 0 ? (
        <Empty>{t.person.noJobRole}</Empty>
      ) : (
        <ResultList results={needed} id={id} day={day} />
      )}
      {others.length > 0 && (
        <details>
          <summary>
            {t.person.others} <span class="muted">({others.length})</span>
          </summary>
          <ResultList results={others} id={id} day={day} />
        </details>
      )}
    </Card>
  );
};

const ResultList = ({
  results,
  id,
  day,
}: {
  results: readonly Result[];
  id: string;
  day: string;
}) => (
  <ul class="rows standing">
    {results.map((result) => (
      <li key={result.qualificationId}>
        <div class="result">
          <Sign look={lookOf(result, day)} />
          <div>
            <strong>{result.qualification.name}</strong>
            <p class="muted small">{inWords(result)}</p>
          </div>
        </div>
        <Go
          to={{ member: id, qualification: result.qualificationId }}
          class="button plain"
          label={t.whyOf(result.qualification.name)}
        >
          {t.why}
        </Go>
      </li>
    ))}
  </ul>
);

const Records = ({
  records,
  name,
  day,
}: {
  records: readonly Record[];
  name: string;
  day: string;
}) => (
  <Card
    title={t.person.certifications}
    aside={
      <div class="tools">
        <Export name={`${name} ${day}`} rows={() => rowsOf(records)} />
      </div>
    }
  >
    {records.length === 0 ? (
      <Empty>{t.person.noCertifications}</Empty>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
      <section class="scroller whole" tabIndex={0} aria-label={t.person.certifications}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{t.certification}</th>
              <th scope="col">{t.lastDay}</th>
              <th scope="col">{t.person.state}</th>
              <th scope="col" class="extra">
                {t.person.issued}
              </th>
              <th scope="col" class="extra">
                {t.person.serial}
              </th>
              <th scope="col" class="extra">
                {t.issuer}
              </th>
              <th scope="col" class="extra">
                {t.person.source}
              </th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <tr key={record.id}>
                <th scope="row">{record.certificationType.title}</th>
                <td class="day">{record.expiresOn && formatDay(record.expiresOn)}</td>
                <td>
                  <State {...record} />
                </td>
                <td class="extra day">{record.issuedOn && formatDay(record.issuedOn)}</td>
                <td class="extra">{record.serialNumber}</td>
                <td class="extra">{record.issuerName}</td>
                <td class="extra">{t.record.source[record.source]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
  </Card>
);

const validityKinds = { VALID: 'good', EXPIRING: 'warning', EXPIRED: 'bad', UNKNOWN: '' } as const;
const verificationKinds = { VERIFIED: 'good', FAILED: 'bad', PENDING: '', UNVERIFIED: '' } as const;

const State = ({ lifecycleStatus, validityStatus, verificationStatus }: Record) => (
  <span class="tags">
    {lifecycleStatus === 'ACTIVE' ? (
      <span class={`tag ${validityKinds[validityStatus]}`}>
        {t.record.validity[validityStatus]}
      </span>
    ) : (
      <span class="tag">{t.record.lifecycle[lifecycleStatus]}</span>
    )}
    <span
      class={`tag ${lifecycleStatus === 'ACTIVE' ? verificationKinds[verificationStatus] : ''}`}
    >
      {t.record.verification[verificationStatus]}
    </span>
  </span>
);

const rowsOf = (records: readonly Record[]): string[][] => [
  [
    t.certification,
    t.person.issued,
    t.lastDay,
    t.person.state,
    t.person.verification,
    t.person.serial,
    t.issuer,
    t.person.source,
  ],
  ...records.map((record) => [
    record.certificationType.title,
    record.issuedOn ?? '',
    record.expiresOn ?? '',
    t.record.lifecycle[record.lifecycleStatus],
    t.record.verification[record.verificationStatus],
    record.serialNumber ?? '',
    record.issuerName ?? '',
    t.record.source[record.source],
  ]),
];

const History = ({ records }: { records: readonly Record[] }) => {
  const changes = records
    .flatMap(({ id, certificationType, history }) =>
      history.map((change) => ({
        ...change,
        key: `${id} ${change.recordedAt}`,
        certificationType,
      })),
    )
    .sort((one, other) => (one.recordedAt < other.recordedAt ? 1 : -1));
  return (
    <Card title={t.person.history}>
      {changes.length === 0 ? (
        <Empty>{t.person.noHistory}</Empty>
      ) : (
        <>
          <p class="muted small">{t.person.historyText}</p>
          <ol class="log timeline">
            {changes.map(({ key, ...change }) => (
              <Change key={key} {...change} />
            ))}
          </ol>
        </>
      )}
    </Card>
  );
};

const instant = /^\d{4}-\d\d-\d\dT/;
const calendarDay = /^\d{4}-\d\d-\d\d$/;

const shownValue = (value: string | null): string =>
  value === null
    ? t.person.empty
    : instant.test(value)
      ? formatMoment(value)
      : calendarDay.test(value)
        ? formatDay(value)
        : value;

const Change = ({
  recordedAt,
  effectiveOn,
  userDisplayName,
  appName,
  reason,
  changes,
  certificationType,
}: Record['history'][number] & { certificationType: Record['certificationType'] }) => {
  const isCreation = changes.every(({ from }) => from === null);
  const by = [
    userDisplayName && t.person.by(userDisplayName),
    appName && t.person.through(appName),
    effectiveOn !== recordedAt.slice(0, 10) && t.person.effective(formatDay(effectiveOn)),
  ].filter(Boolean);
  return (
    <li>
      <p>
        <strong>{certificationType.title}</strong>{' '}
        {isCreation ? t.person.created : t.person.changed}
      </p>
      <p class="when muted small">
        <time dateTime={recordedAt} title={formatExactly(recordedAt)}>
          {formatMoment(recordedAt)}
        </time>
        {by.length > 0 && ` · ${by.join(' · ')}`}
      </p>
      {reason && <p class="small">{reason}</p>}
      {!isCreation && (
        <dl class="changes">
          {changes.map(({ property, from, to }) => (
            <div key={property}>
              <dt>{t.person.properties[property] ?? property}</dt>
              <dd>
                <del>{shownValue(from)}</del> → <ins>{shownValue(to)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
};
