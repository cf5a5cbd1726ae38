import Fastify, { type FastifyInstance } from 'fastify';

/** The page runs its own script and talks to this service, and to nobody else. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference at /docs. Its script weighs megabytes, so it is loaded when somebody first opens the page. */
export function referencePage(app: FastifyInstance): void {
  let page: Promise<FastifyInstance> | undefined;
  const show = { schema: { hide: true } };
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, show, async (request, reply) => {
      page ??= loadPage();
      const answer = await (await page).inject({ method: 'GET', url: request.url, headers: { host: request.host } });
      const type = String(answer.headers['content-type']);
      return reply
        .code(answer.statusCode)
        .headers({
          'content-type': type,
          'content-security-policy': PAGE_POLICY,
          // The script is megabytes that change with a release; the page is small and says what it loads.
          'cache-control': type.includes('javascript') ? 'public, max-age=3600' : 'no-store',
          ...(answer.headers.location === undefined ? {} : { location: answer.headers.location }),
        })
        .send(answer.rawPayload);
    });
  }
}

async function loadPage(): Promise<FastifyInstance> {
  const page = Fastify();
  await page.register(import('@scalar/fastify-api-reference'), {
    routePrefix: '/docs',
    configuration: {
      title: 'Manilla API',
      url: '/openapi.json',
      theme: 'kepler',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  await page.ready();
  return page;
}
