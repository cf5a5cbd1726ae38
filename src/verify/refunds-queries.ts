import { REFUND_PROPOSAL_FINGERPRINT } from '../refund-outcomes/index.ts';
import { refundAttemptDigest } from '../refunds/index.ts';
import { decidedByTwo } from './decisions-queries.ts';
import { type Check, CLOCKS, check, LATEST, SOON, sameTenant, signsOf } from './queries.ts';

/** What a refund holds or has taken of its payment. */
export const COUNTED_REFUNDS = `(select * from refunds where status not in ('FAILED', 'CANCELLED'))`;

/** When a refund came to the state that it has: one that came back was a success before. */
const STEPS = `select merchant_id, mode, subject_id, count(*) as steps, max(created_at) as last_at,
              max(created_at) filter (where to_state = 'SUCCESS') as paid_at,
              max(created_at) filter (where to_state in ('FAILED', 'CANCELLED')) as freed_at,
              count(*) filter (where to_state = 'NEEDS_DETAILS') as wishes
         from state_changes where subject = 'refund' group by merchant_id, mode, subject_id`;

const wrongHolds = check(
  'refunds-move-what-they-say',
  'Every refund by its provider held its amount once, from its wallet against what the provider owes, when it was accepted; it was debited once when the provider had sent it, and released when it was not; and nothing else did so.',
  `select coalesce(r.merchant_id, h.merchant_id) as merchant_id, coalesce(r.mode, h.mode) as mode,
          format('refund %s (%s) of %s from %s by hold %s: there is hold %s of %s for %s, and it was ended by %s at %s', r.id, r.status,
                 r.amount_minor, r.wallet_id, coalesce(r.hold_id::text, 'none'), coalesce(h.id::text, 'none'), h.amount_minor,
                 h.transaction_id, coalesce(e.kind, 'nothing'), e.created_at) as detail
     from (select * from refunds where way = 'PROVIDER') r
     full join (select * from transfers where code = 'REFUND' and kind = 'PENDING') h
       on ${sameTenant('h', 'r')} and h.id = r.hold_id
     left join transfers e on ${sameTenant('e', 'h')} and e.pending_id = h.id and e.transaction_id = h.transaction_id
     left join (${STEPS}) s on ${sameTenant('s', 'r')} and s.subject_id = r.id
    where (h.transaction_id = r.id and h.amount_minor = r.amount_minor and h.currency = r.currency
           and h.debit_account_id = r.wallet_id and h.credit_account_id = r.receivable_id and h.created_at = r.created_at
           and case r.status when 'SUCCESS' then e.kind = 'POST' and e.created_at = s.paid_at
                             when 'FAILED' then e.kind = 'VOID' and e.created_at = s.freed_at
                             when 'CANCELLED' then e.kind = 'VOID' and e.created_at = s.freed_at
                             else e.kind is null end) is not true`,
);

const wrongPayments = check(
  'refunds-never-exceed-their-payment',
  'Every refund is of a payment in that a wallet has, from that wallet or, as a payout, from the main one, and all refunds of a payment together never come to more than it.',
  `select r.merchant_id, r.mode,
          format('refund %s of %s from wallet %s by %s (receivable %s): payment %s (%s) of %s by %s', r.id, r.amount_minor, r.wallet_id,
                 r.rail, r.receivable_id, coalesce(p.id::text, 'none'), p.status, p.amount_minor, p.rail) as detail
     from refunds r
     left join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.payment_id
     left join accounts m on ${sameTenant('m', 'r')} and m.kind = 'MERCHANT_WALLET'
    where (p.status = 'CREDITED' and p.rail = r.rail and p.receivable_id = r.receivable_id and p.currency = r.currency
           and p.amount_minor >= r.amount_minor and p.confirmed_at <= r.created_at + ${CLOCKS}
           and r.wallet_id = case r.way when 'PAYOUT' then m.id else coalesce(p.attributed_wallet_id, p.wallet_id) end
          ) is not true
   union all
   select r.merchant_id, r.mode, format('payment %s of %s was refunded %s', r.payment_id, p.amount_minor, r.amount_minor)
     from (
       select merchant_id, mode, payment_id, sum(amount_minor) as amount_minor
         from ${COUNTED_REFUNDS} counted group by merchant_id, mode, payment_id
     ) r
     join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.payment_id
    where r.amount_minor > p.amount_minor
   union all
   select r.merchant_id, r.mode, format('refund %s was made by the rule for %s: the payment came %s', r.id, r.cause,
                                        coalesce(n.note, 'for no session, or as it should'))
     from refunds r
     left join payment_session_payments n on ${sameTenant('n', 'r')} and n.payment_id = r.payment_id
    where r.cause <> 'MERCHANT'
      and case r.cause when 'LATE' then n.note = 'LATE' and n.amount_minor >= r.amount_minor
                       else n.note in ('OVERPAID', 'SECOND_PAYMENT') end is not true`,
);

