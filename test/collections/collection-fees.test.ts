import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeCredit } from '../../src/collections/take-credit.ts';
import { exportPayments } from '../../src/collections/views.ts';
import { changeFeeRules } from '../../src/fees/index.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import { createSuspenseFixture, type SuspenseFixture } from './suspense-fixture.ts';

let fixture: SuspenseFixture;
/** ₦1 and 1 %, at most ₦300; VAT is 7.5 % of that. */
let ruleId: string;

beforeAll(async () => {
  fixture = await createSuspenseFixture();
  ruleId = await collectionFee(fixture, { flatMinor: 1_00n, rateBasisPoints: 100, capMinor: 300_00n });
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

type Payee = Awaited<ReturnType<SuspenseFixture['payee']>>;

/** What the books have of a merchant: by account, and transfer by transfer of one payment. */
async function booksOf({ merchantId, tenant }: Pick<Payee, 'merchantId' | 'tenant'>, paymentId?: string) {
  const accounts = await fixture.database.pool.query(
    `select kind, credits_posted_minor - debits_posted_minor as booked from accounts where merchant_id = $1 and mode = $2`,
    [merchantId, tenant.mode],
  );
  const transfers = await fixture.database.pool.query(
    'select code, amount_minor from transfers where merchant_id = $1 and transaction_id = $2 order by debit_sequence + credit_sequence, code',
    [merchantId, paymentId],
  );
  const booked = (kind: string) => accounts.rows.find((row) => row.kind === kind)?.booked;
  return {
    income: booked('FEE_INCOME'),
    tax: booked('TAX_PAYABLE'),
    transfers: transfers.rows.map(({ code, amount_minor }) => `${code} ${amount_minor}`).sort(),
  };
}

const paid = (payee: Payee, amountMinor: bigint) =>
  fixture.takeWebhook(fixture.script.receive({ accountNumber: payee.accountNumber, amountMinor }));

describe('the fee on a payment in', () => {
  it('leaves the wallet with the credit: gross in, fee to income, VAT to tax, each its own posting', async () => {
    const payee = await fixture.payee();
    expect(await paid(payee, 1_000_00n)).toEqual(['CREDITED']);
    expect(await payee.balance()).toBe(1_000_00n - 11_00n - 83n);
    const [payment] = await fixture.paymentsOf(payee);
    expect(payment).toMatchObject({ status: 'CREDITED', amount: 1_000, fee: 11, vat: 0.83, net: 988.17 });
    expect(await booksOf(payee, payment?.paymentId)).toEqual({
      income: 11_00n,
      tax: 83n,
      transfers: ['COLLECTION 100000', 'COLLECTION_FEE 1100', 'COLLECTION_VAT 83'],
    });
  });

  it('is at most the cap, and in the file as in the list', async () => {
    const payee = await fixture.payee();
    await paid(payee, 90_000_00n);
    expect(await fixture.paymentsOf(payee)).toMatchObject([{ amount: 90_000, fee: 300, vat: 22.5, net: 89_677.5 }]);
    const file = await exportPayments(fixture, payee.tenant, {}, { gone: new AbortController().signal });
    expect(await textOf(file)).toContain('90000.00,300.00,22.50,89677.50');
  });

  it('never takes more than arrived: one kobo is all fee, and the wallet is as it was', async () => {
    const payee = await fixture.payee();
    await paid(payee, 1n);
    expect(await payee.balance()).toBe(0n);
    await paid(payee, 1_00n);
    expect(await payee.balance()).toBe(0n);
    expect(await fixture.paymentsOf(payee)).toMatchObject([
      { amount: 1, fee: 0.93, vat: 0.07, net: 0 },
      { amount: 0.01, fee: 0.01, vat: 0, net: 0 },
    ]);
    expect(await booksOf(payee)).toMatchObject({ income: 94n, tax: 7n });
  });

  it('is taken once of a hundred copies that four processes take at once', async () => {
    const payee = await fixture.payee();
    const hint = fixture.script.receive({ accountNumber: payee.accountNumber, amountMinor: 500_00n });
    const processes = Array.from({ length: 4 }, () => {
      const database = fixture.base.open(4);
      return { database, deps: fixture.another(database) };
    });
    const copies = Array.from({ length: 100 }, (_, at) => {
      const { deps } = processes[at % 4] as (typeof processes)[number];
      return takeCredit(deps, fixture.creditRail, hint, { source: 'WEBHOOK' });
    });
    expect((await Promise.all(copies)).filter((taken) => taken === 'CREDITED')).toHaveLength(1);
    expect(await payee.balance()).toBe(500_00n - 6_00n - 45n);
    expect(await booksOf(payee)).toMatchObject({ income: 6_00n, tax: 45n });
    for (const { database, deps } of processes) {
      await deps.ledger.drain();
      await database.close();
    }
  });

  it('is not taken when a payment goes to suspense, and is when two people release it, by the rule of that day', async () => {
    const held = await fixture.heldPayment({ amountMinor: 2_000_00n });
    expect(await fixture.paymentsOf(held)).toMatchObject([{ status: 'SUSPENSE', fee: 0, vat: 0, net: 2_000 }]);
    expect(await booksOf(held)).toMatchObject({ income: 0n, tax: 0n });
    ruleId = await collectionFee(fixture, { rateBasisPoints: 200 }, [ruleId]);
    await fixture.decidePayment(held, { action: 'ATTRIBUTE' });
    expect(await held.balance()).toBe(2_000_00n - 40_00n - 3_00n);
    expect(await fixture.paymentsOf(held)).toMatchObject([{ status: 'CREDITED', fee: 40, vat: 3, net: 1_957 }]);
    expect(await booksOf(held)).toMatchObject({ income: 40_00n, tax: 3_00n });
  });

  it('is not taken of what is returned or kept', async () => {
    const [returned, kept] = [await fixture.heldPayment(), await fixture.heldPayment()];
    await fixture.decidePayment(returned, { action: 'RETURN' });
    await fixture.decidePayment(kept, { action: 'KEEP' });
    expect(await fixture.paymentsOf(returned)).toMatchObject([{ status: 'RETURNED', fee: 0, vat: 0 }]);
    expect(await fixture.paymentsOf(kept)).toMatchObject([{ status: 'KEPT', fee: 0, vat: 0 }]);
    expect(await booksOf(returned)).toMatchObject({ income: 0n, tax: 0n });
    expect(await booksOf(kept)).toMatchObject({ income: 40_00n, tax: 0n });
  });

  it('ends with its rule: what comes from that moment on is whole', async () => {
    const payee = await fixture.payee();
    const { database, clock } = fixture;
    const endsAt = new Date(clock.now().getTime() + 180_000);
    await changeFeeRules({ database, clock }, { rules: [], endsRuleIds: [ruleId], endsAt });
    await paid(payee, 100_00n);
    clock.advance(180_000);
    await paid(payee, 100_00n);
    expect(await fixture.paymentsOf(payee)).toMatchObject([
      { fee: 0, vat: 0, net: 100 },
      { fee: 2, vat: 0.15, net: 97.85 },
    ]);
  });
});

async function textOf(file: Awaited<ReturnType<typeof exportPayments>>): Promise<string> {
  let text = '';
  for await (const part of file.stream()) text += String(part);
  await file.close();
  return text;
}
