/**
 * PostgreSQL refuses to run as root, the usual user of a container. Root therefore runs it as an
 * unprivileged user.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { StartError } from '../../errors.js';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

const isRoot = () => process.getuid?.() === 0;

/**
 * The owner for a new cluster: the owner of the directory, else `postgres`, else `nobody`.
 * Undefined unless we are root.
 */
export function userFor(directory: string): User | undefined {
  if (!isRoot()) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const users = lines
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const owner = statSync(directory).uid;
  const known =
    (owner !== 0 && users.find(({ uid }) => uid === owner)) ||
    users.find(({ name }) => name === 'postgres') ||
    users.find(({ name }) => name === 'nobody');
  if (!known)
    throw new StartError(
      'PostgreSQL does not run as root, and this system has neither the user “postgres” nor “nobody”: add one, or set DATABASE_URL.',
    );
  return known;
}

/** The owner of an existing cluster, as which PostgreSQL must run. Undefined unless we are root. */
export function ownerOf(cluster: string): User | undefined {
  return isRoot() ? statSync(cluster) : undefined;
}

interface Command {
  readonly program: string;
  readonly args: string[];
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/**
 * The command that runs `program` in `directory` as `user`. Below a directory that is closed to the
 * user, such as /root, it also gets the capability to pass; access(2), by which PostgreSQL finds
 * its own files, honours that only under `no_setuid_fixup`.
 */
export function commandAs(
  user: User | undefined,
  directory: string,
  program: string,
  args: string[],
): Command {
  const cwd = '/';
  if (!user) return { program, args, options: { cwd } };
  const { uid, gid } = user;
  const options = { cwd, uid, gid };
  const reaches =
    spawnSync(program, ['--version'], options).status === 0 &&
    spawnSync('test', ['-x', directory], options).status === 0;
  if (reaches) return { program, args, options };
  const lent = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  return {
    program: 'setpriv',
    args: [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...lent, program, ...args],
    options: { cwd },
  };
}
