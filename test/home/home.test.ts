import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { moved } from '../support/moved.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';

let t: TestApp;
let merchant: TestMerchant;
let owner: TestPerson;

/** The sandbox rail refuses every payout to this account. */
const FAILS = '0009999911';
const PAYS = '0000999901';

beforeAll(async () => {
  t = await createTestApp();
  merchant = await t.addMerchant();
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
});
afterAll(() => t.close());

const homeOf = async (person: TestPerson) => (await person.call('GET', '/home')).body.data;

async function pay(payer: TestMerchant, accountNumber: string): Promise<string> {
  const body = {
    pin: payer.pin,
    amount: 1_000,
    bankCode: '058',
    accountNumber,
    narration: 'Rent',
    allowDuplicate: true,
  };
  const reply = await t.call('POST', '/payout/single', body, bearerOf(payer));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.transactionId;
}

async function concluded(payer: TestMerchant, transactionId: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await t.app.worker.runOnce();
        return (await t.call('GET', `/transaction/${transactionId}`, undefined, bearerOf(payer))).body.data.conclusive;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
}

describe('GET /home', () => {
  it('counts payouts that failed, and only those of this merchant and of the last seven days', async () => {
    const other = await t.addMerchant();
    for (const payer of [merchant, merchant, other]) await concluded(payer, await pay(payer, FAILS));
    await concluded(merchant, await pay(merchant, PAYS));
    expect((await homeOf(owner)).failedPayouts).toEqual({ count: 2 });
    await t.database.pool.query(
      `update transactions set created_at = ${moved('created_at', '-8 days')}
        where id = (select id from transactions where merchant_id = $1 and status = 'FAILED' limit 1)`,
      [merchant.merchantId],
    );
    expect((await homeOf(owner)).failedPayouts).toEqual({ count: 1 });
  });

  it('names a bulk payout that was paid in part until new lists have all that it did not pay', async () => {
    const payer = await t.addMerchant();
    const person = await signedInMember(t, payer.merchantId, 'OWNER');
    const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      t.call(method, path, body, bearerOf(payer));
    const item = (accountNumber: string, at: number) => ({
      ...{ amount: 1_000 + at, bankCode: '058', accountNumber, narration: `Pay ${at}` },
    });
    const items = [PAYS, FAILS, '0109999911'].map(item);
    const { batchReference } = (await call('POST', '/payout/bulk', { items })).body.data;
    const until = (path: string, field: string, value: unknown) =>
      expect
        .poll(
          async () => {
            await t.app.worker.runOnce();
            return (await call('GET', path)).body.data[field];
          },
          { timeout: 20_000 },
        )
        .toEqual(value);
    await until(`/payout/bulk/${batchReference}`, 'status', 'READY');
    const sent = await call('POST', '/payout/bulk/dispatch', { pin: payer.pin, batchReference });
    expect(sent.status, sent.text).toBe(200);
    await until(`/payout/bulk/${batchReference}`, 'status', 'PARTIALLY_COMPLETED');
    const partlyPaid = async () => (await homeOf(person)).partlyPaidBatches;
    expect(await partlyPaid()).toEqual({ count: 1, batchReference });
    const retry = await call('POST', `/payout/bulk/${batchReference}/retry-list`, {});
    expect(await partlyPaid()).toEqual({ count: 0, batchReference: null });
    const list = `/payout/bulk/${retry.body.data.batchReference}`;
    await until(list, 'status', 'READY');
    const [first] = (await call('GET', `${list}/item`)).body.data.records;
    const removed = await call('DELETE', `/payout/bulk/item/${first.id}`);
    expect(removed.status, removed.text).toBe(200);
    expect(await partlyPaid()).toEqual({ count: 1, batchReference });
  });

  it('counts payouts without an outcome, with since when', async () => {
    const id = await pay(merchant, PAYS);
    const at = new Date(t.clock.now().getTime() - 3_600_000);
    await t.database.pool.query(
      `update transactions set status = 'PROCESSING', reason = 'OUTCOME_UNKNOWN', created_at = $2 where id = $1`,
      [id, at],
    );
    expect((await homeOf(owner)).unknownOutcomes).toEqual({ count: 1, since: at.toISOString() });
  });

  it('counts refunds that need the payer’s account, and those that failed in the last seven days, of this merchant', async () => {
    const other = await t.addMerchant();
    const refundsOf = async () => {
      const { refundsNeedingDetails, failedRefunds } = await homeOf(owner);
      return [refundsNeedingDetails.count, failedRefunds.count];
    };
    expect(await refundsOf()).toEqual([0, 0]);
    const now = t.clock.now().getTime();
    const add = (merchantId: string, status: string, days: number) =>
      t.database.pool.query(
        `insert into refunds (merchant_id, mode, id, payment_id, wallet_id, way, cause, amount_minor, currency, status, rail,
           receivable_id, hold_id, allow_duplicate, next_step, attempts, created_at, updated_at)
         values ($1, 'SANDBOX', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'PROVIDER', 'MERCHANT', 100, 'NGN', $2,
           'sandbox', gen_random_uuid(), gen_random_uuid(), false, 'QUERY', 1, $3, $3)`,
        [merchantId, status, new Date(now - days * 86_400_000)],
      );
    await add(merchant.merchantId, 'NEEDS_DETAILS', 30);
    await add(merchant.merchantId, 'FAILED', 6);
    await add(merchant.merchantId, 'FAILED', 8);
    await add(merchant.merchantId, 'SUCCESS', 1);
    await add(other.merchantId, 'FAILED', 1);
    await add(other.merchantId, 'NEEDS_DETAILS', 1);
    expect(await refundsOf()).toEqual([1, 1]);
  });

  it('counts keys in force for more than 90 days, and no other', async () => {
    expect((await homeOf(owner)).oldKeys).toBe(0);
    await t.database.pool.query(
      `update api_keys set created_at = ${moved('created_at', '-91 days')} where merchant_id = $1`,
      [merchant.merchantId],
    );
    // Its secret key and its public one.
    expect((await homeOf(owner)).oldKeys).toBe(2);
    await t.database.pool.query(
      `update api_keys set expires_at = ${moved('created_at', '1 day')} where merchant_id = $1`,
      [merchant.merchantId],
    );
    expect((await homeOf(owner)).oldKeys).toBe(0);
    await t.database.pool.query(`update api_keys set expires_at = null where merchant_id = $1`, [merchant.merchantId]);
    // What a key was found to be is remembered for two seconds.
    t.clock.advance(2_100);
  });

  it('has batches by what they need, and the one that it is', async () => {
    const items = [{ amount: 1, bankCode: '058', accountNumber: '12', narration: 'Too short' }];
    const created = await t.call('POST', '/payout/bulk', { items }, bearerOf(merchant));
    expect(created.status, created.text).toBe(200);
    await expect
      .poll(
        async () => {
          await t.app.worker.runOnce();
          return (await homeOf(owner)).batchesToCorrect;
        },
        { timeout: 20_000 },
      )
      .toEqual({ count: 1, batchReference: created.body.data.batchReference });
  });

  it('keeps from a role what it may not read, and from others all of it', async () => {
    const viewer = await signedInMember(t, merchant.merchantId, 'VIEWER');
    const seen = await homeOf(viewer);
    expect(seen).toMatchObject({ approvals: null, oldKeys: null, webhook: null, setUp: null });
    expect(seen.failedPayouts.count).toBeGreaterThan(0);
    const operator = await signedInOperator(t);
    expect((await operator.call('GET', '/home')).status).toBe(403);
    const byKey = await t.call('GET', '/home', undefined, bearerOf(merchant));
    expect([byKey.status, byKey.body.code]).toEqual([403, 'PERSON_REQUIRED']);
  });

  it('has the way to the first live payout, with what the operator has to do, until it is done', async () => {
    const business = await t.addMerchant({ approved: false, mode: 'LIVE' });
    const person = await signedInMember(t, business.merchantId, 'OWNER');
    const { setUp } = await homeOf(person);
    expect(setUp.steps.map(({ key, done }: { key: string; done: boolean }) => [key, done])).toEqual([
      ['PROFILE', false],
      ['REVIEW', false],
      ['ADD_MONEY', false],
      ['PIN', false],
      ['PEOPLE', false],
      ['FIRST_PAYOUT', false],
    ]);
    const waits = setUp.steps.flatMap(({ problems }: { problems: { code: string; waitsFor: string }[] }) =>
      problems.filter(({ waitsFor }) => waitsFor === 'OPERATOR').map(({ code }) => code),
    );
    expect(waits).toEqual(expect.arrayContaining(['WALLET_PROVIDER_NOT_SET', 'RAIL_NOT_SET']));
    await signedInMember(t, business.merchantId, 'APPROVER');
    const after = (await homeOf(person)).setUp.steps.find(({ key }: { key: string }) => key === 'PEOPLE');
    expect(after.done).toBe(true);
  });

  it('shows the operator which approved merchants wait for a connection or a service', async () => {
    const operator = await signedInOperator(t);
    const overview = async () =>
      (await operator.call('GET', '/operator/overview')).body.data.merchantsWaiting.find(
        ({ merchantId }: { merchantId: string }) => merchantId === merchant.merchantId,
      );
    const codes = (await overview()).problems.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['WALLET_PROVIDER_NOT_SET', 'RAIL_NOT_SET']));
    expect(codes).not.toContain('COLLECTION_NOT_ENABLED');
    await t.database.pool.query(`delete from merchant_services where merchant_id = $1 and service_key = 'COLLECTION'`, [
      merchant.merchantId,
    ]);
    expect((await overview()).problems.map(({ code }: { code: string }) => code)).toContain('COLLECTION_NOT_ENABLED');
  });
});
