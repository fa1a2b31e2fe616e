import type { WebUser } from '../../auth/accounts/sessions.js';
import type { InteractionDetails } from '../../auth/oauth/interactions.js';
import { type ApiScope, scopes as sentences } from '../../auth/scopes.js';
import { Button, Tag } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Fill, textsOf, useTexts } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import type { PortalContext } from '../route.js';
import type { Consent, OrganizationConsent } from './consent-statements.js';

export function showConsent(
  ctx: PortalContext,
  { uid, appName, scopes }: InteractionDetails,
  user: WebUser,
  consent: Consent,
): void {
  const { owner, apiScopes, organizations } = consent;
  const at = `/portal/interactions/${uid}`;
  const texts = textsOf(ctx);
  const t = texts.consent;
  page(
    ctx,
    { title: t.title(appName), frame: 'narrow', leadsAway: true },
    <>
      <h1>{t.title(appName)}</h1>
      <p class="lead">
        <Fill text={t.lead(appName)}>
          {owner ? (
            <>
              <strong>{owner.name}</strong> ({owner.email})
            </>
          ) : (
            t.operator
          )}
        </Fill>
      </p>
      <Sentences title={t.aboutYou} all={scopes.map((scope) => t.identity[scope] ?? scope)} />
      <Sentences
        title={t.inOrganizations}
        all={apiScopes.map((scope) => t.scopes[scope] ?? sentences[scope])}
      />
      {apiScopes.length > 0 && <Organizations all={organizations} apiScopes={apiScopes} />}
      <div class="decide">
        <Form action={`${at}/allow`}>
          <Button>{t.allow}</Button>
        </Form>
        <Form action={`${at}/deny`}>
          <Button kind="plain">{t.deny}</Button>
        </Form>
      </div>
      <Form action={`${at}/switch`} class="who">
        <span>
          <Fill text={texts.signIn.signedInAs}>
            <strong>{user.email}</strong>
          </Fill>
        </span>
        <Button kind="quiet">{texts.signIn.notYou}</Button>
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
    <h2>{useTexts().consent.where}</h2>
    <p class="muted small">{useTexts().consent.whereText}</p>
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
      {all.length === 0 && <li>{useTexts().consent.none}</li>}
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
}: OrganizationConsent & { waiting: number }) => {
  const t = useTexts().consent;
  return (
    <>
      {waiting === 0 ? (
        <Tag kind="good">{t.approved}</Tag>
      ) : (
        <Tag kind="warning">{approvedAt ? t.partly : t.waiting}</Tag>
      )}
      {approvedAt && (
        <p class="muted small">
          <Fill text={approvedBy ? t.approvedBy(approvedBy) : t.approvedOn}>
            <Time at={approvedAt} only="day" />
          </Fill>
          {waiting > 0 && ` ${t.added}`}
        </p>
      )}
      {!approvedAt && <p class="muted small">{t.notApproved(name)}</p>}
      {waiting > 0 && role === 'admin' && (
        <p class="small">
          <a href={`/portal/organizations/${organizationId}/approvals`}>{t.seeApprovals}</a>
        </p>
      )}
    </>
  );
};
