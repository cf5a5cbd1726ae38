import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { expireSessions } from '../../src/payment-sessions/index.ts';
import { clientSecretOf } from '../../src/payment-sessions/read-sessions.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { CUSTOMER, openCheckout, plainBrowser } from './support.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const addresses = (page: string) => [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, found]) => found);
const headlineOf = (page: string) => /<h1[^>]*>([^<]*)/.exec(page)?.[1];

async function visited(more: object = {}) {
  const checkout = await openCheckout(t, more);
  const browser = plainBrowser(t);
  const page = await browser.visit(checkout.checkoutUrl);
  return { ...checkout, browser, page, again: async () => (await browser.get(checkout.path)).text };
}

/** As the sandbox's payer, whose money a check finds. */
async function pay(accountNumber: string, amount: number) {
  const body = { accountNumber, amount, scenario: 'never_notified' };
  expect((await t.call('POST', '/sandbox/collection/pay', body)).status).toBe(200);
}

describe('the link of a payment', () => {
  it('takes its secret out of the address, into a cookie of this session’s pages that no script reads', async () => {
    const { checkoutUrl, path, clientSecret } = await openCheckout(t);
    const answer = await plainBrowser(t).get(checkoutUrl);
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toBe(path);
    const [cookie = ''] = [answer.headers['set-cookie']].flat().map(String);
    expect(cookie).toMatch(/^__Secure-manilla_checkout=mcs_test_/);
    expect(cookie.split('; ').slice(1).sort()).toEqual(
      ['HttpOnly', 'Max-Age=604800', `Path=${path}`, 'SameSite=Lax', 'Secure'].sort(),
    );
    expect(cookie).toContain(clientSecret);
  });

  it('keeps its cookie within the frame of a shop apart from other sites', async () => {
    const { checkoutUrl } = await openCheckout(t);
    const answer = await plainBrowser(t).get(checkoutUrl, { 'sec-fetch-dest': 'iframe' });
    expect(String(answer.headers['set-cookie'])).toMatch(/SameSite=None; Partitioned/);
  });

  it('opens nothing with the secret of another session, none, or a session that is not there, all alike', async () => {
    const [mine, others] = [await openCheckout(t), await openCheckout(t)];
    const missing = `/checkout/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;
    const answers = await Promise.all(
      [
        `${mine.path}?s=${others.clientSecret}`,
        mine.path,
        `${mine.path}?s=`,
        `${missing}?s=${others.clientSecret}`,
        '/checkout/nothing?s=mcs_test_x',
        `/checkout?s=${others.clientSecret}`,
        '/checkout/',
        `${mine.path}/state`,
        `${mine.path}/sandbox-bank`,
      ].map((address) => plainBrowser(t).get(address)),
    );
    for (const { status, text, headers } of answers) {
      expect(status).toBe(404);
      expect(headers['content-type']).toContain('text/html');
      expect(text).toBe(answers[0]?.text);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('is given by the answer that opens the session, and by no other', async () => {
    const { sessionId, checkoutUrl, clientSecret } = await openCheckout(t);
    expect(checkoutUrl).toMatch(new RegExp(`^http://[^/]+/checkout/${sessionId}\\?s=${clientSecret}$`));
    const read = await t.call('GET', `/collection/session/${sessionId}`);
    expect(read.text).not.toContain('checkoutUrl');
    expect(read.text).not.toContain(clientSecret);
    const { rows } = await t.database.pool.query(`select data from events where subject_id = $1`, [sessionId]);
    expect(JSON.stringify(rows)).not.toMatch(/checkoutUrl|mcs_test/);
  });

  it('comes again with a repeated request', async () => {
    const headers = { 'idempotency-key': 'page-again', authorization: `Bearer ${t.merchant.secretKey}` };
    const open = () => t.call('POST', '/collection/session', { amount: 10, customer: CUSTOMER }, headers);
    const [first, second] = [await open(), await open()];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
    expect((await plainBrowser(t).visit(second.body.data.checkoutUrl)).status).toBe(200);
  });

  it('lets a script bring a secret that stood behind the # of a link', async () => {
    const { path, clientSecret } = await openCheckout(t);
    const browser = plainBrowser(t);
    expect((await browser.submit(`${path}/enter`, { s: clientSecret })).headers['location']).toBe(path);
    expect((await browser.get(path)).status).toBe(200);
    expect((await plainBrowser(t).submit(`${path}/enter`, { s: 'mcs_test_x' })).status).toBe(404);
  });
});

