import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { buildDashboard } from '../test/dashboard/support/build.ts';
import { launchChromium } from '../test/dashboard/support/chromium.ts';
import { signInOn, withDemoService } from './demo-service.ts';
import { actionsOf, type Count, createHand } from './jobs/hand.ts';
import { JOBS, type Job } from './jobs/jobs.ts';
import { prepareApproval, prepareWorld, type World } from './jobs/world.ts';

/**
 * Does the most frequent jobs in a real browser on a service of its own, counts what a person does for each, and writes the
 * table of docs/jobs.md. It fails where a job takes more than was agreed.
 */
const PAGE = join(fileURLToPath(new URL('..', import.meta.url)), 'docs/jobs.md');
const [BEGIN, END] = ['<!-- jobs:begin -->', '<!-- jobs:end -->'];

interface Counted {
  job: Job;
  count: Count;
}

async function main(): Promise<number> {
  buildDashboard();
  const browser = await launchChromium();
  try {
    const counted = await withDemoService(async (baseUrl, demo) => {
      const world = await prepareWorld(baseUrl, demo);
      return countAll(browser, baseUrl, world);
    });
    const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN);
    const after = rest?.split(END)[1];
    if (before === undefined || after === undefined) throw new Error(`docs/jobs.md has no ${BEGIN} and ${END}`);
    writeFileSync(PAGE, `${before}${BEGIN}\n\n${tableOf(counted)}\n\n${END}${after}`);
    return report(counted);
  } finally {
    await browser.close();
  }
}

async function countAll(browser: Browser, baseUrl: string, world: World): Promise<Counted[]> {
  const owner = await openAs(browser, baseUrl, world.demo.dashboard);
  const counted: Counted[] = [];
  for (const job of JOBS) {
    if (job.as === 'approver') await prepareApproval(baseUrl, world);
    const page = job.as === 'owner' ? owner : await openAs(browser, baseUrl, world.demo.colleagues.approver);
    counted.push({ job, count: await countJob(page, job, world) });
  }
  return counted;
}

async function openAs(browser: Browser, baseUrl: string, person: { email: string; password: string }): Promise<Page> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  await signInOn(page, person);
  return page;
}

async function countJob(page: Page, job: Job, world: World): Promise<Count> {
  await page.goto(job.at?.(world) ?? '/dashboard/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const hand = createHand(page);
  try {
    await job.work(hand, world);
  } catch (error) {
    throw new Error(`"${job.title}" could not be done`, { cause: error });
  }
  return hand.count;
}

function tableOf(counted: readonly Counted[]): string {
  const head = '| job | before | uploads | clicks | choices | fields (characters) | keys | actions | at most |';
  const rows = counted.map(({ job, count }) => {
    const { uploads, clicks, choices, fields, characters, keys } = count;
    const typed = fields === 0 ? '0' : `${fields} (${characters})`;
    const cells = [uploads, clicks, choices, typed, keys, actionsOf(count), job.allowed ?? '-'];
    return `| **${job.title}**: ${job.how} | ${job.before} | ${cells.join(' | ')} |`;
  });
  return [head, '|---|---|--:|--:|--:|--:|--:|--:|--:|', ...rows].join('\n');
}

/** @returns 1 where a job takes more than was agreed. */
function report(counted: readonly Counted[]): number {
  const tooMany = counted.filter(({ job, count }) => actionsOf(count) > (job.allowed ?? Number.POSITIVE_INFINITY));
  console.log(tableOf(counted));
  for (const { job, count } of tooMany)
    console.error(`"${job.title}" takes ${actionsOf(count)} actions; at most ${job.allowed} were agreed.`);
  return tooMany.length === 0 ? 0 : 1;
}

process.exitCode = await main();
