import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listItemRepeats } from '../../src/batches/repeat-queries.ts';
import { setLimits } from '../../src/limits/set-limits.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  dispatchBy,
  dispatchOf,
  expectCountersToBeTrue,
  heldMinor,
  minor,
  openOnce,
  processOf,
  recordsOf,
  summaryOf,
  validatedBatch,
} from './batch-fixture.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  untilQuiet,
} from './payout-fixture.ts';

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
const HOUR_MS = 60 * 60_000;
const rowOf = (amount: number, accountNumber = '0123456785') => ({
  ...{ amount, bankCode: '058', accountNumber },
  narration: 'Salary',
});
const pay = (merchant: Merchant, row: object, fields: object = {}) =>
  merchant.call('POST', '/payout/single', payment({ ...row, allowDuplicate: undefined, ...fields }));
const idOf = (reference: string) => reference.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const csvOf = async (merchant: Merchant, reference: string, name: string) =>
  (
    await fixture.server.inject({
      url: `/payout/bulk/${reference}/${name}.csv`,
      headers: { authorization: `Bearer ${merchant.secretKey}` },
    })
  ).body.split('\r\n');

describe('an item', () => {
  it('says what it repeats: a payment, a schedule, a row of a list that was paid or waits, a row above', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const paid = await validatedBatch(fixture, merchant, [rowOf(1), rowOf(2, '1111111111')]);
    await dispatchOf(merchant, paid);
    await fixture.worker.runOnce();
    const waits = await validatedBatch(fixture, merchant, [rowOf(3)]);
    fixture.clock.advance(HOUR_MS);
    const single = (await pay(merchant, rowOf(4))).body.data.transactionId;
    const scheduledFor = new Date(fixture.clock.now().getTime() + 60_000).toISOString();
    const later = await merchant.call(
      'POST',
      '/payout/single/schedule',
      payment({ ...rowOf(5), allowDuplicate: undefined, scheduledFor }),
    );
    const rows = [rowOf(2, '1111111111'), rowOf(3), rowOf(4), rowOf(5), rowOf(6), rowOf(7), rowOf(6)];
    const reference = await validatedBatch(fixture, merchant, rows);
    const records = await recordsOf(merchant, reference);
    const none = { transactionId: null, batchReference: null, row: null };
    expect(records.map((record: { repeats: unknown }) => record.repeats)).toEqual([
      { kind: 'BATCH', transactionId: expect.any(String), batchReference: paid, row: 2, at: expect.any(String) },
      { ...none, kind: 'WAITING_BATCH', batchReference: waits, row: 1, at: expect.any(String) },
      { ...none, kind: 'PAYOUT', transactionId: single, at: fixture.clock.now().toISOString() },
      { ...none, kind: 'SCHEDULE', transactionId: later.body.data.scheduleId, at: scheduledFor },
      null,
      null,
      { ...none, kind: 'ROW', row: 5, at: null },
    ]);
    expect(records.map((record: { warnings: string[] }) => record.warnings.join())).toEqual([
      expect.stringMatching(`^Repeats row 2 of bulk payout ${paid}, dispatched on .*Lagos time.$`),
      expect.stringMatching(`^Repeats row 1 of bulk payout ${waits}, uploaded on .*which waits to be dispatched.$`),
      expect.stringMatching(`^Repeats transaction ${single}: the same amount was paid to this account on `),
      expect.stringMatching(/^Repeats transaction .*: the same amount is scheduled for this account, /),
      '',
      '',
      'Repeats row 5: the same bank, account and amount.',
    ]);
    expect(await summaryOf(merchant, reference)).toMatchObject({
      duplicates: { count: 5, amount: 2 + 3 + 4 + 5 + 6 },
      counts: { warnings: 5, valid: 7 },
    });
    expect(await recordsOf(merchant, reference, '?isDuplicate=true')).toHaveLength(5);
    expect(await recordsOf(merchant, reference, '?isDuplicate=false&hasWarnings=false')).toHaveLength(2);
    // A list that came first repeats nothing of one that came later.
    expect((await summaryOf(merchant, waits)).duplicates.count).toBe(0);
    const result = await csvOf(merchant, reference, 'result');
    expect(result.filter((line) => line.includes('Repeats'))).toHaveLength(5);
  });

  it('that cannot be paid repeats nothing and is repeated by nothing, until it is corrected', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [rowOf(5, '12'), rowOf(5), rowOf(5, '123')]);
    expect((await summaryOf(merchant, reference)).duplicates.count).toBe(0);
    const records = await recordsOf(merchant, reference);
    const rejected = await csvOf(merchant, reference, 'rejected');
    expect(rejected.join()).not.toContain('Repeats');
    const correct = (at: number) =>
      merchant.call('PATCH', '/payout/bulk/item', {
        bulkPayoutItemId: records[at].id,
        accountNumber: '0123456785',
      });
    const last = await correct(2);
    expect(last.body.data.records[2]).toMatchObject({ repeats: { kind: 'ROW', row: 2 } });
    await correct(0);
    expect((await summaryOf(merchant, reference)).duplicates).toEqual({ count: 2, amount: 10 });
    expect((await recordsOf(merchant, reference)).map((one: { repeats: unknown }) => one.repeats)).toEqual([
      null,
      expect.objectContaining({ kind: 'ROW', row: 1 }),
      expect.objectContaining({ kind: 'ROW', row: 1 }),
    ]);
  });

  it('stops to repeat a payment once the window is over, and a list’s row after a day', async () => {
    const merchant = await fixture.addMerchant(MANY);
    await dispatchOf(merchant, await validatedBatch(fixture, merchant, [rowOf(8)]));
    await fixture.worker.runOnce();
    await pay(merchant, rowOf(9));
    const reference = await validatedBatch(fixture, merchant, [rowOf(8), rowOf(9)]);
    const count = async () => (await summaryOf(merchant, reference)).duplicates.count;
    expect(await count()).toBe(2);
    fixture.clock.advance(120_000);
    expect(await count()).toBe(1);
    fixture.clock.advance(24 * HOUR_MS - 120_000);
    expect(await count()).toBe(0);
    expect(await recordsOf(merchant, reference, '?isDuplicate=true')).toEqual([]);
    expect((await dispatchOf(merchant, reference)).status).toBe(200);
    await fixture.worker.runOnce();
  });

  it('repeats a list’s row for as long as the window of its merchant, where that is longer than a day', async () => {
    const merchant = await fixture.addMerchant(MANY);
    await setLimits(fixture.deps, {
      ...merchant.tenant,
      ...{ perPayoutMinor: undefined, perDayMinor: undefined, duplicateWindowSeconds: 3 * 24 * 3_600 },
      ...{ effectiveFrom: undefined, effectiveTo: null, source: 'a test' },
    });
    fixture.clock.advance(60_000);
    await dispatchOf(merchant, await validatedBatch(fixture, merchant, [rowOf(8)]));
    await fixture.worker.runOnce();
    fixture.clock.advance(3 * 24 * HOUR_MS - 60_000);
    const soon = await validatedBatch(fixture, merchant, [rowOf(8)]);
    expect((await summaryOf(merchant, soon)).duplicates.count).toBe(1);
    expect((await dispatchOf(merchant, soon)).body.code).toBe('BATCH_DUPLICATE');
    fixture.clock.advance(120_000);
    expect((await summaryOf(merchant, soon)).duplicates.count).toBe(0);
    expect((await dispatchOf(merchant, soon)).status).toBe(200);
    await fixture.worker.runOnce();
  });
});

