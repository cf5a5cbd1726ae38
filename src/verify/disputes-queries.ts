import { ANSWER_DIGEST_NOW, disputeEvidenceDigest } from '../disputes/index.ts';
import { type Check, CLOCKS, check, sameTenant, valuesOf } from './queries.ts';
import { COUNTED_REFUNDS } from './refunds-queries.ts';

/** All of a dispute's transfers, each with the last hold of it, and whether one was made at the same moment. */
const TRANSFERS = `select t.*,
              first_value(t.id) over (partition by t.merchant_id, t.mode, t.transaction_id
                                          order by t.kind = 'PENDING' desc, t.debit_sequence desc) as last_hold,
              bool_or(t.kind = 'PENDING') over (partition by t.merchant_id, t.mode, t.transaction_id, t.created_at) as is_with_hold
         from transfers t
        where t.code in ('DISPUTE', 'DISPUTE_LOSS')`;

/** A larger hold took the place of the one that this ends. */
const IS_REPLACED = `t.kind = 'VOID' and t.pending_id <> t.last_hold`;

/** What a dispute moved, all of it under its own id. */
const MOVED = `select t.merchant_id, t.mode, t.transaction_id,
              count(*) filter (where t.kind = 'PENDING') as holds,
              min(t.id::text) filter (where t.kind = 'PENDING' and t.id = t.last_hold) as hold_id,
              coalesce(sum(t.amount_minor) filter (where t.kind = 'PENDING' and t.id = t.last_hold), 0) as held_minor,
              min(t.created_at) filter (where t.kind in ('PENDING', 'POST', 'VOID')) as first_at,
              string_agg(t.created_at || ' ' || t.amount_minor, ', ' order by t.debit_sequence) filter (where t.kind = 'PENDING') as held_at,
              count(*) filter (where ${IS_REPLACED} and t.is_with_hold) as replaced,
              count(*) filter (where t.kind = 'POST') as posts,
              count(*) filter (where t.kind = 'VOID' and not (${IS_REPLACED})) as voids,
              coalesce(sum(t.amount_minor) filter (where t.kind in ('POSTED', 'POST') and t.code = 'DISPUTE'), 0) as taken_minor,
              coalesce(sum(t.amount_minor) filter (where t.code = 'DISPUTE_LOSS'), 0) as loss_minor,
              count(distinct t.debit_account_id) filter (where t.code = 'DISPUTE') as wallets,
              min(t.debit_account_id::text) filter (where t.code = 'DISPUTE') as wallet_id,
              count(distinct t.credit_account_id) as receivables, min(t.credit_account_id::text) as receivable_id,
              max(t.created_at) filter (where t.kind <> 'PENDING' and t.code = 'DISPUTE' and not (${IS_REPLACED})) as ended_at,
              min(t.created_at) filter (where t.kind <> 'PENDING' and not (${IS_REPLACED})) as ended_first
         from (${TRANSFERS}) t
        group by t.merchant_id, t.mode, t.transaction_id`;

/** When each dispute was reported as held, and with how much, kobo: at first, and each time that it was more. */
const REPORTED_HOLDS = `select merchant_id, mode, subject_id,
              string_agg(created_at || ' ' || round(held * 100)::bigint, ', ' order by version)
                filter (where held > coalesce(held_before, 0)) as held_at
         from (
           select v.merchant_id, v.mode, v.subject_id, v.created_at, x.version, x.held, lag(x.held) over in_order as held_before
             from events v
            cross join lateral json_to_record(v.data::json) as x (version int, held numeric)
            where v.type like 'dispute.%'
           window in_order as (partition by v.merchant_id, v.mode, v.subject_id order by x.version)
         ) versions
        group by merchant_id, mode, subject_id`;

/** Disputes that were won, and are lost after all as two people said: when each was. */
export const LOST_AFTER_WIN = `select l.merchant_id, l.mode, l.subject_id, l.created_at as lost_at, max(w.created_at) as won_at
         from state_changes l
         join state_changes w on ${sameTenant('w', 'l')} and w.subject = 'dispute' and w.subject_id = l.subject_id and w.to_state = 'WON'
        where l.subject = 'dispute' and l.from_state = 'WON' and l.to_state = 'LOST'
        group by l.merchant_id, l.mode, l.subject_id, l.created_at`;

