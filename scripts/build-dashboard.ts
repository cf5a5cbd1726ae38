import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/**
 * Builds the dashboard into dashboard/dist. With --if-stale only where it is missing or older than its sources, as
 * `npm start` and `npm run serve` do; several that start at once build once.
 */
const ROOT = fileURLToPath(new URL('../dashboard', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
const LOCK = join(ROOT, '.building');
/** A build takes seconds; a lock that is older than this was left behind by one that was killed. */
const LOCK_IS_STALE_MS = 60_000;

const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];
/** Made by the build itself, or of no consequence to what is built. */
const NOT_SOURCES = /(route-tree\.gen\.ts|schema\.d\.ts)$/;

/** One short text for all that goes into the build. */
function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => filesUnder(join(ROOT, name))).sort()) {
    if (NOT_SOURCES.test(file)) continue;
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  hash.update(readFileSync(join(ROOT, '../package-lock.json')));
  return hash.digest('base64url');
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const isUpToDate = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOfSources();

async function build(): Promise<void> {
  const begun = Date.now();
  const stamp = stampOfSources();
  const { build: viteBuild } = await import('vite');
  const folder = `${DIST}.${process.pid}`;
  try {
    await viteBuild({
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    });
    for (const file of filesUnder(folder)) compress(file);
    writeFileSync(join(folder, '.stamp'), stamp);
    putInPlace(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`Built the dashboard in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}

/** Compressed once here instead of at every request. */
function compress(file: string): void {
  if (!/\.(js|css|html|svg)$/.test(file)) return;
  const bytes = readFileSync(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

/** Whoever serves the folder meanwhile finds the one or the other, whole. */
function putInPlace(folder: string): void {
  const old = `${DIST}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, old);
  renameSync(folder, DIST);
  rmSync(old, { recursive: true, force: true });
}

/** Waits for the one who builds, if anyone does. */
async function withLock(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch {
      if (existsSync(LOCK) && Date.now() - statSync(LOCK).mtimeMs > LOCK_IS_STALE_MS) rmSync(LOCK, { recursive: true });
      await sleep(100);
    }
  }
  try {
    await work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function isViteMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

const onlyIfStale = process.argv.includes('--if-stale');
try {
  if (!onlyIfStale) await withLock(build);
  else if (!isUpToDate()) await withLock(async () => (isUpToDate() ? undefined : build()));
} catch (error) {
  if (!isViteMissing(error)) throw error;
  const state = existsSync(DIST) ? 'is older than its sources' : 'is not built';
  console.error(`The dashboard ${state}, and what builds it is not installed: run npm run build where it is.`);
  // A service without its pages still serves the API; a build that did not happen is a failure.
  process.exitCode = onlyIfStale ? 0 : 1;
}
