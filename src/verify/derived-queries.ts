import { DISORDER, OWN_CODES, WALLET_KINDS } from '../ledger/index.ts';
import { RAIL_KEY, RAIL_TOTALS_READ } from '../payout-directory/index.ts';
import { type Check, check, NOBODY, sameTenant } from './queries.ts';

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
          min(created_at at time zone 'Africa/Lagos') as first_at, max(created_at at time zone 'Africa/Lagos') as last_at,
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
       or c.first_at < d.day - ${DISORDER} or c.first_at >= d.day + interval '1 day'
       or c.last_at < d.day or c.last_at >= d.day + interval '1 day' + ${DISORDER}
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

const totalsAhead = check(
  'totals-are-not-ahead-of-their-books',
  'No books were added up beyond their last event.',
  `select c.merchant_id, c.mode, format('added up to event %s of %s', c.event_sequence, coalesce(b.event_sequence, 0)) as detail
     from daily_total_cursors c
     left join books b on ${sameTenant('b', 'c')}
    where c.event_sequence > coalesce(b.event_sequence, 0)`,
);

export const dailyTotalChecks: readonly Check[] = [wrongDays, wrongMerchantDays, totalsAhead];

/** How far the directory has come in the books of each tenant. */
const CURSORS = `(select merchant_id, mode, event_sequence from event_cursors where reader = 'payout-directory')`;

/** Payouts with an event that the directory has not read. */
const UNREAD = `(select distinct v.merchant_id, v.mode, v.subject_id
       from events v
       left join ${CURSORS} c on ${sameTenant('c', 'v')}
      where v.sequence > coalesce(c.event_sequence, 0) and starts_with(v.type, 'payout.'))`;

/** Until a payout has ended its own row says which rail has it: it may be another before the next event. */
const wrongEntries = check(
  'payout-directory-has-the-payouts',
  'The directory has every payout whose events it has read, as it is, and none that is not there.',
  `select coalesce(d.merchant_id, p.merchant_id) as merchant_id, coalesce(d.mode, p.mode) as mode,
          format('payout %s: %s in the directory, %s', coalesce(d.payout_id, p.id),
                 concat_ws(', ', coalesce(d.status, 'nothing'), d.amount_minor, d.account_number, d.rail, d.session_id),
                 concat_ws(', ', coalesce(t.status, 'nothing'), t.amount_minor, t.beneficiary_account_number, p.rail,
                           p.session_id)) as detail
     from payout_directory d
     full join payouts p on ${sameTenant('p', 'd')} and p.id = d.payout_id
     left join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join ${CURSORS} c on c.merchant_id = coalesce(d.merchant_id, p.merchant_id) and c.mode = coalesce(d.mode, p.mode)
     left join ${UNREAD} n on ${sameTenant('n', 'p')} and n.subject_id = p.id
    where (d.payout_id is not null and (t.id is null or c.merchant_id is null or d.amount_minor <> t.amount_minor
                                        or d.account_number <> t.beneficiary_account_number))
       or (n.subject_id is null and (d.status is distinct from t.status or d.session_id is distinct from p.session_id
                                     or (t.status not in ('QUEUED', 'PROCESSING') and d.rail is distinct from p.rail)))`,
);

const wrongTotals = check(
  'rail-totals-are-their-events',
  'What each rail ended by day comes to the events that were read, each once.',
  `select ${NOBODY} as merchant_id, coalesce(r.mode, x.mode) as mode,
          format('%s, %s: %s payouts, %s; by the events %s, %s', concat_ws(' ', ${RAIL_KEY.map((name) => `coalesce(r.${name}, x.${name})`).join(', ')}),
                 'as counted', coalesce(r.payouts, 0), coalesce(r.amount_minor, 0), coalesce(x.payouts, 0),
                 coalesce(x.amount_minor, 0)) as detail
     from rail_daily_totals r
     full join (${RAIL_TOTALS_READ}
     ) x on ${RAIL_KEY.map((name) => `x.${name} = r.${name}`).join(' and ')}
    where r.payouts is distinct from x.payouts or r.amount_minor is distinct from x.amount_minor`,
);

const readersAhead = check(
  'event-readers-are-not-ahead-of-the-books',
  'Nobody has read beyond the last event of any books.',
  `select c.merchant_id, c.mode, format('%s read to event %s of %s', c.reader, c.event_sequence, coalesce(b.event_sequence, 0)) as detail
     from event_cursors c
     left join books b on ${sameTenant('b', 'c')}
    where c.event_sequence > coalesce(b.event_sequence, 0)`,
);

export const payoutDirectoryChecks: readonly Check[] = [wrongEntries, wrongTotals, readersAhead];

/** Kinds of documents with the rows that each is made of. */
const MADE_OF: readonly (readonly [kind: string, rows: string])[] = [
  ['PAYOUT', 'select merchant_id, mode, id from payouts'],
  ['PAYOUT_SESSION', 'select merchant_id, mode, id from payouts where session_id is not null'],
  [
    'TRANSACTION',
    `select merchant_id, mode, id from transactions where category not in ('STORE_TO_MERCHANT', 'PAYOUT', 'COLLECTION')`,
  ],
  ['PAYMENT', 'select merchant_id, mode, id from inbound_payments'],
  ['REFUND', 'select merchant_id, mode, id from refunds'],
  ['BATCH', 'select merchant_id, mode, id from batches'],
  ['BENEFICIARY', `select merchant_id, mode, id from beneficiaries where status <> 'REMOVED'`],
  ['CUSTOMER', 'select merchant_id, mode, id from customers'],
  ['STORE', 'select merchant_id, mode, id from stores'],
  ['SUBACCOUNT', 'select merchant_id, mode, id from subaccounts'],
];

const ROWS = MADE_OF.map(([kind, rows]) => `select r.*, '${kind}'::text as kind from (${rows}) r`).join(
  '\n union all ',
);

/** Indexes that are filled and have come to the last event. */
const UP_TO_DATE = `select c.merchant_id, c.mode from search_cursors c
     join books b on ${sameTenant('b', 'c')} and b.event_sequence = c.event_sequence
    where c.filling is null`;

const wrongIndex = check(
  'what-is-searched-is-what-is-there',
  'Whatever is searched has its row in the same tenant; an index that is up to date has every row, and none is ahead of its books.',
  `select coalesce(d.merchant_id, r.merchant_id) as merchant_id, coalesce(d.mode, r.mode) as mode,
          case when d.subject_id is null then format('%s %s is not in the index', r.kind, r.id)
               else format('the index has %s %s, which is not there', d.kind, d.subject_id) end as detail
     from (${ROWS}) r
     full join search_documents d on ${sameTenant('d', 'r')} and d.kind = r.kind and d.subject_id = r.id
     left join (${UP_TO_DATE}) u
       on u.merchant_id = coalesce(d.merchant_id, r.merchant_id) and u.mode = coalesce(d.mode, r.mode)
    where (d.subject_id is null and u.merchant_id is not null)
       or (r.id is null and (u.merchant_id is not null or d.kind not in ('BENEFICIARY')))
   union all
   select c.merchant_id, c.mode, format('indexed up to event %s of %s', c.event_sequence, coalesce(b.event_sequence, 0))
     from search_cursors c
     left join books b on ${sameTenant('b', 'c')}
    where c.event_sequence > coalesce(b.event_sequence, 0)`,
);

export const searchChecks: readonly Check[] = [wrongIndex];
