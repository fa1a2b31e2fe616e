import type { WebUser } from '../../auth/accounts/sessions.js';
import type { InteractionDetails } from '../../auth/oauth/interactions.js';
import { type ApiScope, scopes as sentences } from '../../auth/scopes.js';
import { Button, Tag } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import type { PortalContext } from '../route.js';
import type { Consent, OrganizationConsent } from './reads.js';

const identitySentences: Readonly<Record<string, string>> = {
  openid: 'Recognize you when you come back',
  profile: 'See your name',
  email: 'See your e-mail address',
};

export function showConsent(
  ctx: PortalContext,
  { uid, appName, scopes }: InteractionDetails,
  user: WebUser,
  consent: Consent,
): void {
  const { owner, apiScopes, organizations } = consent;
  const at = `/portal/interactions/${uid}`;
  page(
    ctx,
    { title: `Allow ${appName}?`, frame: 'narrow', leadsAway: true },
    <>
      <h1>Allow {appName}?</h1>
      <p class="lead">
        {appName} wants to work with Lanyard for you. It was registered by{' '}
        {owner ? (
          <>
            <strong>{owner.name}</strong> ({owner.email})
          </>
        ) : (
          'the operator of this server'
        )}
        .
      </p>
      <Sentences
        title="About you, it may"
        all={scopes.map((scope) => identitySentences[scope] ?? scope)}
      />
      <Sentences
        title="In your organizations, it may"
        all={apiScopes.map((scope) => sentences[scope])}
      />
      {apiScopes.length > 0 && <Organizations all={organizations} apiScopes={apiScopes} />}
      <div class="decide">
        <Form action={`${at}/allow`}>
          <Button>Allow</Button>
        </Form>
        <Form action={`${at}/deny`}>
          <Button kind="plain">Don't allow</Button>
        </Form>
      </div>
      <Form action={`${at}/switch`} class="who">
        <span>
          Signed in as <strong>{user.email}</strong>.
        </span>
        <Button kind="quiet">Not you?</Button>
      </Form>
    </>,
  );
}

const Sentences = ({ title, all }: { title: string; all: readonly string[] }) =>
  all.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <ul class="ticks">
        {all.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </>
  );

const Organizations = ({
  all,
  apiScopes,
}: {
  all: readonly OrganizationConsent[];
  apiScopes: readonly ApiScope[];
}) => (
  <>
    <h2>Where</h2>
    <p class="muted small">
      Only in organizations that approved the app, and there only what you may do yourself.
    </p>
    <ul class="rows">
      {all.map((organization) => (
        <li>
          <div>
            <strong>{organization.name}</strong>{' '}
            <Standing
              {...organization}
              waiting={apiScopes.length - organization.approvedScopes.length}
            />
          </div>
        </li>
      ))}
      {all.length === 0 && <li>You are not an active member of any organization.</li>}
    </ul>
  </>
);

const Standing = ({
  approvedAt,
  approvedBy,
  waiting,
  name,
  role,
  organizationId,
}: OrganizationConsent & { waiting: number }) => (
  <>
    {waiting === 0 ? (
      <Tag kind="good">approved</Tag>
    ) : (
      <Tag kind="warning">{approvedAt ? 'approved in part' : 'waiting'}</Tag>
    )}
    {approvedAt && (
      <p class="muted small">
        Approved {approvedBy && `by ${approvedBy} `}on <Time at={approvedAt} only="day" />.
        {waiting > 0 && ' What was added to the app since waits for an admin.'}
      </p>
    )}
    {!approvedAt && (
      <p class="muted small">The app has no access here until an admin of {name} approves it.</p>
    )}
    {waiting > 0 && role === 'admin' && (
      <p class="small">
        <a href={`/portal/organizations/${organizationId}/approvals`}>
          You are an admin here: see approvals
        </a>
      </p>
    )}
  </>
);
