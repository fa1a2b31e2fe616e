/** The frame of the dashboard: who looks, at which organization, and at what of it. */
import { isDay, today } from '../src/entities/day.js';
import { Crew } from './crew.js';
import { Expiries } from './expiries.js';
import { Matrix } from './matrix.js';
import { Choices, type ChoicesData, Me, type MeData } from './operations.js';
import { OwnStanding } from './own.js';
import { usePages } from './pages.js';
import { Answer, Empty, Go, Loading, Notice } from './parts.js';
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
    <Notice kind="warning">
      <p>{now.why}</p>
      <button type="button" class="button primary" onClick={() => void authorize()}>
        Sign in again
      </button>
    </Notice>
  );
}

const Person = () => (
  <Answer of={usePages(Me, {})} lines={8}>
    {({ me: { organizations } }) => {
      const { org } = place.value;
      const chosen = organizations.find(({ id, isPrimary }) => (org ? id === org : isPrimary)) ?? (org ? undefined : organizations[0]);
      if (organizations.length === 0) return <Empty>You are not a member of an organization yet. Ask an admin of yours to add you.</Empty>;
      return (
        <>
          <h1>{chosen?.name ?? 'Dashboard'}</h1>
          {chosen ? (
            <Chosen key={chosen.id} organization={chosen} all={organizations} />
          ) : (
            <Notice kind="warning">
              <p>You are not a member of the organization of this link, or no longer.</p>
              <Go to={{ org: '', role: '', member: '', qualification: '' }} class="button plain">
                Go to your own
              </Go>
            </Notice>
          )}
        </>
      );
    }}
  </Answer>
);

const tabs = { '': 'Readiness', expiries: 'Expiries', crew: 'Crew planner' } as const;

const Chosen = ({ organization, all }: { organization: Organization; all: readonly Organization[] }) => (
  <Answer of={usePages(Choices, { organizationId: organization.id })} lines={8}>
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

const inUse = (nodes: ChoicesData['jobRoles']['nodes']) =>
  nodes.filter(({ status }) => status === 'ACTIVE').sort((one, other) => one.name.localeCompare(other.name));

const Tab = ({ tab, view, qualifications }: { tab: string; view: View; qualifications: ChoicesData['qualifications']['nodes'] }) => {
  if (tab === 'expiries') return <Expiries {...view} />;
  if (tab !== 'crew') return view.isManager ? <Matrix {...view} /> : <OwnStanding {...view} />;
  if (view.isManager) return <Crew {...view} qualifications={qualifications} />;
  return <Notice>Crews are planned by the admins and managers of the organization. Your own standing is under Readiness.</Notice>;
};
