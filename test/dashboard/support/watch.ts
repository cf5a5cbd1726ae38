import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** What a browser says about a refusal of the service or a cut line: expected in walks, and shown in the page. */
const EXPECTED = /status of (4\d\d|503)|net::ERR_|A part of the dashboard could not be fetched/;

/** What a page has asked for and has not got. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Collects what must never happen on a page: a thrown error, a message of the console, a breach of the content policy. */
export function watchPage(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`thrown on ${page.url()}: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (EXPECTED.test(message.text())) return;
    problems.push(`${message.type()} on ${page.url()}: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const { protocol, hostname } = new URL(request.url());
    // A Chromium with a viewer of PDFs of its own lets go of that when the page moves on.
    if (!protocol.startsWith('chrome') && hostname !== '127.0.0.1') problems.push(`asked a stranger: ${request.url()}`);
  });
  const asked = new Set<Request>();
  underWay.set(page, asked);
  page.on('request', (request) => {
    // It is open for as long as the page is.
    if (new URL(request.url()).pathname !== '/stream') asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
}

/** Waits until the page shows all that it reads: nothing is on its way, and no skeleton stands for what comes. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const missing = async () => (underWay.get(page)?.size ?? 0) + (await page.locator('.shimmer').count());
  await expect.poll(missing, { interval: 20, message: `what is still to come on ${page.url()}` }).toBe(0);
}

/** As somebody does who comes back to the tab after a minute: what is on the page is read again. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(`{
    const { now } = Date;
    Date.now = () => now() + 60_000;
    window.dispatchEvent(new Event('visibilitychange'));
  }`);
}
