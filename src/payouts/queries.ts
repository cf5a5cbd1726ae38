import type { PayoutPurpose } from '../fees/index.ts';
import { digestOf } from '../platform/db/digest.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Period } from '../platform/http/period.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { OPERATOR_REASONS, TransactionRow, TransactionStatus } from '../transactions/index.ts';

/** The next step of a worker: turn a schedule into a payout, send to the rail, or query the rail. */
export type PayoutStep = 'FIRE' | 'SEND' | 'QUERY';

/** A payout as its table has it. Amounts, parties and the state are in the transaction with the same id. */
export interface PayoutRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  batch_id: string | null;
  purpose: PayoutPurpose;
  phone_number: string | null;
  rail: string;
  rail_reference: string;
  scenario: string | null;
  scheduled_for: Date | null;
  next_step: PayoutStep;
  due_at: Date | null;
  attempts: number;
  first_sent_at: Date | null;
  session_id: string | null;
  rail_code: string | null;
  fee_minor: bigint;
  vat_minor: bigint;
  stamp_duty_minor: bigint;
  amount_hold_id: string | null;
  fee_hold_id: string | null;
  vat_hold_id: string | null;
  stamp_duty_hold_id: string | null;
  /** The day in Lagos against whose limit it was counted, `YYYY-MM-DD`; null where it was not. */
  counted_on: string | null;
  /** It was accepted although the same was paid or waits: the duplicate is intended. */
  allow_duplicate: boolean;
  /** The approval that it needed; null where it needed none. */
  approval_id: string | null;
  /** The version of the approval rules that decided this; null for payouts older than rules. */
  rules_version: number | null;
}

/** Columns that the pipeline writes after the row is made. */
interface PayoutProgress {
  /** The latest time at which its rail may have been asked to send it; null where the rail certainly was not. */
  sent_at: Date | null;
  /** The rail that refused it definitely, before it failed over to another. */
  refused_by: string | null;
  /** Why it is before the operator; null where it is not. */
  operator_reason: OperatorReason | null;
  operator_since: Date | null;
}

export type OperatorReason = (typeof OPERATOR_REASONS)[number];

/** A payout together with its transaction: everything about it but its attempts. */
export type PayoutRecord = TransactionRow & PayoutRow & PayoutProgress;

/** A new payout. Where it is leased as it is made, its lease. */
type NewPayoutRow = PayoutRow & Pick<PayoutProgress, 'sent_at'> & { lease_id: string | null };

export const insertPayouts = setInsert<NewPayoutRow>('payouts', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  batch_id: 'uuid',
  purpose: 'text',
  phone_number: 'text',
  rail: 'text',
  rail_reference: 'text',
  scenario: 'text',
  scheduled_for: 'timestamptz',
  next_step: 'text',
  due_at: 'timestamptz',
  attempts: 'integer',
  first_sent_at: 'timestamptz',
  session_id: 'text',
  rail_code: 'text',
  fee_minor: 'bigint',
  vat_minor: 'bigint',
  stamp_duty_minor: 'bigint',
  amount_hold_id: 'uuid',
  fee_hold_id: 'uuid',
  vat_hold_id: 'uuid',
  stamp_duty_hold_id: 'uuid',
  counted_on: 'date',
  allow_duplicate: 'boolean',
  approval_id: 'uuid',
  rules_version: 'integer',
  sent_at: 'timestamptz',
  lease_id: 'uuid',
});

/** The columns of a `PayoutRecord`, in a query over `WITH_TRANSACTION`. */
export const RECORD = `t.*, p.purpose, p.phone_number, p.rail, p.rail_reference, p.scenario,
  p.scheduled_for, p.next_step, p.due_at, p.attempts, p.first_sent_at, p.session_id, p.rail_code, p.fee_minor,
  p.vat_minor, p.stamp_duty_minor, p.amount_hold_id, p.fee_hold_id, p.vat_hold_id, p.stamp_duty_hold_id,
  p.counted_on, p.allow_duplicate, p.approval_id, p.rules_version, p.sent_at, p.refused_by, p.operator_reason, p.operator_since`;

export const WITH_TRANSACTION = `payouts p
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id`;

/**
 * For lists. Each row by its key: joined otherwise, a plan made for few rows would read all transactions for every
 * payout.
 */
export const EACH_WITH_TRANSACTION = `payouts p
     join lateral (
       select * from transactions where merchant_id = p.merchant_id and mode = p.mode and id = p.id offset 0
     ) t on true`;

export const findPayout = statement<PayoutRecord>(
  'find-payout',
  `select ${RECORD} from ${WITH_TRANSACTION} where p.merchant_id = $1 and p.mode = $2 and p.id = $3`,
);

const NEWEST: ListOrder<PayoutRecord> = {
  direction: 'desc',
  keys: [{ sql: 'p.id', type: 'uuid', of: ({ id }) => id }],
};

/**
 * Scheduled payouts, newest first, fired and cancelled ones among them; the period is of the time that they are for.
 */
export function scheduleList(
  { merchantId, mode }: Tenant,
  { status, from, to }: { status: TransactionStatus | undefined } & Partial<Period>,
): List<PayoutRecord> {
  const values: unknown[] = [merchantId, mode];
  const where = ['p.merchant_id = $1', 'p.mode = $2', 'p.scheduled_for is not null'];
  // The status is one of our own words, so it may stand in the text.
  if (status !== undefined) where.push(`t.status = '${status}'`);
  if (from !== undefined) where.push(`p.scheduled_for >= $${values.push(from)}`);
  if (to !== undefined) where.push(`p.scheduled_for < $${values.push(to)}`);
  const of = [merchantId, mode, status, from, to];
  return { name: 'scheduled-payouts', of, order: NEWEST, columns: RECORD, from: EACH_WITH_TRANSACTION, where, values };
}

