/**
 * The part of YAML that the files of deploy/ keep to, in which a text has one meaning for every
 * reader: mappings, sequences, plain and double-quoted scalars, `[…]` of them on a line, anchors
 * and aliases of mappings, and documents. Whatever else is refused.
 */
export type Yaml = string | number | boolean | Yaml[] | { [key: string]: Yaml };

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

/** @throws naming the line that is none of this. */
export const parseYaml = (text: string): Yaml[] =>
  text.split(/^---$/m).map((document) => {
    const lines = document.split('\n').flatMap((line, index): Line[] => {
      const content = /^( *)(.*?)(?: +#.*)?$/.exec(line);
      const [, spaces = '', rest = ''] = content ?? [];
      return rest === '' || rest.startsWith('#')
        ? []
        : [{ number: index + 1, indent: spaces.length, text: rest }];
    });
    const reader = new Reader(lines);
    const value = reader.block(0);
    if (reader.next) refuse(reader.next, 'is not indented as what it belongs to');
    return value;
  });

function refuse({ number, text }: Line, why: string): never {
  throw new Error(`line ${number}, “${text}”, ${why}`);
}

class Reader {
  readonly #lines: Line[];
  readonly #anchors = new Map<string, Yaml>();

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines];
  }

  get next(): Line | undefined {
    return this.#lines[0];
  }

  block(indent: number): Yaml {
    const first = this.next;
    if (first?.indent !== indent)
      throw new Error(`line ${first?.number}: expected an indent of ${indent}`);
    return first.text.startsWith('- ') ? this.#sequence(indent) : this.#mapping(indent);
  }

  #sequence(indent: number): Yaml[] {
    const items: Yaml[] = [];
    for (
      let line = this.next;
      line?.indent === indent && line.text.startsWith('- ');
      line = this.next
    ) {
      const text = line.text.slice(2);
      this.#lines[0] = { ...line, indent: indent + 2, text };
      items.push(key.test(text) ? this.#mapping(indent + 2) : scalar(this.#take()));
    }
    return items;
  }

  #mapping(indent: number): Yaml {
    const entries = new Map<string, Yaml>();
    for (
      let line = this.next;
      line?.indent === indent && !line.text.startsWith('- ');
      line = this.next
    ) {
      const [, name = '', rest = ''] = key.exec(line.text) ?? refuse(line, 'has no key');
      if (entries.has(name)) refuse(line, 'is there twice');
      this.#take();
      entries.set(name, this.#value(line, rest));
    }
    return Object.fromEntries(entries);
  }

  #value(line: Line, rest: string): Yaml {
    const [sign, name] = [rest[0], rest.slice(1)];
    if (sign === '*') return this.#anchors.get(name) ?? refuse(line, 'names no anchor');
    if (rest !== '' && sign !== '&') return scalar({ ...line, text: rest });
    const following = this.next;
    const isInside =
      following &&
      (following.indent > line.indent ||
        (following.indent === line.indent && following.text.startsWith('- ')));
    // A volume of Compose: all by default.
    const value = isInside ? this.block(following.indent) : {};
    if (sign === '&') this.#anchors.set(name, value);
    return value;
  }

  #take(): Line {
    return this.#lines.shift() as Line;
  }
}

const key = /^([\w./-]+):(?: (.*))?$/;

function scalar(line: Line): Yaml {
  const { text } = line;
  if (/^["[]/.test(text)) {
    try {
      return JSON.parse(text) as Yaml;
    } catch {
      refuse(line, 'is neither quoted text nor a list of it');
    }
  }
  if (/^[-?:,{}#&*!|>'%@`]|: |\t|^(yes|no|on|off|null|~)$/i.test(text))
    refuse(line, 'means different things to different readers: quote it');
  if (/^\d+$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}
