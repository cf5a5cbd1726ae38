import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollCredits } from '../../src/collections/index.ts';
import { pollDisputes } from '../../src/disputes/index.ts';
import { pollSettlements } from '../../src/provider-settlements/index.ts';
import { createRailCaller, type RailCaller } from '../../src/rails/index.ts';
import type { CreditPage, WalletProvider } from '../../src/rails/wallet-provider.ts';
import { createDisputeFixture, type DisputeFixture } from '../disputes/fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { RAIL, scriptedProvider } from './fixture.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = 'other-bank';

let t: DisputeFixture;
let deps: DisputeFixture['deps'];
let provider: WalletProvider;
let listCredits: WalletProvider['listCredits'];
beforeAll(async () => {
  t = await createDisputeFixture();
  ({ provider } = t.script);
  listCredits = provider.listCredits.bind(provider);
});
beforeEach(() => {
  // Each with failures of its own.
  deps = { ...t.deps, ...t.another() };
});
afterEach(async () => {
  provider.listCredits = listCredits;
  // Beyond any lease.
  t.clock.advance(10 * 60_000);
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const windowOf = async (table: string) =>
  (await t.database.pool.query(`select * from ${table} where rail = $1`, [RAIL])).rows[0];

/** A second provider account beside the first. */
function withAnother(listed: WalletProvider['listCredits']): typeof deps {
  const other = scriptedProvider(t, 'LIVE').provider;
  other.listCredits = listed;
  const never = () => Promise.reject(new Error('nobody asks for this'));
  const unused = { nameEnquiry: never, send: never, query: never, balance: never, verifyWebhook: async () => [] };
  const caller: RailCaller = createRailCaller({ ...unused, name: OTHER, wallets: other }, t);
  const { rails } = deps;
  return {
    ...deps,
    rails: {
      ...rails,
      findRail: async (mode, name) => (name === OTHER ? caller : rails.findRail(mode, name)),
      async listNamed() {
        const named = await rails.listNamed();
        return [...named, ...named.filter(({ name }) => name === RAIL).map((one) => ({ ...one, name: OTHER }))];
      },
    },
  };
}

describe('a provider whose list of credits has no end', () => {
  it('is left when its pages come round again, shows as failing, and has what is on them in the wallet', async () => {
    const payee = await t.payee();
    await pollCredits(deps, 'LIVE');
    const before = await windowOf('credit_polls');
    for (let at = 0; at < 60; at += 1) t.script.receive({ accountNumber: payee.accountNumber, amountMinor: 1_00n });
    t.clock.advance(60_000);
    let asked = 0;
    provider.listCredits = async (request, signal) => {
      asked += 1;
      if (asked > 100) throw new Error('read for ever');
      const page = await listCredits({ ...request, cursor: asked % 2 === 0 ? '50' : '0' }, signal);
      return { ...page, next: String(asked) };
    };
    await pollCredits(deps, 'LIVE');
    expect(asked).toBe(3);
    expect(deps.jobs.backingOff()).toContainEqual({ job: 'credits.poll', mode: 'LIVE', count: 1 });
    expect(await payee.balance()).toBe(60_00n);
    expect(await windowOf('credit_polls')).toMatchObject({ polled_to: before.polled_to, leased_until: null });
  });

  it('is passed over while it is read, and the others are polled', async () => {
    const payee = await t.payee();
    const reading = Promise.withResolvers<void>();
    const by = withAnother(async (_request, signal): Promise<CreditPage> => {
      reading.resolve();
      // As one whose next page takes for ever.
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    });
    const stopping = new AbortController();
    const before = await windowOf('credit_polls');
    const first = pollCredits(by, 'LIVE', stopping.signal);
    await reading.promise;
    const isReading = async () => {
      const { polled_to, leased_until } = await windowOf('credit_polls');
      return leased_until !== null || polled_to <= before.polled_to;
    };
    while (await isReading()) await setImmediate();
    t.script.receive({ accountNumber: payee.accountNumber, amountMinor: 7_00n });
    t.clock.advance(60_000);
    expect(await pollCredits(by, 'LIVE')).toBe(1);
    expect(await payee.balance()).toBe(7_00n);
    stopping.abort();
    await first;
    expect(by.jobs.failuresOf('credits.poll').hasAny()).toBe(false);
    const ended = 'delete from credit_polls where rail = $1 returning leased_until';
    const { rows } = await t.database.pool.query(ended, [OTHER]);
    expect(rows).toEqual([{ leased_until: null }]);
  });

  it('for three days is read for the last hour all the same', async () => {
    const payee = await t.payee();
    await pollCredits(deps, 'LIVE');
    t.clock.advance(DAY_MS);
    t.script.receive({ accountNumber: payee.accountNumber, amountMinor: 8_00n });
    t.clock.advance(60_000);
    provider.listCredits = async (request, signal) => {
      const isDeep = request.to.getTime() - request.from.getTime() > 2 * DAY_MS;
      if (!isDeep) return listCredits(request, signal);
      throw new Error('the list has no end');
    };
    await pollCredits(deps, 'LIVE');
    expect(await payee.balance()).toBe(0n);
    t.clock.advance(60_000);
    await pollCredits(deps, 'LIVE');
    expect(await payee.balance()).toBe(8_00n);
  });
});

describe('a list that has a payment as gone back', () => {
  it('has its provider asked where the payment is in the books, until people know of it, and of no other', async () => {
    const payee = await t.payee();
    const hints = [1, 2].map(() => t.script.receive({ accountNumber: payee.accountNumber, amountMinor: 9_00n }));
    const [known = hints[0], unknown = hints[0]] = hints;
    if (known === undefined || unknown === undefined) throw new Error('nothing was paid');
    await t.takeWebhook(known);
    for (const { providerTransactionId } of hints) {
      const credit = t.script.credits.get(providerTransactionId ?? '');
      if (credit !== undefined) credit.outcome = 'reversed';
    }
    provider.listCredits = async () => ({
      credits: hints.map((hint) => ({ ...hint, amountMinor: null, isReversal: true })),
      unreadable: [],
      next: null,
    });
    const before = t.script.queries;
    for (let round = 0; round < 3; round += 1) {
      await pollCredits(deps, 'LIVE');
      t.clock.advance(60_000);
    }
    expect(t.script.queries).toBe(before + 1);
    const { rows } = await t.database.pool.query(
      "select provider_transaction_id as id, status from open_credits where reason = 'REVERSED'",
    );
    expect(rows).toEqual([{ id: known.providerTransactionId, status: 'CONTRADICTED' }]);
  });
});

describe('after a clock that was ahead for a moment', () => {
  async function aheadFor(ms: number, poll: () => Promise<unknown>) {
    await poll();
    t.clock.advance(ms);
    await poll();
    t.clock.advance(-ms);
  }

  it('a payment that its provider lists two hours late is in its wallet within two days', async () => {
    const payee = await t.payee();
    await aheadFor(365 * DAY_MS, () => pollCredits(deps, 'LIVE'));
    t.clock.advance(60_000);
    await pollCredits(deps, 'LIVE');
    const { providerTransactionId } = t.script.receive({
      accountNumber: payee.accountNumber,
      amountMinor: 9_00n,
    });
    const id = providerTransactionId ?? '';
    const credit = t.script.credits.get(id);
    if (credit === undefined) throw new Error('nothing was received');
    t.script.credits.delete(id);
    for (let hour = 1; hour <= 48; hour += 1) {
      t.clock.advance(HOUR_MS);
      if (hour === 2) t.script.credits.set(id, credit);
      await pollCredits(deps, 'LIVE');
    }
    expect(await payee.balance()).toBe(9_00n);
  });

  const POLLS = [
    ['credit_polls', pollCredits],
    ['dispute_polls', pollDisputes],
    ['provider_settlement_polls', pollSettlements],
  ] as const;
  beforeEach(() => {
    const settlements = { listSettlements: async () => ({ settlements: [], unreadable: [], next: null }) };
    Object.assign(provider, { settlements });
    deps = { ...t.deps, ...t.another() };
  });

  it('a list that was being read by a process with that clock as it was killed is read at once', async () => {
    for (const [table, poll] of POLLS) {
      await poll(deps, 'LIVE');
      /** Whether it is read while somebody has a lease that lasts so long. */
      const isRead = async (aheadMs: number) => {
        t.clock.advance(60_000);
        const now = t.clock.now();
        const until = new Date(now.getTime() + aheadMs);
        await t.database.pool.query(`update ${table} set leased_until = $1`, [until]);
        await poll(deps, 'LIVE');
        const { polled_to, leased_until } = await windowOf(table);
        return polled_to >= now && leased_until === null;
      };
      expect([await isRead(HOUR_MS), await isRead(60_000)], table).toEqual([true, false]);
    }
  });

  it('the window of each list begins where time is', async () => {
    for (const [table, poll] of POLLS) {
      await aheadFor(3 * DAY_MS, () => poll(deps, 'LIVE'));
      await poll(deps, 'LIVE');
      const { polled_to } = await windowOf(table);
      expect({ table, isPast: polled_to <= t.clock.now() }).toEqual({ table, isPast: true });
    }
  });
});
