import { hasMoneySql, type StateChange, stateChangeColumns, stateMachine } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import { movedBack, setInsert, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { DisputeCategory } from '../rails/index.ts';

export const DISPUTE_STATUSES = ['OPEN', 'EVIDENCE_SENT', 'WON', 'LOST', 'ACCEPTED'] as const;
/** See the comment of the table. */
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** An end is final: where a provider says otherwise later, two people may decide that a win was a loss. */
const machine = stateMachine<DisputeStatus>('dispute', 'disputes', {
  OPEN: ['EVIDENCE_SENT', 'WON', 'LOST', 'ACCEPTED'],
  EVIDENCE_SENT: ['WON', 'LOST', 'ACCEPTED'],
  WON: ['LOST'],
  LOST: [],
  ACCEPTED: [],
});

/** A dispute that ends gets its end time in the same statement. */
export const disputeStates: typeof machine = {
  ...machine,
  update: setStatement<StateChange>(
    'update-dispute-states-and-ends',
    stateChangeColumns,
    `update disputes t
        set status = rows.to_state, reason = rows.reason, updated_at = rows.created_at,
            ended_at = case when rows.to_state in ('WON', 'LOST', 'ACCEPTED') then rows.created_at end
       from :rows
      where t.merchant_id = rows.merchant_id and t.mode = rows.mode and t.id = rows.subject_id
        and t.status = rows.from_state`,
  ),
};

export const isEnded = (status: DisputeStatus): boolean => status !== 'OPEN' && status !== 'EVIDENCE_SENT';

export const DISPUTE_CATEGORIES = ['CHARGEBACK', 'FRAUD', 'GENERAL'] as const satisfies readonly DisputeCategory[];

export type AnswerAction = 'ACCEPT' | 'CONTEST';
export type AnswerStatus = 'QUEUED' | 'SENT' | 'REFUSED';

/** The provider contradicts the end, or says that the dispute is open again. */
export const CONTRADICTIONS = ['WON_AFTER_END', 'LOST_AFTER_END', 'REOPENED'] as const;
/**
 * Why the operator has to look: it wants more than the payment; nothing of that is left; its state is not listed; its
 * provider contradicts the end.
 */
export type OperatorReason =
  | 'ABOVE_PAYMENT'
  | 'TAKEN_BACK_BEFORE'
  | 'STATE_NOT_LISTED'
  | (typeof CONTRADICTIONS)[number];

export interface DisputeRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  payment_id: string;
  rail: string;
  provider_dispute_id: string;
  /** `OPERATOR`: two people entered it, for a provider without an interface. */
  source: 'PROVIDER' | 'OPERATOR';
  status: DisputeStatus;
  reason: string | null;
  operator_reason: OperatorReason | null;
  category: DisputeCategory;
  message: string | null;
  amount_minor: bigint;
  disputed_minor: bigint;
  held_minor: bigint;
  taken_minor: bigint;
  loss_minor: bigint;
  repaid_minor: bigint;
  currency: Currency;
  wallet_id: string | null;
  receivable_id: string;
  hold_id: string | null;
  answer: AnswerAction | null;
  answer_status: AnswerStatus | null;
  answer_reason: string | null;
  version: number;
  due_at: Date | null;
  check_at: Date | null;
  remind_at: Date | null;
  /** How often the provider was asked since something changed. */
  checks: number;
  opened_at: Date;
  updated_at: Date;
  ended_at: Date | null;
  /** What the operator found out about a contradicted end, with who and when. */
  looked_note: string | null;
  looked_by: string | null;
  looked_at: Date | null;
}

