import { availabilityDigest } from '../availability/index.ts';
import { providerLineDigest, settlementDigest } from '../provider-settlements/index.ts';
import { type Check, CLOCKS, check, NOBODY, sameTenant } from './queries.ts';

/** What settlements of payments in moved, by the id of each. */
const MOVED = `select t.merchant_id, t.mode, t.transaction_id, count(*) as made, bool_and(t.kind = 'POSTED') as are_posted,
              coalesce(sum(t.amount_minor) filter (where t.code = 'COLLECTION_SETTLEMENT'), 0) as net_minor,
              coalesce(sum(t.amount_minor) filter (where t.code = 'PROVIDER_FEE'), 0) as fee_minor,
              min(t.credit_account_id::text) as receivable, max(t.credit_account_id::text) as last_receivable,
              min(t.created_at) as created_at, max(t.created_at) as last_at
         from transfers t
         left join deduction_settlements d on ${sameTenant('d', 't')} and d.id = t.transaction_id
        where t.code in ('COLLECTION_SETTLEMENT', 'PROVIDER_FEE') and d.id is null
        group by t.merchant_id, t.mode, t.transaction_id`;

const otherPostings = check(
  'payments-in-are-settled-once',
  'Every payment in that the provider settled left what it owes once, whole: net to the float and its fee to its cost; and nothing else did.',
  `select coalesce(s.merchant_id, t.merchant_id) as merchant_id, coalesce(s.mode, t.mode) as mode,
          format('payment %s (%s) of %s was settled at %s less %s: %s transfers of %s and %s', s.payment_id,
                 coalesce(p.status, 'not there'), p.amount_minor, s.gross_minor, s.fee_minor, coalesce(t.made, 0),
                 coalesce(t.net_minor, 0), coalesce(t.fee_minor, 0)) as detail
     from collection_settlements s
     left join inbound_payments p on ${sameTenant('p', 's')} and p.id = s.payment_id
     full join (${MOVED}) t on ${sameTenant('t', 's')} and t.transaction_id = s.id
    where (p.amount_minor = s.gross_minor and p.status <> 'PENDING_SETTLEMENT' and p.confirmed_at <= s.settled_at + ${CLOCKS}
           and t.are_posted and t.net_minor = s.gross_minor - s.fee_minor and t.fee_minor = s.fee_minor
           and t.made = (s.fee_minor > 0)::int + (s.gross_minor > s.fee_minor)::int
           and t.receivable = p.receivable_id::text and t.last_receivable = t.receivable
           and t.created_at = s.settled_at and t.last_at = s.settled_at) is not true`,
);

const otherLines = check(
  'settled-payments-have-their-line',
  'Every payment in was settled by a line of a settlement of its provider account that agreed with it and that two people applied; and every such line of one that is done was posted.',
  `select s.merchant_id, s.mode,
          format('payment %s of %s by %s was settled by line %s (%s) of settlement %s (%s) of %s', s.payment_id, s.gross_minor,
                 coalesce(p.rail, 'nobody'), l.line_number, coalesce(l.result, 'not there'), f.reference,
                 coalesce(f.status, 'not there'), f.rail) as detail
     from collection_settlements s
     left join inbound_payments p on ${sameTenant('p', 's')} and p.id = s.payment_id
     left join provider_settlements f on f.id = s.settlement_id
     left join provider_settlement_lines l on l.settlement_id = s.settlement_id and l.id = s.line_id
    where (l.result in ('MATCHED', 'FEE_DIFFERS') and l.merchant_id = s.merchant_id and l.payment_id = s.payment_id
           and l.gross_minor = s.gross_minor and l.fee_minor = s.fee_minor and f.rail = p.rail and f.mode = s.mode
           and f.status in ('APPLYING', 'DONE') and f.decided_at <= s.settled_at + ${CLOCKS}) is not true
   union all
   select coalesce(l.merchant_id, ${NOBODY}), f.mode, format('line %s of settlement %s agrees, and was not posted', l.line_number,
                                                             f.reference)
     from provider_settlement_lines l
     join provider_settlements f on f.id = l.settlement_id and f.status = 'DONE'
     left join collection_settlements s
       on s.merchant_id = l.merchant_id and s.mode = f.mode and s.payment_id = l.payment_id and s.line_id = l.id
    where l.result in ('MATCHED', 'FEE_DIFFERS') and s.line_id is null`,
);

