/** The pages for everybody: the home page, the API reference that is made from the OpenAPI document, and the guides. */
import type { ParameterizedContext } from 'koa';
import { h } from 'preact';
import type { Endpoint } from '../rest/operations.js';
import { entriesOf } from './entry.js';
import { readGuides } from './guides.js';
import { Home, linksOf } from './home.js';
import type { OpenApi } from './openapi.js';
import { constant, type Handle, publicPage } from './public.js';
import { Reference } from './reference.js';

/**
 * Renders them all.
 * @param description What `buildOpenApi` made of the endpoints.
 * @returns What answers at each path.
 */
export function createPublicPages(endpoints: readonly Endpoint[], description: object, baseUrl: string): Readonly<Record<string, Handle>> {
  const document = description as OpenApi;
  const entries = entriesOf(endpoints, document, baseUrl);
  const guides = readGuides();
  const files = { styles: ['reference.css'] };
  const home = publicPage('/', { title: 'Who may safely work on site', ...files }, h(Home, { entries, guides }));
  const links = constant('application/json', JSON.stringify(linksOf(document, baseUrl)));
  const reference = { title: 'API reference', ...files, scripts: ['reference.js'] };
  return {
    '/': (ctx: ParameterizedContext) => {
      ctx.vary('Accept');
      return ctx.accepts('html', 'json') === 'json' ? links(ctx) : home(ctx);
    },
    '/docs': publicPage('/docs', reference, h(Reference, { document, entries, guides })),
    ...Object.fromEntries(guides.map(({ path, text }) => [path, constant('text/plain', text)])),
  };
}