/** What else takes a payment back, such as a dispute, counts beside refunds. */
const otherPayouts = check(
  'refunds-are-as-their-payouts',
  'Every refund by a payout is one payout with that purpose, over its amount to its account, and ends as that does; and no other payout has that purpose.',
  `select coalesce(r.merchant_id, t.merchant_id) as merchant_id, coalesce(r.mode, t.mode) as mode,
          format('refund %s (%s) of %s to %s by payout %s: payout %s (%s) of %s to %s', r.id, r.status, r.amount_minor, r.account_number,
                 coalesce(r.payout_id::text, 'none'), coalesce(t.id::text, 'none'), t.status, t.amount_minor,
                 t.beneficiary_account_number) as detail
     from (select * from refunds where way = 'PAYOUT') r
     full join (
       select t.*, p.approval_id, p.rules_version, p.scenario
         from payouts p
         join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
        where p.purpose = 'REFUND'
     ) t on ${sameTenant('t', 'r')} and t.id = r.payout_id
    where (t.amount_minor = r.amount_minor and t.currency = r.currency and t.beneficiary_bank_code = r.bank_code
           and t.beneficiary_account_number = r.account_number and t.beneficiary_account_name = r.account_name
           and t.approval_id is not distinct from r.approval_id and t.rules_version is not distinct from r.rules_version
           and t.scenario is not distinct from r.scenario
           and num_nonnulls(r.counted_on, r.provider_refund_id, r.first_sent_at, r.sent_at) = 0
           -- While it is due it is about to be brought there.
           and (r.due_at is not null
                or r.status = case t.status when 'REVERSED' then 'FAILED' else t.status end)
           and (r.status <> 'FAILED' or t.status in ('FAILED', 'REVERSED')
                and r.reason is not distinct from case t.status when 'REVERSED' then 'PAYOUT_REVERSED' else t.reason end)
          ) is not true`,
);

const REPORTED = `json_to_record(e.data::json)
                as x ("refundId" uuid, "paymentId" uuid, reference text, status text, conclusive boolean, reason text, way text,
                      cause text, amount numeric, currency text, note text, "walletId" uuid, "payoutTransactionId" uuid,
                      account json, "providerReference" text, "approvalId" uuid, mode text, "createdAt" timestamptz,
                      "updatedAt" timestamptz)`;

/** What every report of a refund says of it, whatever step it is of. */
const SAYS_SO = `(x."refundId", x."paymentId", x.way, x.cause, x.amount * 100, x.currency, x."walletId", x.mode, x."createdAt")
             = (r.id, r.payment_id, r.way, r.cause, r.amount_minor, r.currency, r.wallet_id, r.mode, r.created_at)
           and x.reference is not distinct from r.client_reference and x.note is not distinct from r.note
           and x."payoutTransactionId" is not distinct from r.payout_id and x."approvalId" is not distinct from r.approval_id
           and coalesce(x."providerReference", r.provider_refund_id, '') = coalesce(r.provider_refund_id, '')
           and (x.account is null or x.account ->> 'accountNumber' is not null)
           and x.conclusive = (x.status in ('SUCCESS', 'FAILED', 'CANCELLED')) and x."updatedAt" = e.created_at
           and e.type = 'refund.' || case x.status when 'SUCCESS' then 'succeeded' else lower(x.status) end`;

