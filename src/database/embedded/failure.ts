/** Messages for a failed start of the embedded PostgreSQL. */
import { StartError } from '../../errors.js';

/** By system error code. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read and write there',
  EPERM: "the system doesn't let this user do that there",
  EROFS: 'that file system is read-only',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'no folder can be made there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
};

/** Runs `work` on the files of a directory. @throws {StartError} when the system denies access. */
export async function withFiles<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', path = directory } = error as NodeJS.ErrnoException;
    const reason = reasons[code];
    if (!reason) throw error;
    throw new StartError(
      `The embedded PostgreSQL cannot keep its data in ${directory}: ${reason} (${code}, ${path}). Set DATA_DIR to a folder that this user may write to, or DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

export const alreadyRunning = (directory: string): StartError =>
  new StartError(
    `Lanyard is already running on ${directory}: stop it, or set another DATA_DIR or a DATABASE_URL.`,
  );

/** @param log Output of PostgreSQL before it ended. */
export function startFailure(home: string, log: string): StartError {
  const [, made, ours] =
    /initialized by PostgreSQL version (\S+), which is not compatible with this version (\d+)/.exec(
      log,
    ) ?? [];
  if (made) {
    return new StartError(
      `The data in ${home} is of PostgreSQL ${made}, and Lanyard brings PostgreSQL ${ours}. Set DATA_DIR to a new folder; to keep the data, run PostgreSQL ${made} on ${home}/cluster, and set DATABASE_URL to it, or move the data with pg_dump.`,
    );
  }
  return new StartError(`PostgreSQL did not start in ${home}. Its output:\n${log.trimEnd()}`);
}
