/** PostgreSQL refuses to run as root, which is who one is in many containers. So root runs it as somebody who may do less. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

const isRoot = () => process.getuid?.() === 0;

/** Who is to own a new cluster in the directory: whoever owns that, or `postgres`, or `nobody`. Undefined where we are not root. */
export function userFor(directory: string): User | undefined {
  if (!isRoot()) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const users = lines.map((line) => line.split(':')).map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const owner = statSync(directory).uid;
  const known =
    (owner !== 0 && users.find(({ uid }) => uid === owner)) ||
    users.find(({ name }) => name === 'postgres') ||
    users.find(({ name }) => name === 'nobody');
  if (!known)
    throw new Error("PostgreSQL doesn't run as root, and this system has no user called postgres or nobody: add one, or set DATABASE_URL");
  return known;
}

/** Who must run what lies there: PostgreSQL insists on being its owner. Undefined where we are not root. */
export function ownerOf(cluster: string): User | undefined {
  return isRoot() ? statSync(cluster) : undefined;
}

interface Command {
  readonly program: string;
  readonly args: string[];
  readonly options: { readonly cwd: string; readonly uid?: number; readonly gid?: number };
}

/**
 * How to run `program`, which works in `directory`, as `user`. Below a directory closed to the user, such as /root, it also gets the capability
 * to pass; access(2), by which PostgreSQL finds its own files, honours that only under `no_setuid_fixup`.
 */
export function commandAs(user: User | undefined, directory: string, program: string, args: string[]): Command {
  const cwd = '/';
  if (!user) return { program, args, options: { cwd } };
  const { uid, gid } = user;
  const options = { cwd, uid, gid };
  const reaches = spawnSync(program, ['--version'], options).status === 0 && spawnSync('test', ['-x', directory], options).status === 0;
  if (reaches) return { program, args, options };
  const lent = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return { program: 'setpriv', args: [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...lent, program, ...args], options: { cwd } };
}
