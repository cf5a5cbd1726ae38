import type { Answer } from '../platform/answer.ts';
import type { ColumnValue, SetQuestion, SetStatement, Write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { StateMachine } from './state-machine.ts';

/** Why money moves: every transfer carries one. */
export type TransferCode =
  | 'STORE_DEBIT'
  | 'SUBACCOUNT_CREDIT'
  | 'SUBACCOUNT_DEBIT'
  | 'SANDBOX_FUNDING'
  | 'COLLECTION'
  | 'COLLECTION_FEE'
  | 'COLLECTION_VAT'
  | 'COLLECTION_PENDING'
  | 'COLLECTION_SETTLEMENT'
  | 'COLLECTION_SUSPENSE'
  | 'COLLECTION_RETURN'
  | 'SUSPENSE_KEPT'
  | 'DISPUTE'
  | 'DISPUTE_LOSS'
  | 'RECEIVABLE_REPAYMENT'
  | 'MANUAL_CREDIT'
  | 'PAYOUT'
  | 'PAYOUT_FEE'
  | 'PAYOUT_VAT'
  | 'PAYOUT_STAMP_DUTY'
  | 'PAYOUT_REVERSAL'
  | 'PAYOUT_SETTLEMENT'
  | 'PROVIDER_FEE'
  | 'REFUND'
  | 'RESERVE'
  | 'RESERVE_RELEASE'
  | 'REFUND_SETTLEMENT'
  | 'DISPUTE_SETTLEMENT';

/** Moves `amountMinor` from the debit to the credit account: at once (`POSTED`) or as a hold (`PENDING`). */
export interface TransferDraft {
  kind: 'POSTED' | 'PENDING';
  id: string;
  /** The transaction that the transfer belongs to, where one movement makes several; otherwise the movement's own. */
  transactionId?: string;
  debitAccountId: string;
  creditAccountId: string;
  amountMinor: bigint;
  code: TransferCode;
  /** What must remain available in the debited wallet; zero unless given. */
  keepMinor?: bigint;
}

/** Ends a pending transfer, once: `POST` moves what it held, `VOID` releases it. */
export interface ResolutionDraft {
  kind: 'POST' | 'VOID';
  id: string;
  /** The transaction that it belongs to, where that is not the movement's own. */
  transactionId?: string;
  pendingId: string;
  /** The transaction that made the pending transfer. */
  pendingTransactionId: string;
}

/** A guarded change of state: refused where the row is not in one of the `from` states. */
export interface Transition {
  machine: StateMachine;
  id: string;
  from: readonly string[];
  to: string;
  reason: string | null;
  /** `actual` is the state of the row; undefined where there is none. */
  refusal: (actual: string | undefined) => AppError;
}

/**
 * A step of a row that the movement itself writes: it gets a line in the history, and there is no row before to check.
 */
export type FirstStep = Pick<Transition, 'machine' | 'id' | 'to'> & { from: string };

/** A name that can be taken once, for ever: refused where it is taken. */
export interface UniqueKey {
  scope: string;
  value: string;
  refusal: () => AppError;
}

/**
 * A name that is held for a time. The movement is refused where another subject reserved the name within the last
 * `withinMs`, and reserves it otherwise; with `withinMs` null it reserves the name in any case.
 */
export interface Reservation {
  scope: string;
  value: string;
  /** The holder of the reservation; the movement's own id unless given. */
  subjectId?: string;
  withinMs: number | null;
  /** `bySubjectId` holds the reservation. */
  refusal: (bySubjectId: string) => AppError;
}

/** Releases a reservation, if `subjectId` is still the one that made it last. */
export interface ReservationRelease {
  scope: string;
  value: string;
  subjectId: string;
}

/**
 * Uses `amountMinor` of a limit in a period: refused where the sum would exceed `limitMinor` (null is no limit). A negative
 * amount releases; releasing more than is used leaves zero.
 */
export interface LimitUsage {
  scope: string;
  /** The name of the period, such as a day. */
  period: string;
  amountMinor: bigint;
  limitMinor: bigint | null;
  /** `leftMinor` is below zero where the limit was lowered beneath what is used. */
  refusal: (leftMinor: bigint) => AppError;
}

/**
 * A question about rows of another module, which change only under the lock of the books. It is asked under that lock, once
 * for all movements of a group, and may refuse its movement.
 */
export interface LockedCheck {
  readonly question: SetQuestion<never, { place: number }>;
  readonly rows: readonly Readonly<Record<string, ColumnValue>>[];
  /** What the answer depends on, by name: it is never asked in the group of an earlier movement that `changes` one. */
  readonly about: readonly string[];
  /** Undefined: not refused. `found` is what the question found of `rows`, `place` counting those from 1. */
  readonly refusal: (found: readonly { place: number }[]) => AppError | undefined;
}

/** Makes a check from typed parts; a movement, which has checks of many kinds, does not know their types. */
export function lockedCheck<Row extends { [K in keyof Row]: ColumnValue }, Found extends { place: number }>(check: {
  question: SetQuestion<Row, Found>;
  rows: readonly Row[];
  about: readonly string[];
  refusal: (found: readonly Found[]) => AppError | undefined;
}): LockedCheck {
  return check as unknown as LockedCheck;
}

/** A write whose row the ledger completes with `sequence`, the number of the movement's first event. */
export function numberedWrite<Row extends { [K in keyof Row]: ColumnValue }>(
  into: SetStatement<Row & { sequence: bigint }>,
  row: Row,
): Write {
  return { into, row };
}

export interface EventDraft {
  id: string;
  type: string;
  subjectId: string;
  /** JSON text: the subject as it is after this movement. */
  data: string;
  /** Where many events are much alike: what differs, so that the rest is stored once. */
  varying?: VaryingText;
}

/** What stands at a place of a text: something that every event has, or the value with this number, from 0. */
export type VaryingPlace = 'SUBJECT' | 'SUBJECT_WITHOUT_HYPHENS' | 'TIME' | number;

/** What differs in the texts of events of one kind. */
export interface VaryingText {
  /** Two events of one kind have all else in common, as long as names and the like are not changed. */
  kind: string;
  /** In the order of the text: what stands before each value, and which value it is. */
  fields: readonly (readonly [before: string, place: VaryingPlace])[];
  /** As they stand in the text; at least one. */
  values: readonly string[];
}

/** The idempotency key of a request, or the absence of one: what its movement keeps of the request. */
export interface IdempotencyKey {
  /** Null where none was sent: then no answer is kept. */
  key: string | null;
  /** Hash of the operation and its input, without the PIN. Empty where there is no key. */
  inputHash: string;
  /** The request id, for the events that the request causes and for its refusal. */
  requestId?: string;
}

/**
 * One business effect as data, on its way into the ledger. All of it commits or none: the linked transfers, the state
 * changes, the records, the events and the idempotency key with the answer.
 */
export interface Movement {
  tenant: Tenant;
  /** Also the id of the merchant-visible transaction, where there is one. */
  id: string;
  /** ISO 8601, UTC. */
  occurredAt: string;
  idempotency?: IdempotencyKey | undefined;
  uniqueKeys?: readonly UniqueKey[];
  reservations?: readonly Reservation[];
  releases?: readonly ReservationRelease[];
  limitUsages?: readonly LimitUsage[];
  checks?: readonly LockedCheck[];
  /** What it changes that checks of later movements may be about, by name. */
  changes?: readonly string[];
  transitions?: readonly Transition[];
  /** Steps of rows among `writes`; the rows have the state after the step. */
  firstSteps?: readonly FirstStep[];
  transfers?: readonly (TransferDraft | ResolutionDraft)[];
  writes?: readonly Write[];
  /** Made by `numberedWrite`; the movement needs an event. */
  numbered?: readonly Write[];
  events?: readonly EventDraft[];
  /** Returned to the client when the movement is applied, and again to each request that repeats its key. */
  answer: Answer | EventAnswer;
}

/** Success, with the data of one of the movement's events. Most answers are like this, and the text is stored once. */
export interface EventAnswer {
  message: string;
  /** Which of the events, from 0; the first unless given. */
  event?: number;
}

export interface CommitResult {
  answer: Answer;
  /** True when the answer is that of an earlier movement with the same idempotency key, and nothing moved now. */
  replayed: boolean;
}

/** What one module contributes to a movement that several make together, such as a payout and its approval. */
export type MovementParts = Partial<
  Pick<
    Movement,
    | 'uniqueKeys'
    | 'reservations'
    | 'releases'
    | 'limitUsages'
    | 'checks'
    | 'changes'
    | 'transitions'
    | 'firstSteps'
    | 'transfers'
    | 'writes'
    | 'numbered'
    | 'events'
  >
>;

/** Joins parts, each list in the order in which the parts are given. */
export function joinParts(...parts: readonly MovementParts[]): Required<MovementParts> {
  return {
    uniqueKeys: joined(parts, 'uniqueKeys'),
    reservations: joined(parts, 'reservations'),
    releases: joined(parts, 'releases'),
    limitUsages: joined(parts, 'limitUsages'),
    checks: joined(parts, 'checks'),
    changes: joined(parts, 'changes'),
    transitions: joined(parts, 'transitions'),
    firstSteps: joined(parts, 'firstSteps'),
    transfers: joined(parts, 'transfers'),
    writes: joined(parts, 'writes'),
    numbered: joined(parts, 'numbered'),
    events: joined(parts, 'events'),
  };
}

const NONE: readonly never[] = [];

/** A list that only one part has is used as it is; no list of a part is changed. A chunk joins a thousand parts. */
function joined<Name extends keyof MovementParts>(
  parts: readonly MovementParts[],
  name: Name,
): NonNullable<MovementParts[Name]> {
  type List = NonNullable<MovementParts[Name]>;
  let all: readonly unknown[] = NONE;
  let made: unknown[] | undefined;
  for (const part of parts) {
    const some: readonly unknown[] = part[name] ?? NONE;
    if (some.length === 0) continue;
    if (all.length === 0) {
      all = some;
      continue;
    }
    made ??= [...all];
    for (const one of some) made.push(one);
    all = made;
  }
  return all as List;
}
