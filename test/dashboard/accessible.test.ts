import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buttonsOfManyRows, seriousFindings } from './support/axe.ts';
import { type Browsers, openBrowsers } from './support/browsers.ts';

/**
 * What walks say of every page rests on this: what was judged once and looks the same is not judged again, and whatever
 * looks different is.
 */
let browsers: Browsers;
let page: Page;
beforeAll(async () => {
  browsers = await openBrowsers();
  page = await browsers.take({ viewport: { width: 1280, height: 900 } });
});
afterAll(() => browsers.release());

const CELL = 'padding: 4px; font-family: sans-serif; font-size: 16px; border: 1px solid #000000; background: #ffffff';
const row = (name: string, { style = 'color: #111111', button = 'Open', label = '' } = {}) =>
  `<tr><td style="${CELL}; ${style}">${name}</td><td style="${CELL}"><span style="color: #222222">Paid yesterday</span></td>
   <td style="${CELL}"><button type="button" style="min-width: 80px; min-height: 40px; color: #000000" ${label}>${button}</button></td></tr>`;

/** The rules of what axe finds on a page with these rows. */
async function rulesBrokenBy(rows: readonly string[], { around = '', beside = '' } = {}): Promise<string[]> {
  const body = `<!doctype html><html lang="en"><head><title>Payouts</title></head><body><main style="${around}">
    <h1>Payouts</h1><table><tr><th>To</th><th>When</th><th>Open</th></tr>${rows.join('')}</table>${beside}</main></body></html>`;
  await page.unrouteAll();
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://127.0.0.1/payouts');
  return (await seriousFindings(page)).map(({ rule }) => rule);
}

describe('a block that was judged', () => {
  beforeAll(async () => {
    expect(await rulesBrokenBy([row('Ada Obi'), row('Musa Taiwo')])).toEqual([]);
  });

  it('is right with other names in it', async () => {
    expect(await rulesBrokenBy([row('Bola Eze'), row('Chidi Abiola')])).toEqual([]);
  });

  it('is judged again where one of its colours is too pale, and again for as long as it is', async () => {
    const pale = row('Bola Eze', { style: 'color: #bbbbbb' });
    expect(await rulesBrokenBy([row('Ada Obi'), pale])).toEqual(['color-contrast']);
    expect(await rulesBrokenBy([row('Ada Obi'), pale])).toEqual(['color-contrast']);
  });

  it('is judged again where what stands around it is another', async () => {
    expect(await rulesBrokenBy([row('Ada Obi')], { around: 'opacity: 0.4' })).toContain('color-contrast');
  });

  it('is judged again where a button has no name, or what it refers to has no text', async () => {
    expect(await rulesBrokenBy([row('Ada Obi'), row('Musa Taiwo', { button: '' })])).toEqual(['button-name']);
    const label = { button: '', label: 'aria-labelledby="name"' };
    expect(await rulesBrokenBy([row('Ada', label)], { beside: '<p id="name">Open</p>' })).toEqual([]);
    expect(await rulesBrokenBy([row('Ada', label)], { beside: '<p id="name"></p>' })).toEqual(['button-name']);
  });
});

describe('a button of a row', () => {
  it('is found where one of another row has its name, and not where each names its row', async () => {
    await rulesBrokenBy([row('Ada Obi'), row('Musa Taiwo')]);
    expect(await buttonsOfManyRows(page)).toEqual(['Open']);
    await rulesBrokenBy(['Ada Obi', 'Musa Taiwo'].map((name) => row(name, { label: `aria-label="Open ${name}"` })));
    expect(await buttonsOfManyRows(page)).toEqual([]);
  });
});
