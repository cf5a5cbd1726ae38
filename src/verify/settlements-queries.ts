import { importDigest, lineDigest } from '../reconciliation/index.ts';
import { type Check, check, SEALED_SINCE, sameTenant, wordsOf } from './queries.ts';

/** A settlement is once by its primary key; it has to be of a payout that moved its amount, and a return follows a payment. */
const wrongSettlements = check(
  'settlements-are-of-paid-payouts',
  'Every settled payout moved its amount, and a return was settled only after its payment.',
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
const wrongSettlementTransfers = check(
  'settlement-transfers-come-to-their-payouts',
  'Every settlement transfer comes to the payouts that it settled, in the right direction, when they were settled.',
  `select coalesce(t.merchant_id, s.merchant_id) as merchant_id, coalesce(t.mode, s.mode) as mode,
          format('transfer %s of %s from %s to %s: %s payouts of %s, %s', coalesce(t.id, s.transfer_id),
                 coalesce(t.amount_minor::text, 'nothing'), d.kind, c.kind, coalesce(s.payouts, 0),
                 coalesce(s.amount_minor, 0), coalesce(s.kinds, 'none')) as detail
     from (select * from transfers where code = 'PAYOUT_SETTLEMENT') t
     full join (
       select merchant_id, mode, transfer_id, count(*) as payouts, sum(amount_minor) as amount_minor,
              string_agg(distinct kind, ' and ') as kinds, min(settled_at) as first_at, max(settled_at) as last_at,
              count(distinct import_id) as imports
         from payout_settlements
        where transfer_id is not null
        group by merchant_id, mode, transfer_id
     ) s on ${sameTenant('s', 't')} and s.transfer_id = t.id
     left join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id
     left join accounts c on c.merchant_id = t.merchant_id and c.id = t.credit_account_id
    where (t.kind = 'POSTED' and t.amount_minor = s.amount_minor and s.imports = 1
           and s.first_at = t.created_at and s.last_at = t.created_at
           and d.kind = case s.kinds when 'PAID' then 'PAYOUT_CLEARING' when 'RETURNED' then 'PROVIDER_FLOAT' end
           and c.kind = case s.kinds when 'PAID' then 'PROVIDER_FLOAT' when 'RETURNED' then 'PAYOUT_CLEARING' end)
          is not true`,
);

/**
 * What was settled together is one event: by its transfer, or, where a payment and its return came at once and nothing
 * moved, by its import and its moment.
 */
const TOGETHER = `select s.merchant_id, s.mode, s.settled_at, s.import_id, coalesce(t.transaction_id, s.import_id) as reported_as,
              t.transaction_id, max(s.kind) as kind, count(distinct s.payout_id) as payouts,
              sum(s.amount_minor) / count(distinct s.kind) as amount_minor, max(i.rail) as rail, bool_and(i.mode = s.mode) as is_of_mode
         from payout_settlements s
         left join transfers t on ${sameTenant('t', 's')} and t.id = s.transfer_id and t.code = 'PAYOUT_SETTLEMENT'
         left join settlement_imports i on i.id = s.import_id
        group by s.merchant_id, s.mode, s.settled_at, s.import_id, t.transaction_id`;

const settledOtherwise = check(
  'settlements-are-reported-as-they-are',
  'Every settlement was reported once, at its moment, with the rail, the number and the sum of its payouts.',
  `select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('%s payouts of %s settled at %s by %s (%s): %s', s.payouts, s.amount_minor, s.settled_at, s.rail, s.kind,
                 case when e.sequence is null then 'no event reports it'
                      when s.payouts is null then 'event ' || e.sequence || ' reports what was never settled'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from (${TOGETHER}) s
     full join (
       select v.merchant_id, v.mode, v.sequence, v.subject_id, v.created_at, x."settlementId" as id, x.kind, x.rail, x.payouts,
              x.amount, x.currency, x."recordedAt" as recorded_at
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("settlementId" uuid, kind text, rail text, payouts integer, amount numeric, currency text,
                      "recordedAt" timestamptz)
        where v.type = 'settlement.recorded'
     ) e on ${sameTenant('e', 's')} and e.created_at = s.settled_at and e.kind = s.kind and e.payouts = s.payouts
        and e.amount * 100 = s.amount_minor
        and case when s.transaction_id is null then e.subject_id else s.transaction_id end = e.subject_id
    where (e.id = e.subject_id and e.rail = s.rail and e.recorded_at = e.created_at and e.currency = 'NGN' and s.is_of_mode)
          is not true`,
);

/** A payment and its return that came at once are settled by the line of the return. */
const LINES = `select l.merchant_id, i.mode, l.payout_id, l.import_id, l.kind, l.our_amount_minor, l.settles, l.settled_at, l.result,
              l.resolved_how
         from settlement_lines l
         join settlement_imports i on i.id = l.import_id
        where l.settles`;

const unsettledLines = check(
  'settlements-follow-from-lines',
  'Every payout was settled by a line of a file that agreed with our books or was made to, and every such line that was dealt with settled its payout.',
  `select s.merchant_id, s.mode, format('payout %s was settled (%s, %s) by import %s, which has no line for it', s.payout_id, s.kind,
                                        s.amount_minor, s.import_id) as detail
     from payout_settlements s
     left join payout_settlements back on ${sameTenant('back', 's')} and back.payout_id = s.payout_id and back.kind = 'RETURNED'
     left join (select distinct merchant_id, mode, payout_id, import_id, kind, our_amount_minor from (${LINES}) each_line) l
       on ${sameTenant('l', 's')} and l.payout_id = s.payout_id and l.import_id = s.import_id
      and l.kind = case when s.kind = 'RETURNED' or (s.transfer_id is null and back.transfer_id is null) then 'REVERSED' else 'PAID' end
    where l.our_amount_minor is distinct from s.amount_minor
   union all
   select l.merchant_id, l.mode, format('payout %s has a line (%s) in import %s that settles it, and was not settled', l.payout_id,
                                        l.kind, l.import_id)
     from (${LINES}) l
     left join payout_settlements s
       on ${sameTenant('s', 'l')} and s.payout_id = l.payout_id and s.kind = case l.kind when 'PAID' then 'PAID' else 'RETURNED' end
    where (l.settled_at is not null and (s.settled_at <= l.settled_at) is not true)
       or l.kind not in ('PAID', 'REVERSED') or (l.result <> 'MATCHED' and l.resolved_how is distinct from 'APPLIED'
                                                  and l.settled_at is not null and l.resolved_how is not null)`,
);

/** Of a payout: the line names it by our reference, or by the rail's session. */
const NAMES_IT = `(l.reference = replace(l.payout_id::text, '-', '') or l.session_id = p.session_id
            or l.session_id is not null and a.payout_id is not null)`;

const COMPARED = [
  'MATCHED',
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'ACCOUNT_DIFFERS',
  'DATE_DIFFERS',
  'STATUS_DIFFERS',
  'LATE_REVERSAL',
];

const wrongLines = check(
  'lines-are-compared-with-their-payouts',
  'Every line of a rail’s file that was compared names the payout that it was compared with, and says of its amount what the books say.',
  `select coalesce(l.merchant_id, i.merchant_id, '00000000-0000-0000-0000-000000000000') as merchant_id, coalesce(i.mode, '') as mode,
          format('line %s of import %s (%s, %s) of %s for payout %s of %s', coalesce(l.line_number::text, l.id::text), l.import_id, l.kind,
                 coalesce(l.result, 'not compared'), l.amount_minor, coalesce(l.payout_id::text, 'none'), l.our_amount_minor) as detail
     from settlement_lines l
     left join settlement_imports i on i.id = l.import_id
     left join payouts p on p.merchant_id = l.merchant_id and p.mode = i.mode and p.id = l.payout_id
     left join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join (select distinct merchant_id, mode, payout_id, session_id from payout_attempts where session_id is not null) a
       on ${sameTenant('a', 'p')} and a.payout_id = p.id and a.session_id = l.session_id
    where case
            when i.id is null then true
            when l.result is null then num_nonnulls(l.payout_id, l.merchant_id, l.our_status, l.our_amount_minor, l.settled_at,
                                                    l.resolved_at) > 0 or i.status = 'DONE' or l.line_number is null
            when l.result in ${wordsOf(COMPARED)}
            then (${NAMES_IT} and l.our_amount_minor = t.amount_minor and (i.merchant_id is null or i.merchant_id = l.merchant_id)
                  and (l.amount_minor = l.our_amount_minor) = (l.result <> 'AMOUNT_DIFFERS')
                  and case l.result when 'CURRENCY_DIFFERS' then l.currency <> t.currency
                                    when 'AMOUNT_DIFFERS' then l.currency is not null else l.currency = t.currency end
                  and l.line_number is not null and l.our_status is not null and l.occurred_at is not null
                  and (l.result = 'MATCHED') >= (l.resolved_at is null and l.settled_at is not null)
                  and (l.result <> 'MATCHED' or i.rail <> p.rail
                       or l.settles = (l.kind = 'PAID' and l.our_status in ('SUCCESS', 'REVERSED')
                                       or l.kind = 'REVERSED' and l.our_status = 'REVERSED'))
                  -- Another sum settles nothing, and nothing settles what has not moved.
                  and (not l.settles or i.rail = p.rail and l.result in ('MATCHED', 'STATUS_DIFFERS', 'LATE_REVERSAL')
                                        and (t.status = 'REVERSED' or t.status = 'SUCCESS' and l.kind = 'PAID'))
                  -- What is dealt with was settled before it was called resolved.
                  and (not l.settles or l.settled_at is not null or i.status <> 'DONE'
                       or l.result <> 'MATCHED' and l.resolved_at is null)) is not true
            when l.result = 'MISSING_THERE'
            then (l.reference = replace(l.payout_id::text, '-', '') and l.our_amount_minor = t.amount_minor and l.line_number is null
                  and l.session_id is not distinct from p.session_id and l.our_status = 'SUCCESS' and l.kind = 'UNCLEAR'
                  and num_nonnulls(l.amount_minor, l.currency, l.occurred_at, l.status_text, l.settled_at) = 0) is not true
            -- Its session id is of a payout with another reference.
            when l.result = 'MISSING_HERE' and l.payout_id is not null
            then (${NAMES_IT} and l.our_amount_minor = t.amount_minor and not l.settles and l.line_number is not null) is not true
            else num_nonnulls(l.payout_id, l.merchant_id, l.our_status, l.our_amount_minor, l.settled_at) > 0
                 or l.settles or l.line_number is null
          end
       or (l.settled_at is not null and not l.settles)
       or l.our_status not in ('PENDING_APPROVAL', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'SUCCESS', 'FAILED', 'REVERSED', 'CANCELLED')
   union all
   select coalesce(l.merchant_id, '00000000-0000-0000-0000-000000000000'), '', format('line %s of import %s is not what was read', l.id,
                                                                                      l.import_id)
     from settlement_lines l
     left join settlement_imports i on i.id = l.import_id
    where l.digest <> ${lineDigest('l')} or (l.digest is null and i.created_at > ${SEALED_SINCE})
   union all
   select coalesce(i.merchant_id, '00000000-0000-0000-0000-000000000000'), i.mode, format('import %s of %s is not what was imported', i.id,
                                                                                          i.file_name)
     from settlement_imports i
    where i.digest <> ${importDigest('i')} or (i.digest is null and i.created_at > ${SEALED_SINCE})
   union all
   select coalesce(l.merchant_id, '00000000-0000-0000-0000-000000000000'), '',
          format('line %s of import %s was resolved (%s, %s) by %s', l.id, l.import_id, l.resolved_how, l.resolved_note, l.resolved_by)
     from settlement_lines l
     left join people p on p.id::text = l.resolved_by and p.kind = 'OPERATOR'
     left join (select distinct imported_by, 'in ' || file_name as note from settlement_imports) i
       on i.imported_by = l.resolved_by and i.note = l.resolved_note
    where (case when l.resolved_how is null then num_nonnulls(l.resolved_by, l.resolved_note, l.resolved_at) = 0
                when l.resolved_how = 'FOUND_LATER'
                then (i.note is not null or l.resolved_note = 'in a file that was imported at the same moment') and l.result = 'MISSING_THERE'
                else p.id is not null and (l.resolved_how = 'APPLIED' or l.resolved_note is not null) end) is not true
   union all
   select coalesce(i.merchant_id, '00000000-0000-0000-0000-000000000000'), i.mode,
          format('import %s (%s) of %s lines from %s to %s: there are %s, from %s to %s', i.id, i.status, i.line_count, i.period_from,
                 i.period_to, coalesce(l.lines, 0), l.first_at, l.last_at)
     from settlement_imports i
     left join (
       select import_id, count(line_number) as lines, min(occurred_at) as first_at, max(occurred_at) as last_at,
              max(line_number) as last_number
         from settlement_lines
        group by import_id
     ) l on l.import_id = i.id
    where i.updated_at < i.created_at - interval '1 minute'
       or (i.status <> 'LOADING'
           and (i.line_count = coalesce(l.lines, 0) and i.period_from is not distinct from l.first_at
                -- The day of a line that names no hour is over at its end.
                and (i.period_to is not distinct from l.last_at or i.period_to = l.last_at + interval '1 day' - interval '1 millisecond'))
               is not true)`,
);

export const settlementChecks: readonly Check[] = [
  wrongSettlements,
  wrongSettlementTransfers,
  settledOtherwise,
  unsettledLines,
  wrongLines,
];
