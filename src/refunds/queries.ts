import { stateMachine } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import { movedBack, ofDueTenants, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { RefundOutcome } from '../rails/index.ts';

export const REFUND_STATUSES = [
  'PENDING_APPROVAL',
  'QUEUED',
  'PROCESSING',
  'NEEDS_DETAILS',
  'SUCCESS',
  'FAILED',
  'CANCELLED',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/**
 * As for a payout. `NEEDS_DETAILS`: the provider needs the payer's account. A payout that was paid may still come back.
 */
export const refundStates = stateMachine<RefundStatus>('refund', 'refunds', {
  PENDING_APPROVAL: ['QUEUED', 'CANCELLED'],
  QUEUED: ['PROCESSING', 'FAILED', 'CANCELLED'],
  PROCESSING: ['NEEDS_DETAILS', 'SUCCESS', 'FAILED'],
  NEEDS_DETAILS: ['PROCESSING', 'SUCCESS', 'FAILED'],
  SUCCESS: ['FAILED'],
  FAILED: [],
  CANCELLED: [],
});

export const isConclusive = (status: RefundStatus): boolean =>
  status === 'SUCCESS' || status === 'FAILED' || status === 'CANCELLED';

export const REFUND_WAYS = ['PROVIDER', 'PAYOUT'] as const;
export type RefundWay = (typeof REFUND_WAYS)[number];

export const REFUND_CAUSES = ['MERCHANT', 'LATE', 'EXCESS'] as const;
export type RefundCause = (typeof REFUND_CAUSES)[number];

/**
 * The next step: ask the provider to send it, ask about its outcome, give the payer's account, follow the payout, or
 * compare an end with what the provider says.
 */
export type RefundStep = 'SEND' | 'QUERY' | 'DETAILS' | 'FOLLOW' | 'CHECK';

export const REFUND_OPERATOR_REASONS = ['UNKNOWN_TOO_LONG', 'RAIL_ANSWER_MISMATCH', 'RAIL_CONTRADICTS'] as const;
export type RefundOperatorReason = (typeof REFUND_OPERATOR_REASONS)[number];

export interface RefundRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  payment_id: string;
  wallet_id: string;
  way: RefundWay;
  cause: RefundCause;
  amount_minor: bigint;
  currency: Currency;
  note: string | null;
  client_reference: string | null;
  status: RefundStatus;
  reason: string | null;
  rail: string;
  receivable_id: string;
  hold_id: string | null;
  payout_id: string | null;
  provider_refund_id: string | null;
  bank_code: string | null;
  account_number: string | null;
  account_name: string | null;
  /** `YYYY-MM-DD`. */
  counted_on: string | null;
  allow_duplicate: boolean;
  scenario: string | null;
  approval_id: string | null;
  rules_version: number | null;
  next_step: RefundStep;
  due_at: Date | null;
  attempts: number;
  first_sent_at: Date | null;
  sent_at: Date | null;
  operator_reason: RefundOperatorReason | null;
  operator_since: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const insertRefunds = setInsert<RefundRow>('refunds', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  payment_id: 'uuid',
  wallet_id: 'uuid',
  way: 'text',
  cause: 'text',
  amount_minor: 'bigint',
  currency: 'text',
  note: 'text',
  client_reference: 'text',
  status: 'text',
  reason: 'text',
  rail: 'text',
  receivable_id: 'uuid',
  hold_id: 'uuid',
  payout_id: 'uuid',
  provider_refund_id: 'text',
  bank_code: 'text',
  account_number: 'text',
  account_name: 'text',
  counted_on: 'date',
  allow_duplicate: 'boolean',
  scenario: 'text',
  approval_id: 'uuid',
  rules_version: 'integer',
  next_step: 'text',
  due_at: 'timestamptz',
  attempts: 'integer',
  first_sent_at: 'timestamptz',
  sent_at: 'timestamptz',
  operator_reason: 'text',
  operator_since: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** The columns of a `RefundRow`, of a table `r`. */
export const REFUND = `r.merchant_id, r.mode, r.id, r.payment_id, r.wallet_id, r.way, r.cause, r.amount_minor, r.currency, r.note,
  r.client_reference, r.status, r.reason, r.rail, r.receivable_id, r.hold_id, r.payout_id, r.provider_refund_id, r.bank_code,
  r.account_number, r.account_name, r.counted_on, r.allow_duplicate, r.scenario, r.approval_id, r.rules_version, r.next_step,
  r.due_at, r.attempts, r.first_sent_at, r.sent_at, r.operator_reason, r.operator_since, r.created_at, r.updated_at`;

export const findRefund = statement<RefundRow>(
  'find-refund',
  `select ${REFUND} from refunds r where r.merchant_id = $1 and r.mode = $2 and r.id = $3`,
);

/** What of a payment has gone back, and what is on its way. */
export const sumRefundsOfPayment = statement<{ refunded_minor: bigint; pending_minor: bigint }>(
  'sum-refunds-of-payment',
  `select coalesce(sum(amount_minor) filter (where status = 'SUCCESS'), 0)::bigint as refunded_minor,
          coalesce(sum(amount_minor) filter (where status in ('PENDING_APPROVAL', 'QUEUED', 'PROCESSING', 'NEEDS_DETAILS')),
                   0)::bigint as pending_minor
     from refunds where merchant_id = $1 and mode = $2 and payment_id = $3`,
);

/** Due refunds of one mode, merchants by turns, the oldest of each first. Reads across merchants, and locks nothing. */
export const listDueRefunds = ofDueTenants<RefundRow>(
  'list-due-refunds',
  { table: 'refunds', condition: 'due_at is not null', now: '$2' },
  `select ${REFUND.replaceAll('r.', 'due.')}
     from tenants
    cross join lateral (
      select v.*, row_number() over (order by v.due_at) as place
        from refunds v
       where v.merchant_id = tenants.merchant_id and v.mode = tenants.mode and v.due_at is not null and v.due_at <= $2
         and v.id <> all ($4::uuid[]) order by v.due_at limit $3
    ) due
    where tenants.mode = $1
    order by due.place, due.due_at limit $3`,
);

/** Of two workers one gets the row: the other finds it due at another time. */
export const leaseRefund = statement<RefundRow>(
  'lease-refund',
  `update refunds r
      set due_at = $5, lease_id = $6, next_step = $7, attempts = r.attempts + $8, first_sent_at = $9, sent_at = $10
    where r.merchant_id = $1 and r.mode = $2 and r.id = $3 and r.due_at = $4
    returning ${REFUND}`,
);

/** Due again, unless the lease was lost or the refund has ended. The operator's reason stays the first one. */
export const releaseRefund = statement<{ id: string }>(
  'release-refund',
  `update refunds r
      set lease_id = null, due_at = $5, next_step = $6, first_sent_at = $7, sent_at = $8,
          provider_refund_id = coalesce($9, r.provider_refund_id), operator_reason = coalesce(r.operator_reason, $10),
          operator_since = case when $10::text is null then r.operator_since else coalesce(r.operator_since, greatest($11, r.created_at)) end
    where r.merchant_id = $1 and r.mode = $2 and r.id = $3 and r.lease_id = $4
    returning id`,
);

/**
 * Leases a refund that people decide now: only where no worker has it, and none that died may still be at the provider.
 */
export const leaseRefundForOperator = statement<{ id: string }>(
  'lease-refund-for-operator',
  `update refunds
      set due_at = $5, lease_id = $6
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and (lease_id is null or due_at < $7)
    returning id`,
);

/** Puts a refund before the operator; a contradiction replaces any other reason. */
export const updateRefundForOperator = statement(
  'update-refund-for-operator',
  `update refunds set operator_reason = $4, operator_since = greatest($5, created_at)
    where merchant_id = $1 and mode = $2 and id = $3
      and operator_reason is distinct from 'RAIL_CONTRADICTS' and operator_reason is distinct from $4`,
);

interface RefundKey {
  merchant_id: string;
  mode: Mode;
  id: string;
}
const refundKey = { merchant_id: 'uuid', mode: 'text', id: 'uuid' } as const;
const THIS_REFUND = 'r.merchant_id = rows.merchant_id and r.mode = rows.mode and r.id = rows.id';

/** All approvals were given: a worker leases it. */
export const updateRefundsReleased = setStatement<RefundKey & { due_at: Date; counted_on: string }>(
  'update-refunds-released',
  { ...refundKey, due_at: 'timestamptz', counted_on: 'date' },
  `update refunds r set due_at = rows.due_at, counted_on = rows.counted_on from :rows where ${THIS_REFUND}`,
);

/**
 * Released, and due as it says; null: nobody has to do anything. A refund that people have looked into stays with them.
 */
export const updateRefundsMoved = setStatement<
  RefundKey & { due_at: Date | null; next_step: RefundStep; provider_refund_id: string | null; is_settled: boolean }
>(
  'update-refunds-moved',
  { ...refundKey, due_at: 'timestamptz', next_step: 'text', provider_refund_id: 'text', is_settled: 'boolean' },
  `update refunds r
      set due_at = rows.due_at, next_step = rows.next_step, lease_id = null,
          provider_refund_id = coalesce(rows.provider_refund_id, r.provider_refund_id),
          operator_reason = case when rows.is_settled then null else r.operator_reason end,
          operator_since = case when rows.is_settled then null else r.operator_since end
     from :rows where ${THIS_REFUND}`,
);

/** People looked into a contradiction of its provider, and its end stands. */
export const updateRefundsStood = setStatement<RefundKey>(
  'update-refunds-stood',
  refundKey,
  `update refunds r set operator_reason = null, operator_since = null from :rows where ${THIS_REFUND}`,
);

/** The payer's account, given by the merchant: a worker passes it to the provider. */
export const updateRefundsDetails = setStatement<
  RefundKey & { bank_code: string; account_number: string; account_name: string; due_at: Date }
>(
  'update-refunds-details',
  { ...refundKey, bank_code: 'text', account_number: 'text', account_name: 'text', due_at: 'timestamptz' },
  `update refunds r
      set bank_code = rows.bank_code, account_number = rows.account_number, account_name = rows.account_name,
          next_step = 'DETAILS', due_at = rows.due_at, lease_id = null
     from :rows where ${THIS_REFUND}`,
);

/** Somebody reported an outcome: the refund is due now. One that has ended is compared with what the provider says. */
export const updateRefundHinted = statement<{ id: string }>(
  'update-refund-hinted',
  `update refunds
      set due_at = $4, lease_id = null,
          next_step = case when status in ('SUCCESS', 'FAILED', 'CANCELLED') then 'CHECK'
                           when next_step in ('SEND', 'DETAILS') then next_step else 'QUERY' end
    where merchant_id = $1 and mode = $2 and id = $3 and way = 'PROVIDER' and first_sent_at is not null
      -- What is in a worker's hands is being asked about.
      and (lease_id is null or due_at <= $4)
    returning id`,
);

/** Moves time forward in a sandbox. */
export const updateRefundsAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-refunds-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update refunds r
      set due_at = ${movedBack('r.due_at', 'advance.seconds')},
          first_sent_at = ${movedBack('r.first_sent_at', 'advance.seconds')},
          sent_at = ${movedBack('r.sent_at', 'advance.seconds')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where r.merchant_id = advance.merchant_id and r.mode = advance.mode and r.due_at is not null and r.lease_id is null`,
);

export type RefundAttemptKind = 'SEND' | 'QUERY' | 'DETAILS' | 'CHECK' | 'OPERATOR';

export interface RefundAttemptRow {
  merchant_id: string;
  mode: Mode;
  refund_id: string;
  id: string;
  rail: string;
  kind: RefundAttemptKind;
  started_at: Date;
  ended_at: Date | null;
  outcome: RefundOutcome | null;
  code: string | null;
  reason: string | null;
  message: string | null;
  provider_refund_id: string | null;
  /** JSON text. */
  reported: string | null;
}

/** SHA-256, hex, over a whole row of evidence. `begun` has the columns of the call, `said` those of its answer. */
export const refundAttemptDigest = (begun: string, said: string = begun): string =>
  `encode(sha256(convert_to(json_build_array(
     ${begun}.merchant_id, ${begun}.mode, ${begun}.refund_id, ${begun}.id, ${begun}.rail, ${begun}.kind,
     extract(epoch from ${begun}.started_at), extract(epoch from ${said}.ended_at), ${said}.outcome, ${said}.code,
     ${said}.reason, ${said}.message, ${said}.provider_refund_id, ${said}.reported::text)::text, 'UTF8')), 'hex')`;

export const insertRefundAttempts = setStatement<RefundAttemptRow>(
  'insert-refund-attempts',
  {
    merchant_id: 'uuid',
    mode: 'text',
    refund_id: 'uuid',
    id: 'uuid',
    rail: 'text',
    kind: 'text',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
    outcome: 'text',
    code: 'text',
    reason: 'text',
    message: 'text',
    provider_refund_id: 'text',
    reported: 'json',
  },
  `insert into refund_attempts (merchant_id, mode, refund_id, id, rail, kind, started_at, ended_at, outcome, code, reason,
     message, provider_refund_id, reported, digest)
   select rows.*, ${refundAttemptDigest('rows')} from :rows`,
);

/** The answer to a call. It is also kept where its worker was considered dead. */
export const updateRefundAttemptsEnded = setStatement<
  Omit<RefundAttemptRow, 'rail' | 'kind' | 'started_at' | 'ended_at' | 'outcome'> & { ended_at: Date; outcome: string }
>(
  'update-refund-attempts-ended',
  {
    merchant_id: 'uuid',
    mode: 'text',
    refund_id: 'uuid',
    id: 'uuid',
    ended_at: 'timestamptz',
    outcome: 'text',
    code: 'text',
    reason: 'text',
    message: 'text',
    provider_refund_id: 'text',
    reported: 'json',
  },
  `with said as materialized (
     select rows.*, ${refundAttemptDigest('b', 'rows')} as digest
       from :rows
       join refund_attempts b
         on b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.refund_id = rows.refund_id and b.id = rows.id
   )
   update refund_attempts a
      set ended_at = said.ended_at, outcome = said.outcome, code = said.code, reason = said.reason, message = said.message,
          provider_refund_id = said.provider_refund_id, reported = said.reported, digest = said.digest
     from said
    where a.merchant_id = said.merchant_id and a.mode = said.mode and a.refund_id = said.refund_id and a.id = said.id`,
);

export const listRefundAttempts = statement<RefundAttemptRow>(
  'list-refund-attempts',
  `select merchant_id, mode, refund_id, id, rail, kind, started_at, ended_at, outcome, code, reason, message,
          provider_refund_id, reported
     from refund_attempts where merchant_id = $1 and mode = $2 and refund_id = $3 order by id limit 500`,
);

interface RefundKeyRow {
  rail: string;
  key: string;
  merchant_id: string;
  mode: Mode;
  refund_id: string;
}

/** The keys that a webhook may name, once each. */
export const insertRefundKeys = setStatement<RefundKeyRow>(
  'insert-refund-keys',
  { rail: 'text', key: 'text', merchant_id: 'uuid', mode: 'text', refund_id: 'uuid' },
  `insert into refund_keys (rail, key, merchant_id, mode, refund_id)
   select distinct rows.* from :rows
   on conflict do nothing`,
);

export const listRefundsOfKeys = statement<{ merchant_id: string; mode: Mode; refund_id: string }>(
  'list-refunds-of-keys',
  'select distinct merchant_id, mode, refund_id from refund_keys where rail = $1 and key = any($2::text[]) limit 100',
);

/**
 * The refunds that a provider's settlement may mean, of one provider account: `is_named` where the line names the
 * refund itself, and not its payment.
 */
export const listRefundsOfDeduction = statement<RefundRow & { is_named: boolean }>(
  'list-refunds-of-deduction',
  `select ${REFUND}, bool_or(k.key = replace(r.id::text, '-', '') or k.key is not distinct from r.provider_refund_id) as is_named
     from refund_keys k
     join refunds r on r.merchant_id = k.merchant_id and r.mode = k.mode and r.id = k.refund_id
    where k.rail = $1 and k.key = any($2::text[]) and k.mode = $3 and r.way = 'PROVIDER'
    group by r.merchant_id, r.mode, r.id
    order by r.id limit 200`,
);
