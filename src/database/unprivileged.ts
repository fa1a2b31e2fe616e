/** PostgreSQL refuses to run as root, which is who one is in many containers. So root lends it a user who may do nothing else. */
import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';

/** A user of the system; undefined for the one we are. */
export type User = { readonly uid: number; readonly gid: number } | undefined;

const isRoot = () => process.getuid?.() === 0;

/** Who runs PostgreSQL on what lies at `path`: as root, its owner, or for something of root's own `postgres` or `nobody`. */
export function userFor(path: string): User {
  if (!isRoot()) return undefined;
  const { uid, gid } = statSync(path);
  if (uid !== 0) return { uid, gid };
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , postgres, group] = known.find(([name]) => name === 'postgres') ?? known.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(postgres ?? 65_534), gid: Number(group ?? 65_534) };
}

export function giveTo(user: User, path: string): void {
  if (user) chownSync(path, user.uid, user.gid);
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/**
 * Runs `program` as `user`. Below a directory closed to the user, such as /root, it also gets the capability to pass through
 * (`no_setuid_fixup` makes access(2), with which PostgreSQL looks for its own files, honour it).
 */
export function commandAs(user: User, program: string, args: readonly string[], directory: string): Command {
  const cwd = '/';
  if (!user) return { program, args, options: { cwd } };
  const options = { cwd, uid: user.uid, gid: user.gid };
  const reaches = spawnSync(program, ['--version'], options).status === 0 && spawnSync('test', ['-x', directory], options).status === 0;
  if (reaches) return { program, args, options };
  const lent = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return {
    program: 'setpriv',
    args: [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...lent, program, ...args],
    options: { cwd },
  };
}