const reportedOtherwise = check(
  'refunds-are-reported-as-they-are',
  'Every step of a refund was reported once, at its moment, as one of that refund, and the last report says of it what it is.',
  `select coalesce(r.merchant_id, e.merchant_id) as merchant_id, coalesce(r.mode, e.mode) as mode,
          format('refund %s (%s) has taken %s steps and was reported %s times; the last of them says %s at %s',
                 coalesce(r.id, e.subject_id), r.status, coalesce(s.steps, 0), coalesce(e.events, 0), x.status, x."updatedAt") as detail
     from refunds r
     full join (
       select merchant_id, mode, subject_id, count(*) as events, count(distinct created_at) as moments,
              (array_agg(data order by sequence desc))[1] as data, (array_agg(type order by sequence desc))[1] as type,
              max(created_at) as created_at, min(created_at) as first_at
         from events where type like 'refund.%' group by merchant_id, mode, subject_id
     ) e on ${sameTenant('e', 'r')} and e.subject_id = r.id
     left join (${STEPS}) s on ${sameTenant('s', 'r')} and s.subject_id = r.id
     left join (
       select r.merchant_id, r.mode, r.id, count(*) as reports
         from refunds r
         join (
           select *, lag(type) over steps as type_before, lag((data::json ->> 'account')::jsonb) over steps as account_before
             from events where type like 'refund.%'
           window steps as (partition by merchant_id, mode, subject_id order by sequence)
         ) e on ${sameTenant('e', 'r')} and e.subject_id = r.id
         join lateral ${REPORTED} on ${SAYS_SO}
          -- Another account is one that a provider had asked for.
          and (e.type_before is null or x.account::jsonb is not distinct from e.account_before
               or e.type_before = 'refund.needs_details' and e.type = 'refund.processing')
        where x.reason is null and e.created_at = r.created_at
           or exists (select from state_changes c
                       where ${sameTenant('c', 'r')} and c.subject = 'refund' and c.subject_id = r.id
                         and c.created_at = e.created_at and c.reason is not distinct from x.reason)
        group by r.merchant_id, r.mode, r.id
     ) f on ${sameTenant('f', 'r')} and f.id = r.id
     left join lateral ${REPORTED} on true
    where (e.events = 1 + coalesce(s.steps, 0) and f.reports = e.events and e.first_at = r.created_at and e.created_at = r.updated_at
           and r.updated_at = coalesce(s.last_at, r.created_at)
           and x.status = r.status and x."updatedAt" = r.updated_at and x.reason is not distinct from r.reason
           and x.account ->> 'bankCode' is not distinct from r.bank_code
           and x.account ->> 'accountNumber' is not distinct from r.account_number
           and x.account ->> 'accountName' is not distinct from r.account_name) is not true`,
);

const wrongEvidence = check(
  'refunds-have-their-evidence',
  'Every refund that its provider ended has the answer that did, about its amount; and every call and answer is what it was when it was written.',
  `select a.merchant_id, a.mode, format('%s %s of refund %s (%s said %s) is not what was written', lower(a.kind), a.id, a.refund_id,
                                        a.rail, coalesce(a.outcome, 'nothing yet')) as detail
     from refund_attempts a
     left join refunds r on ${sameTenant('r', 'a')} and r.id = a.refund_id
    where (a.digest = ${refundAttemptDigest('a')} and r.way = 'PROVIDER' and r.rail = a.rail) is not true
   union all
   select r.merchant_id, r.mode,
          format('refund %s is %s (%s): %s answers say so; it has %s of %s calls, sent first at %s, by its calls at %s', r.id, r.status,
                 coalesce(r.reason, 'no reason'), coalesce(a.saying, 0), r.attempts, coalesce(a.calls, 0), r.first_sent_at, a.first_at)
     from refunds r
     left join (
       select a.merchant_id, a.mode, a.refund_id,
              count(*) filter (where a.outcome = case r.status when 'SUCCESS' then 'succeeded' else 'failed' end
                                 and a.reason is not distinct from case r.status when 'SUCCESS' then a.reason else coalesce(a.reason, r.reason) end
                                 and (a.kind = 'OPERATOR' or r.status <> 'SUCCESS'
                                      or (a.reported::json ->> 'amountMinor')::bigint = r.amount_minor)
                                 and coalesce(a.provider_refund_id, r.provider_refund_id, '') = coalesce(r.provider_refund_id, '')) as saying,
              count(*) filter (where a.kind <> 'OPERATOR') as calls,
              -- One that could not begin is unknown as well, and the refund is sent first by a later one.
              min(a.started_at) filter (where a.kind = 'SEND' and a.outcome is distinct from 'unknown') as first_at,
              max(a.started_at) filter (where a.kind = 'SEND') as last_at,
              max(a.provider_refund_id) as named,
              count(*) filter (where a.outcome = 'needs_details') as wishes
         from refund_attempts a
         join refunds r on ${sameTenant('r', 'a')} and r.id = a.refund_id
        group by a.merchant_id, a.mode, a.refund_id
     ) a on ${sameTenant('a', 'r')} and a.refund_id = r.id
     left join (${STEPS}) s on ${sameTenant('s', 'r')} and s.subject_id = r.id
     left join (select distinct merchant_id, mode from events where type = 'sandbox.clock_advanced') c on ${sameTenant('c', 'r')}
    where r.way = 'PROVIDER'
      and (r.attempts = coalesce(a.calls, 0)
           and case when r.first_sent_at is null then a.first_at is null
                    -- Who took it first may have died before the call.
                    else r.first_sent_at <= coalesce(a.first_at, a.last_at, r.first_sent_at)
                         -- The sandbox's clock moves what was sent back.
                         and (c.merchant_id is not null or r.first_sent_at >= r.created_at - ${CLOCKS}) end
           and (r.sent_at is null or r.sent_at >= r.first_sent_at)
           and (r.provider_refund_id is null) = (a.named is null)
           and coalesce(s.wishes, 0) <= coalesce(a.wishes, 0)
           and (r.status not in ('SUCCESS', 'FAILED') or a.saying > 0)) is not true`,
);

