import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SESSIONS_PER_MINUTE } from '../../src/payment-sessions/settings-schemas.ts';
import { newId } from '../../src/platform/ids.ts';
import { addRail } from '../../src/rail-accounts/index.ts';
import { plainBrowser } from '../checkout/support.ts';
import { bearerOf, createTestApp, type TestApp } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';
import { attemptOf, makeLink, openUnder, PATH, PAYER, paySession } from './support.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  // What a test gave a link behind the back of the service was never reported.
  await t.database.pool.query(`update payment_links set channels = 'BANK_TRANSFER'`);
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const sessionOf = async (sessionId: string) => (await t.call('GET', `/collection/session/${sessionId}`)).body.data;
const countSessions = async (linkId: string): Promise<number> =>
  (await t.call('GET', `/collection/session?linkId=${linkId}`)).body.data.records.length;

const setChannels = (linkId: string, channels: string) =>
  t.database.pool.query('update payment_links set channels = $2 where id = $1', [linkId, channels]);

describe('the page of a link', () => {
  it('says what is paid for, to whom and how much, and that it is a test, in a page without scripts of others', async () => {
    const { path } = await makeLink(t, { description: 'First term\nPrimary 3' });
    const { status, text, headers } = await plainBrowser(t).get(path);
    expect(status).toBe(200);
    for (const said of ['School fees', 'First term', 'Primary 3', '₦5,000.00', 'Adire &amp; Co', 'Test payment.']) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/<script(?![^>]*src="\/checkout\/assets\/)|<style|style=/);
    expect(text).not.toMatch(/<input id="amount"/);
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(text.length).toBeLessThan(10_000);
  });

  it('leads the payer on to the page of a session, which names what the payer typed to the merchant alone', async () => {
    const link = await makeLink(t, { metadata: { term: 1 }, returnUrl: 'https://school.example/thanks' });
    const { answer, sessionId, browser } = await openUnder(t, link);
    expect(answer.status).toBe(303);
    const page = await browser.visit(String(answer.headers['location']));
    expect([page.status, page.text.includes('Pay ₦5,000.00 to')]).toEqual([200, true]);
    expect(page.text).not.toContain(PAYER.email);
    expect(await sessionOf(sessionId)).toMatchObject({
      ...{ linkId: link.linkId, openedBy: 'LINK', unpricedByServer: false, amount: 5_000, description: 'School fees' },
      ...{
        customer: { ...PAYER, phoneNumber: null },
        metadata: { term: 1 },
        returnUrl: 'https://school.example/thanks',
      },
    });
  });

  it('opens one session for the same form twice, also at once, and another for another page', async () => {
    const link = await makeLink(t);
    const { browser, form, sessionId } = await openUnder(t, link);
    const again = await Promise.all([1, 2, 3].map(() => browser.submit(link.path, form)));
    expect(new Set(again.map(({ headers }) => headers['location'])).size).toBe(1);
    expect(String(again[0]?.headers['location'])).toContain(sessionId);
    expect(await countSessions(link.linkId)).toBe(1);
    await openUnder(t, link);
    expect(await countSessions(link.linkId)).toBe(2);
  });

  it('leads anyone who sends the form again after a single payment back to that payment', async () => {
    const link = await makeLink(t, { maxPayments: 1 });
    const { browser, form, sessionId } = await openUnder(t, link);
    await paySession(t, sessionId, 5_000);
    const again = await browser.submit(link.path, form);
    expect(again.status).toBe(303);
    expect((await browser.visit(String(again.headers['location']))).text).toContain('Thank you.');
  });

  it('takes an amount within the bounds that the merchant set, and no other', async () => {
    const link = await makeLink(t, { minAmount: 100, maxAmount: 2_000 });
    const { answer, sessionId } = await openUnder(t, link, { amount: '₦1,500.50' });
    expect(answer.status).toBe(303);
    expect((await sessionOf(sessionId)).amount).toBe(1_500.5);
    for (const amount of ['100', '2000'])
      expect(
        (await openUnder(t, await makeLink(t, { minAmount: 100, maxAmount: 2_000 }), { amount })).answer.status,
      ).toBe(303);
    // Who goes back and corrects the amount pays that, and not what was typed first.
    const again = await makeLink(t, { minAmount: 100, maxAmount: 2_000 });
    const { browser, form, sessionId: first } = await openUnder(t, again, { amount: '200' });
    const corrected = await browser.submit(again.path, { ...form, amount: '300' });
    const [second = ''] = /[0-9a-f-]{36}/.exec(String(corrected.headers['location'])) ?? [];
    expect([(await sessionOf(first)).amount, (await sessionOf(second)).amount]).toEqual([200, 300]);
    // With a comma before the kobo the payer means a hundredth of what it would be without.
    const meantOtherwise = ['10,50', '1.000,50', '1 5'];
    for (const amount of [
      '99.99',
      '2000.01',
      '0',
      '-5',
      '',
      'abc',
      '1e3',
      '1.005',
      '9'.repeat(40),
      '१००',
      ...meantOtherwise,
    ]) {
      const refused = await openUnder(t, link, { amount });
      expect([amount, refused.answer.status]).toEqual([amount, 422]);
      expect(refused.answer.text).toContain('role="alert"');
      expect(refused.answer.text).toContain(PAYER.name);
    }
    expect(await countSessions(link.linkId)).toBe(1);
  });

  it('asks for no other amount than the merchant’s where there is one', async () => {
    const link = await makeLink(t);
    const { sessionId } = await openUnder(t, link, { amount: '1' });
    expect((await sessionOf(sessionId)).amount).toBe(5_000);
  });

  it.each([
    ['no name', { name: '' }, 'Your name is required.'],
    [
      'an invisible name',
      { name: 'A\u200bda' },
      'Your name has characters that cannot be seen: please type it in again.',
    ],
    ['a long name', { name: 'A'.repeat(101) }, 'Your name must have at most 100 characters.'],
    ['no address', { email: '' }, 'Your e-mail address is required.'],
    ['half an address', { email: 'zainab@' }, 'Your e-mail address must be written like name@example.com.'],
  ])('refuses %s', async (_what, fields, said) => {
    const { answer } = await openUnder(t, await makeLink(t), fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(said);
  });

  it('has the merchant’s own name and address where the payer’s were not asked for', async () => {
    const link = await makeLink(t, { payerName: 'OPTIONAL', payerEmail: 'NOT_ASKED' });
    expect((await plainBrowser(t).get(link.path)).text).not.toContain('name="email"');
    const { sessionId } = await openUnder(t, link, { name: '' });
    expect((await sessionOf(sessionId)).customer).toMatchObject({ name: 'Adire & Co', email: 'hello@adire.example' });
  });

  it('shows what the merchant and the payer wrote as text, whatever it is', async () => {
    const script = '"><img src=x onerror=alert(1)>';
    const link = await makeLink(t, { title: script, description: script, minAmount: 1, maxAmount: 2 });
    const { text } = await plainBrowser(t).get(link.path);
    const refused = await openUnder(t, link, { amount: script, name: script });
    for (const page of [text, refused.answer.text]) {
      expect(page).not.toContain('<img');
      expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    }
  });

  it('says why nothing can be paid any more, and asks for nothing', async () => {
    const link = await makeLink(t);
    await t.call('POST', `${PATH}/${link.linkId}/deactivate`);
    const { status, text } = await plainBrowser(t).get(link.path);
    expect([status, text.includes('switched off'), text.includes('<form')]).toEqual([410, true, false]);
  });

  it('takes nothing for a merchant that is suspended or has no collections any more', async () => {
    const merchant = await t.addMerchant();
    const [link, held] = [await makeLink(t, {}, merchant), await makeLink(t, {}, merchant)];
    await t.database.pool.query(`delete from merchant_services where merchant_id = $1 and service_key = 'COLLECTION'`, [
      merchant.merchantId,
    ]);
    expect((await openUnder(t, link)).answer.status).toBe(410);
    const suspended = await t.addMerchant();
    const theirs = await makeLink(t, {}, suspended);
    await t.database.pool.query(`update merchants set status = 'SUSPENDED' where id = $1`, [suspended.merchantId]);
    expect((await openUnder(t, theirs)).answer.status).toBe(410);
    expect((await openUnder(t, held)).sessionId).toBe('');
  });

  it('names bank transfer only where nothing else is offered', async () => {
    const words = async (channels: string) => {
      const { path, linkId } = await makeLink(t);
      await setChannels(linkId, channels);
      return (await plainBrowser(t).get(path)).text;
    };
    expect(await words('BANK_TRANSFER')).toContain('You pay Adire &amp; Co by bank transfer on the next page.');
    for (const channels of ['HOSTED', 'BANK_TRANSFER CARD']) {
      expect(await words(channels)).toContain('You pay Adire &amp; Co on the next page.');
    }
  });

  it('shows that the business takes no payments where only the merchant or the operator can correct something', async () => {
    const hosted = await makeLink(t);
    await setChannels(hosted.linkId, 'HOSTED');
    const refused = async () => {
      const { answer } = await openUnder(t, hosted);
      expect(answer.status).toBe(410);
      expect(answer.text).toContain('This business cannot take payments at the moment.');
      expect(answer.text).not.toMatch(/<form|returnUrl|channel|provider/);
    };
    // The sandbox's bank has no page of its own.
    await refused();
    // The page of another provider needs an address to return to, and the link has none.
    await addRail(t, {
      ...{ name: 'paystack-test', provider: 'paystack', mode: 'SANDBOX', openToMerchants: false, replace: false },
      ...{ credentials: JSON.stringify({ secretKey: 'sk_test_0123456789abcdef' }), baseUrl: undefined, check: false },
    });
    await t.database.pool.query(
      `insert into default_wallet_providers (mode, rail, updated_at) values ('SANDBOX', 'paystack-test', now())`,
    );
    await refused();
    await t.database.pool.query('delete from default_wallet_providers');
    expect(await countSessions(hosted.linkId)).toBe(0);
  });

  it('takes no form from the page of another site', async () => {
    const { path } = await makeLink(t);
    const browser = plainBrowser(t);
    const attempt = attemptOf((await browser.get(path)).text);
    const { status } = await browser.submit(path, { attempt, ...PAYER }, { 'sec-fetch-site': 'cross-site' });
    expect(status).toBe(403);
  });

  it('is found in either case, and by nobody who guesses', async () => {
    const { path } = await makeLink(t);
    expect((await plainBrowser(t).get(`/pay/${path.slice('/pay/'.length).toUpperCase()}`)).status).toBe(200);
    const guesses = [
      '0'.repeat(16),
      'x',
      '',
      '..%2f..%2fadmin',
      '%00',
      'a'.repeat(3_000),
      "' or 1=1--",
      '%F0%9F%92%B8',
    ];
    for (const guess of guesses) {
      const { status, text } = await plainBrowser(t).get(`/pay/${guess}`);
      expect([guess, [400, 404, 414].includes(status)]).toEqual([guess, true]);
      expect(text).not.toContain('Adire');
    }
  });

  it('says in a page that its address does not work, also where nothing of the link is left of it', async () => {
    for (const address of ['/pay/', '/pay', '/pay/short']) {
      const { status, text } = await plainBrowser(t).get(address);
      expect([address, status, text.includes('This payment link does not work')]).toEqual([address, 404, true]);
    }
  });

  it('is not made in a mode in which nobody takes money', async () => {
    const merchant = await t.addMerchant({ mode: 'LIVE' });
    const refused = await t.call('POST', PATH, { title: 'Fees', amount: 5 }, bearerOf(merchant));
    // No provider takes live money here yet.
    expect([refused.status, refused.body.code]).toEqual([422, 'COLLECTION_NOT_OFFERED']);
  });
});

describe('too many sessions', () => {
  it('take no turn in the ledger: they are refused while it is held', async () => {
    const merchant = await t.addMerchant();
    const [full, link] = [await makeLink(t, {}, merchant), await makeLink(t, {}, merchant)];
    await t.call('PATCH', '/collection/settings', { sessionsPerMinute: 1 }, bearerOf(merchant));
    expect((await openUnder(t, full)).answer.status).toBe(303);
    const holder = await t.database.pool.connect();
    await holder.query('begin');
    await holder.query('select from books where merchant_id = $1 for update', [merchant.merchantId]);
    expect((await openUnder(t, full)).answer.status).toBe(429);
    // Of those that nothing refuses so far, some wait for their turn, and no more.
    const statuses: number[] = [];
    const all = Promise.all(
      Array.from({ length: 40 }, async () => statuses.push((await openUnder(t, link)).answer.status)),
    );
    await expect.poll(() => statuses.length, { timeout: 10_000 }).toBe(24);
    expect(new Set(statuses)).toEqual(new Set([429]));
    await holder.query('rollback');
    holder.release();
    await all;
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect((await openUnder(t, link)).answer.status).toBe(429);
  });

  it('are not opened under one link in one minute, also at once, and other links go on', async () => {
    const [link, another] = [await makeLink(t), await makeLink(t)];
    await t.call('PATCH', '/collection/settings', { sessionsPerMinute: 3 });
    const opened = await Promise.all(Array.from({ length: 6 }, async () => (await openUnder(t, link)).answer.status));
    expect(opened.filter((status) => status === 303)).toHaveLength(3);
    expect(opened.filter((status) => status === 429)).toHaveLength(3);
    const { answer } = await openUnder(t, link);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
    expect(answer.text).toContain('Too many people are paying here at the moment. Please try again in a minute.');
    expect(answer.text).toContain(`value="${PAYER.name}"`);
    expect((await openUnder(t, another)).answer.status).toBe(303);
    t.clock.advance(61_000);
    expect((await openUnder(t, link)).answer.status).toBe(303);
  });

  it('are not opened from one network, however many it asks for, and anyone who comes from another can pay', async () => {
    const merchant = await t.addMerchant();
    const [link, another] = [await makeLink(t, {}, merchant), await makeLink(t, {}, merchant)];
    // All addresses of one subscriber.
    const attackers = Array.from({ length: 60 }, (_, at) => plainBrowser(t, `2001:db8:0:1::${(at + 1).toString(16)}`));
    const attacker = plainBrowser(t, '2001:db8:0:1::');
    const form = { attempt: newId(), ...PAYER };
    const first = await openUnder(t, link, { browser: attacker, ...form });
    const opened = await Promise.all(attackers.map((browser) => openUnder(t, link, { browser })));
    const statuses = [first, ...opened].map(({ answer }) => answer.status);
    const most = DEFAULT_SESSIONS_PER_MINUTE / 10;
    expect(statuses.filter((status) => status === 303)).toHaveLength(most);
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - most);
    expect((await openUnder(t, link)).answer.status).toBe(303);
    expect((await openUnder(t, another, { browser: attacker })).answer.status).toBe(303);
    // The form of a session that was opened leads to it all the same.
    expect((await attacker.submit(link.path, form)).headers['location']).toBe(first.answer.headers['location']);
    t.clock.advance(61_000);
    expect((await openUnder(t, link, { browser: attacker })).answer.status).toBe(303);
  });

  it('and pages are not sent to one network for one link, and others go on', async () => {
    const limits = { RATE_LIMIT_PER_SECOND: '1', ADDRESS_RATE_LIMIT_PER_SECOND: '1' };
    const asked: string[] = [];
    const strict = await createTestApp(limits, (database) => ({
      ...database,
      query: (statement, values) => {
        asked.push(statement.name);
        return database.query(statement, values);
      },
    }));
    const [link, another] = [await makeLink(strict), await makeLink(strict)];
    const statuses = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await plainBrowser(strict).get(link.path)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    // Any number may be paid: none is counted.
    expect(asked).not.toContain('count-paid-payment-link-sessions');
    expect(statuses.at(-1)).toBe(429);
    // Who asks too often costs no statement.
    asked.length = 0;
    expect((await plainBrowser(strict).get(link.path)).status).toBe(429);
    expect(asked).toEqual([]);
    expect((await plainBrowser(strict).get(another.path)).status).toBe(200);
    const guesses = [];
    for (let at = 0; at < 12; at += 1) guesses.push((await plainBrowser(strict).get(`/pay/${'0'.repeat(16)}`)).status);
    expect(guesses.at(-1)).toBe(429);
    await strict.close();
  });
});
