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
    await expectAccessible(page);

    await page.getByRole('link', { name: 'See deliveries' }).click();
    const row = page.getByRole('row', { name: /store\.created/ });
    await row.getByText('Failing').waitFor();
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
    await page.getByRole('button', { name: 'Send a test call' }).click();
    await page.getByText('The receiver did not accept it').waitFor();
    await page.getByText('short and stout').waitFor();
    await page.getByRole('button', { name: 'Send a test call' }).click();
    await page.getByText(/was tested less than/).waitFor();
    await expectAccessible(page);
    expect(receiver.received).toContain('webhook.test');
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

describe('the request log', () => {
  it('lists what a program asked for and why it was refused', async () => {
    await askApi(walk, 'POST', '/branch/store', { name: '' });
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/requests' });
    await page.getByLabel('Answer').selectOption('4xx');
    const row = page.getByRole('row', { name: /POST \/branch\/store/ }).first();
    await row.getByText('VALIDATION_FAILED').waitFor();
    await row.getByText('400').waitFor();
    await page.getByText('200', { exact: true }).first().waitFor({ state: 'detached' });
    await expectAccessible(page);
  });

  it('teaches where nothing was asked yet, and says it otherwise where only the filters fit nothing', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/requests?mode=live' });
    await page.getByText('No requests yet').waitFor();
    await page.getByLabel('Answer').selectOption('5xx');
    await page.getByText('Nothing matches these filters').waitFor();
  });
});