/** The steps by which a payment came into a wallet out of what waited. */
const RELEASED = `select merchant_id, mode, subject_id, created_at from state_changes
        where subject = 'inbound_payment' and from_state = 'PENDING_SETTLEMENT' and to_state = 'CREDITED'`;

/** Out of what waited to a wallet, by the payment. */
const TO_WALLETS = `select t.merchant_id, t.mode, t.transaction_id, count(*) as made, sum(t.amount_minor) as amount_minor,
              min(t.created_at) as created_at, min(t.credit_account_id::text) as wallet
         from transfers t
         join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id and d.kind = 'PENDING_COLLECTIONS'
        where t.code = 'COLLECTION'
        group by t.merchant_id, t.mode, t.transaction_id`;

const otherReleases = check(
  'payments-are-released-by-their-settlement',
  'Every payment in that waited for its settlement came into its wallet by it, at that moment, whole and once; and nothing else left what waits.',
  `select coalesce(r.merchant_id, t.merchant_id) as merchant_id, coalesce(r.mode, t.mode) as mode,
          format('payment %s (%s) of %s was released at %s, settled at %s: %s transfers of %s', coalesce(r.subject_id, t.transaction_id),
                 coalesce(p.status, 'not there'), p.amount_minor, coalesce(r.created_at::text, 'no time'),
                 coalesce(s.settled_at::text, 'no time'), coalesce(t.made, 0), coalesce(t.amount_minor, 0)) as detail
     from (${RELEASED}) r
     full join (${TO_WALLETS}) t on ${sameTenant('t', 'r')} and t.transaction_id = r.subject_id
     left join inbound_payments p on ${sameTenant('p', 'r')} and p.id = r.subject_id
     left join collection_settlements s on ${sameTenant('s', 'r')} and s.payment_id = r.subject_id
    where (s.settled_at = r.created_at and t.created_at = r.created_at and t.made = 1 and t.amount_minor = p.amount_minor
           and p.status = 'CREDITED' and p.updated_at = r.created_at
           and t.wallet = coalesce(p.attributed_wallet_id, p.wallet_id)::text) is not true`,
);

const otherBalances = check(
  'pending-collections-and-provider-cost-are-what-they-say',
  'Every account of what waits is the payments in that wait for their settlement, and every account of what providers keep is the fees of what they settled.',
  `select a.merchant_id, a.mode, format('%s of %s says %s and should say %s', a.kind, a.owner_id,
                                        a.credits_posted_minor - a.debits_posted_minor,
                                        case a.kind when 'PROVIDER_COST' then -coalesce(s.fee_minor, 0)
                                                    else coalesce(p.waiting, 0) end) as detail
     from accounts a
     left join (
       select merchant_id, mode, sum(amount_minor) as waiting
         from inbound_payments where status = 'PENDING_SETTLEMENT' group by merchant_id, mode
     ) p on ${sameTenant('p', 'a')}
     left join (
       select merchant_id, mode, sum(fee_minor) as fee_minor
         from (select merchant_id, mode, fee_minor from collection_settlements
                union all
               select merchant_id, mode, fee_minor from deduction_settlements) kept
        group by merchant_id, mode
     ) s on ${sameTenant('s', 'a')}
    where a.kind in ('PENDING_COLLECTIONS', 'PROVIDER_COST')
      and (a.owner_id = a.merchant_id
           and a.credits_posted_minor - a.debits_posted_minor
               = case a.kind when 'PROVIDER_COST' then -coalesce(s.fee_minor, 0) else coalesce(p.waiting, 0) end) is not true`,
);

const otherEvents = check(
  'settled-payments-are-reported',
  'Every payment in that was settled was reported once as that, at its moment, with its amount.',
  `select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('payment %s of %s was settled at %s: %s', coalesce(s.payment_id, e.payment_id), s.gross_minor, s.settled_at,
                 case when e.sequence is null then 'no event reports it'
                      when s.id is null then 'event ' || e.sequence || ' reports what was never settled'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from collection_settlements s
     full join (
       select v.merchant_id, v.mode, v.sequence, v.subject_id, v.created_at, x."settlementId" as id, x."paymentId" as payment_id,
              x.amount, x.currency, x."settledAt" as settled_at
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("settlementId" uuid, "paymentId" uuid, amount numeric, currency text, "settledAt" timestamptz)
        where v.type = 'collection.settled'
     ) e on ${sameTenant('e', 's')} and e.subject_id = s.id
    where (e.id = s.id and e.payment_id = s.payment_id and e.amount = s.gross_minor / 100.0 and e.currency = 'NGN'
           and e.settled_at = s.settled_at and e.created_at = s.settled_at) is not true`,
);

