/** Reading what `node --cpu-prof` wrote. */

interface Node {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

/** Times in microseconds. */
export interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Share {
  readonly name: string;
  /** Of the time that the process was busy. */
  readonly share: number;
}

const isIdle = ({ callFrame }: Node): boolean => callFrame.functionName === '(idle)';

/** `pg`, `@mikro-orm/core`, `node`, `lanyard`, or what the engine does itself. */
function packageOf({ callFrame: { functionName, url } }: Node): string {
  const [, inner] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (inner) return inner;
  if (url.startsWith('node:')) return 'node';
  if (url.includes('/dist/')) return 'lanyard';
  return functionName.startsWith('(') ? functionName : 'engine';
}

const functionOf = (node: Node): string => {
  const { functionName, url, lineNumber } = node.callFrame;
  const file = url.split('/').at(-1) ?? '';
  return `${(functionName || '(anonymous)').padEnd(36)} ${packageOf(node)}${file ? ` ${file}:${lineNumber + 1}` : ''}`;
};

/**
 * What each function and each package took itself, most first.
 * @param span Milliseconds: how long before the end of the process the load ended, and how long
 * before that what counts began.
 */
export function selfTimes(
  { nodes, samples, timeDeltas }: Profile,
  span: { readonly tail: number; readonly length: number },
) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const until = sum(timeDeltas) - span.tail * 1000;
  const from = until - span.length * 1000;
  const functions = new Map<string, number>();
  const packages = new Map<string, number>();
  let passed = 0;
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id);
    const time = timeDeltas[index] ?? 0;
    passed += time;
    if (!node || isIdle(node) || passed <= from || passed > until) continue;
    functions.set(functionOf(node), (functions.get(functionOf(node)) ?? 0) + time);
    packages.set(packageOf(node), (packages.get(packageOf(node)) ?? 0) + time);
  }
  return { functions: sharesOf(functions), packages: sharesOf(packages) };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, each) => total + each, 0);

function sharesOf(times: ReadonlyMap<string, number>): Share[] {
  const total = sum([...times.values()]);
  return [...times]
    .map(([name, time]) => ({ name, share: time / total }))
    .sort((a, b) => b.share - a.share);
}