const otherMoves = check(
  'disputes-move-what-they-say',
  'Every dispute holds in the wallet of its payment what it says, releases it when it is won, takes it when it is lost or accepted, with what else was taken and lost, once; no other hold or loss is there, and people are shown it for a reason that holds.',
  `select coalesce(d.merchant_id, m.merchant_id) as merchant_id, coalesce(d.mode, m.mode) as mode,
          format('dispute %s (%s) of payment %s by %s: held %s, taken %s, lost %s; its transfers say %s, %s and %s',
                 coalesce(d.id, m.transaction_id), coalesce(d.status, 'not there'), d.payment_id, d.rail, d.held_minor,
                 d.taken_minor, d.loss_minor, coalesce(m.held_minor, 0), coalesce(m.taken_minor, 0), coalesce(m.loss_minor, 0)) as detail
     from disputes d
     left join inbound_payments p on ${sameTenant('p', 'd')} and p.id = d.payment_id
     full join (${MOVED}) m on ${sameTenant('m', 'd')} and m.transaction_id = d.id
     left join (${REPORTED_HOLDS}) v on ${sameTenant('v', 'd')} and v.subject_id = d.id
     left join (${LOST_AFTER_WIN}) b on ${sameTenant('b', 'd')} and b.subject_id = d.id
     left join (select * from transactions where category = 'DISPUTE') x
       on x.merchant_id = coalesce(d.merchant_id, m.merchant_id) and x.mode = coalesce(d.mode, m.mode) and x.id = coalesce(d.id, m.transaction_id)
    where (p.rail = d.rail and p.receivable_id = d.receivable_id and p.currency = d.currency
           and (d.wallet_id is null or d.wallet_id = coalesce(p.attributed_wallet_id, p.wallet_id) and p.status = 'CREDITED')
           and d.disputed_minor <= p.amount_minor
           and case coalesce(d.operator_reason, 'none')
                    when 'none' then true
                    when 'WON_AFTER_END' then d.ended_at is not null and d.status <> 'WON'
                    when 'LOST_AFTER_END' then d.ended_at is not null and d.status = 'WON'
                    when 'REOPENED' then d.ended_at is not null
                    when 'STATE_NOT_LISTED' then d.ended_at is null
                    when 'TAKEN_BACK_BEFORE' then d.status <> 'WON' and d.disputed_minor < d.amount_minor
                    else d.ended_at is null and d.disputed_minor < d.amount_minor
               end
           and d.taken_minor = coalesce(m.taken_minor, 0)
           and d.loss_minor = coalesce(m.loss_minor, 0)
           and case when b.subject_id is null then
                 -- Where less was wanted in the end than was held, the hold is released and that is taken of it.
                 d.held_minor = least(coalesce(m.held_minor, 0), case when d.status in ('LOST', 'ACCEPTED') then d.taken_minor end)
                 and d.hold_id::text is not distinct from m.hold_id
                 and coalesce(m.posts, 0) = (d.hold_id is not null and d.status in ('LOST', 'ACCEPTED') and d.taken_minor >= m.held_minor)::int
                 and coalesce(m.voids, 0) = (d.hold_id is not null and d.ended_at is not null and d.taken_minor < m.held_minor)::int
                 and (m.ended_at is null or m.ended_at = d.ended_at) and (m.ended_first is null or m.ended_first >= d.ended_at)
               -- The win released what was held, and what was taken is what the wallet had later.
               else d.hold_id is null and coalesce(m.posts, 0) = 0
                    and coalesce(m.voids, 0) = (coalesce(m.holds, 0) > 0)::int and d.ended_at = b.lost_at
                    and m.ended_at is not distinct from case when d.taken_minor > 0 then d.ended_at when m.voids > 0 then b.won_at end
                    and (m.ended_first is null or m.ended_first >= d.ended_at or m.voids > 0 and m.ended_first = b.won_at)
               end
           -- Each hold but the last was replaced by the next.
           and coalesce(m.replaced, 0) = greatest(coalesce(m.holds, 0) - 1, 0)
           and (m.wallet_id is null or m.wallets = 1 and m.wallet_id = d.wallet_id::text)
           and (m.receivable_id is null or m.receivables = 1 and m.receivable_id = d.receivable_id::text)
           and (m.first_at is null or m.first_at >= d.opened_at)
           and m.held_at is not distinct from v.held_at
           and case when d.taken_minor = 0 then x.id is null
                    else x.amount_minor = d.taken_minor and x.currency = d.currency and x.from_wallet_id = d.wallet_id
                         and x.to_wallet_id = d.receivable_id and x.created_at = d.ended_at and x.status = 'SUCCESS'
                         and x.beneficiary_account_name = coalesce(p.payer_name, 'Unknown payer')
                         and x.narration = 'Dispute ' || d.provider_dispute_id
               end) is not true
   union all
   select x.merchant_id, x.mode, format('transaction %s is that of a dispute, and there is none', x.id)
     from transactions x
     left join disputes d on ${sameTenant('d', 'x')} and d.id = x.id
    where x.category = 'DISPUTE' and d.id is null
   union all
   select t.merchant_id, t.mode, format('dispute %s lost %s at %s, and no version of it was reported then', t.transaction_id,
                                        t.amount_minor, t.created_at)
     from transfers t
     left join (
       select distinct merchant_id, mode, subject_id, created_at from events where type like 'dispute.%'
     ) v on ${sameTenant('v', 't')} and v.subject_id = t.transaction_id and v.created_at = t.created_at
    where t.code = 'DISPUTE_LOSS' and v.subject_id is null`,
);

