import { statement } from '../platform/db/statement.ts';
import { OLDEST_ON_THEIR_WAY } from '../transactions/index.ts';

/** More are shown as "1,000 or more". */
export const MAX_NEEDS = 1_000;

export interface NeedsRow {
  failed_payouts: number;
  returned_payouts: number;
  partly_paid_batches: number;
  batches_to_correct: number;
  batches_ready: number;
  /** Ready again, because their approval was rejected. */
  batches_rejected: number;
  /** Of the one batch that is counted; null for none or several. */
  only_partly_paid: string | null;
  only_to_correct: string | null;
  only_ready: string | null;
  only_rejected: string | null;
  /** Of the last rejection. */
  rejected_by: string | null;
  rejected_at: Date | null;
  rejected_note: string | null;
  unknown_outcomes: number;
  unknown_since: Date | null;
  refunds_needing_details: number;
  failed_refunds: number;
  disputes_to_answer: number;
  /** Of the first that is due; null where no provider says. */
  dispute_due_at: Date | null;
  only_dispute: string | null;
  refused_refunds: number;
  old_keys: number;
  webhook_status: string | null;
  webhook_failures: number | null;
}

const payoutsWith = (status: string): string =>
  `(select count(*)::int from (
      select 1 from transactions
       where merchant_id = $1 and mode = $2 and status = '${status}' and created_at >= $3 limit ${MAX_NEEDS}) found)`;

/** `kept`: those that count. */
const refundsWith = (status: string, kept = 'true'): string =>
  `(select count(*)::int from (
      select 1 from refunds
       where merchant_id = $1 and mode = $2 and status = '${status}' and status in ('NEEDS_DETAILS', 'FAILED')
         and ${kept} limit ${MAX_NEEDS}) found)`;

const waitingWith = (status: string, kept = 'true'): string =>
  `select id from batches where merchant_id = $1 and mode = $2 and status = '${status}'
      and status in ('VALIDATING', 'NEEDS_FIX', 'READY') and ${kept} limit ${MAX_NEEDS}`;

const only = (from: string): string => `(select case when count(*) = 1 then min(id::text) end from ${from})`;
const count = (from: string): string => `(select count(*)::int from ${from})`;

/**
 * Everything that may need somebody of a merchant, as counts of one moment: each by an index and bounded.
 * $3 since when payouts and failed and refused refunds count, $4 the first id of batches that count, $5 since when a key is too old, $6 now.
 */
export const countNeeds = statement<NeedsRow>(
  'count-merchant-needs',
  `with partly_paid as (
     select b.id from batches b
      where b.merchant_id = $1 and b.mode = $2 and b.id >= $4 and b.status = 'PARTIALLY_COMPLETED'
        -- Those that are in a new list are no longer to be seen to.
        and b.failed_items + b.reversed_items > (
          select coalesce(sum(case when r.dispatched_at is null then r.item_count else r.valid_items end), 0)
            from batches r
           where r.merchant_id = $1 and r.mode = $2 and r.origin_batch_id = b.id
             and r.status not in ('CANCELLED', 'EXPIRED'))
      limit ${MAX_NEEDS}
   ), to_correct as (${waitingWith('NEEDS_FIX')}),
   ready as (${waitingWith('READY', "reason is distinct from 'APPROVAL_REJECTED'")}),
   rejected as (${waitingWith('READY', "reason = 'APPROVAL_REJECTED'")}), unknown as (
     select created_at from ${OLDEST_ON_THEIR_WAY}
      where reason = 'OUTCOME_UNKNOWN' limit ${MAX_NEEDS}
   ), to_answer as (
     select id, due_at from disputes
      where merchant_id = $1 and mode = $2 and ended_at is null and status = 'OPEN'
        and (answer_status is null or answer_status = 'REFUSED') and (due_at is null or due_at > $6)
      order by due_at limit ${MAX_NEEDS}
   )
   select ${payoutsWith('FAILED')} as failed_payouts, ${payoutsWith('REVERSED')} as returned_payouts,
          ${count('partly_paid')} as partly_paid_batches, ${count('to_correct')} as batches_to_correct,
          ${count('ready')} as batches_ready, ${only('partly_paid')} as only_partly_paid,
          ${only('to_correct')} as only_to_correct, ${only('ready')} as only_ready,
          ${count('rejected')} as batches_rejected, ${only('rejected')} as only_rejected,
          rejection.person_name as rejected_by, rejection.decided_at as rejected_at, rejection.note as rejected_note,
          ${count('unknown')} as unknown_outcomes, (select min(created_at) from unknown) as unknown_since,
          ${refundsWith('NEEDS_DETAILS')} as refunds_needing_details,
          ${refundsWith('FAILED', 'updated_at >= $3')} as failed_refunds,
          ${count('to_answer')} as disputes_to_answer, (select min(due_at) from to_answer) as dispute_due_at,
          ${only('to_answer')} as only_dispute,
          (select count(*)::int from (
            select 1 from payments_to_refund
             where merchant_id = $1 and mode = $2 and status = 'REFUSED' and updated_at >= $3 limit ${MAX_NEEDS}) found)
            as refused_refunds,
          (select count(*)::int from api_keys
            where merchant_id = $1 and mode = $2 and revoked_at is null and created_at < $5
              and (expires_at is null or expires_at > $6)) as old_keys,
          endpoint.status as webhook_status, endpoint.failures_in_a_row as webhook_failures
     from (values (1)) one (row)
     left join lateral (
       select e.status, e.failures_in_a_row from webhook_endpoints e
        where e.merchant_id = $1 and e.mode = $2 and e.url <> '' limit 1
     ) endpoint on true
     left join lateral (
       select d.person_name, d.decided_at, d.note from rejected r
        cross join lateral (
          select a.id from approvals a
           where a.merchant_id = $1 and a.mode = $2 and a.subject_id = r.id
           order by a.id desc limit 1
        ) a
        cross join lateral (
          select v.person_name, v.decided_at, v.note from approval_decisions v
           where v.merchant_id = $1 and v.mode = $2 and v.approval_id = a.id and v.decision = 'REJECT'
          offset 0
        ) d
        order by d.decided_at desc limit 1
     ) rejection on true`,
);

/** How many people a merchant has, and whether a live payout ever reached its account. */
export const findSetUp = statement<{ people: number; has_paid: boolean }>(
  'find-merchant-set-up',
  `select (select count(*)::int from (
             select 1 from people where merchant_id = $1 and disabled_at is null limit 2) found) as people,
          exists (select 1 from (
            select status from transactions
             where merchant_id = $1 and mode = 'LIVE' and category = 'PAYOUT' and category <> 'STORE_TO_MERCHANT'
             order by created_at desc, id desc limit 1000) payouts
            where payouts.status = 'SUCCESS') as has_paid`,
);
