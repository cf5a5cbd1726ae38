import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  addUpDays,
  findEvents,
  findKeyEffect,
  type Ledger,
  listEvents,
  readBookTotals,
  readDailyTotals,
  readEventSubjects,
  readEventTypes,
  readSystemTotals,
  rebuildTotals,
} from '../../src/ledger/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { MODES } from '../../src/platform/tenant.ts';
import { stillClock } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';
import { fund, openTestBooks, openTestLedger, type TestBooks } from './books.ts';

/** What is read of one mode, or of one merchant, has nothing of another: beside each other in the same tables. */
let database: Awaited<ReturnType<typeof openTestDatabase>>['database'];
let drop: () => Promise<void>;
let ledger: Ledger;
let sandbox: TestBooks;
let live: TestBooks;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  ledger = openTestLedger(database);
});
afterAll(() => drop());

beforeEach(async () => {
  sandbox = await openTestBooks(database);
  live = await openTestBooks(database, { merchantId: sandbox.tenant.merchantId, mode: 'LIVE' });
  await ledger.commit(fund(sandbox, sandbox.wallet, 7n));
  await ledger.commit(fund(live, live.wallet, 100n));
});

const addUp = async () => {
  const jobs = createJobMonitor({ clock: stillClock(), logger: createLogger('silent') });
  for (const mode of MODES) await addUpDays({ database, clock: systemClock, jobs }, mode);
};

async function creditsOf({ tenant }: TestBooks) {
  const { bookedMinor, days } = await readDailyTotals(database, tenant, { walletId: null, from: '2026-01-01' });
  return [bookedMinor, ...days.map(({ creditsMinor }) => creditsMinor)];
}

it('the days of a merchant in one mode have nothing of the other, added up or not', async () => {
  expect([await creditsOf(sandbox), await creditsOf(live)]).toEqual([
    [7n, 7n],
    [100n, 100n],
  ]);
  await addUp();
  expect([await creditsOf(sandbox), await creditsOf(live)]).toEqual([
    [7n, 7n],
    [100n, 100n],
  ]);
});

it.each(MODES)('days that are made anew in %s leave those of the other mode', async (mode) => {
  await addUp();
  const days = async () => {
    const all = ['daily_totals', 'merchant_daily_totals'].map((table) =>
      database.pool.query(`select to_jsonb(d) as day from ${table} d where merchant_id = $1 order by mode`, [
        sandbox.tenant.merchantId,
      ]),
    );
    return (await Promise.all(all)).map(({ rows }) => rows);
  };
  const before = await days();
  expect(before.map((rows) => rows.length)).toEqual([2, 2]);
  await rebuildTotals({ database, clock: systemClock }, { merchantId: sandbox.tenant.merchantId, mode });
  expect(await days()).toEqual(before);
});

it('what lies at the providers is of one mode, and of one merchant where one is named', async () => {
  const other = await openTestBooks(database, { mode: 'LIVE' });
  const { merchantId } = live.tenant;
  const floatOf = async (mode: 'SANDBOX' | 'LIVE', of: string | null) =>
    (await readSystemTotals(database, { mode, currency: 'NGN', merchantId: of })).floatMinor;
  const [sandboxBefore, liveBefore] = [await floatOf('SANDBOX', null), await floatOf('LIVE', null)];
  await ledger.commit(fund(other, other.wallet, 30n));
  expect([await floatOf('SANDBOX', null), await floatOf('LIVE', null)]).toEqual([sandboxBefore, liveBefore + 30n]);
  expect([await floatOf('SANDBOX', merchantId), await floatOf('LIVE', merchantId)]).toEqual([7n, 100n]);
  expect(await floatOf('LIVE', other.tenant.merchantId)).toBe(30n);
});

