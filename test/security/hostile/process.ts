/** What another process takes of the machine, by Linux's account of it. */
import { readFileSync } from 'node:fs';

/**
 * Milliseconds of CPU so far, in steps of 10: unlike those of a clock, the same however busy the
 * machine is.
 */
export function cpuOf(pid: number | undefined): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(afterName[11]) + Number(afterName[12])) * 10;
}

/** Bytes in memory. */
export function residentOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
