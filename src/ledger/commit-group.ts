import { createLruMap, type LruMap } from '../platform/cache.ts';
import { type Database, isUnanswered, type Tx } from '../platform/db/database.ts';
import { type ArrayParameter, arraysByMerchant } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { type BooksView, type Decision, decide, stateKey, templateKey, uniqueKeyText } from './decide.ts';
import { findKeptTemplates } from './event-queries.ts';
import { createEventTexts, type EventTexts } from './event-texts.ts';
import { GroupRows, type Witness } from './group-rows.ts';
import { readChecks } from './guards.ts';
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
} from './queries.ts';
import { readAnswers, type WantedAnswer } from './read-answers.ts';
import { readGuards } from './read-guards.ts';
import type { StateMachine } from './state-machine.ts';

/**
 * A statement of a group takes milliseconds. Where one has no answer for so long, its outcome is looked up on another
 * connection.
 */
const STATEMENT_MS = 8_000;
/** All groups of a committer wait for its reads. They change nothing, so they are made once more, on another connection. */
const READ_MS = STATEMENT_MS / 2;
/** A server that does not hear of us any more lets go of the locks before they are wanted again. */
const IDLE_MS = 3_000;
/** The lookup waits no longer than this for the lost transaction to end, and is then repeated. */
const LOOK_MS = 2_000;

export interface GroupOutcome {
  decisions: Decision[];
  witness: Witness | undefined;
}

/** Tenants whose last holds are remembered, and accounts of each. */
const MAX_REMEMBERED = 2_000;
const MAX_ACCOUNTS = 32;

/**
 * The accounts of the last holds that each tenant ended. The next ones are nearly always between the same, so these are
 * locked before the holds are read; where that guess is short, the others are locked after them.
 */
export type HoldAccounts = LruMap<readonly string[]>;

/** What the groups of one committer learn from each other. */
export interface CommitMemory {
  holdAccounts: HoldAccounts;
  texts: EventTexts;
}

export const createCommitMemory = (): CommitMemory => ({
  holdAccounts: createLruMap(MAX_REMEMBERED),
  texts: createEventTexts(),
});

/**
 * Commits movements as one database transaction: it locks the books and accounts, reads what is needed, decides each
 * movement in arrival order, and writes everything with one statement for each table. That is two round trips, whatever
 * the size: lock and read; write and commit. A third one locks accounts that `holdAccounts` did not name.
 * @param attempt gets the outcome before COMMIT is sent, so that the caller can look it up if the answer is lost.
 */
export async function commitGroup(
  database: Database,
  memory: CommitMemory,
  movements: readonly Movement[],
  attempt: (outcome: GroupOutcome) => void,
): Promise<GroupOutcome> {
  const ends = endsOf(movements);
  let isDecided = false;
  const decideAndWrite = async (tx: Tx) => {
    const view = await lockAndRead(tx, memory, movements, ends);
    const rows = new GroupRows(view, memory.texts);
    const decisions = movements.map((movement) => decide(movement, view, rows));
    const outcome = { decisions, witness: rows.witness() };
    isDecided = true;
    attempt(outcome);
    await tx.begun;
    rows.send(tx);
    return outcome;
  };
  const deadlineMs = () => (isDecided ? STATEMENT_MS : READ_MS);
  const commit = () => database.transaction(decideAndWrite, { readsFirst: true, deadlineMs, idleMs: IDLE_MS });
  try {
    return await commit();
  } catch (error) {
    if (isDecided || !(error instanceof AppError) || !isUnanswered(error.cause)) throw error;
    return commit();
  }
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
  return database.transaction(look, { deadlineMs: LOOK_MS, idleMs: IDLE_MS });
}

function tenantArrays(movements: readonly Movement[]): (ArrayParameter | null)[] {
  const tenants = new Map(movements.map(({ tenant }) => [tenantKey(tenant), tenant]));
  return arraysByMerchant([...tenants.values()], ({ merchantId }) => merchantId, ['text', ({ mode }) => mode]);
}

/** The end of a hold. */
interface End {
  tenant: Tenant;
  pendingId: string;
  pendingTransactionId: string;
}

function endsOf(movements: readonly Movement[]): End[] {
  const ends: End[] = [];
  for (const { tenant, transfers } of movements) {
    for (const draft of transfers ?? []) {
      if (!('pendingId' in draft)) continue;
      const { pendingId, pendingTransactionId } = draft;
      ends.push({ tenant, pendingId, pendingTransactionId });
    }
  }
  return ends;
}

async function readPending(tx: Tx, ends: readonly End[]): Promise<Map<string, PendingRow>> {
  if (ends.length === 0) return new Map();
  const merchants = new Map(ends.map(({ tenant, pendingTransactionId }) => [pendingTransactionId, tenant.merchantId]));
  const found = await tx.query(findPending, idsByMerchant(merchants));
  const wanted = new Set(ends.map(({ pendingId }) => pendingId));
  return new Map(found.filter(({ id }) => wanted.has(id)).map((row) => [row.id, row]));
}

