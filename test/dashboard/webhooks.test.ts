import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();
let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

async function saveAddress(page: Page, url: string): Promise<void> {
  await page.goto('/dashboard/developers/webhooks');
  await page.getByLabel('Address for sandbox events').fill(url);
  await page.getByRole('button', { name: 'Save address' }).click();
}

const makeStore = (name: string) => askApi(walk, 'POST', '/branch/store', { name });

describe('webhooks', () => {
  it('fail in sight, are corrected, sent again by hand and delivered', async () => {
    receiver = await startReceiver();
    receiver.answer = { status: 500, body: 'the till is on fire' };
    const page = await walk.openAs(walk.demo.dashboard);
    await saveAddress(page, receiver.url);
    await page.getByText('Saved. New events go there.').waitFor();
    await makeStore('Apapa');
    await page.getByText('The last calls were not accepted').waitFor();
    // The event that failed does not look as if it had arrived.
    await page.getByText('Called for, at least once, up to').waitFor();
    await page.getByText(/^are called for again: /).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/Sent up to|Waiting to be sent/);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'See deliveries' }).click();
    const row = page.getByRole('row', { name: /store\.created/ });
    await row.getByText('Failing').waitFor();
    // The time with its day: a retry may be tomorrow.
    await row.getByText(/\d{4}, \d\d:\d\d \(.+\)|due now|not before/).waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name: 'store.created' }).click();
    await page.getByText('the till is on fire').first().waitFor();
    await page.getByText('Answered 500').first().waitFor();
    await page.getByRole('region', { name: 'event' }).getByText('"Apapa"').waitFor();
    await expectAccessible(page);

    receiver.answer = { status: 200, body: 'thanks' };
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Sent again, and the receiver accepted it.').waitFor();
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Delivered').waitFor();
    expect(receiver.received.filter((type) => type === 'store.created').length).toBeGreaterThanOrEqual(2);
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page
      .getByRole('row', { name: /store\.created/ })
      .getByText('Delivered')
      .waitFor();
  });

  it('are tried on demand, and the page shows what the receiver answered', async () => {
    receiver = await startReceiver();
    receiver.answer = { status: 418, body: 'short and stout' };
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, dark: true });
    await saveAddress(page, 'ftp://shop.example.com');
    await page.getByText('Begin with https://.').waitFor();
    await saveAddress(page, 'https://10.0.0.1/hooks');
    await page.getByText(/must not be a private or reserved IP address/i).waitFor();
    await expect.poll(() => page.getByLabel('Address for sandbox events').inputValue()).toBe('https://10.0.0.1/hooks');
    await saveAddress(page, receiver.url);
    await page.getByText('Saved. New events go there.').waitFor();
    // What is under way keeps the focus: whoever has no mouse need not begin at the top of the page.
    await page.getByRole('button', { name: 'Send a test call' }).press('Enter');
    await page.getByText('The receiver did not accept it').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send a test call');
    await page.getByText('short and stout').waitFor();
    await page.getByRole('button', { name: 'Send a test call' }).click();
    await page.getByText(/was tested less than/).waitFor();
    await expectAccessible(page);
    expect(receiver.received).toContain('webhook.test');
  });

  it('come one after the other until somebody wants several at once, and the page says which', async () => {
    receiver = await startReceiver();
    const page = await walk.openAs(walk.demo.dashboard, { phone: true });
    await saveAddress(page, receiver.url);
    const inOrder = page.getByRole('switch', { name: 'One event after the other' });
    await expect.poll(() => inOrder.isChecked()).toBe(true);
    await inOrder.click();
    await expect.poll(async () => (await askApi(walk, 'GET', '/webhook/endpoint')).data.ordered).toBe(false);
    await page.reload();
    await expect.poll(() => inOrder.isChecked()).toBe(false);
    await expectAccessible(page);
  });

  it('show their signing secret only when asked, and rotate it after a word about what that means', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/dashboard/developers/webhooks');
    const show = page.getByRole('button', { name: 'Show the secret' });
    await show.waitFor();
    expect(asked).not.toContain('/webhook/secret');
    await show.click();
    const secret = await page.getByText(/^whsec_[^•]/).innerText();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The previous secret also signs until').waitFor();
    expect(await page.getByText(/^whsec_[^•]/).innerText()).not.toBe(secret);
  });
});

describe('the event log', () => {
  it('shows the newest first, by type where asked, and an event as it is sent at an address of its own', async () => {
    await makeStore('Festac');
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/events' });
    await page.getByLabel('Event', { exact: true }).selectOption('store.created');
    await page.waitForURL(/type=store\.created/);
    await page.getByRole('link', { name: 'store.created' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'store.created' });
    await dialog.getByText('"Festac"').waitFor();
    await expectAccessible(page);
    await page.reload();
    await dialog.getByText('"Festac"').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('cell', { name: 'transaction.succeeded' }).count()).toBe(0);
    await page.getByRole('link', { name: 'store.created' }).first().click();
    await dialog.getByRole('link', { name: 'Open the store' }).click();
    await page.getByRole('heading', { level: 1, name: 'Festac' }).waitFor();
  });
});

/** Refusals that are in the log, which is written each second. */
async function countRefusals(): Promise<number> {
  const sql = 'select count(*)::int as n from request_log where status = 400';
  const { rows } = await walk.runtime.database.pool.query<{ n: number }>(sql);
  return rows[0]?.n ?? 0;
}

