/** The frame of the dashboard: the person, the organization, and the view. */
import { useEffect } from 'preact/hooks';
import { isDay, today } from '../src/scalars/day.js';
import { Crew } from './crew.js';
import { Expiries } from './expiries.js';
import { Matrix } from './matrix.js';
import { Choices, type ChoicesData, Me, type MeData } from './operations.js';
import { OwnStanding } from './own.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go, Loading, Notice } from './parts.js';
import { place } from './place.js';
import { authorize, session } from './session.js';
import { Toolbar } from './toolbar.js';
import type { View } from './view.js';
import { WhyPanel } from './why.js';

type Organization = MeData['me']['organizations'][number];

export function App() {
  const now = session.value;
  if (now.state === 'starting') return <Loading lines={8} />;
  if (now.state === 'open') return <Person />;
  return (
    <>
      <h1>You are signed out</h1>
      <Notice kind="warning">
        <p>{now.why}</p>
        <button type="button" class="button primary" onClick={() => void authorize()}>
          Sign in again
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
            <h1>Dashboard</h1>
            <Card title="No organization yet">
              <Empty>
                You are not a member of an organization. Ask an admin of your organization to add
                you.
              </Empty>
            </Card>
          </>
        );
      }
      return (
        <>
          <h1>{chosen?.name ?? 'Dashboard'}</h1>
          {chosen ? (
            <Chosen key={chosen.id} organization={chosen} all={organizations} />
          ) : (
            <Notice kind="warning">
              <p>You are not a member of the organization that this link leads to.</p>
              <Go to={{ org: '', role: '', member: '', qualification: '' }} class="button plain">
                Go to your organization
              </Go>
            </Notice>
          )}
        </>
      );
    }}
  </Answer>
);

const tabs = { '': 'Readiness', expiries: 'Expiries', crew: 'Crew planner' } as const;

const Chosen = ({
  organization,
  all,
}: {
  organization: Organization;
  all: readonly Organization[];
}) => (
  <Answer of={usePages(Choices, { organizationId: organization.id }, noMore, true)} lines={8}>
    {({ jobRoles, qualifications }) => {
      const { tab, role, day, member, qualification } = place.value;
      const isManager = organization.role === 'admin' || organization.role === 'manager';
      const view: View = {
        organizationId: organization.id,
        memberId: organization.organizationMemberId,
        isManager,
        jobRoleId: isManager && role ? role : null,
        day: isDay(day) ? day : today(),
      };
      return (
        <>
          <Title text={`${tabs[tab as keyof typeof tabs] ?? tabs['']} · ${organization.name}`} />
          <nav class="tabs" aria-label="Views">
            {Object.entries(tabs).map(([name, text]) => (
              <Go key={name} to={{ tab: name }} current={name === tab}>
                {text}
              </Go>
            ))}
          </nav>
          <Toolbar view={view} organizations={all} jobRoles={inUse(jobRoles.nodes)} />
          <Tab tab={tab} view={view} qualifications={inUse(qualifications.nodes)} />
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

const inUse = (nodes: ChoicesData['jobRoles']['nodes']) =>
  nodes
    .filter(({ status }) => status === 'ACTIVE')
    .sort((one, other) => one.name.localeCompare(other.name));

const Tab = ({
  tab,
  view,
  qualifications,
}: {
  tab: string;
  view: View;
  qualifications: ChoicesData['qualifications']['nodes'];
}) => {
  if (tab === 'expiries') return <Expiries {...view} />;
  if (tab !== 'crew') return view.isManager ? <Matrix {...view} /> : <OwnStanding {...view} />;
  if (view.isManager) return <Crew {...view} qualifications={qualifications} />;
  return (
    <Notice>
      Crews are planned by the admins and managers of the organization. Your own qualifications are
      under Readiness.
    </Notice>
  );
};
