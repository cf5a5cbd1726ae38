import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { letStand, saysPaid } from '../support/contradicted.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  dispatchBy,
  dispatchOf,
  expectCountersToBeTrue,
  lookAtBatches,
  minor,
  openOnce,
  processOf,
  recordsOf,
  summaryOf,
  validatedBatch,
} from './batch-fixture.ts';
import { createPayoutFixture, executed, type Merchant, type PayoutFixture, untilQuiet } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const MANY = 100_000_000;
let made = 0;
/** An account whose last six digits choose what happens. */
const row = (ends: string, amount = 10_000) => {
  made += 1;
  return { amount, bankCode: '058', accountNumber: `${1_000 + made}${ends}`, narration: 'Salary' };
};
const [PAID, FAILS, RETURNS, UNKNOWN, PENDING] = ['000001', '999911', '999935', '999934', '999932'];

const retry = (merchant: Merchant, reference: string, key?: string) =>
  merchant.call(
    'POST',
    `/payout/bulk/${reference}/retry-list`,
    {},
    key === undefined ? undefined : { 'idempotency-key': key },
  );
const outcomeOf = async (merchant: Merchant, reference: string) =>
  (await merchant.call('GET', `/payout/bulk/${reference}/outcome`)).body.data;
const countsOf = async (merchant: Merchant, reference: string) =>
  Object.fromEntries(
    (await outcomeOf(merchant, reference)).outcomes.map((one: { outcome: string; count: number }) => [
      one.outcome,
      one.count,
    ]),
  );
const numbers = (records: readonly { accountNumber: string }[]) => records.map(({ accountNumber }) => accountNumber);

async function paidBatch(merchant: Merchant, rows: ReturnType<typeof row>[]): Promise<string> {
  const reference = await validatedBatch(fixture, merchant, rows);
  expect((await dispatchOf(merchant, reference, { skipInvalid: true })).status).toBe(200);
  await untilQuiet(fixture, merchant);
  return reference;
}

describe('what became of a list', () => {
  it('is told by figures of one moment that agree with the wallet, also while it is going on', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const before = await merchant.balance();
    const rows = [row(PAID), row(FAILS), row(PAID), row(UNKNOWN), row('12'.padEnd(6, 'x')), row(RETURNS)];
    const reference = await validatedBatch(fixture, merchant, rows);
    expect((await outcomeOf(merchant, reference)).wallet.held.total).toBe(0);
    await dispatchOf(merchant, reference, { skipInvalid: true });
    const { totals } = await summaryOf(merchant, reference);
    expect(await countsOf(merchant, reference)).toMatchObject({ IN_PROGRESS: 5, LEFT_OUT: 1, PAID: 0 });
    expect((await outcomeOf(merchant, reference)).wallet).toMatchObject({
      left: { total: 0 },
      held: { total: totals.total },
    });
    await untilQuiet(fixture, merchant);
    const figures = await outcomeOf(merchant, reference);
    const { bookedMinor, availableMinor } = await merchant.balance();
    expect(minor(figures.wallet.net.total)).toBe(before.bookedMinor - bookedMinor);
    expect(minor(figures.wallet.held.total)).toBe(bookedMinor - availableMinor);
    expect(figures.wallet.left.total - figures.wallet.returned.total).toBeCloseTo(figures.wallet.net.total);
    // Nobody knows how long the bank takes to say it.
    expect(await summaryOf(merchant, reference)).toMatchObject({
      payouts: { open: 1, unknown: 1, succeeded: 2, failed: 1, reversed: 1 },
      progress: { phase: 'SENDING', done: 4, total: 5, estimatedSecondsLeft: null },
    });
    const failed = await recordsOf(merchant, reference, '?outcome=FAILED');
    expect(numbers(failed)).toEqual([rows[1]?.accountNumber]);
    const { body } = await merchant.call('GET', '/payout/bulk');
    expect(body.data.records[0]).toMatchObject({ amount: 50_000, paidAmount: figures.wallet.net.amount });
  });
});

