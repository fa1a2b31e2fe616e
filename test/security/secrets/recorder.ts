/** Everything that a system said, and whether a secret is in it that has no business there. */

interface Said {
  readonly what: string;
  readonly text: string;
  /** Of the responses that came before it; a secret may be in the one that hands it out. */
  readonly order: number;
}

interface Secret {
  readonly value: string;
  /** Responses from this one on must not have it. */
  readonly since: number;
}

const realFetch = globalThis.fetch;

export class Recorder {
  private readonly said: Said[] = [];
  private readonly secrets = new Map<string, Secret>();
  private order = 0;

  /**
   * From now on nothing may say it. @param name For the list of leaks, which must not show the
   * secret itself.
   */
  learn(name: string, value: string): string {
    if (value.length < 8) throw new Error(`${name} is too short to look for`);
    this.secrets.set(name, { value, since: this.order });
    return value;
  }

  get learnt(): string[] {
    return [...this.secrets.keys()];
  }

  /** Logs, standard error, rows of the database: where no secret may ever be. */
  never(what: string, text: string): void {
    this.said.push({ what, text, order: Number.POSITIVE_INFINITY });
  }

  /**
   * A `fetch` that keeps what comes back, and learns each cookie. Cookies are set again and again,
   * so their header field doesn't count; the pages of a one-time link and of a sign-in have their
   * own address.
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await realFetch(input, init);
    const url = String(input instanceof Request ? input.url : input);
    const text = await response.clone().text();
    const fields = [...response.headers]
      .filter(([name]) => name !== 'set-cookie')
      .map((pair) => pair.join(': '));
    const own = /\/portal\/(?:links|interactions)\/([\w-]+)/.exec(url)?.[1];
    const whole = [...fields, text].join('\n');
    this.said.push({
      what: `${init?.method ?? 'GET'} ${new URL(url).pathname}`,
      text: own ? whole.replaceAll(own, '') : whole,
      order: this.order,
    });
    this.order += 1;
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value.length >= 20) this.learn(`cookie ${name} ${this.order}`, value);
    }
    return response;
  };

  /** A request whose answer may say anything. */
  readonly unheard = realFetch;

  /**
   * Each secret that was said, and where. Looked for as it is, encoded for a URL or HTML, in base64
   * and in hex.
   */
  leaks(): string[] {
    return [...this.secrets].flatMap(([name, { value, since }]) => {
      const forms = [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64').replace(/=+$/, ''),
        Buffer.from(value).toString('hex'),
      ];
      return this.said
        .filter(({ text, order }) => order >= since && forms.some((form) => text.includes(form)))
        .map(({ what }) => `${name} in ${what}`);
    });
  }

  get responses(): number {
    return this.order;
  }
}
