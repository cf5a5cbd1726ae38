import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payoutDirectoryKeeper } from '../../src/payout-directory/index.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import { payoutDirectoryChecks } from '../../src/verify/derived-queries.ts';
import { CHECKS_OF_THE_DIRECTORY } from '../ledger/corruption.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer, rowsOf } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;
let one: TestMerchant;
let other: TestMerchant;
/** In the order that they were asked for: paid, failed, without an outcome, of the other merchant. */
let paid: string;
let failed: string;
let silent: string;
let elsewhere: string;

beforeAll(async () => {
  t = await createTestApp();
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
  one = await t.addMerchant();
  other = await t.addMerchant();
  paid = await pay(one, { amount: 1_500.5 });
  failed = await pay(one, {}, 'failed-invalid-account');
  silent = await pay(one, { narration: 'Owed to 22212345678' }, 'pending-forever');
  elsewhere = await pay(other, { accountNumber: '0123999934' });
  await keepUp();
});
afterAll(() => t.close());

async function keepUp(): Promise<number> {
  return (await payoutDirectoryKeeper(t, 'SANDBOX')()) + (await payoutDirectoryKeeper(t, 'LIVE')());
}

async function pay(
  merchant: TestMerchant,
  change: object = {},
  scenario?: string,
  isWorkedOff = true,
): Promise<string> {
  const body = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'an invoice' };
  const headers = { ...bearer(merchant.secretKey), ...(scenario && { 'x-sandbox-scenario': scenario }) };
  const reply = await t.call(
    'POST',
    '/payout/single',
    { ...body, pin: merchant.pin, allowDuplicate: true, ...change },
    headers,
  );
  if (reply.status !== 200) throw new Error(reply.text);
  if (isWorkedOff) await t.app.worker.runOnce();
  return reply.body.data.transactionId;
}

