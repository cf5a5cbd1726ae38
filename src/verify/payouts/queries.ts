import { violationsOf } from '../queries.ts';

/** Unnested in a query of its own, so that the result is joined as a table like any other. */
const holdsOf = (table: string) => `select merchant_id, mode, owner_id, hold_id, code
         from (
           select merchant_id, mode, id as owner_id,
                  unnest(array[amount_hold_id, fee_hold_id, vat_hold_id, stamp_duty_hold_id]) as hold_id,
                  unnest(array['PAYOUT', 'PAYOUT_FEE', 'PAYOUT_VAT', 'PAYOUT_STAMP_DUTY']) as code
             from ${table}
         ) named
        where hold_id is not null`;

/** What the holds that each payout names came to. A hold of another tenant or for another reason is none of its own. */
const HELD_AND_MOVED = `select n.merchant_id, n.mode, n.owner_id as payout_id,
              sum(case t.kind when 'PENDING' then t.amount_minor else -t.amount_minor end) as held_minor,
              count(*) filter (where t.kind = 'POST' and t.code = 'PAYOUT') as debits,
              coalesce(sum(t.amount_minor) filter (where t.kind = 'POST' and t.code = 'PAYOUT'), 0) as debited_minor,
              coalesce(sum(t.amount_minor) filter (where t.kind = 'POST' and t.code <> 'PAYOUT'), 0) as charged_minor,
              min(t.debit_account_id::text) as payer, max(t.debit_account_id::text) as last_payer
         from (${holdsOf('payouts')}) n
         join transfers t
           on t.merchant_id = n.merchant_id and t.mode = n.mode and t.code = n.code
          and coalesce(t.pending_id, t.id) = n.hold_id and t.kind <> 'POSTED'
        group by n.merchant_id, n.mode, n.owner_id`;

export const findPayoutsNotHeld = violationsOf(
  'open-payouts-are-held',
  `select x.merchant_id, x.mode,
          format('payout %s (%s): amount %s and charges %s, held %s', x.id, x.status, x.amount_minor, x.charges_minor,
                 coalesce(h.held_minor, 0)) as detail
     from transactions x
     left join (${HELD_AND_MOVED}) h on h.merchant_id = x.merchant_id and h.mode = x.mode and h.payout_id = x.id
     left join payouts s
       on s.merchant_id = x.merchant_id and s.mode = x.mode and s.id = x.id and s.scheduled_for is not null
    where x.category = 'PAYOUT'
      and (x.status in ('QUEUED', 'PROCESSING') or (x.status = 'PENDING_APPROVAL' and s.id is null))
      and coalesce(h.held_minor, 0) <> x.amount_minor + x.charges_minor`,
);

/** A dispatched batch holds by chunks what its payouts will hold; opened, a chunk has given everything back. */
export const findChunksNotHeld = violationsOf(
  'chunks-are-held-until-opened',
  `select c.merchant_id, c.mode,
          format('chunk %s of batch %s (%s) of %s: held %s, posted %s', c.chunk, c.batch_id,
                 case when c.due_at is null then 'opened' else 'not opened' end,
                 c.amount_minor + c.fee_minor + c.vat_minor + c.stamp_duty_minor, coalesce(h.held_minor, 0),
                 coalesce(h.posted, 0)) as detail
     from batch_chunks c
     left join (
       select n.merchant_id, n.mode, n.owner_id,
              sum(case t.kind when 'PENDING' then t.amount_minor else -t.amount_minor end) as held_minor,
              count(*) filter (where t.kind = 'POST') as posted
         from (${holdsOf('batch_chunks')}) n
         join transfers t
           on t.merchant_id = n.merchant_id and t.mode = n.mode and t.code = n.code
          and coalesce(t.pending_id, t.id) = n.hold_id and t.kind <> 'POSTED'
        group by n.merchant_id, n.mode, n.owner_id
     ) h on h.merchant_id = c.merchant_id and h.mode = c.mode and h.owner_id = c.id
    where coalesce(h.posted, 0) > 0
       or coalesce(h.held_minor, 0) <> case when c.due_at is null then 0
            else c.amount_minor + c.fee_minor + c.vat_minor + c.stamp_duty_minor end`,
);

