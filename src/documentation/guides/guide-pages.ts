import type { FastifyInstance } from 'fastify';
import { type StoredFile, sendStored, storeFile } from '../../platform/http/stored-file.ts';
import type { ApiDocument } from '../document.ts';
import { type Guide, guidesOf } from './guide-list.ts';
import { renderPage } from './render-page.ts';
import { STYLE } from './style.ts';

/** Text alone: no script runs on these pages, and nothing comes from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Files = Map<string, Promise<StoredFile>>;

/**
 * Serves the guides: `/docs/guides` lists them, `/docs/<name>` is a page and `/docs/<name>.md` its Markdown, and
 * `/llms.txt` names them for programs that read (llmstxt.org). Made when somebody first asks, and kept.
 * @param read the finished API document
 */
export function guidePages(app: FastifyInstance, read: () => ApiDocument): void {
  let made: Files | undefined;
  const options = { config: { isFile: true }, schema: { hide: true } } as const;
  for (const url of ['/llms.txt', '/docs/:page']) {
    app.get<{ Params: { page?: string } }>(url, options, async (request, reply) => {
      made ??= filesOf(guidesOf(read()));
      const file = made.get(request.params.page ?? 'llms.txt');
      if (file === undefined) return reply.callNotFound();
      reply.header('content-security-policy', PAGE_POLICY);
      return sendStored(request, reply, await file, 'no-cache');
    });
  }
}

function filesOf(guides: readonly Guide[]): Files {
  const overview = { name: 'guides', title: 'Guides', about: '', markdown: overviewOf(guides) };
  const files: Files = new Map();
  for (const guide of [overview, ...guides]) {
    files.set(guide.name, storeFile('text/html', renderPage(guide, guides)));
    files.set(`${guide.name}.md`, storeFile('text/markdown', guide.markdown));
  }
  files.set('style.css', storeFile('text/css', STYLE));
  return files.set('llms.txt', storeFile('text/plain', llmsText(guides)));
}

function overviewOf(guides: readonly Guide[]): string {
  const items = guides.map(({ name, title, about }) => `- [${title}](/docs/${name}): ${about}`);
  return ['# Guides', '', '- [API reference](/docs): every operation and field.', ...items, ''].join('\n');
}

function llmsText(guides: readonly Guide[]): string {
  const items = guides.map(({ name, title, about }) => `- [${title}](/docs/${name}.md): ${about}`);
  return [
    '# Manilla',
    '',
    '> Merchant wallets and payouts: wallets, stores, subaccounts, single, scheduled and bulk payouts, approvals, webhooks.',
    '',
    '## Docs',
    '',
    ...items,
    '',
    '## API',
    '',
    '- [OpenAPI 3.1 document](/openapi.json): every operation, field, error code and event.',
    '',
  ].join('\n');
}
