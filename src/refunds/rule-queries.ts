import { stateMachine } from '../ledger/index.ts';
import { movedBack, ofDueTenants, setInsert, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';
import { listDueRefunds, type RefundCause } from './queries.ts';

export const RULE_WAYS = ['OFF', 'PROVIDER', 'PAYOUT'] as const;
/** Whether and how a payment goes back that a rule is for. */
export type RuleWay = (typeof RULE_WAYS)[number];

export type RuleCause = Exclude<RefundCause, 'MERCHANT'>;

/** A version of a merchant's refund rule. */
export interface RefundRuleRow {
  merchant_id: string;
  mode: Mode;
  version: number;
  id: string;
  late: RuleWay;
  excess: RuleWay;
  changed_by: string;
  changed_at: Date;
}

/** SHA-256, hex, over a version `r` as it was made. */
export const refundRuleDigest = (r: string): string =>
  `encode(sha256(convert_to(json_build_array(${r}.merchant_id, ${r}.mode, ${r}.version, ${r}.id, ${r}.late, ${r}.excess,
     ${r}.changed_by, extract(epoch from ${r}.changed_at))::text, 'UTF8')), 'hex')`;

export const insertRefundRules = setStatement<RefundRuleRow>(
  'insert-refund-rules',
  {
    merchant_id: 'uuid',
    mode: 'text',
    version: 'integer',
    id: 'uuid',
    late: 'text',
    excess: 'text',
    changed_by: 'text',
    changed_at: 'timestamptz',
  },
  `insert into refund_rules (merchant_id, mode, version, id, late, excess, changed_by, changed_at, digest)
   select rows.*, ${refundRuleDigest('rows')} from :rows`,
);

export const findRefundRule = statement<RefundRuleRow>(
  'find-refund-rule',
  `select merchant_id, mode, version, id, late, excess, changed_by, changed_at
     from refund_rules where merchant_id = $1 and mode = $2 order by version desc limit 1`,
);

/** Of these versions, those that another one has replaced. */
export const findReplacedRules = setQuestion<{ merchant_id: string; mode: Mode; version: number }, { place: number }>(
  'find-replaced-refund-rules',
  { merchant_id: 'uuid', mode: 'text', version: 'integer' },
  `select rows.place::int as place
     from :rows
     join refund_rules r on r.merchant_id = rows.merchant_id and r.mode = rows.mode and r.version = rows.version + 1`,
);

export const TO_REFUND_STATUSES = ['WAITING', 'REFUNDED', 'LEFT', 'REFUSED'] as const;
export type ToRefundStatus = (typeof TO_REFUND_STATUSES)[number];

/** A payment that a rule is for is refunded once, left, or refused; these are final. */
export const paymentToRefundStates = stateMachine<ToRefundStatus>('payment_to_refund', 'payments_to_refund', {
  WAITING: ['REFUNDED', 'LEFT', 'REFUSED'],
  REFUNDED: [],
  LEFT: [],
  REFUSED: [],
});

/** A payment in that a refund rule is for. */
export interface ToRefundRow {
  merchant_id: string;
  mode: Mode;
  /** The payment's id. */
  id: string;
  cause: RuleCause;
  due_minor: bigint;
  rule_version: number;
  status: ToRefundStatus;
  reason: string | null;
  refund_id: string | null;
  blocked_since: Date | null;
  due_at: Date | null;
  attempts: number;
  created_at: Date;
  updated_at: Date;
}

export const insertPaymentsToRefund = setInsert<ToRefundRow>('payments_to_refund', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  cause: 'text',
  due_minor: 'bigint',
  rule_version: 'integer',
  status: 'text',
  reason: 'text',
  refund_id: 'uuid',
  blocked_since: 'timestamptz',
  due_at: 'timestamptz',
  attempts: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/**
 * Due payments of a mode $1 by $2, except the payments $3: at most $4 of a merchant, its first ones first, and $5 of
 * all. It goes from merchant to merchant through the index of due rows.
 */
export const listDuePaymentsToRefund = ofDueTenants<ToRefundRow>(
  'list-due-payments-to-refund',
  { table: 'payments_to_refund', condition: 'due_at is not null', now: '$2' },
  `select due.merchant_id, due.mode, due.id, due.cause, due.due_minor, due.rule_version, due.status, due.reason,
          due.refund_id, due.blocked_since, due.due_at, due.attempts, due.created_at, due.updated_at
     from tenants
    cross join lateral (
      select p.*, row_number() over (order by p.due_at) as place
        from payments_to_refund p
       where p.merchant_id = tenants.merchant_id and p.mode = tenants.mode and p.due_at is not null and p.due_at <= $2
         and p.id <> all ($3::uuid[])
       order by p.due_at limit $4
    ) due
    where tenants.mode = $1
    order by due.place, due.due_at limit $5`,
);

export const DUE_REFUNDS = queue(listDueRefunds, 'refunds', 'due_at is not null and due_at <= $1');

export const PAYMENTS_TO_REFUND = queue(
  listDuePaymentsToRefund,
  'payments_to_refund',
  'due_at is not null and due_at <= $1',
);

/** Of two workers one gets the row: the other finds it due at another time. */
export const leasePaymentToRefund = statement<ToRefundRow>(
  'lease-payment-to-refund',
  `update payments_to_refund set due_at = $5, attempts = attempts + 1
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = 'WAITING' returning *`,
);

/** Puts it off. $4 the lease, $5 when it is due, $6 since when something is against it; null: nothing is. */
export const putOffPaymentToRefund = statement<{ id: string }>(
  'put-off-payment-to-refund',
  `update payments_to_refund set due_at = $5, blocked_since = $6
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = 'WAITING' returning id`,
);

/** In the movement that ends it: no worker has to look at it any more. */
export const updatePaymentsToRefundEnded = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  refund_id: string | null;
  rule_version: number;
}>(
  'update-payments-to-refund-ended',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', refund_id: 'uuid', rule_version: 'integer' },
  `update payments_to_refund p
      set due_at = null, refund_id = rows.refund_id, rule_version = rows.rule_version
     from :rows where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

/** Moves time forward in a sandbox. */
export const updatePaymentsToRefundAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-payments-to-refund-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update payments_to_refund p
      set due_at = ${movedBack('p.due_at', 'advance.seconds')},
          blocked_since = ${movedBack('p.blocked_since', 'advance.seconds')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where p.merchant_id = advance.merchant_id and p.mode = advance.mode and p.due_at is not null`,
);
