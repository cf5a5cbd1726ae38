import { ITEM_FINGERPRINT } from '../../batches/index.ts';
import { PROPOSAL_FINGERPRINT } from '../../outcomes/index.ts';
import { type Check, check, SEALED_SINCE } from '../queries.ts';

/** Columns that hold times: as text they depend on who writes it. */
const TIMES = `('created_at', 'scheduled_for', 'first_sent_at', 'sent_at')`;

/** What becomes of a payout once it does not wait any more: others write it, and other checks look at it. */
const CHANGES_LATER = `('rail', 'refused_by', 'next_step', 'attempts', 'first_sent_at', 'sent_at', 'session_id', 'rail_code',
        'charges_minor', 'fee_minor', 'vat_minor', 'stamp_duty_minor', 'amount_hold_id', 'fee_hold_id', 'vat_hold_id',
        'stamp_duty_hold_id', 'counted_on')`;

/**
 * Records that people were asked about, beside what they were asked: column by column, as the approval has it, which the
 * digest covers. Approvals from before that was kept are looked at by their amount and account alone.
 */
const alteredSubjects = check(
  'what-was-approved-is-what-is-there',
  'Every payout, schedule and beneficiary that an approval was asked for is, column by column, what was asked.',
  `select r.merchant_id, r.mode,
          format('%s %s is not what approval %s (%s) was asked for: %s', lower(r.kind), r.subject_id, r.id, r.status,
                 string_agg(c.key, ', ' order by c.key)) as detail
     from (
       select a.merchant_id, a.mode, a.id, a.kind, a.status, a.subject_id, a.payload::jsonb -> 'content' as content,
              to_jsonb(p) || to_jsonb(t) as record, t.status in ('PENDING_APPROVAL', 'SCHEDULED') as waits
         from approvals a
         join transactions t on t.merchant_id = a.merchant_id and t.mode = a.mode and t.id = a.subject_id
         join payouts p on p.merchant_id = a.merchant_id and p.mode = a.mode and p.id = a.subject_id
        where a.kind in ('PAYOUT', 'SCHEDULE')
       union all
       select a.merchant_id, a.mode, a.id, a.kind, a.status, a.subject_id, a.payload::jsonb -> 'content', to_jsonb(b), true
         from approvals a
         join beneficiaries b on b.merchant_id = a.merchant_id and b.mode = a.mode and b.id = a.subject_id
        where a.kind = 'BENEFICIARY'
       offset 0
     ) r
    cross join lateral jsonb_each_text(r.content) c
    where (r.waits or c.key not in ${CHANGES_LATER})
      and case when c.key in ${TIMES} then (r.record ->> c.key)::timestamptz is distinct from c.value::timestamptz
               else (r.record ->> c.key) is distinct from c.value end
    group by r.merchant_id, r.mode, r.id, r.kind, r.status, r.subject_id`,
);

/** Items of batches that are not all opened, each with the chunk that it falls into: the last that begins at or before it. */
const WAITING_ITEMS = `select merchant_id, mode, batch_id, position, item,
              max(chunk) over (partition by merchant_id, mode, batch_id order by position, chunk nulls last
                               rows unbounded preceding) as chunk
         from (
           select i.merchant_id, i.mode, i.batch_id, i.position, ${ITEM_FINGERPRINT} as item, null::int as chunk
             from batch_items i
             join (select distinct merchant_id, mode, batch_id from batch_chunks where due_at is not null) w
               on w.merchant_id = i.merchant_id and w.mode = i.mode and w.batch_id = i.batch_id
            where i.is_valid
            union all
           select merchant_id, mode, batch_id, first_position, null, chunk from batch_chunks
         ) both_kinds`;

/** Chunks that wait to be opened, beside what their items were when they were dispatched. */
const alteredChunks = check(
  'chunks-are-what-was-dispatched',
  'Every chunk that waits to be opened has the items with which it was dispatched.',
  `select c.merchant_id, c.mode, format('chunk %s of batch %s has other items than were dispatched', c.chunk, c.batch_id)
            as detail
     from batch_chunks c
     left join (
       select merchant_id, mode, batch_id, chunk,
              encode(sha256(string_agg(item, ''::bytea order by position)), 'hex') as digest
         from (${WAITING_ITEMS}) placed
        where item is not null
        group by merchant_id, mode, batch_id, chunk
     ) now on now.merchant_id = c.merchant_id and now.mode = c.mode and now.batch_id = c.batch_id and now.chunk = c.chunk
    where c.due_at is not null and c.items_digest is not null and c.items_digest is distinct from now.digest`,
);

/** Outcomes that an operator proposed, beside what was proposed then. */
const alteredProposals = check(
  'proposals-are-what-was-proposed',
  'Every outcome that the operator proposed is what was proposed then.',
  `select o.merchant_id, o.mode,
          format('proposal %s (%s of payout %s, %s) is not what was proposed', o.id, o.outcome, o.payout_id, o.status)
            as detail
     from outcome_proposals o
    where o.digest <> ${PROPOSAL_FINGERPRINT} or (o.digest is null and o.proposed_at > ${SEALED_SINCE})`,
);

export const alteredChecks: readonly Check[] = [alteredSubjects, alteredChunks, alteredProposals];
