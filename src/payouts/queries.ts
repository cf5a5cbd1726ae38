import type { PayoutPurpose } from '../fees/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransactionRow } from '../transactions/index.ts';

/** What the worker has to do next: turn a schedule into a payout, send to the rail, or ask the rail. */
export type PayoutStep = 'FIRE' | 'SEND' | 'QUERY';

/** A payout as it stands in the table. Amounts, parties and the state are in the transaction with the same id. */
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
  scheduled_for: string | Date | null;
  next_step: PayoutStep;
  due_at: string | Date | null;
  attempts: number;
  first_sent_at: string | Date | null;
  session_id: string | null;
  rail_code: string | null;
  fee_minor: bigint;
  vat_minor: bigint;
  stamp_duty_minor: bigint;
  amount_hold_id: string | null;
  fee_hold_id: string | null;
  vat_hold_id: string | null;
  stamp_duty_hold_id: string | null;
}

/** A payout together with its transaction: everything about it but its attempts. */
export type PayoutRecord = TransactionRow & PayoutRow;

export const insertPayouts = setInsert<PayoutRow>('payouts', {
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
});

const RECORD = `t.*, p.purpose, p.phone_number, p.rail, p.rail_reference, p.scenario,
  p.scheduled_for, p.next_step, p.due_at, p.attempts, p.first_sent_at, p.session_id, p.rail_code, p.fee_minor,
  p.vat_minor, p.stamp_duty_minor, p.amount_hold_id, p.fee_hold_id, p.vat_hold_id, p.stamp_duty_hold_id`;

const WITH_TRANSACTION = `payouts p
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id`;

export const findPayout = statement<PayoutRecord>(
  'find-payout',
  `select ${RECORD} from ${WITH_TRANSACTION} where p.merchant_id = $1 and p.mode = $2 and p.id = $3`,
);

/** Newest first; a null status is any. */
export const listScheduledPayouts = statement<PayoutRecord>(
  'list-scheduled-payouts',
  `select ${RECORD} from ${WITH_TRANSACTION}
    where p.merchant_id = $1 and p.mode = $2 and p.scheduled_for is not null and ($3::text is null or t.status = $3)
    order by p.id desc offset $4 limit $5`,
);

export const countScheduledPayouts = statement<{ total: number }>(
  'count-scheduled-payouts',
  `select count(*)::int as total from ${WITH_TRANSACTION}
    where p.merchant_id = $1 and p.mode = $2 and p.scheduled_for is not null and ($3::text is null or t.status = $3)`,
);

/** Whose payouts are due. Looks across merchants, so it runs outside money transactions and locks nothing. */
export const listTenantsWithDuePayouts = statement<{ merchant_id: string; mode: Mode }>(
  'list-tenants-with-due-payouts',
  'select merchant_id, mode from payouts where due_at is not null and due_at <= $1 group by merchant_id, mode',
);

/** Takes due payouts of one tenant, oldest due first, passing over those that another worker has its hands on. */
export const lockDuePayouts = statement<PayoutRecord>(
  'lock-due-payouts',
  `select ${RECORD} from ${WITH_TRANSACTION}
    where p.merchant_id = $1 and p.mode = $2 and p.due_at <= $3
    order by p.due_at, p.id
    limit $4
      for update of p skip locked`,
);

export interface PayoutLease {
  merchant_id: string;
  mode: string;
  id: string;
  due_at: string;
  next_step: PayoutStep;
  attempts: number;
  first_sent_at: string | null;
}

export const updatePayoutLeases = setStatement<PayoutLease>(
  'update-payout-leases',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    due_at: 'timestamptz',
    next_step: 'text',
    attempts: 'integer',
    first_sent_at: 'timestamptz',
  },
  `update payouts p
      set due_at = rows.due_at, next_step = rows.next_step, attempts = rows.attempts, first_sent_at = rows.first_sent_at
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

/** Gives a payout back with a new date, unless its lease ran out and somebody else has it, or it has ended. */
export const updatePayoutDue = statement<{ id: string }>(
  'update-payout-due',
  `update payouts set due_at = $5, next_step = $6
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4
    returning id`,
);

export const updatePayoutsHeld = setStatement<
  Pick<PayoutRow, 'merchant_id' | 'mode' | 'id' | 'fee_minor' | 'vat_minor' | 'stamp_duty_minor'> & {
    due_at: string;
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
  },
  `update payouts p
      set next_step = 'SEND', due_at = rows.due_at, fee_minor = rows.fee_minor, vat_minor = rows.vat_minor,
          stamp_duty_minor = rows.stamp_duty_minor, amount_hold_id = rows.amount_hold_id,
          fee_hold_id = rows.fee_hold_id, vat_hold_id = rows.vat_hold_id, stamp_duty_hold_id = rows.stamp_duty_hold_id
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

/** Nobody has to act any more; what the rail said last is kept. */
export const updatePayoutsConcluded = setStatement<{
  merchant_id: string;
  mode: string;
  id: string;
  session_id: string | null;
  rail_code: string | null;
}>(
  'update-payouts-concluded',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', session_id: 'text', rail_code: 'text' },
  `update payouts p
      set due_at = null, session_id = coalesce(rows.session_id, p.session_id),
          rail_code = coalesce(rows.rail_code, p.rail_code)
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

export interface AttemptRow {
  merchant_id: string;
  mode: string;
  payout_id: string;
  id: string;
  kind: 'SEND' | 'QUERY';
  started_at: string | Date;
  ended_at: string | Date | null;
  outcome: string | null;
  code: string | null;
  reason: string | null;
  message: string | null;
  session_id: string | null;
}

export const insertAttempts = setInsert<AttemptRow>('payout_attempts', {
  merchant_id: 'uuid',
  mode: 'text',
  payout_id: 'uuid',
  id: 'uuid',
  kind: 'text',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  outcome: 'text',
  code: 'text',
  reason: 'text',
  message: 'text',
  session_id: 'text',
});

export const updateAttemptEnded = statement(
  'update-payout-attempt-ended',
  `update payout_attempts
      set ended_at = $5, outcome = $6, code = $7, reason = $8, message = $9, session_id = $10
    where merchant_id = $1 and mode = $2 and payout_id = $3 and id = $4`,
);

export const listAttempts = statement<AttemptRow>(
  'list-payout-attempts',
  'select * from payout_attempts where merchant_id = $1 and mode = $2 and payout_id = $3 order by id',
);

/** Time forward in a sandbox: whatever waits for a time waits that much less. Records keep their own times. */
export const updatePayoutsAdvanced = setStatement<{ merchant_id: string; mode: string; seconds: number }>(
  'update-payouts-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update payouts p
      set due_at = p.due_at - make_interval(secs => advance.seconds),
          first_sent_at = p.first_sent_at - make_interval(secs => advance.seconds)
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where p.merchant_id = advance.merchant_id and p.mode = advance.mode and p.due_at is not null
      -- A call under way: what is due is a worker's lease, and that runs in real time.
      and not exists (
        select from payout_attempts a
         where a.merchant_id = p.merchant_id and a.mode = p.mode and a.payout_id = p.id and a.ended_at is null
      )`,
);
