import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestMerchant } from '../support/app.ts';
import { httpClient, listen, tally } from '../support/http-client.ts';
import { availableOf, costOf, leaveWith, moneyRoutes } from '../support/money-routes.ts';
import { answerChecker, bodyFields, type Known, operationsOf, sampleRequest } from '../support/operations.ts';
import { bearer, callWith, issueKey, knownOf, readBooks, saidBy } from '../support/world.ts';

/** One key, one effect, one answer: for every operation that changes anything, also a hundred times at once. */
const t = await createTestApp();
const client = httpClient(await listen(t.app), 100);
const routes = moneyRoutes(t);
const faults = answerChecker();

let other: TestMerchant;
let otherKnown: Known;
let ownKnown: Known;
beforeAll(async () => {
  other = await t.addMerchant({ name: 'Suya Spot' });
  otherKnown = await knownOf(t, other);
  ownKnown = await knownOf(t, t.merchant);
});
afterAll(async () => {
  await client.close();
  await t.close();
});

let keys = 0;
function freshKey(): string {
  keys += 1;
  return `idempotency-test-${keys}`;
}
const withKey = (merchant: TestMerchant, key: string) => ({ ...bearer(merchant.secretKey), 'idempotency-key': key });

describe.each(routes)('$operation.name', (route) => {
  const { operation } = route;

  it('100 at once with one key have one effect and 100 equal answers', async () => {
    const merchant = await t.addMerchant();
    const known = { ...(await knownOf(t, merchant, operation)), amount: 3.21 };
    const cost = route.payer === null ? 0 : await costOf(t, merchant, route, 3.21);
    const spendable = await availableOf(t, merchant);
    const before = await readBooks(t.connectionString);
    const request = sampleRequest(operation, known);
    const headers = withKey(merchant, freshKey());
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.send(request, headers)));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 100 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(tally(answers.map((answer) => String(answer.headers['idempotency-replayed'])))).toEqual({
      undefined: 1,
      true: 99,
    });
    const after = await readBooks(t.connectionString);
    expect([after.transactions - before.transactions, after.events - before.events]).toEqual([1, 1]);
    if (route.payer !== null) {
      const left = (await availableOf(t, merchant))[route.payer];
      expect(Math.round((spendable[route.payer] - left) * 100)).toBe(Math.round(cost * 100));
    }
  });

  it('the same key with another amount is refused and moves nothing', async () => {
    const headers = withKey(other, freshKey());
    expect((await callWith(t, operation, { ...otherKnown, amount: 1 }, headers)).status).toBe(200);
    const before = await readBooks(t.connectionString);
    const reused = await callWith(t, operation, { ...otherKnown, amount: 2 }, headers);
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(faults(operation, reused)).toEqual([]);
    expect(await readBooks(t.connectionString)).toEqual(before);
  });

  it('fields in another order and spaces are the same request', async () => {
    const key = freshKey();
    const { method, url, body } = sampleRequest(operation, { ...otherKnown, amount: 1.5 });
    const first = await t.call(method, url, body, withKey(other, key));
    const turned = Object.fromEntries(Object.entries(body as object).reverse());
    const again = await t.call(method, url, JSON.stringify(turned, null, 4), withKey(other, key));
    expect(first.status, first.text).toBe(200);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
  });

  it('a slash and a question mark at the end of the address are the same request', async () => {
    const { method, url, body } = sampleRequest(operation, { ...otherKnown, amount: 1.75 });
    const headers = withKey(other, freshKey());
    const first = await t.call(method, url, body, headers);
    expect(first.status, first.text).toBe(200);
    for (const end of ['/', '?', '/?']) {
      const again = await t.call(method, `${url}${end}`, body, headers);
      expect([end, again.status, again.headers['idempotency-replayed']]).toEqual([end, 200, 'true']);
      expect(again.text).toBe(first.text);
    }
  });

  it('another merchant’s use of the same key is independent', async () => {
    const key = freshKey();
    const mine = await callWith(t, operation, { ...ownKnown, amount: 1 }, withKey(t.merchant, key));
    const theirs = await callWith(t, operation, { ...otherKnown, amount: 2 }, withKey(other, key));
    expect([mine.status, theirs.status], theirs.text).toEqual([200, 200]);
    expect(theirs.headers['idempotency-replayed']).toBeUndefined();
    expect(theirs.text).not.toContain(mine.body.data.transactionId);
  });

  it.skipIf(route.payer === null)(
    'a refusal for lack of money is the answer for good, also when there is money later',
    async () => {
      const merchant = await t.addMerchant();
      const known = await knownOf(t, merchant, operation);
      const payer = route.payer as NonNullable<typeof route.payer>;
      await leaveWith(t, merchant, known, payer, 0.5);
      const headers = withKey(merchant, freshKey());
      const refused = await callWith(t, operation, { ...known, amount: 5 }, headers);
      expect([refused.status, refused.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
      expect(faults(operation, refused)).toEqual([]);
      await leaveWith(t, merchant, known, payer, 5_000);
      const before = await readBooks(t.connectionString);
      const again = await callWith(t, operation, { ...known, amount: 5 }, headers);
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([422, refused.text, 'true']);
      expect(await readBooks(t.connectionString)).toEqual(before);
      expect((await callWith(t, operation, { ...known, amount: 5 }, withKey(merchant, freshKey()))).status).toBe(200);
    },
  );
});