/** When the last thing that counted as taken back of a payment came to nothing. */
const FREED = `select merchant_id, mode, payment_id, max(at) as at
         from (select merchant_id, mode, payment_id, updated_at as at from refunds where status in ('FAILED', 'CANCELLED')
                union all
               select merchant_id, mode, payment_id, ended_at from disputes where ended_at is not null) freed
        group by merchant_id, mode, payment_id`;

/** What a provider contradicts, also where people looked into that, is not taken by itself. What was given free lately is taken soon. */
const tookTooLittle = check(
  'lost-disputes-take-what-they-may',
  'Every dispute that was lost or accepted took the lesser of its amount and what the other disputes and the refunds of its payment left, or is looked at until it has.',
  `select d.merchant_id, d.mode,
          format('dispute %s (%s, %s) took %s of %s, and %s of its payment is left', d.id, d.status,
                 coalesce(d.operator_reason, 'nobody looks'), d.disputed_minor, d.amount_minor,
                 p.amount_minor - coalesce(u.used_minor, 0)) as detail
     from disputes d
     join inbound_payments p on ${sameTenant('p', 'd')} and p.id = d.payment_id and p.status not in ('RETURNED', 'KEPT')
     left join limit_usage u on ${sameTenant('u', 'd')} and u.scope = 'PAYMENT_TAKEN_BACK' and u.period = p.id::text
     left join (${FREED}) f on ${sameTenant('f', 'd')} and f.payment_id = d.payment_id
     left join (
       select distinct on (merchant_id, mode, dispute_id) merchant_id, mode, dispute_id, state
         from dispute_evidence where source <> 'OPERATOR' order by merchant_id, mode, dispute_id, id desc
     ) e on ${sameTenant('e', 'd')} and e.dispute_id = d.id
    where d.status in ('LOST', 'ACCEPTED') and d.disputed_minor < d.amount_minor
      and (d.looked_at is null or e.state in ('lost', 'accepted'))
      and coalesce(d.operator_reason, 'none') not in ('WON_AFTER_END', 'REOPENED')
      and coalesce(u.used_minor, 0) < p.amount_minor
      and (d.operator_reason is distinct from 'TAKEN_BACK_BEFORE'
           or greatest(d.ended_at, coalesce(f.at, d.ended_at)) < now() - interval '1 day')`,
);

const STATES = valuesOf([
  ['WON', 'won'],
  ['LOST', 'lost'],
  ['ACCEPTED', 'accepted'],
]);

