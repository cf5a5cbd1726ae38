import { closeDigest } from '../daily-close/index.ts';
import { type Check, check, NOBODY } from './queries.ts';

/** What moved in each kind of account, by the day in Lagos. */
const BY_DAY = `select t.mode, (t.created_at at time zone 'Africa/Lagos')::date as day, a.kind,
              sum(case when a.id = t.debit_account_id then t.amount_minor else 0 end) as debits,
              sum(case when a.id = t.credit_account_id then t.amount_minor else 0 end) as credits
         from transfers t
         join accounts a on a.merchant_id = t.merchant_id and a.id in (t.debit_account_id, t.credit_account_id)
        where t.kind in ('POSTED', 'POST')
        group by 1, 2, 3`;

const MOVED = `select d.mode, d.day, d.kind, d.debits, d.credits,
              sum(d.credits - d.debits) over (partition by d.mode, d.kind order by d.day) as closing
         from (${BY_DAY}) d`;

const wrongFigures = check(
  'signed-days-are-what-the-ledger-says',
  'Every day that was signed and counts has for every kind of account the opening, debits, credits and closing of the ledger, and its postings come to them.',
  `with moved as materialized (${MOVED})
   select ${NOBODY} as merchant_id, c.mode,
          format('%s, version %s: %s from %s by %s and %s to %s; the ledger says %s and %s to %s', c.day, c.version, k.kind, k.opening,
                 k.debits, k.credits, k.closing, coalesce(m.debits, 0), coalesce(m.credits, 0), coalesce(b.closing, 0)) as detail
     from daily_closes c
    cross join lateral json_to_recordset(c.figures::json -> 'kinds')
            as k (kind text, opening numeric, debits numeric, credits numeric, closing numeric)
     left join moved m on m.mode = c.mode and m.day = c.day and m.kind = k.kind
     left join lateral (
       select x.closing from moved x
        where x.mode = c.mode and x.kind = k.kind and x.day <= c.day
        order by x.day desc limit 1
     ) b on true
    where c.reopened_at is null
      and (k.debits = coalesce(m.debits, 0) and k.credits = coalesce(m.credits, 0)
           and k.closing = coalesce(b.closing, 0) and k.opening = k.closing + k.debits - k.credits) is not true
   union all
   select ${NOBODY}, c.mode, format('%s, version %s: its postings come to other sums than its accounts', c.day, c.version)
     from daily_closes c
    cross join lateral (
      select coalesce(sum(k.debits), 0) as debits, coalesce(sum(k.credits), 0) as credits
        from json_to_recordset(c.figures::json -> 'kinds') as k (debits numeric, credits numeric)
    ) k
    cross join lateral (
      select coalesce(sum(p.amount), 0) as amount
        from json_to_recordset(c.figures::json -> 'postings') as p (amount numeric)
    ) p
    where (k.debits = p.amount and k.credits = p.amount) is not true`,
);

const alteredCloses = check(
  'signed-days-are-unaltered',
  'Every close of a day is what was signed, by one of the operator’s people, and a second time by another; and its versions follow one another.',
  `select ${NOBODY} as merchant_id, c.mode,
          format('%s, version %s, signed by %s%s', c.day, c.version, c.signed_name,
                 case when c.digest = ${closeDigest('c')} then '' else ', altered since' end) as detail
     from daily_closes c
     left join people s on s.id = c.signed_by and s.kind = 'OPERATOR'
     left join people x on x.id = c.second_by and x.kind = 'OPERATOR'
     left join people r on r.id = c.reopened_by and r.kind = 'OPERATOR'
     left join daily_closes b on b.mode = c.mode and b.day = c.day and b.version = c.version - 1
    where (c.digest = ${closeDigest('c')}
           and c.figures_digest = encode(sha256(convert_to(c.figures, 'UTF8')), 'hex')
           and c.figures::json ->> 'mode' = c.mode and c.figures::json ->> 'day' = c.day::text
           and s.email = c.signed_name
           and case when c.second_by is null then true else x.email = c.second_name and c.second_by <> c.signed_by end
           and case when c.reopened_by is null then true else r.email = c.reopened_name end
           and case when c.version = 1 then true else b.reopened_at <= c.signed_at end) is not true`,
);

export const dailyCloseChecks: readonly Check[] = [wrongFigures, alteredCloses];
