import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import type { DemoFile } from '../src/demo/index.ts';
import { type AxeFinding, findings } from '../test/dashboard/support/axe.ts';
import { buildDashboard } from '../test/dashboard/support/build.ts';
import { launchChromium } from '../test/dashboard/support/chromium.ts';
import { signInOn, withDemoService } from './demo-service.ts';
import { fillDemo } from './screenshot-demo.ts';
import { fillDesk } from './screenshot-desk.ts';
import { SHOWN_ROUTES, type ShownRoute, type Viewer } from './screenshot-routes.ts';
import { SHOWN_STATES, type ShownState } from './screenshot-states.ts';

/**
 * Takes a picture of every page at desktop and phone width, light and dark, into dashboard/screenshots with an index of
 * them all, and prints what axe finds on each. `npm run screenshots -- stores` takes those whose address or state has the word.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dashboard/screenshots');

const LOOKS = [
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

type Shown = ShownRoute & Partial<ShownState>;

interface Taken {
  route: Shown;
  look: string;
  file: string;
  findings: AxeFinding[];
  wide: string[];
}

async function main(word: string | undefined): Promise<number> {
  buildDashboard();
  const browser = await launchChromium();
  try {
    return await withDemoService(async (baseUrl, demo) => {
      const ids = { ...(await fillDemo(baseUrl, demo)), ...(await fillDesk(baseUrl, demo)) };
      const shown: readonly Shown[] = [...SHOWN_ROUTES, ...SHOWN_STATES];
      const routes = shown.filter((one) => word === undefined || titleOf(one).includes(word));
      const taken = await takeAll(browser, baseUrl, demo, ids, routes);
      writeFileSync(join(OUT, 'index.html'), contactSheet(taken));
      return report(taken);
    });
  } finally {
    await browser.close();
  }
}

async function takeAll(
  browser: Browser,
  baseUrl: string,
  demo: DemoFile,
  ids: Record<string, string>,
  routes: readonly Shown[],
): Promise<Taken[]> {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const taken: Taken[] = [];
  for (const viewer of new Set(routes.map(({ as }) => as))) {
    const context = await browser.newContext({ baseURL: baseUrl, locale: 'en-GB' });
    const page = await context.newPage();
    const person = personOf(viewer, demo);
    if (person !== undefined) await signInOn(page, person);
    for (const route of routes.filter(({ as }) => as === viewer)) taken.push(...(await takePage(page, route, ids)));
    await context.close();
  }
  return taken;
}

function personOf(viewer: Viewer, demo: DemoFile) {
  const people = { member: demo.dashboard, approver: demo.colleagues.approver, operator: demo.operator };
  return viewer === 'nobody' ? undefined : people[viewer];
}

const titleOf = ({ path, name }: Shown) => (name === undefined ? path : `${path} ${name}`);

async function takePage(page: Page, route: Shown, ids: Record<string, string>): Promise<Taken[]> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
  const address = route.path.startsWith(':') ? path : `/dashboard${path}`;
  const slug =
    titleOf(route)
      .replace(/[^a-zA-Z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'home';
  const taken: Taken[] = [];
  for (const { name, width, height, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // What could not be reached is reported, and its picture shows what stands there.
    await openPage(page, address, route).catch((error: Error) => console.error(`${titleOf(route)}: ${error.message}`));
    const file = `${slug}-${name}.png`;
    // First: it waits until what moves stands, so no dialog is taken half faded in.
    const found = await findings(page);
    await page.screenshot({ path: join(OUT, file), fullPage: true });
    taken.push({ route, look: name, file, findings: found, wide: await page.evaluate<string[]>(WIDER_THAN_SCREEN) });
  }
  return taken;
}

async function openPage(page: Page, address: string, route: Shown): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: 10_000 });
  // Pages that ask again and again never fall silent; what they show is there by then.
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  await route.open?.(page);
}

/** What scrolls sideways, in the page: the page as a whole, or a table in it. */
const WIDER_THAN_SCREEN = `[document.documentElement, ...document.querySelectorAll('main *')]
  .filter((box) => box === document.documentElement || /auto|scroll/.test(getComputedStyle(box).overflowX))
  .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
  .map((box) => box.tagName.toLowerCase() + '.' + box.className + ' ' + box.scrollWidth + '/' + box.clientWidth)`;

function contactSheet(taken: readonly Taken[]): string {
  const pages = Map.groupBy(taken, ({ route }) => `${titleOf(route)} (${route.as})`);
  const sections = [...pages].map(([title, shots]) => {
    const pictures = shots.map(
      ({ file, look }) => `<a href="${file}"><img src="${file}" alt="${look}" loading="lazy"></a>`,
    );
    return `<h2>${title}</h2><div>${pictures.join('')}</div>`;
  });
  const style =
    'body{font-family:sans-serif;margin:2rem}div{display:flex;gap:1rem}img{height:26rem;border:1px solid #ccc}';
  return `<!doctype html><meta charset="utf-8"><title>Every page</title><style>${style}</style>${sections.join('\n')}\n`;
}

/** One line a picture; what is serious is spelled out and fails the command. */
function report(taken: readonly Taken[]): number {
  let serious = 0;
  for (const { route, look, findings: found, wide } of taken) {
    const bad = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    serious += bad.length;
    console.log(
      `${bad.length === 0 ? 'ok  ' : 'AXE '} ${titleOf(route).padEnd(34)} ${look.padEnd(14)} ${found.length} found`,
    );
    for (const { rule, impact, at } of bad) console.log(`       ${impact} ${rule}: ${at.slice(0, 3).join(' | ')}`);
    for (const box of wide) console.log(`       scrolls sideways: ${box}`);
  }
  console.log(
    `\n${taken.length} pictures in dashboard/screenshots, index.html shows them all. ${serious} serious findings.`,
  );
  return serious === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv[2]);