const unsupported = check(
  'disputes-are-confirmed',
  'Every dispute is what its provider, or two people, said of it when it was opened, and ended as they said; and what they said is as it was written.',
  `select coalesce(d.merchant_id, e.merchant_id) as merchant_id, coalesce(d.mode, e.mode) as mode,
          format('dispute %s (%s%s) of %s: %s reports, %s whole, %s of it, %s of its end', coalesce(d.id, e.dispute_id),
                 coalesce(d.status, 'not there'), coalesce(', ' || d.reason, ''), d.amount_minor, coalesce(e.reports, 0),
                 coalesce(e.whole, 0), coalesce(e.same, 0), coalesce(e.ends, 0)) as detail
     from disputes d
     full join (
       select e.merchant_id, e.mode, e.dispute_id, count(*) as reports,
              count(*) filter (where e.digest = ${disputeEvidenceDigest('e')} and x.state = e.state
                                 and x."providerDisputeId" = d.provider_dispute_id
                                 and (x."providerTransactionId" = p.provider_transaction_id or e.source = 'OPERATOR')
                                 and (e.source = 'OPERATOR' or d.source = 'PROVIDER')) as whole,
              count(*) filter (where x."amountMinor" = d.amount_minor and (e.received_at <= d.opened_at + ${CLOCKS} or e.state = s.state)) as amounts,
              count(*) filter (where e.received_at <= d.opened_at + ${CLOCKS}
                                 and (x."amountMinor" = d.amount_minor or x."amountMinor" > d.amount_minor and d.status in ('LOST', 'ACCEPTED')) and x.currency = d.currency and x.category = d.category
                                 and x.message is not distinct from d.message and coalesce(x.mode, d.mode) = d.mode) as same,
              count(*) filter (where e.state = s.state and e.received_at <= d.ended_at + interval '1 minute'
                                 and (d.status = 'WON' or x."amountMinor" >= d.amount_minor)
                                 and (d.reason is not distinct from case when x."bySilence" and e.state = 'lost' then 'NOT_ANSWERED_IN_TIME' end)) as ends
         from dispute_evidence e
         left join disputes d on ${sameTenant('d', 'e')} and d.id = e.dispute_id
         left join inbound_payments p on ${sameTenant('p', 'd')} and p.id = d.payment_id
         left join ${STATES} as s (status, state) on s.status = d.status
        cross join lateral json_to_record(e.reported::json)
                as x ("providerDisputeId" text, "providerTransactionId" text, state text, "bySilence" boolean,
                      "amountMinor" bigint, currency text, category text, message text, mode text)
        group by e.merchant_id, e.mode, e.dispute_id
     ) e on ${sameTenant('e', 'd')} and e.dispute_id = d.id
    where (e.reports >= 1 and e.whole = e.reports and e.same >= 1 and e.amounts >= 1
           and (d.status in ('OPEN', 'EVIDENCE_SENT') and d.reason is null or e.ends >= 1)) is not true`,
);

const otherDebts = check(
  'debts-are-losses-less-repayments',
  'What a merchant owes is what its disputes lost beyond its wallets, less what later money paid, each payment of it once, from a wallet, and the account of it says the same.',
  `select coalesce(a.merchant_id, d.merchant_id) as merchant_id, coalesce(a.mode, d.mode) as mode,
          format('the books say that %s is owed, and disputes say %s', coalesce(a.owed, 0), coalesce(d.owed, 0)) as detail
     from (
       select merchant_id, mode, sum(debits_posted_minor - credits_posted_minor) as owed
         from accounts where kind = 'MERCHANT_RECEIVABLE' group by merchant_id, mode
     ) a
     full join (
       select merchant_id, mode, sum(loss_minor - repaid_minor) as owed from disputes group by merchant_id, mode
     ) d on ${sameTenant('d', 'a')}
    where coalesce(a.owed, 0) <> coalesce(d.owed, 0)
   union all
   select coalesce(r.merchant_id, x.merchant_id), coalesce(r.mode, x.mode),
          format('repayment %s of %s to dispute %s from %s; transaction of %s from %s', coalesce(r.id, x.id), r.amount_minor,
                 r.dispute_id, r.wallet_id, x.amount_minor, x.from_wallet_id)
     from dispute_repayments r
     left join disputes d on ${sameTenant('d', 'r')} and d.id = r.dispute_id
     full join (select * from transactions where category = 'RECEIVABLE_REPAYMENT') x on ${sameTenant('x', 'r')} and x.id = r.id
    where (d.id is not null and x.amount_minor = r.amount_minor and x.from_wallet_id = r.wallet_id
           and x.created_at = r.created_at and r.created_at >= d.ended_at
           and x.narration = left('Owed after dispute ' || d.provider_dispute_id, 100)) is not true
   union all
   select d.merchant_id, d.mode, format('dispute %s says that %s is repaid, and its repayments %s', d.id, d.repaid_minor,
                                        coalesce(r.repaid, 0))
     from disputes d
     left join (
       select merchant_id, mode, dispute_id, sum(amount_minor) as repaid from dispute_repayments group by 1, 2, 3
     ) r on ${sameTenant('r', 'd')} and r.dispute_id = d.id
    where d.repaid_minor <> coalesce(r.repaid, 0)`,
);

