import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../../src/payment-sessions/open-session.ts';
import { exportSessions } from '../../src/payment-sessions/read-sessions.ts';
import { type CollectionFixture, createCollectionFixture } from '../collections/fixture.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import { asked, openedSession } from './support.ts';

let fixture: CollectionFixture;
/** 2 %; VAT is 7.5 % of that. */
let ruleId: string;

beforeAll(async () => {
  fixture = await createCollectionFixture();
  ruleId = await collectionFee(fixture, { rateBasisPoints: 200 });
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

describe('a payment session whose customer bears the fee', () => {
  it('asks for amount, fee and VAT, and leaves the merchant exactly the amount', async () => {
    const { tenant, read, pay, balance } = await openedSession(fixture, { feeBearer: 'CUSTOMER' });
    expect(await read()).toMatchObject({
      ...{ status: 'OPEN', feeBearer: 'CUSTOMER', amount: 100, fee: 2.04, vat: 0.15 },
      ...{ amountToPay: 102.19, outstanding: 102.19 },
    });
    await pay(102_19n);
    expect(await read()).toMatchObject({ status: 'PAID', payments: [{ amount: 102.19, note: null }] });
    expect(await balance()).toBe(100_00n);
    const file = await exportSessions(fixture.database, tenant, {}, new AbortController().signal);
    const [row] = parse(await text(file.stream()), { bom: true, columns: true });
    await file.close();
    expect(row).toMatchObject({ Status: 'PAID', Amount: '100.00', 'Amount To Pay': '102.19', Received: '102.19' });
  });

  it('is opened at the provider for all of that, and for more where the provider adds a fee of its own', async () => {
    const { provider } = fixture.script;
    const open = provider.openOneTimeAccount;
    if (open === undefined) throw new Error('the provider opens no accounts for one payment');
    const amounts: bigint[] = [];
    provider.openOneTimeAccount = async (request, signal) => {
      amounts.push(request.amountMinor);
      const answer = await open(request, signal);
      return answer.outcome === 'opened' ? { ...answer, payableMinor: request.amountMinor + 50n } : answer;
    };
    try {
      const { read } = await openedSession(fixture, { feeBearer: 'CUSTOMER' });
      expect(amounts).toEqual([102_19n]);
      expect(await read()).toMatchObject({ amount: 100, fee: 2.04, vat: 0.15, amountToPay: 102.69 });
    } finally {
      provider.openOneTimeAccount = open;
    }
  });

  it('is paid short by the amount alone, and each part bears the fee of what arrived', async () => {
    const { read, pay, balance } = await openedSession(fixture, { feeBearer: 'CUSTOMER' });
    await pay(100_00n);
    expect(await read()).toMatchObject({ status: 'PARTIALLY_PAID', outstanding: 2.19, payments: [{ note: 'SHORT' }] });
    expect(await balance()).toBe(100_00n - 2_00n - 15n);
    await pay(2_19n);
    expect(await read()).toMatchObject({ status: 'PAID' });
    expect(await balance()).toBe(100_00n - 2_15n + 2_19n - 4n);
  });

  it('that is overpaid is charged on all that came', async () => {
    const { read, pay, balance } = await openedSession(fixture, { feeBearer: 'CUSTOMER' });
    await pay(200_00n);
    expect(await read()).toMatchObject({ status: 'PAID', excess: 97.81, payments: [{ note: 'OVERPAID' }] });
    expect(await balance()).toBe(200_00n - 4_00n - 30n);
  });

  it('keeps what was quoted when the fee changes, and is charged by the rule of the payment', async () => {
    const { read, pay, balance } = await openedSession(fixture, { feeBearer: 'CUSTOMER' });
    ruleId = await collectionFee(fixture, { rateBasisPoints: 300 }, [ruleId]);
    expect(await read()).toMatchObject({ amountToPay: 102.19, fee: 2.04, vat: 0.15 });
    await pay(102_19n);
    expect(await read()).toMatchObject({ status: 'PAID' });
    expect(await balance()).toBe(102_19n - 3_07n - 23n);
    ruleId = await collectionFee(fixture, { rateBasisPoints: 200 }, [ruleId]);
  });

  it('is no session of the same reference whose merchant bears it', async () => {
    const { tenant } = await fixture.addMerchant();
    const open = (feeBearer: 'MERCHANT' | 'CUSTOMER') =>
      openSession(fixture.deps, asked(tenant, { reference: 'ORDER-7', feeBearer }));
    const { row } = await open('CUSTOMER');
    expect((await open('CUSTOMER')).row.id).toBe(row.id);
    await expect(open('MERCHANT')).rejects.toMatchObject({ code: 'PAYMENT_SESSION_REFERENCE_TAKEN' });
  });
});

describe('a payment session whose merchant bears the fee', () => {
  it('asks for the amount alone, and the fee comes out of it', async () => {
    const { read, pay, balance } = await openedSession(fixture);
    expect(await read()).toMatchObject({ feeBearer: 'MERCHANT', amount: 100, fee: 0, vat: 0, amountToPay: 100 });
    await pay(100_00n);
    expect(await read()).toMatchObject({ status: 'PAID', received: 100 });
    expect(await balance()).toBe(100_00n - 2_00n - 15n);
  });
});
