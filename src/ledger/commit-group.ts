import type { Database, Tx } from '../platform/db/database.ts';
import {
  type ArrayParameter,
  arraysByMerchant,
  rowsFor,
  type SetStatement,
  type Write,
  write,
} from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { type BooksView, type Decision, decide, type RowCollector, stateKey, uniqueKeyText } from './decide.ts';
import { insertEvents } from './event-queries.ts';
import { guardWrites, readChecks } from './guards.ts';
import type { Movement } from './movement.ts';
import {
  type AccountRow,
  findEvent,
  findPending,
  findResolved,
  findUniqueKeys,
  lockAccounts,
  lockBooks,
  type PendingRow,
  updateAccounts,
  updateBooks,
} from './queries.ts';
import { readAnswers, type WantedAnswer } from './read-answers.ts';
import { readGuards } from './read-guards.ts';
import type { StateChange, StateMachine } from './state-machine.ts';

/**
 * A statement of a group takes milliseconds. Where one has no answer for so long, its outcome is looked up on another
 * connection.
 */
const STATEMENT_MS = 8_000;
/** The lookup waits no longer than this for the lost transaction to end, and is then repeated. */
const LOOK_MS = 2_000;

/** One event of a group whose COMMIT got no answer: it is in the books exactly when the whole group is. */
interface Witness {
  merchantId: string;
  mode: string;
  sequence: bigint;
  id: string;
}

export interface GroupOutcome {
  decisions: Decision[];
  witness: Witness | undefined;
}

/**
 * Commits movements as one database transaction: it locks the books and accounts, reads what is needed, decides each
 * movement in arrival order, and writes everything with one statement for each table. That is two round trips, whatever
 * the size (lock and read; write and commit), and a third one, before the transaction, where holds are resolved.
 * @param attempt gets the outcome before COMMIT is sent, so that the caller can look it up if the answer is lost.
 */
export async function commitGroup(
  database: Database,
  movements: readonly Movement[],
  attempt: (outcome: GroupOutcome) => void,
): Promise<GroupOutcome> {
  const pending = await readPending(database, movements);
  const decideAndWrite = async (tx: Tx) => {
    const view = await lockAndRead(tx, movements, pending);
    const rows = new GroupRows(view);
    const decisions = movements.map((movement) => decide(movement, view, rows));
    const outcome = { decisions, witness: rows.witness() };
    attempt(outcome);
    await tx.begun;
    rows.send(tx);
    return outcome;
  };
  return database.transaction(decideAndWrite, { readsFirst: true, deadlineMs: STATEMENT_MS });
}

/**
 * Whether the group of this witness committed. It takes the same locks first, and so waits for the lost transaction to
 * end: the answer is final.
 */
export function hasCommitted(database: Database, movements: readonly Movement[], witness: Witness): Promise<boolean> {
  const look = async (tx: Tx) => {
    await tx.query(lockBooks, tenantArrays(movements));
    const found = await tx.query(findEvent, [witness.merchantId, witness.mode, witness.sequence, witness.id]);
    return found.length > 0;
  };
  return database.transaction(look, { deadlineMs: LOOK_MS });
}

function tenantArrays(movements: readonly Movement[]): (ArrayParameter | null)[] {
  const tenants = new Map(movements.map(({ tenant }) => [tenantKey(tenant), tenant]));
  return arraysByMerchant([...tenants.values()], ({ merchantId }) => merchantId, ['text', ({ mode }) => mode]);
}

async function readPending(database: Database, movements: readonly Movement[]): Promise<Map<string, PendingRow>> {
  const wanted = new Set<string>();
  /** The merchant of each transaction. */
  const merchants = new Map<string, string>();
  for (const movement of movements) {
    for (const draft of movement.transfers ?? []) {
      if (!('pendingId' in draft)) continue;
      wanted.add(draft.pendingId);
      merchants.set(draft.pendingTransactionId, movement.tenant.merchantId);
    }
  }
  if (wanted.size === 0) return new Map();
  const found = await readAgainOnce((deadlineMs) =>
    database.query(findPending, idsByMerchant(merchants), { deadlineMs }),
  );
  return new Map(found.filter(({ id }) => wanted.has(id)).map((row) => [row.id, row]));
}

