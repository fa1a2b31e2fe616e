/**
 * Looks at a page as people do who see it on a desk or a phone, by day or by night, or don't see it
 * at all.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const complaints = new WeakMap<Page, string[]>();

/** Keeps what the browser says of a page, for its next inspection. */
export function complain(page: Page, text: string): void {
  // Pages of errors are looked at, too.
  if (/^Failed to load resource: the server responded with a status of 4/.test(text)) return;
  complaints.set(page, [...(complaints.get(page) ?? []), text]);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const common: RunOptions = { resultTypes: ['violations'], preload: false, selectors: false };
/**
 * A scheme changes colours and nothing else: all rules in the light, those about colours in the
 * dark.
 */
const schemes = {
  dark: { ...common, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
  light: { ...common, rules: { 'target-size': { enabled: true } } },
} satisfies Record<string, RunOptions>;
const height = 800;
const widths = [390, 1280];
const folder = process.env.LANYARD_SCREENSHOTS;
/**
 * Pages that were looked at: the dark ones as a phone has them and as a desk does, by turns. With
 * pictures each both ways.
 */
let looks = 0;

/**
 * Looks at a page as wide as a desk and as narrow as a phone, in light and, one of the two, in
 * dark: nothing that axe-core minds, nothing beside the edge, no complaint of the browser. With
 * LANYARD_SCREENSHOTS, a folder, keeps pictures there.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  // By the debugger's protocol, which the page's policy doesn't concern. A page that the one before
  // led to has lost it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const darkAt = widths[looks++ % widths.length];
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    for (const [colorScheme, options] of Object.entries(schemes)) {
      if (colorScheme === 'dark' && width !== darkAt && !folder) continue;
      await page.emulateMedia({
        colorScheme: colorScheme as keyof typeof schemes,
        reducedMotion: 'reduce',
      });
      expect([
        `${name} ${width} ${colorScheme}: ${page.url()}`,
        await problems(page, options),
      ]).toStrictEqual([expect.any(String), []]);
      if (folder)
        await keepPicture(
          page,
          `${folder}/${name} ${width} ${colorScheme}.png`.replaceAll(' ', '-'),
        );
    }
  }
  expect([`${name}: ${page.url()}`, complaints.get(page) ?? []]).toStrictEqual([
    expect.any(String),
    [],
  ]);
}

/** What is wrong with the page as it is shown now. */
function problems(page: Page, options: RunOptions): Promise<string[]> {
  return page.evaluate(async (given) => {
    const { violations }: AxeResults = await (
      window as unknown as { axe: typeof import('axe-core') }
    ).axe.run(document, given);
    const { scrollWidth } = document.documentElement;
    return [
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      ),
      ...(scrollWidth > innerWidth
        ? [`The page is ${scrollWidth} px wide, the window ${innerWidth}.`]
        : []),
    ];
  }, options);
}

async function keepPicture(page: Page, path: string): Promise<void> {
  mkdirSync(folder ?? '', { recursive: true });
  await page.screenshot({ path, fullPage: true });
}
