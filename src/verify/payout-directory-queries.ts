import { RAIL_TOTAL } from '../payout-directory/index.ts';
import { type Check, check, NOBODY, sameTenant } from './queries.ts';

/** How far the directory has come in the books of each tenant. */
const CURSORS = `(select c.merchant_id, c.mode, c.event_sequence, c.event_sequence = b.event_sequence as is_at_end
       from event_cursors c
       join books b on ${sameTenant('b', 'c')}
      where c.reader = 'payout-directory')`;

const wrongEntries = check(
  'payout-directory-has-the-payouts',
  'Where every event was read, the directory has every payout as it is, and it never has one that is not there.',
  `select coalesce(d.merchant_id, p.merchant_id) as merchant_id, coalesce(d.mode, p.mode) as mode,
          format('payout %s: %s in the directory, %s', coalesce(d.payout_id, p.id),
                 concat_ws(', ', coalesce(d.status, 'nothing'), d.amount_minor, d.account_number),
                 concat_ws(', ', coalesce(t.status, 'nothing'), t.amount_minor, t.beneficiary_account_number)) as detail
     from payout_directory d
     full join payouts p on ${sameTenant('p', 'd')} and p.id = d.payout_id
     left join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join ${CURSORS} c on c.merchant_id = coalesce(d.merchant_id, p.merchant_id) and c.mode = coalesce(d.mode, p.mode)
    where (d.payout_id is not null and (t.id is null or d.amount_minor <> t.amount_minor
                                        or d.account_number <> t.beneficiary_account_number))
       or (c.is_at_end and d.status is distinct from t.status)`,
);

const KEY = ['day', 'mode', 'rail', 'outcome', 'duration_step'];

const wrongTotals = check(
  'rail-totals-are-their-events',
  'What each rail ended by day comes to the events that were read, each once.',
  `select ${NOBODY} as merchant_id, coalesce(r.mode, x.mode) as mode,
          format('%s, %s: %s payouts, %s; by the events %s, %s', concat_ws(' ', ${KEY.map((name) => `coalesce(r.${name}, x.${name})`).join(', ')}),
                 'as counted', coalesce(r.payouts, 0), coalesce(r.amount_minor, 0), coalesce(x.payouts, 0),
                 coalesce(x.amount_minor, 0)) as detail
     from rail_daily_totals r
     full join (
       select ${RAIL_TOTAL.day} as day, p.mode, p.rail, ${RAIL_TOTAL.outcome} as outcome,
              ${RAIL_TOTAL.durationStep} as duration_step, count(*) as payouts, sum(t.amount_minor)::bigint as amount_minor
         from (
           select v.merchant_id, v.mode, v.subject_id, v.type, v.created_at as at
             from events v
             join ${CURSORS} c on ${sameTenant('c', 'v')} and v.sequence <= c.event_sequence
            where v.type in ('payout.succeeded', 'payout.failed', 'payout.reversed')
         ) e
         join payouts p on ${sameTenant('p', 'e')} and p.id = e.subject_id
         join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
        where ${RAIL_TOTAL.condition}
        group by 1, 2, 3, 4, 5
     ) x on ${KEY.map((name) => `x.${name} = r.${name}`).join(' and ')}
    where r.payouts is distinct from x.payouts or r.amount_minor is distinct from x.amount_minor`,
);

const cursorsAhead = check(
  'event-readers-are-not-ahead-of-the-books',
  'Nobody has read beyond the last event of any books.',
  `select c.merchant_id, c.mode, format('%s read to event %s of %s', c.reader, c.event_sequence, coalesce(b.event_sequence, 0)) as detail
     from event_cursors c
     left join books b on ${sameTenant('b', 'c')}
    where c.event_sequence > coalesce(b.event_sequence, 0)`,
);

export const payoutDirectoryChecks: readonly Check[] = [wrongEntries, wrongTotals, cursorsAhead];
