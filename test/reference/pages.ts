/** What the tests of the public pages read out of them. */
import type { TestApp } from '../support/app.js';
import { ensure } from '../support/expect.js';

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The text of a piece of HTML. */
export const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);

export const attributesOf = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    textOf(value),
  );

/** The page as browsers get it. */
export async function readPage(app: TestApp, path: string): Promise<string> {
  const response = await fetch(app.base + path, { headers: { accept: 'text/html' } });
  expect(response.status).toBe(200);
  return response.text();
}

/** The part of the reference that is about an operation. */
export function articleOf(page: string, operation: string): string {
  const [, article] =
    new RegExp(`<article class="operation" id="${operation}"(.*?)</article>`, 's').exec(page) ?? [];
  ensure(article, `There is nothing about ${operation}.`);
  return article;
}

/** What a sample says. */
export function programOf(page: string, id: string): string {
  const [, program] = new RegExp(`<pre id="${id}"[^>]*>(.*?)</pre>`, 's').exec(page) ?? [];
  ensure(program, `There is no ${id}.`);
  return textOf(program);
}

/**
 * Who is asked about in the examples of operations on the caller's own records, and who may do all
 * else.
 */
export const whoRuns = (operation: string): string =>
  /^(Create|List|Get)My|^GetMe$/.test(operation)
    ? 'climber@skyline.example'
    : 'admin@skyline.example';