/** What a line says of itself and of the payment that it was compared with, by its result. */
const wrongLines = check(
  'lines-of-settlements-are-what-was-compared',
  'Every line of a provider’s settlement is what was read, names the payment of its transfer, and says of it what the books say; and who resolved it is one of the operator’s people.',
  `select coalesce(l.merchant_id, ${NOBODY}) as merchant_id, coalesce(f.mode, '') as mode,
          format('line %s of settlement %s (%s) of %s for payment %s of %s%s', coalesce(l.line_number::text, l.id::text),
                 coalesce(f.reference, 'none'), coalesce(l.result, 'not compared'), l.gross_minor,
                 coalesce(l.payment_id::text, 'none'), l.our_amount_minor,
                 case when l.digest = ${providerLineDigest('l')} then '' else ', altered since' end) as detail
     from provider_settlement_lines l
     left join provider_settlements f on f.id = l.settlement_id
     left join inbound_payments p on p.merchant_id = l.merchant_id and p.mode = f.mode and p.id = l.payment_id
     left join people a on a.id::text = l.resolved_by and a.kind = 'OPERATOR'
    where (l.digest = ${providerLineDigest('l')} and f.id is not null
           and case when l.deduction is not null
                    then l.payment_id is null and l.our_fee_minor is null and l.gross_minor < 0
                         and (l.subject_id is null) = (l.merchant_id is null)
                         and num_nonnulls(l.subject_type, l.subject_id, l.receivable_id, l.our_amount_minor) in (0, 4)
                         and l.result in ('DEDUCTION', 'DEDUCTION_MATCHED', 'AMOUNT_DIFFERS', 'NET_DIFFERS', 'CURRENCY_DIFFERS',
                                          'MODE_DIFFERS', 'STATUS_DIFFERS', 'ALREADY_SETTLED', 'DUPLICATE_LINE')
                    when l.payment_id is null
                    then num_nonnulls(l.merchant_id, l.our_amount_minor, l.our_fee_minor, l.subject_type, l.subject_id,
                                      l.receivable_id) = 0
                         and coalesce(l.result, '') not in ('MATCHED', 'FEE_DIFFERS', 'MISSING_THERE', 'DEDUCTION_MATCHED')
                    else l.subject_id is null and p.rail = f.rail and l.our_amount_minor = p.amount_minor
                         and l.our_fee_minor is not distinct from p.provider_fee_minor
                         and (l.provider_transaction_id = p.provider_transaction_id or l.session_id = p.session_id) end
           and case when l.result in ('MATCHED', 'FEE_DIFFERS')
                    then l.gross_minor = l.our_amount_minor and l.gross_minor - l.fee_minor = l.net_minor
                         and l.fee_minor between 0 and l.gross_minor and l.currency = 'NGN'
                         and (l.result = 'MATCHED') = (coalesce(l.our_fee_minor, l.fee_minor) = l.fee_minor)
                         and l.resolved_how is null
                    when l.result = 'DEDUCTION_MATCHED'
                    then -l.gross_minor = l.our_amount_minor and l.gross_minor - l.fee_minor = l.net_minor and l.fee_minor >= 0
                         and l.currency = 'NGN' and l.subject_id is not null and l.resolved_how is null
                    when l.result is null then f.status in ('LOADING', 'MATCHING', 'DISCARDED')
                    else true end
           and (l.result = 'MISSING_THERE') = (l.line_number is null)
           and case when l.resolved_how is null then num_nonnulls(l.resolved_by, l.resolved_note) = 0
                    else l.resolved_note is not null and (a.id is not null or l.resolved_how = 'FOUND_LATER') end) is not true`,
);

/**
 * By two people: the file is of the one, and what it says was applied by the other. The release before added up lines of all
 * currencies, and what it applied stays right.
 */