const otherAnswers = check(
  'answers-to-disputes-are-what-was-made',
  'Every answer to a dispute is what was made, with the files that it had, and the dispute says how the last one ended.',
  `select a.merchant_id, a.mode,
          format('answer %s (%s, %s) to dispute %s with %s files: %s are there, %s', a.id, a.action, a.status, a.dispute_id, a.files,
                 coalesce(f.files, 0), case when a.digest = ${ANSWER_DIGEST_NOW} then 'as it was made' else 'altered since' end) as detail
     from dispute_answers a
     left join disputes d on ${sameTenant('d', 'a')} and d.id = a.dispute_id
     left join (
       select merchant_id, mode, answer_id, count(*) as files from dispute_files group by 1, 2, 3
     ) f on ${sameTenant('f', 'a')} and f.answer_id = a.id
    where (d.id is not null and a.digest = ${ANSWER_DIGEST_NOW} and a.files = coalesce(f.files, 0)
           and a.made_at between d.opened_at and coalesce(a.ended_at, a.made_at)
           and (a.status = 'REFUSED') = (a.reason is not null)) is not true
   union all
   select d.merchant_id, d.mode, format('dispute %s says that its answer is %s (%s), and that is %s (%s)', d.id,
                                        coalesce(d.answer, 'none'), coalesce(d.answer_status, 'none'),
                                        coalesce(a.action, 'none'), coalesce(a.status, 'none'))
     from disputes d
     left join (
       select distinct on (merchant_id, mode, dispute_id) * from dispute_answers order by merchant_id, mode, dispute_id, id desc
     ) a on ${sameTenant('a', 'd')} and a.dispute_id = d.id
    where (d.answer, d.answer_status, d.answer_reason) is distinct from (a.action, a.status, a.reason)`,
);

/** What was noted and is in no books is booked by the next retry. */
const strayDirectory = check(
  'disputes-lead-from-their-providers',
  'Every dispute is the one that its number at the provider leads to, and every one that was noted was opened within days.',
  `select coalesce(d.merchant_id, n.merchant_id) as merchant_id, coalesce(d.mode, n.mode) as mode,
          format('dispute %s of payment %s (%s at %s): the directory leads from %s at %s to %s of payment %s', coalesce(d.id::text, 'none'),
                 d.payment_id, d.provider_dispute_id, d.rail, n.provider_dispute_id, n.rail, coalesce(n.dispute_id::text, 'nothing'),
                 n.payment_id) as detail
     from disputes d
     full join (select * from dispute_directory where status = 'NOTED') n
       on ${sameTenant('n', 'd')} and n.rail = d.rail and n.provider_dispute_id = d.provider_dispute_id
    where case when d.id is null then n.first_seen_at < now() - interval '4 days'
               else (n.dispute_id = d.id and n.payment_id = d.payment_id) is not true end`,
);

/** What goes back of a payment, by whatever takes it back. */
const TAKEN_BACK = `select merchant_id, mode, payment_id, disputed_minor as amount_minor from disputes where status <> 'WON'
        union all
       select merchant_id, mode, payment_id, amount_minor from ${COUNTED_REFUNDS} r`;

const wrongTakenBack = check(
  'payments-are-taken-back-once',
  'What is counted as taken back of a payment is what its refunds send back and its disputes may take, and never more than the payment.',
  `select coalesce(u.merchant_id, b.merchant_id) as merchant_id, coalesce(u.mode, b.mode) as mode,
          format('payment %s of %s: %s is counted as taken back, and %s is', coalesce(u.period, b.payment_id::text), p.amount_minor,
                 coalesce(u.used_minor, 0), coalesce(b.amount_minor, 0)) as detail
     from (select * from limit_usage where scope = 'PAYMENT_TAKEN_BACK') u
     full join (
       select merchant_id, mode, payment_id, sum(amount_minor) as amount_minor from (${TAKEN_BACK}) parts group by 1, 2, 3
     ) b on ${sameTenant('b', 'u')} and b.payment_id::text = u.period
     left join inbound_payments p on p.merchant_id = coalesce(u.merchant_id, b.merchant_id) and p.mode = coalesce(u.mode, b.mode)
          and p.id::text = coalesce(u.period, b.payment_id::text)
    where (coalesce(u.used_minor, 0) = coalesce(b.amount_minor, 0) and coalesce(b.amount_minor, 0) <= p.amount_minor) is not true`,
);

