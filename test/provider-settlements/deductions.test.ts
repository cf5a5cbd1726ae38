import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import { moved } from '../support/moved.ts';
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

const resultsOf = async (id: string) =>
  (await fixture.linesOf(id)).map(({ line_number, result }) => `${line_number} ${result}`);

describe('what a provider takes from a settlement', () => {
  it('for a refund and a dispute of ours is posted once, and is part of what the lump sum has to come to', async () => {
    const { payee, pay, owe, record, apply, lineOf, takenBy, booked } = fixture;
    const merchant = await payee();
    const hint = await pay(merchant, 500_00n);
    const refund = await owe(merchant, 100_00n);
    const dispute = await owe(merchant, 50_00n, { subjectType: 'DISPUTE' });
    const lumpMinor = 500_00n - PROVIDER_FEE - 100_00n - 52_00n;
    const lines = [
      lineOf(hint),
      takenBy(refund, { gross: '100', type: 'refund' }),
      takenBy(dispute, { type: 'chargeback', fee: '2', net: '-52' }),
    ];
    const id = await record(csvOf(lines), { lumpMinor });
    expect(await resultsOf(id)).toEqual(['2 MATCHED', '3 DEDUCTION_MATCHED', '4 DEDUCTION_MATCHED']);
    expect(await apply(id)).toEqual({ posted: 3, isDone: true });
    expect(await apply(id)).toEqual({ posted: 0, isDone: true });
    expect(await booked(merchant)).toMatchObject({
      PROVIDER_FLOAT: -lumpMinor,
      // Refund and dispute themselves are not in these books: with them it is zero.
      COLLECTION_RECEIVABLE: -150_00n,
      PROVIDER_COST: -(PROVIDER_FEE + 2_00n),
    });
    expect(await fixture.summary(id)).toMatchObject({ posted: 3, posted_net_minor: lumpMinor, unresolved: 0 });
  });

  it('does not wait for a payment of the same settlement that cannot be posted, and is posted once', async () => {
    const { payee, pay, owe, record, apply, lineOf, takenBy, booked, deps } = fixture;
    const merchant = await payee();
    const hint = await pay(merchant, 500_00n);
    const refund = await owe(merchant, 100_00n);
    const id = await record(csvOf([lineOf(hint), takenBy(refund)]));
    const commit: typeof deps.ledger.commit = (movement) =>
      movement.events?.some(({ type }) => type === 'collection.settled')
        ? Promise.reject(new Error('a poisoned payment'))
        : deps.ledger.commit(movement);
    const poisoned = { ...deps, ledger: { ...deps.ledger, commit } };
    await expect(apply(id, { by: poisoned, note: NOTE })).rejects.toThrow('a poisoned payment');
    expect(await booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 100_00n });
    expect(await apply(id)).toEqual({ posted: 1, isDone: true });
    expect(await booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 100_00n - (500_00n - PROVIDER_FEE) });
  });

  it('twice for one chargeback is posted the first time, and is before people the second', async () => {
    const { payee, owe, record, apply, takenBy, counts, booked } = fixture;
    const merchant = await payee();
    const dispute = await owe(merchant, 70_00n, { subjectType: 'DISPUTE' });
    const twice = await record(csvOf([takenBy(dispute), takenBy(dispute)]));
    expect(await counts(twice)).toEqual({ DEDUCTION_MATCHED: 1, DUPLICATE_LINE: 1 });
    await apply(twice, { note: NOTE });
    const again = await record(csvOf([takenBy(dispute)]));
    expect(await counts(again)).toEqual({ ALREADY_SETTLED: 1 });
    await apply(again, { note: NOTE });
    expect((await fixture.summary(again)).unresolved).toBe(1);
    expect(await booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 70_00n });
  });

  it('in two settlements that were recorded before either was applied is posted by one of them', async () => {
    const { payee, owe, record, apply, takenBy, counts, booked } = fixture;
    const merchant = await payee();
    const refund = await owe(merchant, 30_00n);
    const ids = [await record(csvOf([takenBy(refund)])), await record(`${csvOf([takenBy(refund)])}\n`)];
    const done = await Promise.all(ids.map((id) => apply(id, { note: NOTE })));
    expect(done.reduce((sum, { posted }) => sum + posted, 0)).toBe(1);
    const results = await Promise.all(ids.map((id) => counts(id)));
    expect(results).toContainEqual({ DEDUCTION_MATCHED: 1 });
    expect(results).toContainEqual({ ALREADY_SETTLED: 1 });
    expect(await booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 30_00n });
  });

  it('applied by two people in two processes is posted once', async () => {
    const { payee, owe, record, apply, takenBy, people, booked } = fixture;
    const database = fixture.open();
    const other = fixture.another(database);
    const merchant = await payee();
    const refunds = await Promise.all(Array.from({ length: 120 }, () => owe(merchant, 10_00n)));
    const id = await record(csvOf(refunds.map((one) => takenBy(one))));
    const done = await Promise.all([
      apply(id, { note: NOTE, personId: people.bola }),
      apply(id, { note: NOTE, personId: people.chidi, by: other }),
      apply(id, { note: NOTE, personId: people.bola, by: other }),
    ]);
    expect(done.reduce((sum, { posted }) => sum + posted, 0)).toBe(120);
    expect(await booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 1_200_00n });
    await other.ledger.drain();
    await database.close();
  });

  it('with the id of a payment that has several refunds is of one of them each', async () => {
    const { payee, owe, record, apply, counts } = fixture;
    const merchant = await payee();
    const names = [`payment-of-${merchant.merchantId}`];
    for (const amountMinor of [10_00n, 10_00n]) await owe(merchant, amountMinor, { names });
    const line = { id: names[0]!, gross: '-10', fee: '0', type: 'refund' };
    const id = await record(csvOf([line, line, line]));
    expect(await counts(id)).toEqual({ DEDUCTION_MATCHED: 2, DUPLICATE_LINE: 1 });
    expect(await apply(id, { note: NOTE })).toEqual({ posted: 2, isDone: true });
  });

  it('for two refunds of one payment in two settlements that wait to be applied is of one of them each', async () => {
    const { payee, owe, record, apply, counts, booked } = fixture;
    const merchant = await payee();
    const names = [`payment-of-${merchant.merchantId}`];
    for (const amountMinor of [10_00n, 10_00n]) await owe(merchant, amountMinor, { names });
    await owe(merchant, 10_00n, { names, differs: 'the refund failed' });
    const line = { id: names[0]!, gross: '-10', fee: '0', type: 'refund' };
    const text = csvOf([line]);
    const ids: string[] = [];
    for (const file of [text, `${text}\n`, `${text}\n\n`]) ids.push(await record(file));
    for (const id of ids) await apply(id, { note: NOTE });
    expect(await Promise.all(ids.map((id) => counts(id)))).toEqual([
      { DEDUCTION_MATCHED: 1 },
      { DEDUCTION_MATCHED: 1 },
      { ALREADY_SETTLED: 1 },
    ]);
    expect(await booked(merchant)).toMatchObject({ PROVIDER_FLOAT: 20_00n });
  });

  it('that differs is named, is posted nowhere, and waits for people', async () => {
    const { payee, owe, record, apply, takenBy } = fixture;
    const merchant = await payee();
    const [amount, status, net, currency, mode, dispute, later] = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map((one) =>
        owe(merchant, BigInt(one) * 10_00n, {
          ...(one === 2 && { differs: 'the refund failed' }),
          ...(one === 6 && { subjectType: 'DISPUTE' }),
        }),
      ),
    );
    fixture.subjects.splice(fixture.subjects.indexOf(later!), 1);
    const id = await record(
      csvOf([
        takenBy(amount!, { gross: '-11' }),
        takenBy(status!),
        takenBy(net!, { fee: '1', net: '-30' }),
        takenBy(currency!, { currency: 'GHS' }),
        takenBy(mode!, { mode: 'test' }),
        takenBy(dispute!, { type: 'refund' }),
        takenBy(later!),
      ]),
    );
    expect(await resultsOf(id)).toEqual([
      '2 AMOUNT_DIFFERS',
      '3 STATUS_DIFFERS',
      '4 NET_DIFFERS',
      '5 CURRENCY_DIFFERS',
      '6 MODE_DIFFERS',
      '7 DEDUCTION',
      '8 DEDUCTION',
    ]);
    expect(await apply(id, { note: NOTE })).toEqual({ posted: 0, isDone: true });
    expect((await fixture.summary(id)).unresolved).toBe(7);
    // A refund that comes to the books later is found when the settlement is applied again.
    fixture.subjects.push(later!);
    expect(await apply(id)).toEqual({ posted: 1, isDone: true });
  });

  it('is found to be wrong by the proof where it was altered, or posted by nobody', async () => {
    const taken = 'update deduction_settlements set';
    for (const sql of [
      `${taken} amount_minor = amount_minor + 1`,
      `${taken} fee_minor = fee_minor + 1`,
      `${taken} settled_at = ${moved('settled_at', '1 second')}`,
      `${taken} receivable_id = md5(receivable_id::text)::uuid`,
      'delete from deduction_settlements',
    ]) {
      expect(brokenIn(await verifyAfter(fixture.database, [sql])), sql).toContain('deductions-are-posted-once');
    }
    const reports = `where type = 'collection.deducted'`;
    expect(brokenIn(await verifyAfter(fixture.database, [`delete from event_rows ${reports}`]))).toContain(
      'deductions-are-reported',
    );
    for (const sql of [
      `${taken} line_id = md5(line_id::text)::uuid`,
      `${taken} subject_id = md5(subject_id::text)::uuid`,
      'delete from deduction_settlements',
    ]) {
      expect(brokenIn(await verifyAfter(fixture.database, [sql])), sql).toContain('deductions-have-their-line');
    }
  });
});
