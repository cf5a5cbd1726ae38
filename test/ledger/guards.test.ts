import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Ledger,
  type LimitUsage,
  type Movement,
  type Reservation,
  readLimitUsage,
} from '../../src/ledger/index.ts';
import { readGuards } from '../../src/ledger/read-guards.ts';
import { success } from '../../src/platform/answer.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import {
  debit,
  expectProven,
  fund,
  openTestBooks,
  openTestDatabase,
  openTestLedger,
  outcomeOf,
  type TestBooks,
  tally,
} from './books.ts';
import { createGuardModel } from './guard-model.ts';

/** For every push; the nightly run takes more. */
const RUNS = Number(process.env['GUARD_RUNS'] ?? 30);

let holder: TestDatabase;
let database: Database;
let ledger: Ledger;
/** Another process: its own connections to the same books. */
let farDatabase: Database;
let farLedger: Ledger;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  farDatabase = openTestDatabase(holder.connectionString);
  ledger = openTestLedger(database);
  farLedger = openTestLedger(farDatabase);
});

afterAll(async () => {
  await expectProven(database);
  await database.close();
  await farDatabase.close();
  await holder.drop();
});

const NOON = Date.parse('2026-11-20T11:00:00.000Z');
const MINUTE_MS = 60_000;
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

function guarded(books: TestBooks, rest: Partial<Movement>, atMs = NOON): Movement {
  const id = newId();
  const events = [{ id: newId(), type: 'guarded', subjectId: id, data: '{}' }];
  const occurredAt = new Date(atMs).toISOString();
  return { tenant: books.tenant, id, occurredAt, events, answer: success('Done'), ...rest };
}

const reservation = (value: string, withinMs: number | null = 2 * MINUTE_MS): Reservation => ({
  scope: 'PAY',
  value,
  withinMs,
  refusal: (by) => new AppError('conflict', `SEEN ${by}`, 'It was seen.'),
});

const limitUsage = (amountMinor: bigint, limitMinor: bigint | null, period = '2026-11-20'): LimitUsage => ({
  scope: 'DAY',
  period,
  amountMinor,
  limitMinor,
  refusal: (left) => new AppError('refused', `EXCEEDED ${left}`, 'It is too much.'),
});

const used = (books: TestBooks, period = '2026-11-20') => readLimitUsage(database, books.tenant, 'DAY', period);
const commit = (movement: Movement, through = ledger) => outcomeOf(through.commit(movement));