const wrongKeys = check(
  'names-at-providers-lead-to-their-refunds',
  'Every refund by a provider is found by our reference, by its payment there and by its id there.',
  `select r.merchant_id, r.mode, format('refund %s by %s is not found by %s', r.id, r.rail, n.key) as detail
     from (select * from refunds where way = 'PROVIDER') r
     join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.payment_id
    cross join lateral (values (replace(r.id::text, '-', '')), (p.provider_transaction_id), (p.provider_reference),
                               (r.provider_refund_id)) n (key)
     left join refund_keys k on ${sameTenant('k', 'r')} and k.rail = r.rail and k.key = n.key and k.refund_id = r.id
    where n.key is not null and k.key is null
   union all
   select k.merchant_id, k.mode, format('%s at %s leads to refund %s, which is not there', k.key, k.rail, k.refund_id)
     from refund_keys k
     left join refunds r on ${sameTenant('r', 'k')} and r.id = k.refund_id and r.rail = k.rail
     left join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.payment_id
     left join (
       select distinct merchant_id, mode, refund_id, provider_refund_id from refund_attempts where provider_refund_id is not null
     ) a on ${sameTenant('a', 'k')} and a.refund_id = k.refund_id and a.provider_refund_id = k.key
    where (r.way = 'PROVIDER'
           and (k.key in (replace(r.id::text, '-', ''), p.provider_transaction_id, p.provider_reference)
                or a.provider_refund_id is not null)) is not true`,
);

/** Columns that hold times: as text they depend on who writes it. */
const unapproved = check(
  'refunds-went-after-their-approval',
  'Every refund by a provider that needed an approval went only after it was given, for itself, no approval is of a refund that names another, and what went without one names the rules that ask for none.',
  `select r.merchant_id, r.mode,
          format('refund %s (%s) of %s needed approval %s, which is %s, for %s of %s', r.id, r.status, r.amount_minor, r.approval_id,
                 coalesce(a.status, 'missing'), a.subject_id, a.amount_minor) as detail
     from (select * from refunds where way = 'PROVIDER' and approval_id is not null) r
     left join approvals a on ${sameTenant('a', 'r')} and a.id = r.approval_id
    where (a.kind = 'REFUND' and a.subject_id = r.id and a.amount_minor = r.amount_minor and a.currency = r.currency
           and a.rules_version = r.rules_version and a.made_at = r.created_at
           and case r.status when 'PENDING_APPROVAL' then a.status = 'PENDING'
                             when 'CANCELLED' then a.status not in ('PENDING', 'APPROVED') and r.reason = 'APPROVAL_' || a.status
                             else a.status = 'APPROVED' end
           and a.payload::json -> 'content' ->> 'payment_id' = r.payment_id::text
           and a.payload::json -> 'content' ->> 'amount_minor' = r.amount_minor::text
           and a.payload::json -> 'content' ->> 'wallet_id' = r.wallet_id::text
           and a.payload::json -> 'content' ->> 'note' is not distinct from r.note) is not true
   union all
   select a.merchant_id, a.mode, format('approval %s is for refund %s, which names %s', a.id, a.subject_id,
                                        coalesce(r.approval_id::text, 'none'))
     from (select * from approvals where kind = 'REFUND') a
     left join refunds r on ${sameTenant('r', 'a')} and r.id = a.subject_id
    where r.approval_id is distinct from a.id
   union all
   select merchant_id, mode, format('refund %s went without an approval, and names no rules that say that it needs none', id)
     from refunds where way = 'PROVIDER' and cause = 'MERCHANT' and approval_id is null and rules_version is null`,
);

