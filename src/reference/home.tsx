/** The home page: what Lanyard is, and links to its parts. */
import type { ComponentChildren } from 'preact';
import { LinkButton } from '../pages/components.js';
import { Code, jsonOf } from './code.js';
import type { Entry } from './entry.js';
import type { Guide } from './guides.js';
import { discovery } from './links.js';
import { curl } from './samples.js';

/** The sample question of the page. */
const question = 'GetMyResult';

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
          <h1>Who may safely work on site?</h1>
          <p class="lead">
            Lanyard keeps the certifications of the people who climb telecom towers, works out what
            each of them is qualified for, and answers before anyone leaves the ground.
          </p>
          <p class="actions">
            <LinkButton href="/docs/quickstart">Start in five minutes</LinkButton>
            <LinkButton href="/docs" kind="plain">
              Read the reference
            </LinkButton>
            <LinkButton href="/portal" kind="plain">
              Open the portal
            </LinkButton>
          </p>
        </div>
        <div class="ask">
          <p class="small muted">May I join the night crew?</p>
          <Code id="question" what="the question" language="curl" text={curl(asked.request)} />
          <Code
            id="answer"
            what="the answer"
            language="json"
            text={jsonOf(asked.success.content?.['application/json'].example)}
          />
          <p class="small">
            <a href={`/docs#${question}`}>In TypeScript and Python</a> ·{' '}
            <a href={asked.twin.link}>In GraphQL, ready to run</a>
          </p>
        </div>
      </section>
      <section class="promises">
        <Promised title="Nothing is missed">
          Follow a list or the changes of an organization: no record is ever left out, even when
          transactions commit late or fail.
        </Promised>
        <Promised title="Nothing is created twice">
          A create with an Idempotency-Key happens once, even when a bad connection makes you repeat
          it.
        </Promised>
        <Promised title="Three walls">
          A valid token, an app whose scopes an admin approved, and a person who may: each request
          passes all three, and a revocation holds from the next on.
        </Promised>
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