export const findHoldsLeftOver = violationsOf(
  'holds-belong-to-open-payouts',
  `select h.merchant_id, h.mode,
          format('hold %s of %s (%s) is for %s', h.id, h.amount_minor, case when r.id is null then 'open' else r.kind end,
                 coalesce('payout ' || n.owner_id || ' (' || coalesce(x.status, 'no transaction') || ')',
                          'chunk ' || c.owner_id, 'no payout')) as detail
     from transfers h
     left join transfers r on r.merchant_id = h.merchant_id and r.pending_id = h.id
     left join (${holdsOf('payouts')}) n
       on n.merchant_id = h.merchant_id and n.mode = h.mode and n.hold_id = h.id and n.code = h.code
     left join transactions x on x.merchant_id = n.merchant_id and x.mode = n.mode and x.id = n.owner_id
     left join (${holdsOf('batch_chunks')}) c
       on c.merchant_id = h.merchant_id and c.mode = h.mode and c.hold_id = h.id and c.code = h.code
    where h.kind = 'PENDING' and (c.owner_id is null or n.owner_id is not null)
      and (x.category = 'PAYOUT' and (r.id is not null or x.status in ('PENDING_APPROVAL', 'QUEUED', 'PROCESSING'))) is not true`,
);

/** What came back of a payout, and what else was posted in its name: nothing may be. */
const RETURNED = `select x.merchant_id, x.mode, x.id as payout_id,
              count(*) filter (where t.code <> 'PAYOUT_REVERSAL') as strays,
              coalesce(sum(t.amount_minor) filter (where t.code = 'PAYOUT_REVERSAL'), 0) as returned_minor,
              count(*) filter (where t.code = 'PAYOUT_REVERSAL' and t.amount_minor = x.amount_minor
                                 and a.kind = 'PAYOUT_CLEARING') as returns,
              min(t.credit_account_id::text) as first_returned_to, max(t.credit_account_id::text) as last_returned_to
         from transactions x
         join transfers t
           on t.merchant_id = x.merchant_id and t.mode = x.mode and t.transaction_id = x.id and t.kind = 'POSTED'
         left join accounts a on a.merchant_id = t.merchant_id and a.id = t.debit_account_id
        where x.category = 'PAYOUT'
        group by x.merchant_id, x.mode, x.id`;

/** What each payout of these statuses moved, where that is not what the status says. */
const payoutsThatMoved = (statuses: string, wrong: string) =>
  `select merchant_id, mode,
          format('payout %s (%s) of %s and charges %s: debited %s times, in all %s; charged %s; returned %s times, '
                 'in all %s; %s other transfers', id, status, amount_minor, charges_minor, debits, debited_minor,
                 charged_minor, returns, returned_minor, strays) as detail
     from (
       select x.merchant_id, x.mode, x.id, x.status, x.amount_minor, x.charges_minor, m.payer, m.last_payer,
              coalesce(m.debits, 0) as debits, coalesce(m.debited_minor, 0) as debited_minor,
              coalesce(m.charged_minor, 0) as charged_minor, coalesce(r.returns, 0) as returns,
              coalesce(r.returned_minor, 0) as returned_minor, coalesce(r.strays, 0) as strays,
              r.first_returned_to, r.last_returned_to
         from transactions x
         left join (${HELD_AND_MOVED}) m on m.merchant_id = x.merchant_id and m.mode = x.mode and m.payout_id = x.id
         left join (${RETURNED}) r on r.merchant_id = x.merchant_id and r.mode = x.mode and r.payout_id = x.id
        where x.category = 'PAYOUT' and x.status in (${statuses})
     ) p
    where strays > 0 or (${wrong})`;

const DEBITED_ONCE =
  'debits = 1 and debited_minor = amount_minor and charged_minor = charges_minor and payer = last_payer';

export const findSuccessesNotDebitedOnce = violationsOf(
  'successful-payouts-debited-once',
  payoutsThatMoved(`'SUCCESS'`, `(${DEBITED_ONCE} and returned_minor = 0) is not true`),
);

export const findDebitsWithoutSuccess = violationsOf(
  'other-payouts-moved-nothing',
  payoutsThatMoved(
    `'FAILED', 'CANCELLED', 'PENDING_APPROVAL', 'SCHEDULED', 'QUEUED', 'PROCESSING'`,
    'debits > 0 or charged_minor > 0 or returned_minor > 0',
  ),
);

/** The amount comes back to who paid it; the charges may. */
export const findReversalsNotReturned = violationsOf(
  'reversed-payouts-returned-once',
  payoutsThatMoved(
    `'REVERSED'`,
    `(${DEBITED_ONCE} and returns = 1 and returned_minor <= amount_minor + charges_minor
      and first_returned_to = payer and last_returned_to = payer) is not true`,
  ),
);