export const insertDisputes = setInsert<DisputeRow>('disputes', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  payment_id: 'uuid',
  rail: 'text',
  provider_dispute_id: 'text',
  source: 'text',
  status: 'text',
  reason: 'text',
  operator_reason: 'text',
  category: 'text',
  message: 'text',
  amount_minor: 'bigint',
  disputed_minor: 'bigint',
  held_minor: 'bigint',
  taken_minor: 'bigint',
  loss_minor: 'bigint',
  repaid_minor: 'bigint',
  currency: 'text',
  wallet_id: 'uuid',
  receivable_id: 'uuid',
  hold_id: 'uuid',
  answer: 'text',
  answer_status: 'text',
  answer_reason: 'text',
  version: 'integer',
  due_at: 'timestamptz',
  check_at: 'timestamptz',
  remind_at: 'timestamptz',
  checks: 'integer',
  opened_at: 'timestamptz',
  updated_at: 'timestamptz',
  ended_at: 'timestamptz',
  looked_note: 'text',
  looked_by: 'uuid',
  looked_at: 'timestamptz',
});

/** What changes with a dispute's version; its status changes in the same movement, by a transition. */
export type DisputeChange = Omit<
  DisputeRow,
  | 'payment_id'
  | 'rail'
  | 'provider_dispute_id'
  | 'source'
  | 'category'
  | 'message'
  | 'currency'
  | 'receivable_id'
  | 'opened_at'
>;

export const updateDisputes = setStatement<DisputeChange>(
  'update-disputes',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    status: 'text',
    reason: 'text',
    operator_reason: 'text',
    amount_minor: 'bigint',
    disputed_minor: 'bigint',
    held_minor: 'bigint',
    taken_minor: 'bigint',
    loss_minor: 'bigint',
    repaid_minor: 'bigint',
    wallet_id: 'uuid',
    hold_id: 'uuid',
    answer: 'text',
    answer_status: 'text',
    answer_reason: 'text',
    version: 'integer',
    due_at: 'timestamptz',
    check_at: 'timestamptz',
    remind_at: 'timestamptz',
    checks: 'integer',
    updated_at: 'timestamptz',
    ended_at: 'timestamptz',
    looked_note: 'text',
    looked_by: 'uuid',
    looked_at: 'timestamptz',
  },
  `update disputes d
      set status = rows.status, reason = rows.reason, operator_reason = rows.operator_reason, amount_minor = rows.amount_minor,
          disputed_minor = rows.disputed_minor, held_minor = rows.held_minor, taken_minor = rows.taken_minor, loss_minor = rows.loss_minor,
          repaid_minor = rows.repaid_minor, wallet_id = rows.wallet_id, hold_id = rows.hold_id, answer = rows.answer,
          answer_status = rows.answer_status, answer_reason = rows.answer_reason, version = rows.version,
          due_at = rows.due_at, check_at = rows.check_at, remind_at = rows.remind_at, checks = rows.checks,
          updated_at = rows.updated_at, ended_at = rows.ended_at, looked_note = rows.looked_note, looked_by = rows.looked_by,
          looked_at = rows.looked_at
     from :rows
    where d.merchant_id = rows.merchant_id and d.mode = rows.mode and d.id = rows.id`,
);

export const findDispute = statement<DisputeRow>(
  'find-dispute',
  'select * from disputes where merchant_id = $1 and mode = $2 and id = $3',
);

export const listDisputesOfPayment = statement<DisputeRow>(
  'list-disputes-of-payment',
  'select * from disputes where merchant_id = $1 and mode = $2 and payment_id = $3 order by id',
);

/** Of these disputes, those that have changed, or do not exist. */
export const findChangedDisputes = setQuestion<
  { merchant_id: string; mode: Mode; id: string; version: number },
  { place: number }
>(
  'find-changed-disputes',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', version: 'integer' },
  `select rows.place::int as place
     from :rows
     left join disputes d on d.merchant_id = rows.merchant_id and d.mode = rows.mode and d.id = rows.id
    where d.version is distinct from rows.version`,
);

/** Of these payments, those whose disputes have changed: by their number and the sum of their versions. */
export const findChangedDisputesOfPayments = setQuestion<
  { merchant_id: string; mode: Mode; payment_id: string; disputes: number; versions: number },
  { place: number }
