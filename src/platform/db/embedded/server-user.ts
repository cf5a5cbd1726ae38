import { existsSync, lchownSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/** Whom the server runs as when we are root; PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const FALLBACK_USERS = ['postgres', 'nobody'];

/**
 * Root: the owner of an existing cluster, else the owner of `dataDir` (who may want to start it himself next time),
 * else `postgres`, else `nobody`. Anyone else: undefined, the server runs as ourselves. It never has the group of root, which a
 * folder keeps that was given to a user alone: that user's own commands could not recognize the server by it either.
 */
export function chooseServerUser(dataDir: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const path of [join(dataDir, 'pg', 'data'), dataDir]) {
    if (!existsSync(path)) continue;
    const { uid, gid } = statSync(path);
    const own = users.find((fields) => fields[2] === String(uid))?.[3];
    if (uid !== 0) return { uid, gid: gid === 0 && own !== undefined ? Number(own) : gid };
  }
  for (const name of FALLBACK_USERS) {
    const [, , uid, gid] = users.find((fields) => fields[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody" to run it as. ' +
      'Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

/** The first folder on the way to `path` that `user` cannot enter, or undefined. */
export function barrier(path: string, user: ServerUser): string | undefined {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    if (!mayEnter(statSync(folder), user)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function mayEnter(folder: Stats, user: ServerUser): boolean {
  if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/**
 * As root, what we write into a folder belongs to the folder's owner: he may start without root next time. A link that he put there
 * meanwhile gives him nothing but the link.
 */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  lchownSync(path, uid, gid);
}

interface ProcessOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

/** Who, where and with which environment the server's programs run: no PG* variable of the caller reaches them. */
export function processOptions(user: ServerUser | undefined, cwd: string): ProcessOptions {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|LD_|DYLD_)/.test(name));
  return { cwd, env: { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' }, ...user };
}
