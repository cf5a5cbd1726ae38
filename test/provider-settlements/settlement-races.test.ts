import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discardProviderSettlement } from '../../src/provider-settlements/index.ts';
import { findProviderSettlementByReference } from '../../src/provider-settlements/queries.ts';
import type { CreditHint } from '../../src/rails/index.ts';
import { confirmForPayment, proposeForPayment } from '../../src/suspense/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { openText } from '../reconciliation/files.ts';
import { inBetween } from '../support/in-between.ts';
import { inOneGroup } from '../support/in-one-group.ts';
import { brokenChecks } from '../support/proof.ts';
import { createSettlementFixture, csvOf, PROVIDER_FEE, type SettlementFixture } from './fixture.ts';

let fixture: SettlementFixture;
let other: ReturnType<SettlementFixture['another']>;
let database: ReturnType<SettlementFixture['open']>;
const NOTE = 'Their mail of 20 November says why';

beforeAll(async () => {
  fixture = await createSettlementFixture();
  database = fixture.open();
  other = fixture.another(database);
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await other.ledger.drain();
  await database.close();
  await fixture.close();
});

async function payers(count: number, waits: boolean) {
  const merchant = await fixture.payee();
  if (waits) await fixture.rule('ON_SETTLEMENT', merchant.merchantId);
  const hints = await Promise.all(Array.from({ length: count }, () => fixture.pay(merchant, 100_00n)));
  return { ...merchant, hints };
}
const fileOf = (hints: readonly CreditHint[], extra = '') => csvOf(hints.map((hint) => fixture.lineOf(hint))) + extra;
const sumOf = (hints: readonly CreditHint[]) => BigInt(hints.length) * (100_00n - PROVIDER_FEE);

