/**
 * Prints how often a process that only counts the time is held up for more than a millisecond: by
 * the machine, since it does nothing else itself.
 */
const milliseconds = 10_000;

const stalls: number[] = [];
const started = performance.now();
for (let last = started; last < started + milliseconds; ) {
  const now = performance.now();
  if (now - last > 1) stalls.push(now - last);
  last = now;
}
const lost = stalls.reduce((sum, each) => sum + each, 0);
const longest = Math.max(0, ...stalls);
process.stdout.write(
  `${((100 * lost) / milliseconds).toFixed(2)} % of the time, by ${stalls.length} stalls of up to ${longest.toFixed(1)} ms`,
);
