import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAboutDisputes } from '../../src/disputes/index.ts';
import {
  applyProviderSettlement,
  pollSettlements,
  readProviderSettlement,
  recordFetchedSettlements,
  resumeSettlements,
} from '../../src/provider-settlements/index.ts';
import { createRefundFixture, type RefundFixture } from '../refunds/refund-fixture.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';

type Merchant = Awaited<ReturnType<RefundFixture['addMerchant']>>;

let t: RefundFixture;
let personId: string;
beforeAll(async () => {
  t = await createRefundFixture();
  personId = await addPerson(t, { kind: 'OPERATOR', email: 'bola@manilla.example' });
});
afterAll(async () => {
  const broken = await brokenChecks(t.database);
  expect(broken.map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

const rows = async <T extends object>(sql: string, values: unknown[]): Promise<T[]> =>
  (await t.database.pool.query<T>(sql, values)).rows;

/** The bank settles, its webhook says so, and the service asks for the lines. @returns what it said, and the settlement */
async function settled(merchant: Merchant, scenario?: string) {
  const { status, body } = await merchant.call('POST', '/sandbox/collection/settlement', { scenario });
  expect([status, body.message]).toEqual([200, 'Settled at the sandbox bank']);
  await t.container.sandbox.deliverAllDueWebhooks(t.container.jobs);
  await recordFetchedSettlements(t.container, 'SANDBOX');
  const [row] = await rows<{ id: string }>('select id from provider_settlements where reference = $1', [
    body.data.reference,
  ]);
  return { said: body.data, id: row?.id ?? '' };
}

const apply = (settlementId: string) =>
  applyProviderSettlement(t.container, { settlementId, personId, note: null, limit: 1_000 });
const counts = async (id: string) =>
  Object.fromEntries(
    Object.entries((await readProviderSettlement(t.database, id)).counts).filter(([, lines]) => lines > 0),
  );
const owed = async ({ merchantId }: Merchant) => {
  const sql = `select coalesce(sum(debits_posted_minor - credits_posted_minor), 0)::int as owed from accounts
                where merchant_id = $1 and kind = 'COLLECTION_RECEIVABLE'`;
  return (await rows<{ owed: number }>(sql, [merchantId]))[0]?.owed;
};
/** Disputed, and lost by silence. */
async function lose(merchant: Merchant, paymentId: string): Promise<void> {
  await merchant.dispute(paymentId);
  await merchant.call('POST', '/sandbox/clock/advance', { seconds: 17 * 3_600 });
  await askAboutDisputes(t.container, 'SANDBOX');
}

describe('a settlement of the sandbox bank', () => {
  it('has every payment, less what was refunded and lost, and closes what the bank owes to zero', async () => {
    const merchant = await t.addMerchant();
    const [first, second] = [await merchant.pay(1_000), await merchant.pay(700)];
    await merchant.pay(300);
    await merchant.refund(first, { amount: 400 });
    await t.work();
    await lose(merchant, second);
    const { said, id } = await settled(merchant);
    expect(said).toMatchObject({ scenario: 'whole', amount: 900, currency: 'NGN' });
    expect(said.lines.map(({ kind, net }: { kind: string; net: number }) => [kind, net])).toEqual([
      ['PAYMENT', 1_000],
      ['PAYMENT', 700],
      ['PAYMENT', 300],
      ['REFUND', -400],
      ['DISPUTE', -700],
    ]);
    expect(await counts(id)).toEqual({ MATCHED: 3, DEDUCTION_MATCHED: 2 });
    expect(await apply(id)).toEqual({ posted: 5, isDone: true });
    expect(await owed(merchant)).toBe(0);
    const again = await merchant.call('POST', '/sandbox/collection/settlement', {});
    expect([again.status, again.body.code]).toEqual([409, 'SANDBOX_NOTHING_TO_SETTLE']);
  });

  it.each([
    ['fee_differs', { MATCHED: 1, FEE_DIFFERS: 1 }, -10_00],
    ['payment_missing', { MATCHED: 1, MISSING_THERE: 1 }, 500_00],
    ['unknown_payment', { MATCHED: 2, MISSING_HERE: 1 }, 0],
  ] as const)('names its difference: %s', async (scenario, named, left) => {
    const merchant = await t.addMerchant();
    await merchant.pay(500);
    await merchant.pay(200);
    // What others were paid is no business of it.
    const other = await t.addMerchant();
    await other.pay(900);
    const { id } = await settled(merchant, scenario);
    expect(await counts(id)).toEqual(named);
    await apply(id);
    expect(await owed(merchant)).toBe(scenario === 'fee_differs' ? 0 : left);
    if (scenario !== 'payment_missing') return;
    const next = await settled(merchant);
    await apply(next.id);
    expect(await owed(merchant)).toBe(0);
    expect((await readProviderSettlement(t.database, id)).unresolved).toBe(0);
  });

  it('that takes a chargeback twice is posted once, and named', async () => {
    const merchant = await t.addMerchant();
    const paymentId = await merchant.pay(100);
    await merchant.pay(1_000);
    await lose(merchant, paymentId);
    const { said, id } = await settled(merchant, 'deducted_twice');
    expect(said.amount).toBe(900);
    expect(await counts(id)).toEqual({ MATCHED: 2, DEDUCTION_MATCHED: 1, DUPLICATE_LINE: 1 });
    await apply(id);
    expect(await owed(merchant)).toBe(0);
  });

  it('whose lines do not come to its sum is applied by nobody', async () => {
    const merchant = await t.addMerchant();
    await merchant.pay(100);
    const { id } = await settled(merchant, 'sum_differs');
    await expect(apply(id)).rejects.toMatchObject({ code: 'SETTLEMENT_FETCHED_DIFFERS' });
  });

  it('that takes what it lost before this service heard of it is posted when that is heard', async () => {
    const merchant = await t.addMerchant();
    const paymentId = await merchant.pay(250);
    await merchant.dispute(paymentId);
    await merchant.call('POST', '/sandbox/clock/advance', { seconds: 17 * 3_600 });
    const { id } = await settled(merchant);
    expect(await counts(id)).toEqual({ MATCHED: 1, STATUS_DIFFERS: 1 });
    await apply(id);
    await askAboutDisputes(t.container, 'SANDBOX');
    expect(await owed(merchant)).toBe(-250_00);
    expect(await resumeSettlements(t.container, 'SANDBOX')).toBe(1);
    expect(await owed(merchant)).toBe(0);
  });

  it('asked for many times at once is made once, and its list and webhooks bring it once', async () => {
    const merchant = await t.addMerchant();
    await merchant.pay(100);
    const asked = await Promise.all(
      Array.from({ length: 5 }, () => merchant.call('POST', '/sandbox/collection/settlement', {})),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(asked.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['SANDBOX_NOTHING_TO_SETTLE']),
    );
    await pollSettlements(t.container, 'SANDBOX');
    await t.container.sandbox.deliverAllDueWebhooks(t.container.jobs);
    await pollSettlements(t.container, 'SANDBOX');
    const noted = 'select status from provider_settlement_fetches where reference like $1';
    const hex = merchant.merchantId.replaceAll('-', '');
    expect(await rows(noted, [`sbs_${hex}_%`])).toHaveLength(1);
  });

  it('is read within the bounds of its account, and not found where the bank has none', async () => {
    const rail = await t.container.rails.findRail('SANDBOX', 'sandbox');
    const source = rail?.wallets?.settlements;
    await expect(source?.readLines({ reference: 'sbs_none', lumpMinor: 0n, cursor: null })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await source?.scopeOf('sbs_none')).toBeUndefined();
  });
});