>(
  'find-changed-disputes-of-payments',
  { merchant_id: 'uuid', mode: 'text', payment_id: 'uuid', disputes: 'integer', versions: 'integer' },
  `select rows.place::int as place
     from :rows
     left join disputes d
       on d.merchant_id = rows.merchant_id and d.mode = rows.mode and d.payment_id = rows.payment_id
    group by rows.place, rows.disputes, rows.versions
   having count(d.id) <> rows.disputes or coalesce(sum(d.version), 0) <> rows.versions`,
);

export interface RepaymentRow {
  merchant_id: string;
  mode: Mode;
  dispute_id: string;
  id: string;
  wallet_id: string;
  amount_minor: bigint;
  created_at: Date;
}

export const insertRepayments = setInsert<RepaymentRow>('dispute_repayments', {
  merchant_id: 'uuid',
  mode: 'text',
  dispute_id: 'uuid',
  id: 'uuid',
  wallet_id: 'uuid',
  amount_minor: 'bigint',
  created_at: 'timestamptz',
});

export const listRepayments = statement<RepaymentRow>(
  'list-dispute-repayments',
  'select * from dispute_repayments where merchant_id = $1 and mode = $2 and dispute_id = $3 order by id limit 500',
);

export type OwedDispute = Pick<DisputeRow, 'merchant_id' | 'mode' | 'id' | 'wallet_id'>;

/**
 * What is owed after disputes, with the wallet of each: a dispute that was lost before its payment reached a wallet has
 * none, and gets it from the payment once that is there.
 */
const OWED = `select d.merchant_id, d.mode, d.id, coalesce(d.wallet_id, p.attributed_wallet_id, p.wallet_id) as wallet_id
           from disputes d
           left join inbound_payments p
             on d.wallet_id is null and p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payment_id
            and p.status = 'CREDITED'
          where d.mode = $1 and d.repaid_minor < d.loss_minor`;

/**
 * Disputes whose loss is not paid yet and whose wallet, or merchant, has money: the oldest of each merchant, then the
 * second of each, and so on. Each wallet is looked at once, however many disputes it has. $1 mode, $2 those that are
 * left alone for now, $3 how many of a merchant, $4 how many of all.
 */
export const listOwedDisputes = statement<OwedDispute>(
  'list-owed-disputes',
  `with debts as not materialized (${OWED})
   select owed.merchant_id, owed.mode, owed.id, owed.wallet_id
     from (
       select d.merchant_id, d.mode, d.id, d.wallet_id,
              row_number() over (partition by d.merchant_id order by d.id) as place
         from (select distinct merchant_id, mode, wallet_id from debts) w
         join debts d
           on d.merchant_id = w.merchant_id and d.mode = w.mode and d.wallet_id is not distinct from w.wallet_id
        where d.id <> all ($2::uuid[]) and ${hasMoneySql('w')}
     ) owed
    where owed.place <= $3
    order by owed.place, owed.merchant_id
    limit $4`,
);

export const OWED_DISPUTES = queue(listOwedDisputes, 'disputes', 'repaid_minor < loss_minor');

/** What a merchant owes, and for how many disputes. */
export const sumOwed = statement<{ disputes: number; owed_minor: bigint }>(
  'sum-owed-disputes',
  `select count(*)::int as disputes, coalesce(sum(loss_minor - repaid_minor), 0)::bigint as owed_minor
     from disputes
    where merchant_id = $1 and mode = $2 and repaid_minor < loss_minor`,
);

/** Has ended, and its provider contradicts the end. What was to be looked at while it was open is over. */
export const CONTRADICTED_END = `operator_reason in ('${CONTRADICTIONS.join(`', '`)}') and ended_at is not null`;

/** Has ended for less than its amount, as something else of its payment went back, or was on its way. */
export const SHORT_END = `operator_reason = 'TAKEN_BACK_BEFORE' and ended_at is not null`;

/** A refund of the payment of a dispute d is still on its way, and may fail. */
export const OPEN_REFUND = `exists (select from refunds r
            where r.merchant_id = d.merchant_id and r.mode = d.mode and r.payment_id = d.payment_id
              and r.status in ('PENDING_APPROVAL', 'QUEUED', 'PROCESSING', 'NEEDS_DETAILS'))`;

