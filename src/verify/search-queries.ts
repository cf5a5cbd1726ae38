import { type Check, check, sameTenant } from './queries.ts';

/** Kinds of documents with the rows that each is made of. */
const MADE_OF: readonly (readonly [kind: string, rows: string])[] = [
  ['PAYOUT', 'select merchant_id, mode, id from payouts'],
  ['PAYOUT_SESSION', 'select merchant_id, mode, id from payouts where session_id is not null'],
  [
    'TRANSACTION',
    `select merchant_id, mode, id from transactions where category not in ('STORE_TO_MERCHANT', 'PAYOUT', 'COLLECTION')`,
  ],
  ['PAYMENT', 'select merchant_id, mode, id from inbound_payments'],
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