describe('removing items', () => {
  it('that repeated something leaves right books, also before anybody looks at the batch again', async () => {
    const merchant = await fixture.addMerchant(MANY);
    await pay(merchant, rowOf(31));
    await pay(merchant, rowOf(32));
    const reference = await validatedBatch(fixture, merchant, [rowOf(31), rowOf(32)]);
    expect((await summaryOf(merchant, reference)).duplicates.count).toBe(2);
    for (const { id } of await recordsOf(merchant, reference)) {
      expect((await merchant.call('DELETE', `/payout/bulk/item/${id}`)).status).toBe(200);
      expect(await brokenChecks(fixture.database)).toEqual([]);
    }
    expect((await summaryOf(merchant, reference)).duplicates).toEqual({ count: 0, amount: 0 });
  });
});

describe('a dispatch', () => {
  it('is held to the number that was shown: what repeats since is refused, said, and paid when it is meant too', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = [rowOf(1_000), rowOf(2_000), rowOf(3_000)];
    const reference = await validatedBatch(fixture, merchant, rows);
    await pay(merchant, rows[0]!);
    expect((await summaryOf(merchant, reference)).duplicates).toEqual({ count: 1, amount: 1_000 });
    await pay(merchant, rows[1]!);
    const meant = await dispatchOf(merchant, reference, { allowDuplicate: true });
    expect([meant.status, meant.body.code]).toEqual([409, 'BATCH_DUPLICATE']);
    expect(meant.body.message).toContain('2 items repeat what was paid or waits to be paid: ₦3,000.00 in all.');
    expect(await heldMinor(merchant)).toBe(minor(3_021.5));
    expect((await dispatchOf(merchant, reference)).body.code).toBe('BATCH_DUPLICATE');
    expect((await dispatchOf(merchant, reference, { allowDuplicate: true, duplicates: 1 })).status).toBe(409);
    expect((await dispatchOf(merchant, reference, { allowDuplicate: true, duplicates: 2 })).status).toBe(200);
    expect((await summaryOf(merchant, reference)).duplicates).toEqual({ count: 2, amount: 3_000 });
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(5);
  });

  it('without a word pays what repeated something when it was read, and no longer does', async () => {
    const merchant = await fixture.addMerchant(MANY);
    await pay(merchant, rowOf(1_000));
    const reference = await validatedBatch(fixture, merchant, [rowOf(1_000)]);
    expect((await summaryOf(merchant, reference)).duplicates.count).toBe(1);
    fixture.clock.advance(120_000);
    expect((await dispatchOf(merchant, reference)).status).toBe(200);
    expect((await summaryOf(merchant, reference)).duplicates.count).toBe(0);
    await untilQuiet(fixture);
  });

  it('of a list that names a row twice has to mean it, and pays it twice then', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [rowOf(1_000), rowOf(1_000)]);
    const refused = await dispatchOf(merchant, reference);
    expect(refused.body.message).toContain(
      'One item repeats what was paid or waits to be paid: ₦1,000.00 in all. Row 2:',
    );
    expect((await dispatchOf(merchant, reference, { allowDuplicate: true })).status).toBe(200);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(2);
  });

  it('is not paid beside a payment by hand of the moment after it was compared', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [rowOf(100)]);
    const { database } = fixture.deps;
    let paid: number | undefined;
    const query: typeof database.query = async (statement, values) => {
      const found = await database.query(statement, values);
      if (statement.name === listItemRepeats.name) paid ??= (await pay(merchant, rowOf(100))).status;
      return found;
    };
    const here = processOf({ ...fixture.deps, database: { ...database, query } });
    await expect(dispatchBy(here, merchant, reference)).rejects.toMatchObject({ code: 'BATCH_DUPLICATE' });
    expect(paid).toBe(200);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });
});

