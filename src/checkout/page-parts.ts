import { type Html, html, pageAddress } from './html.ts';

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

/** Something to type elsewhere. @param copied what the button copies; none without scripts */
export function copyRow(label: string, shown: string | Html, copied: string): Html {
  return html`<div><dt>${label}</dt><dd><span class="value">${shown}</span> <button type="button" class="copy" data-copy="${copied}" hidden>Copy <span class="quiet">${label.toLowerCase()}</span></button></dd></div>`;
}

export function plainRow(label: string, shown: string): Html {
  return html`<div><dt>${label}</dt><dd><span class="value">${shown}</span></dd></div>`;
}

/** A way back to the shop, out of its frame; nothing where there is none. */
export function wayBack(address: string | null, text: string, kind: string): Html | null {
  const href = pageAddress(address);
  return href === undefined ? null : html`<p><a class="${kind}" href="${href}" target="_top">${text}</a></p>`;
}
