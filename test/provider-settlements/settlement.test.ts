import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmCompliance, makeFreeze, proposeLift } from '../../src/compliance/index.ts';
import {
  acceptProviderLine,
  discardProviderSettlement,
  readProviderSettlement,
} from '../../src/provider-settlements/index.ts';
import { findProviderSettlementByReference } from '../../src/provider-settlements/queries.ts';
import { createStore } from '../../src/stores/store.ts';
import { readReceivables } from '../../src/suspense/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { codeOf } from '../collections/suspense-fixture.ts';
import { verifyAfter } from '../ledger/corruption.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import { createSettlementFixture, csvOf, PROVIDER_FEE, type SettlementFixture } from './fixture.ts';

let fixture: SettlementFixture;
const NOTE = 'Their mail of 20 November says why';

beforeAll(async () => {
  fixture = await createSettlementFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

describe('what a provider settled', () => {
  it('is posted by another person than the one who imported it: net to the float, its fee to its cost', async () => {
    const { pay, payee, record, apply, booked, lineOf, emailOf, people } = fixture;
    const merchant = await payee();
    const hints = [await pay(merchant, 500_00n), await pay(merchant, 250_50n)];
    const lumpMinor = 750_50n - 2n * PROVIDER_FEE;
    const id = await record(csvOf(hints.map((hint) => lineOf(hint))), { lumpMinor });
    expect(await booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: -750_50n, PROVIDER_FLOAT: 0n });
    expect(await codeOf(apply(id, { personId: people.ada }))).toBe('SECOND_PERSON_NEEDED');
    expect(await apply(id)).toEqual({ posted: 2, isDone: true });
    expect(await booked(merchant)).toMatchObject({
      COLLECTION_RECEIVABLE: 0n,
      PROVIDER_FLOAT: -lumpMinor,
      PROVIDER_COST: -2n * PROVIDER_FEE,
      MERCHANT_WALLET: 750_50n,
    });
    const summary = await fixture.summary(id);
    expect(summary).toMatchObject({
      status: 'DONE',
      posted: 2,
      posted_net_minor: lumpMinor,
      imported_by: emailOf('ada'),
    });
    expect(summary.net_minor).toBe(summary.lump_minor);
    const { rows } = await readReceivables(fixture, { page: 1, size: 50 });
    expect(rows.filter(({ merchant_id }) => merchant_id === merchant.merchantId)).toEqual([]);
  });

  it('is not posted where its fee is below zero or above what was paid', async () => {
    const { pay, payee, record, apply, booked, lineOf, counts } = fixture;
    const merchant = await payee();
    const [below, above] = [await pay(merchant, 100_00n), await pay(merchant, 100_00n)];
    const lines = [lineOf(below, { fee: '-10.00', net: '110.00' }), lineOf(above, { fee: '110.00', net: '-10.00' })];
    const id = await record(csvOf(lines), { lumpMinor: 100_00n });
    expect(await counts(id)).toEqual({ NET_DIFFERS: 2 });
    expect(await apply(id)).toEqual({ posted: 0, isDone: true });
    expect(await booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: -200_00n, PROVIDER_FLOAT: 0n });
    await fixture.settle([below, above]);
  });

  it('settles a payment once for ever, whatever is applied how often, under whatever name', async () => {
    const { pay, payee, record, apply, lineOf, settle, counts } = fixture;
    const merchant = await payee();
    const hint = await pay(merchant, 100_00n);
    const first = await settle([hint]);
    expect(await apply(first)).toEqual({ posted: 0, isDone: true });
    const text = csvOf([lineOf(hint)]);
    const same = { lumpMinor: 100_00n - PROVIDER_FEE };
    expect(await codeOf(record(text, same))).toBe('SETTLEMENT_ALREADY_IMPORTED');
    const again = await record(`${text}\n`, same);
    expect(await counts(again)).toEqual({ ALREADY_SETTLED: 1 });
    expect(await apply(again)).toEqual({ posted: 0, isDone: true });
    expect(await fixture.booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: 0n });
  });

  it('names every difference, and posts none of them', async () => {
    const { pay, payee, record, apply, lineOf, linesOf, settle } = fixture;
    const merchant = await payee();
    const at = fixture.clock.now();
    const [good, fee, amount, net, currency, mode, twice, settled, bySession] = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => pay(merchant, BigInt(one) * 100_00n)),
    );
    const returned = await fixture.heldPayment({ amountMinor: 77_00n });
    await fixture.decidePayment(returned, { action: 'RETURN' });
    await settle([settled!]);
    const missing = await pay(merchant, 60_00n);
    const rows = [
      lineOf(good!),
      lineOf(fee!, { fee: '12.00', net: '188.00' }),
      lineOf(amount!, { gross: '299.99', net: '289.99' }),
      lineOf(net!, { net: '391.00' }),
      lineOf(currency!, { currency: 'GHS' }),
      lineOf(mode!, { mode: 'test' }),
      lineOf(twice!),
      lineOf(twice!),
      lineOf(settled!),
      lineOf(bySession!, { id: null, session: bySession!.sessionId }),
      lineOf(returned.hint),
      lineOf(good!, { id: 'nobody-knows-it' }),
      { id: good!.providerTransactionId, gross: '-100.00', fee: '0', net: '-100.00' },
      { id: 'refunded', gross: '50', fee: '0', net: '-50.00', type: 'refund' },
      lineOf(good!, { id: '9', gross: '0', net: '0' }),
      lineOf(good!, { id: '10', gross: '=1+1' }),
      lineOf(good!, { id: '11', gross: '99999999999999999999' }),
      lineOf(good!, { id: null }),
    ];
    const cutOff = new Date(at.getTime() + 60_000);
    fixture.clock.advance(120_000);
    const id = await record(csvOf(rows), { lumpMinor: 1n, cutOff });
    const results = (await linesOf(id)).map(({ line_number, result }) => `${line_number} ${result}`);
    expect(results).toEqual([
      '2 MATCHED',
      '3 FEE_DIFFERS',
      '4 AMOUNT_DIFFERS',
      '5 NET_DIFFERS',
      '6 CURRENCY_DIFFERS',
      '7 MODE_DIFFERS',
      '8 MATCHED',
      '9 DUPLICATE_LINE',
      '10 ALREADY_SETTLED',
      '11 MATCHED',
      '12 STATUS_DIFFERS',
      '13 MISSING_HERE',
      '14 DEDUCTION',
      '15 DEDUCTION',
      '16 UNREADABLE',
      '17 UNREADABLE',
      '18 UNREADABLE',
      '19 UNREADABLE',
      'null MISSING_THERE',
    ]);
    expect((await linesOf(id)).at(-1)?.provider_transaction_id).toBe(missing.providerTransactionId);
    expect(await codeOf(apply(id))).toBe('SETTLEMENT_SUM_DIFFERS');
    expect(await apply(id, { note: NOTE })).toEqual({ posted: 4, isDone: true });
    const posted = (await linesOf(id)).filter(({ posted_at }) => posted_at !== null);
    expect(posted.map(({ line_number }) => line_number)).toEqual([2, 3, 8, 11]);
    expect((await fixture.booked(merchant))['PROVIDER_COST']).toBe(-(4n * PROVIDER_FEE + 12_00n));
    const open = (await linesOf(id)).find(({ result }) => result === 'AMOUNT_DIFFERS')!;
    const accept = (lineId: string) =>
      codeOf(
        acceptProviderLine(fixture.deps, { settlementId: id, lineId, note: NOTE, personId: fixture.people.chidi }),
      );
    expect(await accept(open.id)).toBe('DONE');
    expect(await accept(open.id)).toBe('SETTLEMENT_LINE_RESOLVED');
    expect(await accept(posted[0]!.id)).toBe('SETTLEMENT_LINE_NOT_APPLICABLE');
    // What is missing is settled by another one, and is missing no more.
    await settle([missing]);
    expect((await linesOf(id)).at(-1)?.resolved_how).toBe('FOUND_LATER');
  });

  it('of a payment that came to the books after the import is posted when it is applied again', async () => {
    const { payee, record, apply, lineOf, counts } = fixture;
    const merchant = await payee();
    const hint = fixture.script.receive({ accountNumber: merchant.accountNumber, amountMinor: 900_00n });
    const id = await record(csvOf([lineOf(hint)]), { lumpMinor: 900_00n - PROVIDER_FEE });
    expect(await counts(id)).toEqual({ MISSING_HERE: 1 });
    expect(await apply(id)).toEqual({ posted: 0, isDone: true });
    await fixture.takeWebhook(hint);
    expect(await apply(id)).toEqual({ posted: 1, isDone: true });
    expect(await counts(id)).toEqual({ MATCHED: 1 });
  });

  it('that was wrong is discarded, and the settlement is imported anew', async () => {
    const { pay, payee, record, apply, lineOf, people, deps } = fixture;
    const merchant = await payee();
    const hint = await pay(merchant, 100_00n);
    const reference = 'S-ONCE';
    const lumpMinor = 100_00n - PROVIDER_FEE;
    const wrong = await record(csvOf([lineOf(hint, { id: 'wrong' })]), { reference, lumpMinor });
    const right = csvOf([lineOf(hint)]);
    expect(await codeOf(record(right, { reference, lumpMinor }))).toBe('SETTLEMENT_REFERENCE_TAKEN');
    await discardProviderSettlement(deps, { settlementId: wrong, reason: 'The wrong file', personId: people.ada });
    expect(await codeOf(apply(wrong))).toBe('SETTLEMENT_NOT_READY');
    expect(await apply(await record(right, { reference, lumpMinor }))).toEqual({ posted: 1, isDone: true });
  });

  it('of more than its sums can be shown with is refused, and nothing of it is kept', async () => {
    const { record, database } = fixture;
    const line = { gross: '9999999999999.99', fee: '0' };
    const text = csvOf([
      { id: 'B1', ...line },
      { id: 'B2', ...line },
    ]);
    expect(await codeOf(record(text, { reference: 'S-LARGE' }))).toBe('SETTLEMENT_FILE_UNREADABLE');
    const [page] = await database.query(findProviderSettlementByReference, [RAIL, 'LIVE', 'S-LARGE']);
    expect(page).toBeUndefined();
  });

  it('comes to its lump sum by the lines in its currency alone', async () => {
    const { pay, payee, record, apply, lineOf, database } = fixture;
    const merchant = await payee();
    const [naira, cedi] = [await pay(merchant, 100_00n), await pay(merchant, 70_00n)];
    const text = csvOf([lineOf(naira), lineOf(cedi, { currency: 'GHS' })]);
    const id = await record(text, { lumpMinor: 100_00n - PROVIDER_FEE });
    expect(await readProviderSettlement(database, id)).toMatchObject({
      gross_minor: 100_00n,
      fee_minor: PROVIDER_FEE,
      net_minor: 100_00n - PROVIDER_FEE,
    });
    expect(await apply(id)).toEqual({ posted: 1, isDone: true });
  });

  it('of all that a provider keeps, and of nothing, is posted without a transfer of zero', async () => {
    const { pay, payee, settle, booked } = fixture;
    const merchant = await payee();
    await settle([await pay(merchant, 10_00n)]);
    await settle([await pay(merchant, 30_00n)], { fee: '0', net: '30.00' });
    expect(await booked(merchant)).toMatchObject({
      COLLECTION_RECEIVABLE: 0n,
      PROVIDER_FLOAT: -30_00n,
      PROVIDER_COST: -10_00n,
    });
  });

  it('with the columns that Paystack, Flutterwave and Monnify document is read as it is', async () => {
    const { pay, payee, record, apply } = fixture;
    const merchant = await payee();
    const [paystack, flutterwave, monnify] = await Promise.all(
      [100_00n, 101_40n, 300_00n].map((amount) => pay(merchant, amount, { providerFeeMinor: null })),
    );
    const files: [text: string, lumpMinor: bigint, kobo: boolean][] = [
      [
        `id,domain,status,reference,amount,fees,currency,paid_at\n${paystack!.providerTransactionId},live,success,ref,10000,150,NGN,2026-11-19T10:00:00.000Z`,
        98_50n,
        true,
      ],
      [
        `flw_ref,tx_ref,id,charged_amount,app_fee,merchant_fee,stampduty_charge,settlement_amount,status,transaction_date,currency\nFLW-1,x,${flutterwave!.providerTransactionId},101.40,1.40,0.50,0,99.50,successful,2026-11-19,NGN`,
        99_50n,
        false,
      ],
      [
        `Transaction Reference,Payment Reference,Amount Paid,Fee,Settlement Amount,Paid On\n${monnify!.providerTransactionId},p,"300.00",10.75,289.25,19/11/2026 10:00:00 AM`,
        289_25n,
        false,
      ],
    ];
    for (const [text, lumpMinor, amountsInKobo] of files) {
      const id = await record(text, { lumpMinor, amountsInKobo });
      expect(await fixture.counts(id)).toEqual({ MATCHED: 1 });
      expect(await apply(id)).toEqual({ posted: 1, isDone: true });
    }
    expect((await fixture.booked(merchant))['PROVIDER_COST']).toBe(-(1_50n + 1_90n + 10_75n));
  });
});