/** What waits is looked at within hours: only what waits for people is left alone. */
const forgotten = check(
  'open-refunds-are-looked-at',
  'Every refund that is sent or about to be is due to a worker, by the step that its state leaves, and what people have to look into says since when.',
  `select r.merchant_id, r.mode, format('refund %s (%s, %s) is due at %s for %s%s', r.id, r.way, r.status, coalesce(r.due_at::text, 'no time'),
                                        r.next_step, coalesce(', before the operator for ' || r.operator_reason, '')) as detail
     from refunds r, ${LATEST} latest
    where (case r.way when 'PAYOUT' then r.next_step = 'FOLLOW'
                  else case r.status when 'PENDING_APPROVAL' then r.due_at is null and r.next_step = 'SEND'
                                     when 'QUEUED' then r.due_at is not null and r.next_step in ('SEND', 'QUERY')
                                     when 'PROCESSING' then r.due_at is not null and r.next_step in ('SEND', 'QUERY', 'DETAILS')
                                     when 'NEEDS_DETAILS' then r.due_at is not null and r.next_step = 'QUERY'
                                     else r.due_at is null and r.next_step <> 'FOLLOW' or r.next_step = 'CHECK' end end
           and (r.due_at is null or r.due_at <= greatest(latest.at, r.updated_at) + ${SOON})
           and (r.operator_since is null or r.operator_since >= r.created_at - ${CLOCKS})
           and (r.lease_id is null or r.due_at is not null)
           and (r.status in ('PENDING_APPROVAL', 'CANCELLED') or r.way = 'PAYOUT' or r.status = 'QUEUED' or r.first_sent_at is not null)
          ) is not true`,
);

const refundTransactions = check(
  'sent-refunds-are-transactions',
  'Every refund that its provider has sent is a transaction of its amount, from its wallet to the payer of its payment, at that moment; and no other transaction is.',
  `select coalesce(r.merchant_id, t.merchant_id) as merchant_id, coalesce(r.mode, t.mode) as mode,
          format('refund %s (%s) of %s; transaction %s of %s (%s) at %s', coalesce(r.id, t.id), r.status, r.amount_minor,
                 coalesce(t.id::text, 'none'), t.amount_minor, t.status, t.created_at) as detail
     from (select * from refunds where way = 'PROVIDER' and status = 'SUCCESS') r
     join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.payment_id
     join wallets w on ${sameTenant('w', 'r')} and w.id = r.wallet_id
     join accounts o on ${sameTenant('o', 'r')} and o.kind = 'PROVIDER_FLOAT'
     full join (select * from transactions where category = 'REFUND') t on ${sameTenant('t', 'r')} and t.id = r.id
    where ((t.status, t.amount_minor, t.charges_minor, t.currency, t.wallet_id, t.from_wallet_id, t.to_wallet_id, t.provider_wallet_id)
             = ('SUCCESS', r.amount_minor, 0, r.currency, r.wallet_id, r.wallet_id, r.receivable_id, o.id)
           and (t.created_at, t.updated_at, t.paid_at) = (r.updated_at, r.updated_at, r.updated_at)
           and num_nonnulls(t.reason, t.client_reference, t.batch_id, t.subject_id, t.subject_name, t.metadata) = 0
           and (t.originator_bank_code, t.originator_bank_name, t.originator_account_number, t.originator_account_name)
             = (w.bank_code, w.bank_name, w.account_number, w.account_name)
           and (t.beneficiary_bank_code, t.beneficiary_bank_name, t.beneficiary_account_number, t.beneficiary_account_name)
             = (coalesce(r.bank_code, ''), coalesce(p.payer_bank_name, ''), coalesce(r.account_number, p.payer_account_number, ''),
                coalesce(r.account_name, p.payer_name, 'Unknown payer'))
           and t.narration = coalesce(r.note, left('Refund to ' || coalesce(p.payer_name, 'Unknown payer'), 100))
           and ${signsOf('t.description')} like '%wentbackto%') is not true`,
);

