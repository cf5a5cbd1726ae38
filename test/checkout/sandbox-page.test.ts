import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';
import { openCheckout, plainBrowser } from './support.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await work();
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const CARD = {
  channels: ['CARD', 'BANK_TRANSFER'],
  returnUrl: 'https://shop.example/paid',
  cancelUrl: 'https://shop.example/cart',
};
const work = () => t.app.worker.runOnce();
const read = async (sessionId: string) => (await t.call('GET', `/collection/session/${sessionId}`)).body.data;

/** A session whose payer is sent to the page, as to one of a payment company's. */
async function onPage(more: object = {}) {
  const checkout = await openCheckout(t, { ...CARD, ...more });
  const { pageUrl } = await read(checkout.sessionId);
  const browser = plainBrowser(t);
  const page = await browser.visit(pageUrl);
  const at = `${checkout.path}/sandbox-page`;
  return {
    ...checkout,
    browser,
    page,
    at,
    pageUrl,
    attempt: async (wanted: string, payerName = 'Ngozi Eze') => {
      const answer = await browser.submit(at, { try: wanted, payerName });
      expect(answer.status).toBe(303);
      return browser.get(String(answer.headers['location']));
    },
  };
}

describe('the page of the sandbox that plays a payment company’s', () => {
  it('takes a card that is approved, without asking for anything of it, and the session is paid by a query', async () => {
    const { page, attempt, sessionId, pageUrl, path, browser } = await onPage();
    expect(pageUrl).toContain(`/checkout/${sessionId}/sandbox-page?s=mcs_test_`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('No real money moves, and no card number is asked for.');
    expect(page.text.match(/<(?:input|select)[^>]* name="([^"]+)"/g)).toHaveLength(2);
    expect(await read(sessionId)).toMatchObject({ status: 'OPEN', accounts: [] });
    expect((await attempt('approved')).text).toContain('Back to ');
    await work();
    const session = await read(sessionId);
    expect(session).toMatchObject({ status: 'PAID', received: 5_000 });
    const { payment } = (await t.call('GET', `/collection/payment/${session.payments[0].paymentId}`)).body.data;
    expect(payment).toMatchObject({
      channel: 'CARD',
      sessionId: null,
      accountNumber: sessionId.replaceAll('-', ''),
      payer: { name: 'Ngozi Eze', accountNumber: null, bankName: null },
    });
    expect((await browser.get(path)).text).toContain('Thank you. We have received your payment.');
  });

  it('cuts the name of a payer between two characters, so that the proof can read it', async () => {
    const { attempt, sessionId } = await onPage();
    await attempt('approved', `${'N'.repeat(99)}😀😀`);
    await work();
    const { payments } = await read(sessionId);
    const { payment } = (await t.call('GET', `/collection/payment/${payments[0].paymentId}`)).body.data;
    expect(payment.payer.name).toBe(`${'N'.repeat(99)}😀`);
    expect(await brokenChecks(t.database)).toEqual([]);
  });

  it('says that a card was declined, takes nothing, and takes the next try or a transfer', async () => {
    const first = await onPage();
    const declined = await first.attempt('declined');
    expect(declined.text).toContain('The bank declined the card. You have not paid anything.');
    await work();
    expect(await read(first.sessionId)).toMatchObject({ status: 'OPEN', received: 0 });
    await first.attempt('approved');
    await work();
    expect(await read(first.sessionId)).toMatchObject({ status: 'PAID' });

    const second = await onPage();
    await second.attempt('declined');
    await second.attempt('transfer');
    await work();
    const { status, payments } = await read(second.sessionId);
    expect(status).toBe('PAID');
    const { payment } = (await t.call('GET', `/collection/payment/${payments[0].paymentId}`)).body.data;
    expect(payment).toMatchObject({ channel: 'BANK_TRANSFER', sessionId: expect.stringMatching(/^\d{30}$/) });
  });

  it('that is closed or left by its way back leaves the session payable until it expires', async () => {
    const { page, sessionId, at, browser } = await onPage();
    expect(page.text).toContain('https://shop.example/cart');
    expect(await read(sessionId)).toMatchObject({ status: 'OPEN', payable: true });
    expect((await t.call('POST', '/sandbox/clock/advance', { seconds: 31 * 60 })).status).toBe(200);
    await work();
    expect(await read(sessionId)).toMatchObject({ status: 'EXPIRED', payable: false, pageUrl: null });
    // The page itself is the payment company's: what is paid there all the same is late.
    await browser.submit(at, { try: 'approved' });
    await work();
    expect(await read(sessionId)).toMatchObject({ status: 'EXPIRED', payments: [{ note: 'LATE' }] });
  });

  it('takes a payment that is pending first, and one that nobody reports and a check finds', async () => {
    const pending = await onPage();
    await pending.attempt('pending');
    await work();
    expect(await read(pending.sessionId)).toMatchObject({ status: 'OPEN' });
    t.clock.advance(60_000);
    await work();
    expect(await read(pending.sessionId)).toMatchObject({ status: 'PAID' });

    const silent = await onPage();
    await silent.attempt('unreported');
    expect(await read(silent.sessionId)).toMatchObject({ status: 'OPEN' });
    const checked = await t.call('POST', `/collection/session/${silent.sessionId}/check`);
    expect(checked.body.data).toMatchObject({ found: true, session: { status: 'PAID' } });
  });

  it('takes nothing twice of the same form, nothing that it does not offer, and nothing from the page of another site', async () => {
    const { attempt, sessionId } = await onPage();
    await attempt('approved');
    await work();
    expect((await attempt('approved')).text).not.toContain('What happens');
    await work();
    expect(await read(sessionId)).toMatchObject({ received: 5_000 });
    const byCard = await onPage({ channels: ['CARD'] });
    expect(byCard.page.text).not.toContain('value="transfer"');
    expect((await byCard.attempt('transfer')).text).toContain('Choose what happens first.');
    expect((await byCard.attempt('nothing')).text).toContain('Choose what happens first.');
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await byCard.browser.submit(byCard.at, { try: 'approved' }, elsewhere)).status).toBe(403);
    const withNumber = await openCheckout(t);
    const browser = plainBrowser(t);
    await browser.visit(withNumber.checkoutUrl);
    await browser.submit(`${withNumber.path}/sandbox-page`, { try: 'approved' });
    await work();
    expect(await read(withNumber.sessionId)).toMatchObject({ status: 'OPEN', received: 0 });
  });

  it('is for anyone who has the secret of the session, and in the sandbox alone', async () => {
    const { sessionId, at } = await onPage();
    expect((await plainBrowser(t).get(at)).status).toBe(404);
    expect((await plainBrowser(t).submit(at, { try: 'approved' })).status).toBe(404);
    const { clientSecret } = await openCheckout(t);
    expect((await plainBrowser(t).get(`${at}?s=${clientSecret}`)).status).toBe(404);
    expect(await read(sessionId)).toMatchObject({ received: 0 });
  });
});

