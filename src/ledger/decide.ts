import { type Answer, failure, successJson } from '../platform/answer.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { answerAgain, type EarlierAnswer } from './earlier-answers.ts';
import { holdAlreadyResolved, insufficientFunds } from './errors.ts';
import { insertEvents } from './event-queries.ts';
import { applyGuards, type CheckResults, checkGuards, checkLocked, type GuardBooks } from './guards.ts';
import type { CommitResult, EventDraft, Movement, ResolutionDraft, TransferDraft, UniqueKey } from './movement.ts';
import {
  type AccountRow,
  insertIdempotencyKeys,
  insertStateChanges,
  insertTransfers,
  insertUniqueKeys,
  type PendingRow,
  type TransferRow,
} from './queries.ts';
import { allows, type StateChange, type StateMachine } from './state-machine.ts';

/**
 * What the books say, read under lock. Deciding a movement updates it, so that each movement sees the ones before it.
 */
export interface BooksView {
  /** Last event sequence by `tenantKey`. */
  eventSequences: Map<string, bigint>;
  accounts: Map<string, AccountRow>;
  /** Answers to earlier requests, by `answerKey`. */
  answers: Map<string, EarlierAnswer>;
  takenKeys: Set<string>;
  /** Templates of events that the database has, by `templateKey`. */
  templates: Set<string>;
  /** Current state by subject and row id. */
  states: Map<string, string>;
  pending: Map<string, PendingRow>;
  resolved: Set<string>;
  /** Reservations and limit usage; absent where no movement of the group has any. */
  guards?: GuardBooks | undefined;
  /** What the checks found; absent where no movement of the group has any. */
  checks?: CheckResults | undefined;
}

export type Decision = CommitResult | AppError;

/** Collects rows by the statement that writes them, so that a group costs a fixed number of statements. */
export interface RowCollector {
  add(write: Write): void;
  /** A row that takes several steps in one group is updated once, from its first state to its last. */
  changeState(machine: StateMachine, change: StateChange): void;
  touchAccount(account: AccountRow): void;
  touchBooks(tenant: Tenant): void;
  /** The columns of an event's text. @param at the event's time, ISO 8601 */
  textOf(tenant: Tenant, event: EventDraft, at: string): { data: string; template_id: string | null };
}

const NEVER_OVERDRAWN: ReadonlySet<string> = new Set(['MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET']);

export const answerKey = (tenant: Tenant, key: string): string => `${tenantKey(tenant)}/${key}`;
export const templateKey = ({ merchantId }: Tenant, id: string): string => `${merchantId}/${id}`;
export const uniqueKeyText = (tenant: Tenant, { scope, value }: Pick<UniqueKey, 'scope' | 'value'>): string =>
  `${tenantKey(tenant)}/${scope}/${value}`;
export const stateKey = (subject: string, id: string): string => `${subject}/${id}`;

/**
 * Decides one movement against the books as the movements before it left them. If it is applied, its rows are collected
 * and the view is updated. If it is refused, nothing of it is collected except, where it has an idempotency key, the
 * refusal itself, so that a late copy of a refused request can never move money. A retryable refusal is not kept: its
 * command comes again under the same key.
 */
export function decide(movement: Movement, view: BooksView, rows: RowCollector): Decision {
  const { key = null, inputHash, requestId = '' } = movement.idempotency ?? {};
  const earlier = key === null ? undefined : view.answers.get(answerKey(movement.tenant, key));
  if (earlier !== undefined) return answerAgain(earlier, inputHash);
  const refusal =
    checkUniqueKeys(movement, view) ??
    checkTransitions(movement, view) ??
    checkLocked(movement, view.checks) ??
    (view.guards && checkGuards(movement, view.guards)) ??
    applyTransfers(movement, view, rows);
  if (refusal !== undefined) {
    if (refusal.retryable) return refusal;
    refusal.kept = key !== null;
    remember(movement, { answer: failure(refusal, requestId), event: null, moved: false }, view, rows);
    return refusal;
  }
  const firstEvent = lastSequence(movement, view) + 1n;
  collectRecords(movement, view, rows);
  const { answer, event } = answerOf(movement, firstEvent);
  remember(movement, { answer, event, moved: (movement.transfers?.length ?? 0) > 0 }, view, rows);
  return { answer, replayed: false };
}

/** An answer, and the event whose data it repeats, if it does. */
interface StoredAnswer {
  answer: Answer;
  event: { message: string; sequence: bigint } | null;
}

/** @param firstEvent the number of the movement's first event */
export function answerOf({ answer, events }: Movement, firstEvent: bigint): StoredAnswer {
  if ('body' in answer) return { answer, event: null };
  const { message, event = 0 } = answer;
  const data = events?.[event]?.data;
  if (data === undefined) throw new Error('an answer from an event needs an event');
  return { answer: successJson(message, data), event: { message, sequence: firstEvent + BigInt(event) } };
}

