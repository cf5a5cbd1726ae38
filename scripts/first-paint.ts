import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { DemoFile } from '../src/demo/index.ts';
import { launchChromium } from '../test/dashboard/support/chromium.ts';

/**
 * How long people look at nothing: the first contentful paint of a page in a browser that has never been here, of the
 * dashboard and of the page that payers pay on. Needs a running service with demo data:
 * `npm run first-paint -- .data/demo.json`.
 */
const TIMES = 10;
const PAGES = ['/dashboard/sign-in', '/dashboard/', '/dashboard/bulk', '/dashboard/transactions'];

const { baseUrl, dashboard, secretKey } = JSON.parse(
  readFileSync(process.argv[2] ?? '.data/demo.json', 'utf8'),
) as DemoFile;
const browser = await launchChromium();
for (const path of [...PAGES, await openCheckout()]) {
  const paints: number[] = [];
  for (let time = 0; time < TIMES; time += 1) paints.push(await firstPaint(browser, path));
  const sorted = paints.sort((a, b) => a - b);
  const [median, slowest] = [sorted[Math.floor(TIMES / 2)] ?? 0, sorted.at(-1) ?? 0];
  console.log(
    `${path.slice(0, 26).padEnd(26)} median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms of ${TIMES}`,
  );
}
await browser.close();

/** The hosted page of a payment session that is made for this. */
async function openCheckout(): Promise<string> {
  const customer = { name: 'Ada Obi', email: 'ada@example.com' };
  const body = JSON.stringify({ amount: 2_500, currency: 'NGN', description: 'Two loaves of bread', customer });
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/collection/session`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { checkoutUrl: string } };
  return data.checkoutUrl.slice(new URL(data.checkoutUrl).origin.length);
}

/** A context of its own has no cache; the session is brought in without loading a page. */
async function firstPaint(from: Browser, path: string): Promise<number> {
  const context = await from.newContext({ baseURL: baseUrl });
  try {
    if (path.startsWith('/dashboard/') && path !== '/dashboard/sign-in')
      await context.request.post('/session', { data: dashboard });
    const page = await context.newPage();
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return await contentfulPaint(page);
  } finally {
    await context.close();
  }
}

/** The browser tells of a paint a moment after it. */
async function contentfulPaint(page: Page): Promise<number> {
  for (;;) {
    const paint = await page.evaluate<number | undefined>(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
    );
    if (paint !== undefined) return paint;
    await sleep(20);
  }
}
