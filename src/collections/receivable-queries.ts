/**
 * SQL for what makes up what provider accounts owe now, minor units: each payment that nothing has settled, with when it was
 * confirmed; and, below zero and without that time, each refund and dispute that they bear and that no settlement has
 * deducted. Above zero where more was deducted than was taken in the end. By provider account it comes to the receivables of
 * the ledger. It reads all payments: for reports.
 */
export const OPEN_RECEIVABLES = `(
     select p.merchant_id, p.mode, p.rail, p.amount_minor, p.confirmed_at
       from inbound_payments p
       left join collection_settlements s
         on s.merchant_id = p.merchant_id and s.mode = p.mode and s.payment_id = p.id
      where p.status <> 'RETURNED' and s.payment_id is null
      union all
     select merchant_id, mode, rail, deducted_minor - taken_minor, null
       from (
         select r.merchant_id, r.mode, r.rail, coalesce(d.amount_minor, 0) as deducted_minor,
                case when r.status = 'SUCCESS' then r.amount_minor else 0 end as taken_minor
           from refunds r
           left join deduction_settlements d
             on d.merchant_id = r.merchant_id and d.mode = r.mode and d.subject_type = 'REFUND' and d.subject_id = r.id
          where r.way = 'PROVIDER'
          union all
         select c.merchant_id, c.mode, c.rail, coalesce(d.amount_minor, 0), c.taken_minor + c.loss_minor
           from disputes c
           left join deduction_settlements d
             on d.merchant_id = c.merchant_id and d.mode = c.mode and d.subject_type = 'DISPUTE' and d.subject_id = c.id
       ) borne
      where deducted_minor <> taken_minor
   )`;
