/** The frame of every page. */
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { ApiError } from '../errors.js';
import { Button } from './components.js';
import type { PageContext } from './context.js';
import { CsrfToken, Form } from './forms.js';
import { type Language, languageOf, languages, PageLanguage, useTexts } from './language.js';
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
  /** The content is English only: pages for developers and for admins. */
  readonly isEnglish?: boolean;
}

const navigation = [
  { href: '/portal', text: 'home' },
  { href: '/dashboard', text: 'dashboard' },
  { href: '/portal/apps', text: 'apps' },
  { href: '/portal/account', text: 'account' },
] as const;

/** Responds with a page. */
export function page(ctx: PageContext, options: PageOptions, children: ComponentChildren): void {
  const { frame = 'wide', failure, status = failure?.status ?? 200, scripts = [] } = options;
  ctx.status = status;
  if (failure?.retryAfter) ctx.set('Retry-After', String(Math.ceil(failure.retryAfter)));
  ctx.type = 'html';
  ctx.set(headersOf(options));
  const language = languageOf(ctx);
  ctx.set('Content-Language', language);
  ctx.body = toHtml(
    { ...options, scripts: ['times.js', ...scripts] },
    <PageLanguage.Provider value={language}>
      <CsrfToken.Provider value={ctx.state.csrf}>
        <Frame
          kind={frame}
          home="/portal"
          navigation={frame !== 'narrow' && <Navigation ctx={ctx} />}
          choice={ctx.method === 'GET' && ctx.state.csrf && <LanguageChoice current={language} />}
          {...(options.isEnglish && { contentLanguage: 'en' })}
        >
          <PageLanguage.Provider value={options.isEnglish ? 'en' : language}>
            {children}
          </PageLanguage.Provider>
        </Frame>
      </CsrfToken.Provider>
    </PageLanguage.Provider>,
    language,
  );
}

/** A complete document. */
export const toHtml = (
  { title, isEnglish = false, styles = [], scripts = [] }: PageOptions,
  body: ComponentChildren,
  language: Language = 'en',
): string =>
  `<!doctype html>${render(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <title
          lang={isEnglish && language !== 'en' ? 'en' : undefined}
        >{`${title} · Lanyard`}</title>
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
  /** The choice of the language, where there is one. */
  readonly choice?: ComponentChildren;
  /** If it differs from that of the frame. */
  readonly contentLanguage?: Language;
  readonly children: ComponentChildren;
}

export const Frame = ({
  kind,
  home,
  navigation,
  choice,
  contentLanguage,
  children,
}: FrameProps) => (
  <body class={kind}>
    <a class="skip" href="#main">
      {useTexts().frame.skip}
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
    <main id="main" tabIndex={-1} lang={contentLanguage}>
      {children}
    </main>
    <footer>
      <span>{useTexts().frame.footer}</span>
      {choice}
    </footer>
  </body>
);

/** Each button is in its own language. The portal stores the choice and returns to the page. */
const LanguageChoice = ({ current }: { current: Language }) => (
  <Form action="/portal/language" label={useTexts().frame.language} class="languages">
    {Object.entries(languages).map(([id, name]) =>
      id === current ? (
        <strong>{name}</strong>
      ) : (
        <button type="submit" name="language" value={id} lang={id} class="button quiet">
          {name}
        </button>
      ),
    )}
  </Form>
);

const Navigation = ({ ctx }: { ctx: PageContext }) => {
  const t = useTexts().frame;
  const user = ctx.state.session?.user;
  if (!user) return null;
  const current = navigation.findLast(
    ({ href }) => ctx.path === href || ctx.path.startsWith(`${href}/`),
  );
  return (
    <>
      <nav aria-label={t.portal}>
        {navigation.map(({ href, text }) => (
          <a href={href} aria-current={href === current?.href ? 'page' : undefined}>
            {t[text]}
          </a>
        ))}
      </nav>
      <Form action="/portal/sign-out" class="who">
        <span title={user.email}>{user.displayName || user.email}</span>
        <Button kind="plain">{t.signOut}</Button>
      </Form>
    </>
  );
};