describe('the page', () => {
  it('loads nothing from elsewhere, has nothing inline, and is kept by nobody', async () => {
    const { page } = await visited();
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
    expect(page.text).not.toMatch(/ style="| on[a-z]+="|<style|<script(?![^>]* src=)/);
    for (const address of addresses(page.text)) expect(address).toMatch(/^(\/checkout\/|data:,)/);
  });

  it('has nothing of the payer and no secret', async () => {
    const { page, browser, path, clientSecret } = await visited({ metadata: { cart: 'inner matter' } });
    const texts = [
      page.text,
      (await browser.get(`${path}/state`)).text,
      (await browser.get(`${path}/sandbox-bank`)).text,
    ];
    for (const text of texts) {
      for (const hidden of [CUSTOMER.email, CUSTOMER.phoneNumber, 'inner matter', clientSecret, 'walletId']) {
        expect(text).not.toContain(hidden);
      }
    }
  });

  it('weighs at most 60 kB with its style and script, and its files are kept for ever', async () => {
    const { page, browser } = await visited();
    const files = addresses(page.text).filter((address) => address?.startsWith('/checkout/assets/'));
    expect(files).toHaveLength(2);
    let size = Buffer.byteLength(page.text);
    for (const file of files) {
      const answer = await browser.get(String(file));
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      size += Buffer.byteLength(answer.text);
    }
    expect(size).toBeLessThan(60_000);
  });

  it('takes no markup from a merchant', async () => {
    const hostile = `<img src=x onerror=alert(1)> & "quotes"`;
    const { page } = await visited({ description: hostile });
    expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot;');
    expect(page.text).not.toContain('<img src=x');
  });
});

