import { Marked, type Tokens } from 'marked';
import type { Guide } from './guide-list.ts';

/** What is written into a page as text. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The anchor of a heading: a code or a type of event as it is, words as GitHub makes them. */
export function anchorOf(heading: string): string {
  const text = heading.replaceAll('`', '');
  if (/^[A-Z][A-Z0-9_]*$/.test(text) || /^[a-z]+\.[a-z_]+$/.test(text)) return text;
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

/** A guide as a page: no script, nothing from elsewhere. Pages that are not served here are named without a link. */
export function renderPage(guide: Guide, guides: readonly Guide[]): string {
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
  if (name === 'README' && anchor === '#operations') return '/docs';
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
