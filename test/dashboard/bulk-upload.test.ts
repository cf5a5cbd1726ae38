import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvOf } from '../support/files.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { chooseFile, createBatch } from './support/uploads.ts';
import { expectAccessible, prepareWalks, signIn } from './support/walk.ts';

const walk = prepareWalks();

const UPLOAD = 'POST /payout/bulk ';
/** Well inside a list of 6,000 rows. */
const CUT_AFTER_BYTES = 100_000;

let line: TcpProxy;

beforeAll(async () => {
  line = await startTcpProxy(Number(new URL(walk.baseUrl).port));
});
afterAll(() => line?.close());

/** Signed in and where lists are dropped, over a line that can be cut. */
async function openOverLine(): Promise<Page> {
  const page = await walk.open();
  await page.goto(`http://127.0.0.1:${line.port}/dashboard/sign-in`);
  await signIn(page, walk.demo.dashboard);
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
  await page.getByRole('link', { name: 'Bulk payouts', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bulk payouts' }).waitFor();
  return page;
}

async function drop(page: Page, name: string, content: string): Promise<void> {
  await chooseFile(page, name, content);
  await createBatch(page, name);
}

/** Cuts every upload in the middle of its file. */
function cutInTheMiddle(): void {
  let sent: number | undefined;
  line.onClientData((bytes) => {
    if (bytes.includes(UPLOAD)) sent = 0;
    if (sent === undefined) return 'pass';
    sent += bytes.length;
    if (sent < CUT_AFTER_BYTES) return 'pass';
    sent = undefined;
    return 'cut';
  });
}

/** Lets every upload arrive, and cuts the line before its answer. */
function loseAnswers(): void {
  let isUpload = false;
  line.onClientData((bytes) => {
    if (bytes.includes(' HTTP/1.1\r\n')) isUpload = bytes.includes(UPLOAD);
    return isUpload ? 'pass-then-cut' : 'pass';
  });
}

const correct = () => line.onClientData(() => 'pass');
const listsNamed = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

describe('an upload over a bad line', () => {
  it('that is cut in the middle stays at hand, says so, and becomes one list when it is sent again', async () => {
    const page = await openOverLine();
    cutInTheMiddle();
    await drop(page, 'cut.csv', csvOf(6_000));
    await page.getByText('The connection was lost while cut.csv was on its way.').waitFor();
    await page.getByText('Nothing is paid by uploading').last().waitFor();
    await expectAccessible(page);
    expect(await listsNamed(page, 'cut.csv').count()).toBe(0);

    // Cut again: it is still there.
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' });
    await page.getByText('The connection was lost while cut.csv was on its way.').waitFor();
    correct();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('heading', { level: 1, name: 'cut.csv' }).waitFor();
    await page.getByText('6,000', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await listsNamed(page, 'cut.csv').waitFor();
    expect(await listsNamed(page, 'cut.csv').count()).toBe(1);
  });

  it('whose answer was lost is one list when it is sent again, and hinders no other file', async () => {
    const page = await openOverLine();
    loseAnswers();
    await drop(page, 'lost.csv', csvOf(3));
    await page.getByText('The connection was lost while lost.csv was on its way.').waitFor();
    correct();
    await drop(page, 'other.csv', csvOf(4));
    await page.getByRole('heading', { level: 1, name: 'other.csv' }).waitFor();

    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    loseAnswers();
    await drop(page, 'again.csv', csvOf(5));
    await page.getByText('The connection was lost while again.csv was on its way.').waitFor();
    correct();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('heading', { level: 1, name: 'again.csv' }).waitFor();
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await listsNamed(page, 'again.csv').first().waitFor();

    // What goes again by itself is refused for the sake of whoever asks, which says nothing of the first.
    let uploads = 0;
    await page.route('**/payout/bulk', (route) => {
      if (route.request().method() !== 'POST' || ++uploads < 2) return route.continue();
      return route.fulfill({ status: 429, json: { status: false, code: 'RATE_LIMITED', message: 'Too many.' } });
    });
    loseAnswers();
    await drop(page, 'busy.csv', csvOf(2));
    await page.getByText('Too many.').waitFor();
    await page.unrouteAll();
    correct();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('heading', { level: 1, name: 'busy.csv' }).waitFor();
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await listsNamed(page, 'busy.csv').first().waitFor();
    for (const name of ['lost.csv', 'other.csv', 'again.csv', 'busy.csv']) {
      expect(await listsNamed(page, name).count()).toBe(1);
    }
  });

  it('whose answer was lost is told to who reloads the page, and is one list when the same file is chosen again', async () => {
    const page = await openOverLine();
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    // From the disk: the same file has the same time.
    const file = join(folder, 'reloaded.csv');
    await writeFile(file, csvOf(3));
    const choose = async () => {
      await page.locator('input[type=file]').setInputFiles(file);
      await createBatch(page, 'reloaded.csv');
    };
    loseAnswers();
    await choose();
    await page.getByText('The connection was lost while reloaded.csv was on its way.').waitFor();
    correct();
    await page.reload();
    await page.getByText('Nothing was heard of reloaded.csv').waitFor();
    await listsNamed(page, 'reloaded.csv').waitFor();
    await expectAccessible(page);
    await choose();
    await page.getByRole('heading', { level: 1, name: 'reloaded.csv' }).waitFor();
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await listsNamed(page, 'reloaded.csv').first().waitFor();
    expect(await listsNamed(page, 'reloaded.csv').count()).toBe(1);
    expect(await page.getByText('Nothing was heard of').count()).toBe(0);
    await rm(folder, { recursive: true });
  });

  it('is there with how it is to be read for who looks at another page and comes back, until it is a list', async () => {
    const page = await openOverLine();
    await chooseFile(page, 'kept.csv', csvOf(2));
    await page.getByLabel('One narration for all').fill('December rent');
    await page.getByText('Purpose and expected totals').click();
    await page.getByLabel('Expected rows').fill('2');
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
    await page.getByRole('link', { name: 'Bulk payouts', exact: true }).click();
    await expect.poll(() => page.getByLabel('One narration for all').inputValue()).toBe('December rent');
    await page.getByText('Purpose and expected totals').click();
    expect(await page.getByLabel('Expected rows').inputValue()).toBe('2');
    await createBatch(page, 'kept.csv');
    await page.getByRole('heading', { level: 1, name: 'kept.csv' }).waitFor();
    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await listsNamed(page, 'kept.csv').waitFor();
    expect(await page.getByRole('region', { name: /^How / }).count()).toBe(0);
  });

  it('keeps the file while the expected totals are put right, and asks for a new one where the file is at fault', async () => {
    const page = await openOverLine();
    await page.getByText('Purpose and expected totals').click();
    await page.getByLabel('Expected rows').fill('7');
    await chooseFile(page, 'counted.csv', csvOf(6));
    await page.getByText('The control count says 7, the rows come to 6.').waitFor();
    expect(await page.getByRole('button', { name: /^Create a batch/ }).isDisabled()).toBe(true);
    await page.getByLabel('Expected rows').fill('6');
    await createBatch(page, 'counted.csv');
    await page.getByRole('heading', { level: 1, name: 'counted.csv' }).waitFor();

    await page.getByRole('link', { name: 'All bulk payouts' }).click();
    await chooseFile(page, 'header.csv', 'Betrag,Konto\r\n1,2\r\n');
    await page.getByText('None of the first 20 rows names the columns').waitFor();
    expect(await page.getByRole('button', { name: /^Create/ }).isDisabled()).toBe(true);
    await chooseFile(page, 'broken.csv', 'Amount,Name\r\n1,"Ada\r\n');
    await page.getByText('A quotation mark in row 2 is opened and never closed.').waitFor();
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  });

  it('leads to its list from another page by then', async () => {
    const page = await openOverLine();
    await page.route('**/payout/bulk', async (route) => {
      if (route.request().method() === 'POST') await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
      await route.continue();
    });
    await drop(page, 'meanwhile.csv', csvOf(2));
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: 'meanwhile.csv was taken in.' })
      .getByRole('button', { name: 'Open' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'meanwhile.csv' }).waitFor();
  });

  it('is found on its way by who comes back to the page meanwhile, and is asked about before the tab is closed', async () => {
    const page = await openOverLine();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/payout/bulk', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await drop(page, 'slow.csv', csvOf(2));
    await page.getByText(/of slow\.csv|Uploading slow\.csv/).waitFor();
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
    // A handler that asks prevents the event; nobody has to close the tab for it.
    const asks = () => page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    expect(await asks()).toBe(true);
    await page.getByRole('link', { name: 'Bulk payouts', exact: true }).click();
    await page.getByText(/of slow\.csv|Uploading slow\.csv/).waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
    letGo();
    await page.getByText('slow.csv was taken in.').waitFor();
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    expect(await page.getByRole('table').getByRole('link', { name: 'slow.csv' }).count()).toBe(1);
    expect(await asks()).toBe(false);
  });
});
