const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to send. Only `html` makes it, so a text from elsewhere never passes for it. */
export class Html {
  readonly #text: string;

  constructor(strings: readonly string[], parts: readonly Part[]) {
    this.#text = strings.map((text, at) => `${text}${at < parts.length ? written(parts[at]) : ''}`).join('');
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | readonly Html[] | string | number | null | undefined | false;

/**
 * A template of HTML. What is put into it is escaped for text and for attributes, which stand in double quotes; other
 * `Html` is put in as it is; null, undefined and false leave nothing.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings, parts);
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(String).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** An address for `href`, where it leads to a page; undefined for one that would run a script. */
export function pageAddress(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