/** What is at the bank and not here is found by the next list. */
const otherBook = check(
  'the-sandbox-bank-has-the-same-disputes',
  'The sandbox bank’s own book has every dispute of the sandbox, of the same payment and amount, with the answer that it was sent, and ended it as it said; and each one in it was reported once, when it was opened there.',
  `select d.merchant_id, d.mode,
          format('dispute %s (%s, answered %s) of %s until %s: the bank has %s of %s of credit %s until %s as %s, answered %s', d.id, d.status,
                 coalesce(d.answer, 'nothing'), d.amount_minor, d.due_at, coalesce(b.id, 'nothing'), b.amount_minor, b.credit_id, b.due_at,
                 b.scenario, coalesce(b.answer, 'nothing')) as detail
     from disputes d
     join inbound_payments p on ${sameTenant('p', 'd')} and p.id = d.payment_id
     left join sandbox_disputes b on ${sameTenant('b', 'd')} and b.id = d.provider_dispute_id
     left join (
       select distinct on (merchant_id, mode, dispute_id) * from dispute_answers where status = 'SENT' order by merchant_id, mode, dispute_id, id desc
     ) a on ${sameTenant('a', 'd')} and a.dispute_id = d.id
     left join (select distinct merchant_id, mode from events where type = 'sandbox.clock_advanced') m on ${sameTenant('m', 'd')}
    where d.rail = 'sandbox' and d.source = 'PROVIDER'
      and (b.credit_id = p.provider_transaction_id and b.amount_minor = d.amount_minor and b.category = d.category
           and b.message is not distinct from d.message and b.opened_at <= d.opened_at + ${CLOCKS}
           -- Time that was moved forward may be moved between a report and the opening.
           and (d.ended_at is not null or m.merchant_id is not null or b.due_at = d.due_at)
           and case when a.id is null then b.files = 0 and (b.answer is null or d.answer is not null)
                    else b.answer = a.action and b.files = a.files end
           and case d.status when 'ACCEPTED' then b.answer = 'ACCEPT'
                             when 'WON' then b.answer = 'CONTEST' and b.scenario not in ('lost', 'undecided', 'evidence_refused')
                             when 'LOST' then b.answer is null or b.scenario in ('lost', 'lost_then_won')
                             else b.answer is not null or m.merchant_id is not null or b.due_at > d.opened_at end) is not true
   union all
   select coalesce(b.merchant_id, e.merchant_id), coalesce(b.mode, e.mode),
          format('the bank’s dispute %s of %s of credit %s: reported %s times, by event %s of %s of payment %s', b.id, b.amount_minor,
                 b.credit_id, coalesce(e.events, 0), coalesce(e.sequence::text, 'none'), e.amount, e."paymentId")
     from sandbox_disputes b
     full join (
       select v.merchant_id, v.mode, v.sequence, v.created_at, x.*,
              count(*) over (partition by v.merchant_id, v.mode, x."providerDisputeId") as events
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("providerDisputeId" text, "paymentId" uuid, amount numeric, currency text, scenario text, "dueAt" timestamptz)
        where v.type = 'sandbox.dispute_opened'
     ) e on ${sameTenant('e', 'b')} and e."providerDisputeId" = b.id
     left join inbound_payments p on ${sameTenant('p', 'e')} and p.id = e."paymentId"
    where (e.events = 1 and e.created_at = b.opened_at and e.amount = b.amount_minor / 100.0 and e.scenario = b.scenario
           and p.provider_transaction_id = b.credit_id and e.currency = p.currency
           -- Its clock moves by whole seconds what was reported back.
           and b.due_at <= e."dueAt" and mod(extract(epoch from e."dueAt" - b.due_at), 1) = 0) is not true`,
);

export const disputeChecks: readonly Check[] = [
  otherBook,
  otherMoves,
  tookTooLittle,
  unsupported,
  otherDebts,
  otherAnswers,
  strayDirectory,
  wrongTakenBack,
];