/** For the operator: contradictory reports, ends contradicted since $1, and open disputes that were entered by hand. */
export const countOperatorDisputes = statement<{ count: number }>(
  'count-operator-disputes',
  `select ((select count(*) from disputes where operator_reason is not null and ended_at is null)
         + (select count(*) from disputes where ${CONTRADICTED_END} and updated_at >= $1)
         + (select count(*) from disputes d where ${SHORT_END} and ${OPEN_REFUND})
         + (select count(*) from disputes where ended_at is null and source = 'OPERATOR' and operator_reason is null))::int as count`,
);

/** Leases disputes that are due to be asked about until `$3`, merchants by turns: no other worker asks meanwhile. */
export const leaseDueDisputes = statement<DisputeRow>(
  'lease-due-disputes',
  `update disputes d set check_at = $3
     from (select merchant_id, mode, id from disputes
            where mode = $1 and ended_at is null and check_at <= $2
            order by row_number() over (partition by merchant_id order by check_at), check_at limit $4) due
    where d.merchant_id = due.merchant_id and d.mode = due.mode and d.id = due.id and d.check_at <= $2
    returning d.*`,
);

export const DUE_DISPUTES = queue(leaseDueDisputes, 'disputes', 'ended_at is null and check_at <= $1');

/**
 * Leases due ended disputes, merchants by turns, and sets when each is asked about next, also if this worker dies:
 * `$4`; or `$3` where it ended after `$6`; or never where it ended before `$5`.
 */
export const leaseEndedDisputes = statement<DisputeRow>(
  'lease-ended-disputes',
  `update disputes d
      set check_at = case when d.ended_at > $6 then $3 when d.ended_at > $5 then $4::timestamptz end
     from (select merchant_id, mode, id from disputes
            where mode = $1 and ended_at is not null and check_at is not null and check_at <= $2
            order by row_number() over (partition by merchant_id order by check_at), check_at limit $7) due
    where d.merchant_id = due.merchant_id and d.mode = due.mode and d.id = due.id and d.check_at <= $2
    returning d.*`,
);

export const ENDED_DISPUTES = queue(
  leaseEndedDisputes,
  'disputes',
  'ended_at is not null and check_at is not null and check_at <= $1',
);

/** Asked, and nothing changed: later. */
export const updateDisputeChecked = statement(
  'update-dispute-checked',
  `update disputes set check_at = $4, checks = checks + 1
    where merchant_id = $1 and mode = $2 and id = $3 and ended_at is null`,
);

export interface DisputeFilter {
  statuses?: readonly DisputeStatus[] | undefined;
  paymentId?: string | undefined;
  /** When it was opened. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A merchant's disputes, newest first: their ids sort by time. */
export function disputeList({ merchantId, mode }: Tenant, filter: DisputeFilter): List<DisputeRow> {
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2'];
  const { statuses = [], paymentId, from, to } = filter;
  if (statuses.length > 0) where.push(`status = any ($${values.push(statuses)}::text[])`);
  if (paymentId !== undefined) where.push(`payment_id = $${values.push(paymentId)}`);
  if (from !== undefined) where.push(`opened_at >= $${values.push(from)}`);
  if (to !== undefined) where.push(`opened_at < $${values.push(to)}`);
  return {
    name: 'disputes',
    of: [merchantId, mode, filter],
    order: { direction: 'desc', keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }] },
    columns: '*',
    from: 'disputes',
    where,
    values,
  };
}

/** Moves time forward for a sandbox: deadlines, questions and reminders come so much earlier. */
export const updateDisputesAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-disputes-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update disputes d
      set due_at = ${movedBack('d.due_at', 'advance.seconds')}, check_at = ${movedBack('d.check_at', 'advance.seconds')},
          remind_at = ${movedBack('d.remind_at', 'advance.seconds')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where d.merchant_id = advance.merchant_id and d.mode = advance.mode and d.ended_at is null`,
);
