import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInboundPayment } from '../../src/collections/views.ts';
import { decodeCursor } from '../../src/platform/lists/list.ts';
import { tenantKey } from '../../src/platform/tenant.ts';
import { readRefundsOfPayment } from '../../src/refunds/index.ts';
import { readReserves } from '../../src/reserves/read-reserves.ts';
import { reserveAt } from '../../src/reserves/rules.ts';
import { createStore } from '../../src/stores/store.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import { createReserveFixture, DAY_MS, type ReserveFixture } from './fixture.ts';

let fixture: ReserveFixture;

beforeAll(async () => {
  fixture = await createReserveFixture();
  // ₦1 of cards and VAT on it; nothing of transfers.
  await collectionFee(fixture, { channel: 'CARD', flatMinor: 1_00n });
  await fixture.keep();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const NET = 1_000_00n - 1_00n - 8n;

describe('the reserve of a payment by card', () => {
  it('leaves the wallet with the credit, after fee and VAT, and comes back on its day and no sooner', async () => {
    const payee = await fixture.payee();
    await fixture.byCard(payee, 1_000_00n);
    expect(await payee.balance()).toBe(NET - 100_00n);
    expect(await fixture.booked(payee)).toMatchObject({ RESERVE: 100_00n, FEE_INCOME: 1_00n, TAX_PAYABLE: 8n });
    const [payment] = await fixture.paymentsOf(payee);
    expect(payment).toMatchObject({ channel: 'CARD', amount: 1_000, fee: 1, vat: 0.08, net: 998.92, reserve: 100 });
    const kept = await fixture.reserveOf(payee);
    expect(kept).toMatchObject({ amount: 100, payments: 1, currency: 'NGN', releases: [{ amount: 100, payments: 1 }] });
    const sandbox = { tenant: { ...payee.tenant, mode: 'SANDBOX' } } as const;
    expect(await fixture.reserveOf(sandbox)).toMatchObject({ amount: 0, payments: 0, releases: [] });
    const listed = await readReserves(fixture.database, sandbox.tenant, {}, { page: 1, size: 50 });
    expect(listed).toMatchObject({ records: [], totalRecords: 0 });
    fixture.clock.advance(89 * DAY_MS);
    expect(await fixture.release()).toBe(0);
    fixture.clock.advance(DAY_MS);
    expect(await fixture.release()).toBe(1);
    expect(await fixture.release()).toBe(0);
    expect(await payee.balance()).toBe(NET);
    expect(await fixture.booked(payee)).toMatchObject({ RESERVE: 0n });
    expect(await fixture.reserveOf(payee)).toMatchObject({ amount: 0, payments: 0, releases: [] });
    const detail = await readInboundPayment(
      { database: fixture.database, readRefundsOfPayment },
      payee.tenant,
      payment?.paymentId ?? '',
    );
    expect(detail.reserve).toMatchObject({
      amount: 100,
      releaseOn: kept.releases[0]?.releaseOn,
      walletId: payee.wallet.id,
    });
    expect(await fixture.eventsOf(payee, detail.reserve?.transactionId ?? '')).toEqual([
      'transaction.succeeded',
      'reserve.released',
    ]);
  });

  it('comes back in live on its day by the job of live alone, whatever failed for the same merchant in the sandbox', async () => {
    const payee = await fixture.payee();
    await fixture.byCard(payee, 1_000_00n);
    fixture.clock.advance(90 * DAY_MS);
    const failures = fixture.deps.jobs.failuresOf('reserves.release');
    failures.failed(tenantKey({ ...payee.tenant, mode: 'SANDBOX' }), new Error('no'), { message: 'no' });
    expect(await fixture.release(fixture.deps, 'SANDBOX')).toBe(0);
    expect(await payee.balance()).toBe(NET - 100_00n);
    expect(await fixture.release()).toBe(1);
    expect(await payee.balance()).toBe(NET);
  });

  it('is listed payment by payment, of the newest first, with the day on which it comes back', async () => {
    const payee = await fixture.payee();
    const other = await fixture.payee();
    for (const amount of [100_00n, 200_00n, 300_00n]) {
      await fixture.byCard(payee, amount);
      fixture.clock.advance(DAY_MS);
    }
    await fixture.byCard(other, 700_00n);
    const read = (filter = {}, request: Parameters<typeof readReserves>[3] = { page: 1, size: 50 }) =>
      readReserves(fixture.database, payee.tenant, filter, request);
    const { records, totalRecords } = await read();
    expect(totalRecords).toBe(3);
    expect(records.map(({ amount }) => amount)).toEqual([30, 20, 10]);
    expect(records.map(({ releaseOn }) => releaseOn)).toEqual(
      records.map(({ releaseOn }) => releaseOn).toSorted((one, two) => (one < two ? 1 : -1)),
    );
    const first = await read({}, { page: 1, size: 2 });
    const cursor = decodeCursor(first.nextCursor ?? '');
    const rest = await read({}, { size: 2, direction: 'after', cursor });
    expect(rest.records.map(({ amount }) => amount)).toEqual([10]);
    fixture.clock.advance(88 * DAY_MS);
    await fixture.release();
    expect((await read({ status: 'RELEASED' })).records).toMatchObject([
      { amount: 20, releasedAt: expect.any(String) },
      { amount: 10 },
    ]);
    expect((await read({ status: 'KEPT', walletId: payee.wallet.id })).records).toMatchObject([
      { amount: 30, releasedAt: null },
    ]);
  });

  it('is not kept of a transfer, nor where nobody says how it was paid', async () => {
    const payee = await fixture.payee();
    await fixture.pay(payee, 500_00n, { channel: 'BANK_TRANSFER' });
    await fixture.pay(payee, 500_00n);
    expect(await payee.balance()).toBe(1_000_00n);
    expect(await fixture.paymentsOf(payee)).toMatchObject([
      { channel: null, reserve: 0 },
      { channel: 'BANK_TRANSFER', reserve: 0 },
    ]);
  });

  it('is kept when the payment reaches the wallet: out of suspense, and out of what waited for its settlement', async () => {
    const held = await fixture.payee();
    await fixture.status(held.merchantId, 'suspend');
    await fixture.byCard(held, 1_000_00n);
    await fixture.status(held.merchantId, 'reinstate');
    const [payment] = await fixture.paymentsOf(held);
    expect(payment).toMatchObject({ status: 'SUSPENSE', reserve: 0 });
    await fixture.decidePayment({ ...held, paymentId: payment?.paymentId ?? '' }, { action: 'ATTRIBUTE' });
    expect(await held.balance()).toBe(NET - 100_00n);

    const waiting = await fixture.payee();
    await fixture.rule('ON_SETTLEMENT', waiting.merchantId);
    const hint = await fixture.byCard(waiting, 1_000_00n);
    expect(await fixture.booked(waiting)).toMatchObject({ PENDING_COLLECTIONS: 1_000_00n });
    expect(await fixture.reserveOf(waiting)).toMatchObject({ amount: 0 });
    await fixture.settle([hint]);
    expect(await waiting.balance()).toBe(NET - 100_00n);
    for (const payee of [held, waiting]) {
      expect(await fixture.reserveOf(payee)).toMatchObject({ amount: 100, payments: 1 });
      expect(await fixture.reserveOf(payee, payee.wallet.id)).toMatchObject({ amount: 100 });
      expect(await fixture.reserveOf(payee, payee.tenant.merchantId)).toMatchObject({ amount: 0 });
    }
  });

  it('is not kept of what went back from suspense', async () => {
    const payee = await fixture.payee();
    await fixture.status(payee.merchantId, 'suspend');
    await fixture.byCard(payee, 50_00n);
    await fixture.status(payee.merchantId, 'reinstate');
    const [payment] = await fixture.paymentsOf(payee);
    await fixture.decidePayment({ ...payee, paymentId: payment?.paymentId ?? '' }, { action: 'RETURN' });
    expect(await fixture.reserveOf(payee)).toMatchObject({ amount: 0 });
  });

  it('comes back to the wallet of which it was kept, where two wallets get theirs on one day', async () => {
    const payee = await fixture.payee();
    const { tenant } = payee;
    const opening = { tenant, merchantName: 'Adire', name: 'Ikeja', idempotency: undefined };
    const { walletId } = JSON.parse((await createStore(fixture.deps, opening)).answer.body).data;
    await fixture.status(payee.merchantId, 'suspend');
    await fixture.byCard(payee, 1_000_00n);
    await fixture.status(payee.merchantId, 'reinstate');
    const [payment] = await fixture.paymentsOf(payee);
    await fixture.decidePayment({ ...payee, paymentId: payment?.paymentId ?? '' }, { action: 'ATTRIBUTE', walletId });
    await fixture.byCard(payee, 500_00n);
    const inStore = async () => (await fixture.deps.ledger.readBalance(tenant, walletId)).bookedMinor;
    expect([await inStore(), await payee.balance()]).toEqual([NET - 100_00n, NET - 550_00n]);
    fixture.clock.advance(91 * DAY_MS);
    while ((await fixture.release()) > 0);
    expect([await inStore(), await payee.balance()]).toEqual([NET, NET - 500_00n]);
    const amounts = (await fixture.releasesOf(payee)).map(({ amount_minor }) => amount_minor);
    expect(amounts.toSorted((one, other) => Number(one - other))).toEqual([50_00n, 100_00n]);
  });

  it('comes back together: what one wallet gets of one day is one transaction', async () => {
    const payee = await fixture.payee();
    for (let count = 0; count < 3; count += 1) await fixture.byCard(payee, 100_00n);
    fixture.clock.advance(DAY_MS);
    await fixture.byCard(payee, 200_00n);
    fixture.clock.advance(91 * DAY_MS);
    await fixture.release();
    expect(await fixture.releasesOf(payee)).toEqual([
      { amount_minor: 30_00n, narration: 'Reserve of 3 payments released' },
      { amount_minor: 20_00n, narration: 'Reserve of one payment released' },
    ]);
  });
});

describe('a rule of a reserve', () => {
  const at = new Date('2026-11-20T12:00:00Z');
  const tenant = { merchantId: '0197a0e1-0000-7000-8000-000000000001', mode: 'LIVE' } as const;
  const base = {
    merchantId: null,
    mode: 'LIVE',
    channel: null,
    days: 1,
    source: 'x',
    effectiveFrom: new Date(0),
  } as const;
  const kept = (rateBasisPoints: number, amountMinor: bigint, netMinor = amountMinor) =>
    reserveAt([{ ...base, id: 'a', rateBasisPoints }], { tenant, channel: 'CARD', at, amountMinor, netMinor })
      ?.amount_minor;

  it('keeps a percentage of the whole payment without fractions of a kobo, and never more than fee and VAT leave', () => {
    expect(kept(1_000, 999n)).toBe(99n);
    expect(kept(1, 9_999n)).toBeUndefined();
    expect(kept(1, 10_000n)).toBe(1n);
    expect(kept(10_000, 100n, 60n)).toBe(60n);
    expect(kept(10_000, 100n, 0n)).toBeUndefined();
    expect(kept(0, 1_000_000n)).toBeUndefined();
  });

  it('of the merchant goes before one for all, and of the channel before one for all channels', () => {
    const rules = [
      { ...base, id: '1', rateBasisPoints: 100 },
      { ...base, id: '2', rateBasisPoints: 200, channel: 'CARD' as const },
      { ...base, id: '3', rateBasisPoints: 300, merchantId: tenant.merchantId },
      { ...base, id: '4', rateBasisPoints: 400, merchantId: tenant.merchantId, channel: 'USSD' as const },
    ];
    const rateOf = (some: typeof rules, channel: 'CARD' | 'USSD' | 'BANK_TRANSFER' | null) =>
      reserveAt(some, { tenant, channel, at, amountMinor: 10_000n, netMinor: 10_000n })?.amount_minor;
    expect(rateOf(rules, 'CARD')).toBe(300n);
    expect(rateOf(rules, 'USSD')).toBe(400n);
    expect(rateOf(rules.slice(0, 2), 'CARD')).toBe(200n);
    expect(rateOf(rules.slice(0, 2), null)).toBe(100n);
  });

  it('is of its mode, its merchant and its channel alone', () => {
    const payment = { tenant, channel: 'CARD', at, amountMinor: 10_000n, netMinor: 10_000n } as const;
    const keptBy = (terms: object) => reserveAt([{ ...base, id: '1', rateBasisPoints: 100, ...terms }], payment);
    expect(keptBy({})).toMatchObject({ amount_minor: 100n });
    for (const other of [
      { mode: 'SANDBOX' },
      { merchantId: tenant.merchantId.replace(/1$/, '2') },
      { channel: 'USSD' },
    ])
      expect(keptBy(other)).toBeNull();
  });

  it('ends with a rule of nothing, and leaves what was kept until its day', async () => {
    const payee = await fixture.payee();
    await fixture.byCard(payee, 100_00n);
    await fixture.keep({ merchantId: payee.merchantId, rateBasisPoints: 0 });
    await fixture.byCard(payee, 100_00n);
    expect(await fixture.reserveOf(payee)).toMatchObject({ amount: 10, payments: 1 });
  });

  it('begins at least two minutes ahead', async () => {
    const effectiveFrom = new Date(fixture.clock.now().getTime() + 60_000);
    await expect(fixture.keep({ effectiveFrom })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('the channel of a payment', () => {
  it('has the collection fee and the availability of its own rules, before those for all', async () => {
    const payee = await fixture.payee();
    await fixture.rule('ON_SETTLEMENT', payee.merchantId, 'CARD');
    await fixture.byCard(payee, 100_00n);
    await fixture.pay(payee, 100_00n, { channel: 'BANK_TRANSFER' });
    await fixture.pay(payee, 100_00n, { channel: 'USSD' });
    expect(await fixture.paymentsOf(payee)).toMatchObject([
      { channel: 'USSD', status: 'CREDITED', fee: 0 },
      { channel: 'BANK_TRANSFER', status: 'CREDITED', fee: 0 },
      { channel: 'CARD', status: 'PENDING_SETTLEMENT', fee: 0, reserve: 0 },
    ]);
  });
});
