import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a browser fetches before a page of the dashboard can be used, as it travels. */
export interface FirstLoad {
  /** The file of the route: `_merchant/stores/index.tsx`. */
  route: string;
  /** Scripts and styles, compressed with gzip. */
  bytes: number;
}

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}
type Manifest = Record<string, Chunk>;

const PAGE = /^src\/routes\/(.+\.tsx)\?tsr-split=component$/;

/** Every page with what it needs, the largest first, out of the manifest of the build in `dist`. */
export function firstLoads(dist: string): FirstLoad[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  return Object.keys(manifest)
    .flatMap((key) => {
      const route = PAGE.exec(key)?.[1];
      if (route === undefined) return [];
      const files = filesOf(manifest, ['index.html', ...layoutsOf(manifest, route), key]);
      const bytes = [...files].reduce((sum, file) => sum + gzipped(join(dist, file)), 0);
      return [{ route, bytes }];
    })
    .sort((a, b) => b.bytes - a.bytes);
}

/** The shells that stand around a page: `_merchant.tsx` around `_merchant/stores/index.tsx`. */
function layoutsOf(manifest: Manifest, route: string): string[] {
  const folders = route.split('/').slice(0, -1);
  return folders
    .map((_, at) => `src/routes/${folders.slice(0, at + 1).join('/')}.tsx?tsr-split=component`)
    .filter((key) => key in manifest);
}

/** The files of chunks and of all that they import before they run. */
function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) continue;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    queue.push(...(chunk.imports ?? []));
  }
  return files;
}

function gzipped(file: string): number {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}