/**
 * All groups of a committer wait for this read. It changes nothing, so where its connection does not answer it is made once
 * more on another one, both within the time of one statement.
 */
async function readAgainOnce<T>(read: (deadlineMs: number) => Promise<T>): Promise<T> {
  try {
    return await read(STATEMENT_MS / 2);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
    return read(STATEMENT_MS / 2);
  }
}

/** @param merchants of each id */
const idsByMerchant = (merchants: ReadonlyMap<string, string>) =>
  arraysByMerchant([...merchants], ([, merchantId]) => merchantId, ['uuid', ([id]) => id]);

async function lockAndRead(
  tx: Tx,
  movements: readonly Movement[],
  pending: Map<string, PendingRow>,
): Promise<BooksView> {
  // All are sent at once and run in this order: everything after the books is read under their lock.
  const [books, accounts, answers, uniqueKeys, resolved, states, guards, checks] = await Promise.all([
    tx.query(lockBooks, tenantArrays(movements)),
    readAccounts(tx, movements, pending),
    readAnswers(tx, wantedAnswers(movements)),
    readUniqueKeys(tx, movements),
    readResolved(tx, pending),
    readStates(tx, movements),
    readGuards(tx, movements),
    readChecks(tx, movements),
  ]);
  const eventSequences = new Map(books.map((row) => [tenantKey(tenantOf(row)), row.event_sequence]));
  for (const { tenant } of movements) {
    if (!eventSequences.has(tenantKey(tenant))) throw new Error(`no books for ${tenantKey(tenant)}`);
  }
  return { eventSequences, accounts, answers, takenKeys: uniqueKeys, states, pending, resolved, guards, checks };
}

async function readAccounts(
  tx: Tx,
  movements: readonly Movement[],
  pending: Map<string, PendingRow>,
): Promise<Map<string, AccountRow>> {
  const wanted = new Map<string, string>();
  for (const movement of movements) {
    for (const draft of movement.transfers ?? []) {
      const held = 'pendingId' in draft ? pending.get(draft.pendingId) : undefined;
      const debit = 'pendingId' in draft ? held?.debit_account_id : draft.debitAccountId;
      const credit = 'pendingId' in draft ? held?.credit_account_id : draft.creditAccountId;
      if (debit !== undefined) wanted.set(debit, movement.tenant.merchantId);
      if (credit !== undefined) wanted.set(credit, movement.tenant.merchantId);
    }
  }
  if (wanted.size === 0) return new Map();
  const rows = await tx.query(lockAccounts, idsByMerchant(wanted));
  return new Map(rows.map((row) => [row.id, row]));
}

function wantedAnswers(movements: readonly Movement[]): WantedAnswer[] {
  return movements.flatMap(({ tenant, idempotency }) => {
    const key = idempotency?.key ?? null;
    return key === null ? [] : [{ tenant, key }];
  });
}

async function readUniqueKeys(tx: Tx, movements: readonly Movement[]): Promise<Set<string>> {
  const wanted = movements.flatMap(({ tenant, uniqueKeys }) =>
    (uniqueKeys ?? []).map((uniqueKey) => ({ tenant, uniqueKey })),
  );
  if (wanted.length === 0) return new Set();
  const asked = arraysByMerchant(
    wanted,
    ({ tenant }) => tenant.merchantId,
    ['text', ({ tenant }) => tenant.mode],
    ['text', ({ uniqueKey }) => uniqueKey.scope],
    ['text', ({ uniqueKey }) => uniqueKey.value],
  );
  const rows = await tx.query(findUniqueKeys, asked);
  return new Set(rows.map((row) => uniqueKeyText(tenantOf(row), row)));
}