describe('without scripts', () => {
  it('shows what to send, where and until when, and reloads by itself', async () => {
    const { page, accountNumber, accountName } = await visited();
    expect(headlineOf(page.text)).toBe('Pay ₦5,000.00 to Adire &amp; Co');
    expect(page.text).toContain('Send exactly <strong>₦5,000.00</strong>');
    expect(page.text).toContain(accountNumber);
    expect(accountName).not.toBe('');
    expect(page.text).toContain(accountName.replace('&', '&amp;'));
    expect(page.text).toMatch(/This number works until <strong>\d\d:\d\d<\/strong> \(Lagos time\)/);
    expect(page.text).toMatch(/role="timer" aria-live="off"[^>]*>about 30 minutes</);
    expect(page.text).toContain('<noscript><meta http-equiv="refresh" content="20"></noscript>');
    expect(page.text).toContain('data-copy="5000"');
  });

  it('is paid at the sandbox’s bank, and asks the provider by its button', async () => {
    const { browser, path, accountNumber, again } = await visited({ returnUrl: 'https://shop.example/thanks?order=7' });
    const bank = await browser.get(`${path}/sandbox-bank`);
    expect(bank.text).toContain(`value="${accountNumber}"`);
    const none = await browser.submit(`${path}/check`);
    expect(none.headers['location']).toBe(`${path}?checked=not_yet`);
    expect((await browser.visit(`${path}?checked=not_yet`)).text).toContain('Your money is not here yet.');
    expect((await browser.submit(`${path}/check`)).headers['location']).toBe(`${path}?checked=lately`);
    const sent = await browser.submit(`${path}/sandbox-bank`, {
      accountNumber,
      amount: '5,000.00',
      payerName: 'Bola Ade',
      scenario: 'never_notified',
    });
    expect(sent.status).toBe(303);
    expect((await browser.visit(String(sent.headers['location']))).text).toContain('Transfer sent');
    t.clock.advance(10_001);
    expect((await browser.submit(`${path}/check`)).headers['location']).toBe(`${path}?checked=received`);
    const paid = await again();
    expect(headlineOf(paid)).toBe('Thank you. We have received your payment.');
    expect(paid).toContain('has received ₦5,000.00');
    expect(paid).toContain('href="https://shop.example/thanks?order=7"');
    expect(paid).not.toContain('http-equiv');
    expect(paid).not.toContain(accountNumber);
    expect(paid).not.toContain('Bola');
  });

  it('shows what came and what is missing, and then what was too much', async () => {
    const { browser, path, accountNumber, again } = await visited();
    await pay(accountNumber, 2_000);
    await browser.submit(`${path}/check`);
    const part = await again();
    expect(headlineOf(part)).toBe('₦3,000.00 is still missing');
    expect(part).toContain('₦2,000.00 came in.');
    expect(part).toContain('Send exactly <strong>₦3,000.00</strong>');
    expect(part).toContain('data-copy="3000"');
    await pay(accountNumber, 3_000.5);
    t.clock.advance(10_001);
    await browser.submit(`${path}/check`);
    expect(await again()).toContain('You sent ₦0.50 more than needed.');
  });

  it('shows no account number from the moment of its end on, before and after a worker ends it', async () => {
    const { accountNumber, again, browser, path } = await visited({ expiresInMinutes: 15 });
    const before = (await browser.get(`${path}/state`)).headers['etag'];
    t.clock.advance(15 * 60_000);
    const over = await again();
    expect(headlineOf(over)).toBe('The time for this payment is over');
    expect(over).toContain('If you have sent the money already, it is not lost.');
    expect(over).not.toContain(accountNumber);
    expect((await browser.get(`${path}/state`)).headers['etag']).not.toBe(before);
    const { config, database, secrets, clock } = t;
    const container = createContainer({ config, database, secrets, clock, logger: createLogger('fatal') });
    expect(await expireSessions({ ...container, onAlarm: undefined }, 'SANDBOX')).toBeGreaterThan(0);
    await container.ledger.drain();
    const ended = await again();
    expect(ended).toContain('data-status="EXPIRED"');
    expect(ended).not.toContain(accountNumber);
    const bank = await browser.get(`${path}/sandbox-bank`);
    expect(bank.text, 'who tries what late money does keeps the number').toContain(`value="${accountNumber}"`);
    const late = await browser.submit(`${path}/sandbox-bank`, { accountNumber, amount: '5000' });
    expect(late.headers['location']).toBe(`${path}/sandbox-bank?paid=5000`);
  });

  it('does not tell who has paid all of it late that something is missing, or to pay again', async () => {
    const { sessionId, accountNumber, again, path, browser } = await visited({ expiresInMinutes: 15 });
    await pay(accountNumber, 2_000);
    await browser.submit(`${path}/check`);
    await t.database.pool.query(`update payment_sessions set status = 'EXPIRED' where id = $1`, [sessionId]);
    const part = await again();
    expect(part).toContain('₦2,000.00 came in. ₦3,000.00 was missing.');
    expect(part).toContain('If you still want to pay');
    await t.database.pool.query(`update payment_sessions set received_minor = payable_minor where id = $1`, [
      sessionId,
    ]);
    const all = await again();
    expect(headlineOf(all)).toBe('The time for this payment is over');
    expect(all).toContain('₦5,000.00 came in');
    expect(all).toContain('Please do not pay again.');
    expect(all).not.toMatch(/was missing|still want to pay|start again/);
  });

  it('shows that a payment was cancelled, and that one could not be opened', async () => {
    const { sessionId, again, accountNumber } = await visited({ cancelUrl: 'https://shop.example/cart' });
    expect(await again()).toContain('href="https://shop.example/cart"');
    expect((await t.call('POST', `/collection/session/${sessionId}/cancel`)).status).toBe(200);
    const cancelled = await again();
    expect(headlineOf(cancelled)).toBe('This payment was cancelled');
    expect(cancelled).not.toContain(accountNumber);
    await t.database.pool.query(`update payment_sessions set status = 'FAILED' where id = $1`, [sessionId]);
    expect(headlineOf(await again())).toBe('This payment could not be opened');
    await t.database.pool.query(`update payment_sessions set status = 'OPENING' where id = $1`, [sessionId]);
    expect(await again()).toContain('We are getting an account number for you.');
  });

  it('leads to no address that would run a script', async () => {
    const { sessionId, again } = await visited();
    await t.database.pool.query(
      `update payment_sessions set cancel_url = 'javascript:alert(1)', page_url = 'data:text/html,x' where id = $1`,
      [sessionId],
    );
    expect(await again()).not.toMatch(/javascript:|data:text/);
  });

  it('shows the code to dial and the page of the provider where there are any', async () => {
    const { sessionId, again } = await visited();
    await t.database.pool.query(
      `update payment_sessions set ussd_code = '*894*000*77#', page_url = 'https://pay.provider.example/x?y=1' where id = $1`,
      [sessionId],
    );
    const page = await again();
    expect(page).toContain('href="tel:*894*000*77%23"');
    expect(page).toContain('href="https://pay.provider.example/x?y=1"');
  });
});

