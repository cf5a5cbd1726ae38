import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { makeImpatient } from './support/impatient.ts';
import { payAndGoBack, payAtTheBank } from './support/test-bank.ts';
import { expectAccessible, type OpenOptions, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();
const EXAMPLE = join(import.meta.dirname, '../../docs/examples/shop.html');
const THANKS = 'Thank you. We have received your payment.';

/** The example of the documentation, on a server and a site of its own. */
let shop: { origin: string; close(): void };

beforeAll(async () => {
  const html = await readFile(EXAMPLE, 'utf8');
  const mine = html.replaceAll('http://127.0.0.1:3000', walk.baseUrl).replace('pk_test_yours', walk.demo.publicKey);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(mine);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // Another name than the service's: to a browser it is another site, whose frames keep their cookies apart.
  shop = { origin: `http://localhost:${port}`, close: () => server.close() };
  const settings = { publicKeys: true, allowedOrigins: [shop.origin], allowedReturnHosts: [], maxAmount: 10_000 };
  expect((await askApi(walk, 'PATCH', '/collection/settings', settings)).status).toBe(200);
});
afterAll(() => shop?.close());

interface Opened {
  sessionId: string;
  checkoutUrl: string;
}

async function openCheckout(more: object = {}): Promise<Opened> {
  const body = { amount: 5_000, customer: { name: 'Ada Obi', email: 'ada@example.com' }, ...more };
  const { status, data } = await askApi(walk, 'POST', '/collection/session', body);
  expect(status).toBe(200);
  return data;
}

async function openPage(opened: Opened, options: OpenOptions & { width?: number } = {}): Promise<Page> {
  const page = await walk.open(options);
  if (options.width !== undefined) await page.setViewportSize({ width: options.width, height: 800 });
  await page.goto(opened.checkoutUrl);
  await page.getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
  return page;
}

async function expectNarrow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'it scrolls sideways').toBe(true);
}

