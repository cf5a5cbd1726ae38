import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  approve,
  type Business,
  business,
  type Call,
  codeOf,
  createTestApp,
  expectBooksRight,
  payment,
  sessionOf,
  type TestApp,
} from '../approvals/approval-fixture.ts';
import { TEST_PIN } from '../support/app.ts';
import { rowsOf } from '../support/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await straighten();
  await expectBooksRight(t);
  await t.close();
});

const MINUTE_MS = 60_000;
const PAID = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
const inMs = (milliseconds: number) => new Date(t.clock.now().getTime() + milliseconds).toISOString();
const unasked = { ...PAID, allowDuplicate: undefined };

/** What becomes of a payment of ₦1,000: the refusal of a request, or the reason for which it failed later. */
type Way = (shop: Business, guard: Guard) => Promise<string>;

interface Guard {
  /** Makes it stand in the way, from when this returns. */
  close(shop: Business): Promise<unknown>;
  /** What the payment says of it, where it is not what everybody says. */
  fields?: Record<string, unknown>;
}

async function readyList(by: Call, fields: object = {}): Promise<{ batchReference: string; reason: string | null }> {
  const { pin: _pin, ...row } = { ...PAID, ...fields } as Record<string, unknown>;
  const made = await by('POST', '/payout/bulk', { items: [row] });
  if (made.status !== 200) return { batchReference: '', reason: codeOf(made) };
  await t.app.worker.runOnce();
  const { batchReference } = made.body.data;
  const { records } = (await by('GET', `/payout/bulk/${batchReference}/item`)).body.data;
  return { batchReference, reason: records[0].reason };
}

