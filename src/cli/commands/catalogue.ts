/** Commands for publishers of standard definitions and for the starter catalogue. */
import { loadCatalogue } from '../operations/load-catalogue.js';
import { setPublisher } from '../operations/publish-catalogue.js';
import type { Command } from '../usage.js';
import { commandsOn, type WithDatabase } from './on.js';

const loadFor = (slug: string) => `“lanyard catalogue load --organization ${slug}”`;

const afterOn = (slug: string): string =>
  `${slug} may publish standard definitions. ${loadFor(slug)} loads them; what it creates by itself keeps the scope organization.\n`;

const afterOff = (slug: string, withdrawn: number): string => {
  const ended = `${slug} no longer publishes standard definitions.`;
  if (withdrawn === 0) return `${ended}\n`;
  const what = `${withdrawn} definitions have the scope organization now: only ${slug} can use them.`;
  return `${ended} ${what} To undo this, run “lanyard org publisher ${slug}”, then ${loadFor(slug)}.\n`;
};

export function catalogueCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  const on = commandsOn(withDatabase);
  return {
    'org publisher': on(
      {
        does: 'let an organization publish standard definitions, which every organization can use, or end that',
        usage: 'SLUG [--off]',
        explains: {
          SLUG: 'the organization, as “lanyard org list” shows it',
          '--off':
            'its standard definitions become its own, with the scope organization; refused while other organizations use one',
        },
        example: 'catalogue',
        notes:
          'Standard definitions come from “lanyard catalogue load”: definitions that the organization creates have the scope organization. When the organization becomes a publisher again after --off, “catalogue load” makes those of the catalogue standard again.',
        json: 'organization, is_publisher, withdrawn',
      },
      async (db, { SLUG = '', off }) => {
        const withdrawn = await setPublisher(db, SLUG, !off);
        return {
          text: off ? afterOff(SLUG, withdrawn) : afterOn(SLUG),
          json: { organization: SLUG, is_publisher: !off, withdrawn },
        };
      },
    ),
    'catalogue load': on(
      {
        does: 'load the standard certification types, qualifications and job roles that Lanyard includes, without people',
        usage: '[--organization SLUG]',
        explains: {
          '--organization':
            'the publisher that owns them; default: catalogue, an organization without members, created if it is missing',
        },
        example: '--organization catalogue',
        notes:
          'Standard definitions come only from here: those that a publisher creates have the scope organization. Run again, it adds what is missing, makes definitions of the catalogue standard again after “lanyard org publisher SLUG --off”, and changes nothing else.',
        json: 'organization, is_new, added, unchanged, restored[], left_out[]',
      },
      async (db, { organization: slug }) => {
        const { organization, isNew, added, unchanged, restored, leftOut } = await loadCatalogue(
          db,
          slug,
        );
        const lines = [
          isNew &&
            `Created the organization ${organization}, which publishes standard definitions.`,
          `Added ${added} standard definitions to ${organization}; ${unchanged} were there and stay as they are.`,
          restored.length > 0 &&
            `Made ${restored.length} definitions of the catalogue standard again: ${restored.join(', ')}.`,
          leftOut.length > 0 &&
            `Left out, because a certification type or qualification that they need is archived or not standard: ${leftOut.join(', ')}.`,
        ];
        return {
          text: `${lines.filter(Boolean).join('\n')}\n`,
          json: { organization, is_new: isNew, added, unchanged, restored, left_out: leftOut },
        };
      },
    ),
  };
}
