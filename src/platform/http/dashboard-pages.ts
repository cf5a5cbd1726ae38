import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** All pages are below `/dashboard/…`, and every address there is a deep link. */
const PREFIX = '/dashboard';

/**
 * The pages run their own scripts and talk to this service: nothing inline, and nothing from elsewhere, frames
 * included.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The name of a built file changes with its content, so it has to be loaded only once. */
const FOREVER = 'public, max-age=31536000, immutable';
const FOR_A_DAY = 'public, max-age=86400';

const NOT_BUILT =
  'The dashboard is not built here. Run npm run build and reload this page; the API works without it.\n';

/**
 * Serves the built dashboard from `folder`, from files that were compressed beforehand. An address that is no file is a
 * page, and the pages find their content by the address; an unknown one gets the page that says so.
 */
export async function dashboardPages(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false });
  const hide = { config: { isFile: true } as const, schema: { hide: true } };
  app.get('/', hide, (_request, reply) => reply.redirect(`${PREFIX}/`));
  app.get(PREFIX, hide, (_request, reply) => sendPage(reply, folder));
  app.get<{ Params: { '*': string } }>(`${PREFIX}/*`, hide, (request, reply) => {
    const path = request.params['*'];
    if (isAsset(folder, path)) return reply.header('cache-control', FOREVER).sendFile(path);
    if (path.startsWith('assets/')) return reply.callNotFound();
    if (isBesideThePage(folder, path)) return reply.header('cache-control', FOR_A_DAY).sendFile(path);
    return sendPage(reply, folder);
  });
}

function sendPage(reply: FastifyReply, folder: string): FastifyReply {
  reply.header('content-security-policy', PAGE_POLICY);
  if (existsSync(join(folder, 'index.html'))) return reply.sendFile('index.html');
  return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
}

/** Whether a missing file would be a built one, of another release: that answer must not be cached. */
function isAsset(folder: string, path: string): boolean {
  return /^assets\/[\w-]+\.[\w.-]+$/.test(path) && existsSync(join(folder, path));
}

/**
 * The icon, the templates and other files with a fixed name; nothing hidden, nothing compressed, and never the page
 * itself.
 */
function isBesideThePage(folder: string, path: string): boolean {
  if (path === 'index.html' || !/^[\w-]+\.(svg|png|ico|txt|webmanifest|csv|xlsx)$/.test(path)) return false;
  return existsSync(folder) && readdirSync(folder).includes(path);
}
