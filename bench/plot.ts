/**
 * `npm run bench:plot`: draws the newest results, or those of the JSON file given, as
 * bench/results/ratios.svg. Colours follow the reader's scheme, light or dark.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/root.js';
import { short } from './report/table.js';
import type { Results } from './report/write.js';
import type { Spread } from './rounds.js';
import { variants } from './servers.js';

const folder = join(packageRoot, 'bench', 'results');
/** Pixels. */
const left = 150;
const right = 40;
const top = 88;
const bar = 9;
const gap = 12;
const width = 720;
/** The axis is logarithmic, from a sixteenth to sixteen times. */
const octaves = 4;

const colours: Readonly<Record<string, string>> = {
  floor: 'floor',
  postgraphile: 'postgraphile',
  apollo: 'apollo',
};

const style = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 14px } .faint { fill: #59636e } .value { font-size: 10px }
  .line { stroke: #d1d9e0 } .one { stroke: #1f2328 } .range { stroke: #1f2328; opacity: .55 }
  .floor { fill: #8250df } .postgraphile { fill: #0969da } .apollo { fill: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .faint { fill: #9198a1 } .line { stroke: #3d444d } .one, .range { stroke: #f0f6fc }
    .floor { fill: #ab7df8 } .postgraphile { fill: #4493f8 } .apollo { fill: #db6d28 }
  }`;

const at = (ratio: number): number => {
  const place =
    (Math.log2(Math.min(Math.max(ratio, 2 ** -octaves), 2 ** octaves)) + octaves) / (2 * octaves);
  return left + place * (width - left - right);
};

function drawRatio({ median, least, most }: Spread, name: string, y: number): string {
  const [from, to] = [Math.min(at(1), at(median)), Math.max(at(1), at(median))];
  const middle = y + bar / 2;
  return `<rect class="${name}" x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${bar}" rx="1"/>
<line class="range" x1="${at(least).toFixed(1)}" x2="${at(most).toFixed(1)}" y1="${middle}" y2="${middle}"/>
<text class="value" x="${(Math.max(to, at(most)) + 4).toFixed(1)}" y="${y + bar - 0.5}">${short(median)}</text>`;
}

export function draw({ date, commit, options, comparisons }: Results): string {
  const parts: string[] = [];
  let y = top;
  for (const { operation, ratios } of comparisons) {
    const shown = ratios.filter(({ to }) => to in colours);
    parts.push(
      `<text x="${left - 10}" y="${y + (shown.length * bar) / 2 + 4}" text-anchor="end">${operation}</text>`,
    );
    for (const { to, atEqualCpu } of shown) {
      parts.push(drawRatio(atEqualCpu, colours[to] ?? '', y));
      y += bar + 1;
    }
    y += gap;
  }
  const ticks = Array.from({ length: 2 * octaves + 1 }, (_, index) => 2 ** (index - octaves)).map(
    (ratio) => {
      const x = at(ratio).toFixed(1);
      const label = ratio < 1 ? `1/${1 / ratio}` : `${ratio}`;
      return `<line class="${ratio === 1 ? 'one' : 'line'}" x1="${x}" x2="${x}" y1="${top - 8}" y2="${y - 4}"/><text class="faint" x="${x}" y="${y + 10}" text-anchor="middle">${label}</text>`;
    },
  );
  const keys = Object.entries(colours).map(([name, colour], index) => {
    const title = variants.find((variant) => variant.name === name)?.title ?? name;
    return `<rect class="${colour}" x="${left + index * 150}" y="54" width="12" height="12" rx="2"/><text x="${left + index * 150 + 18}" y="64">to ${title}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 24}" role="img" aria-label="Lanyard's throughput at equal processor time as a ratio to other servers">
<style>${style}</style>
<text class="title" x="10" y="20">Requests per second of processor time: Lanyard to …</text>
<text class="faint" x="10" y="38">${date}, ${commit}, ${options.scale * 200_000} records; right of 1 Lanyard is faster</text>
${[...keys, ...ticks, ...parts].join('\n')}
</svg>
`;
}

if (import.meta.main) {
  const newest = () =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .at(-1);
  const file = process.argv[2] ?? join(folder, newest() ?? '');
  writeFileSync(
    join(folder, 'ratios.svg'),
    draw(JSON.parse(readFileSync(file, 'utf8')) as Results),
  );
}
