import { DISPUTE_PROPOSAL_FINGERPRINT } from '../dispute-proposals/index.ts';
import { LOST_AFTER_WIN } from './disputes-queries.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** What two people said of a dispute, in the words of its evidence. */
const SAID = `select e.merchant_id, e.mode, e.dispute_id, upper(e.state) as action, count(*) as reports, max(e.received_at) as said_at,
              max(x."amountMinor") as amount_minor, max(x.category) as category, max(x.message) as message,
              max(x."dueAt") as due_at
         from dispute_evidence e
        cross join lateral json_to_record(e.reported::json)
                as x ("amountMinor" bigint, category text, message text, "dueAt" timestamptz)
        where e.source = 'OPERATOR'
        group by e.merchant_id, e.mode, e.dispute_id, e.state`;

/** A sandbox's clock brings the day nearer; what was said first stays in the evidence. */
const lonelyDisputes = check(
  'disputes-by-hand-are-decided-by-two',
  'Every dispute that was entered by hand, and every end of one that people know, was proposed by one person and confirmed by another, and is what they said; none that was won is lost without that; and every proposal is what it was when it was made.',
  `select o.merchant_id, o.mode,
          format('proposal %s (%s, %s of dispute %s): proposed by %s, decided by %s; its dispute is %s, and it was said %s times', o.id,
                 o.status, o.action, o.dispute_id, coalesce(a.email, 'nobody'), coalesce(b.email, 'nobody'),
                 coalesce(d.status, 'not there'), coalesce(w.reports, 0)) as detail
     from dispute_proposals o
     left join people a on a.id = o.proposed_by and a.kind = 'OPERATOR'
     left join people b on b.id = o.decided_by and b.kind = 'OPERATOR'
     left join disputes d on ${sameTenant('d', 'o')} and d.id = o.dispute_id
     left join state_changes s
       on ${sameTenant('s', 'o')} and s.subject = 'dispute_proposal' and s.subject_id = o.id
     left join (${SAID}) w on ${sameTenant('w', 'o')} and w.dispute_id = o.dispute_id and w.action = o.action
     -- One that was won may be lost after all, and for less.
     left join (${LOST_AFTER_WIN}) l on ${sameTenant('l', 'o')} and l.subject_id = o.dispute_id and l.won_at = o.updated_at and o.action = 'WON'
    where (a.id is not null and o.digest = ${DISPUTE_PROPOSAL_FINGERPRINT}
           and case o.status
                 when 'PENDING' then num_nonnulls(o.decided_by, o.decided_at, o.reason, s.id) = 0 and o.updated_at = o.proposed_at
                 when 'REJECTED' then b.id is not null and o.reason is not null and o.updated_at = o.decided_at and s.id is null
                                      and o.decided_at >= o.proposed_at - interval '1 minute'
                 when 'CONFIRMED' then
                   a.id <> b.id and o.reason is null and s.to_state = 'CONFIRMED' and s.created_at = o.updated_at
                   and abs(extract(epoch from o.updated_at - o.decided_at)) < 60
                   and o.decided_at >= o.proposed_at - interval '1 minute'
                   and d.payment_id = o.payment_id and d.rail = o.rail and d.provider_dispute_id = o.provider_dispute_id
                   and (d.amount_minor = o.amount_minor or l.subject_id is not null and d.amount_minor < o.amount_minor) and d.category = o.category and d.message is not distinct from o.message
                   and case o.action when 'OPEN' then d.source = 'OPERATOR' and d.opened_at = o.updated_at
                                                      and w.due_at is not distinct from date_trunc('milliseconds', o.due_at)
                                     else l.subject_id is not null or d.status = o.action and d.ended_at = o.updated_at end
                   and w.reports = 1 and w.amount_minor = o.amount_minor and w.category = o.category
                   and w.message is not distinct from o.message and abs(extract(epoch from w.said_at - o.decided_at)) < 60
               end) is not true
   union all
   select s.merchant_id, s.mode, format('proposal %s took a step to %s, and there is none', s.subject_id, s.to_state)
     from state_changes s
     left join dispute_proposals o on ${sameTenant('o', 's')} and o.id = s.subject_id
    where s.subject = 'dispute_proposal' and o.id is null
   union all
   select coalesce(d.merchant_id, w.merchant_id), coalesce(d.mode, w.mode),
          format('dispute %s was said by people to be %s, and %s proposals of that were confirmed', coalesce(d.id, w.dispute_id),
                 coalesce(w.action, 'entered by them'), coalesce(o.confirmed, 0))
     from (select * from disputes where source = 'OPERATOR') d
     full join (${SAID}) w on ${sameTenant('w', 'd')} and w.dispute_id = d.id
     left join (
       select merchant_id, mode, dispute_id, action, count(*) as confirmed
         from dispute_proposals where status = 'CONFIRMED' group by 1, 2, 3, 4
     ) o on o.merchant_id = coalesce(d.merchant_id, w.merchant_id) and o.mode = coalesce(d.mode, w.mode)
          and o.dispute_id = coalesce(d.id, w.dispute_id) and o.action = coalesce(w.action, 'OPEN')
    where o.confirmed is distinct from 1
   union all
   select l.merchant_id, l.mode, format('dispute %s was won, and lost at %s, and no two people said so', l.subject_id, l.lost_at)
     from (${LOST_AFTER_WIN}) l
     left join dispute_proposals o
       on ${sameTenant('o', 'l')} and o.dispute_id = l.subject_id and o.action = 'LOST' and o.status = 'CONFIRMED'
      and o.updated_at = l.lost_at
    where o.id is null`,
);

export const disputeProposalChecks: readonly Check[] = [lonelyDisputes];