/** As a defect would: another payout holds the key, and nobody was asked about it. */
async function takeUnseen(merchant: Merchant, value: string, meant = false): Promise<void> {
  const made = await merchant.call('POST', '/payout/single', payment({ ...rowOf(1, '9999999999') }));
  const { transactionId } = made.body.data;
  await fixture.database.pool.query('update dedupe_keys set value = $2, is_meant = $3 where subject_id = $1', [
    transactionId,
    value,
    meant,
  ]);
}

describe('an item of a dispatched list whose payment was taken since, unseen,', () => {
  it.each([
    [false, 'was not'],
    [true, 'was'],
  ])(
    'fails alone, with its money back and its list counted right, where a duplicate (%s) %s allowed',
    async (allowed) => {
      const merchant = await fixture.addMerchant(MANY);
      const rows = [rowOf(100), rowOf(200), rowOf(300), rowOf(100)].slice(0, allowed ? 4 : 3);
      const reference = await validatedBatch(fixture, merchant, rows);
      expect((await dispatchOf(merchant, reference, { allowDuplicate: allowed })).status).toBe(200);
      await takeUnseen(merchant, '058:0123456785:20000:NGN');
      // One that was meant although the row stood there takes nothing from it.
      await takeUnseen(merchant, '058:0123456785:30000:NGN', true);
      const alarms: unknown[] = [];
      const onAlarm = (alarm: unknown) => void alarms.push(alarm);
      expect(await openOnce({ ...fixture.deps, onAlarm })).toBe(1);
      expect(alarms).toEqual([{ alarm: 'BATCH_ITEMS_PAID_OTHERWISE', mode: 'SANDBOX' }]);
      const waiting = await recordsOf(merchant, reference);
      expect(waiting[1]).toMatchObject({ payoutStatus: 'QUEUED', payoutReason: 'PAYOUT_DUPLICATE' });
      await untilQuiet(fixture);
      const ended = await recordsOf(merchant, reference);
      expect(
        ended.map((one: { payoutStatus: string; payoutReason: string }) => [one.payoutStatus, one.payoutReason]),
      ).toEqual(rows.map((row) => (row.amount === 200 ? ['FAILED', 'PAYOUT_DUPLICATE'] : ['SUCCESS', null])));
      expect(await summaryOf(merchant, reference)).toMatchObject({
        status: 'PARTIALLY_COMPLETED',
        payouts: { open: 0, succeeded: rows.length - 1, failed: 1 },
      });
      const { rows: sends } = await fixture.database.pool.query(`select 1 from payout_attempts where payout_id = $1`, [
        ended[1].id,
      ]);
      expect(sends).toEqual([]);
      expect(await heldMinor(merchant)).toBe(0n);
      // It released nothing that was not its own: the one that took it still counts.
      await restore(merchant);
    },
  );

  it('fails, no matter which worker expands the chunk or when a process dies on the way', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [rowOf(100), rowOf(200)]);
    await dispatchOf(merchant, reference);
    await takeUnseen(merchant, '058:0123456785:20000:NGN');
    const dying = {
      ...fixture.deps,
      ledger: {
        ...fixture.deps.ledger,
        commit: async (...[movement]: Parameters<typeof fixture.deps.ledger.commit>) => {
          await fixture.deps.ledger.commit(movement);
          return new Promise<never>(() => undefined);
        },
      },
    };
    void openOnce(dying);
    const opened = async () =>
      (
        await fixture.database.pool.query('select 1 from payouts where merchant_id = $1 and batch_id = $2', [
          merchant.merchantId,
          idOf(reference),
        ])
      ).rowCount;
    await expect.poll(opened).toBe(2);
    fixture.clock.advance(61_000);
    await untilQuiet(fixture);
    const ended = await recordsOf(merchant, reference);
    expect(ended.map((one: { payoutStatus: string }) => one.payoutStatus)).toEqual(['SUCCESS', 'FAILED']);
    await restore(merchant);
  });
});

/** Undoes what `takeUnseen` bent: the books are proved afterwards. */
async function restore({ merchantId }: Merchant): Promise<void> {
  await fixture.database.pool.query(
    `update dedupe_keys set value = '058:9999999999:100:NGN', is_meant = true where merchant_id = $1 and batch_id is null`,
    [merchantId],
  );
}