const found = async (query = '') => {
  const reply = await ada.call('GET', `/operator/payout${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.records.map(({ payoutId }: { payoutId: string }) => payoutId);
};
const hexOf = (id: string) => id.replaceAll('-', '');
const figures = async () => (await ada.call('GET', '/operator/overview/figures')).body.data;

describe('payouts of all merchants', () => {
  it('are found newest first, by every filter, also by several at once', async () => {
    const session = (await ada.call('GET', `/operator/payout/${paid}`)).body.data.payout.sessionId;
    const [today, tomorrow] = [t.clock.now(), new Date(t.clock.now().getTime() + 86_400_000)].map(lagosDay);
    const cases: [string, string[]][] = [
      ['', [elsewhere, silent, failed, paid]],
      [`?merchantId=${one.merchantId}`, [silent, failed, paid]],
      [`?merchantId=${other.merchantId}`, [elsewhere]],
      ['?mode=LIVE', []],
      ['?mode=SANDBOX', [elsewhere, silent, failed, paid]],
      ['?status=SUCCESS', [paid]],
      ['?status=FAILED', [failed]],
      ['?status=UNKNOWN', [elsewhere, silent]],
      [`?status=UNKNOWN&merchantId=${one.merchantId}`, [silent]],
      ['?rail=sandbox', [elsewhere, silent, failed, paid]],
      ['?rail=moon-bank', []],
      [`?reference=${paid}`, [paid]],
      [`?reference=MNL${hexOf(failed)}`, [failed]],
      [`?reference=${hexOf(silent)}`, [silent]],
      [`?reference=${newId()}`, []],
      [`?sessionId=${session}`, [paid]],
      ['?accountNumber=0123456785', [silent, failed, paid]],
      ['?accountNumber=0123456785&status=SUCCESS&amount=1500.50', [paid]],
      ['?amount=1500.5', [paid]],
      ['?amount=1500.51', []],
      [`?from=${today}&to=${today}`, [elsewhere, silent, failed, paid]],
      [`?from=${tomorrow}`, []],
      [`?reference=${paid}&merchantId=${other.merchantId}`, []],
    ];
    for (const [query, ids] of cases) expect([query, await found(query)]).toEqual([query, ids]);
  });

  it('refuse a filter that is none, in words, and break nothing', async () => {
    const hostile = ["' or 1=1 --", '%', '\\', '0123456785;', '{x}', 'e\u0301', '9'.repeat(300)];
    const filters = ['merchantId', 'mode', 'status', 'reference', 'accountNumber', 'amount', 'from', 'to', 'after'];
    for (const filter of filters) {
      for (const value of hostile) {
        const reply = await ada.call('GET', `/operator/payout?${filter}=${encodeURIComponent(value)}`);
        expect([filter, value, reply.status]).toEqual([filter, value, 400]);
        expect(reply.body.message.length).toBeGreaterThan(10);
      }
    }
    // What providers give may be any word: it finds nothing.
    for (const value of hostile.slice(0, 5)) {
      const query = encodeURIComponent(value);
      expect(await found(`?sessionId=${query}`)).toEqual([]);
      expect((await ada.call('GET', `/operator/inbound-payment?providerReference=${query}`)).body.data.records).toEqual(
        [],
      );
      expect((await ada.call('GET', `/operator/merchant-choice?search=${query}`)).status).toBe(200);
    }
    expect((await ada.call('GET', '/operator/payout/nothing-of-ours')).status).toBe(400);
    expect((await ada.call('GET', `/operator/payout/${newId()}`)).body.code).toBe('PAYOUT_NOT_FOUND');
  });

  it('are found by reference in the moment that they are accepted, before the directory knows them', async () => {
    const young = await pay(other, { amount: 77 }, undefined, false);
    expect(await found(`?reference=${young}`)).toEqual([]);
    expect((await ada.call('GET', `/operator/payout/MNL${hexOf(young)}`)).body.data.payout.payoutId).toBe(young);
    expect((await figures()).behindSince).not.toBeNull();
    await keepUp();
    expect(await found(`?reference=${young}`)).toEqual([young]);
    expect((await figures()).behindSince).toBeNull();
  });

  it('say how far back a search looked for what no index has, and go on from there', async () => {
    const old = `('010000' || substr(lpad(to_hex(n), 6, '0'), 1, 2) || '-' || substr(lpad(to_hex(n), 6, '0'), 3)
                 || '-7000-8000-000000000000')::uuid`;
    await rowsOf(
      t.connectionString,
      `insert into payout_directory (merchant_id, payout_id, mode, status, amount_minor, rail, account_number)
       select $1, ${old}, 'SANDBOX', 'SUCCESS', 100, 'old-rail', '9999999999' from generate_series(1, 50100) n`,
      [newId()],
    );
    const { data } = (await ada.call('GET', '/operator/payout?amount=1500.50')).body;
    expect(data.records).toHaveLength(1);
    // A UUIDv7 begins with its milliseconds: the directory has 50,105 rows, and the search came to the 106th from the end.
    const last = Number(BigInt('0x010000000000') + 105n);
    expect(new Date(data.lookedBackTo).getTime()).toBe(last);
    expect(await found(`?amount=1500.50&to=${encodeURIComponent(data.lookedBackTo)}`)).toEqual([]);
    expect((await ada.call('GET', '/operator/payout?accountNumber=0123456785')).body.data.lookedBackTo).toBeNull();
    await rowsOf(t.connectionString, `delete from payout_directory where rail = 'old-rail'`);
  });
});

describe('all that is known of a payout', () => {
  const NOTE = 'Ticket 4711, key sk_live_abcdef123456, of 22212345678: never executed';

  it('has what was sent, every call and answer, the books, and who decided', async () => {
    const tenant = { merchantId: one.merchantId, mode: 'SANDBOX' };
    await t.call('POST', '/transaction/requery', { transactionId: silent }, bearer(one.secretKey));
    const said = { ...tenant, payoutId: silent, outcome: 'FAILED', source: 'RAIL_SUPPORT', note: NOTE };
    const { proposalId, digest } = (await ada.call('POST', '/operator/outcome/propose', said)).body.data;
    const confirmed = await bola.call('POST', '/operator/outcome/confirm', { ...tenant, proposalId, digest });
    expect(confirmed.status).toBe(200);
    const { data, text } = await ada.call('GET', `/operator/payout/${silent}`).then((reply) => ({
      data: reply.body.data,
      text: reply.text,
    }));
    expect(data.payout).toMatchObject({
      payoutId: silent,
      status: 'FAILED',
      isUnknown: false,
      businessName: 'Adire & Co',
    });
    expect(data.sent).toMatchObject({
      rail: 'sandbox',
      reference: hexOf(silent),
      amount: 1_000,
      bankCode: '058',
      accountNumber: '0123456785',
    });
    expect(data.attempts.map(({ kind, outcome, code }: never) => [kind, outcome, code])).toEqual([
      ['SEND', 'unknown', '09'],
      ['QUERY', 'unknown', '09'],
      ['OPERATOR', 'failed', null],
    ]);
    expect(data.attempts[0].sessionId).toMatch(/^\d{30}$/);
    expect(data.proposals).toMatchObject([
      { outcome: 'FAILED', status: 'CONFIRMED', proposedBy: ada.email, decidedBy: bola.email },
    ]);
    const kinds = data.transfers.map(({ kind }: { kind: string }) => kind);
    expect([kinds.includes('PENDING'), kinds.includes('VOID')]).toEqual([true, true]);
    expect(data.stateChanges.at(-1)).toMatchObject({ to: 'FAILED' });
    expect(data.events.map(({ type }: { type: string }) => type)).toEqual([
      'payout.queued',
      'payout.processing',
      'payout.failed',
    ]);
    // Evidence is without secrets, and without a whole BVN.
    expect(text).not.toMatch(/22212345678|sk_live_abcdef/);
    expect(data.sent.narration).toBe('Owed to 222*****678');
    await keepUp();
    expect(await found('?status=UNKNOWN')).toEqual([elsewhere]);
  });

  it('has both rails where it failed over', async () => {
    await rowsOf(
      t.connectionString,
      `insert into payout_attempts (merchant_id, mode, payout_id, id, rail, kind, started_at, ended_at, outcome, code, message)
       values ($1, 'SANDBOX', $2, $3, 'first-bank', 'SEND', now(), now(), 'failed', '91', 'Authorization: Bearer abc.def-123')`,
      [one.merchantId, failed, '01a00000-0000-7000-8000-000000000001'],
    );
    await rowsOf(t.connectionString, `update payouts set refused_by = 'first-bank' where id = $1`, [failed]);
    const { data } = (await ada.call('GET', `/operator/payout/${failed}`)).body;
    expect(data.refusedByRail).toBe('first-bank');
    expect(data.attempts.map(({ rail, code }: never) => [rail, code])).toEqual([
      ['first-bank', '91'],
      ['sandbox', '07'],
    ]);
    expect(data.attempts[0].message).toBe('Authorization: [removed]');
  });
});

describe('payments in of all merchants', () => {
  it('are found by every filter, with the answers, the books and the settlement', async () => {
    const ids: string[] = [];
    for (const [merchant, amount] of [
      [one, 5_000],
      [other, 7_500.5],
    ] as const) {
      const as = bearer(merchant.secretKey);
      const { accounts } = (await t.call('GET', `/wallet/${merchant.walletId}/account`, undefined, as)).body.data;
      const { accountNumber } = accounts[0];
      const narration = 'BVN 22298765432';
      await t.call('POST', '/sandbox/collection/pay', { accountNumber, amount, narration }, as);
      await t.app.worker.runOnce();
      ids.unshift(
        (await ada.call('GET', `/operator/inbound-payment?merchantId=${merchant.merchantId}`)).body.data.records[0]
          .paymentId,
      );
    }
    const [newest, oldest] = ids as [string, string];
    const { payment, evidence, transfers, events, narration } = (
      await ada.call('GET', `/operator/inbound-payment/${newest}`)
    ).body.data;
    expect(payment).toMatchObject({ status: 'CREDITED', amount: 7_500.5, rail: 'sandbox', businessName: 'Adire & Co' });
    expect(narration).toBe('BVN 222*****432');
    expect(evidence).toMatchObject([{ outcome: 'confirmed' }]);
    expect(evidence[0].reported.length).toBeGreaterThan(3);
    expect(transfers.length).toBeGreaterThan(0);
    expect(events).toMatchObject([{ type: 'inbound_payment.credited' }]);
    const all = (query: string) =>
      ada
        .call('GET', `/operator/inbound-payment${query}`)
        .then(({ body }) => body.data.records.map(({ paymentId }: { paymentId: string }) => paymentId));
    const cases: [string, string[]][] = [
      ['', [newest, oldest]],
      [`?merchantId=${one.merchantId}`, [oldest]],
      [`?paymentId=${oldest}`, [oldest]],
      [`?sessionId=${payment.sessionId}`, [newest]],
      [`?providerReference=${payment.providerTransactionId}`, [newest]],
      [`?accountNumber=${payment.accountNumber}`, [newest]],
      ['?status=SUSPENSE', []],
      ['?status=CREDITED&amount=5000', [oldest]],
      ['?mode=LIVE', []],
      ['?rail=sandbox', [newest, oldest]],
    ];
    for (const [query, expected] of cases) expect([query, await all(query)]).toEqual([query, expected]);
    expect((await ada.call('GET', `/operator/inbound-payment/${newId()}`)).body.code).toBe('INBOUND_PAYMENT_NOT_FOUND');
    const owed = (await figures()).receivables;
    expect(owed.providers).toEqual([{ rail: 'sandbox', mode: 'SANDBOX', merchants: 2, owed: 12_500.5 }]);
    expect(owed.merchants.map(({ owed: sum }: { owed: number }) => sum)).toEqual([7_500.5, 5_000]);
  });
});

describe('merchants to choose from', () => {
  it('are found by the beginning of any word, an id, an account number or a reference of a payout', async () => {
    const of = async (search: string) =>
      (await ada.call('GET', `/operator/merchant-choice?search=${encodeURIComponent(search)}`)).body.data.merchants.map(
        ({ merchantId }: { merchantId: string }) => merchantId,
      );
    await rowsOf(
      t.connectionString,
      `update merchants set business_name = 'Ọlá & Sons (Aba)', email = 'till@ola-sons.ng' where id = $1`,
      [other.merchantId],
    );
    const { accounts } = (await t.call('GET', `/wallet/${other.walletId}/account`, undefined, bearer(other.secretKey)))
      .body.data;
    for (const search of [
      'son',
      'aba',
      'Ọl',
      'till@ola',
      'ola-sons.ng',
      'sons ab',
      other.merchantId,
      `MNL${hexOf(elsewhere)}`,
      accounts[0].accountNumber,
    ]) {
      expect([search, await of(search)]).toEqual([search, [other.merchantId]]);
    }
    expect(await of('ons')).toEqual([]);
    expect((await of('')).length).toBeGreaterThanOrEqual(3);
  });
});

describe('the figures of the overview', () => {
  it('are those of a model of every payout, by rail and day, and of each event once', async () => {
    const rows = await rowsOf<{ rail: string; day: string; type: string; ms: string; amount: string }>(
      t.connectionString,
      `select p.rail, (e.created_at at time zone 'Africa/Lagos')::date::text as day, e.type,
              extract(epoch from e.created_at - p.first_sent_at) * 1000 as ms, t.amount_minor::text as amount
         from events e join payouts p on p.merchant_id = e.merchant_id and p.id = e.subject_id
         join transactions t on t.merchant_id = p.merchant_id and t.id = p.id
        where e.type in ('payout.succeeded', 'payout.failed') order by 4`,
    );
    const ended = (type: string) => rows.filter((row) => row.type === type);
    const sum = (type: string) => ended(type).reduce((total, { amount }) => total + Number(amount), 0) / 100;
    expect(await keepUp()).toBe(0);
    const { rails, oldestUnknown, floatCover, queues } = await figures();
    expect(rails).toHaveLength(1);
    expect(rails[0].today).toMatchObject({
      succeeded: ended('payout.succeeded').length,
      succeededAmount: sum('payout.succeeded'),
      failed: ended('payout.failed').length,
      failedAmount: sum('payout.failed'),
      successRate: ended('payout.succeeded').length / rows.length,
    });
    expect(rails[0].week).toEqual(rails[0].today);
    expect(rails[0].days.at(-1)).toMatchObject({ day: rows[0]?.day, failed: ended('payout.failed').length });
    // Within five percent, to a whole millisecond.
    const within = (ms: number) => Math.max(ms * 0.05 + 0.5, 1);
    const median = Number(rows[Math.ceil(rows.length / 2) - 1]?.ms);
    expect(Math.abs(rails[0].today.p50Ms - median)).toBeLessThanOrEqual(within(median));
    const slowest = Number(rows.at(-1)?.ms);
    expect(Math.abs(rails[0].today.p95Ms - slowest)).toBeLessThanOrEqual(within(slowest));
    expect(oldestUnknown.payoutId).toBe(elsewhere);
    // Nobody has asked this rail for its balance: how long it lasts is not known, and not none.
    expect(floatCover).toMatchObject([{ rails: ['sandbox'], balance: null, days: null }]);
    expect(queues.filter(({ queue }: { queue: string }) => queue === 'PAYOUTS')).toHaveLength(2);
  });

  it('say what each queue waits for, and how many days a float lasts', async () => {
    const now = t.clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    const HOUR = 3_600_000;
    await rowsOf(t.connectionString, `update payouts set due_at = $1 where id = $2`, [ago(HOUR), elsewhere]);
    await rowsOf(
      t.connectionString,
      `insert into mails (id, recipient, subject, created_at, due_at) values ($1, 'a@b.example', 'x', $2, $2)`,
      [newId(), ago(2 * HOUR)],
    );
    await rowsOf(
      t.connectionString,
      `insert into float_checks (id, rails, mode, currency, rail_minor, float_minor, unsettled_minor, held_minor,
                                 difference_minor, checked_by, checked_at)
       values ($1, 'sandbox', 'SANDBOX', 'NGN', 70000, 0, 0, 0, 0, 'ada', $2)`,
      [newId(), ago(HOUR)],
    );
    // 700 naira on each of ten days: seven of the last eleven are from Monday to Friday, whatever day it is.
    await rowsOf(
      t.connectionString,
      `insert into rail_daily_totals (day, mode, rail, outcome, duration_step, payouts, amount_minor)
       select ($1::date - n), 'SANDBOX', 'sandbox', 'SUCCESS', 300, 1, 20000 from generate_series(1, 11) n`,
      [lagosDay(now)],
    );
    const { queues, floatCover } = await figures();
    const since = (queue: string, mode: string | null) =>
      queues.find((one: { queue: string; mode: string | null }) => one.queue === queue && one.mode === mode).oldestAt;
    expect(since('PAYOUTS', 'SANDBOX')).toBe(ago(HOUR).toISOString());
    expect(since('MAILS', null)).toBe(ago(2 * HOUR).toISOString());
    expect(since('APPROVALS', 'LIVE')).toBeNull();
    expect(floatCover).toMatchObject([
      { balance: 700, averageDay: 200, days: 3.5, balanceAt: ago(HOUR).toISOString() },
    ]);
    await rowsOf(t.connectionString, `delete from rail_daily_totals where duration_step = 300`);
  });

  it('are shown whatever the payouts of a sandbox come to: a sum that no JSON number holds is null', async () => {
    await rowsOf(
      t.connectionString,
      `insert into rail_daily_totals (day, mode, rail, outcome, duration_step, payouts, amount_minor)
       select ($1::date - n), 'SANDBOX', 'sandbox', 'SUCCESS', 300, 1, 8e15 from generate_series(0, 11) n`,
      [lagosDay(t.clock.now())],
    );
    const { rails, floatCover } = await figures();
    expect(rails.find(({ rail }: { rail: string }) => rail === 'sandbox')).toMatchObject({
      today: { succeededAmount: null, failedAmount: expect.any(Number) },
      week: { succeededAmount: null },
    });
    expect(floatCover).toMatchObject([{ averageDay: null, days: 0 }]);
    await rowsOf(t.connectionString, `delete from rail_daily_totals where duration_step = 300`);
  });

  it('are proven: a payout that is missing or counted twice is found', async () => {
    await rowsOf(t.connectionString, `update payouts set due_at = null where id = $1`, [elsewhere]);
    await keepUp();
    const wrong = async () => {
      const broken: string[] = [];
      for (const { name, find } of payoutDirectoryChecks) {
        if ((await t.database.query(find)).length > 0) broken.push(name);
      }
      return broken;
    };
    expect(await wrong()).toEqual([]);
    expect(payoutDirectoryChecks.map(({ name }) => name)).toEqual(CHECKS_OF_THE_DIRECTORY);
    const [row] = await rowsOf<{ row: object }>(
      t.connectionString,
      'select to_jsonb(d) as row from payout_directory d where payout_id = $1',
      [paid],
    );
    await rowsOf(t.connectionString, 'delete from payout_directory where payout_id = $1', [paid]);
    expect(await wrong()).toEqual(['payout-directory-has-the-payouts']);
    await rowsOf(
      t.connectionString,
      'insert into payout_directory select * from jsonb_populate_record(null::payout_directory, $1)',
      [row?.row],
    );
    await rowsOf(t.connectionString, 'update rail_daily_totals set payouts = payouts + 1');
    expect(await wrong()).toEqual(['rail-totals-are-their-events']);
    await rowsOf(t.connectionString, 'update rail_daily_totals set payouts = payouts - 1');
    await rowsOf(t.connectionString, 'update event_cursors set event_sequence = event_sequence + 1000');
    expect(await wrong()).toContain('event-readers-are-not-ahead-of-the-books');
    await rowsOf(t.connectionString, 'update event_cursors set event_sequence = event_sequence - 1000');
  });
});

describe('who is no operator', () => {
  it('is refused, and told nothing of another merchant', async () => {
    const owner = await signedInMember(t, one.merchantId, 'OWNER');
    const addresses = [
      '/operator/payout',
      `/operator/payout/${elsewhere}`,
      '/operator/inbound-payment',
      '/operator/merchant-choice',
      '/operator/overview/figures',
    ];
    for (const address of addresses) {
      const asOwner = await owner.call('GET', address);
      const asKey = await t.call('GET', address, undefined, bearer(one.secretKey));
      expect([address, asOwner.status, asKey.status]).toEqual([address, 403, 403]);
      expect(asOwner.text + asKey.text).not.toContain('Sons');
    }
  });
});
