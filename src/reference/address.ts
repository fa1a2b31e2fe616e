/** Addresses on this server of what the guides link to. */
import { posix } from 'node:path';
import { lexer, type Tokens, walkTokens } from 'marked';
import { filePath, files, type Guide } from './guides.js';

/**
 * The address of a link in a guide: another guide, an image, a heading of the page, or an external
 * site. Undefined if the server does not have it.
 * @param suffix `.md` to link to the Markdown of guides.
 */
export function addressOf(
  href: string,
  from: Guide,
  guides: readonly Guide[],
  suffix: '' | '.md' = '',
): string | undefined {
  if (/^(?:#|https?:)/.test(href)) return href;
  const [path = '', anchor] = posix.join(posix.dirname(from.file), href).split('#');
  if (path.startsWith('docs/images/')) return `/${path}`;
  if (path === 'schema/openapi.json') return '/v1/openapi.json';
  if (files.includes(path)) return filePath(path);
  const guide = guides.find(({ file }) => file === path);
  if (!guide) return undefined;
  return guide.path + suffix + (anchor === undefined ? '' : `#${anchor}`);
}

/** The Markdown of a guide with the addresses of this server in its links. */
export function withAddresses(markdown: string, from: Guide, guides: readonly Guide[]): string {
  const links = new Set<string>();
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image')
      links.add((token as Tokens.Link | Tokens.Image).href);
  });
  let text = markdown;
  for (const href of links) {
    const address = addressOf(href, from, guides, '.md') ?? href;
    text = text.replaceAll(`](${href})`, () => `](${address})`);
  }
  return text;
}
