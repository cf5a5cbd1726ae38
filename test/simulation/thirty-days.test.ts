import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDay, readReceivables, type ShownDay, signClose, signCloseSecond } from '../../src/daily-close/index.ts';
import { findDisputeRail } from '../../src/disputes/index.ts';
import { takeDispute } from '../../src/disputes/take-dispute.ts';
import { lagosDay, startOfLagosDay } from '../../src/platform/clock.ts';
import { setReserveRule } from '../../src/reserves/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { type Dice, seeded } from './mortal.ts';
import { playDay, spend, type Tally } from './thirty-day.ts';
import { areRefundsNetted, type ProvidersBooks, settleAtProviders } from './thirty-settlements.ts';
import { createThirtyWorld, DAY_MS, HOUR_MS, MODE, type ThirtyWorld } from './thirty-world.ts';

/**
 * Thirty days of a business of collections: three providers, payments by transfer and card, refunds, disputes, what providers settle
 * and net out, and what goes home to the merchants' banks, while workers die at their work. `THIRTY_DAYS_PAYMENTS` makes it
 * long, `THIRTY_DAYS_SEED` plays the same days again.
 */
const DAYS = 30;
const PAYMENTS = Number(process.env['THIRTY_DAYS_PAYMENTS'] ?? 150);
const SEED = Number(process.env['THIRTY_DAYS_SEED'] ?? Date.now() % 1_000_000);
/** Of the runs of a job, so many die. */
const DEATHS = 0.15;
const RESERVE_DAYS = 5;
/** After the last payment: until disputes, reserves, refunds and settlements are over. */
const MOST_DAYS_AFTER = 30;
const PARTS_OF_DAY = 3;

let world: ThirtyWorld;
let dice: Dice;
let books: ProvidersBooks;
const tally: Tally = { payments: 0, refunds: 0, refused: 0, disputes: 0 };

beforeAll(async () => {
  process.stdout.write(`Thirty days with THIRTY_DAYS_SEED=${SEED}\n`);
  dice = seeded(SEED);
  world = await createThirtyWorld(dice, { merchantsEach: 2 });
  books = { payments: [], disputes: [], settlements: 0, nettedTwice: new Map(), neverSettled: new Map() };
  await collectionFee(world, { channel: 'CARD', flatMinor: 100_00n });
  const { database, clock } = world;
  await setReserveRule(
    { database, clock },
    {
      merchantId: null,
      mode: MODE,
      channel: 'CARD',
      rateBasisPoints: 1_000,
      days: RESERVE_DAYS,
      effectiveFrom: undefined,
      source: 'Decided on 20 November',
    },
  );
  // Early in the next day in Lagos.
  const next = startOfLagosDay(lagosDay(new Date(clock.now().getTime() + DAY_MS)));
  clock.advance(next.getTime() + HOUR_MS - clock.now().getTime());
});
afterAll(() => world?.close());

const hear = async ({ name }: { name: string }, providerDisputeId: string): Promise<void> => {
  await world.risky(DEATHS, async (by) => {
    const rail = await findDisputeRail(by.rails, MODE, name);
    if (rail !== undefined) await takeDispute(by, rail, { providerDisputeId }, { source: 'WEBHOOK' });
  });
};

/** Disputes that have run for a day or two end, one way or another. */
async function endDisputes(all: boolean): Promise<void> {
  for (const dispute of books.disputes.filter(({ endedOn }) => endedOn === null)) {
    if (!all && !dice.chance(0.4)) continue;
    const { provider, id } = dispute;
    dispute.end = dice.oneOf(['won', 'lost', 'lost', 'accepted'] as const);
    dispute.endedOn = lagosDay(world.clock.now());
    provider.script.disputes.end(id, dispute.end, dispute.end === 'accepted');
    // However much was paid in since it began, of some losses nothing is left to take.
    if (!all && dice.chance(0.2)) await spend(world, dispute);
    if (dice.chance(0.5)) await hear(provider, id);
  }
}

