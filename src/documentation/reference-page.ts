import Fastify, { type FastifyInstance } from 'fastify';
import { type StoredFile, sendStored, storeFile } from '../platform/http/stored-file.ts';

/**
 * The page runs scripts of this service and of nobody else, none of them written into the page, and talks to this service
 * alone. Its styles are made by its script as it goes.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Manilla API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The same is in /openapi.json.</noscript>
    <script src="/docs/js/scalar.js"></script>
    <script src="/docs/js/start.js"></script>
  </body>
</html>
`;

/**
 * The dashboard makes a sandbox key for this page and leaves it in the browser's storage under this name; the page takes
 * it out at once, so that it is nowhere but in the page's own memory.
 */
const KEY_ITEM = 'manilla.reference-key';

const START = `'use strict';
(() => {
  const take = (storage) => {
    const key = storage.getItem('${KEY_ITEM}');
    storage.removeItem('${KEY_ITEM}');
    return key;
  };
  const found = [sessionStorage, localStorage].map(take).find((key) => /^sk_test_[0-9A-Za-z]+$/.test(key ?? ''));
  globalThis.Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    theme: 'kepler',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { bearer: { token: found ?? '' } },
    },
  });
})();
`;

interface File {
  type: string;
  content(): string | Promise<Buffer>;
}

const FILES: Readonly<Record<string, File>> = {
  '/docs': { type: 'text/html', content: () => PAGE },
  '/docs/js/start.js': { type: 'text/javascript', content: () => START },
  '/docs/js/scalar.js': { type: 'text/javascript', content: loadScript },
};

/** The API reference at /docs. Its script weighs megabytes, so it is loaded when somebody first opens the page. */
export function referencePage(app: FastifyInstance): void {
  for (const [url, { type, content }] of Object.entries(FILES)) {
    let stored: Promise<StoredFile> | undefined;
    app.get(url, { config: { isFile: true }, schema: { hide: true } }, async (request, reply) => {
      stored ??= Promise.resolve(content()).then((loaded) => storeFile(type, loaded));
      reply.header('content-security-policy', PAGE_POLICY);
      return sendStored(request, reply, await stored, 'no-cache');
    });
  }
}

/** The package brings its script as a text that only its own plugin hands out. */
async function loadScript(): Promise<Buffer> {
  const plugin = Fastify();
  await plugin.register(import('@scalar/fastify-api-reference'), {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json' },
  });
  const answer = await plugin.inject({ method: 'GET', url: '/docs/js/scalar.js' });
  await plugin.close();
  return answer.rawPayload;
}