describe('a payer', () => {
  it.each([
    { width: 320, dark: false },
    { width: 320, dark: true },
    { width: 1280, dark: false },
    { width: 1280, dark: true },
  ])('copies the number, pays at the bank and sees it without a reload ($width px, dark: $dark)', async (look) => {
    const opened = await openCheckout({ description: 'Two pairs of shoes' });
    const page = await openPage(opened, look);
    expect(new URL(page.url()).search).toBe('');
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Copy account number' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^\d{10}$/);
    await page.evaluate("document.body.dataset.seen = 'once'");

    const bank = await page.context().newPage();
    await bank.goto(`${walk.baseUrl}/checkout/${opened.sessionId}/sandbox-bank`);
    await expectAccessible(bank);
    await expectNarrow(bank);
    expect(await bank.getByLabel('Account number').inputValue()).toBe(copied);
    await payAtTheBank(bank);
    await bank.close();

    await page.getByRole('heading', { name: THANKS }).waitFor();
    expect(await page.evaluate('document.body.dataset.seen')).toBe('once');
    await expect.poll(() => page.getByRole('status').textContent()).toBe(THANKS);
    await expectAccessible(page);
    await expectNarrow(page);
  });

  it('pays less, is shown the rest, and finds the page again with a tab that was closed', async () => {
    const opened = await openCheckout();
    const page = await openPage(opened);
    await page.getByRole('link', { name: 'Pay at the test bank' }).click();
    await payAndGoBack(page, { amount: '2000' });
    await page.getByRole('heading', { name: '₦3,000.00 is still missing' }).waitFor();
    await expectAccessible(page);
    const again = await page.context().newPage();
    await page.close();
    await again.goto(`${walk.baseUrl}/checkout/${opened.sessionId}`);
    await again.getByRole('heading', { name: '₦3,000.00 is still missing' }).waitFor();
  });

  it('sees the payment also where an answer got lost on the way', async () => {
    const page = await openPage(await openCheckout());
    await makeImpatient(page);
    const lost = new Promise<void>((resolve) => {
      void page.route('**/state*', () => resolve(), { times: 1 });
    });
    await lost;
    const bank = await page.context().newPage();
    await bank.goto(page.url());
    await bank.getByRole('link', { name: 'Pay at the test bank' }).click();
    await payAtTheBank(bank);
    await page.getByRole('heading', { name: THANKS }).waitFor();
  });

  it('who presses the button before the money is there sees no error, and keeps the focus', async () => {
    const page = await openPage(await openCheckout());
    const button = page.getByRole('button', { name: 'I have sent the money' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Your money is not here yet.').first().waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('I have sent the money');
    await expectAccessible(page);
  });

  it('reads above the button that its answer never came, and may press it again', async () => {
    const page = await openPage(await openCheckout());
    await makeImpatient(page);
    await page.route('**/check', () => undefined, { times: 1 });
    await page.getByRole('button', { name: 'I have sent the money' }).click();
    const line = page.getByRole('main').getByText('We cannot look at the moment.');
    await line.waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have sent the money' }).click();
    await page.getByText('Your money is not here yet.').first().waitFor();
  });

  it('who pays by card reads the same button again after an answer that never came', async () => {
    const byCard = { channels: ['CARD'], returnUrl: 'https://shop.example/thanks', expiresInMinutes: 480 };
    const page = await openPage(await openCheckout(byCard));
    await page.getByText(/Time left: 7 h 59 min/).waitFor();
    await page.route('**/check', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'I have paid' }).click();
    await page.getByRole('main').getByText('We cannot look at the moment.').waitFor();
    expect(await page.locator('#check button').innerText()).toBe('I have paid');
  });

  it('gets the time announced at five minutes, at one, and at the end, where the number goes also without a line', async () => {
    const page = await walk.open();
    await page.clock.install();
    await page.goto((await openCheckout()).checkoutUrl);
    const timer = page.getByRole('timer');
    await expect.poll(() => timer.textContent()).toMatch(/^(29|30) min/);
    const announced = () => page.getByRole('status').textContent();
    const silent = await page.evaluate("document.getElementById('countdown').getAttribute('aria-live')");
    expect(silent).toBe('off');
    await page.clock.fastForward('20:00');
    await expect.poll(() => timer.textContent()).toMatch(/^(9|10) min/);
    expect(await announced()).toBe('');
    await page.clock.fastForward('05:05');
    await expect.poll(announced).toBe('Five minutes are left to pay.');
    await page.clock.fastForward('04:00');
    await expect.poll(announced).toBe('One minute is left to pay.');
    await page.route('**/state*', (route) => route.abort());
    await page.clock.fastForward('01:00');
    await expect.poll(announced).toBe('The time to pay is over.');
    const copies = page.getByRole('button', { name: 'Copy account number' });
    expect(await copies.count()).toBe(0);
    await page.getByText('Please do not send money to the account number any more.').waitFor();
    await expectAccessible(page);
    // The clock was wrong, and the service says so.
    await page.unroute('**/state*');
    await page.clock.runFor('00:15');
    await copies.waitFor();
  });

  it('reads after three answers that are lost that nobody is looking, and no more once one has come', async () => {
    const page = await walk.open();
    await page.clock.install();
    await page.goto((await openCheckout()).checkoutUrl);
    const line = page.getByRole('main').getByText('We cannot look for your payment at the moment.');
    await page.route('**/state*', (route) => route.abort());
    await expect
      .poll(async () => {
        await page.clock.runFor(4_000);
        return line.count();
      })
      .toBe(1);
    await page.unroute('**/state*');
    await page.clock.runFor(15_000);
    await line.waitFor({ state: 'detached' });
    // Pressed twice, a button says again what it does.
    const copy = page.getByRole('button', { name: 'Copy account number' });
    await copy.click();
    const copied = page.getByRole('button', { name: 'Copied' });
    await page.clock.runFor(1_000);
    await copied.click();
    await page.clock.runFor(5_000);
    await copy.waitFor();
  });

  it('opens a link with the secret in its fragment, and none with a wrong one', async () => {
    const { sessionId, checkoutUrl } = await openCheckout();
    const page = await walk.open();
    const secret = new URL(checkoutUrl).searchParams.get('s');
    await page.goto(`${walk.baseUrl}/checkout/${sessionId}#${secret}`);
    await page.getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
    const stranger = await walk.open({ dark: true });
    await stranger.goto(`${walk.baseUrl}/checkout/${sessionId}#mcs_test_wrong`);
    await stranger.getByRole('heading', { name: 'This payment link does not work' }).waitFor();
    await expectAccessible(stranger);
  });

  it('pays with scripts switched off', async () => {
    const opened = await openCheckout();
    const shown = await walk.open();
    const context = await shown
      .context()
      .browser()
      ?.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
    if (context === undefined) throw new Error('there is no browser');
    const page = await context.newPage();
    await page.goto(opened.checkoutUrl);
    await page.getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Pay at the test bank' }).click();
    await payAndGoBack(page);
    // Either it is there already, or the button asks for it.
    await expect
      .poll(async () => {
        const button = page.getByRole('button', { name: 'I have sent the money' });
        if (await button.isVisible()) await button.click();
        return page.getByRole('heading', { name: THANKS }).isVisible();
      })
      .toBe(true);
    await context.close();
  });
});

describe('the example shop', () => {
  it('is paid in a frame over its page, which gets the focus back', async () => {
    const page = await walk.open();
    await page.goto(shop.origin);
    const button = page.getByRole('button', { name: 'Pay by bank transfer' });
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Pay An example shop' });
    await dialog.waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
    await frame.getByRole('link', { name: 'Pay at the test bank' }).click();
    await payAndGoBack(frame);
    await frame.getByRole('heading', { name: THANKS }).waitFor();
    await page.getByText('Thank you. We send your order').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('pay');
  });

  it('is left by Escape from within the frame', async () => {
    const page = await walk.open();
    await page.goto(shop.origin);
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'I have sent the money' }).focus();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });

  it('is paid in a window of its own', async () => {
    const page = await walk.open();
    await page.goto(shop.origin);
    await page.getByLabel('Open the payment page').selectOption('popup');
    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    const popup = await opening;
    await popup.getByRole('link', { name: 'Pay at the test bank' }).click();
    await payAndGoBack(popup);
    await popup.getByRole('heading', { name: THANKS }).waitFor();
    await page.getByText('Thank you. We send your order').waitFor();
    await popup.close();
  });

  it('has the payer back who cancels in a window, also where the shop’s page was closed or loaded anew', async () => {
    const cancelUrl = `${shop.origin}/cart`;
    for (const leave of [(page: Page) => page.close(), async (page: Page) => void (await page.reload())]) {
      const page = await walk.open();
      await page.goto(shop.origin);
      const { checkoutUrl } = await openCheckout({ cancelUrl });
      const opening = page.waitForEvent('popup');
      const address = `${checkoutUrl}&in=${encodeURIComponent(shop.origin)}`;
      await page.evaluate(`window.open(${JSON.stringify(address)}, '_blank', 'popup')`);
      const popup = await opening;
      const cancel = popup.getByRole('link', { name: 'Cancel and go back' });
      await cancel.waitFor();
      await leave(page);
      await cancel.click();
      await popup.waitForURL(cancelUrl);
      await popup.close();
    }
  });

  it('gets a message when the payer cancels, and closes the frame', async () => {
    const page = await walk.open();
    await page.goto(shop.origin);
    const { checkoutUrl } = await openCheckout({ cancelUrl: `${shop.origin}/cart` });
    await page.evaluate(`globalThis.cancelled = 0; Manilla.open({ checkoutUrl: ${JSON.stringify(checkoutUrl)},
      onCancelled: () => { globalThis.cancelled += 1; } }); undefined`);
    await page.frameLocator('iframe').getByRole('link', { name: 'Cancel and go back' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('cancelled')).toBe(1);
    expect(page.url()).toBe(`${shop.origin}/`);
  });

  it('sends the payer to the page where the browser blocks its window', async () => {
    const page = await walk.open();
    await page.goto(shop.origin);
    // Not as a script of all its pages: those stay with a page that is used again.
    await page.evaluate('window.open = () => null');
    await page.getByLabel('Open the payment page').selectOption('popup');
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    await page.getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
    expect(new URL(page.url()).origin).toBe(walk.baseUrl);
  });

  it('takes no message from another window, and none from another origin', async () => {
    const page = await walk.open();
    await page.goto(shop.origin);
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
    const forged = (origin: string) =>
      page.evaluate(`dispatchEvent(new MessageEvent('message', {
        origin: ${JSON.stringify(origin)}, source: window, data: { type: 'manilla', event: 'paid' } }))`);
    await forged(walk.baseUrl);
    await page.evaluate(`dispatchEvent(new MessageEvent('message', {
      origin: 'https://evil.example', source: document.querySelector('iframe').contentWindow,
      data: { type: 'manilla', event: 'paid' } }))`);
    expect(await page.locator('#order').textContent()).toBe('Not paid yet.');
    await page.evaluate(`dispatchEvent(new MessageEvent('message', {
      origin: ${JSON.stringify(walk.baseUrl)}, source: document.querySelector('iframe').contentWindow,
      data: { type: 'manilla', event: 'paid' } }))`);
    expect(await page.locator('#order').textContent()).toContain('Thank you.');
  });
});
