import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

/** Browsers of their own for those who walk: each with a page, and without a cookie or a memory. */
export interface Browsers {
  /** The page of one that nobody uses: of before, or a new one where none with these options is free. */
  take(options: BrowserContextOptions): Promise<Page>;
  /** Takes all back, as if nobody had ever used them. */
  release(): Promise<void>;
}

/** One for all files of walks of this process: it ends with it, and so do the pages that nobody uses, by how they look. */
let chromium: Promise<Browser> | undefined;
const free = new Map<string, Page[]>();

/** A page lives for a second or two: what optimizing compilers make of its scripts costs more than it saves. */
const SHORT_LIVED = '--js-flags=--no-turbofan --no-maglev';
const HEARD = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'dialog', 'download'];

/**
 * A browser that is used again keeps its process and what it has compiled, and nothing else: the first page of a new one
 * costs four times as much as a later one.
 */
export async function openBrowsers(): Promise<Browsers> {
  chromium ??= launchChromium(SHORT_LIVED);
  const browser = await chromium;
  const taken: { page: Page; look: string; options: BrowserContextOptions }[] = [];
  return {
    async take(options) {
      const look = JSON.stringify(options);
      const page = free.get(look)?.pop() ?? (await (await browser.newContext(options)).newPage());
      taken.push({ page, look, options });
      return page;
    },
    async release() {
      const kept = await Promise.all(
        taken.splice(0).map(async ({ page, look, options }) => {
          const isClean = !page.isClosed() && (await forget(page, options).catch(() => false));
          return isClean ? { page, look } : void (await page.context().close());
        }),
      );
      for (const each of kept) if (each !== undefined) free.set(each.look, [...(free.get(each.look) ?? []), each.page]);
    },
  };
}

/** Leaves a blank page that has been nowhere, in a browser that knows nothing. @returns true. */
async function forget(page: Page, options: BrowserContextOptions): Promise<boolean> {
  const context = page.context();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of HEARD) page.removeAllListeners(event);
  const { origin } = new URL(page.url());
  // Else a page of the service could write again behind our back.
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  if (origin !== 'null') await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.send('Page.resetNavigationHistory');
  await session.detach();
  await context.clearCookies();
  await context.setOffline(false);
  if (options.viewport) await page.setViewportSize(options.viewport);
  return true;
}
