import { type Check, CLOCKS, check, sameTenant } from './queries.ts';

/** What deductions moved, by the id of each: the amount with what was taken on top, and that part as a cost. */
const MOVED = `select t.merchant_id, t.mode, t.transaction_id, count(*) as made, bool_and(t.kind = 'POSTED') as are_posted,
              coalesce(sum(t.amount_minor) filter (where t.code <> 'PROVIDER_FEE'), 0) as taken_minor,
              coalesce(sum(t.amount_minor) filter (where t.code = 'PROVIDER_FEE'), 0) as fee_minor,
              max(t.code) filter (where t.code <> 'PROVIDER_FEE') as code,
              min(case t.code when 'PROVIDER_FEE' then t.credit_account_id else t.debit_account_id end::text) as receivable,
              max(case t.code when 'PROVIDER_FEE' then t.credit_account_id else t.debit_account_id end::text) as last_receivable,
              min(t.created_at) as created_at, max(t.created_at) as last_at
         from transfers t
         left join collection_settlements c on ${sameTenant('c', 't')} and c.id = t.transaction_id
        where t.code in ('REFUND_SETTLEMENT', 'DISPUTE_SETTLEMENT') or (t.code = 'PROVIDER_FEE' and c.id is null)
        group by t.merchant_id, t.mode, t.transaction_id`;

const otherPostings = check(
  'deductions-are-posted-once',
  'Every refund and dispute that a provider took from a settlement left the float once, whole, and is owed again to the account that it was taken from; and nothing else did.',
  `select coalesce(s.merchant_id, t.merchant_id) as merchant_id, coalesce(s.mode, t.mode) as mode,
          format('%s %s was taken at %s and %s on top: %s transfers of %s and %s', coalesce(s.subject_type, 'nothing'), s.subject_id,
                 s.amount_minor, s.fee_minor, coalesce(t.made, 0), coalesce(t.taken_minor, 0), coalesce(t.fee_minor, 0)) as detail
     from deduction_settlements s
     full join (${MOVED}) t on ${sameTenant('t', 's')} and t.transaction_id = s.id
     left join accounts a on a.merchant_id = s.merchant_id and a.id = s.receivable_id
    where (t.are_posted and t.taken_minor = s.amount_minor + s.fee_minor and t.fee_minor = s.fee_minor
           and t.made = 1 + (s.fee_minor > 0)::int and t.code = s.subject_type || '_SETTLEMENT'
           and t.receivable = s.receivable_id::text and t.last_receivable = t.receivable
           and t.created_at = s.settled_at and t.last_at = s.settled_at
           and a.mode = s.mode and a.kind = 'COLLECTION_RECEIVABLE') is not true`,
);

const otherLines = check(
  'deductions-have-their-line',
  'Every refund and dispute that was taken was so by a line of a settlement of its provider account that agreed with it and that two people applied; and every such line of one that is done was posted.',
  `select s.merchant_id, s.mode,
          format('%s %s of %s was taken by line %s (%s) of settlement %s (%s) of %s', s.subject_type, s.subject_id, s.amount_minor,
                 l.line_number, coalesce(l.result, 'not there'), f.reference, coalesce(f.status, 'not there'), f.rail) as detail
     from deduction_settlements s
     left join provider_settlements f on f.id = s.settlement_id
     left join provider_settlement_lines l on l.settlement_id = s.settlement_id and l.id = s.line_id
     left join accounts a on a.merchant_id = s.merchant_id and a.id = s.receivable_id
     left join rail_accounts r on r.mode = f.mode and r.name = f.rail
    where (l.result = 'DEDUCTION_MATCHED' and l.merchant_id = s.merchant_id and l.subject_type = s.subject_type
           and l.subject_id = s.subject_id and l.receivable_id = s.receivable_id and -l.gross_minor = s.amount_minor
           and l.fee_minor = s.fee_minor and f.mode = s.mode and f.status in ('APPLYING', 'DONE')
           and f.decided_at <= s.settled_at + ${CLOCKS} and a.owner_id in (r.id, s.merchant_id)) is not true
   union all
   select l.merchant_id, f.mode, format('line %s of settlement %s takes for %s %s, and was not posted', l.line_number, f.reference,
                                        l.subject_type, l.subject_id)
     from provider_settlement_lines l
     join provider_settlements f on f.id = l.settlement_id and f.status = 'DONE'
     left join deduction_settlements s
       on s.merchant_id = l.merchant_id and s.mode = f.mode and s.subject_type = l.subject_type
      and s.subject_id = l.subject_id and s.line_id = l.id
    where l.result = 'DEDUCTION_MATCHED' and s.line_id is null`,
);

const otherEvents = check(
  'deductions-are-reported',
  'Every refund and dispute that a provider took was reported once as that, at its moment, with its amount.',
  `select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('%s %s of %s was taken at %s: %s', coalesce(s.subject_type, e.subject_type), coalesce(s.subject_id, e.taken_for),
                 s.amount_minor, s.settled_at,
                 case when e.sequence is null then 'no event reports it'
                      when s.id is null then 'event ' || e.sequence || ' reports what was never taken'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from deduction_settlements s
     full join (
       select v.merchant_id, v.mode, v.sequence, v.subject_id, v.created_at, x."settlementId" as id,
              x."subjectType" as subject_type, x."subjectId" as taken_for, x.amount, x.currency, x."settledAt" as settled_at
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("settlementId" uuid, "subjectType" text, "subjectId" uuid, amount numeric, currency text,
                      "settledAt" timestamptz)
        where v.type = 'collection.deducted'
     ) e on ${sameTenant('e', 's')} and e.subject_id = s.id
    where (e.id = s.id and e.subject_type = s.subject_type and e.taken_for = s.subject_id
           and e.amount = s.amount_minor / 100.0 and e.currency = 'NGN' and e.settled_at = s.settled_at
           and e.created_at = s.settled_at) is not true`,
);

export const deductionChecks: readonly Check[] = [otherPostings, otherLines, otherEvents];