/** @param merchants of each id */
const idsByMerchant = (merchants: ReadonlyMap<string, string>) =>
  arraysByMerchant([...merchants], ([, merchantId]) => merchantId, ['uuid', ([id]) => id]);

async function lockAndRead(
  tx: Tx,
  { holdAccounts, texts }: CommitMemory,
  movements: readonly Movement[],
  ends: readonly End[],
): Promise<BooksView> {
  // All are sent at once and run in this order: everything after the books is read under their lock.
  const [books, accounts, answers, uniqueKeys, templates, pending, resolved, states, guards, checks] =
    await Promise.all([
      tx.query(lockBooks, tenantArrays(movements)),
      lockThese(tx, accountsOf(movements, ends, holdAccounts)),
      readAnswers(tx, wantedAnswers(movements)),
      readUniqueKeys(tx, movements),
      readTemplates(tx, texts, movements),
      readPending(tx, ends),
      readResolved(tx, ends),
      readStates(tx, movements),
      readGuards(tx, movements),
      readChecks(tx, movements),
    ]);
  await lockOthers(tx, accounts, pending);
  remember(holdAccounts, pending);
  const eventSequences = new Map(books.map((row) => [tenantKey(tenantOf(row)), row.event_sequence]));
  for (const { tenant } of movements) {
    if (!eventSequences.has(tenantKey(tenant))) throw new Error(`no books for ${tenantKey(tenant)}`);
  }
  return {
    eventSequences,
    accounts,
    answers,
    takenKeys: uniqueKeys,
    templates,
    states,
    pending,
    resolved,
    guards,
    checks,
  };
}

/** The accounts that movements name, and those that their holds are likely to be between, with the merchant of each. */
function accountsOf(
  movements: readonly Movement[],
  ends: readonly End[],
  holdAccounts: HoldAccounts,
): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const { tenant, transfers } of movements) {
    for (const draft of transfers ?? []) {
      if ('pendingId' in draft) continue;
      wanted.set(draft.debitAccountId, tenant.merchantId);
      wanted.set(draft.creditAccountId, tenant.merchantId);
    }
  }
  for (const [key, merchantId] of new Map(ends.map(({ tenant }) => [tenantKey(tenant), tenant.merchantId]))) {
    for (const id of holdAccounts.get(key) ?? []) wanted.set(id, merchantId);
  }
  return wanted;
}

async function lockThese(tx: Tx, wanted: ReadonlyMap<string, string>): Promise<Map<string, AccountRow>> {
  if (wanted.size === 0) return new Map();
  const rows = await tx.query(lockAccounts, idsByMerchant(wanted));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The lock of the books keeps all others from these accounts, so that they may be locked in two steps. */
async function lockOthers(
  tx: Tx,
  accounts: Map<string, AccountRow>,
  pending: ReadonlyMap<string, PendingRow>,
): Promise<void> {
  const others = new Map<string, string>();
  for (const { merchant_id, debit_account_id, credit_account_id } of pending.values()) {
    for (const id of [debit_account_id, credit_account_id]) if (!accounts.has(id)) others.set(id, merchant_id);
  }
  for (const [id, row] of await lockThese(tx, others)) accounts.set(id, row);
}

function remember(holdAccounts: HoldAccounts, pending: ReadonlyMap<string, PendingRow>): void {
  const byTenant = new Map<string, Set<string>>();
  for (const row of pending.values()) {
    const key = tenantKey(tenantOf(row));
    const ids = byTenant.get(key) ?? new Set();
    byTenant.set(key, ids.add(row.debit_account_id).add(row.credit_account_id));
  }
  for (const [key, ids] of byTenant) holdAccounts.set(key, [...ids].slice(0, MAX_ACCOUNTS));
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

/** Which templates are there is read each time: a database that was brought back to a moment before has lost some. */
async function readTemplates(tx: Tx, texts: EventTexts, movements: readonly Movement[]): Promise<Set<string>> {
  const wanted = new Map<string, { tenant: Tenant; id: string }>();
  for (const { tenant, events } of movements) {
    for (const event of events ?? []) {
      const id = texts.likely(tenant, event)?.id;
      if (id !== undefined) wanted.set(templateKey(tenant, id), { tenant, id });
    }
  }
  if (wanted.size === 0) return new Set();
  const asked = arraysByMerchant([...wanted.values()], ({ tenant }) => tenant.merchantId, ['uuid', ({ id }) => id]);
  const rows = await tx.query(findKeptTemplates, asked);
  return new Set(rows.map(({ merchant_id: merchantId, id }) => `${merchantId}/${id}`));
}

async function readResolved(tx: Tx, ends: readonly End[]): Promise<Set<string>> {
  if (ends.length === 0) return new Set();
  const asked = arraysByMerchant(ends, ({ tenant }) => tenant.merchantId, ['uuid', ({ pendingId }) => pendingId]);
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