/** The number of the last event in the movement's books. */
const lastSequence = ({ tenant }: Movement, view: BooksView): bigint =>
  view.eventSequences.get(tenantKey(tenant)) as bigint;

function checkUniqueKeys({ tenant, uniqueKeys }: Movement, view: BooksView): AppError | undefined {
  return uniqueKeys?.find((uniqueKey) => view.takenKeys.has(uniqueKeyText(tenant, uniqueKey)))?.refusal();
}

function checkTransitions(movement: Movement, view: BooksView): AppError | undefined {
  for (const { machine, id, from, to, refusal } of movement.transitions ?? []) {
    const actual = view.states.get(stateKey(machine.subject, id));
    if (actual === undefined || !from.includes(actual)) return refusal(actual);
    if (!allows(machine, actual, to)) throw new Error(`${machine.subject}: no transition from ${actual} to ${to}`);
  }
  return undefined;
}

/** Applies all transfers of a movement or none: where one is refused, the sums of the accounts are restored. */
function applyTransfers(movement: Movement, view: BooksView, rows: RowCollector): AppError | undefined {
  const drafts = movement.transfers ?? [];
  const before = new Map<AccountRow, AccountRow>();
  const made: TransferRow[] = [];
  for (const draft of drafts) {
    const outcome = applyTransfer(movement, draft, view, before);
    if (outcome instanceof AppError) {
      for (const [account, sums] of before) Object.assign(account, sums);
      for (const transfer of made) if (transfer.pending_id !== null) view.resolved.delete(transfer.pending_id);
      return outcome;
    }
    made.push(outcome);
  }
  for (const transfer of made) rows.add(write(insertTransfers, transfer));
  for (const account of before.keys()) rows.touchAccount(account);
  return undefined;
}

function applyTransfer(
  movement: Movement,
  draft: TransferDraft | ResolutionDraft,
  view: BooksView,
  before: Map<AccountRow, AccountRow>,
): TransferRow | AppError {
  const terms = termsOf(draft, view);
  if (terms instanceof AppError) return terms;
  const debit = requireAccount(movement, terms.debitAccountId, view);
  const credit = requireAccount(movement, terms.creditAccountId, view);
  const { amountMinor } = terms;
  if (debit === credit || amountMinor <= 0n || debit.currency !== credit.currency) {
    throw new Error(`transfer ${draft.id}: needs two accounts of one currency and a positive amount`);
  }
  if (!before.has(debit)) before.set(debit, { ...debit });
  if (!before.has(credit)) before.set(credit, { ...credit });
  moveSums(draft.kind, debit, credit, amountMinor);
  debit.sequence += 1n;
  credit.sequence += 1n;
  const keepMinor = ('keepMinor' in draft ? draft.keepMinor : undefined) ?? 0n;
  const available = availableMinor(debit) - keepMinor;
  if (available < 0n && draft.kind !== 'VOID' && NEVER_OVERDRAWN.has(debit.kind)) {
    // As it was before this movement, whose other transfers may have taken of it already.
    const untouched = availableMinor(before.get(debit) as AccountRow) - keepMinor;
    return insufficientFunds(untouched, debit.currency, takenInAll(movement, debit));
  }
  if ('pendingId' in draft) view.resolved.add(draft.pendingId);
  return {
    merchant_id: movement.tenant.merchantId,
    mode: movement.tenant.mode,
    transaction_id: ('transactionId' in draft ? draft.transactionId : undefined) ?? movement.id,
    id: draft.id,
    kind: draft.kind,
    pending_id: 'pendingId' in draft ? draft.pendingId : null,
    debit_account_id: debit.id,
    credit_account_id: credit.id,
    amount_minor: amountMinor,
    currency: debit.currency,
    code: terms.code,
    debit_sequence: debit.sequence,
    credit_sequence: credit.sequence,
    debit_balance_minor: bookedMinor(debit),
    credit_balance_minor: bookedMinor(credit),
    created_at: movement.occurredAt,
  };
}

/** What a movement takes of an account by several transfers, such as an amount and its charges; undefined where by one. */
function takenInAll({ transfers = [] }: Movement, { id }: AccountRow): bigint | undefined {
  const taken = transfers.flatMap((draft) =>
    'debitAccountId' in draft && draft.debitAccountId === id ? [draft.amountMinor] : [],
  );
  return taken.length > 1 ? taken.reduce((sum, amountMinor) => sum + amountMinor, 0n) : undefined;
}

/** A post both ends the hold and moves the money; a void only ends the hold. */
function moveSums(kind: TransferRow['kind'], debit: AccountRow, credit: AccountRow, amountMinor: bigint): void {
  if (kind === 'POSTED' || kind === 'POST') {
    debit.debits_posted_minor += amountMinor;
    credit.credits_posted_minor += amountMinor;
  }
  if (kind === 'PENDING') {
    debit.debits_pending_minor += amountMinor;
    credit.credits_pending_minor += amountMinor;
  }
  if (kind === 'POST' || kind === 'VOID') {
    debit.debits_pending_minor -= amountMinor;
    credit.credits_pending_minor -= amountMinor;
  }
}

