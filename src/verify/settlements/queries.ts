import { violationsOf } from '../queries.ts';

/** A settlement is once by its primary key; it has to be of a payout that moved its amount, and a return follows a payment. */
export const findWrongSettlements = violationsOf(
  'settlements-are-of-paid-payouts',
  `select s.merchant_id, s.mode,
          format('payout %s (%s of %s): settled %s of %s%s', s.payout_id, coalesce(t.status, 'not there'), t.amount_minor,
                 s.kind, s.amount_minor, case when s.kind = 'RETURNED' and paid.kind is null then ', never paid' else '' end)
            as detail
     from payout_settlements s
     left join transactions t on t.merchant_id = s.merchant_id and t.mode = s.mode and t.id = s.payout_id
     left join payout_settlements paid
       on paid.merchant_id = s.merchant_id and paid.mode = s.mode and paid.payout_id = s.payout_id and paid.kind = 'PAID'
     left join payout_settlements back
       on back.merchant_id = s.merchant_id and back.mode = s.mode and back.payout_id = s.payout_id
      and back.kind = 'RETURNED'
    where (t.category = 'PAYOUT' and t.amount_minor = s.amount_minor
           and t.status in ('SUCCESS', 'REVERSED') and (s.kind = 'PAID' or t.status = 'REVERSED')) is not true
       or (s.kind = 'RETURNED' and (paid.transfer_id is null) is distinct from (s.transfer_id is null))
       or (s.kind = 'PAID' and s.transfer_id is null and (back.kind is null or back.transfer_id is not null))
       or paid.kind is null`,
);

/** Payments leave our clearing for the rail's float, returns come back, each transfer for the payouts that name it. */
export const findWrongSettlementTransfers = violationsOf(
  'settlement-transfers-come-to-their-payouts',
  `select coalesce(t.merchant_id, s.merchant_id) as merchant_id, coalesce(t.mode, s.mode) as mode,
          format('transfer %s of %s from %s to %s: %s payouts of %s, %s', coalesce(t.id, s.transfer_id),
                 coalesce(t.amount_minor::text, 'nothing'), d.kind, c.kind, coalesce(s.payouts, 0),
                 coalesce(s.amount_minor, 0), coalesce(s.kinds, 'none')) as detail
     from (select * from transfers where code = 'PAYOUT_SETTLEMENT') t
     full join (
       select merchant_id, mode, transfer_id, count(*) as payouts, sum(amount_minor) as amount_minor,
              string_agg(distinct kind, ' and ') as kinds
         from payout_settlements
        where transfer_id is not null
        group by merchant_id, mode, transfer_id
     ) s on s.merchant_id = t.merchant_id and s.mode = t.mode and s.transfer_id = t.id
     left join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id
     left join accounts c on c.merchant_id = t.merchant_id and c.id = t.credit_account_id
    where (t.kind = 'POSTED' and t.amount_minor = s.amount_minor
           and d.kind = case s.kinds when 'PAID' then 'PAYOUT_CLEARING' when 'RETURNED' then 'PROVIDER_FLOAT' end
           and c.kind = case s.kinds when 'PAID' then 'PROVIDER_FLOAT' when 'RETURNED' then 'PAYOUT_CLEARING' end)
          is not true`,
);