/** The first request of one scenario is lost: its row is there, and was not received before the second. */
const otherBook = check(
  'the-sandbox-bank-has-the-same-refunds',
  'The sandbox bank’s own book has every refund that it was asked for, over the same amount of the same payment, and processed what ours says is done.',
  `select coalesce(r.merchant_id, b.merchant_id) as merchant_id, coalesce(r.mode, b.mode) as mode,
          format('refund %s (%s) of %s: the bank has %s of %s of %s as %s', coalesce(r.id::text, b.reference), r.status, r.amount_minor,
                 coalesce(b.reference, 'nothing'), b.amount_minor, b.credit_id, b.scenario) as detail
     from (
       select r.*, p.provider_transaction_id, a.is_answered, a.queries, a.answered_queries
         from refunds r
         join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.payment_id
         left join (
           select merchant_id, mode, refund_id, bool_or(code is not null and outcome <> 'not_found') as is_answered,
                  count(*) filter (where kind = 'QUERY') as queries,
                  count(*) filter (where kind = 'QUERY' and code is not null and outcome <> 'not_found') as answered_queries
             from refund_attempts group by merchant_id, mode, refund_id
         ) a on ${sameTenant('a', 'r')} and a.refund_id = r.id
        where r.way = 'PROVIDER' and r.rail = 'sandbox'
     ) r
     full join sandbox_refunds b on ${sameTenant('b', 'r')} and b.reference = replace(r.id::text, '-', '')
    where case when b.reference is null then r.is_answered
               else (b.credit_id = r.provider_transaction_id and b.amount_minor = r.amount_minor and b.currency = r.currency
                     and b.scenario = coalesce(r.scenario, 'refund-success') and b.queries between r.answered_queries and r.queries
                     -- The sandbox's clock moves what was received, and nothing forward.
                     and (b.scenario = 'refund-timeout-not-executed' or b.received_at <= b.first_asked_at)
                     and b.first_asked_at >= r.created_at - ${CLOCKS}
                     and (b.account_number is null and r.status <> 'SUCCESS' or b.account_number is not distinct from r.account_number)
                     and (r.status <> 'SUCCESS' or b.received_at is not null)) is not true end
   union all
   select b.merchant_id, b.mode, format('the sandbox bank refunds %s of credit %s of %s', b.amount_minor, b.credit_id, c.amount_minor)
     from (
       select merchant_id, mode, credit_id, sum(amount_minor) as amount_minor from sandbox_refunds
        where scenario not in ('refund-refused', 'refund-pending-then-failed') group by merchant_id, mode, credit_id
     ) b
     left join sandbox_credits c on ${sameTenant('c', 'b')} and c.id = b.credit_id
    where (b.amount_minor <= c.amount_minor) is not true`,
);

const lonelyDecisions = check(
  'refund-outcomes-are-decided-by-two',
  'Every outcome of a refund that the operator decided was proposed by one person and confirmed by another, as the evidence of the refund has it, and the proposal is what it was when it was made.',
  `${decidedByTwo({
    proposals: 'refund_outcome_proposals',
    machine: 'refund_outcome_proposal',
    subjects: 'refunds',
    subject: 'refund',
    attempts: 'refund_attempts',
  })}
   union all
   select o.merchant_id, o.mode, format('proposal %s of refund %s is not what was proposed', o.id, o.refund_id)
     from refund_outcome_proposals o
    where (o.digest = ${REFUND_PROPOSAL_FINGERPRINT}) is not true`,
);

export const refundChecks: readonly Check[] = [
  wrongHolds,
  wrongPayments,
  otherPayouts,
  reportedOtherwise,
  wrongEvidence,
  wrongKeys,
  unapproved,
  forgotten,
  refundTransactions,
  otherBook,
  lonelyDecisions,
];
