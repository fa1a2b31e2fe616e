/** What an organization lacks before readiness can be shown. */
import { Check } from 'lucide';
import { Icon } from './icons.js';
import { t } from './language.js';
import { Card, Go } from './parts.js';

export function Setup({
  organizationId,
  memberCount,
  hasQualifications,
}: {
  organizationId: string;
  /** Undefined while it is unknown. */
  memberCount: number | undefined;
  hasQualifications: boolean;
}) {
  const steps = [
    {
      title: t.setup.qualifications,
      text: t.setup.qualificationsText,
      href: '/docs/quickstart',
      link: t.setup.guide,
      isDone: hasQualifications,
    },
    {
      title: t.setup.jobRoles,
      text: t.setup.jobRolesText,
      href: '/docs/concepts',
      link: t.setup.guide,
    },
    {
      title: t.setup.members,
      text: t.setup.membersText,
      href: `/portal/organizations/${organizationId}/members`,
      link: t.setup.membersLink,
      // The reader is a member.
      isDone: (memberCount ?? 0) > 1,
    },
    {
      title: t.setup.certifications,
      text: t.setup.certificationsText,
      href: '/docs/cli',
      link: t.setup.guide,
    },
  ];
  return (
    <Card title={t.setup.title}>
      <p>{t.setup.text}</p>
      <ol class="steps">
        {steps.map(({ title, text, href, link, isDone }) => (
          <li key={title} class={isDone ? 'done' : ''}>
            <h3>
              {title} {isDone && <Icon of={Check} />}
            </h3>
            {!isDone && (
              <p>
                {text} <a href={href}>{link}</a>
              </p>
            )}
          </li>
        ))}
      </ol>
      {hasQualifications && (
        <p>
          <Go to={{ columns: 'all' }} class="button plain">
            {t.matrix.showAll}
          </Go>
        </p>
      )}
    </Card>
  );
}
