/** A Markdown page as components. HTML in it is escaped, so no code of a page runs. */
import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Code } from './code.js';
import { anchorOf } from './prose.js';

export interface MarkdownProps {
  readonly tokens: readonly Token[];
  /** Address on this server of a link or an image; undefined if the server does not have it. */
  readonly hrefOf: (href: string) => string | undefined;
}

export const Markdown = ({ tokens, hrefOf }: MarkdownProps) => {
  let programs = 0;

  const inline = (each: Token): ComponentChildren => {
    const token = each as Inline;
    switch (token.type) {
      case 'codespan':
        return <code>{token.text}</code>;
      case 'strong':
        return <strong>{token.tokens.map(inline)}</strong>;
      case 'em':
        return <em>{token.tokens.map(inline)}</em>;
      case 'image':
        return <img src={hrefOf(token.href)} alt={token.text} />;
      case 'link':
        return <Link href={hrefOf(token.href)}>{token.tokens.map(inline)}</Link>;
      case 'escape':
      case 'html':
        return token.text;
      case 'text':
        return 'tokens' in token && token.tokens ? token.tokens.map(inline) : token.text;
      default:
        throw new Error(`The guides have no such Markdown: ${(each as Token).raw}`);
    }
  };

  const block = (each: Token): ComponentChildren => {
    const token = each as Block;
    switch (token.type) {
      case 'space':
      case 'def':
        return null;
      case 'heading':
        return <Heading token={token}>{token.tokens.map(inline)}</Heading>;
      case 'paragraph':
        return <p>{token.tokens.map(inline)}</p>;
      case 'code':
        return (
          <Code
            id={`program-${++programs}`}
            what={kinds[languageOf(token)] ?? 'the text'}
            language={languageOf(token)}
            text={token.text}
          />
        );
      case 'list': {
        const List = token.ordered ? 'ol' : 'ul';
        const items = token.items.map((item) => <li>{item.tokens.map(block)}</li>);
        return <List>{items}</List>;
      }
      case 'table':
        return <Table token={token} inline={inline} />;
      default:
        return inline(each);
    }
  };

  return (
    <>
      {tokens
        .filter(({ type }) => type !== 'space')
        .map((token, index, all) => withLabel(block(token), token, all[index - 1]))}
    </>
  );
};

/** Labels the output of commands and the commands themselves. */
const withLabel = (
  shown: ComponentChildren,
  token: Token,
  above: Token | undefined,
): ComponentChildren =>
  isCode(token, 'json', 'text') && above && isCode(above, 'sh')
    ? [<p class="printed small muted">prints</p>, shown]
    : shown;

const isCode = (token: Token, ...languages: string[]): boolean =>
  token.type === 'code' && languages.includes((token as Tokens.Code).lang ?? '');

type Inline =
  | Tokens.Codespan
  | Tokens.Image
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Link
  | Tokens.Escape
  | Tokens.Text
  | Tokens.Tag;
type Block =
  | Tokens.Space
  | Tokens.Def
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Code
  | Tokens.List
  | Tokens.Table;

/** The plain text of Markdown. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens
        ? plainText(token.tokens)
        : 'text' in token
          ? token.text
          : '',
    )
    .join('');

const Heading = ({ token, children }: { token: Tokens.Heading; children: ComponentChildren }) => {
  if (token.depth === 1) return <h1>{children}</h1>;
  const id = anchorOf(plainText(token.tokens));
  const Level = token.depth === 2 ? 'h2' : 'h3';
  return (
    <Level id={id}>
      <a href={`#${id}`}>{children}</a>
    </Level>
  );
};

const Link = ({ href, children }: { href: string | undefined; children: ComponentChildren }) =>
  href === undefined ? <span>{children}</span> : <a href={href}>{children}</a>;

/** Scrollable content must be reachable by keyboard. */
const Table = ({
  token: { header, rows },
  inline,
}: {
  token: Tokens.Table;
  inline: (token: Token) => ComponentChildren;
}) => (
  <section
    class="scroll"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
    tabIndex={0}
    aria-label={['Table', ...header.map(({ text }) => text)].filter(Boolean).join(', ')}
  >
    <table>
      {header.some(({ text }) => text) && (
        <thead>
          <tr>
            {header.map(({ tokens }) =>
              tokens.length === 0 ? <td /> : <th scope="col">{tokens.map(inline)}</th>,
            )}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map(({ tokens }) => (
              <td>{tokens.map(inline)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const kinds: Readonly<Record<string, string>> = {
  sh: 'the commands',
  json: 'the JSON',
  graphql: 'the operation',
  ts: 'the program',
};

/** Without the file name after it. */
const languageOf = ({ lang = '' }: Tokens.Code): string => lang.split(' ')[0] ?? '';
