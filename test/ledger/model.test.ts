import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Ledger, Movement } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  conclude,
  debit,
  expectProven,
  fund,
  hold,
  openTestBooks,
  openTestDatabase,
  openTestLedger,
  outcomeOf,
  reverse,
  type TestBooks,
  type TestPayout,
  take,
} from './books.ts';
import { createModel, type Model, type ModelStatus } from './reference-model.ts';

/** Many runs of two processes are one test here. */
vi.setConfig({ testTimeout: 120_000 });

/** For every push; the nightly run takes `MODEL_RUNS=20000 MODEL_COMMANDS=120`. `MODEL_SEED` repeats a failed one. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 5);
const COMMANDS = Number(process.env['MODEL_COMMANDS'] ?? 60);
const SEED = process.env['MODEL_SEED'];
/**
 * Each takes part of a second where something goes wrong slowly; nightly runs take hours. Each ends with a proof, which asks every
 * shard where Citus distributes the database.
 */
const TIMEOUT_MS = (30_000 + RUNS * COMMANDS * 20) * (CITUS_SERVERS.length === 0 ? 1 : 8);

let holder: TestDatabase;

beforeAll(async () => {
  holder = await createTestDatabase();
});

afterAll(() => holder.drop());

interface Real {
  /** Two processes: each has its own connections and queue. */
  processes: { database: Database; ledger: Ledger }[];
  books: TestBooks;
  payouts: TestPayout[];
}

/** One request of a burst, in numbers that fit whatever the model holds by then. */
type Ask =
  | { does: 'fund'; account: number; amount: number; key: number | null }
  | { does: 'debit'; account: number; to: number; amount: number; key: number | null }
  | { does: 'hold'; account: number; amount: number; fee: number; key: number | null }
  | { does: 'take' | 'post' | 'void' | 'reverse'; payout: number }
  | { does: 'repeat'; key: number; sameInput: boolean };

interface Planned {
  movement: Movement;
  expected: string;
}

const accountsOf = (books: TestBooks) => [books.wallet, ...books.stores];

function plan(ask: Ask, model: Model, real: Real): Planned | undefined {
  const { books } = real;
  const accounts = accountsOf(books);
  const account = (at: number) => accounts[at % accounts.length]!;
  switch (ask.does) {
    case 'fund': {
      const idempotency = model.freshKey(ask.key, ask);
      const move = { from: books.system.providerFloat, to: account(ask.account), amountMinor: BigInt(ask.amount) };
      return { movement: fund(books, move.to, move.amountMinor, idempotency), expected: model.move(move, idempotency) };
    }
    case 'debit': {
      const from = account(ask.account);
      const to = account(ask.account + 1 + (ask.to % (accounts.length - 1)));
      const idempotency = model.freshKey(ask.key, ask);
      const move = { from, to, amountMinor: BigInt(ask.amount) };
      return {
        movement: debit(books, from, to, move.amountMinor, idempotency),
        expected: model.move(move, idempotency),
      };
    }
    case 'hold': {
      const idempotency = model.freshKey(ask.key, ask);
      const terms = {
        payer: account(ask.account),
        amountMinor: BigInt(ask.amount),
        feeMinor: BigInt(ask.fee),
        idempotency,
      };
      const { movement, payout } = hold(books, terms);
      const expected = model.hold(payout.id, terms, books.system, idempotency);
      if (expected === 'applied') real.payouts.push(payout);
      return { movement, expected };
    }
    case 'take':
    case 'post':
    case 'void':
    case 'reverse':
      return planStep(ask.does, real.payouts[ask.payout % real.payouts.length], model, real);
    case 'repeat':
      return planRepeat(ask, model, real);
  }
}

const STEPS: Record<'take' | 'post' | 'void' | 'reverse', { from: ModelStatus[]; to: ModelStatus }> = {
  take: { from: ['QUEUED'], to: 'PROCESSING' },
  post: { from: ['QUEUED', 'PROCESSING'], to: 'SUCCESS' },
  void: { from: ['QUEUED', 'PROCESSING'], to: 'FAILED' },
  reverse: { from: ['SUCCESS'], to: 'REVERSED' },
};

function planStep(
  does: keyof typeof STEPS,
  payout: TestPayout | undefined,
  model: Model,
  { books }: Real,
): Planned | undefined {
  if (payout === undefined) return undefined;
  const movements = {
    take: () => take(books, payout),
    post: () => conclude(books, payout, 'POST'),
    void: () => conclude(books, payout, 'VOID'),
    reverse: () => reverse(books, payout),
  };
  return { movement: movements[does](), expected: model.step(payout.id, STEPS[does].from, STEPS[does].to) };
}

/** A request that the client sends again under its key, built anew as the server would. */
function planRepeat(ask: Ask & { does: 'repeat' }, model: Model, { books }: Real): Planned | undefined {
  const used = model.usedKey(ask.key);
  if (used === undefined) return undefined;
  const idempotency = { key: used.key, inputHash: ask.sameInput ? used.inputHash : 'another input' };
  return {
    movement: fund(books, books.wallet, 1n, idempotency),
    expected: ask.sameInput ? 'replayed' : 'IDEMPOTENCY_KEY_REUSED',
  };
}

