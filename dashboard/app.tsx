/** The frame of the dashboard: the person, the organization, and the view. */
import { useEffect } from 'preact/hooks';
import { isDay, today } from '../src/scalars/day.js';
import { Crew } from './crew.js';
import { Expiries } from './expiries.js';
import { byText, formatDay, t } from './language.js';
import { Choices, type ChoicesData, Me, type MeData } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go, Loading, Notice } from './parts.js';
import { Person as PersonPage } from './person.js';
import { place } from './place.js';
import { Readiness } from './readiness.js';
import { authorize, session } from './session.js';
import { Toolbar } from './toolbar.js';
import { Unverified } from './unverified.js';
import type { View } from './view.js';
import { WhyPanel } from './why.js';

type Organization = MeData['me']['organizations'][number];

export function App() {
  const now = session.value;
  if (now.state === 'starting') return <Loading lines={8} />;
  if (now.state === 'open') return <Person />;
  return (
    <>
      <h1>{t.session.title}</h1>
      <Notice kind="warning">
        <p>{now.why}</p>
        <button type="button" class="button primary" onClick={() => void authorize()}>
          {t.session.signIn}
        </button>
      </Notice>
    </>
  );
}

const noMore = () => null;

const Person = () => (
  <Answer of={usePages(Me, {}, noMore, true)} lines={8}>
    {({ me: { organizations } }) => {
      const { org } = place.value;
      const chosen =
        organizations.find(({ id, isPrimary }) => (org ? id === org : isPrimary)) ??
        (org ? undefined : organizations[0]);
      if (organizations.length === 0) {
        return (
          <>
            <h1>{t.dashboard}</h1>
            <Card title={t.organization.none}>
              <Empty>{t.organization.noneText}</Empty>
            </Card>
          </>
        );
      }
      return (
        <>
          <h1>
            <bdi>{chosen?.name ?? t.dashboard}</bdi>
          </h1>
          {chosen ? (
            <Chosen key={chosen.id} organization={chosen} all={organizations} />
          ) : (
            <Notice kind="warning">
              <p>{t.organization.unknown}</p>
              <Go
                to={{ org: '', role: '', person: '', member: '', qualification: '' }}
                class="button plain"
              >
                {t.organization.goToYours}
              </Go>
            </Notice>
          )}
        </>
      );
    }}
  </Answer>
);

const tabs = {
  '': t.views.readiness,
  expiries: t.views.expiries,
  unverified: t.views.unverified,
  crew: t.views.crew,
} as const;

const Chosen = ({
  organization,
  all,
}: {
  organization: Organization;
  all: readonly Organization[];
}) => (
  <Answer of={usePages(Choices, { organizationId: organization.id }, noMore, true)} lines={8}>
    {(choices) => {
      const { tab, role, day, member, qualification } = place.value;
      const isManager = organization.role === 'admin' || organization.role === 'manager';
      const view: View = {
        organizationId: organization.id,
        memberId: organization.organizationMemberId,
        isManager,
        jobRoleId: isManager && role ? role : null,
        day: isDay(day) ? day : today(),
      };
      const name = tabs[tab as keyof typeof tabs] ?? tabs[''];
      return (
        <>
          <Title text={`${name} · ${organization.name}`} />
          <p class="printed">{`${name} · ${t.toolbar.asOf}: ${formatDay(view.day)}`}</p>
          <nav class="tabs" aria-label={t.views.label}>
            {Object.entries(tabs).map(([id, text]) => (
              <Go key={id} to={{ tab: id, person: '', sort: '' }} current={id === tab}>
                {text}
              </Go>
            ))}
          </nav>
          <Toolbar view={view} organizations={all} jobRoles={inUse(choices.jobRoles.nodes)} />
          {(choices.jobRoles.pageInfo.nextCursor || choices.qualifications.pageInfo.nextCursor) && (
            <Notice kind="warning">{t.errors.choices(200)}</Notice>
          )}
          <Tab tab={tab} view={view} choices={choices} />
          {member && qualification && <WhyPanel {...view} />}
        </>
      );
    }}
  </Answer>
);

/** The title of the page in tabs and history, which distinguishes the views. */
const Title = ({ text }: { text: string }) => {
  useEffect(() => {
    document.title = `${text} · Lanyard`;
  }, [text]);
  return null;
};

const inUse = <Node extends { readonly name: string; readonly status: string }>(
  nodes: readonly Node[],
): Node[] =>
  nodes
    .filter(({ status }) => status === 'ACTIVE')
    .sort((one, other) => byText(one.name, other.name));

const Tab = ({ tab, view, choices }: { tab: string; view: View; choices: ChoicesData }) => {
  const { person } = place.value;
  const qualifications = inUse(choices.qualifications.nodes);
  if (person && view.isManager) return <PersonPage key={person} {...view} id={person} />;
  if (tab === 'expiries') return <Expiries {...view} />;
  if (tab === 'unverified') return <Unverified {...view} />;
  if (tab === 'crew')
    return view.isManager ? (
      <Crew {...view} qualifications={qualifications} />
    ) : (
      <Notice>{t.crew.managersOnly}</Notice>
    );
  if (!view.isManager) return <PersonPage {...view} id={view.memberId} />;
  const jobRoles = inUse(choices.jobRoles.nodes).map(({ id, name, qualifications: required }) => ({
    id,
    name,
    qualificationIds: required.filter(({ status }) => status === 'ACTIVE').map((each) => each.id),
  }));
  return <Readiness {...view} jobRoles={jobRoles} qualifications={qualifications} />;
};