const closes: ShownDay['figures'][] = [];
/** Two people sign the day before, as it is shown to them. */
async function closeYesterday(): Promise<void> {
  const day = lagosDay(new Date(world.clock.now().getTime() - DAY_MS));
  const { ada, bola } = world.people;
  const { digest } = await readDay(world, { mode: MODE, day });
  const closeId = await signClose(world, { mode: MODE, day, digest, personId: ada });
  await signCloseSecond(world, { closeId, digest, personId: bola });
  const { figures, close } = await readDay(world, { mode: MODE, day });
  expect(close?.figures_digest).toBe(digest);
  const before = closes.at(-1);
  for (const { kind, opening, debits, credits, closing } of figures.kinds) {
    expect(BigInt(opening) + BigInt(credits) - BigInt(debits), `${day} ${kind}`).toBe(BigInt(closing));
    if (before === undefined) continue;
    expect(opening, `${day} ${kind}`).toBe(before.kinds.find((one) => one.kind === kind)?.closing ?? '0');
  }
  closes.push(figures);
}

async function liveOneDay(payments: number, isLast: boolean): Promise<void> {
  const { clock } = world;
  await closeYesterday();
  await endDisputes(isLast);
  for (let part = 0; part < PARTS_OF_DAY; part += 1) {
    await playDay({ world, dice, books, tally, deaths: DEATHS, isLast, hear }, Math.ceil(payments / PARTS_OF_DAY));
    await world.work(DEATHS);
    if (part === 1) await settleAtProviders(world, dice, books, { deaths: DEATHS, isLast });
    await world.work(0);
    clock.advance(5 * HOUR_MS);
  }
  const next = startOfLagosDay(lagosDay(new Date(clock.now().getTime() + 8 * HOUR_MS)));
  clock.advance(Math.max(next.getTime() + HOUR_MS - clock.now().getTime(), 0));
}

const sumOf = async (sql: string): Promise<bigint> =>
  BigInt((await world.rows<{ sum: string | null }>(sql))[0]?.sum ?? 0);
const owedByMerchants = () =>
  sumOf(`select sum(debits_posted_minor - credits_posted_minor)::text as sum from accounts
          where kind = 'MERCHANT_RECEIVABLE'`);

describe('thirty days of three providers, with workers that die', () => {
  it(
    'end with receivables of nothing but what is named, banks that got what reports say, and books that are proven',
    async () => {
      for (let day = 0; day < DAYS; day += 1) await liveOneDay(PAYMENTS / DAYS, false);
      const mostOwed = await sumOf('select sum(loss_minor)::text as sum from disputes');
      const lostBeyond = await sumOf('select count(*)::text as sum from disputes where loss_minor > 0');
      expect(lostBeyond).toBeGreaterThan(0n);
      for (let day = 0; day < MOST_DAYS_AFTER && (await isAnythingOpen()); day += 1) {
        // Those that owe are paid more, and so are providers that have still to take what went back.
        const isOwed = !isNetted() || (await owedByMerchants()) > 0n;
        await liveOneDay(isOwed ? 4 * world.merchants.length : 0, true);
      }
      // What was paid last is settled, and released.
      await liveOneDay(0, true);
      await closeYesterday();
      await expectRefundsAndDisputesOver();
      expect(await owedByMerchants()).toBe(0n);
      expect(
        await sumOf(`select sum(credits_posted_minor)::text as sum from accounts where kind = 'RESERVE'`),
      ).toBeGreaterThan(0n);
      expect(await kept()).toBe(0n);
      await expectReceivablesNamed();
      const paidHome = await expectBanksPaid();
      await expectClosesAreTheLedger();
      const { checks } = await verifyBooks(world.database);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      process.stdout.write(
        `${tally.payments} payments, ${tally.refunds} refunds (${tally.refused} refused), ${tally.disputes} disputes ` +
          `(${lostBeyond} lost beyond the balance, ${mostOwed} kobo), ${books.settlements} settlements of providers, ` +
          `${paidHome} settlements to banks, ${closes.length} days closed, ${world.kills.count} workers killed\n`,
      );
    },
    120_000 + PAYMENTS * 400,
  );
});

const listOpen = () =>
  world.rows(
    `select 'refund' as what, id::text, status from refunds where status not in ('SUCCESS', 'FAILED')
     union all select 'dispute', id::text, status from disputes where ended_at is null
     union all select 'settlement', id::text, status from merchant_settlements where status <> 'PAID'`,
  );
