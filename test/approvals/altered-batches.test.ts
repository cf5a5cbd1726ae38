import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBooks } from '../../src/verify/index.ts';
import { readMetrics, TEST_PIN } from '../support/app.ts';
import { rowsOf } from '../support/world.ts';
import {
  approve,
  type Business,
  balanceOf,
  business,
  type Call,
  codeOf,
  createTestApp,
  expectBooksRight,
  reject,
  sends,
  type TestApp,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const item = (at: number) => {
  return { amount: 1_000 + at, bankCode: '058', accountNumber: String(1_000_000_000 + at), narration: 'Salary' };
};

async function readyBatch(shop: Business): Promise<string> {
  const made = await shop.byKey('POST', '/payout/bulk', { items: [item(0), item(1), item(2)] });
  await t.app.worker.runOnce();
  return made.body.data.batchReference;
}

const dispatch = (by: Call, batchReference: string, fields = {}) =>
  by('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, allowDuplicate: true, ...fields });

async function waitingBatch(shop: Business) {
  const reference = await readyBatch(shop);
  const reply = await dispatch(shop.maker.call, reference);
  const { approvalId } = reply.body.data as { approvalId: string };
  const { digest } = (await shop.maker.call('GET', `/approval/${approvalId}`)).body.data;
  return { reference, approvalId, digest: digest as string };
}

const statusOf = async (by: Call, reference: string) => (await by('GET', `/payout/bulk/${reference}`)).body.data.status;

/** The first item, altered behind the service. @returns what puts it right. */
async function alterItem({ merchant }: Business, set: string): Promise<() => Promise<unknown>> {
  const first = `merchant_id = $1 and position = 1`;
  const [before] = await rowsOf<Record<string, unknown>>(
    t.connectionString,
    `select amount_minor, bank_code, bank_name, account_number, account_name, narration from batch_items where ${first}`,
    [merchant.merchantId],
  );
  await t.database.pool.query(`update batch_items set ${set} where ${first}`, [merchant.merchantId]);
  const names = Object.keys(before!);
  const back = names.map((name, at) => `${name} = $${at + 2}`).join(', ');
  return () =>
    t.database.pool.query(`update batch_items set ${back} where ${first}`, [
      merchant.merchantId,
      ...Object.values(before!),
    ]);
}

const ALTERATIONS = [
  ['amount', 'amount_minor = amount_minor + 1'],
  ['account', `account_number = '9876543210'`],
  ['bank', `bank_code = '057'`],
  ['name', `account_name = 'SOMEBODY ELSE'`],
  ['narration', `narration = 'Loan'`],
] as const;

/** How often an alarm was raised in this process. */
async function alarms(name: string): Promise<number> {
  const found = (await readMetrics(t)).matchAll(new RegExp(`^money_alarms_total\\{alarm="${name}".*\\} (\\d+)$`, 'gm'));
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
}

const brokenChecks = async () => (await verifyBooks(t.database)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

describe('a batch with an item that was altered behind the service', () => {
  it('while it waits for approval is not dispatched, whichever of its fields it was', async () => {
    const shop = await business(t);
    const batch = await waitingBatch(shop);
    const before = await balanceOf(shop);
    for (const [what, set] of ALTERATIONS) {
      const alarmed = await alarms('APPROVAL_SUBJECT_ALTERED');
      const putRight = await alterItem(shop, set);
      expect(codeOf(await approve(shop.ann, batch)), what).toBe('409 APPROVAL_SUBJECT_ALTERED');
      expect(await alarms('APPROVAL_SUBJECT_ALTERED'), what).toBeGreaterThan(alarmed);
      await t.app.worker.runOnce();
      expect(await statusOf(shop.byKey, batch.reference), what).toBe('PENDING_APPROVAL');
      expect(await balanceOf(shop), what).toEqual(before);
      await putRight();
    }
    expect(await sends(t, shop.merchant)).toBe(0);
    expect(codeOf(await approve(shop.ann, batch))).toBe('DONE');
  });

  it('is not dispatched by what the batch row remembers of it, whatever of the row was altered with it', async () => {
    const shop = await business(t);
    const batch = await waitingBatch(shop);
    await alterItem(shop, `account_number = '9876543210'`);
    const forget = 'update batches set items_digest = null, digest_version = null where merchant_id = $1';
    await t.database.pool.query(forget, [shop.merchant.merchantId]);
    expect(codeOf(await approve(shop.ann, batch))).toBe('409 APPROVAL_SUBJECT_ALTERED');
    // Its maker has it again, and sees what it is by now.
    expect(codeOf(await reject(shop.ann, batch))).toBe('DONE');
    expect(await statusOf(shop.byKey, batch.reference)).toBe('READY');
  });

  it('is not dispatched without an approval either, whichever of its fields it was', async () => {
    const shop = await business(t, []);
    const reference = await readyBatch(shop);
    const seen = (await shop.byKey('GET', `/payout/bulk/${reference}`)).body.data.digest;
    for (const [what, set] of ALTERATIONS) {
      const putRight = await alterItem(shop, set);
      for (const fields of [{}, { digest: seen }]) {
        expect(codeOf(await dispatch(shop.byKey, reference, fields)), what).toBe('409 BATCH_ITEMS_ALTERED');
      }
      await putRight();
    }
    expect(codeOf(await dispatch(shop.byKey, reference, { digest: seen }))).toBe('DONE');
  });

  it('after its dispatch is not opened into payouts, and the proof says so, whichever of its fields it was', async () => {
    const shop = await business(t);
    const batch = await waitingBatch(shop);
    expect(codeOf(await approve(shop.ann, batch))).toBe('DONE');
    const held = await balanceOf(shop);
    for (const [what, set] of ALTERATIONS) {
      const alarmed = await alarms('BATCH_ITEMS_ALTERED');
      const putRight = await alterItem(shop, set);
      expect(await brokenChecks(), what).toContain('chunks-are-what-was-dispatched');
      await t.app.worker.runOnce();
      expect(await sends(t, shop.merchant), what).toBe(0);
      expect(await balanceOf(shop), what).toEqual(held);
      expect(await alarms('BATCH_ITEMS_ALTERED'), what).toBeGreaterThan(alarmed);
      await putRight();
      // What failed is left alone until then.
      t.clock.advance(300_000);
    }
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(3);
    expect(await brokenChecks()).toEqual([]);
  });
});
