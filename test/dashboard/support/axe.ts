import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** In the page. */
const ALL_STAND = `Promise.all(
  document.getAnimations()
    .filter((move) => move.effect.getComputedTiming().endTime !== Infinity)
    .map((move) => move.finished.catch(() => undefined)),
)`;

/** A block that is smaller is judged sooner than it is looked up, in characters. */
const SMALLEST_BLOCK = 300;

/**
 * In the page: its blocks, outermost first. Each has the number of the block around it, and a hash of what its verdict
 * hangs on: its tags with their classes and states, those of all that stands around it, where words are the same and how
 * short they are, and how wide and dark the page is. Ids are left out, and what refers to one says whether text is there.
 */
const BLOCKS = `(() => {
  const hash = async (text) => {
    const bytes = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text));
    return new Uint32Array(bytes).subarray(0, 2).join('-');
  };
  const isThere = (ids) => ids.split(' ').map((id) => (document.getElementById(id)?.textContent ?? '') !== '');
  const plain = (html) => {
    const words = new Map();
    const renamed = (text) => text.replace(/[^\\s<>]+/g, (word) => {
      if (!words.has(word)) words.set(word, words.size + ':' + Math.min(word.length, 4));
      return words.get(word);
    });
    return html
      .replace(/ (id|href|src|name|datetime|data-key)="[^"]*"/g, ' $1')
      .replace(/ (for|aria-\\w+by|aria-controls)="([^"]*)"/g, (_, name, ids) => ' ' + name + isThere(ids))
      .replace(/ (aria-label|title|alt|placeholder|value)="([^"]*)"/g, (_, name, text) => ' ' + name + renamed(text))
      .replace(/>([^<]+)</g, (_, text) => '>' + renamed(text) + '<');
  };
  const stateOf = (element) => Array.from(element.querySelectorAll('input, select, textarea'), (field) =>
    [field.checked, field.disabled, field.readOnly, field.value === '']).join() + element.contains(document.activeElement);
  const blocks = window.blocksOfThePage = [];
  const found = [];
  const look = (element, around, parent) => {
    const html = element.outerHTML;
    if (html.length < ${SMALLEST_BLOCK}) return;
    const at = blocks.push(element) - 1;
    found.push(hash(around + plain(html) + stateOf(element)).then((hash) => ({ hash, parent, size: html.length })));
    const within = around + plain(element.cloneNode(false).outerHTML);
    for (const child of element.children) look(child, within, at);
  };
  const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id);
  const page = (new Set(ids).size < ids.length) + plain(document.documentElement.cloneNode(false).outerHTML) + (document.title !== '');
  look(document.body, [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, page].join(), -1);
  return Promise.all(found);
})()`;

/** Axe asks of each element and rule in which of these it stands. */
const MOST_LEFT_OUT = 16;

interface Block {
  hash: string;
  parent: number;
  size: number;
}

/** Blocks of which every rule was kept, or did not speak: one that looks the same need not be judged again. */
const judged = new Set<string>();

/** The largest blocks that are judged and stand in no other that is. */
function judgedBlocks(blocks: readonly Block[]): number[] {
  const isWithin: boolean[] = [];
  const outermost: number[] = [];
  for (const [at, { hash, parent }] of blocks.entries()) {
    const isAround = isWithin[parent] === true;
    isWithin[at] = isAround || judged.has(hash);
    if (!isAround && isWithin[at] === true) outermost.push(at);
  }
  const bySize = (one: number, other: number) => (blocks[other]?.size ?? 0) - (blocks[one]?.size ?? 0);
  return outermost.sort(bySize).slice(0, MOST_LEFT_OUT);
}

interface Verdict {
  violations: AxeResults['violations'];
  /** Blocks with something that axe could not decide, such as the contrast of what lies under a dialog. */
  undecided: number[];
}

/**
 * In the page. Where a rule is kept is not worked out, selector by selector, for every element: that is most of the time.
 * An id that is there twice is a matter of the whole page, which is judged with all its blocks then.
 */
