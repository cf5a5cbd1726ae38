import type { OperatorReason, PayoutStep, SealedAttempt } from '../payouts/index.ts';
import { movedBack, type SetStatement, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

interface PayoutKey {
  merchant_id: string;
  mode: Mode;
  id: string;
}
const payoutKey = { merchant_id: 'uuid', mode: 'text', id: 'uuid' } as const;
const THIS_PAYOUT = 'p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id';

export interface PayoutLease extends PayoutKey {
  lease_id: string;
  due_at: Date;
  next_step: PayoutStep;
  attempts: number;
  first_sent_at: Date | null;
  sent_at: Date | null;
}

/**
 * A payout that was under review and is not held any more is no longer before the operator; for any other reason it stays
 * there.
 */
const GOES_ON = (column: string) =>
  `case when rows.ends_review and p.operator_reason = 'UNDER_REVIEW' then null else p.${column} end`;

export const updatePayoutsLeased = setStatement<PayoutLease & { ends_review: boolean }>(
  'update-payouts-leased',
  {
    ...payoutKey,
    lease_id: 'uuid',
    due_at: 'timestamptz',
    next_step: 'text',
    attempts: 'integer',
    first_sent_at: 'timestamptz',
    sent_at: 'timestamptz',
    ends_review: 'boolean',
  },
  `update payouts p
      set lease_id = rows.lease_id, due_at = rows.due_at, next_step = rows.next_step, attempts = rows.attempts,
          first_sent_at = rows.first_sent_at, sent_at = rows.sent_at,
          operator_reason = ${GOES_ON('operator_reason')}, operator_since = ${GOES_ON('operator_since')}
     from :rows
    where ${THIS_PAYOUT}`,
);

/**
 * Since when a payout is before the operator, where it was not before. That nobody says what became of it is graver than
 * that it is held.
 */
const OPERATOR_SINCE = `operator_reason = case when p.operator_reason = 'UNDER_REVIEW' then coalesce(rows.operator_reason, p.operator_reason)
                                 else coalesce(p.operator_reason, rows.operator_reason) end,
          operator_since = case when rows.operator_reason is null then p.operator_since
                                else coalesce(p.operator_since, greatest(rows.at, p.first_sent_at)) end`;

/** Makes due payouts that nobody has leased due later. Without a step the next one is what it was. */
export const updatePayoutsPutOff = setStatement<
  PayoutKey & { due_at: Date; next_step: PayoutStep | null; operator_reason: OperatorReason | null; at: Date }
>(
  'update-payouts-put-off',
  { ...payoutKey, due_at: 'timestamptz', next_step: 'text', operator_reason: 'text', at: 'timestamptz' },
  `update payouts p set due_at = rows.due_at, next_step = coalesce(rows.next_step, p.next_step), ${OPERATOR_SINCE}
     from :rows
    where ${THIS_PAYOUT} and p.due_at <= rows.at`,
);

/**
 * Renews leases that are still held. A payout that a movement has locked is being concluded and needs no renewal;
 * waiting for it could deadlock two transactions.
 */
export const updatePayoutLeasesRenewed = setStatement<
  PayoutKey & { lease_id: string; due_at: Date; sent_at: Date | null }
>(
  'update-payout-leases-renewed',
  { ...payoutKey, lease_id: 'uuid', due_at: 'timestamptz', sent_at: 'timestamptz' },
  `with held as (
     select p.merchant_id, p.mode, p.id, rows.due_at, rows.sent_at
       from payouts p
       join :rows on ${THIS_PAYOUT} and p.lease_id = rows.lease_id
        for update of p skip locked
   )
   update payouts p
      set due_at = held.due_at, sent_at = coalesce(held.sent_at, p.sent_at)
     from held
    where p.merchant_id = held.merchant_id and p.mode = held.mode and p.id = held.id
   returning p.id`,
) as ReturningStatement<{ id: string }>;

/** A set-based statement that returns rows: `Queries.query` runs it with `columnArrays`. */
type ReturningStatement<Row> = SetStatement<never> & { readonly row?: Row };

/** Releases a payout with a new date, unless its lease went to another worker, or it has ended. */
export const updatePayoutLeasesReleased = setStatement<
  PayoutKey & {
    lease_id: string;
    rail: string;
    due_at: Date;
    next_step: PayoutStep;
    first_sent_at: Date | null;
    sent_at: Date | null;
    operator_reason: OperatorReason | null;
    at: Date;
  }
>(
  'update-payout-leases-released',
  {
    ...payoutKey,
    lease_id: 'uuid',
    rail: 'text',
    due_at: 'timestamptz',
    next_step: 'text',
    first_sent_at: 'timestamptz',
    sent_at: 'timestamptz',
    operator_reason: 'text',
    at: 'timestamptz',
  },
  `update payouts p
      set lease_id = null, rail = rows.rail, due_at = rows.due_at, next_step = rows.next_step,
          first_sent_at = rows.first_sent_at, sent_at = rows.sent_at, ${OPERATOR_SINCE}
     from :rows
    where ${THIS_PAYOUT} and p.lease_id = rows.lease_id`,
);

/**
 * Fails over from a rail that refused to another, once. The new rail is asked as if from the start. Not where an answer
 * was about another transfer. A worker that has the payout in hand loses it: its call is to a rail that no longer has
 * the payout.
 */
export const updatePayoutFailedOver = statement<{ id: string }>(
  'update-payout-handed-over',
  `update payouts
      set rail = $5, refused_by = $4, next_step = 'SEND', due_at = $6, attempts = 0, sent_at = null, lease_id = null
    where merchant_id = $1 and mode = $2 and id = $3
      and rail = $4 and refused_by is null and ended_by is null and next_step <> 'FIRE' and num_nonnulls(due_at) = 1
      and operator_reason is distinct from 'RAIL_ANSWER_MISMATCH'
    returning id`,
);

/** What an end answers: what became of it, and whether it may leave. */
const IS_ANSWERED = `(rows.by_operator or p.operator_reason in ('UNKNOWN_TOO_LONG', 'UNDER_REVIEW'))`;

/**
 * A rail's response ended it, or changed its end; the last response is kept. The check on `ended_by` refuses that of a
 * rail that has lost the payout. A payout with contradictory responses stays before the operator until the operator has
 * decided.
 */
export const updatePayoutsEnded = setStatement<
  PayoutKey & { session_id: string | null; rail_code: string | null; ended_by: string; by_operator: boolean }
>(
  'update-payouts-ended',
  { ...payoutKey, session_id: 'text', rail_code: 'text', ended_by: 'text', by_operator: 'boolean' },
  `update payouts p
      set due_at = null, lease_id = null, ended_by = rows.ended_by,
          session_id = coalesce(rows.session_id, p.session_id), rail_code = coalesce(rows.rail_code, p.rail_code),
          operator_reason = case when ${IS_ANSWERED} then null else p.operator_reason end,
          operator_since = case when ${IS_ANSWERED} then null else p.operator_since end
     from :rows
    where ${THIS_PAYOUT}`,
);

/** What answers about this payout with this reason reported. */
export const listDisbelieved = statement<{ reported: string | null }>(
  'list-disbelieved-attempts',
  `select distinct reported from payout_attempts
    where merchant_id = $1 and mode = $2 and payout_id = $3 and reason = $4`,
);

/** The operator has looked into it and changed nothing. */
export const updatePayoutLookedInto = statement(
  'update-payout-looked-into',
  `update payouts set operator_reason = null, operator_since = null
    where merchant_id = $1 and mode = $2 and id = $3 and operator_reason is not null`,
);

/** The answer to a call. It is also kept where its worker was considered dead. */
export const updateAttemptsEnded = setStatement<
  Pick<SealedAttempt, 'merchant_id' | 'mode' | 'payout_id' | 'id' | 'code' | 'reason' | 'message' | 'session_id'> &
    Pick<SealedAttempt, 'reported' | 'digest'> & { ended_at: Date; outcome: string }
>(
  'update-payout-attempts-ended',
  {
    merchant_id: 'uuid',
    mode: 'text',
    payout_id: 'uuid',
    id: 'uuid',
    ended_at: 'timestamptz',
    outcome: 'text',
    code: 'text',
    reason: 'text',
    message: 'text',
    session_id: 'text',
    reported: 'json',
    digest: 'text',
  },
  `update payout_attempts a
      set ended_at = rows.ended_at, outcome = rows.outcome, code = rows.code, reason = rows.reason,
          message = rows.message, session_id = rows.session_id, reported = rows.reported, digest = rows.digest
     from :rows
    where a.merchant_id = rows.merchant_id and a.mode = rows.mode and a.payout_id = rows.payout_id and a.id = rows.id`,
);

interface RailReferenceRow {
  rail: string;
  rail_reference: string;
  merchant_id: string;
  mode: Mode;
  payout_id: string;
}

/** A second send has the reference of the first, and finds it there. */
export const insertRailReferences = setStatement<RailReferenceRow>(
  'insert-rail-references',
  { rail: 'text', rail_reference: 'text', merchant_id: 'uuid', mode: 'text', payout_id: 'uuid' },
  `insert into rail_references (rail, rail_reference, merchant_id, mode, payout_id)
   select * from :rows
   on conflict (rail, rail_reference) do nothing`,
);

export const findRailReference = statement<{ merchant_id: string; mode: Mode; payout_id: string }>(
  'find-rail-reference',
  'select merchant_id, mode, payout_id from rail_references where rail = $1 and rail_reference = $2',
);

/** The given and the answered name of a payout that was an item of a batch. */
export const findItemNames = statement<{
  given_name: string | null;
  match_score: number | null;
  validated_at: Date | null;
}>(
  'find-payout-item-names',
  'select given_name, match_score, validated_at from batch_items where merchant_id = $1 and mode = $2 and id = $3',
);

/** Moves time forward in a sandbox: all that waits for a time waits that much less. Records keep their own times. */
export const updatePayoutsAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-payouts-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update payouts p
      set due_at = ${movedBack('p.due_at', 'advance.seconds')},
          first_sent_at = ${movedBack('p.first_sent_at', 'advance.seconds')},
          sent_at = ${movedBack('p.sent_at', 'advance.seconds')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where p.merchant_id = advance.merchant_id and p.mode = advance.mode and p.due_at is not null
      -- In a worker's hands: what is due is its lease, and that runs in real time.
      and p.lease_id is null`,
);

/**
 * Leases an open payout as a worker would, if none has it: a lease of a worker that was last heard of before `$7` has
 * ended.
 */
export const updatePayoutLeased = statement<{ id: string }>(
  'update-payout-in-hand',
  `update payouts set lease_id = $4, due_at = $5
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $6 and (lease_id is null or due_at <= $7)
    returning id`,
);

/** Releases it unchanged, unless it ended or the lease was lost meanwhile. */
export const updatePayoutReleased = statement(
  'update-payout-let-go',
  `update payouts set lease_id = null, due_at = $5
    where merchant_id = $1 and mode = $2 and id = $3 and lease_id = $4 and due_at is not null`,
);

/** Who asks about one payout at one moment is counted one after the other. */
export const lockPayoutToAsk = statement<{ id: string }>(
  'lock-payout-to-ask',
  'select id from payouts where merchant_id = $1 and mode = $2 and id = $3 for update',
);

/** How often a rail was queried about a payout since $4. Times after $5, of a clock that was ahead, do not count. */
export const countQuestions = statement<{ questions: number }>(
  'count-payout-questions',
  `select count(*)::int as questions from payout_attempts
    where merchant_id = $1 and mode = $2 and payout_id = $3 and kind = 'QUERY' and started_at > $4 and started_at <= $5`,
);
