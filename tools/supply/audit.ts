/**
 * `npm run audit`: known vulnerabilities of production packages. An unavailable report is shown,
 * but is not a failure.
 */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/root.js';

export interface Verdict {
  readonly text: string;
  readonly isBad: boolean;
}

interface Vulnerability {
  readonly severity: string;
  readonly range: string;
  readonly fixAvailable: boolean | { readonly name: string; readonly version: string };
}

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  /** An error message of the registry, instead of a report. */
  readonly message?: string;
}

/** @param output The output of `npm audit --json`. */
export function judge(output: string): Verdict {
  const { vulnerabilities, message = 'npm printed no report' } = read(output);
  if (!vulnerabilities)
    return {
      isBad: false,
      text: `Dependencies: NOT CHECKED for known vulnerabilities. The registry does not respond: ${message}`,
    };
  const found = Object.entries(vulnerabilities);
  if (found.length === 0)
    return {
      isBad: false,
      text: 'Dependencies: no known vulnerabilities in what production installs.',
    };
  const lines = found.map(([name, { severity, range, fixAvailable }]) => {
    const fix =
      typeof fixAvailable === 'object'
        ? `mended by ${fixAvailable.name} ${fixAvailable.version}`
        : fixAvailable && '“npm audit fix” mends it';
    return `  ${name} ${range}: ${severity}; ${fix || 'there is no mended version yet'}`;
  });
  return {
    isBad: true,
    text: `Dependencies: known vulnerabilities in what production installs.\n${lines.join('\n')}`,
  };
}

function read(output: string): Report {
  try {
    return JSON.parse(output) as Report;
  } catch {
    return {};
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: packageRoot,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const { text, isBad } = judge(stdout || JSON.stringify({ message: stderr || undefined }));
  process.stdout.write(`${text}\n`);
  process.exitCode = isBad ? 1 : 0;
}
