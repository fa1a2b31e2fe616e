/** Full-text search over the guides and the reference. It runs on the server, without scripts. */
import { lexer, type Token, type Tokens } from 'marked';
import MiniSearch, { type SearchResult } from 'minisearch';
import type { ComponentChildren } from 'preact';
import { Guides } from './contents.js';
import type { Entry } from './entry.js';
import { type Guide, readGuide } from './guides.js';
import { plainText } from './markdown.js';
import { anchorOf } from './prose.js';

/** A section of a guide, or an operation. */
interface Section {
  readonly id: number;
  readonly href: string;
  readonly title: string;
  /** The title of its page. */
  readonly page: string;
  readonly text: string;
}

/** Limits the work of a search: short words are the beginnings of most others. */
const maxQueryLength = 100;
const maxWords = 8;
const minWordLength = 2;
const maxResults = 20;
const excerptLength = 200;

type Index = MiniSearch<Section>;

export function createIndex(entries: readonly Entry[], guides: readonly Guide[]): Index {
  const index: Index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['href', 'title', 'page', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  const sections = [...guides.flatMap(sectionsOf), ...entries.map(sectionOf)];
  index.addAll(
    sections.map((section, id) => ({ ...section, id, text: section.text.replace(/\s+/g, ' ') })),
  );
  return index;
}

const sectionOf = ({ name, title, route, operation, scopes }: Entry): Omit<Section, 'id'> => ({
  href: `/docs#${name}`,
  title,
  page: 'API reference',
  text: `${route.method} ${route.path} ${name} ${operation.description} ${scopes.join(' ')}`,
});

/** One section for each heading, and one for the introduction. */
function sectionsOf({ name, path, title }: Guide): Omit<Section, 'id'>[] {
  const sections = [{ href: path, title, page: title, text: '' }];
  for (const token of lexer(readGuide(name))) {
    if (token.type === 'heading' && token.depth > 1) {
      const heading = plainText(token.tokens ?? []);
      sections.push({
        href: `${path}#${anchorOf(heading)}`,
        title: heading,
        page: title,
        text: '',
      });
    } else if (token.type !== 'heading') {
      const section = sections.at(-1);
      if (section) section.text += `${textOf(token)} `;
    }
  }
  return sections;
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .flat()
      .map(({ tokens }) => plainText(tokens))
      .join(' ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => tokens.map(textOf).join(' ')).join(' ');
  return token.type === 'def' ? '' : plainText([token]);
}

/** The sections with all words; without any, those with some of them. */
function search(index: Index, query: string): SearchResult[] {
  const words = query.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length >= minWordLength);
  const text = [...new Set(words)].slice(0, maxWords).join(' ');
  const all = index.search(text, { combineWith: 'AND' });
  return all.length > 0 ? all : index.search(text);
}

export const SearchPage = ({
  index,
  guides,
  query,
}: {
  index: Index;
  guides: readonly Guide[];
  query: string;
}) => {
  const asked = query.trim().slice(0, maxQueryLength);
  const found = asked ? search(index, asked) : [];
  return (
    <div class="reference">
      <Guides guides={guides} query={asked} />
      <article class="body guide">
        <h1>Search</h1>
        <p class="muted" role="status">
          {asked
            ? `${countOf(found.length)} for “${asked}”`
            : 'Type words of the guides or the reference.'}
        </p>
        <ol class="results">
          {found.slice(0, maxResults).map(({ href, title, page, text, terms }) => (
            <li>
              <a href={href}>{title}</a> {page !== title && <span class="small muted">{page}</span>}
              <p class="small muted">
                <Excerpt text={text} terms={terms} />
              </p>
            </li>
          ))}
        </ol>
      </article>
    </div>
  );
};

function countOf(found: number): string {
  if (found > maxResults) return `The best ${maxResults} of ${found} results`;
  return `${found === 0 ? 'No' : found} ${found === 1 ? 'result' : 'results'}`;
}

const escapePattern = (term: string): string => term.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** The text around the first of the terms, with the terms marked. */
const Excerpt = ({ text, terms }: { text: string; terms: readonly string[] }) => {
  const pattern = new RegExp(`(${terms.map(escapePattern).join('|')})`, 'giu');
  const place = Math.max(0, text.search(pattern) - excerptLength / 4);
  const from = place === 0 ? 0 : text.indexOf(' ', place) + 1;
  const shown = text.slice(from, from + excerptLength).replace(/\s+\S*$/, '');
  const parts = shown.split(pattern);
  return (
    <>
      {from > 0 && '… '}
      {parts.map(
        (part, position): ComponentChildren => (position % 2 === 1 ? <mark>{part}</mark> : part),
      )}
      {from + shown.length < text.trimEnd().length && ' …'}
    </>
  );
};
