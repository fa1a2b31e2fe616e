/**
 * The GraphQL explorers: Apollo Sandbox at /graphql if it is enabled, and the bundled GraphiQL at
 * /graphiql.
 */
import { randomBytes } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { graphiqlApp, isEnabled } from '../../auth/apps/own.js';
import { bundled } from '../../pages/bundle.js';
import { Button, Empty, Notice } from '../../pages/components.js';
import { page } from '../../pages/page.js';
import { sandboxOrigin } from '../../pages/security.js';
import { type PortalContext, type PortalRoute, SeeOther } from '../route.js';
import { EnableHint } from './enable-hint.js';
import { referenceRoutes } from './reference.js';

export const explorerRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/graphql', handler: showSandbox },
  { method: 'GET', path: '/graphiql', handler: showGraphiql },
  ...referenceRoutes,
];

/** The server's own style sheet for both. */
const styles = ['explorer.css'];

/**
 * No code of Apollo runs on this page: Sandbox is a frame of another origin, which cannot use this
 * one's cookies (explorer/sandbox.ts).
 */
function showSandbox(ctx: PortalContext): void {
  if (!ctx.state.portal.config.GRAPHQL_SANDBOX) throw new SeeOther(`/graphiql${ctx.search}`);
  page(
    ctx,
    {
      isEnglish: true,
      title: 'Apollo Sandbox',
      frame: 'full',
      styles,
      scripts: [bundled('sandbox', '.js')],
      frames: sandboxOrigin,
    },
    <>
      <Switch ctx={ctx} current="/graphql">
        Loaded from Apollo over the network. It is not signed in: add your access token as the
        header <code>Authorization</code>.
      </Switch>
      <div id="sandbox">
        <Empty>
          Loading Apollo Sandbox. If this browser can't reach it, GraphiQL opens instead.
        </Empty>
        <NeedsScript name="Apollo Sandbox" />
      </div>
    </>,
  );
}

async function showGraphiql(ctx: PortalContext): Promise<void> {
  const { db, config } = ctx.state.portal;
  if (!(await isEnabled(db, config, graphiqlApp))) return showDisabled(ctx);
  const styleNonce = randomBytes(16).toString('base64url');
  page(
    ctx,
    {
      isEnglish: true,
      title: 'GraphiQL',
      frame: 'full',
      styles: [bundled('graphiql', '.css'), ...styles],
      scripts: [bundled('graphiql', '.js')],
      styleNonce,
    },
    <>
      <Switch ctx={ctx} current="/graphiql">
        <span id="usual">Signed in as you. Nothing runs until you start it.</span>
        {config.GRAPHQL_SANDBOX && (
          <span id="unreachable" hidden>
            Apollo Sandbox could not be reached from this browser. GraphiQL comes from this server.
          </span>
        )}
      </Switch>
      <div id="ended" role="alert" class="notice warning" hidden>
        <p id="why" />
        <Button type="button" id="again">
          Sign in again
        </Button>
      </div>
      <div
        id="graphiql"
        data-client-id={graphiqlApp.clientId}
        data-origin={new URL(config.BASE_URL).origin}
        data-nonce={styleNonce}
      >
        <NeedsScript name="GraphiQL" />
      </div>
    </>,
  );
}

const NeedsScript = ({ name }: { name: string }) => (
  <noscript>
    <Notice kind="warning">
      {name} needs JavaScript. Turn it on in your browser, then reload this page.
    </Notice>
  </noscript>
);

const explorers = { '/graphql': 'Apollo Sandbox', '/graphiql': 'GraphiQL' } as const;

/** Links to the same query in the other explorer. */
const Switch = ({
  ctx,
  current,
  children,
}: {
  ctx: PortalContext;
  current: keyof typeof explorers;
  children: ComponentChildren;
}) => {
  const query = new URLSearchParams(
    ['document', 'variables'].flatMap((name) =>
      typeof ctx.query[name] === 'string' ? [[name, ctx.query[name]]] : [],
    ),
  );
  const search = query.size > 0 ? `?${query}` : '';
  return (
    <div class="explorers">
      <h1 class="unseen">{explorers[current]}</h1>
      {ctx.state.portal.config.GRAPHQL_SANDBOX && (
        <nav class="tabs" aria-label="Explorers">
          {Object.entries(explorers).map(([path, name]) => (
            <a href={path + search} aria-current={path === current ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
      <p class="muted small">{children}</p>
    </div>
  );
};

const showDisabled = (ctx: PortalContext): void =>
  page(
    ctx,
    { isEnglish: true, title: 'GraphiQL', status: 404 },
    <>
      <h1>GraphiQL</h1>
      <p class="lead">GraphiQL is not enabled on this server. Ask its operator.</p>
      <EnableHint command="lanyard graphiql enable" app={graphiqlApp} />
    </>,
  );