describe('what became of a list of which what was left out comes to more than JSON can say to the kobo', () => {
  it('is shown without that sum', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const large = Array.from({ length: 10 }, () => ({ ...row(PAID, 9_999_999_999_999), bankCode: '999' }));
    const reference = await paidBatch(merchant, [row(PAID), ...large]);
    const { status, body } = await merchant.call('GET', `/payout/bulk/${reference}/outcome`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.outcomes).toContainEqual({ outcome: 'LEFT_OUT', count: 10, amount: null });
    expect(body.data.outcomes).toContainEqual({ outcome: 'PAID', count: 1, amount: 10_000 });
  });
});

describe('a list of what was not paid', () => {
  it('has nobody of whom the rail has said since that they were paid, before the operator has decided', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(FAILS), row(FAILS)];
    const reference = await paidBatch(merchant, rows);
    const [contradicted] = await recordsOf(merchant, reference);
    await saysPaid(fixture.deps, merchant.tenant, contradicted.id);
    const first = await retry(merchant, reference);
    expect(numbers(await recordsOf(merchant, first.body.data.batchReference))).toEqual([rows[1]?.accountNumber]);
    expect((await retry(merchant, reference)).body.code).toBe('BATCH_NOTHING_TO_RETRY');
    const { batchReference } = first.body.data;
    const [before] = (await recordsOf(merchant, reference)).filter(({ id }: { id: string }) => id !== contradicted.id);
    expect(await recordsOf(merchant, batchReference)).toEqual([
      expect.objectContaining({
        paysAgain: { transactionId: before.id, payoutStatus: 'FAILED', payoutReason: before.payoutReason },
      }),
    ]);
    const { retryLists } = await outcomeOf(merchant, reference);
    expect(retryLists).toEqual([{ batchReference, status: expect.any(String), itemCount: 1 }]);
    await letStand(fixture.deps, merchant.tenant, contradicted.id);
    const second = await retry(merchant, reference);
    expect(numbers(await recordsOf(merchant, second.body.data.batchReference))).toEqual([rows[0]?.accountNumber]);
  });

  it('is not dispatched once the rail says of one in it that it was paid, before the operator has decided', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await paidBatch(merchant, [row(FAILS), row(FAILS)]);
    const { body } = await retry(merchant, reference);
    await lookAtBatches(fixture.deps);
    const [, contradicted] = await recordsOf(merchant, reference);
    await saysPaid(fixture.deps, merchant.tenant, contradicted.id);
    const refused = await dispatchOf(merchant, body.data.batchReference);
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_OUTCOME_UNCERTAIN']);
    expect(refused.body.message).toContain('Row 2');
    await letStand(fixture.deps, merchant.tenant, contradicted.id);
    expect((await dispatchOf(merchant, body.data.batchReference)).status).toBe(200);
  });

  it('is not dispatched where its rail says of one in it that it was paid between the look and the commit', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await paidBatch(merchant, [row(FAILS)]);
    const { body } = await retry(merchant, reference);
    await lookAtBatches(fixture.deps);
    const [contradicted] = await recordsOf(merchant, reference);
    const deps = processOf(fixture.deps);
    const repeats: typeof deps.repeats = async (batch) => {
      await saysPaid(fixture.deps, merchant.tenant, contradicted.id);
      return deps.repeats(batch);
    };
    const dispatched = dispatchBy({ ...deps, repeats }, merchant, body.data.batchReference);
    await expect(dispatched).rejects.toMatchObject({ code: 'BATCH_OUTCOME_UNCERTAIN' });
    await letStand(fixture.deps, merchant.tenant, contradicted.id);
  });

  it('pays nobody of whom its rail says after the dispatch that they were paid, before their payout is made', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(FAILS), row(FAILS)];
    const reference = await paidBatch(merchant, rows);
    const again = (await retry(merchant, reference)).body.data.batchReference;
    await lookAtBatches(fixture.deps);
    const [contradicted] = await recordsOf(merchant, reference);
    expect((await dispatchOf(merchant, again)).status).toBe(200);
    await saysPaid(fixture.deps, merchant.tenant, contradicted.id);
    await untilQuiet(fixture, merchant);
    const sent = await fixture.rail.listTransfers(merchant.tenant, { after: '', limit: 100 });
    // The first two, and of those that were dispatched anew the other alone.
    expect(sent).toHaveLength(3);
    await letStand(fixture.deps, merchant.tenant, contradicted.id);
    expect((await retry(merchant, again)).body.data.itemCount).toBe(2);
  });

  it('pays nobody of whom its rail says that they were paid while their payout waits to be sent, a list or two later', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(FAILS), row(FAILS), row(FAILS)];
    const lists = [await paidBatch(merchant, rows)];
    const records = await recordsOf(merchant, lists[0] as string);
    for (let list = 1; list <= 2; list += 1) {
      lists.push((await retry(merchant, lists[list - 1] as string)).body.data.batchReference);
      await lookAtBatches(fixture.deps);
      expect((await dispatchOf(merchant, lists[list] as string)).status).toBe(200);
      if (list === 1) await untilQuiet(fixture, merchant);
    }
    const [, middle] = await recordsOf(merchant, lists[1] as string);
    expect(await openOnce(fixture.deps)).toBe(1);
    await saysPaid(fixture.deps, merchant.tenant, records[0].id);
    await saysPaid(fixture.deps, merchant.tenant, middle.id);
    await untilQuiet(fixture, merchant);
    const sent = await fixture.rail.listTransfers(merchant.tenant, { after: '', limit: 100 });
    expect(sent, 'three, three again, and the last one').toHaveLength(7);
    const last = await recordsOf(merchant, lists[2] as string);
    expect(last.map(({ payoutStatus }: { payoutStatus: string }) => payoutStatus)).toEqual([
      'FAILED',
      'FAILED',
      'FAILED',
    ]);
    const { bookedMinor, availableMinor } = await merchant.balance();
    expect([bookedMinor, availableMinor]).toEqual([BigInt(MANY) * 100n, BigInt(MANY) * 100n]);
    for (const { id } of [records[0], middle]) await letStand(fixture.deps, merchant.tenant, id);
    expect((await retry(merchant, lists[2] as string)).body.data.itemCount).toBe(3);
  });

  it('pays nobody again whose first payout, two lists before, its rail says was paid, before the operator has decided', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(FAILS), row(FAILS)];
    const reference = await paidBatch(merchant, rows);
    const [early, late] = await recordsOf(merchant, reference);
    const second = (await retry(merchant, reference)).body.data.batchReference;
    await lookAtBatches(fixture.deps);
    expect((await dispatchOf(merchant, second)).status).toBe(200);
    await untilQuiet(fixture, merchant);
    await saysPaid(fixture.deps, merchant.tenant, early.id);
    const third = (await retry(merchant, second)).body.data.batchReference;
    expect(numbers(await recordsOf(merchant, third))).toEqual([rows[1]?.accountNumber]);
    await lookAtBatches(fixture.deps);
    await saysPaid(fixture.deps, merchant.tenant, late.id);
    const refused = await dispatchOf(merchant, third);
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_OUTCOME_UNCERTAIN']);
    await letStand(fixture.deps, merchant.tenant, late.id);
    expect((await dispatchOf(merchant, third)).status).toBe(200);
  });

  it('has what failed or was returned, never what nobody knows, and names where it came from', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(PAID), row(FAILS), row(UNKNOWN), row(RETURNS)];
    const reference = await paidBatch(merchant, rows);
    fixture.clock.advance(60_000);
    await untilQuiet(fixture, merchant);
    expect(await countsOf(merchant, reference)).toMatchObject({ PAID: 1, FAILED: 1, IN_PROGRESS: 1, RETURNED: 1 });
    const { body } = await retry(merchant, reference);
    expect(body.data).toMatchObject({ status: 'VALIDATING', itemCount: 2, originBatchReference: reference });
    await lookAtBatches(fixture.deps);
    const items = await recordsOf(merchant, body.data.batchReference);
    expect(numbers(items)).toEqual([rows[1]?.accountNumber, rows[3]?.accountNumber]);
    // What is known not to be paid is nothing to repeat.
    expect(items.map(({ repeats }: { repeats: unknown }) => repeats)).toEqual([null, null]);
    expect((await retry(merchant, reference)).body).toMatchObject({
      code: 'BATCH_NOTHING_TO_RETRY',
      message: expect.stringContaining(body.data.batchReference),
    });
  });

  it('is made once of what many ask for at once, and takes up later what fails later', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(FAILS), row(FAILS), row(PENDING), row(PAID)];
    const reference = await validatedBatch(fixture, merchant, rows);
    await dispatchOf(merchant, reference);
    // No further than the first answers of the bank.
    for (let looks = 0; looks < 5 && (await countsOf(merchant, reference))['FAILED'] !== 2; looks += 1) {
      await fixture.worker.runOnce();
    }
    expect(await countsOf(merchant, reference)).toMatchObject({ FAILED: 2, IN_PROGRESS: 1, PAID: 1 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => retry(merchant, reference)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('BATCH_NOTHING_TO_RETRY');
    // The bank declines the one that was on its way after the list was made.
    fixture.clock.advance(60_000);
    await untilQuiet(fixture, merchant);
    const later = await retry(merchant, reference);
    expect(later.body.data.itemCount).toBe(1);
    expect(numbers(await recordsOf(merchant, later.body.data.batchReference))).toEqual([rows[2]?.accountNumber]);
  });

  it('keeps what was left out of it for as long as that can be undone', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await paidBatch(merchant, [row(FAILS), row(FAILS)]);
    const first = (await retry(merchant, reference)).body.data.batchReference;
    await lookAtBatches(fixture.deps);
    const [item] = await recordsOf(merchant, first);
    await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: item.id, accountNumber: '12' });
    await lookAtBatches(fixture.deps);
    const { groups, version } = (await merchant.call('GET', `/payout/bulk/${first}/problem`)).body.data;
    const leaveOut = { code: groups[0].code, cause: groups[0].cause, action: 'LEAVE_OUT', version };
    expect((await merchant.call('POST', `/payout/bulk/${first}/problem/resolve`, leaveOut)).status).toBe(200);
    expect(await recordsOf(merchant, first)).toHaveLength(1);
    expect((await retry(merchant, reference)).body.code).toBe('BATCH_NOTHING_TO_RETRY');
    await lookAtBatches(fixture.deps);
    expect((await merchant.call('POST', `/payout/bulk/${first}/problem/undo`, {})).status).toBe(200);
    expect(await recordsOf(merchant, first)).toHaveLength(2);
    expect((await retry(merchant, reference)).body.code).toBe('BATCH_NOTHING_TO_RETRY');
  });

  it('pays nobody twice, whoever else pays the same meanwhile', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [row(FAILS), row(FAILS)];
    const reference = await paidBatch(merchant, rows);
    const first = (await retry(merchant, reference, 'a')).body.data.batchReference;
    expect((await retry(merchant, reference, 'a')).body.data.batchReference).toBe(first);
    await lookAtBatches(fixture.deps);
    // Another list pays one of them in the meantime.
    const again = await validatedBatch(fixture, merchant, [rows[0] as ReturnType<typeof row>]);
    expect((await summaryOf(merchant, first)).duplicates.count).toBe(0);
    expect((await summaryOf(merchant, again)).duplicates.count).toBe(1);
    await dispatchOf(merchant, again, { allowDuplicate: true });
    expect((await summaryOf(merchant, first)).duplicates.count).toBe(1);
    const refused = await dispatchOf(merchant, first);
    expect(refused.body.code).toBe('BATCH_DUPLICATE');
    await untilQuiet(fixture, merchant);
  });

  it('that was called off frees its items for another', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await paidBatch(merchant, [row(FAILS)]);
    const first = (await retry(merchant, reference)).body.data.batchReference;
    await merchant.call('POST', '/payout/bulk/cancel', { batchReference: first });
    expect((await retry(merchant, reference)).body.data).toMatchObject({
      itemCount: 1,
      originBatchReference: reference,
    });
  });

  it('is of one merchant alone, and of a list that has failed payouts', async () => {
    const [merchant, stranger] = [await fixture.addMerchant(MANY), await fixture.addMerchant(MANY)];
    const reference = await paidBatch(merchant, [row(FAILS), row(PAID)]);
    expect((await retry(stranger, reference)).status).toBe(404);
    expect((await stranger.call('GET', `/payout/bulk/${reference}/outcome`)).status).toBe(404);
    const whole = await paidBatch(merchant, [row(PAID)]);
    expect((await retry(merchant, whole)).body.code).toBe('BATCH_NOTHING_TO_RETRY');
    expect(await executed(fixture, merchant.tenant)).toBeDefined();
    expect((await fixture.database.pool.query('select 1 from batch_uploads')).rows).toEqual([]);
  });
});
