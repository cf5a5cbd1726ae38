import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger, type Movement } from '../../src/ledger/index.ts';
import { isPortable, readMovement, writeMovement } from '../../src/ledger/movement-text.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { columnArrays } from '../../src/platform/db/statement.ts';
import type { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { connectPeers, type Peers } from '../../src/platform/processes/peers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  debit,
  expectProven,
  fund,
  openTestBooks,
  openTestDatabase,
  type TestBooks,
  tally,
  transactionsOf,
} from './books.ts';

/** Two processes of a group, which here are two ledgers with connections of their own. */
interface Process {
  database: Database;
  ledger: Ledger;
  peers: Peers;
  /** Movements that it committed itself. */
  committed: number;
}

const logger = createLogger('silent');
const load = () => ({ used: 0, waited: 0 });
const MANY = 60;
let holder: TestDatabase;
let folder: string;
let processes: [Process, Process];
let books: TestBooks;

function openProcess(number: number): Process {
  const database = openTestDatabase(holder.connectionString);
  const peers = connectPeers({ folder, number, of: 2, load, logger });
  const made = { database, peers, committed: 0 } as Process;
  const onGroup = (movements: number) => {
    made.committed += movements;
  };
  made.ledger = createLedger({ database, logger, clock: systemClock, committers: 1, peers, onGroup });
  return made;
}

async function closeProcess({ ledger, peers, database }: Process): Promise<void> {
  await ledger.drain();
  await peers.close();
  await database.close();
}

/** Both know the way to the other. */
const areConnected = () => processes.every(({ peers }, at) => peers.ownerOf(1 - at) !== undefined);

/** The process that does not commit what comes of this merchant. */
const otherOf = (one: TestBooks): Process => {
  const owner = Number.parseInt(one.tenant.merchantId.slice(-6), 16) % 2;
  return processes[1 - owner] as Process;
};

const debits = (one: TestBooks, key: string) =>
  Array.from({ length: MANY }, (_, at) =>
    debit(one, one.stores[0] as string, one.wallet, 1n, { key: `${key}-${at}`, inputHash: 'same' }),
  );

/** All that a refusal says. */
const wordsOf = ({ kind, code, message, errors, problems, retryable, kept }: AppError) => ({
  kind,
  code,
  message,
  errors,
  problems,
  retryable,
  kept,
});

type Written = 'tenant' | 'id' | 'occurredAt' | 'idempotency' | 'transfers' | 'writes' | 'events' | 'answer';
/** All parts of a movement that are not written for another process: a new part is one of these or of those. */
const STAYING: Record<Exclude<keyof Movement, Written>, true> = {
  uniqueKeys: true,
  reservations: true,
  releases: true,
  limitUsages: true,
  checks: true,
  changes: true,
  transitions: true,
  firstSteps: true,
  numbered: true,
};

beforeAll(async () => {
  holder = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'manilla-test-peers-'));
  processes = [openProcess(1), openProcess(2)];
  books = await openTestBooks(processes[0].database);
  await processes[0].ledger.commit(fund(books, books.stores[0] as string, 1_000n));
});
afterAll(async () => {
  await expectProven(processes[0].database);
  for (const each of processes) await closeProcess(each);
  rmSync(folder, { recursive: true, force: true });
  await holder.drop();
});