async function readResolved(tx: Tx, pending: Map<string, PendingRow>): Promise<Set<string>> {
  if (pending.size === 0) return new Set();
  const held = [...pending.values()];
  const asked = arraysByMerchant(held, (row) => row.merchant_id, ['uuid', (row) => row.id]);
  const rows = await tx.query(findResolved, asked);
  return new Set(rows.map((row) => row.pending_id));
}

async function readStates(tx: Tx, movements: readonly Movement[]): Promise<Map<string, string>> {
  const byMachine = new Map<StateMachine, { tenant: Tenant; id: string }[]>();
  for (const { tenant, transitions } of movements) {
    for (const { machine, id } of transitions ?? []) {
      const wanted = byMachine.get(machine) ?? [];
      wanted.push({ tenant, id });
      byMachine.set(machine, wanted);
    }
  }
  const states = new Map<string, string>();
  // Machines in name order: every group locks in one order.
  const machines = [...byMachine].sort(([a], [b]) => (a.subject < b.subject ? -1 : 1));
  await Promise.all(
    machines.map(async ([machine, wanted]) => {
      const asked = arraysByMerchant(
        wanted,
        ({ tenant }) => tenant.merchantId,
        ['text', ({ tenant }) => tenant.mode],
        ['uuid', ({ id }) => id],
      );
      const rows = await tx.query(machine.lock, asked);
      for (const row of rows) states.set(stateKey(machine.subject, row.id), row.state);
    }),
  );
  return states;
}

/** The rows of a group, by statement, in the order in which the statements were first needed. */
class GroupRows implements RowCollector {
  readonly #rows = new Map<SetStatement<never>, Write['row'][]>();
  readonly #accounts = new Set<AccountRow>();
  readonly #tenants = new Map<string, Tenant>();
  readonly #changes = new Map<string, StateChange>();
  readonly #view: BooksView;

  constructor(view: BooksView) {
    this.#view = view;
  }

  add({ into, row }: Write): void {
    const rows = this.#rows.get(into);
    if (rows === undefined) this.#rows.set(into, [row]);
    else rows.push(row);
  }

  changeState(machine: StateMachine, change: StateChange): void {
    const key = stateKey(machine.subject, change.subject_id);
    const earlier = this.#changes.get(key);
    if (earlier !== undefined) {
      // One update can join a row only once, and of two steps PostgreSQL would apply either one. So the first row takes
      // both steps.
      Object.assign(earlier, change, { from_state: earlier.from_state });
      return;
    }
    const row = { ...change };
    this.#changes.set(key, row);
    this.add(write(machine.update, row));
  }

  touchAccount(account: AccountRow): void {
    this.#accounts.add(account);
  }

  touchBooks(tenant: Tenant): void {
    this.#tenants.set(tenantKey(tenant), tenant);
  }

  witness(): Witness | undefined {
    const row = this.#rows.get(insertEvents)?.at(-1);
    if (row === undefined) return undefined;
    return {
      merchantId: row.merchant_id as string,
      mode: row.mode as string,
      sequence: row.sequence as bigint,
      id: row.id as string,
    };
  }

  /** Sends every statement without waiting: the transaction waits for all of them together with its COMMIT. */
  send(tx: Tx): void {
    for (const guarded of guardWrites(this.#view.guards)) this.add(guarded);
    for (const [into, rows] of this.#rows) void tx.run(into, rows);
    void tx.run(...rowsFor(updateAccounts, [...this.#accounts]));
    const books = Array.from(this.#tenants, ([key, { merchantId: merchant_id, mode }]) => ({
      merchant_id,
      mode,
      event_sequence: this.#view.eventSequences.get(key) as bigint,
    }));
    void tx.run(updateBooks, books);
  }
}