it('the books of a period have what was posted from its first instant up to, but not at, its last, in one mode', async () => {
  const from = new Date('2026-03-01T23:00:00Z');
  const to = new Date('2026-03-02T23:00:00Z');
  const postings: [at: number, amountMinor: bigint][] = [
    [from.getTime() - 1, 1n],
    [from.getTime(), 10n],
    [to.getTime() - 1, 100n],
    [to.getTime(), 1_000n],
  ];
  for (const [at, amountMinor] of postings)
    for (const [books, times] of [
      [live, 1n],
      [sandbox, 7n],
    ] as const) {
      const movement = fund(books, books.wallet, amountMinor * times);
      await ledger.commit({ ...movement, occurredAt: new Date(at).toISOString() });
    }
  const { balances, moved } = await readBookTotals(database, { mode: 'LIVE', from, to });
  expect(balances.find(({ kind }) => kind === 'MERCHANT_WALLET')).toMatchObject({
    openingMinor: 1n,
    creditsMinor: 110n,
    debitsMinor: 0n,
    closingMinor: 111n,
  });
  expect(moved.map(({ transfers, amountMinor }) => [transfers, amountMinor])).toEqual([[2, 110n]]);
});

it('the events of a mode are its own, however they are asked for', async () => {
  const subjectsOf = async ({ tenant }: TestBooks) => {
    const { events } = await listEvents(database, tenant, { after: 0n, limit: 10 });
    const type = events[0]?.type ?? '';
    const ofType = await listEvents(database, tenant, { after: 0n, limit: 10, type });
    const found = await findEvents(database, tenant, [1n]);
    const but = { type: 'none', begins: () => '' };
    const { subjects } = await readEventSubjects(database, tenant, { after: 0n, limit: 10, but });
    return [...events, ...ofType.events, ...found, ...subjects.map(({ subjectId }) => ({ subject_id: subjectId }))].map(
      ({ subject_id }) => subject_id,
    );
  };
  const [ofSandbox, ofLive] = [await subjectsOf(sandbox), await subjectsOf(live)];
  for (const subjects of [ofSandbox, ofLive]) expect(subjects).toEqual(Array(4).fill(subjects[0]));
  expect(ofSandbox[0]).not.toBe(ofLive[0]);
});

it('the types of the events of a mode are its own', async () => {
  const { events, ...movement } = fund(live, live.wallet, 1n);
  await ledger.commit({ ...movement, events: (events ?? []).map((event) => ({ ...event, type: 'only.live' })) });
  const windows = [sandbox, live].map(({ tenant }) => ({ tenant, after: 0n, upTo: 2n }));
  const [ofSandbox, ofLive] = await readEventTypes(database, windows);
  expect(ofLive?.types).toContain('only.live');
  expect(ofSandbox?.types).not.toContain('only.live');
});

it('a key of one mode has made nothing in the other, also once it is archived', async () => {
  const [kept, archived] = ['the rent of May', 'the rent of April'];
  const movement = fund(sandbox, sandbox.wallet, 1n, { key: kept, inputHash: 'x', requestId: 'request' });
  await ledger.commit(movement);
  await database.pool.query(
    `insert into archived_keys (merchant_id, mode, fingerprint, transaction_id)
     values ($1, 'SANDBOX', encode(substring(sha256(convert_to($2, 'UTF8')) from 1 for 16), 'hex')::uuid, $3)`,
    [sandbox.tenant.merchantId, archived, movement.id],
  );
  for (const key of [kept, archived]) {
    expect(await findKeyEffect(database, sandbox.tenant, key)).toBe(movement.id);
    expect(await findKeyEffect(database, live.tenant, key)).toBeUndefined();
    const again = { key, inputHash: 'y', requestId: 'request' };
    await expect(ledger.findAnswer(sandbox.tenant, again)).rejects.toThrow();
    expect(await ledger.findAnswer(live.tenant, again)).toBeUndefined();
  }
});

it('a balance is read for nobody but the one whose account it is, and in its mode', async () => {
  const other = await openTestBooks(database);
  expect((await ledger.readBalance(sandbox.tenant, sandbox.wallet)).bookedMinor).toBe(7n);
  for (const { tenant } of [live, other])
    await expect(ledger.readBalance(tenant, sandbox.wallet)).rejects.toThrow('no account');
});