const KEEPS_NO_ANSWER = ['POST /auth/token', 'POST /payout/bulk/preview'];
const changing = operationsOf(t.app).filter(({ method, name }) => method !== 'GET' && !KEEPS_NO_ANSWER.includes(name));

describe.each(changing)('$name', (operation) => {
  it('answers a repeated key byte for byte and does nothing more', async () => {
    const known = await knownOf(t, other, operation);
    const headers = withKey(other, freshKey());
    const first = await callWith(t, operation, known, headers);
    const before = await readBooks(t.connectionString);
    const again = await callWith(t, operation, known, headers);
    expect([again.status, saidBy(again)]).toEqual([first.status, saidBy(first)]);
    expect(faults(operation, again)).toEqual([]);
    // A refusal that never reached the books may be decided again, to the same words.
    if (first.status === 200) expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await readBooks(t.connectionString)).toEqual(before);
  });

  // A form that is none is refused before its key is looked at; test/disputes has the form.
  const isForm = operation.name === 'POST /collection/dispute/{disputeId}/evidence';
  it.skipIf(isForm)('refuses the key of another operation', async () => {
    const key = freshKey();
    const used = await t.call('POST', '/branch/store', { name: 'Surulere' }, withKey(other, key));
    expect(used.status).toBe(200);
    const known = operation.name === 'POST /branch/store' ? { ...otherKnown, name: 'Another' } : otherKnown;
    const before = await readBooks(t.connectionString);
    const reply = await callWith(t, operation, known, withKey(other, key));
    expect([reply.status, reply.body.code], reply.text).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await readBooks(t.connectionString)).toEqual(before);
  });
});

describe('a time that is in the body', () => {
  it('may have passed when the key comes again: it gets the first answer, and a new key is refused', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 60_000).toISOString();
    const link = { title: 'Shoes', amount: 5, expiresAt };
    const headers = withKey(other, freshKey());
    const first = await t.call('POST', '/collection/link', link, headers);
    expect(first.status, first.text).toBe(200);
    t.clock.advance(61_000);
    const again = await t.call('POST', '/collection/link', link, headers);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
    const anew = await t.call('POST', '/collection/link', link, withKey(other, freshKey()));
    expect([anew.status, anew.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('a list in the body', () => {
  const item = (amount: number) => ({
    amount,
    bankCode: '058',
    accountNumber: '0123456785',
    narration: 'November',
    phoneNumber: '+2348031234567',
  });
  const send = (items: object[], key: string) => t.call('POST', '/payout/bulk', { items }, withKey(other, key));

  it('is asked for item by item: with another amount or in another order its key is refused, and pays nobody', async () => {
    const key = freshKey();
    const first = await send([item(100), item(250)], key);
    expect(first.status, first.text).toBe(200);
    const before = await readBooks(t.connectionString);
    for (const items of [
      [item(100), item(251)],
      [item(250), item(100)],
      [item(100), item(250), item(250)],
    ]) {
      const reused = await send(items, key);
      expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await readBooks(t.connectionString)).toEqual(before);
    const again = await send([item(100), item(250)], key);
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([200, first.text, 'true']);
  });
});

describe('a key in the two modes', () => {
  it('is two keys', async () => {
    const key = freshKey();
    const live = await issueKey(t, other.merchantId, 'LIVE');
    const sandbox = await t.call('POST', '/branch/store', { name: 'Ikoyi' }, withKey(other, key));
    const liveReply = await t.call(
      'POST',
      '/branch/store',
      { name: 'Lekki' },
      { ...bearer(live.key), 'idempotency-key': key },
    );
    expect([sandbox.status, liveReply.status], liveReply.text).toEqual([200, 200]);
    expect(liveReply.headers['idempotency-replayed']).toBeUndefined();
  });
});

describe('the PIN', () => {
  const withPin = routes.filter(({ operation }) => bodyFields(operation).some(([name]) => name === 'pin'));

  it.each(withPin)(
    'a wrong one is not answered with what the right one got: $operation.name',
    async ({ operation }) => {
      const merchant = await t.addMerchant();
      const known = await knownOf(t, merchant, operation);
      const headers = withKey(merchant, freshKey());
      expect((await callWith(t, operation, known, headers)).status).toBe(200);
      const guess = await callWith(t, operation, { ...known, pin: '9371' }, headers);
      expect([guess.status, guess.body.code]).toEqual([422, 'PIN_INVALID']);
      const again = await callWith(t, operation, known, headers);
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    },
  );
});