const lonelySettlements = check(
  'settlements-are-applied-by-two',
  'Every provider’s settlement is what was recorded, was applied by another than the one who imported it, and with a note where its lines do not come to the lump sum.',
  `select ${NOBODY} as merchant_id, f.mode,
          format('settlement %s of %s (%s), imported by %s, decided by %s: %s settled, its lines come to %s%s', f.reference, f.rail,
                 f.status, f.imported_by, coalesce(a.email, 'nobody'), f.lump_minor, coalesce(l.net_minor, 0),
                 case when f.digest = ${settlementDigest('f')} then '' else ', altered since' end) as detail
     from provider_settlements f
     left join people a on a.id::text = f.decided_by and a.kind = 'OPERATOR'
     left join (
       select settlement_id, coalesce(sum(net_minor) filter (where currency = 'NGN'), 0) as net_minor,
              coalesce(sum(net_minor), 0) as any_net_minor, count(*) as lines
         from provider_settlement_lines
        where line_number is not null group by settlement_id
     ) l on l.settlement_id = f.id
    where (f.digest = ${settlementDigest('f')} and f.updated_at >= f.created_at - ${CLOCKS}
           and (f.status = 'LOADING' or (f.status = 'DISCARDED' and f.line_count = 0) or f.line_count = coalesce(l.lines, 0))
           and case when f.status in ('LOADING', 'MATCHING', 'READY') then num_nonnulls(f.decided_by, f.decided_at, f.note) = 0
                    else a.id is not null and f.decided_at >= f.created_at - ${CLOCKS} and f.updated_at >= f.decided_at
                         and case f.status when 'DISCARDED' then f.note is not null and f.updated_at = f.decided_at
                                           else a.email <> f.imported_by and (f.note is null or f.imported_by <> 'system')
                                                and (f.note is null) in (f.lump_minor = coalesce(l.net_minor, 0),
                                                                     f.lump_minor = coalesce(l.any_net_minor, 0)) end end) is not true`,
);

/** How a payment was booked first, by where it went from what the provider owes. */
const FIRST = `select t.merchant_id, t.mode, t.transaction_id, min(t.code) as code
         from transfers t
         join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id and d.kind = 'COLLECTION_RECEIVABLE'
        group by t.merchant_id, t.mode, t.transaction_id`;

/** Of each payment, the rule in force when it was confirmed: its merchant's own before one for all, the one of its channel before one for all. */
const IN_FORCE = `select distinct on (p.merchant_id, p.mode, p.id) p.merchant_id, p.mode, p.id, r.availability
         from inbound_payments p
         join availability_rules r
           on r.mode = p.mode and coalesce(r.merchant_id, p.merchant_id) = p.merchant_id
          and (r.channel is null or r.channel = p.channel) and r.effective_from <= p.confirmed_at
        order by p.merchant_id, p.mode, p.id, r.merchant_id is null, r.channel is null, r.effective_from desc, r.id desc`;

const otherAvailability = check(
  'payments-wait-where-the-rules-say',
  'Every payment in that was not held was available at once, or waited for its settlement, as the rule in force said; and every rule is what it was when it was made.',
  `select p.merchant_id, p.mode,
          format('payment %s was booked as %s when the rule was %s', p.id, coalesce(t.code, 'nothing'),
                 coalesce(r.availability, 'ON_CONFIRMATION')) as detail
     from inbound_payments p
     left join (${FIRST}) t on ${sameTenant('t', 'p')} and t.transaction_id = p.id
     left join (${IN_FORCE}) r on ${sameTenant('r', 'p')} and r.id = p.id
    where t.code <> 'COLLECTION_SUSPENSE'
      and (t.code = 'COLLECTION_PENDING') <> (coalesce(r.availability, 'ON_CONFIRMATION') = 'ON_SETTLEMENT')
   union all
   select coalesce(r.merchant_id, ${NOBODY}), r.mode, format('rule %s is not what was made', r.id)
     from availability_rules r
    where r.digest <> ${availabilityDigest('r')} or r.effective_from <= r.created_at`,
);

export const providerSettlementChecks: readonly Check[] = [
  otherPostings,
  otherLines,
  otherReleases,
  otherBalances,
  otherEvents,
  wrongLines,
  lonelySettlements,
  otherAvailability,
];
