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

const ICONS = {
  wait: html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`,
  done: html`<circle cx="12" cy="12" r="9"/><path d="m8 12 3 3 5-6"/>`,
  part: html`<circle cx="12" cy="12" r="9"/><path d="M12 3v18M12 12h9"/>`,
  stop: html`<circle cx="12" cy="12" r="9"/><path d="M8 12h8"/>`,
  warn: html`<path d="M12 4 3 20h18zM12 10v5M12 17.5v.5"/>`,
};

/** The state of the page, as an icon and words: never by colour alone. */
export function stateLine(icon: keyof typeof ICONS, text: string): Html {
  return html`<p class="state ${icon}"><svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[icon]}</svg> <span>${text}</span></p>`;
}

/**
 * A row with a text to type elsewhere.
 * @param copied the text that the button copies. Without scripts there is no button.
 */
export function copyRow(label: string, shown: string | Html, copied: string): Html {
  return html`<div><dt>${label}</dt><dd><span class="value">${shown}</span> <button type="button" class="copy" data-copy="${copied}" hidden>Copy <span class="quiet">${label.toLowerCase()}</span></button></dd></div>`;
}

export function plainRow(label: string, shown: string): Html {
  return html`<div><dt>${label}</dt><dd><span class="value">${shown}</span></dd></div>`;
}

/** A link back to the shop, out of its frame. Nothing where there is no address. */
export function wayBack(address: string | null, text: string, kind: string): Html | null {
  const href = pageAddress(address);
  return href === undefined ? null : html`<p><a class="${kind}" href="${href}" target="_top">${text}</a></p>`;
}
