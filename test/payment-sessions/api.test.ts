import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { expireSessions } from '../../src/payment-sessions/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';

const PATH = '/collection/session';
const ORIGIN = 'https://shop.example';
const customer = { name: 'Ada Obi', email: 'ada@example.com', phoneNumber: '2348012345678' };

let t: TestApp;
let other: TestMerchant;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const secret = (merchant: TestMerchant = t.merchant) => ({ authorization: `Bearer ${merchant.secretKey}` });
/** As a page of this origin, with the publishable key. */
const publicly = (merchant: TestMerchant, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${merchant.publicKey}`,
  origin: ORIGIN,
  ...more,
});
const settings = (merchant: TestMerchant, body: object) =>
  t.call('PATCH', '/collection/settings', body, secret(merchant));
const allowed = {
  publicKeys: true,
  allowedOrigins: [ORIGIN],
  allowedReturnHosts: ['shop.example'],
  maxAmount: 5_000,
};
const open = async (more: object = {}, headers: Record<string, string> = {}) =>
  t.call('POST', PATH, { amount: 1_500.5, customer, ...more }, headers);
/** A merchant whose public key may open sessions. */
async function shop(more: object = {}) {
  const merchant = await t.addMerchant();
  expect((await settings(merchant, { ...allowed, ...more })).status).toBe(200);
  return merchant;
}

describe(`POST ${PATH}`, () => {
  it('gives an account number that the sandbox’s payer pays to, and the payment is found by a check', async () => {
    const { status, body } = await open({ reference: 'ORDER-1', metadata: { cart: 7 }, description: 'Shoes' });
    expect(status).toBe(200);
    const { sessionId, accounts, clientSecret } = body.data;
    expect(body.data).toMatchObject({
      reference: 'ORDER-1',
      status: 'OPEN',
      amount: 1_500.5,
      metadata: { cart: 7 },
      openedBy: 'SECRET_KEY',
      unpricedByServer: false,
    });
    expect(clientSecret).toMatch(/^mcs_test_/);
    const balance = async () => (await t.call('GET', '/wallet/merchant')).body.data.wallet.bookedBalance;
    const before = await balance();
    const pay = { accountNumber: accounts[0].accountNumber, amount: 1_500.5, scenario: 'never_notified' };
    expect((await t.call('POST', '/sandbox/collection/pay', pay)).status).toBe(200);
    const checked = await t.call('POST', `${PATH}/${sessionId}/check`);
    expect(checked.body.data).toMatchObject({ found: true, session: { status: 'PAID', received: 1_500.5 } });
    expect(await balance()).toBe(before + 1_500.5);
  });

  it('is paid by the sandbox’s webhook as by any provider’s', async () => {
    const { sessionId, accounts } = (await open()).body.data;
    await t.call('POST', '/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 1_500.5 });
    const container = createContainer({ ...t, logger: createLogger('fatal') });
    await container.sandbox.deliverAllDueWebhooks(container.jobs);
    expect((await t.call('GET', `${PATH}/${sessionId}`)).body.data).toMatchObject({
      status: 'PAID',
      payments: [{ amount: 1_500.5, note: null }],
    });
    await container.ledger.drain();
  });

  it('credits the wallet of a store where that is asked for', async () => {
    const store = async () => (await t.call('GET', `/branch/store/${t.merchant.storeIds[0]}`)).body.data;
    const { walletId, bookedBalance } = await store();
    const { sessionId, accounts } = (await open({ walletId })).body.data;
    await t.call('POST', '/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 1_500.5 });
    await t.call('POST', `${PATH}/${sessionId}/check`);
    expect((await store()).bookedBalance).toBe(bookedBalance + 1_500.5);
  });

  it('shows the client secret and keeps it nowhere', async () => {
    const headers = { 'idempotency-key': 'shown-once' };
    const { body } = await open({}, headers);
    const { clientSecret } = body.data;
    const { rows } = await t.database.pool.query(
      `select coalesce(answer_body, '') as text from idempotency_keys where key = 'shown-once'
        union all select s::text from payment_sessions s union all select data from events`,
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { text } of rows) expect(text).not.toContain(clientSecret.slice(-32));
  });

  it('gives the address of its page again to who may open sessions, and to nobody else', async () => {
    const { sessionId, checkoutUrl } = (await open()).body.data;
    const path = `${PATH}/${sessionId}/checkout`;
    expect((await t.call('GET', path)).body.data).toEqual({ checkoutUrl });
    expect(await t.call('GET', path, undefined, secret(other))).toMatchObject({
      status: 404,
      body: { code: 'PAYMENT_SESSION_NOT_FOUND' },
    });
    expect((await t.call('GET', path, undefined, publicly(t.merchant))).status).toBe(403);
  });

  it('is listed in a file for a spreadsheet as well, by status, payment link and customer', async () => {
    const { sessionId } = (await open({ description: '=1+1' })).body.data;
    const { text, headers } = await t.call('GET', `${PATH}.csv?status=OPEN`);
    expect(headers['content-type']).toContain('text/csv');
    const [head = '', ...lines] = text.trim().split(/\r?\n/);
    expect(head.replace('\ufeff', '').split(',').slice(0, 4)).toEqual([
      'Created At (UTC)',
      'Paid At (UTC)',
      'Expires At (UTC)',
      'Status',
    ]);
    const line = lines.find((one) => one.includes(sessionId)) ?? '';
    expect(line).toContain('1500.50');
    expect(line).not.toMatch(/(^|,)=1/);
    const none = '00000000-0000-7000-8000-000000000000';
    expect((await t.call('GET', `${PATH}.csv?linkId=${none}`)).text.trim().split('\n')).toHaveLength(1);
  });

  it('answers a repeated idempotency key with the same bytes, and opens one session', async () => {
    const headers = { 'idempotency-key': 'twice' };
    const first = await open({}, headers);
    const again = await open({}, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const withoutKey = Object.keys((await open()).body.data);
    expect(Object.keys(first.body.data)).toEqual(withoutKey);
    expect((await open({ amount: 1 }, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('opens one session of twenty requests at once with one key, and answers all alike', async () => {
    const headers = { 'idempotency-key': 'at-once' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => open({}, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers: { 'idempotency-replayed': isReplay } }) => isReplay === 'true')).toHaveLength(19);
  });

  it('finds the session of an idempotency key whose answer was lost in a crash', async () => {
    // Of a public key: its answer is kept after its session.
    const merchant = await shop();
    const headers = publicly(merchant, { 'idempotency-key': 'lost' });
    const first = await open({}, headers);
    await t.database.pool.query('delete from idempotency_keys where merchant_id = $1', [merchant.merchantId]);
    const again = await open({}, headers);
    expect(again.body.data.sessionId).toBe(first.body.data.sessionId);
    expect(again.body.data.clientSecret).toBe(first.body.data.clientSecret);
  });

  it('refuses another content under a reference that was used', async () => {
    await open({ reference: 'ORDER-2' });
    expect((await open({ reference: 'ORDER-2' })).status).toBe(200);
    const { status, body } = await open({ reference: 'ORDER-2', amount: 2 });
    expect([status, body.code]).toEqual([409, 'PAYMENT_SESSION_REFERENCE_TAKEN']);
    expect((await open({ reference: 'ORDER-2' }, secret(other))).body.data.reference).toBe('ORDER-2');
  });

  it.each([
    ['the rule of its amount', { amountRule: 'AT_LEAST' }],
    ['a customer of another name', { customer: { ...customer, name: 'Ada Obi-Eze' } }],
    ['a customer of another address', { customer: { ...customer, email: 'eze@example.com' } }],
    ['a customer of another phone number', { customer: { ...customer, phoneNumber: '2348098765432' } }],
    ['a description', { description: 'Boots' }],
    ['metadata', { metadata: { cart: 8 } }],
    ['an address to come back to', { returnUrl: 'https://shop.example/thanks' }],
    ['an address to come back to without paying', { cancelUrl: 'https://shop.example/cart' }],
    ['its time', { expiresInMinutes: 45 }],
    ['its channels', { channels: ['BANK_TRANSFER', 'HOSTED'] }],
    ['who bears the fee', { feeBearer: 'CUSTOMER' }],
  ])('refuses a reference that was used where it differs in %s alone', async (what, more) => {
    const reference = `ORDER-3-${what.replaceAll(' ', '-')}`;
    const asked = { reference, channels: ['BANK_TRANSFER'], expiresInMinutes: 30, returnUrl: 'https://shop.example/' };
    const first = await open(asked);
    expect((await open(asked)).body.data.sessionId).toBe(first.body.data.sessionId);
    expect((await open({ ...asked, ...more })).body.code).toBe('PAYMENT_SESSION_REFERENCE_TAKEN');
  });

  it.each([
    ['an address that is not https', { returnUrl: 'http://shop.example/' }],
    ['an address with a password', { cancelUrl: 'https://a:b@shop.example/' }],
    ['a script for an address', { returnUrl: 'javascript:alert(1)' }],
    ['an address that leads to two places', { returnUrl: String.raw`https://evil.example\@shop.example/` }],
    ['a backslash in the other address', { cancelUrl: String.raw`https://shop.example\cart` }],
    ['an address without its slashes', { returnUrl: 'https:shop.example' }],
    ['too short a time', { expiresInMinutes: 14 }],
    ['too long a time', { expiresInMinutes: 481 }],
    ['half a kobo', { amount: 1.005 }],
    ['nothing to pay', { amount: 0 }],
    ['an unknown channel', { channels: ['CASH'] }],
  ])('refuses %s', async (_what, more) => {
    expect(await open(more)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('needs the service COLLECTION', async () => {
    const merchant = await t.addMerchant();
    await t.database.pool.query(`delete from merchant_services where merchant_id = $1 and service_key = 'COLLECTION'`, [
      merchant.merchantId,
    ]);
    // What is known of a key counts for two seconds.
    t.clock.advance(3_000);
    const { status, body } = await open({}, secret(merchant));
    expect([status, body.code]).toEqual([403, 'SERVICE_NOT_ENABLED']);
  });
});

describe('a public key', () => {
  it('opens nothing until its merchant allows it, with an origin and a largest amount', async () => {
    const merchant = await t.addMerchant();
    expect((await open({}, publicly(merchant))).body.code).toBe('PUBLIC_PAYMENT_SESSIONS_OFF');
    const half = await settings(merchant, { publicKeys: true, allowedOrigins: [ORIGIN] });
    expect([half.status, half.body.code]).toEqual([422, 'COLLECTION_SETTINGS_INCOMPLETE']);
    expect((await settings(merchant, allowed)).body.data).toMatchObject({ ...allowed, sessionsPerMinute: 60 });
    const opened = await open({}, publicly(merchant));
    expect(opened.body.data).toMatchObject({ status: 'OPEN', merchantName: 'Adire & Co' });
    const { sessionId } = opened.body.data;
    const seen = (await t.call('GET', `${PATH}/${sessionId}`, undefined, secret(merchant))).body.data;
    expect(seen).toMatchObject({ openedBy: 'PUBLIC_KEY', unpricedByServer: true });
  });

  it('opens nothing more once its merchant has switched it off, though a largest amount is still set', async () => {
    const merchant = await shop();
    expect((await open({}, publicly(merchant))).status).toBe(200);
    const off = await settings(merchant, { publicKeys: false });
    expect(off.body.data).toMatchObject({ publicKeys: false, maxAmount: 5_000, allowedOrigins: [ORIGIN] });
    expect(await open({}, publicly(merchant))).toMatchObject({
      status: 403,
      body: { code: 'PUBLIC_PAYMENT_SESSIONS_OFF' },
    });
  });

  it('opens a session of exactly the largest amount', async () => {
    const opened = await open({ amount: 5_000 }, publicly(await shop()));
    expect(opened).toMatchObject({ status: 200, body: { data: { amount: 5_000, status: 'OPEN' } } });
  });

  it.each([
    ['of a foreign page', {}, { origin: 'https://evil.example' }, 403, 'ORIGIN_NOT_ALLOWED'],
    ['of the same page on another port', {}, { origin: `${ORIGIN}:8443` }, 403, 'ORIGIN_NOT_ALLOWED'],
    ['of no page at all', {}, { origin: '' }, 403, 'ORIGIN_NOT_ALLOWED'],
    ['beyond the largest amount', { amount: 5_000.01 }, {}, 422, 'PAYMENT_SESSION_AMOUNT_TOO_LARGE'],
    ['to a foreign host', { returnUrl: 'https://evil.example/' }, {}, 422, 'RETURN_HOST_NOT_ALLOWED'],
    ['back to a foreign host', { cancelUrl: 'https://shop.example.evil.example/' }, {}, 422, 'RETURN_HOST_NOT_ALLOWED'],
    ['whose payer bears the fee', { feeBearer: 'CUSTOMER' }, {}, 400, 'VALIDATION_FAILED'],
    ['for another wallet', { walletId: '01890000-0000-7000-8000-000000000000' }, {}, 400, 'VALIDATION_FAILED'],
  ])('opens no session %s', async (_what, more, headers, status, code) => {
    const merchant = await shop();
    const refused = await open(more, publicly(merchant, headers));
    expect([refused.status, refused.body.code]).toEqual([status, code]);
  });

  it('opens so many sessions a minute as its merchant allows', async () => {
    const merchant = await shop({ sessionsPerMinute: 2 });
    for (const _ of [1, 2]) expect((await open({}, publicly(merchant))).status).toBe(200);
    expect(await open({}, publicly(merchant))).toMatchObject({
      status: 429,
      body: { code: 'PAYMENT_SESSIONS_TOO_MANY' },
    });
    expect((await open({}, secret(merchant))).status).toBe(200);
    t.clock.advance(61_000);
    expect((await open({}, publicly(merchant))).status).toBe(200);
  });

  it('opens under the same key later what was too many a moment ago', async () => {
    const merchant = await shop({ sessionsPerMinute: 1 });
    await open({}, publicly(merchant));
    const later = publicly(merchant, { 'idempotency-key': 'later' });
    expect((await open({}, later)).status).toBe(429);
    t.clock.advance(61_000);
    const opened = await open({}, later);
    expect(opened).toMatchObject({ status: 200, body: { data: { status: 'OPEN' } } });
    expect((await open({}, later)).text).toBe(opened.text);
  });

  it('opens no more than that of many at once', async () => {
    const merchant = await shop({ sessionsPerMinute: 5 });
    const opened = await Promise.all(Array.from({ length: 30 }, () => open({}, publicly(merchant))));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(new Set(opened.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['PAYMENT_SESSIONS_TOO_MANY']),
    );
  });

  it('sees of a session, with its secret, nothing of payers and no metadata', async () => {
    const merchant = await shop();
    const made = await open({ metadata: { margin: 0.4 }, reference: 'SEEN' }, secret(merchant));
    const { sessionId, clientSecret, accounts } = made.body.data;
    const payer = { name: 'CHIDI OKAFOR', accountNumber: '0123456785', bankName: 'Zenith Bank' };
    const pay = { accountNumber: accounts[0].accountNumber, amount: 500, payer };
    await t.call('POST', '/sandbox/collection/pay', pay, secret(merchant));
    const headers = publicly(merchant, { 'x-client-secret': clientSecret });
    const checked = await t.call('POST', `${PATH}/${sessionId}/check`, undefined, headers);
    expect(checked.body.data).toMatchObject({
      found: true,
      session: { status: 'PARTIALLY_PAID', outstanding: 1_000.5 },
    });
    const read = await t.call('GET', `${PATH}/${sessionId}`, undefined, headers);
    expect(read.body.data).toMatchObject({ sessionId, received: 500, merchantName: 'Adire & Co' });
    for (const { text } of [checked, read]) {
      for (const hidden of [
        'CHIDI',
        '0123456785',
        'margin',
        'ada@example',
        'Ada Obi',
        '23480123',
        'payments',
        'walletId',
      ])
        expect(text).not.toContain(hidden);
    }
  });

  it('is shown nothing that was kept under an idempotency key of the server, and takes none from it', async () => {
    const merchant = await shop();
    const body = { metadata: { margin: 0.4 } };
    const key = { 'idempotency-key': 'order-77' };
    const made = await open(body, { ...secret(merchant), ...key });
    const seen = await open(body, publicly(merchant, key));
    expect(seen.status).toBe(200);
    expect(seen.body.data.sessionId).not.toBe(made.body.data.sessionId);
    expect(seen.text).not.toContain('margin');
    expect((await open(body, publicly(merchant, key))).text).toBe(seen.text);
    await open(body, publicly(merchant, { 'idempotency-key': 'order-78' }));
    expect((await open({}, { ...secret(merchant), 'idempotency-key': 'order-78' })).status).toBe(200);
  });

  it('is shown nothing of a check by the idempotency key of a payer whose secret it does not have', async () => {
    const merchant = await shop();
    const { sessionId, clientSecret } = (await open({}, publicly(merchant))).body.data;
    const check = (secretOfClient: string) =>
      t.call(
        'POST',
        `${PATH}/${sessionId}/check`,
        undefined,
        publicly(merchant, { 'idempotency-key': 'check-1', 'x-client-secret': secretOfClient }),
      );
    const first = await check(clientSecret);
    expect(first.body.data).toMatchObject({ session: { sessionId } });
    expect((await check('mcs_test_none')).body.code).toBe('PAYMENT_SESSION_NOT_FOUND');
    expect((await check(clientSecret)).text).toBe(first.text);
  });

  it('reads no other session, no list, no settings, and cancels none', async () => {
    const merchant = await shop();
    const [one, two] = [await open({}, secret(merchant)), await open({}, secret(merchant))].map(
      ({ body }) => body.data,
    );
    const foreign = (await open({}, secret(other))).body.data;
    const get = (id: string, clientSecret: string) =>
      t.call('GET', `${PATH}/${id}`, undefined, publicly(merchant, { 'x-client-secret': clientSecret }));
    expect((await get(one.sessionId, one.clientSecret)).status).toBe(200);
    expect((await get(two.sessionId, one.clientSecret)).body.code).toBe('PAYMENT_SESSION_NOT_FOUND');
    expect((await get(foreign.sessionId, foreign.clientSecret)).body.code).toBe('PAYMENT_SESSION_NOT_FOUND');
    expect((await get(one.sessionId, `${one.clientSecret.slice(0, -1)}.`)).body.code).toBe('PAYMENT_SESSION_NOT_FOUND');
    const without = await t.call('GET', `${PATH}/${one.sessionId}`, undefined, publicly(merchant));
    expect(without.body.code).toBe('VALIDATION_FAILED');
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', `${PATH}/${one.sessionId}/cancel`],
      ['GET', '/collection/settings'],
      ['GET', '/collection/payment'],
    ] as const) {
      expect((await t.call(method, path, undefined, publicly(merchant))).body.code).toBe('KEY_TYPE_NOT_ALLOWED');
    }
  });

  it('lets pages of its merchant’s origins read answers, and no others', async () => {
    const merchant = await shop();
    const made = await open({}, publicly(merchant));
    expect(made.headers['access-control-allow-origin']).toBe(ORIGIN);
    const refused = await open({ amount: 9_999 }, publicly(merchant));
    expect(refused.headers['access-control-allow-origin']).toBe(ORIGIN);
    const foreign = await open({}, publicly(merchant, { origin: 'https://evil.example' }));
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    const bySecret = await open({}, { ...secret(merchant), origin: ORIGIN });
    expect(bySecret.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('lets pages read why a public key is refused before its merchant is looked at, and no answer of a secret key', async () => {
    const merchant = await shop();
    const ask = async (method: 'GET' | 'POST', path: string, headers: Record<string, string>) => {
      const { status, headers: given } = await t.call(method, path, method === 'GET' ? undefined : {}, headers);
      return [
        status,
        given['access-control-allow-origin'],
        given['access-control-expose-headers'] === undefined ? undefined : true,
      ];
    };
    const wrong = { authorization: `Bearer ${merchant.publicKey.slice(0, -4)}aaaa`, origin: ORIGIN };
    for (const [method, path] of [
      ['POST', PATH],
      ['GET', `${PATH}/x`],
      ['POST', `${PATH}/x/check`],
      ['GET', '/bank'],
    ] as const) {
      expect(await ask(method, path, wrong)).toEqual([401, ORIGIN, true]);
      expect(await ask(method, path, { ...wrong, authorization: 'Bearer sk_test_nobodys' })).toEqual([
        401,
        undefined,
        undefined,
      ]);
    }
    const pending = await t.addMerchant({ approved: false, mode: 'LIVE' });
    expect(await ask('GET', `${PATH}/x`, publicly(pending))).toEqual([403, ORIGIN, true]);
  });

  it('reads the bank directory from pages of its merchant’s origins, and from no others', async () => {
    const merchant = await shop();
    const originFor = async (headers: Record<string, string>) => {
      const { status, headers: given } = await t.call('GET', '/bank', undefined, headers);
      return [status, given['access-control-allow-origin']];
    };
    expect(await originFor(publicly(merchant))).toEqual([200, ORIGIN]);
    expect(await originFor(publicly(merchant, { origin: 'https://evil.example' }))).toEqual([200, undefined]);
    expect(await originFor({ ...secret(merchant), origin: ORIGIN })).toEqual([200, undefined]);
  });

  it('is asked about by browsers before they send, for pages that some merchant named', async () => {
    const former = 'https://former.example';
    const merchant = await shop({ allowedOrigins: [ORIGIN, former] });
    await settings(merchant, { allowedOrigins: [ORIGIN] });
    const preflight = async (url: string, origin: string) => {
      const answer = await t.app.server.inject({ method: 'OPTIONS', url, headers: { origin } });
      return [answer.statusCode, answer.headers['access-control-allow-origin']];
    };
    expect(await preflight(PATH, ORIGIN)).toEqual([204, ORIGIN]);
    expect(await preflight(PATH, 'https://evil.example')).toEqual([204, undefined]);
    // Whoever tries before the origin is named is let in as soon as it is.
    const late = 'https://late.example';
    expect(await preflight(PATH, late)).toEqual([204, undefined]);
    await settings(merchant, { allowedOrigins: [ORIGIN, late] });
    expect(await preflight(PATH, late)).toEqual([204, late]);
    expect(await preflight(PATH, former)).toEqual([204, undefined]);
    expect(await preflight(`${PATH}/x/check`, ORIGIN)).toEqual([204, ORIGIN]);
    expect(await preflight('/bank', ORIGIN)).toEqual([204, ORIGIN]);
    expect(await preflight('/bank', former)).toEqual([204, undefined]);
    expect((await preflight('/wallet/merchant', ORIGIN))[1]).toBeUndefined();
  });
});

describe(`GET ${PATH}/:sessionId`, () => {
  it('answers who polls with nothing new until something is', async () => {
    const { sessionId } = (await open()).body.data;
    const get = (headers: Record<string, string> = {}) => t.call('GET', `${PATH}/${sessionId}`, undefined, headers);
    const first = await get();
    expect(first.headers['retry-after']).toBe('3');
    const etag = String(first.headers['etag']);
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
    expect((await t.call('POST', `${PATH}/${sessionId}/cancel`)).body.data).toMatchObject({ status: 'CANCELLED' });
    const last = await get({ 'if-none-match': etag });
    expect(last).toMatchObject({ status: 200, body: { data: { status: 'CANCELLED', accounts: [] } } });
    expect(last.headers['retry-after']).toBeUndefined();
  });

  it('is nobody else’s', async () => {
    const { sessionId } = (await open()).body.data;
    for (const [method, path] of [
      ['GET', `${PATH}/${sessionId}`],
      ['POST', `${PATH}/${sessionId}/check`],
      ['POST', `${PATH}/${sessionId}/cancel`],
    ] as const) {
      expect((await t.call(method, path, undefined, secret(other))).body.code).toBe('PAYMENT_SESSION_NOT_FOUND');
    }
  });
});

describe(`GET ${PATH}`, () => {
  it('lists them newest first, by state, by reference and by cursor', async () => {
    const merchant = await t.addMerchant();
    const list = async (query: string) =>
      (await t.call('GET', `${PATH}?${query}`, undefined, secret(merchant))).body.data;
    const ids: string[] = [];
    for (const reference of ['A', 'B', 'C'])
      ids.unshift((await open({ reference }, secret(merchant))).body.data.sessionId);
    await t.call('POST', `${PATH}/${ids[0]}/cancel`, undefined, secret(merchant));
    const idsOf = ({ records }: { records: { sessionId: string }[] }) => records.map(({ sessionId }) => sessionId);
    expect(idsOf(await list(''))).toEqual(ids);
    expect(idsOf(await list('status=OPEN'))).toEqual(ids.slice(1));
    expect(idsOf(await list('reference=A'))).toEqual([ids[2]]);
    expect(idsOf(await list('reference=A&openedBy=SECRET_KEY'))).toEqual([ids[2]]);
    expect(idsOf(await list('reference=A&openedBy=PUBLIC_KEY'))).toEqual([]);
    expect(idsOf(await list('openedBy=PUBLIC_KEY'))).toEqual([]);
    const first = await list('size=2');
    expect(idsOf(await list(`size=2&after=${first.nextCursor}`))).toEqual([ids[2]]);
  });
});

describe('the clock of the sandbox', () => {
  it('makes sessions expire', async () => {
    const merchant = await t.addMerchant();
    const { sessionId } = (await open({ expiresInMinutes: 60 }, secret(merchant))).body.data;
    await t.call('POST', '/sandbox/clock/advance', { seconds: 3_601 }, secret(merchant));
    const read = async () => (await t.call('GET', `${PATH}/${sessionId}`, undefined, secret(merchant))).body.data;
    const container = createContainer({ ...t, logger: createLogger('fatal') });
    await expireSessions(container, 'SANDBOX');
    expect(await read()).toMatchObject({ status: 'EXPIRED' });
    await container.ledger.drain();
  });
});
