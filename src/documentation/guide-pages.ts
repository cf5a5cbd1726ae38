import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Marked, type Tokens } from 'marked';
import { type StoredFile, sendStored, storeFile } from '../platform/http/stored-file.ts';
import { PLAIN_ORIGIN } from '../platform/http/written-address.ts';
import type { ApiDocument } from './document.ts';
import { CHANGELOG, EXAMPLE_ADDRESS, type Guide, guidesOf } from './guides.ts';

/** The one stylesheet of the guides. Colours follow the reader's light or dark theme. */
const STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1c1917, #f5f5f4);
  --quiet: light-dark(#57534e, #a8a29e);
  --line: light-dark(#e7e5e4, #44403c);
  --shade: light-dark(#fafaf9, #292524);
  --page: light-dark(#ffffff, #1c1917);
  --link: light-dark(#0f5e4d, #5eead4);
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--page); font: 16px/1.6 system-ui, sans-serif; }
a { color: var(--link); }
nav { border-bottom: 1px solid var(--line); padding: 1rem 1.25rem; }
nav ul { list-style: none; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { text-decoration: none; }
nav a[aria-current] { font-weight: 600; color: var(--text); }
main { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3:target, h2:target { background: light-dark(#fef9c3, #422006); }
.anchor { color: var(--quiet); text-decoration: none; opacity: 0; }
:is(h1, h2, h3):hover .anchor, .anchor:focus { opacity: 1; }
code { font: .875em ui-monospace, monospace; background: var(--shade); padding: .1em .3em; border-radius: 3px; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
footer { margin-top: 3rem; color: var(--quiet); font-size: .875rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 15rem 1fr; }
  nav { border: 0; border-right: 1px solid var(--line); min-height: 100vh; position: sticky; top: 0; align-self: start; }
  nav ul { flex-direction: column; }
  main { margin: 0 2rem; }
}
`;

/** What is written into a page as text. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The anchor of a heading: a code or a type of event as it is, words as GitHub makes them. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll('`', '');
  if (/^[A-Z][A-Z0-9_]*$/.test(text) || /^[a-z_]+\.[a-z_]+$/.test(text)) return text;
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

/** A guide as a page: no script, nothing from elsewhere. Pages that are not served here are named without a link. */
function renderPage(guide: Guide, guides: readonly Guide[]): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = escaped(anchorOf(text));
        const link = `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)} ${link}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, guides);
        return target === undefined ? inner : `<a href="${escaped(target)}">${inner}</a>`;
      },
      table(token: Tokens.Table): string {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
    },
  });
  return layout(guide, guides, marked.parse(guide.markdown, { async: false }));
}

function targetOf(href: string, guides: readonly Guide[]): string | undefined {
  if (/^(#|https:\/\/|\/)/.test(href)) return href;
  const [, name = '', anchor = ''] = /^(?:\.\.\/)?([\w-]+)\.md(#.*)?$/i.exec(href) ?? [];
  const found = guides.find((guide) => guide.name === name.toLowerCase());
  return found === undefined ? undefined : `/docs/${found.name}${anchor}`;
}

function layout({ name, title }: Guide, guides: readonly Guide[], content: string): string {
  const items = guides.map((guide) => {
    const current = guide.name === name ? ' aria-current="page"' : '';
    return `<li><a href="/docs/${guide.name}"${current}>${escaped(guide.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Manilla</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
<link rel="alternate" type="text/markdown" href="/docs/${name}.md">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<nav aria-label="Documentation">
<strong>Manilla</strong>
<ul>
<li><a href="/docs">API reference</a></li>
${items.join('\n')}
<li><a href="/dashboard/">Dashboard</a></li>
</ul>
</nav>
<main id="content">
${content}
<footer><a href="/docs/${name}.md">This page as Markdown</a></footer>
</main>
</body>
</html>
`;
}

/** Text alone: no script runs on these pages, and nothing comes from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface PageFile {
  type: string;
  text: string;
  /** Its example address stands for the reader's own. The changelog says what was, and no address of now. */
  isOfReader: boolean;
}

/**
 * An installation is reached at one address or a few. A page is compressed anew for each, and names of this machine can be
 * made up without end: beyond so many the example's stays.
 */
const MOST_ADDRESSES = 20;

interface GuideOptions {
  /** The finished API document. */
  read(): ApiDocument;
  publicUrl: string | undefined;
}

/**
 * Serves the guides: `/docs/guides` lists them, `/docs/<name>` is a page and `/docs/<name>.md` its Markdown, and
 * `/llms.txt` names them for programs that read (llmstxt.org). They name the address at which they are read, whose host
 * was checked. Made when somebody first asks, and kept.
 */
export function guidePages(app: FastifyInstance, { read, publicUrl }: GuideOptions): void {
  let made: Map<string, PageFile> | undefined;
  const stored = new Map<string, Promise<StoredFile>>();
  const addressOf = createAddresses(publicUrl);
  const options = { config: { isFile: true }, schema: { hide: true } } as const;
  for (const url of ['/llms.txt', '/docs/:page']) {
    app.get<{ Params: { page?: string } }>(url, options, async (request, reply) => {
      made ??= filesOf(guidesOf(read()));
      const { page = 'llms.txt' } = request.params;
      const file = made.get(page);
      if (file === undefined) return reply.callNotFound();
      const { type, text, isOfReader } = file;
      const address = isOfReader ? addressOf(request) : EXAMPLE_ADDRESS;
      const name = `${page} ${address}`;
      const kept = stored.get(name) ?? storeFile(type, text.replaceAll(EXAMPLE_ADDRESS, address));
      stored.set(name, kept);
      reply.header('content-security-policy', PAGE_POLICY);
      return sendStored(request, reply, await kept, 'no-cache');
    });
  }
}

/** The address of this installation: the one that was set, or else the one of the request, where it is plain and one of a few. */
function createAddresses(publicUrl: string | undefined): (request: FastifyRequest) => string {
  const seen = new Set<string>();
  return ({ protocol, host }) => {
    const address = publicUrl ?? `${protocol}://${host}`;
    // It stands in commands that readers hand to a shell.
    if (!PLAIN_ORIGIN.test(address)) return EXAMPLE_ADDRESS;
    if (seen.size < MOST_ADDRESSES) seen.add(address);
    return seen.has(address) ? address : EXAMPLE_ADDRESS;
  };
}

function filesOf(guides: readonly Guide[]): Map<string, PageFile> {
  const overview = { name: 'guides', title: 'Guides', about: '', markdown: overviewOf(guides) };
  const files = new Map<string, PageFile>();
  for (const guide of [overview, ...guides]) {
    const isOfReader = guide.markdown.includes(EXAMPLE_ADDRESS) && guide.name !== CHANGELOG;
    files.set(guide.name, { type: 'text/html', text: renderPage(guide, guides), isOfReader });
    files.set(`${guide.name}.md`, { type: 'text/markdown', text: guide.markdown, isOfReader });
  }
  files.set('style.css', { type: 'text/css', text: STYLE, isOfReader: false });
  return files.set('llms.txt', { type: 'text/plain', text: llmsText(guides), isOfReader: false });
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