/** Requests that arrive at one process at once: they ride in one group, and are decided in their order. */
class Burst implements fc.AsyncCommand<Model, Real> {
  readonly process: number;
  readonly asks: Ask[];

  constructor(process: number, asks: Ask[]) {
    this.process = process;
    this.asks = asks;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    // A payout can be asked about once its client knows it: not in the burst that makes it.
    const known: Real = { ...real, payouts: [...real.payouts] };
    const planned: Planned[] = [];
    for (const ask of this.asks) {
      const next = plan(ask, model, ask.does === 'hold' ? real : known);
      if (next !== undefined) planned.push(next);
    }
    const { ledger } = real.processes[this.process % real.processes.length]!;
    const outcomes = await Promise.all(planned.map(({ movement }) => outcomeOf(ledger.commit(movement))));
    expect(outcomes).toEqual(planned.map(({ expected }) => expected));
  }

  toString(): string {
    return `burst in process ${this.process}: ${JSON.stringify(this.asks)}`;
  }
}

/** A process that dies, and one that starts in its place: it knows only what is in the books. */
class Restart implements fc.AsyncCommand<Model, Real> {
  readonly process: number;

  constructor(process: number) {
    this.process = process;
  }

  check(): boolean {
    return true;
  }

  async run(_model: Model, real: Real): Promise<void> {
    const at = this.process % real.processes.length;
    await real.processes[at]!.database.close();
    real.processes[at] = openProcess();
  }

  toString(): string {
    return `restart of process ${this.process}`;
  }
}

function openProcess(): Real['processes'][number] {
  const database = openTestDatabase(holder.connectionString, 2);
  return { database, ledger: openTestLedger(database) };
}

const small = fc.nat({ max: 7 });
const amount = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1_000 }));
const key = fc.option(fc.nat({ max: 1_000 }), { freq: 2 });
const asks: fc.Arbitrary<Ask> = fc.oneof(
  fc.record({ does: fc.constant('fund' as const), account: small, amount, key }),
  fc.record({ does: fc.constant('debit' as const), account: small, to: small, amount, key }),
  fc.record({ does: fc.constant('hold' as const), account: small, amount, fee: fc.nat({ max: 20 }), key }),
  fc.record({
    does: fc.constantFrom('take' as const, 'post' as const, 'void' as const, 'reverse' as const),
    payout: fc.nat(),
  }),
  fc.record({ does: fc.constantFrom('post' as const, 'void' as const), payout: fc.nat() }),
  fc.record({ does: fc.constant('repeat' as const), key: fc.nat(), sameInput: fc.boolean() }),
);
const commands = fc.commands(
  [
    fc
      .tuple(fc.nat({ max: 1 }), fc.array(asks, { minLength: 1, maxLength: 6 }))
      .map(([at, burst]) => new Burst(at, burst)),
    fc
      .tuple(fc.nat({ max: 1 }), fc.array(asks, { minLength: 1, maxLength: 2 }))
      .map(([at, burst]) => new Burst(at, burst)),
    fc
      .record({ process: fc.nat({ max: 39 }) })
      .map(({ process }) => (process < 2 ? new Restart(process) : new Burst(process, []))),
  ],
  { maxCommands: COMMANDS, size: 'max' },
);

interface Sums {
  id: string;
  sums: string[];
}

async function accountSums(database: Database, { tenant }: TestBooks): Promise<Sums[]> {
  const { rows } = await database.pool.query<{ id: string } & Record<string, string | bigint>>(
    `select id, debits_posted_minor, credits_posted_minor, debits_pending_minor, credits_pending_minor, sequence
       from accounts where merchant_id = $1 and mode = $2 order by id`,
    [tenant.merchantId, tenant.mode],
  );
  return rows.map(({ id, ...sums }) => ({ id, sums: Object.values(sums).map(String) }));
}

it(
  'after any requests, in any groups, of two processes that come and go, the books are those of the model and proven',
  async () => {
    const property = fc.asyncProperty(commands, async (script) => {
      const processes = [openProcess(), openProcess()];
      const { database } = processes[0]!;
      const books = await openTestBooks(database, { stores: 2 });
      const model = createModel([...accountsOf(books), ...Object.values(books.system)], accountsOf(books));
      const real: Real = { processes, books, payouts: [] };
      try {
        await fc.asyncModelRun(() => ({ model, real }), script);
        const checking = processes[0]!.database;
        expect(await accountSums(checking, books)).toEqual(model.sums());
        expect(await statuses(checking, books)).toEqual(model.statuses());
        await expectProven(checking);
      } finally {
        await Promise.all(processes.map((one) => one.database.close()));
      }
    });
    // On failure fast-check prints the seed, the path and the shrunk script.
    await fc.assert(property, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
  },
  TIMEOUT_MS,
);

async function statuses(database: Database, { tenant }: TestBooks): Promise<{ id: string; status: string }[]> {
  const { rows } = await database.pool.query<{ id: string; status: string }>(
    `select id, status from transactions where merchant_id = $1 and mode = $2 and category = 'PAYOUT' order by id`,
    [tenant.merchantId, tenant.mode],
  );
  return rows;
}
