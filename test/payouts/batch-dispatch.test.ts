import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { updateItem } from '../../src/batches/update-item.ts';
import { quotePayout } from '../../src/fees/index.ts';
import {
  dispatchBy,
  dispatchOf,
  expectCountersToBeTrue,
  heldMinor,
  minor,
  mixedItems,
  openOnce,
  processOf,
  recordsOf,
  summaryOf,
  validatedBatch,
} from './batch-fixture.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(() => fixture.close());

const HOUR_MS = 60 * 60 * 1000;
const MANY = 100_000_000;

/** What the items cost, priced one by one. */
async function costOf(rows: readonly { amount: number }[]): Promise<bigint> {
  const rules = await fixture.deps.fees.listRules();
  const at = fixture.clock.now();
  const quotes = rows.map(({ amount }) => quotePayout(rules, { amountMinor: minor(amount), currency: 'NGN', at }));
  return quotes.reduce((sum, quote) => sum + quote.totalMinor, 0n);
}

const correct = (merchant: Merchant, itemId: string, changes: object) =>
  merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: itemId, ...changes });

/** The promise that was settled like this. */
const settledAs = <T>(result: PromiseSettledResult<T>): Promise<T> =>
  result.status === 'fulfilled' ? Promise.resolve(result.value) : Promise.reject(result.reason as Error);