async function reservationsOf({ tenant }: TestBooks) {
  const { rows } = await database.pool.query<{ scope: string; value: string; subject: string; at: Date }>(
    `select scope, value, subject_id as subject, reserved_at as at from reservations where merchant_id = $1 and mode = $2
      order by scope || value collate "C"`,
    [tenant.merchantId, tenant.mode],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

async function limitUsagesOf({ tenant }: TestBooks) {
  const { rows } = await database.pool.query(
    `select scope, period, used_minor as used from limit_usage where merchant_id = $1 and mode = $2
      order by scope || period collate "C"`,
    [tenant.merchantId, tenant.mode],
  );
  return rows;
}

describe('a mark', () => {
  it('lets one of 50 pass that come at once to two processes, and tells the others which one it was', async () => {
    const books = await openTestBooks(database);
    const movements = times(50, () => guarded(books, { reservations: [reservation('rent')] }));
    const outcomes = await Promise.all(movements.map((one, at) => commit(one, at % 2 === 0 ? ledger : farLedger)));
    const passed = movements.filter((_, at) => outcomes[at] === 'applied').map(({ id }) => id);
    expect(passed).toHaveLength(1);
    expect(tally(outcomes)).toEqual({ applied: 1, [`SEEN ${passed[0]}`]: 49 });
  });

  it('counts until its time is over, and not at that moment', async () => {
    const books = await openTestBooks(database);
    const at = (afterMs: number) => commit(guarded(books, { reservations: [reservation('rent')] }, NOON + afterMs));
    expect(await at(0)).toBe('applied');
    expect(await at(2 * MINUTE_MS - 1)).toMatch('SEEN');
    expect(await at(2 * MINUTE_MS)).toBe('applied');
    expect(await at(2 * MINUTE_MS + 1)).toMatch('SEEN');
  });

  it('counts for one tenant only, and for another name not at all', async () => {
    const books = await openTestBooks(database);
    const live = await openTestBooks(database, { merchantId: books.tenant.merchantId, mode: 'LIVE' });
    const movements = [
      guarded(books, { reservations: [reservation('rent')] }),
      guarded(live, { reservations: [reservation('rent')] }),
    ];
    movements.push(
      guarded(books, { reservations: [reservation('food')] }),
      guarded(books, { reservations: [{ ...reservation('rent'), scope: 'B' }] }),
    );
    expect(tally(await Promise.all(movements.map((one) => commit(one))))).toEqual({ applied: 4 });
  });

  it('that is only noted refuses nobody, and is what the next one meets', async () => {
    const books = await openTestBooks(database);
    const [first, second] = [
      guarded(books, { reservations: [reservation('rent')] }),
      guarded(books, { reservations: [reservation('rent', null)] }),
    ];
    expect(await Promise.all([commit(first), commit(second)])).toEqual(['applied', 'applied']);
    expect(await commit(guarded(books, { reservations: [reservation('rent')] }))).toBe(`SEEN ${second.id}`);
  });

  it('that is forgotten stays in the books of the other mode, in another scope and by another name', async () => {
    const books = await openTestBooks(database);
    const live = await openTestBooks(database, { merchantId: books.tenant.merchantId, mode: 'LIVE' });
    const others = [reservation('food'), { ...reservation('rent'), scope: 'B' }];
    const first = guarded(books, { reservations: [reservation('rent'), ...others] });
    // The same subject in both modes: nothing but the mode tells them apart.
    const second = { ...guarded(live, { reservations: [reservation('rent'), ...others] }), id: first.id };
    expect([await commit(first), await commit(second)]).toEqual(['applied', 'applied']);
    await ledger.commit(guarded(books, { releases: [{ scope: 'PAY', value: 'rent', subjectId: first.id }] }));
    const names = async (of: TestBooks) => (await reservationsOf(of)).map(({ scope, value }) => `${scope} ${value}`);
    expect(await names(books)).toEqual(['B rent', 'PAY food']);
    expect(await names(live)).toEqual(['B rent', 'PAY food', 'PAY rent']);
  });

  it('is forgotten by the one that noted it last, and by nobody else', async () => {
    const books = await openTestBooks(database);
    const first = guarded(books, { reservations: [reservation('rent')] });
    await ledger.commit(first);
    const forget = (subjectId: string) => guarded(books, { releases: [{ scope: 'PAY', value: 'rent', subjectId }] });
    await ledger.commit(forget(newId()));
    expect(await commit(guarded(books, { reservations: [reservation('rent')] }))).toBe(`SEEN ${first.id}`);
    // In one group: forgotten, and noted again by the next in line.
    const [, , last] = await Promise.all(
      [
        forget(first.id),
        guarded(books, { reservations: [reservation('rent')] }),
        guarded(books, { reservations: [reservation('rent')] }),
      ].map((one) => commit(one)),
    );
    expect(last).toMatch('SEEN');
    expect(await reservationsOf(books)).toHaveLength(1);
  });
});

describe('an allowance', () => {
  it('lets exactly as many pass as fit, whichever of two processes they come to', async () => {
    const books = await openTestBooks(database);
    const movements = times(40, () => guarded(books, { limitUsages: [limitUsage(30n, 1_000n)] }));
    const outcomes = await Promise.all(movements.map((one, at) => commit(one, at % 2 === 0 ? ledger : farLedger)));
    expect(tally(outcomes)).toEqual({ applied: 33, 'EXCEEDED 10': 7 });
    expect(await used(books)).toBe(990n);
    expect(await commit(guarded(books, { limitUsages: [limitUsage(10n, 1_000n)] }))).toBe('applied');
    expect(await commit(guarded(books, { limitUsages: [limitUsage(1n, 1_000n)] }))).toBe('EXCEEDED 0');
  });

  it('is released, and never below nothing', async () => {
    const books = await openTestBooks(database);
    await ledger.commit(guarded(books, { limitUsages: [limitUsage(700n, 1_000n)] }));
    await ledger.commit(guarded(books, { limitUsages: [limitUsage(-300n, null)] }));
    expect(await used(books)).toBe(400n);
    await ledger.commit(guarded(books, { limitUsages: [limitUsage(-500n, null)] }));
    expect(await used(books)).toBe(0n);
  });

  it('that is used twice by one movement counts both', async () => {
    const books = await openTestBooks(database);
    const twice = (amountMinor: bigint) =>
      guarded(books, { limitUsages: [limitUsage(amountMinor, 100n), limitUsage(amountMinor, 100n)] });
    expect(await commit(twice(51n))).toBe('EXCEEDED 49');
    expect(await commit(twice(50n))).toBe('applied');
    expect(await used(books)).toBe(100n);
  });

  it('whose limit was lowered beneath what is used lets nothing pass, and says by how much', async () => {
    const books = await openTestBooks(database);
    await ledger.commit(guarded(books, { limitUsages: [limitUsage(700n, null)] }));
    expect(await commit(guarded(books, { limitUsages: [limitUsage(1n, 500n)] }))).toBe('EXCEEDED -200');
  });

  it('of another day is its own', async () => {
    const books = await openTestBooks(database);
    const days = ['2026-11-20', '2026-11-21'].map((day) =>
      guarded(books, { limitUsages: [limitUsage(1_000n, 1_000n, day)] }),
    );
    expect(await Promise.all(days.map((one) => commit(one)))).toEqual(['applied', 'applied']);
  });
});

describe('a guarded movement', () => {
  it('that is refused leaves no trace in marks and allowances, whatever refused it', async () => {
    const books = await openTestBooks(database);
    const [store] = books.stores as [string];
    const poor = {
      ...debit(books, store, books.wallet, 1n),
      reservations: [reservation('rent')],
      limitUsages: [limitUsage(5n, 100n)],
    };
    const dear = guarded(books, {
      reservations: [reservation('rent')],
      limitUsages: [limitUsage(5n, 100n), limitUsage(96n, 100n)],
    });
    expect(await Promise.all([commit(poor), commit(dear)])).toEqual(['INSUFFICIENT_FUNDS', 'EXCEEDED 95']);
    expect([await reservationsOf(books), await limitUsagesOf(books)]).toEqual([[], []]);
    expect(
      await commit(guarded(books, { reservations: [reservation('rent')], limitUsages: [limitUsage(100n, 100n)] })),
    ).toBe('applied');
  });

  it('that is repeated under its key uses nothing again', async () => {
    const books = await openTestBooks(database);
    const idempotency = { key: 'once', inputHash: 'same' };
    const again = () =>
      guarded(books, { idempotency, reservations: [reservation('rent')], limitUsages: [limitUsage(60n, 100n)] });
    expect(await Promise.all([commit(again()), commit(again())])).toEqual(['applied', 'replayed']);
    expect(await commit(again(), farLedger)).toBe('replayed');
    expect(await used(books)).toBe(60n);
  });

  it('has to have an event, since a lost COMMIT is looked up by it', () => {
    const silent = { tenant: { merchantId: newId(), mode: 'SANDBOX' as const }, id: newId(), answer: success('Done') };
    const rest = { occurredAt: new Date(NOON).toISOString(), limitUsages: [limitUsage(1n, null)] };
    expect(() => ledger.commit({ ...silent, ...rest })).toThrow('has no event');
  });

  it('costs a group without guards no statement', async () => {
    const books = await openTestBooks(database);
    const [store] = books.stores as [string];
    const deaf = { query: () => Promise.reject(new Error('asked')), run: () => Promise.reject(new Error('asked')) };
    const movements = [fund(books, store, 1n), debit(books, store, books.wallet, 1n)];
    expect(await readGuards(deaf, movements)).toBeUndefined();
    await expect(readGuards(deaf, [guarded(books, { reservations: [reservation('rent')] })])).rejects.toThrow('asked');
  });
});

interface Ask {
  reservations: { value: number; withinMinutes: number | null; subject: number | null }[];
  /** The movement before this one, counted back, whose mark is forgotten. */
  forgets: { value: number; back: number }[];
  limitUsages: { period: number; amount: number; limit: number | null }[];
  pays: number;
  minutes: number;
}

const small = fc.nat({ max: 2 });
/** What may note a mark again and again, as a batch would. */
const SUBJECTS = [newId(), newId(), newId()];
const asks: fc.Arbitrary<Ask> = fc.record({
  reservations: fc.array(
    fc.record({ value: small, withinMinutes: fc.option(fc.nat({ max: 4 })), subject: fc.option(small) }),
    { maxLength: 2 },
  ),
  forgets: fc.array(fc.record({ value: small, back: fc.nat({ max: 4 }) }), { maxLength: 2 }),
  limitUsages: fc.array(
    fc.record({ period: small, amount: fc.integer({ min: -40, max: 60 }), limit: fc.option(fc.nat({ max: 120 })) }),
    { maxLength: 3 },
  ),
  pays: fc.integer({ min: 1, max: 12 }),
  minutes: fc.nat({ max: 2 }),
});

describe('groups of guarded movements', () => {
  it('end as if one had come after the other, refused and applied ones mixed, in two processes', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(asks, { minLength: 1, maxLength: 8 }), { maxLength: 5 }),
      async (groups) => {
        const books = await openTestBooks(database);
        const [store] = books.stores as [string];
        await ledger.commit(fund(books, store, 60n));
        const model = createGuardModel();
        const ids: string[] = [];
        let left = 60n;
        let atMs = NOON;
        for (const [turn, group] of groups.entries()) {
          const planned = group.map((ask) => {
            atMs += ask.minutes * MINUTE_MS;
            const movement = movementOf(books, store, ask, ids, atMs);
            ids.push(movement.id);
            const expected = model.decide(movement, left >= BigInt(ask.pays));
            if (expected === 'applied') left -= BigInt(ask.pays);
            return { movement, expected };
          });
          const through = turn % 2 === 0 ? ledger : farLedger;
          const outcomes = await Promise.all(planned.map(({ movement }) => commit(movement, through)));
          expect(outcomes).toEqual(planned.map(({ expected }) => expected));
        }
        expect(await reservationsOf(books)).toEqual(model.reservations());
        expect(await limitUsagesOf(books)).toEqual(model.limitUsages());
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });
});

function movementOf(books: TestBooks, store: string, ask: Ask, ids: readonly string[], atMs: number): Movement {
  return {
    ...debit(books, store, books.wallet, BigInt(ask.pays)),
    occurredAt: new Date(atMs).toISOString(),
    reservations: ask.reservations.map(({ value, withinMinutes, subject }) => ({
      ...reservation(`v${value}`, withinMinutes === null ? null : withinMinutes * MINUTE_MS),
      ...(subject === null ? {} : { subjectId: SUBJECTS[subject] as string }),
    })),
    releases: ask.forgets.map(({ value, back }) => {
      return { scope: 'PAY', value: `v${value}`, subjectId: ids.at(-1 - back) ?? newId() };
    }),
    limitUsages: ask.limitUsages.map(({ period, amount, limit }) =>
      limitUsage(BigInt(amount), limit === null ? null : BigInt(limit), `d${period}`),
    ),
  };
}

describe('a COMMIT that is lost', () => {
  it.each(['cut', 'pass-then-cut'] as const)('(%s) counts and notes once', { timeout: 60_000 }, async (fate) => {
    const address = new URL(holder.connectionString);
    const proxy = await startTcpProxy(Number(address.port));
    address.hostname = '127.0.0.1';
    address.port = String(proxy.port);
    address.searchParams.delete('host');
    const lossy = openTestDatabase(address.href);
    const through = openTestLedger(lossy);
    try {
      const books = await openTestBooks(database);
      for (let at = 1; at <= 20; at += 1) {
        let lost = false;
        proxy.onClientData((bytes) => {
          if (lost || !bytes.includes('commit\0')) return 'pass';
          lost = true;
          return fate;
        });
        const guards = { reservations: [reservation('rent')], limitUsages: [limitUsage(7n, 7n * 20n)] };
        const movement = guarded(books, guards, NOON + at * 2 * MINUTE_MS);
        expect(await commit(movement, through)).toBe('applied');
        expect(lost).toBe(true);
        expect(await used(books)).toBe(BigInt(at) * 7n);
        expect(await reservationsOf(books)).toMatchObject([{ subject: movement.id }]);
      }
    } finally {
      await lossy.close();
      await proxy.close();
    }
  });
});