const dispatch = (by: Call, batchReference: string, fields: object = {}) =>
  by('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, ...fields });

/** In what a payout ended, once everything that is due was done. */
async function endOf(id: string, by = 'id'): Promise<string> {
  await t.app.worker.runOnce();
  const sql = `select status, reason from transactions where ${by} = $1`;
  const [row] = await rowsOf<{ status: string; reason: string | null }>(t.connectionString, sql, [id]);
  return row?.reason ?? row?.status ?? 'NONE';
}

const idOf = (reference: string) => reference.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Waits for its approval, made while nothing stood in the way. */
async function waiting(by: Call, path: string, body: object) {
  const reply = await by('POST', path, body);
  expect(reply.body, reply.text).toMatchObject({ data: { status: 'PENDING_APPROVAL' } });
  const { approvalId, transactionId } = reply.body.data;
  const { digest } = (await by('GET', `/approval/${approvalId}`)).body.data;
  return { approvalId, digest, transactionId };
}

const WAYS: Record<string, Way> = {
  async single(shop, { close, fields }) {
    await close(shop);
    return codeOf(await shop.byKey('POST', '/payout/single', payment({ ...unasked, ...fields })));
  },
  async schedule(shop, { close, fields }) {
    await close(shop);
    const body = payment({ ...unasked, ...fields, scheduledFor: inMs(30_000) });
    return codeOf(await shop.byKey('POST', '/payout/single/schedule', body));
  },
  async list(shop, { close, fields = {} }) {
    const { pin, ...facts } = fields as { pin?: string };
    await close(shop);
    const { batchReference, reason } = await readyList(shop.byKey, facts);
    if (reason !== null) return reason;
    return codeOf(await dispatch(shop.byKey, batchReference, pin === undefined ? {} : { pin }));
  },
  async 'list that was ready'(shop, { close, fields = {} }) {
    const { pin } = fields as { pin?: string };
    const { batchReference } = await readyList(shop.byKey);
    await close(shop);
    return codeOf(await dispatch(shop.byKey, batchReference, pin === undefined ? {} : { pin }));
  },
  async 'schedule that fires'(shop, { close }) {
    const body = payment({ ...unasked, scheduledFor: inMs(5 * MINUTE_MS) });
    const made = await shop.byKey('POST', '/payout/single/schedule', body);
    t.clock.advance(6 * MINUTE_MS);
    await close(shop);
    return endOf(made.body.data.transactionId);
  },
  async 'payment that is approved'(shop, { close }) {
    const open = await waiting(shop.maker.call, '/payout/single', payment(unasked));
    await close(shop);
    return codeOf(await approve(shop.ann, open));
  },
  async 'schedule that is approved, and fires'(shop, { close }) {
    const body = payment({ ...unasked, scheduledFor: inMs(5 * MINUTE_MS) });
    const open = await waiting(shop.maker.call, '/payout/single/schedule', body);
    await close(shop);
    const approved = codeOf(await approve(shop.ann, open));
    if (approved !== 'DONE') return approved;
    t.clock.advance(6 * MINUTE_MS);
    return endOf(open.transactionId);
  },
  async 'list that is approved'(shop, { close }) {
    const { batchReference } = await readyList(shop.maker.call);
    const open = await waiting(shop.maker.call, '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
    await close(shop);
    return codeOf(await approve(shop.ann, open));
  },
  async 'list that was dispatched'(shop, { close }) {
    const { batchReference } = await readyList(shop.byKey);
    expect(codeOf(await dispatch(shop.byKey, batchReference))).toBe('DONE');
    await close(shop);
    return endOf(idOf(batchReference), 'batch_id');
  },
};

async function limit(shop: Business, perPayout: number | null, perDay: number | null): Promise<void> {
  await t.database.pool.query(
    `insert into payout_limits (id, merchant_id, mode, per_payout_minor, per_day_minor, duplicate_window_seconds,
                                effective_from, source)
     values ('by-way-' || $1, $1::uuid, 'SANDBOX', $2, $3, 120, '2021-01-01', 'test')`,
    [shop.merchant.merchantId, perPayout, perDay],
  );
  // Every process knows it within a minute.
  t.clock.advance(61_000);
}

/** Processes remember for two seconds who somebody is. */
async function untilFelt(shop: Business, code: string): Promise<void> {
  t.clock.advance(2_000);
  const felt = async () => codeOf(await shop.byKey('POST', '/payout/quote', { amount: 10 }));
  await expect.poll(felt, { timeout: 30_000 }).toBe(code);
  const byPerson = async () => codeOf(await shop.ann.call('POST', '/payout/quote', { amount: 10 }));
  await expect.poll(byPerson, { timeout: 30_000 }).toBe(code);
}

const GUARDS: Record<string, Guard> = {
  'limit of a payout': { close: (shop) => limit(shop, 99_999, null) },
  'limit of a day': { close: (shop) => limit(shop, null, 99_999) },
  money: {
    close: (shop) =>
      shop.byKey(
        'POST',
        '/payout/single',
        payment({ amount: 999_500, accountNumber: '3333333333', allowDuplicate: true }),
      ),
  },
  'merchant in good standing': {
    async close(shop) {
      await t.database.pool.query(`update merchants set status = 'SUSPENDED' where id = $1`, [
        shop.merchant.merchantId,
      ]);
      await untilFelt(shop, '403 MERCHANT_SUSPENDED');
    },
  },
  service: {
    async close(shop) {
      const sql = `delete from merchant_services where merchant_id = $1 and service_key = 'PAYOUT'`;
      await t.database.pool.query(sql, [shop.merchant.merchantId]);
      await untilFelt(shop, '403 SERVICE_NOT_ENABLED');
    },
  },
  PIN: { close: async () => undefined, fields: { pin: '9375' } },
  'bank that takes payouts': { close: async () => undefined, fields: { bankCode: '030' } },
  'account that there is': { close: async () => undefined, fields: { accountNumber: '0000999904' } },
  duplicate: { close: (shop) => takeUnseen(shop) },
};

/** The same payment by somebody whom nobody asked, so that it stands in the way of what was accepted before, too. */
async function takeUnseen(shop: Business): Promise<void> {
  const made = await shop.byKey('POST', '/payout/single', payment({ ...unasked, amount: 1 }));
  const { pool } = t.database;
  const id = made.body.data.transactionId;
  await pool.query(
    `update dedupe_keys set value = '058:0123456785:100000:NGN', scope = 'PAID', from_at = $2, until_at = $2
                     where subject_id = $1`,
    [id, t.clock.now()],
  );
  bent.push(id);
}
const bent: string[] = [];
/** Makes the rows what they were, before the books are proved. */
async function straighten(): Promise<void> {
  await t.database.pool.query(
    `update dedupe_keys k set value = '058:0123456785:100:NGN', is_meant = true
      where k.subject_id = any($1::uuid[])`,
    [bent],
  );
  await t.database.pool.query('update payouts set allow_duplicate = true where id = any($1::uuid[])', [bent]);
}

/** Each way in, by each guard. Left out is what does not apply: nothing of it is asked again, and that is meant. */
const TABLE: Record<string, Record<string, string>> = {
  'limit of a payout': {
    single: '422 PAYOUT_LIMIT_EXCEEDED',
    schedule: '422 PAYOUT_LIMIT_EXCEEDED',
    list: 'The amount must not be more than ₦999.99.',
    'list that was ready': '422 PAYOUT_LIMIT_EXCEEDED',
    'schedule that fires': 'PAYOUT_LIMIT_EXCEEDED',
    'payment that is approved': '422 PAYOUT_LIMIT_EXCEEDED',
    'schedule that is approved, and fires': '422 PAYOUT_LIMIT_EXCEEDED',
    'list that is approved': '422 PAYOUT_LIMIT_EXCEEDED',
  },
  'limit of a day': {
    single: '422 DAILY_LIMIT_EXCEEDED',
    list: '422 DAILY_LIMIT_EXCEEDED',
    'list that was ready': '422 DAILY_LIMIT_EXCEEDED',
    'schedule that fires': 'DAILY_LIMIT_EXCEEDED',
    'schedule that is approved, and fires': 'DAILY_LIMIT_EXCEEDED',
    'list that is approved': '422 DAILY_LIMIT_EXCEEDED',
  },
  money: {
    single: '422 INSUFFICIENT_FUNDS',
    list: '422 INSUFFICIENT_FUNDS',
    'list that was ready': '422 INSUFFICIENT_FUNDS',
    'schedule that fires': 'INSUFFICIENT_FUNDS',
  },
  'merchant in good standing': {
    single: '403 MERCHANT_SUSPENDED',
    schedule: '403 MERCHANT_SUSPENDED',
    list: '403 MERCHANT_SUSPENDED',
    'list that was ready': '403 MERCHANT_SUSPENDED',
    'schedule that fires': 'MERCHANT_SUSPENDED',
    'payment that is approved': '403 MERCHANT_SUSPENDED',
    'schedule that is approved, and fires': '403 MERCHANT_SUSPENDED',
    'list that is approved': '403 MERCHANT_SUSPENDED',
    // Its money stays held, and nothing is sent until the merchant is reinstated.
    'list that was dispatched': 'QUEUED',
  },
  service: {
    single: '403 SERVICE_NOT_ENABLED',
    schedule: '403 SERVICE_NOT_ENABLED',
    list: '403 SERVICE_NOT_ENABLED',
    'list that was ready': '403 SERVICE_NOT_ENABLED',
    'payment that is approved': '403 SERVICE_NOT_ENABLED',
    'schedule that is approved, and fires': '403 SERVICE_NOT_ENABLED',
    'list that is approved': '403 SERVICE_NOT_ENABLED',
    // What was begun goes on.
    'schedule that fires': 'SUCCESS',
    'list that was dispatched': 'SUCCESS',
  },
  PIN: {
    single: '422 PIN_INVALID',
    schedule: '422 PIN_INVALID',
    list: '422 PIN_INVALID',
    'list that was ready': '422 PIN_INVALID',
  },
  'bank that takes payouts': {
    single: '422 BANK_NOT_FOUND',
    schedule: '422 BANK_NOT_FOUND',
    list: 'Heritage Bank does not take payouts.',
  },
  'account that there is': {
    single: '422 ACCOUNT_NOT_FOUND',
    schedule: '422 ACCOUNT_NOT_FOUND',
    list: 'Guaranty Trust Bank has no account with the number 0000999904.',
  },
  duplicate: {
    single: '409 PAYOUT_DUPLICATE',
    schedule: '409 PAYOUT_DUPLICATE',
    list: '409 BATCH_DUPLICATE',
    'list that was ready': '409 BATCH_DUPLICATE',
    'schedule that fires': 'PAYOUT_DUPLICATE',
    'list that was dispatched': 'PAYOUT_DUPLICATE',
  },
};

const cells = Object.entries(TABLE).flatMap(([guard, ways]) =>
  Object.entries(ways).map(([way, said]) => ({ guard, way, said })),
);

describe('every guard stands before every way in:', () => {
  it.each(cells)('$guard before a $way', async ({ guard, way, said }) => {
    const approvals = way.includes('approved');
    const shop = await business(t, approvals ? undefined : []);
    expect(await WAYS[way]?.(shop, GUARDS[guard] as Guard)).toBe(said);
  });

  it.each([
    ['single', '/payout/single', {}],
    ['schedule', '/payout/single/schedule', { scheduledFor: true }],
  ])('approvals before a %s', async (_way, path, { scheduledFor }: { scheduledFor?: boolean }) => {
    const shop = await business(t);
    const body = payment({ ...unasked, ...(scheduledFor ? { scheduledFor: inMs(MINUTE_MS) } : {}) });
    expect((await shop.byKey('POST', path, body)).body.data.status).toBe('PENDING_APPROVAL');
  });

  it('a day’s limit is that of the day on which a payment is released, not of the day on which it was asked for', async () => {
    const shop = await business(t);
    const first = await waiting(shop.maker.call, '/payout/single', payment({ ...unasked, amount: 600_000 }));
    t.clock.advance(24 * 60 * MINUTE_MS);
    await limit(shop, null, 100_000_000);
    const used = async () => {
      const sql = `select period, used_minor from limit_usage where merchant_id = $1 and used_minor > 0`;
      return rowsOf<{ period: string; used_minor: bigint }>(t.connectionString, sql, [shop.merchant.merchantId]);
    };
    const [asked] = await used();
    // Her session of yesterday is over.
    const ann = { ...shop.ann, call: await sessionOf(t, shop.ann.personId) };
    expect(codeOf(await approve(ann, first))).toBe('DONE');
    const [released, ...more] = await used();
    expect(more).toEqual([]);
    expect(released?.used_minor).toEqual(asked?.used_minor);
    expect(released?.period).not.toBe(asked?.period);
  });
});