interface Terms {
  debitAccountId: string;
  creditAccountId: string;
  amountMinor: bigint;
  code: string;
}

function termsOf(draft: TransferDraft | ResolutionDraft, view: BooksView): Terms | AppError {
  if (!('pendingId' in draft)) return draft;
  const pending = view.pending.get(draft.pendingId);
  if (pending === undefined) throw new Error(`transfer ${draft.id}: no pending transfer ${draft.pendingId}`);
  if (view.resolved.has(draft.pendingId)) return holdAlreadyResolved();
  return {
    debitAccountId: pending.debit_account_id,
    creditAccountId: pending.credit_account_id,
    amountMinor: pending.amount_minor,
    code: pending.code,
  };
}

function requireAccount(movement: Movement, id: string, view: BooksView): AccountRow {
  const account = view.accounts.get(id);
  const { merchantId, mode } = movement.tenant;
  // The lock bound the merchant; this is the second half of the proof that no movement leaves its tenant.
  if (account === undefined || account.merchant_id !== merchantId || account.mode !== mode) {
    throw new Error(`movement ${movement.id}: account ${id} is not one of ${merchantId} in ${mode}`);
  }
  return account;
}

function collectRecords(movement: Movement, view: BooksView, rows: RowCollector): void {
  const { tenant } = movement;
  const { merchantId, mode } = tenant;
  const scope = { merchant_id: merchantId, mode };
  const created_at = movement.occurredAt;
  for (const uniqueKey of movement.uniqueKeys ?? []) {
    view.takenKeys.add(uniqueKeyText(tenant, uniqueKey));
    const row = { ...scope, scope: uniqueKey.scope, value: uniqueKey.value, subject_id: movement.id, created_at };
    rows.add({ into: insertUniqueKeys, row });
  }
  if (view.guards !== undefined) applyGuards(movement, view.guards);
  const step = (subject: string, subject_id: string, from_state: string, to_state: string, reason: string | null) => {
    const change = { ...scope, subject, subject_id, id: newId(), from_state, to_state, reason, created_at };
    rows.add(write(insertStateChanges, change));
    return change;
  };
  for (const { machine, id, from, to } of movement.firstSteps ?? []) {
    if (!allows(machine, from, to)) throw new Error(`${machine.subject}: no transition from ${from} to ${to}`);
    step(machine.subject, id, from, to, null);
  }
  for (const { machine, id, to, reason } of movement.transitions ?? []) {
    const key = stateKey(machine.subject, id);
    const from_state = view.states.get(key) as string;
    view.states.set(key, to);
    rows.changeState(machine, step(machine.subject, id, from_state, to, reason));
  }
  for (const one of movement.writes ?? []) rows.add(one);
  if (movement.numbered !== undefined) {
    const sequence = lastSequence(movement, view) + 1n;
    for (const { into, row } of movement.numbered) rows.add({ into, row: { ...row, sequence } });
  }
  const { requestId: request_id = null, key: idempotency_key = null } = movement.idempotency ?? {};
  for (const event of movement.events ?? []) {
    const sequence = lastSequence(movement, view) + 1n;
    view.eventSequences.set(tenantKey(tenant), sequence);
    rows.touchBooks(tenant);
    const { id, type } = event;
    rows.add({
      into: insertEvents,
      row: {
        ...scope,
        sequence,
        id,
        type,
        subject_id: event.subjectId,
        ...rows.textOf(tenant, event, created_at),
        created_at,
        request_id,
        idempotency_key,
      },
    });
  }
}

function remember(
  movement: Movement,
  { answer, event, moved }: StoredAnswer & { moved: boolean },
  view: BooksView,
  rows: RowCollector,
): void {
  const { key = null, inputHash = '' } = movement.idempotency ?? {};
  if (key === null) return;
  view.answers.set(answerKey(movement.tenant, key), { inputHash, answer });
  rows.add({
    into: insertIdempotencyKeys,
    row: {
      merchant_id: movement.tenant.merchantId,
      mode: movement.tenant.mode,
      key,
      input_hash: inputHash,
      transaction_id: moved ? movement.id : null,
      answer_status: answer.status,
      answer_body: event === null ? answer.body : null,
      answer_message: event?.message ?? null,
      event_sequence: event?.sequence ?? null,
      created_at: movement.occurredAt,
    },
  });
}

/** Posted credits less posted debits, in minor units. A provider float reads negative: it is an asset. */
export function bookedMinor(sums: Pick<AccountRow, 'credits_posted_minor' | 'debits_posted_minor'>): bigint {
  return sums.credits_posted_minor - sums.debits_posted_minor;
}

/** What may still be spent: booked less what pending transfers hold, in minor units. */
export function availableMinor(
  sums: Pick<AccountRow, 'credits_posted_minor' | 'debits_posted_minor' | 'debits_pending_minor'>,
): bigint {
  return bookedMinor(sums) - sums.debits_pending_minor;
}
