import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { type StoredFile, sendStored, storeFile } from '../platform/http/stored-file.ts';

const FOLDER = join(import.meta.dirname, 'assets');
/** The name of such a file changes with its content, so a browser never has to ask for it twice. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Shops name such a file without a version, so a browser asks for it again after a while. */
const FOR_AN_HOUR = 'public, max-age=3600';

export interface Assets {
  /** The paths of the files on this service. */
  style: string;
  script: string;
  /** Files by their path. */
  files: ReadonlyMap<string, { file: StoredFile; caching: string }>;
}

/** Reads the files of the page and of shops, which are sent as they are. */
export async function loadAssets(): Promise<Assets> {
  const [style, script, shop] = await Promise.all([
    load('checkout.css', 'text/css'),
    load('checkout.js', 'text/javascript'),
    load('manilla.js', 'text/javascript'),
  ]);
  const names = {
    style: `/checkout/assets/${hashOf(style)}.css`,
    script: `/checkout/assets/${hashOf(script)}.js`,
    shop: `/checkout/assets/manilla-${hashOf(shop)}.js`,
  };
  return {
    style: names.style,
    script: names.script,
    files: new Map([
      [names.style, { file: style, caching: FOREVER }],
      [names.script, { file: script, caching: FOREVER }],
      [names.shop, { file: shop, caching: FOREVER }],
      ['/checkout/manilla.js', { file: shop, caching: FOR_AN_HOUR }],
    ]),
  };
}

async function load(name: string, type: string): Promise<StoredFile> {
  return storeFile(type, await readFile(join(FOLDER, name)));
}

const hashOf = ({ etag }: StoredFile) => etag.replaceAll('"', '');

/** Any page may load these files, because they are the same for all. */
export function assetRoutes({ files }: Assets): FastifyPluginAsync {
  return async (app) => {
    for (const [url, { file, caching }] of files) {
      app.get(url, { config: { isFile: true }, schema: { hide: true } }, async (request, reply) => {
        reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
        return sendStored(request, reply, file, caching);
      });
    }
  };
}
