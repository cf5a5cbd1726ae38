import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTakenBack, releaseTakenBack, takeBack, takenBackByOthers } from '../../src/collections/index.ts';
import type { Ledger, LimitUsage } from '../../src/ledger/index.ts';
import { success } from '../../src/platform/answer.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { openTestBooks, openTestDatabase, openTestLedger, outcomeOf, type TestBooks, tally } from '../ledger/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let holder: TestDatabase;
let database: Database;
/** Two processes with the same books. */
let ledgers: readonly [Ledger, Ledger];
let books: TestBooks;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  ledgers = [openTestLedger(database), openTestLedger(database)];
  books = await openTestBooks(database);
});

afterAll(async () => {
  await database.close();
  await holder.drop();
});

const newPayment = (amount_minor = 1_000n) => ({
  merchant_id: books.tenant.merchantId,
  mode: books.tenant.mode,
  id: newId(),
  amount_minor,
});

function commit(usage: LimitUsage, at = 0) {
  const id = newId();
  const events = [{ id: newId(), type: 'guarded', subjectId: id, data: '{}' }];
  const base = { tenant: books.tenant, id, occurredAt: new Date().toISOString(), events, answer: success('Done') };
  return outcomeOf((ledgers[at % 2] ?? ledgers[0]).commit({ ...base, limitUsages: [usage] }));
}

describe('what goes back of a payment', () => {
  it('never comes to more than the payment, however many take some of it at once in two processes', async () => {
    const payment = newPayment();
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, at) => commit(takeBack(payment, 300n), at)));
    expect(tally(outcomes)).toEqual({ applied: 3, PAYMENT_TAKEN_BACK: 37 });
    expect(await readTakenBack(database, payment)).toBe(900n);
    expect(await commit(takeBack(payment, 101n))).toBe('PAYMENT_TAKEN_BACK');
    expect(await commit(takeBack(payment, 100n))).toBe('applied');
  });

  it('leaves a refund what a dispute has not taken, and a dispute is never refused', async () => {
    const payment = newPayment();
    expect(await commit(takeBack(payment, 400n))).toBe('applied');
    expect(await commit(takenBackByOthers(payment, 1_000n))).toBe('applied');
    expect(await commit(takeBack(payment, 1n))).toBe('PAYMENT_TAKEN_BACK');
    expect(await commit(releaseTakenBack(payment, 1_000n))).toBe('applied');
    expect(await commit(takeBack(payment, 600n))).toBe('applied');
    expect(await readTakenBack(database, payment)).toBe(1_000n);
  });
});
