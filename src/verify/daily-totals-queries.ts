import { OWN_CODES, WALLET_KINDS } from '../ledger/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

const SUMS = [
  'credits_minor',
  'debits_minor',
  'own_credits_minor',
  'own_debits_minor',
  'charges_minor',
  'returned_charges_minor',
];

const shown = (of: string) => SUMS.map((name) => `${of}.${name}`).join(', ');
const unequal = (one: string, other: string) =>
  SUMS.map((name) => `${one}.${name} is distinct from ${other}.${name}`).join(' or ');

/** What moved, from the side of one account; `day` and `through_sequence` are those of a row of `daily_totals` alone. */
const side = (own: 'debit' | 'credit', other: 'debit' | 'credit') =>
  `select t.merchant_id, t.mode, t.${own}_account_id as wallet_id, t.${own}_sequence as sequence, null::date as day, t.created_at,
          '${own}'::text as direction, case when t.kind in ('POSTED', 'POST') then t.amount_minor else 0 end as amount_minor,
          t.code in ${OWN_CODES} as is_own, o.kind in ('FEE_INCOME', 'TAX_PAYABLE') as is_charge
     from transfers t
     left join accounts o on o.merchant_id = t.merchant_id and o.id = t.${other}_account_id`;

const sumOf = (name: string, condition: string) =>
  `coalesce(sum(amount_minor) filter (where ${condition}), 0) as ${name}`;

/** A transfer is counted by the first day of its account that goes so far. */
const COUNTED = `select merchant_id, mode, wallet_id, counted_on, max(sequence) as through_sequence,
          min(created_at at time zone 'Africa/Lagos')::date as first_day, max(created_at at time zone 'Africa/Lagos')::date as last_day,
          ${sumOf('credits_minor', `direction = 'credit'`)}, ${sumOf('debits_minor', `direction = 'debit'`)},
          ${sumOf('own_credits_minor', `direction = 'credit' and is_own`)},
          ${sumOf('own_debits_minor', `direction = 'debit' and is_own`)},
          ${sumOf('charges_minor', `direction = 'debit' and is_charge`)},
          ${sumOf('returned_charges_minor', `direction = 'credit' and is_charge`)}
     from (
       select s.*, min(day) over (partition by merchant_id, mode, wallet_id order by sequence desc, day nulls last
                                  rows unbounded preceding) as counted_on
         from (
           ${side('debit', 'credit')}
           union all
           ${side('credit', 'debit')}
           union all
           select merchant_id, mode, wallet_id, through_sequence, day, null, null, 0, false, false from daily_totals
         ) s
     ) marked
    where counted_on is not null and day is null
    group by merchant_id, mode, wallet_id, counted_on`;

const wrongDays = check(
  'daily-totals-are-their-transfers',
  'Every day of a wallet that was added up comes to its transfers, as far as it goes, and they are of that day.',
  `select d.merchant_id, d.mode,
          format('wallet %s on %s, up to %s: %s; its transfers, up to %s: %s', d.wallet_id, d.day, d.through_sequence,
                 concat_ws(', ', ${shown('d')}), coalesce(c.through_sequence, 0), concat_ws(', ', ${shown('c')})) as detail
     from daily_totals d
     left join (${COUNTED}) c
       on ${sameTenant('c', 'd')} and c.wallet_id = d.wallet_id and c.counted_on = d.day
    where c.through_sequence is distinct from d.through_sequence or ${unequal('d', 'c')}
       or c.first_day > d.day or c.last_day < d.day
   union all
   select d.merchant_id, d.mode, format('wallet %s on %s is no wallet of this merchant in this mode', d.wallet_id, d.day)
     from daily_totals d
     left join accounts a on ${sameTenant('a', 'd')} and a.id = d.wallet_id and a.kind in ${WALLET_KINDS}
    where a.id is null`,
);

const wrongMerchantDays = check(
  'merchant-totals-are-those-of-its-wallets',
  'Every day of a merchant that was added up comes to the same day of all its wallets.',
  `select coalesce(m.merchant_id, w.merchant_id) as merchant_id, coalesce(m.mode, w.mode) as mode,
          format('%s: %s; its wallets: %s', coalesce(m.day, w.day), concat_ws(', ', ${shown('m')}),
                 concat_ws(', ', ${shown('w')})) as detail
     from merchant_daily_totals m
     full join (
       select merchant_id, mode, day, ${SUMS.map((name) => `sum(${name}) as ${name}`).join(', ')}
         from daily_totals group by merchant_id, mode, day
     ) w on ${sameTenant('w', 'm')} and w.day = m.day
    where ${unequal('m', 'w')}`,
);

const cursorsAhead = check(
  'totals-are-not-ahead-of-their-books',
  'No books were added up beyond their last event.',
  `select c.merchant_id, c.mode, format('added up to event %s of %s', c.event_sequence, coalesce(b.event_sequence, 0)) as detail
     from daily_total_cursors c
     left join books b on ${sameTenant('b', 'c')}
    where c.event_sequence > coalesce(b.event_sequence, 0)`,
);

export const dailyTotalChecks: readonly Check[] = [wrongDays, wrongMerchantDays, cursorsAhead];
