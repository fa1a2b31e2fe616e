/**
 * A browser as far as sign-in needs one: it keeps cookies, follows redirects on our own host, and
 * submits the forms of the real pages.
 */

interface Cookie {
  readonly value: string;
  readonly path: string;
}

export interface Visit {
  readonly status: number;
  /** Where it ended: an address of an app when a redirect led away. */
  readonly url: URL;
  readonly headers: Headers;
  readonly html: string;
}

export interface Form {
  readonly action: string;
  readonly fields: Record<string, string>;
}

export class Browser {
  private readonly cookies = new Map<string, Cookie>();

  /** @param headers Sent with each request. */
  constructor(
    readonly base: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  get(url: string | URL): Promise<Visit> {
    return this.send(new URL(url, this.base), {});
  }

  post(
    url: string | URL,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Visit> {
    return this.send(new URL(url, this.base), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: this.base, ...headers },
    });
  }

  /** Submits the form of the page whose action ends so, with what a person filled in. */
  submit(page: Visit, actionEnd: string, filled: Record<string, string> = {}): Promise<Visit> {
    const form = formsOf(page.html).find(({ action }) => action.endsWith(actionEnd));
    if (!form)
      throw new Error(
        `No form ${actionEnd} at ${page.url} (${page.status}): ${page.html.slice(0, 2000)}`,
      );
    return this.post(new URL(form.action, page.url), { ...form.fields, ...filled });
  }

  /** Sets a cookie of the whole host. */
  remember(name: string, value: string): void {
    this.cookies.set(`${name} /`, { value, path: '/' });
  }

  forget(): void {
    this.cookies.clear();
  }

  private async send(url: URL, init: RequestInit): Promise<Visit> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: this.cookiesFor(url.pathname),
        ...this.headers,
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line, url);
    const location = response.headers.get('location');
    if (location && response.status >= 300 && response.status < 400) {
      const next = new URL(location, url);
      if (next.origin !== this.base)
        return { status: response.status, url: next, headers: response.headers, html: '' };
      return this.send(next, {});
    }
    return { status: response.status, url, headers: response.headers, html: await response.text() };
  }

  private cookiesFor(path: string): string {
    const sent = [...this.cookies].filter(
      ([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')),
    );
    return sent.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
  }

  private keep(line: string, url: URL): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const [name = '', value = ''] = pair.split('=');
    const about = Object.fromEntries(attributes.map((each) => each.toLowerCase().split('=')));
    const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? url.pathname;
    const isGone = about.expires && Date.parse(about.expires) < Date.now();
    if (isGone) this.cookies.delete(`${name} ${path}`);
    else this.cookies.set(`${name} ${path}`, { value, path });
  }
}

export function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, tag = '', inside = '']) => ({
      action: attribute(tag, 'action'),
      fields: Object.fromEntries(
        [...inside.matchAll(/<input([^>]*)>/g)]
          .map(([, input = '']) => [attribute(input, 'name'), attribute(input, 'value')])
          .filter(([name]) => name),
      ),
    }),
  );
}

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"');