describe('the request log', () => {
  it('lists what a program asked for and why it was refused', async () => {
    await askApi(walk, 'POST', '/branch/store', { name: '' });
    await expect.poll(countRefusals).toBeGreaterThan(0);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/requests' });
    await page.getByLabel('Answer').selectOption('4xx');
    const list = page.getByRole('region', { name: 'Requests' });
    const row = list.getByRole('row', { name: /POST \/branch\/store/ }).first();
    await row.getByText('VALIDATION_FAILED').waitFor();
    await row.getByText('400').waitFor();
    await list.getByText('200', { exact: true }).first().waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  it('shows rates, leads by a click to what went wrong, and opens one request with what it sent', async () => {
    const before = await countRefusals();
    for (const name of ['', 'Agege', '']) await askApi(walk, 'POST', '/branch/store', { name, pin: '918273' });
    await expect.poll(countRefusals).toBe(before + 3);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/requests?period=1h' });
    const rates = page.getByRole('region', { name: 'By operation' });
    await rates.getByRole('link', { name: '400 VALIDATION_FAILED' }).first().click();
    await page.waitForURL(/code=VALIDATION_FAILED/);
    const list = page.getByRole('region', { name: 'Requests' });
    await list.getByRole('link', { name: 'POST /branch/store' }).first().waitFor();
    await expect.poll(() => list.getByText('200', { exact: true }).count()).toBe(0);
    await expectAccessible(page);
    await list.getByRole('link', { name: 'POST /branch/store' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'POST /branch/store' }).waitFor();
    await page.getByText('A field is missing, wrong or unknown').waitFor();
    const sent = page.getByRole('region', { name: 'What was sent' });
    await sent.getByText('"pin": "[unknown field]"').waitFor();
    const command = await page.getByRole('region', { name: 'As a command' }).innerText();
    expect(command).toContain('Authorization: Bearer $MANILLA_KEY');
    expect(await page.content()).not.toMatch(/918273|sk_test_\w{8}/);
    await expectAccessible(page);
    const first = page.url();
    await page.getByRole('navigation', { name: 'Other requests' }).getByRole('link', { name: 'Previous' }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.getByText('VALIDATION_FAILED').first().waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.waitForURL(/code=VALIDATION_FAILED/);
  });

  it('keeps bodies for the days that an owner chooses', async () => {
    const page = await walk.openAs(walk.demo.dashboard, {
      at: '/dashboard/developers/requests?mode=live',
      phone: true,
      dark: true,
    });
    await page.getByRole('button', { name: 'Bodies: not kept' }).click();
    const dialog = page.getByRole('dialog', { name: 'Bodies of live requests' });
    await dialog.getByLabel('Keep bodies').check();
    await dialog.getByLabel('For how many days').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a number from 1 to 7.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('For how many days').fill('2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Bodies: 2 days' }).waitFor();
  });

  it('teaches where nothing was asked yet, and says it otherwise where only the filters fit nothing', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/requests?mode=live' });
    await page.getByText('No requests yet').waitFor();
    await page.getByLabel('Answer').selectOption('5xx');
    await page.getByText('Nothing matches these filters').waitFor();
  });
});

describe('the API explorer', () => {
  it('sends a request with a sandbox key that is nowhere but in its memory', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/explorer' });
    await page.getByLabel('Or one of yours').fill(`sk_live_${'a'.repeat(40)}`);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('This is not a sandbox key').waitFor();
    await page.getByRole('button', { name: 'Make a sandbox key for a day' }).click();
    await page.getByText('Requests are sent with the key').waitFor();
    await page.getByLabel('Operation').fill('/payout/quote');
    await page.getByRole('option', { name: /POST \/payout\/quote/ }).click();
    await page.waitForURL(/operation=quotePayout/);
    const sent = page.waitForRequest((request) => request.url().endsWith('/payout/quote'));
    await page.getByRole('button', { name: 'Send the request' }).click();
    const request = await sent;
    const headers = await request.allHeaders();
    expect([headers['authorization']?.slice(0, 15), headers['cookie']]).toEqual(['Bearer sk_test_', undefined]);
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('"totalDebit"').or(answer.getByText('"total"')).first().waitFor();
    const key = headers['authorization']?.slice('Bearer '.length) ?? '';
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
    expect(kept).not.toContain(key);
    expect(await page.content()).not.toContain(key);
    await expectAccessible(page);
    await page.getByLabel('Body', { exact: true }).fill('{"amount": ');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText('The body is not JSON').waitFor();
    await page.getByLabel('Body', { exact: true }).fill('{"amount": "much"}');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await answer.getByText('"VALIDATION_FAILED"').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Make a sandbox key for a day' }).waitFor();
  });
});

describe('the event catalogue', () => {
  it('has every type with its fields and an example, beside the last deliveries of it', async () => {
    receiver = await startReceiver();
    const page = await walk.openAs(walk.demo.dashboard);
    await saveAddress(page, receiver.url);
    await page.getByText('Saved. New events go there.').waitFor();
    await makeStore('Epe');
    await page.goto('/dashboard/developers/catalogue');
    await page.getByRole('link', { name: 'store.created' }).click();
    await page.waitForURL(/type=store\.created/);
    await page.getByRole('region', { name: 'example' }).getByText('"store.created"').waitFor();
    const fields = page.getByRole('region', { name: 'Fields of store.created' });
    await fields.getByText('data.storeId', { exact: true }).waitFor();
    const last = page.getByRole('region', { name: 'The last deliveries of store.created' });
    await last.getByText('Delivered').first().waitFor();
    await expectAccessible(page);
    await last
      .getByRole('link', { name: /^Number/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'store.created' }).waitFor();
  });

  it('is read on a phone', async () => {
    const page = await walk.openAs(walk.demo.dashboard, {
      at: '/dashboard/developers/catalogue',
      phone: true,
      dark: true,
    });
    await page.getByLabel('Type of event').selectOption('payout.reversed');
    await page.getByRole('heading', { name: 'payout.reversed' }).waitFor();
    await expectAccessible(page);
  });
});
