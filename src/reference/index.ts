/** The public pages: home page, API reference from the OpenAPI document, and guides. */
import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { h } from 'preact';
import { readConfig } from '../config.js';
import { createRouter } from '../http/router.js';
import { headersOf } from '../pages/security.js';
import type { Endpoint } from '../rest/operations.js';
import {
  filePath,
  files,
  type Guide,
  images,
  listGuides,
  readFile,
  readGuide,
  readImage,
} from './guides.js';
import { linksOf } from './links.js';
import type { OpenApi } from './openapi.js';
import { atFirstUse, constant, htmlOf, lazily, publicPage } from './public.js';

const styles = ['reference.css'];
const guideStyles = [...styles, 'guides.css'];
/** The server URL of the examples in docs/. */
const writtenFor = readConfig({}).BASE_URL;

/** A token is for the server at this address, which the command must know too. */
const writtenForServer = (text: string, baseUrl: string): string =>
  baseUrl === writtenFor
    ? text
    : text
        .replaceAll(writtenFor, baseUrl)
        .replaceAll('npm run --silent token', `BASE_URL=${baseUrl} npm run --silent token`);

/**
 * A router with the public pages. Each is loaded and rendered at the first request and kept,
 * because few servers show all of them.
 * @param description The result of `buildOpenApi` for the endpoints.
 * @param limit Limits the searches of an address.
 */
export function createPublicPages(
  endpoints: readonly Endpoint[],
  description: object,
  baseUrl: string,
  limit: Middleware,
): Router {
  const document = description as OpenApi;
  const readEntries = async () =>
    (await import('./entry.js')).entriesOf(endpoints, document, baseUrl);
  const guides = listGuides();
  const home = atFirstUse(async () => {
    const { Home } = await import('./home.js');
    const title = 'Who may safely work on site';
    return publicPage('/', { title, styles }, h(Home, { entries: await readEntries(), guides }));
  });
  const links = constant('application/json', JSON.stringify(linksOf(document, baseUrl)));
  const reference = { title: 'API reference', styles, scripts: ['contents.js', 'reference.js'] };
  const router = createRouter();
  router.get('/', (ctx) => {
    ctx.vary('Accept');
    return ctx.accepts('html', 'json') === 'json' ? links(ctx) : home(ctx);
  });
  router.get(
    '/docs',
    atFirstUse(async () => {
      const { Reference } = await import('./reference.js');
      const page = h(Reference, { document, entries: await readEntries(), guides });
      return publicPage('/docs', reference, page);
    }),
  );
  const searchIndex = lazily(async () => {
    const { createIndex, SearchPage } = await import('./search.js');
    return { SearchPage, index: createIndex(await readEntries(), guides) };
  });
  router.get('/docs/search', limit, async (ctx) => {
    const { SearchPage, index } = await searchIndex();
    const query = new URLSearchParams(ctx.querystring).get('q') ?? '';
    const options = { title: 'Search', styles: guideStyles, scripts: ['contents.js'] };
    ctx.set(headersOf());
    ctx.type = 'html';
    ctx.body = htmlOf('/docs/search', options, h(SearchPage, { index, guides, query }));
  });
  for (const guide of guides) addGuide(router, guide, guides, baseUrl);
  for (const name of images)
    router.get(
      `/docs/images/${name}.svg`,
      atFirstUse(async () => constant('image/svg+xml', readImage(name))),
    );
  for (const file of files)
    router.get(
      filePath(file),
      atFirstUse(async () => constant('text/plain', readFile(file))),
    );
  return router;
}

/** A guide as a page, with this server's URL in its examples, and as Markdown. */
function addGuide(router: Router, guide: Guide, guides: readonly Guide[], baseUrl: string): void {
  const page = atFirstUse(async () => {
    const { lexer } = await import('marked');
    const { GuidePage } = await import('./guide.js');
    const tokens = lexer(writtenForServer(readGuide(guide.name), baseUrl));
    const options = {
      title: guide.title,
      styles: guideStyles,
      scripts: ['contents.js'],
    };
    return publicPage(guide.path, options, h(GuidePage, { guide, guides, tokens }));
  });
  router.get(guide.path, page);
  router.get(
    `${guide.path}.md`,
    atFirstUse(async () => constant('text/plain', readGuide(guide.name))),
  );
}
