/**
 * Links of a Markdown page that open its queries in the GraphQL explorer of a server on this
 * machine.
 */
import { readConfig } from '../../config.js';

const query = /```graphql\n([^`]*)```\s*```json\n([^`]*)```\s*\[Open in the explorer\]\[(\w+)\]/g;
const definitions = /^\[\w+\]: \S+\/graphql\?document=\S+\n/gm;

/**
 * @returns The page with, at its end, the address of each `[Open in the explorer][name]` that
 * follows a query and its variables.
 */
export function writeExplorerLinks(page: string): string {
  const links = [...page.matchAll(query)].map(([, document = '', variables = '', name = '']) => {
    const parameters = new URLSearchParams({
      document: document.trim(),
      variables: JSON.stringify(JSON.parse(variables)),
    });
    return `[${name}]: ${readConfig({}).BASE_URL}/graphql?${parameters}\n`;
  });
  return `${page.replaceAll(definitions, '').trimEnd()}\n\n${links.join('')}`;
}