describe('a movement that another process commits', () => {
  it('is the same to the database when it has been written and read', () => {
    const [one] = debits(books, 'round-trip') as [Movement];
    const ends = (['POST', 'VOID'] as const).map((kind) => {
      return { kind, id: newId(), pendingId: newId(), pendingTransactionId: newId() };
    });
    const drafts = [...(one.transfers ?? []), ...ends];
    const transfers = [...drafts, ...drafts.map((draft) => ({ ...draft, transactionId: newId() }))];
    const idempotency = { key: 'round-trip', inputHash: 'same', requestId: newId() };
    for (const whole of [one, { ...one, transfers, idempotency }]) {
      const read = readMovement(writeMovement(whole));
      const bound = ({ writes = [] }: Movement) => writes.map(({ into, row }) => columnArrays(into, [row]));
      expect(bound(read)).toEqual(bound(whole));
      expect({ ...read, writes: [] }).toEqual({ ...whole, writes: [] });
    }
  });

  it('has an idempotency key and refuses by nothing but the balance', () => {
    const [portable] = debits(books, 'portable') as [Movement];
    expect(isPortable(debit(books, books.stores[0] as string, books.wallet, 1n))).toBe(false);
    expect(isPortable(portable)).toBe(true);
    const keeping = (portable.transfers ?? []).map((draft) => ({ ...draft, keepMinor: 1n }));
    expect(isPortable({ ...portable, transfers: keeping })).toBe(false);
  });

  it.each(Object.keys(STAYING))('has no %s, which the other process would leave out', (part) => {
    const [portable] = debits(books, 'portable') as [Movement];
    expect(isPortable({ ...portable, [part]: [] })).toBe(true);
    expect(isPortable({ ...portable, [part]: [{}] })).toBe(false);
  });

  it('shares its groups once many of its merchant are under way, and each has its own answer', async () => {
    await expect.poll(areConnected).toBe(true);
    const other = otherOf(books);
    const before = { count: await transactionsOf(other.database, books), committed: other.committed };
    const movements = debits(books, 'shared');
    const results = await Promise.all(movements.map((movement) => other.ledger.commit(movement)));
    expect(results).toEqual(movements.map(({ answer }) => ({ answer, replayed: false })));
    expect(await transactionsOf(other.database, books)).toBe(before.count + MANY);
    expect(other.committed - before.committed).toBeLessThan(MANY / 2);
    // Asked again, here or there, they are known.
    const again = await Promise.all(
      movements.map((movement, at) => (processes[at % 2] as Process).ledger.commit(movement)),
    );
    expect(again).toEqual(results.map(({ answer }) => ({ answer, replayed: true })));
  });

  it('is sent by itself, too, while the process of its merchant says that it is busy with that', async () => {
    const busy = await openTestBooks(processes[0].database);
    const other = otherOf(busy);
    const owner = processes[1 - processes.indexOf(other)] as Process;
    await owner.ledger.commit(fund(busy, busy.stores[0] as string, 100_000n));
    expect(other.ledger.committerOf(busy.tenant)).toBeUndefined();
    let isOver = false;
    const working = (async () => {
      for (let round = 0; !isOver; round += 1) {
        await Promise.all(debits(busy, `round-${round}`).map((movement) => owner.ledger.commit(movement)));
      }
    })();
    await expect.poll(() => other.ledger.committerOf(busy.tenant), { interval: 5 }).toBeDefined();
    const before = other.committed;
    const [alone] = debits(busy, 'alone');
    expect(await other.ledger.commit(alone!)).toEqual({ answer: alone?.answer, replayed: false });
    expect(other.committed).toBe(before);
    isOver = true;
    await working;
    await expect.poll(() => other.ledger.committerOf(busy.tenant)).toBeUndefined();
  });

  it('is refused as it would be here', async () => {
    await expect.poll(areConnected).toBe(true);
    const poor = await openTestBooks(processes[0].database);
    const other = otherOf(poor);
    await other.ledger.commit(fund(poor, poor.stores[0] as string, 10n));
    const before = other.committed;
    const refused = await Promise.all(
      debits(poor, 'poor').map((movement) => other.ledger.commit(movement).then(() => 'applied', wordsOf)),
    );
    expect(other.committed - before).toBeLessThan(MANY / 2);
    expect(tally(refused.map((one) => (typeof one === 'string' ? one : one.code)))).toEqual({
      applied: 10,
      INSUFFICIENT_FUNDS: MANY - 10,
    });
    const [here] = debits(poor, 'here');
    const owner = processes[1 - processes.indexOf(other)] as Process;
    const words = await owner.ledger.commit(here!).then(() => 'applied', wordsOf);
    expect(words).toMatchObject({ kind: 'refused', kept: true });
    expect(refused.filter((one) => one !== 'applied')).toEqual(Array.from({ length: MANY - 10 }, () => words));
  });

  it('is committed here, once, where its process goes away in between', { timeout: 60_000 }, async () => {
    const moved = await openTestBooks(processes[0].database);
    const other = otherOf(moved);
    const at = processes.indexOf(other);
    await other.ledger.commit(fund(moved, moved.stores[0] as string, 10_000n));
    for (let time = 0; time < 5; time += 1) {
      await expect.poll(areConnected).toBe(true);
      const before = await transactionsOf(other.database, moved);
      const owner = processes[1 - at] as Process;
      const committing = Promise.all(debits(moved, `lost-${time}`).map((movement) => other.ledger.commit(movement)));
      await new Promise((resolve) => setTimeout(resolve, time * 2));
      // It ends in the middle: what it has in hand it commits, what comes later it does not take.
      await closeProcess(owner);
      const results = await committing;
      expect(results).toHaveLength(MANY);
      expect(await transactionsOf(other.database, moved)).toBe(before + MANY);
      processes[1 - at] = openProcess(2 - at);
    }
    await expect.poll(areConnected).toBe(true);
  });
});

describe('a process that is asked', () => {
  it('answers each question by itself, and who asks hears that it went away', async () => {
    const [one, two] = [3, 4].map((number) => connectPeers({ folder, number, of: 4, load, logger })) as [Peers, Peers];
    const never = new Promise<string>(() => undefined);
    const answer = async (text: string) => (text === '"never"' ? never : JSON.stringify(JSON.parse(text)));
    two.answer({ answer, busyWith: () => [] });
    await expect.poll(() => one.ownerOf(3)).toBeDefined();
    const ask = async (what: string) => one.ownerOf(3)?.ask(JSON.stringify(what));
    const said = ['₦ 1', 'two\nlines', 'Ọlá 😀'];
    const answers = await Promise.all(said.map(ask));
    expect(answers.map((answer) => JSON.parse(answer ?? ''))).toEqual(said);
    const lost = expect(ask('never')).rejects.toThrow('went away');
    await one.close();
    await lost;
    expect(one.ownerOf(3)).toBeUndefined();
  });

  it('is lost to who asks where it takes questions and says nothing any more', { timeout: 20_000 }, async () => {
    const frozen = createServer().listen(join(folder, '6.sock'));
    const peers = connectPeers({ folder, number: 5, of: 6, load, logger });
    await expect.poll(() => peers.ownerOf(5)).toBeDefined();
    await expect(peers.ownerOf(5)?.ask('"anybody"')).rejects.toThrow('went away');
    await peers.close();
    frozen.close();
  });
});