describe('a dispatch', () => {
  it('holds exactly what its items cost one by one, whatever their number, and says so at once', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = mixedItems(1_234);
    const reference = await validatedBatch(fixture, merchant, rows);
    const quoted = await summaryOf(merchant, reference);
    const cost = await costOf(rows);
    expect(minor(quoted.totals.total)).toBe(cost);
    expect((await dispatchOf(merchant, reference)).status).toBe(200);
    expect(await heldMinor(merchant)).toBe(cost);
    const sent = await summaryOf(merchant, reference);
    expect(sent.totals).toEqual(quoted.totals);
    expect(sent).toMatchObject({
      status: 'DISPATCHING',
      digest: quoted.digest,
      payouts: { open: 1_234, succeeded: 0 },
      progress: { phase: 'SENDING', done: 0, total: 1_234, estimatedSecondsLeft: null },
    });
    const { rows: chunks } = await fixture.database.pool.query(
      'select chunk, item_count, first_position, last_position from batch_chunks where merchant_id = $1 order by chunk',
      [merchant.merchantId],
    );
    expect(chunks).toEqual([
      { chunk: 1, item_count: 500, first_position: 1, last_position: 500 },
      { chunk: 2, item_count: 500, first_position: 501, last_position: 1_000 },
      { chunk: 3, item_count: 234, first_position: 1_001, last_position: 1_234 },
    ]);
    const { rows: transfers } = await fixture.database.pool.query(
      `select count(*)::int as made from transfers where merchant_id = $1 and kind = 'PENDING'`,
      [merchant.merchantId],
    );
    // Amount, fee, VAT and duty of three chunks.
    expect(transfers).toEqual([{ made: 12 }]);
    await openAll();
  });

  it('shows an item as queued before it is a payout of its own', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [...mixedItems(2), { ...mixedItems(1)[0]!, amount: 0 }]);
    await dispatchOf(merchant, reference, { skipInvalid: true });
    const [first, , wrong] = await recordsOf(merchant, reference);
    expect(first).toMatchObject({ payoutStatus: 'QUEUED', transactionId: null });
    expect(wrong).toMatchObject({ payoutStatus: null, transactionId: null, isValid: false });
    await openAll();
    const [opened] = await recordsOf(merchant, reference);
    expect(opened).toMatchObject({ payoutStatus: 'QUEUED', transactionId: first.id });
  });

  it('that names the digest it saw is refused once an item, its validity or a charge is another', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, mixedItems(3));
    const { digest } = await summaryOf(merchant, reference);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const [first] = await recordsOf(merchant, reference);
    for (const changes of [{ narration: 'Other' }, { amount: 6_000 }, { accountNumber: '1' }]) {
      expect((await correct(merchant, first.id, changes)).status).toBe(200);
      const refused = await dispatchOf(merchant, reference, { digest, skipInvalid: true });
      expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_DIGEST_MISMATCH']);
      expect((await summaryOf(merchant, reference)).digest).not.toBe(digest);
    }
    const { amount, accountNumber, narration } = first;
    await correct(merchant, first.id, { amount, accountNumber, narration });
    expect((await summaryOf(merchant, reference)).digest).toBe(digest);
    expect(await heldMinor(merchant)).toBe(0n);
    const wrong = await dispatchOf(merchant, reference, { digest: digest.toUpperCase() });
    expect(wrong.status).toBe(400);
    expect((await dispatchOf(merchant, reference, { digest })).status).toBe(200);
    await openAll();
  });

  it('pays what its digest said or nothing, whatever another process changes at the same moment', async () => {
    const other = await fixture.otherProcess();
    const [here, there] = [processOf(fixture.deps), processOf(other.deps)];
    const met = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const merchant = await fixture.addMerchant();
      const reference = await validatedBatch(fixture, merchant, mixedItems(2, round));
      const { digest, totals } = await summaryOf(merchant, reference);
      const [first] = await recordsOf(merchant, reference);
      const changes = { amount: 7_777 };
      const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
      const correct = () =>
        updateItem(there, { tenant: merchant.tenant, itemId: first.id, changes, idempotency: undefined });
      const send = () => dispatchBy(here, merchant, reference, { digest });
      // One after the other in the first two rounds, so that both orders are met however busy the machine is.
      const sentFirst = round === 0 ? await Promise.allSettled([send()]) : undefined;
      const correctedFirst = round === 1 ? await Promise.allSettled([correct()]) : undefined;
      const [corrected, sent] = await Promise.allSettled([
        correctedFirst === undefined ? correct() : settledAs(correctedFirst[0]),
        sentFirst === undefined ? later(round).then(send) : settledAs(sentFirst[0]),
      ]);
      if (sent.status === 'fulfilled') expect(await heldMinor(merchant)).toBe(minor(totals.total));
      else {
        expect(['BATCH_CHANGED', 'BATCH_DIGEST_MISMATCH']).toContain(sent.reason.code);
        expect(await heldMinor(merchant)).toBe(0n);
      }
      if (corrected.status === 'rejected') expect(corrected.reason.code).toBe('BATCH_ALREADY_DISPATCHED');
      expect([corrected.status, sent.status].filter((status) => status === 'fulfilled')).toHaveLength(1);
      met.add(sent.status);
    }
    expect(met.size).toBe(2);
    await other.close();
    await openAll();
  });

  it('of a process that dies before its commit holds nothing, behind it everything, and its key leads to that', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = mixedItems(700, 3);
    const reference = await validatedBatch(fixture, merchant, rows);
    const idempotency = { key: 'crash', inputHash: 'the same' };
    for (const committed of [false, true]) {
      const gone = Promise.withResolvers<void>();
      const dying = processOf({
        ...fixture.deps,
        ledger: {
          ...fixture.deps.ledger,
          commit: async (movement) => {
            if (committed) await fixture.deps.ledger.commit(movement);
            gone.resolve();
            return new Promise(() => undefined);
          },
        },
      });
      void dispatchBy(dying, merchant, reference, { idempotency });
      await gone.promise;
      expect(await heldMinor(merchant)).toBe(committed ? await costOf(rows) : 0n);
    }
    const told = await fixture.deps.ledger.findAnswer(merchant.tenant, idempotency);
    expect(JSON.parse(told?.answer.body ?? '{}')).toMatchObject({ status: true, data: { status: 'DISPATCHING' } });
    const again = dispatchBy(processOf(fixture.deps), merchant, reference, { idempotency });
    await expect(again).rejects.toMatchObject({ code: 'BATCH_ALREADY_DISPATCHED' });
    expect(await heldMinor(merchant)).toBe(await costOf(rows));
    await openAll();
  });

  it('of payments as in another within a day is refused with the other’s reference, unless it is allowed', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = mixedItems(20);
    const first = await validatedBatch(fixture, merchant, rows);
    await dispatchOf(merchant, first);
    // In another order, with other narrations.
    const again = rows.toReversed().map((row, at) => ({ ...row, narration: `Again ${at}` }));
    const second = await validatedBatch(fixture, merchant, again);
    const refused = await dispatchOf(merchant, second);
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_DUPLICATE']);
    expect(refused.body.message).toContain(`row 20 of bulk payout ${first}`);
    expect((await dispatchOf(merchant, second, { allowDuplicate: true })).status).toBe(200);
    fixture.clock.advance(25 * HOUR_MS);
    const tomorrow = await validatedBatch(fixture, merchant, rows);
    expect((await dispatchOf(merchant, tomorrow)).status).toBe(409);
    await openAll();
    fixture.clock.advance(25 * HOUR_MS);
    expect((await dispatchOf(merchant, tomorrow)).status).toBe(200);
    await openAll();
  });

  it('of two batches with the same payments at the same moment goes through once', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const other = await fixture.otherProcess();
    const references = [];
    for (let at = 0; at < 4; at += 1) references.push(await validatedBatch(fixture, merchant, mixedItems(5)));
    const processes = [processOf(fixture.deps), processOf(other.deps)];
    const outcomes = await Promise.allSettled(
      references.map((reference, at) => dispatchBy(processes[at % 2]!, merchant, reference)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason.code).toBe('BATCH_DUPLICATE');
    expect(await heldMinor(merchant)).toBe(await costOf(mixedItems(5)));
    await other.close();
    await openAll();
  });

  it('is held to the day’s limit as a whole, and a single payout’s limit makes an item invalid', async () => {
    const merchant = await fixture.addMerchant(MANY);
    await fixture.database.pool.query(
      `insert into payout_limits (id, merchant_id, mode, per_payout_minor, per_day_minor, duplicate_window_seconds,
                                  effective_from, source)
       values ('batch-test', $1, 'SANDBOX', 6000000, 10000000, 0, '2021-01-01', 'test')`,
      [merchant.merchantId],
    );
    fixture.clock.advance(61_000);
    const reference = await validatedBatch(fixture, merchant, [
      { ...mixedItems(1)[0]!, amount: 60_001 },
      { ...mixedItems(1)[0]!, amount: 60_000 },
      { ...mixedItems(1, 1)[0]!, amount: 40_001 },
    ]);
    const [tooMuch, , last] = await recordsOf(merchant, reference);
    expect(tooMuch.reason).toBe('The amount must not be more than ₦60,000.00.');
    const refused = await dispatchOf(merchant, reference, { skipInvalid: true });
    expect([refused.status, refused.body.code]).toEqual([422, 'DAILY_LIMIT_EXCEEDED']);
    expect(await heldMinor(merchant)).toBe(0n);
    await correct(merchant, last.id, { amount: 40_000 });
    expect((await dispatchOf(merchant, reference, { skipInvalid: true })).status).toBe(200);
    await openAll();
    const { rows } = await fixture.database.pool.query(
      `select counted_on::text as day, count(*)::int as payouts from payouts where merchant_id = $1 group by 1`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), payouts: 2 }]);
  });
});

async function openAll(): Promise<void> {
  while ((await openOnce(fixture.deps)) > 0) {
    // One chunk at a time.
  }
}