describe('settlements at one moment', () => {
  it('applied by two people in two processes post each payment once', async () => {
    const merchant = await payers(40, true);
    const id = await fixture.record(fileOf(merchant.hints), { lumpMinor: sumOf(merchant.hints) });
    const { bola, chidi } = fixture.people;
    const done = await Promise.all([
      fixture.apply(id, { personId: bola }),
      fixture.apply(id, { personId: chidi, by: other }),
      fixture.apply(id, { personId: bola, by: other }),
    ]);
    expect(done.reduce((sum, { posted }) => sum + posted, 0)).toBe(40);
    expect(done.every(({ isDone }) => isDone)).toBe(true);
    expect(await fixture.booked(merchant)).toMatchObject({
      PENDING_COLLECTIONS: 0n,
      COLLECTION_RECEIVABLE: 0n,
      PROVIDER_COST: -40n * PROVIDER_FEE,
    });
  });

  it('that name the same payments under other names and references settle each once', async () => {
    const merchant = await payers(20, false);
    const parts = [merchant.hints, merchant.hints.slice(5), merchant.hints.slice(0, 12)];
    const ids = await Promise.all(
      parts.map((hints, at) => fixture.record(fileOf(hints, '\n'.repeat(at)), { lumpMinor: sumOf(hints) })),
    );
    const done = await Promise.all(ids.map((id, at) => fixture.apply(id, { by: at === 1 ? other : fixture.deps })));
    expect(done.reduce((sum, { posted }) => sum + posted, 0)).toBe(20);
    expect(await fixture.booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: 0n });
    const counts = await Promise.all(ids.map((id) => fixture.counts(id)));
    expect(counts.reduce((sum, { MATCHED = 0 }) => sum + MATCHED, 0)).toBe(20);
    expect(counts.reduce((sum, { ALREADY_SETTLED = 0 }) => sum + ALREADY_SETTLED, 0)).toBe(15 + 12);
  });

  it('and two people who return the same payment leave it either settled or returned, and the provider owing nothing', async () => {
    for (let round = 0; round < 8; round += 1) {
      const merchant = await payers(1, true);
      const [payment] = await fixture.paymentsOf(merchant);
      const { tenant } = merchant;
      const paymentId = payment?.paymentId ?? '';
      const shown = await proposeForPayment(fixture.deps, { ...fixture.terms, tenant, paymentId, action: 'RETURN' });
      const id = await fixture.record(fileOf(merchant.hints), { lumpMinor: sumOf(merchant.hints) });
      const works = [
        () => fixture.apply(id, { by: other }),
        () => confirmForPayment(fixture.deps, { tenant, ...shown, personId: fixture.people.bola }),
      ];
      await Promise.allSettled((round % 2 === 0 ? works : works.toReversed()).map((work) => work()));
      const [after] = await fixture.paymentsOf(merchant);
      expect(['CREDITED', 'RETURNED']).toContain(after?.status);
      expect(await fixture.booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 0n, COLLECTION_RECEIVABLE: 0n });
    }
  });

  it('and two people who attribute what was held never leave it waiting for what has come', async () => {
    for (let round = 0; round < 8; round += 1) {
      const held = await fixture.heldPayment({ amountMinor: 100_00n });
      await fixture.rule('ON_SETTLEMENT', held.merchantId);
      const { tenant, paymentId } = held;
      const shown = await proposeForPayment(fixture.deps, { ...fixture.terms, tenant, paymentId, action: 'ATTRIBUTE' });
      const id = await fixture.record(fileOf([held.hint]), { lumpMinor: sumOf([held.hint]) });
      const works = [
        () => confirmForPayment(fixture.deps, { tenant, ...shown, personId: fixture.people.bola }),
        () => fixture.apply(id, { by: other }),
      ];
      await Promise.all((round % 2 === 0 ? works : works.toReversed()).map((work) => work()));
      expect((await fixture.paymentsOf(held))[0]?.status).toBe('CREDITED');
    }
  });

  it.each([
    ['RETURN', 'RETURNED', false],
    ['RETURN', 'RETURNED', true],
    ['ATTRIBUTE', 'CREDITED', false],
    ['ATTRIBUTE', 'CREDITED', true],
  ] as const)(
    'and two people’s %s of what was held leave it %s where both come to the books in one group (the other way round: %s)',
    async (action, status, isTurned) => {
      const held = await fixture.heldPayment({ amountMinor: 100_00n });
      await fixture.rule('ON_SETTLEMENT', held.merchantId);
      const { tenant, paymentId } = held;
      const shown = await proposeForPayment(fixture.deps, { ...fixture.terms, tenant, paymentId, action });
      const id = await fixture.record(fileOf([held.hint]), { lumpMinor: sumOf([held.hint]) });
      const by = { ...fixture.deps, ledger: inOneGroup(fixture.deps.ledger, isTurned) };
      await Promise.all([
        fixture.apply(id, { by }),
        confirmForPayment(by, { tenant, ...shown, personId: fixture.people.bola }),
      ]);
      expect((await fixture.paymentsOf(held))[0]?.status).toBe(status);
      const { SUSPENSE, PENDING_COLLECTIONS = 0n, COLLECTION_RECEIVABLE } = await fixture.booked(held);
      expect([SUSPENSE, PENDING_COLLECTIONS, COLLECTION_RECEIVABLE]).toEqual([0n, 0n, 0n]);
    },
  );

  it('recorded from the same file by six are one', async () => {
    const merchant = await payers(3, false);
    const text = fileOf(merchant.hints);
    const given = { lumpMinor: sumOf(merchant.hints), reference: 'S-SAME' };
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => fixture.record(text, given, at % 2 === 0 ? fixture.deps : other)),
    );
    const ids = new Set(all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const codes = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(ids.size).toBe(1);
    expect(codes.filter((code) => code !== 'SETTLEMENT_ALREADY_IMPORTED')).toEqual([]);
    expect(await fixture.counts([...ids][0]!)).toEqual({ MATCHED: 3 });
  });

  it('whose file changes while it is read keeps nothing of it, and is recorded under its reference by the next', async () => {
    const { hints } = await payers(2, false);
    const [text, changed] = [fileOf(hints.slice(0, 1)), fileOf(hints.slice(1))];
    let opened = 0;
    const open = () => {
      opened += 1;
      return openText(opened > 2 ? changed : text)();
    };
    const given = { reference: 'S-CHANGED', lumpMinor: sumOf(hints.slice(0, 1)) };
    await expect(fixture.record(text, { ...given, open })).rejects.toMatchObject({ code: 'SETTLEMENT_FILE_CHANGED' });
    const id = await fixture.record(changed, given);
    expect((await fixture.linesOf(id)).map((line) => line.provider_transaction_id)).toEqual([
      hints[1]?.providerTransactionId,
    ]);
  });

  it('one of which is discarded while it is compared leave no payment that nothing misses', async () => {
    const { hints } = await payers(3, false);
    const given = { lumpMinor: sumOf(hints.slice(0, 1)), cutOff: new Date(fixture.clock.now().getTime() + 60_000) };
    const between = inBetween(fixture.database);
    const missed = async (id: string) =>
      (await fixture.linesOf(id)).filter(
        ({ result, payment_id }) => result === 'MISSING_THERE' && hints.some((_hint, at) => ids[at] === payment_id),
      ).length;
    const { rows } = await fixture.database.pool.query<{ id: string }>(
      'select id from inbound_payments where provider_transaction_id = any($1) order by id',
      [hints.map(({ providerTransactionId }) => providerTransactionId)],
    );
    const ids = rows.map(({ id }) => id);
    const { result: discarded } = await between.during(
      async (statement) => {
        if (statement !== 'update-repeated-provider-settlement-payments') return;
        const [found] = await fixture.database.query(findProviderSettlementByReference, [RAIL, 'LIVE', 'S-WRONG']);
        const [settlementId, personId] = [found?.id ?? '', fixture.people.bola];
        await discardProviderSettlement(fixture.deps, { settlementId, reason: 'The wrong file', personId });
      },
      () =>
        fixture.record(
          fileOf(hints.slice(0, 1)),
          { ...given, reference: 'S-WRONG' },
          { ...fixture.deps, database: between.database },
        ),
    );
    expect((await fixture.summary(discarded)).status).toBe('DISCARDED');
    expect(await missed(discarded)).toBe(0);
    expect(await missed(await fixture.record(fileOf(hints.slice(0, 1), '\n'), given))).toBe(2);
  });

  it('cut short after any number of lines goes on where it was, and posts nothing twice', async () => {
    const merchant = await payers(30, true);
    const id = await fixture.record(fileOf(merchant.hints), { lumpMinor: sumOf(merchant.hints) });
    for (const after of [0, 1, 7, 15]) {
      let commits = 0;
      const dying = fixture.another();
      const commit: typeof dying.ledger.commit = async (movement) => {
        commits += 1;
        if (commits > after) throw new Error('killed');
        return dying.ledger.commit(movement);
      };
      await expect(fixture.apply(id, { by: { ...dying, ledger: { ...dying.ledger, commit } } })).rejects.toThrow(
        'killed',
      );
      await dying.ledger.drain();
      expect((await fixture.summary(id)).status).toBe('APPLYING');
    }
    await fixture.apply(id, { personId: fixture.people.chidi });
    expect(await fixture.summary(id)).toMatchObject({ status: 'DONE', posted: 30 });
    expect(await fixture.booked(merchant)).toMatchObject({ PENDING_COLLECTIONS: 0n, COLLECTION_RECEIVABLE: 0n });
  });

  it('post the lines of all others where one cannot be posted, and that one when it can', async () => {
    const first = await payers(200, false);
    const second = await payers(1, false);
    const refunds = [];
    for (let at = 0; at < 51; at += 1) refunds.push(await fixture.owe(at === 50 ? second : first, 1_00n));
    const id = await fixture.record(
      csvOf(
        [...first.hints, ...second.hints]
          .map((hint) => fixture.lineOf(hint))
          .concat(refunds.map((one) => fixture.takenBy(one))),
      ),
    );
    const reject = (table: string, what: string) =>
      fixture.database.pool.query(`alter table ${table} add constraint unwritable check (${what}) not valid`);
    const accept = (table: string) => fixture.database.pool.query(`alter table ${table} drop constraint unwritable`);
    const { rows } = await fixture.database.pool.query(
      'select id from inbound_payments where merchant_id = $1 limit 1',
      [first.merchantId],
    );
    await reject('collection_settlements', `payment_id <> '${rows[0].id}'`);
    await reject('deduction_settlements', `subject_id <> '${refunds[0]?.subjectId}'`);
    await expect(fixture.apply(id, { note: NOTE })).rejects.toThrow();
    expect(await fixture.summary(id)).toMatchObject({ status: 'APPLYING', posted: 200 + 50 });
    // The refund itself is not in these books: with it, it is zero.
    expect(await fixture.booked(second)).toMatchObject({ COLLECTION_RECEIVABLE: -1_00n });
    await accept('collection_settlements');
    await expect(fixture.apply(id, { note: NOTE })).rejects.toThrow();
    expect(await fixture.summary(id)).toMatchObject({ status: 'APPLYING', posted: 201 + 50 });
    await accept('deduction_settlements');
    await fixture.apply(id, { note: NOTE });
    expect(await fixture.summary(id)).toMatchObject({ status: 'DONE', posted: 201 + 51 });
  });

  it('of 2,100 lines is read, compared and applied a part at a time', async () => {
    const merchant = await payers(200, false);
    const known = merchant.hints.map((hint) => fixture.lineOf(hint));
    const strangers = Array.from({ length: 1_900 }, (_, at) => ({
      id: `stranger-${at}`,
      gross: '1.00',
      fee: '0.10',
      net: '0.90',
    }));
    const id = await fixture.record(csvOf([...strangers.slice(0, 900), ...known, ...strangers.slice(900)]), {
      lumpMinor: 1n,
    });
    expect(await fixture.counts(id)).toEqual({ MATCHED: 200, MISSING_HERE: 1_900 });
    await fixture.apply(id, { note: NOTE });
    expect(await fixture.summary(id)).toMatchObject({ status: 'DONE', posted: 200, unresolved: 1_900 });
    expect(await fixture.booked(merchant)).toMatchObject({ COLLECTION_RECEIVABLE: 0n });
  });
});