describe('a payment that waits for its settlement', () => {
  it('is pending at its confirmation and in the wallet by its settlement, less the fee of that moment', async () => {
    const { pay, payee, settle, booked, paymentsOf, eventsOf, rule } = fixture;
    const merchant = await payee();
    await rule('ON_SETTLEMENT', merchant.merchantId);
    const hint = await pay(merchant, 1_000_00n);
    const [payment] = await paymentsOf(merchant);
    expect(payment).toMatchObject({ status: 'PENDING_SETTLEMENT', creditedWalletId: null, fee: 0, net: 1_000 });
    expect(await booked(merchant)).toMatchObject({ MERCHANT_WALLET: 0n, PENDING_COLLECTIONS: 1_000_00n });
    await collectionFee(fixture, { flatMinor: 5_00n });
    await settle([hint]);
    expect(await booked(merchant)).toMatchObject({
      PENDING_COLLECTIONS: 0n,
      COLLECTION_RECEIVABLE: 0n,
      FEE_INCOME: 5_00n,
      PROVIDER_COST: -PROVIDER_FEE,
    });
    const [released] = await paymentsOf(merchant);
    expect(released).toMatchObject({ status: 'CREDITED', creditedWalletId: merchant.wallet.id, fee: 5 });
    expect(await eventsOf(merchant, payment!.paymentId)).toEqual([
      'inbound_payment.pending',
      'transaction.succeeded',
      'inbound_payment.credited',
    ]);
  });

  it('is released by its settlement whatever the rule is by then, and one that came after is available at once', async () => {
    const { pay, payee, settle, rule } = fixture;
    const merchant = await payee();
    await rule('ON_SETTLEMENT', merchant.merchantId);
    const before = await pay(merchant, 100_00n);
    await rule('ON_CONFIRMATION', merchant.merchantId);
    await pay(merchant, 200_00n);
    expect(await fixture.booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 100_00n });
    await settle([before]);
    expect(await fixture.booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 0n });
    expect((await fixture.paymentsOf(merchant)).map(({ status }) => status)).toEqual(['CREDITED', 'CREDITED']);
  });

  it('does not reach its wallet while a freeze holds it, and does by the same settlement once that is lifted', async () => {
    const { pay, payee, settle, apply, counts, booked, rule, deps, people, clock } = fixture;
    const merchant = await payee();
    await rule('ON_SETTLEMENT', merchant.merchantId);
    const hint = await pay(merchant, 100_00n, { payerName: 'ZAINAB BELLO' });
    const freeze = {
      mode: 'LIVE',
      subject: 'PAYER',
      payerName: 'Bello Zainab',
      endsAt: null,
      personId: people.ada,
    } as const;
    const why = { reason: 'A bank reported a fraud', legalBasis: 'Order FHC/L/CS/41/2026', owner: 'Compliance desk' };
    const { id: freezeId } = await makeFreeze(deps, { ...freeze, ...why });
    clock.advance(6_000);
    const id = await settle([hint]);
    expect(await counts(id)).toEqual({ STATUS_DIFFERS: 1 });
    expect(await apply(id)).toEqual({ posted: 0, isDone: true });
    const waiting = { MERCHANT_WALLET: 0n, PENDING_COLLECTIONS: 100_00n, COLLECTION_RECEIVABLE: -100_00n };
    expect(await booked(merchant)).toMatchObject(waiting);
    const lift = await proposeLift(deps, { freezeId, note: 'The court lifted its order', personId: people.ada });
    await confirmCompliance(deps, { ...lift, personId: people.bola });
    expect(await apply(id)).toEqual({ posted: 1, isDone: true });
    expect(await booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 0n, COLLECTION_RECEIVABLE: 0n });
    expect((await fixture.paymentsOf(merchant)).map(({ status }) => status)).toEqual(['CREDITED']);
  });

  it('reaches its wallet after the freeze by the same settlement also where somebody accepted its line meanwhile', async () => {
    const { pay, payee, settle, apply, booked, rule, deps, people, clock } = fixture;
    const merchant = await payee();
    await rule('ON_SETTLEMENT', merchant.merchantId);
    const hint = await pay(merchant, 100_00n);
    const given = { mode: 'LIVE', subject: 'MERCHANT', merchantId: merchant.merchantId } as const;
    const why = { reason: 'A bank reported a fraud', legalBasis: 'Order FHC/L/CS/41/2026', owner: 'Compliance desk' };
    const endsAt = new Date(clock.now().getTime() + 60 * 60_000);
    await makeFreeze(deps, { ...given, ...why, endsAt, personId: people.ada });
    clock.advance(6_000);
    const settlementId = await settle([hint]);
    const [line] = await fixture.linesOf(settlementId);
    await acceptProviderLine(deps, { settlementId, lineId: line?.id ?? '', note: NOTE, personId: people.ada });
    expect(await apply(settlementId)).toEqual({ posted: 0, isDone: true });
    expect(await fixture.linesOf(settlementId)).toMatchObject([{ result: 'STATUS_DIFFERS', resolved_how: 'ACCEPTED' }]);
    clock.advance(60 * 60_000);
    expect(await apply(settlementId)).toEqual({ posted: 1, isDone: true });
    expect(await booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 0n, COLLECTION_RECEIVABLE: 0n });
    expect(await fixture.linesOf(settlementId)).toMatchObject([{ result: 'MATCHED', resolved_how: null }]);
  });

  it('is found by the proof where it reached its wallet by its settlement under a freeze', async () => {
    const frozen = `insert into freezes select gen_random_uuid(), mode, 'MERCHANT', null, null, null, null, null, merchant_id,
        'r', 'l', 'o', created_at - interval '1 second', created_at - interval '1 second', null, gen_random_uuid(),
        created_at, null, null, '' from state_changes
       where subject = 'inbound_payment' and from_state = 'PENDING_SETTLEMENT' and to_state = 'CREDITED' limit 1`;
    const wrong = (await verifyAfter(fixture.database, [frozen])).checks.filter(({ ok }) => !ok);
    expect(JSON.stringify(wrong)).toContain('left PENDING_SETTLEMENT');
  });

  it('goes by the merchant’s own rule before the one for all', async () => {
    const { pay, payee, rule, paymentsOf } = fixture;
    const [own, other] = [await payee(), await payee()];
    await rule('ON_SETTLEMENT', null);
    await rule('ON_CONFIRMATION', own.merchantId);
    await pay(own, 100_00n);
    await pay(other, 100_00n);
    expect((await paymentsOf(own))[0]?.status).toBe('CREDITED');
    expect((await paymentsOf(other))[0]?.status).toBe('PENDING_SETTLEMENT');
    await rule('ON_CONFIRMATION', null);
  });

  it('that the provider gave back is returned by two people, and no settlement releases it', async () => {
    const { pay, payee, rule, paymentsOf, decidePayment, booked, record, apply, lineOf, counts } = fixture;
    const merchant = await payee();
    await rule('ON_SETTLEMENT', merchant.merchantId);
    const hint = await pay(merchant, 100_00n);
    const [{ paymentId } = { paymentId: '' }] = await paymentsOf(merchant);
    const pending = { tenant: merchant.tenant, paymentId };
    expect(await codeOf(decidePayment(pending, { action: 'KEEP' }))).toBe('PAYMENT_NOT_IN_SUSPENSE');
    await decidePayment(pending, { action: 'RETURN' });
    expect(await booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 0n, COLLECTION_RECEIVABLE: 0n });
    const id = await record(csvOf([lineOf(hint)]), { lumpMinor: 100_00n - PROVIDER_FEE });
    expect(await counts(id)).toEqual({ STATUS_DIFFERS: 1 });
    expect(await apply(id)).toEqual({ posted: 0, isDone: true });
  });

  it('that two people attributed to another wallet while it waited is released to that wallet', async () => {
    const { heldPayment, rule, decidePayment, settle, booked, deps } = fixture;
    const held = await heldPayment({ amountMinor: 100_00n });
    await rule('ON_SETTLEMENT', held.merchantId);
    const opening = { tenant: held.tenant, name: 'Ikeja', merchantName: 'Adire' };
    const { answer } = await createStore(deps, { ...opening, idempotency: undefined });
    const { walletId } = JSON.parse(answer.body).data;
    const status = 'PENDING_SETTLEMENT';
    expect(await decidePayment(held, { action: 'ATTRIBUTE', walletId })).toMatchObject({ status });
    await settle([held.hint]);
    const { availableMinor } = await deps.ledger.readBalance(held.tenant, walletId);
    expect(await held.balance()).toBe(0n);
    expect(availableMinor).toBeGreaterThan(0n);
    expect(await booked(held)).toMatchObject({ PENDING_COLLECTIONS: 0n, COLLECTION_RECEIVABLE: 0n });
  });

  it('out of suspense waits where it was not settled, and is returned out of the float where it was', async () => {
    const { heldPayment, rule, decidePayment, settle, booked, paymentsOf } = fixture;
    const waits = await heldPayment({ amountMinor: 100_00n });
    await rule('ON_SETTLEMENT', waits.merchantId);
    expect(await decidePayment(waits, { action: 'ATTRIBUTE' })).toMatchObject({ status: 'PENDING_SETTLEMENT' });
    await settle([waits.hint]);
    expect((await paymentsOf(waits))[0]).toMatchObject({ status: 'CREDITED', creditedWalletId: waits.wallet.id });
    const settled = await heldPayment({ amountMinor: 200_00n });
    await rule('ON_SETTLEMENT', settled.merchantId);
    await settle([settled.hint]);
    expect(await booked(settled)).toMatchObject({ SUSPENSE: 200_00n, COLLECTION_RECEIVABLE: 0n });
    expect(await decidePayment(settled, { action: 'ATTRIBUTE' })).toMatchObject({ status: 'CREDITED' });
    const back = await heldPayment({ amountMinor: 300_00n });
    await settle([back.hint]);
    await decidePayment(back, { action: 'RETURN' });
    expect(await booked(back)).toMatchObject({ SUSPENSE: 0n, PROVIDER_FLOAT: PROVIDER_FEE, COLLECTION_RECEIVABLE: 0n });
  });
});