export const updatePayoutsHeld = setStatement<
  Pick<PayoutRow, 'merchant_id' | 'mode' | 'id' | 'fee_minor' | 'vat_minor' | 'stamp_duty_minor'> & {
    counted_on: string;
    due_at: Date;
    amount_hold_id: string;
    fee_hold_id: string | null;
    vat_hold_id: string | null;
    stamp_duty_hold_id: string | null;
  }
>(
  'update-payouts-held',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    due_at: 'timestamptz',
    fee_minor: 'bigint',
    vat_minor: 'bigint',
    stamp_duty_minor: 'bigint',
    amount_hold_id: 'uuid',
    fee_hold_id: 'uuid',
    vat_hold_id: 'uuid',
    stamp_duty_hold_id: 'uuid',
    counted_on: 'date',
  },
  `update payouts p
      set next_step = 'SEND', due_at = rows.due_at, fee_minor = rows.fee_minor, vat_minor = rows.vat_minor,
          stamp_duty_minor = rows.stamp_duty_minor, amount_hold_id = rows.amount_hold_id,
          fee_hold_id = rows.fee_hold_id, vat_hold_id = rows.vat_hold_id, stamp_duty_hold_id = rows.stamp_duty_hold_id,
          counted_on = rows.counted_on, lease_id = null
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

/** All approvals were given: a worker takes the payout at `due_at`. */
export const updatePayoutsReleased = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  due_at: Date;
  /** As `PayoutRow` has it. */
  counted_on: string | null;
}>(
  'update-payouts-released',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', due_at: 'timestamptz', counted_on: 'date' },
  `update payouts p
      set due_at = rows.due_at, counted_on = rows.counted_on
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

/** The payout has ended without a rail: a schedule that was cancelled or could not fire. */
export const updatePayoutsConcluded = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  session_id: string | null;
  rail_code: string | null;
}>(
  'update-payouts-concluded',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', session_id: 'text', rail_code: 'text' },
  `update payouts p
      set due_at = null, lease_id = null, session_id = coalesce(rows.session_id, p.session_id),
          rail_code = coalesce(rows.rail_code, p.rail_code)
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

/** One call to a rail, or one response that came another way: the evidence of a payout. */
export interface AttemptRow {
  merchant_id: string;
  mode: Mode;
  payout_id: string;
  id: string;
  rail: string;
  kind: 'SEND' | 'QUERY' | 'PROVIDER_WEBHOOK' | 'SETTLEMENT' | 'OPERATOR';
  started_at: Date;
  /** Null where there is no answer, because the call is under way or its worker died. */
  ended_at: Date | null;
  outcome: string | null;
  code: string | null;
  reason: string | null;
  message: string | null;
  session_id: string | null;
  /** JSON text: what the rail reported of the transfer; null where it reported nothing. */
  reported: string | null;
}

/** SHA-256, hex, over a whole row of evidence: the proof recomputes it and finds an alteration. */
export const attemptDigest = (attempt: string): string =>
  `encode(sha256(convert_to(json_build_array(
     ${attempt}.merchant_id, ${attempt}.mode, ${attempt}.payout_id, ${attempt}.id, ${attempt}.rail, ${attempt}.kind,
     extract(epoch from ${attempt}.started_at), extract(epoch from ${attempt}.ended_at), ${attempt}.outcome, ${attempt}.code,
     ${attempt}.reason, ${attempt}.message, ${attempt}.session_id, ${attempt}.reported::text)::text, 'UTF8')), 'hex')`;

/** An attempt with the digest that `sealAttempt` adds. */
export type SealedAttempt = AttemptRow & { digest: string };

/** The evidence with its digest, computed as `attemptDigest` does in SQL. */
export function sealAttempt<Attempt extends AttemptRow>(attempt: Attempt): Attempt & SealedAttempt {
  const { merchant_id, mode, payout_id, id, rail, kind, outcome, code, reason, message, session_id, reported } =
    attempt;
  const begun = [merchant_id, mode, payout_id, id, rail, kind, attempt.started_at];
  const said = [attempt.ended_at, outcome, code, reason, message, session_id, reported];
  return { ...attempt, digest: digestOf([...begun, ...said]) };
}

export const insertAttempts = setInsert<SealedAttempt>('payout_attempts', {
  merchant_id: 'uuid',
  mode: 'text',
  payout_id: 'uuid',
  id: 'uuid',
  rail: 'text',
  kind: 'text',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  outcome: 'text',
  code: 'text',
  reason: 'text',
  message: 'text',
  session_id: 'text',
  reported: 'text',
  digest: 'text',
});

export const listAttempts = statement<AttemptRow>(
  'list-payout-attempts',
  'select * from payout_attempts where merchant_id = $1 and mode = $2 and payout_id = $3 order by id',
);

/**
 * Puts a payout before the operator; a contradiction replaces any other reason, and the same reason twice changes
 * nothing. Not before it was sent, also by a process whose clock is behind the one that sent it.
 */
export const updatePayoutForOperator = statement(
  'update-payout-for-operator',
  `update payouts set operator_reason = $4, operator_since = greatest($5, first_sent_at)
    where merchant_id = $1 and mode = $2 and id = $3
      and operator_reason is distinct from 'RAIL_CONTRADICTS' and operator_reason is distinct from $4`,
);
