/**
 * The home page: what Lanyard is, and links to its parts. The picture is a screenshot that
 * test/reference/look.browser.test.ts takes with LANYARD_HOME_PICTURE.
 */
import type { ComponentChildren } from 'preact';
import { LinkButton } from '../pages/components.js';
import { pathExamples } from '../rest/openapi/demo.js';
import { Code, jsonOf } from './code.js';
import type { Entry } from './entry.js';
import type { Guide } from './guides.js';
import { discovery } from './links.js';
import { curl } from './samples.js';

/** The sample request of the page. */
const question = 'GetMyResult';
/** The sample query of the page. */
const query = `{
  qualificationForecast(
    organizationId: "${pathExamples.organization_id}"
    days: 30
    first: 10
  ) {
    nodes {
      lostOn
      organizationMember { displayName }
      qualification { name }
      through { certificationType { title } }
    }
  }
}`;

export const Home = ({
  entries,
  guides,
}: {
  entries: readonly Entry[];
  guides: readonly Guide[];
}) => {
  const asked = entries.find(({ name }) => name === question);
  if (!asked) throw new Error(`There is no operation ${question}.`);
  return (
    <div class="home">
      <section class="hero">
        <div>
          <h1>Know who is qualified before the crew leaves</h1>
          <p class="lead">
            Lanyard is the system of record for the safety certifications of tower and fiber crews.
            It works out who is qualified for which job today, what expires next, and who can fill
            tomorrow’s crew.
          </p>
          <p class="actions">
            <LinkButton href="/docs/quickstart">Start in five minutes</LinkButton>
            <LinkButton href="/dashboard" kind="plain">
              See the dashboard
            </LinkButton>
            <LinkButton href="/docs" kind="plain">
              Read the reference
            </LinkButton>
          </p>
        </div>
        <a class="picture" href="/dashboard">
          <picture>
            <source srcset="/assets/dashboard-dark.png" media="(prefers-color-scheme: dark)" />
            <img
              src="/assets/dashboard-light.png"
              alt="The dashboard: who of the members is qualified for which qualification"
              width="1100"
              height="720"
            />
          </picture>
        </a>
      </section>
      <section class="promises">
        <Promised title="Proof for every answer">
          Each result names the certificate that counts, or what is missing and what to do. The
          history shows what was known on any past day.
        </Promised>
        <Promised title="One record for all your systems">
          HR, training and scheduling systems synchronize through the API. No record is missed, and
          a repeated request creates nothing twice.
        </Promised>
        <Promised title="You decide who has access">
          An admin approves each app for your organization, and can revoke it at any time. Every
          change is in the audit log.
        </Promised>
      </section>
      <section class="calls">
        <div>
          <h2>Who loses a qualification within 30 days?</h2>
          <p class="small muted">One GraphQL query for a dashboard of your own</p>
          <Code id="query" what="the query" language="graphql" text={query} />
          <p class="small">
            <a href={`/graphql?${new URLSearchParams({ document: query })}`}>
              Open in the explorer
            </a>{' '}
            · <a href="/docs/dashboards">More queries, with their responses</a>
          </p>
        </div>
        <div>
          <h2>May I join the night crew?</h2>
          <p class="small muted">One REST request, and its response</p>
          <Code id="question" what="the request" language="curl" text={curl(asked.request)} />
          <Code
            id="answer"
            what="the response"
            language="json"
            text={jsonOf(asked.success.content?.['application/json'].example)}
          />
          <p class="small">
            <a href={`/docs#${question}`}>In TypeScript and Python</a> ·{' '}
            <a href={asked.twin.link}>In GraphQL</a>
          </p>
        </div>
      </section>
      <h2>Ways in</h2>
      <div class="grid">
        <Way href="/docs" title="API reference">
          {entries.length} operations of REST, each with its GraphQL twin, and examples to run.{' '}
          <a href="/v1/openapi.json">OpenAPI 3.1</a>
        </Way>
        <Way href="/graphql" title="GraphQL explorer">
          The whole graph: readiness, crews, forecasts, history. Ask, and see the schema while you
          type.
        </Way>
        <Way href="/dashboard" title="Dashboard">
          Who is ready for what, what ends soon, and who can fill a crew on a given day.
        </Way>
        <Way href="/portal" title="Portal">
          Register an app, approve one for your organization, manage your sign-in.
        </Way>
        <Way href={discovery} title="Sign-in for apps">
          OAuth 2.1 and OpenID Connect: the discovery document that libraries start from.
        </Way>
        <Way href="/readyz" title="Health">
          Whether this server is ready to answer. <a href="/livez">Whether it lives</a>
        </Way>
      </div>
      <h2>Guides</h2>
      <ul class="guides">
        {guides.map(({ path, title }) => (
          <li>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  );
};

const Promised = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div>
    <h2>{title}</h2>
    <p class="muted">{children}</p>
  </div>
);

const Way = ({
  href,
  title,
  children,
}: {
  href: string;
  title: string;
  children: ComponentChildren;
}) => (
  <section class="card">
    <h3>
      <a href={href}>{title}</a>
    </h3>
    <p>{children}</p>
  </section>
);