const judge = (leftOut: readonly number[]): string => `(async () => {
  const blocks = window.blocksOfThePage;
  const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id);
  const exclude = new Set(ids).size < ids.length ? [] : ${JSON.stringify(leftOut)}.map((at) => blocks[at]);
  const { violations, incomplete } = await axe.run({ include: [document], exclude }, ${JSON.stringify({
    runOnly: { type: 'tag', values: TAGS },
    resultTypes: ['violations', 'incomplete'],
    elementRef: true,
    // No rule of these tags reads style sheets themselves.
    preload: false,
  })});
  const open = incomplete.flatMap(({ nodes }) => nodes.map(({ element }) => element));
  const undecided = blocks.flatMap((block, at) => open.some((element) => block.contains(element)) ? [at] : []);
  for (const { nodes } of violations) for (const node of nodes) delete node.element;
  return { violations, undecided };
})()`;

/** The script as each page has compiled it, which outlives its documents. */
const compiled = new WeakMap<Page, { session: CDPSession; scriptId: string }>();

/** Compiling the script takes four times as long as running it, and a page goes to many addresses. */
async function loadAxe(page: Page): Promise<void> {
  const known = compiled.get(page);
  if (known !== undefined && (await runsIn(known.session, known.scriptId))) return;
  const session = known?.session ?? (await page.context().newCDPSession(page));
  if (known === undefined) await session.send('Runtime.enable');
  const source = { expression: SOURCE, sourceURL: 'axe.min.js', persistScript: true };
  const { scriptId } = await session.send('Runtime.compileScript', source);
  if (scriptId === undefined || !(await runsIn(session, scriptId))) throw new Error('axe does not run on the page');
  compiled.set(page, { session, scriptId });
}

/** @returns false where the page is in another process than the one that compiled the script. */
async function runsIn(session: CDPSession, scriptId: string): Promise<boolean> {
  const run = session.send('Runtime.runScript', { scriptId, silent: true });
  return run.then(
    ({ exceptionDetails }) => exceptionDetails === undefined,
    () => false,
  );
}

/** Buttons that name the thing itself, and not their row: each row that has the same thing has the same button. */
const OF_ONE_THING = /^(Copy the reference |Version \d+ of the facts, )/;

/** In the page: names of buttons that stand in rows that differ. One in a named group is read with its name. */
const OF_MANY_ROWS = `(() => {
  const shown = document.querySelector('dialog[open]') ?? document;
  const rows = new Map();
  const named = new Set();
  for (const button of shown.querySelectorAll('tr button, li button')) {
    if (!button.checkVisibility() || button.closest('nav, [role=group], [role=toolbar], fieldset') !== null) continue;
    const name = button.getAttribute('aria-label') ?? button.textContent.trim();
    const row = button.closest('tr, li').textContent;
    if (rows.has(name) && rows.get(name) !== row) named.add(name);
    rows.set(name, row);
  }
  return Array.from(named);
})()`;

/** Buttons of which several rows have one by the same name, though the rows are not the same. */
export async function buttonsOfManyRows(page: Page): Promise<string[]> {
  const names = await page.evaluate<string[]>(OF_MANY_ROWS);
  return names.filter((name) => !OF_ONE_THING.test(name));
}

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
  const blocks = await page.evaluate<Block[]>(BLOCKS);
  const leftOut = judgedBlocks(blocks);
  if (leftOut[0] === 0) return [];
  if (await page.evaluate("typeof axe === 'undefined'")) await loadAxe(page);
  const { violations, undecided } = await page.evaluate<Verdict>(judge(leftOut));
  if (violations.length === 0) {
    const open = new Set(undecided);
    for (const [at, { hash }] of blocks.entries()) if (!open.has(at)) judged.add(hash);
  }
  return violations.map(({ id, impact, help, nodes }) => ({
    rule: id,
    impact: impact ?? 'minor',
    help,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }));
}
