/** The pages for everybody: the home page, the API reference that is made from the OpenAPI document, and the guides. */
import type { ParameterizedContext } from 'koa';
import { h } from 'preact';
import { readConfig } from '../config.js';
import type { Endpoint } from '../rest/operations.js';
import { entriesOf } from './entry.js';
import { GuidePage } from './guide.js';
import { type Guide, listGuides, readGuide } from './guides.js';
import { Home, linksOf } from './home.js';
import type { OpenApi } from './openapi.js';
import { atFirstUse, constant, type Handle, publicPage } from './public.js';
import { Reference } from './reference.js';

const styles = ['reference.css'];
/** The server of the examples in docs/. */
const writtenFor = readConfig({}).BASE_URL;

/**
 * What answers at the path of each public page. Each is made when somebody asks for it, and kept: few servers show them all.
 * @param description What `buildOpenApi` made of the endpoints.
 */
export function createPublicPages(endpoints: readonly Endpoint[], description: object, baseUrl: string): Readonly<Record<string, Handle>> {
  const document = description as OpenApi;
  const readEntries = () => entriesOf(endpoints, document, baseUrl);
  const guides = listGuides();
  const home = atFirstUse(async () =>
    publicPage('/', { title: 'Who may safely work on site', styles }, h(Home, { entries: readEntries(), guides })),
  );
  const links = constant('application/json', JSON.stringify(linksOf(document, baseUrl)));
  const reference = { title: 'API reference', styles, scripts: ['contents.js', 'reference.js'] };
  return {
    '/': (ctx: ParameterizedContext) => {
      ctx.vary('Accept');
      return ctx.accepts('html', 'json') === 'json' ? links(ctx) : home(ctx);
    },
    '/docs': atFirstUse(async () => publicPage('/docs', reference, h(Reference, { document, entries: readEntries(), guides }))),
    ...Object.fromEntries(guides.flatMap((guide) => Object.entries(pagesOf(guide, guides, baseUrl)))),
  };
}

/** A guide as a page, with this server in its examples, and as it is written. */
const pagesOf = (guide: Guide, guides: readonly Guide[], baseUrl: string): Record<string, Handle> => ({
  [guide.path]: atFirstUse(async () => {
    const { lexer } = await import('marked');
    const tokens = lexer(readGuide(guide.name).replaceAll(writtenFor, baseUrl));
    const options = { title: guide.title, styles: [...styles, 'guides.css'], scripts: ['contents.js'] };
    return publicPage(guide.path, options, h(GuidePage, { guide, guides, tokens }));
  }),
  [`${guide.path}.md`]: atFirstUse(async () => constant('text/plain', readGuide(guide.name))),
});