describe('the checkout page of a session that is paid by card', () => {
  it('leads to the page by which it is paid, says so, and asks for no transfer', async () => {
    const { browser, path } = await onPage({ channels: ['CARD'] });
    const { text } = await browser.get(path);
    expect(text).toContain(`href="${path}/sandbox-page">Pay with a card</a>`);
    expect(text).toContain('>I have paid</button>');
    expect(text).not.toContain('account number');
    const several = await onPage();
    expect((await several.browser.get(several.path)).text).toContain('>Pay with a card or in another way</a>');
  });
});

describe('POST /sandbox/collection/pay', () => {
  it('pays a session by card without a page, for tests without a browser; a number takes transfers alone', async () => {
    const { sessionId } = await openCheckout(t, CARD);
    const accountNumber = sessionId.replaceAll('-', '');
    const paid = await t.call('POST', '/sandbox/collection/pay', { accountNumber, channel: 'CARD', amount: 5_000 });
    expect(paid.body.data.credits).toMatchObject([{ channel: 'CARD', accountNumber }]);
    await work();
    expect(await read(sessionId)).toMatchObject({ status: 'PAID' });
    const withNumber = await openCheckout(t);
    const refused = await t.call('POST', '/sandbox/collection/pay', {
      accountNumber: withNumber.accountNumber,
      channel: 'CARD',
      amount: 5_000,
    });
    expect(refused.body).toMatchObject({ status: false, code: 'VALIDATION_FAILED' });
  });
});