describe('the state, for scripts', () => {
  it('is not sent again while nothing changes, and is to be read every few seconds', async () => {
    const { browser, path } = await visited();
    const first = await browser.get(`${path}/state`);
    const data = JSON.parse(first.text).data;
    expect(data).toMatchObject({ status: 'OPEN', conclusive: false, announcement: 'Pay ₦5,000.00 to Adire & Co' });
    expect(first.headers['retry-after']).toBe('3');
    const same = await browser.get(`${path}/state`, { 'if-none-match': data.etag });
    expect(same.status).toBe(304);
  });

  it('asks the provider at most every ten seconds, and a payer who asks more often sees no error', async () => {
    const { browser, path } = await visited();
    const json = { accept: 'application/json' };
    const announcements: string[] = [];
    for (let asked = 0; asked < 3; asked += 1) {
      announcements.push(JSON.parse((await browser.submit(`${path}/check`, {}, json)).text).data.announcement);
    }
    expect(announcements[0]).toContain('not here yet');
    expect(announcements[1]).toContain('a moment ago');
    expect(announcements[2]).toContain('a moment ago');
  });

  it('takes no button that the page of another site presses', async () => {
    const { browser, path, accountNumber } = await visited();
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.submit(`${path}/check`, {}, elsewhere)).status).toBe(403);
    const form = { accountNumber, amount: '5000' };
    expect((await browser.submit(`${path}/sandbox-bank`, form, elsewhere)).status).toBe(403);
    const { rows } = await t.database.pool.query('select 1 from sandbox_credits where account_number = $1', [
      accountNumber,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('the sandbox’s bank', () => {
  it('is not there for live money', async () => {
    const { sessionId, path } = await openCheckout(t);
    const tenant = { merchantId: t.merchant.merchantId, mode: 'LIVE' as const };
    const cookie = `__Secure-manilla_checkout=${clientSecretOf(t.secrets, { tenant, sessionId })}`;
    const answer = await plainBrowser(t).get(`${path}/sandbox-bank`, { cookie });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('<form');
  });

  it('pays to no account but those of the session, and shows what is wrong with the form', async () => {
    const { browser, path, accountNumber } = await visited();
    const other = await openCheckout(t);
    const send = (fields: object) => browser.submit(`${path}/sandbox-bank`, { accountNumber, amount: '10', ...fields });
    for (const [fields, sentence] of [
      [{ accountNumber: other.accountNumber }, 'account'],
      [{ amount: 'ten' }, 'must be a number such as 1500, 1,500 or 1500.50'],
      [{ amount: '' }, 'is required'],
      [{ amount: '0' }, 'greater than zero'],
      [{ amount: '9999999999999' }, 'at most'],
    ] as const) {
      const { status, text } = await send(fields);
      expect(status).toBe(422);
      expect(text).toMatch(new RegExp(`role="alert">[^<]*${sentence}`));
    }
    const { rows } = await t.database.pool.query('select 1 from sandbox_credits where account_number = any ($1)', [
      [accountNumber, other.accountNumber],
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a payer who bears the fee', () => {
  it('is asked for one amount, and reads what of it is price, fee and VAT', async () => {
    await collectionFee(t, { flatMinor: 100_00n });
    const { page } = await visited({ feeBearer: 'CUSTOMER' });
    expect(headlineOf(page.text)).toContain('Pay ₦5,107.50 to');
    expect(page.text).toContain('This is ₦5,000.00 plus a fee of ₦100.00 and VAT of ₦7.50.');
    const { page: free } = await visited();
    expect(headlineOf(free.text)).toContain('Pay ₦5,000.00 to');
    expect(free.text).not.toContain('plus a fee of');
  });
});
