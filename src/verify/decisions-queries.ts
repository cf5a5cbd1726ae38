import { sameTenant } from './queries.ts';

/** What the evidence says that the operator decided, by the proposal that two people made of it. */
const DECIDED_AS = `o.source || ': ' || o.note`;

interface Decided {
  /** The tables of the proposals, of what they are about, and of its evidence. */
  proposals: string;
  subjects: string;
  attempts: string;
  machine: string;
  subject: 'payout' | 'refund';
}

/** What of proposals, their steps and the evidence does not come to decisions that one person proposed and another confirmed. */
export function decidedByTwo(of: Decided): string {
  const key = `${of.subject}_id`;
  return `select o.merchant_id, o.mode,
          format('proposal %s (%s, %s of ${of.subject} %s): proposed by %s, decided by %s', o.id, o.status, o.outcome, o.${key},
                 coalesce(a.email, 'nobody'), coalesce(b.email, 'nobody')) as detail
     from ${of.proposals} o
     left join people a on a.id = o.proposed_by and a.kind = 'OPERATOR'
     left join people b on b.id = o.decided_by and b.kind = 'OPERATOR'
     left join ${of.subjects} p on ${sameTenant('p', 'o')} and p.id = o.${key}
     left join state_changes s
       on ${sameTenant('s', 'o')} and s.subject = '${of.machine}' and s.subject_id = o.id
    where p.id is null or a.id is null or (s.to_state, s.created_at) <> (o.status, o.updated_at)
       or (case o.status when 'PENDING' then num_nonnulls(o.decided_by, o.decided_at, o.reason) = 0 and o.updated_at = o.proposed_at
                         when 'CONFIRMED' then a.id <> b.id and o.reason is null
                                               and abs(extract(epoch from o.updated_at - o.decided_at)) < 60
                         when 'REJECTED' then b.id is not null and o.reason is not null and o.updated_at = o.decided_at
                         when 'STALE' then o.decided_by is null and o.reason = 'OVERTAKEN' and o.updated_at = o.decided_at
          end and coalesce(o.decided_at, o.proposed_at) >= o.proposed_at - interval '1 minute') is not true
   union all
   select s.merchant_id, s.mode, format('proposal %s took a step to %s, and there is none', s.subject_id, s.to_state)
     from state_changes s
     left join ${of.proposals} o on ${sameTenant('o', 's')} and o.id = s.subject_id
    where s.subject = '${of.machine}' and o.id is null
   union all
   select coalesce(o.merchant_id, w.merchant_id), coalesce(o.mode, w.mode),
          format('${of.subject} %s: decided %s times as %s (%s), proposed %s times and confirmed %s times', coalesce(o.${key}, w.${key}),
                 coalesce(w.decisions, 0), coalesce(w.outcome, o.outcome), coalesce(w.message, o.message), coalesce(o.proposed, 0),
                 coalesce(o.confirmed, 0))
     from (
       select merchant_id, mode, ${key}, upper(outcome) as outcome, message, count(*) as decisions, max(ended_at) as last_at
         from ${of.attempts}
        where kind = 'OPERATOR'
        group by 1, 2, 3, 4, 5
     ) w
     full join (
       select merchant_id, mode, ${key}, outcome, ${DECIDED_AS} as message, count(*) as proposed,
              count(*) filter (where status = 'CONFIRMED') as confirmed, max(decided_at) filter (where status = 'CONFIRMED') as last_at
         from ${of.proposals} o
        group by 1, 2, 3, 4, 5
     ) o on ${sameTenant('o', 'w')} and o.${key} = w.${key} and o.outcome = w.outcome and o.message = w.message
    -- What was decided is written down first, and what was decided and changes nothing any more may stay unconfirmed.
    where coalesce(w.decisions, 0) < o.confirmed or w.decisions > coalesce(o.proposed, 0)
       or abs(extract(epoch from o.last_at - w.last_at)) > 60`;
}
