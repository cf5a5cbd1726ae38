import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** In the page. */
const ALL_STAND = `Promise.all(
  document.getAnimations()
    .filter((move) => move.effect.getComputedTiming().endTime !== Infinity)
    .map((move) => move.finished.catch(() => undefined)),
)`;

/** What stands around every page, in the page: two that say the same in one look are judged alike. */
const SHELL = 'body nav, body header';
const SHELL_AS_IT_STANDS = `[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches,
  ...Array.from(document.querySelectorAll('${SHELL}'), (part) => part.outerHTML.replace(/ (id|for|aria-\\w+by|aria-controls)="[^"]*"/g, ''))].join()`;
const judgedShells = new Set<string>();

/** Where a rule is kept is not worked out, selector by selector, for every element of a page: that is most of the time. */
const run = (context: string): string =>
  `axe.run(${context}, ${JSON.stringify({
    runOnly: { type: 'tag', values: TAGS },
    resultTypes: ['violations'],
    // No rule of these tags reads style sheets themselves.
    preload: false,
  })}).then(({ violations }) => violations)`;

export interface AxeFinding {
  rule: string;
  impact: string;
  help: string;
  /** Where, as selectors. */
  at: string[];
}

/** What axe finds on the page by the rules of WCAG 2.2 AA, the serious and critical of it alone. */
export async function seriousFindings(page: Page): Promise<AxeFinding[]> {
  return (await findings(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

export async function findings(page: Page): Promise<AxeFinding[]> {
  // A list whose next page is awaited is faded.
  await page.locator('table[aria-busy=true]').first().waitFor({ state: 'detached' });
  // Something that moves is judged when it stands: half faded in, a text has half its contrast. A spinner never stands.
  await page.evaluate(ALL_STAND);
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(SOURCE);
  const shell = await page.evaluate<string>(SHELL_AS_IT_STANDS);
  const context = judgedShells.has(shell) ? `{ exclude: '${SHELL}' }` : 'document';
  const violations = await page.evaluate<AxeResults['violations']>(run(context));
  if (violations.length === 0) judgedShells.add(shell);
  return violations.map(({ id, impact, help, nodes }) => ({
    rule: id,
    impact: impact ?? 'minor',
    help,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
}
