/** The frame of every page. */
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { ApiError } from '../errors.js';
import { Button } from './components.js';
import type { PageContext } from './context.js';
import { CsrfToken, Form } from './forms.js';
import { headersOf, type PagePolicy } from './security.js';

export interface PageOptions extends PagePolicy {
  readonly title: string;
  /** `narrow`: a single task such as sign-in, without navigation. `full`: fills the window. */
  readonly frame?: 'wide' | 'narrow' | 'full';
  readonly status?: number;
  /** The error of a refused form; its status is that of the page. */
  readonly failure?: ApiError | undefined;
  /** Scripts of public/, such as `passkeys.js`. */
  readonly scripts?: readonly string[];
  /** Style sheets below /assets/, after the portal's own. */
  readonly styles?: readonly string[];
}

const navigation = [
  { href: '/portal', text: 'Home' },
  { href: '/dashboard', text: 'Dashboard' },
  { href: '/portal/apps', text: 'Apps' },
  { href: '/portal/account', text: 'Account' },
] as const;

/** Responds with a page. */
export function page(ctx: PageContext, options: PageOptions, children: ComponentChildren): void {
  const { frame = 'wide', failure, status = failure?.status ?? 200, scripts = [] } = options;
  ctx.status = status;
  if (failure?.retryAfter) ctx.set('Retry-After', String(Math.ceil(failure.retryAfter)));
  ctx.type = 'html';
  ctx.set(headersOf(options));
  ctx.body = toHtml(
    { ...options, scripts: ['times.js', ...scripts] },
    <CsrfToken.Provider value={ctx.state.csrf}>
      <Frame
        kind={frame}
        home="/portal"
        navigation={frame !== 'narrow' && <Navigation ctx={ctx} />}
      >
        {children}
      </Frame>
    </CsrfToken.Provider>,
  );
}

/** A complete document. */
export const toHtml = (
  { title, styles = [], scripts = [] }: PageOptions,
  body: ComponentChildren,
): string =>
  `<!doctype html>${render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Lanyard`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
        {['portal.css', ...styles].map((style) => (
          <link rel="stylesheet" href={`/assets/${style}`} />
        ))}
        {['copy.js', ...scripts].map((script) => (
          <script type="module" src={`/assets/${script}`} />
        ))}
      </head>
      {body}
    </html>,
  )}`;

export interface FrameProps {
  /** The class of the body. */
  readonly kind: string;
  /** The link of the brand. */
  readonly home: string;
  readonly navigation: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Frame = ({ kind, home, navigation, children }: FrameProps) => (
  <body class={kind}>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <header>
      <div class="bar">
        <a class="brand" href={home}>
          <img src="/assets/mark.svg" alt="" width="28" height="28" />
          Lanyard
        </a>
        {navigation}
      </div>
    </header>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
    <footer>Lanyard: who may safely work on site.</footer>
  </body>
);

const Navigation = ({ ctx }: { ctx: PageContext }) => {
  const user = ctx.state.session?.user;
  if (!user) return null;
  const current = navigation.findLast(
    ({ href }) => ctx.path === href || ctx.path.startsWith(`${href}/`),
  );
  return (
    <>
      <nav aria-label="Portal">
        {navigation.map(({ href, text }) => (
          <a href={href} aria-current={href === current?.href ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <Form action="/portal/sign-out" class="who">
        <span title={user.email}>{user.displayName || user.email}</span>
        <Button kind="plain">Sign out</Button>
      </Form>
    </>
  );
};