const kept = () =>
  sumOf(`select sum(credits_posted_minor - debits_posted_minor)::text as sum from accounts where kind = 'RESERVE'`);
const isNetted = () =>
  books.disputes.every(({ end, isNetted: done }) => done || end === 'won') && world.providers.every(areRefundsNetted);
async function isAnythingOpen(): Promise<boolean> {
  const isSettled = books.payments.every((payment) => payment.isSettled);
  if (!isNetted() || !isSettled || (await owedByMerchants()) > 0n || (await kept()) > 0n) return true;
  return (await listOpen()).length > 0;
}

async function expectRefundsAndDisputesOver(): Promise<void> {
  expect(await listOpen()).toEqual([]);
  for (const { name, refunds } of world.providers) {
    const made = [...refunds.made.values()].filter(({ fate }) => !fate.startsWith('fails'));
    const ours = await sumOf(`select sum(amount_minor)::text as sum from refunds
                               where status = 'SUCCESS' and rail = '${name}'`);
    expect(ours, name).toBe(made.reduce((sum, { order }) => sum + order.amountMinor, 0n));
  }
}

/**
 * What is left of each receivable is what the provider never settled; what it took twice it owes, and no book has it. What it took
 * before its end was heard is posted since.
 */
async function expectReceivablesNamed(): Promise<void> {
  const [first, last] = [closes.at(0)?.day ?? '', closes.at(-1)?.day ?? ''];
  const receivables = await readReceivables(world, { mode: MODE, fromDay: first, toDay: last });
  for (const { name, lumps } of world.providers) {
    const found = receivables.find(({ rail }) => rail === name);
    const never = books.neverSettled.get(name) ?? 0n;
    const twice = books.nettedTwice.get(name) ?? 0n;
    expect(found, name).toMatchObject({ closing: String(never), unsettledMinor: never });
    expect(BigInt(found?.settled ?? 0) - BigInt(found?.deducted ?? 0), name).toBe(lumps + twice);
    const named = found?.differences.filter(({ result }) => result !== 'FEE_DIFFERS') ?? [];
    const expected = [
      ...(twice === 0n ? [] : [expect.objectContaining({ result: 'ALREADY_SETTLED', lines: 1 })]),
      ...(never === 0n ? [] : [{ result: 'MISSING_THERE', lines: 1, amountMinor: never }]),
    ];
    expect(
      named.toSorted((one, other) => one.result.localeCompare(other.result)),
      name,
    ).toEqual(expected);
  }
}

/** The sandbox's own bank has, by merchant, what the settlements say that they paid. */
async function expectBanksPaid(): Promise<number> {
  const theirs = await world.rows(
    `select merchant_id, bank_code, account_number, count(*)::int as paid, sum(amount_minor)::text as sum
       from sandbox_rail_transfers where received_at is not null group by 1, 2, 3 order by 1`,
  );
  const ours = await world.rows<{ paid: number }>(
    `select merchant_id, bank_code, account_number, count(*)::int as paid, sum(amount_minor)::text as sum
       from merchant_settlements where status = 'PAID' group by 1, 2, 3 order by 1`,
  );
  expect(ours.length).toBe(world.merchants.length);
  expect(theirs).toEqual(ours);
  return ours.reduce((sum, { paid }) => sum + paid, 0);
}

/** The last day's closing is what accounts have, and no day has another opening than the day before closed with. */
async function expectClosesAreTheLedger(): Promise<void> {
  const rows = await world.rows<{ kind: string; booked: string }>(
    `select kind, sum(credits_posted_minor - debits_posted_minor)::text as booked from accounts
      where mode = '${MODE}' group by kind having sum(credits_posted_minor - debits_posted_minor) <> 0 order by kind`,
  );
  const last = closes.at(-1)?.kinds.filter(({ closing }) => closing !== '0') ?? [];
  const closed = last.map(({ kind, closing }) => ({ kind, booked: closing }));
  expect(closed.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual(
    rows.toSorted((one, other) => one.kind.localeCompare(other.kind)),
  );
}
