import { reserveRuleDigest } from '../reserves/index.ts';
import { type Check, CLOCKS, check, NOBODY, sameTenant } from './queries.ts';

/** What was kept of payments, by payment. */
const KEPT = `select t.merchant_id, t.mode, t.transaction_id, count(*) as made, bool_and(t.kind = 'POSTED') as are_posted,
              sum(t.amount_minor) as amount_minor, min(t.debit_account_id::text) as wallet, min(t.created_at) as created_at
         from transfers t
        where t.code = 'RESERVE'
        group by t.merchant_id, t.mode, t.transaction_id`;

const otherPostings = check(
  'reserves-are-kept-with-their-payments',
  'Of every payment in what it says was kept in reserve moved once, from the wallet that has it, with its credit; and nothing else did.',
  `select coalesce(p.merchant_id, r.merchant_id, t.merchant_id) as merchant_id, coalesce(p.mode, r.mode, t.mode) as mode,
          format('payment %s (%s) of %s: kept %s, reserved %s from %s at %s; %s transfers of %s', coalesce(p.id, r.payment_id, t.transaction_id),
                 coalesce(p.status, 'without'), p.amount_minor, coalesce(p.reserve_minor, 0), coalesce(r.amount_minor, 0), r.wallet_id,
                 coalesce(r.kept_at::text, 'no time'), coalesce(t.made, 0), coalesce(t.amount_minor, 0)) as detail
     from (select * from inbound_payments where reserve_minor > 0) p
     full join reserves r on ${sameTenant('r', 'p')} and r.payment_id = p.id
     full join (${KEPT}) t on t.merchant_id = coalesce(p.merchant_id, r.merchant_id) and t.mode = coalesce(p.mode, r.mode)
          and t.transaction_id = coalesce(p.id, r.payment_id)
     left join transactions x on ${sameTenant('x', 'p')} and x.id = p.id and x.category = 'COLLECTION'
    where (p.status = 'CREDITED' and r.amount_minor = p.reserve_minor and t.made = 1 and t.are_posted
           and t.amount_minor = r.amount_minor and t.wallet = r.wallet_id::text
           and r.wallet_id = coalesce(p.attributed_wallet_id, p.wallet_id)
           and r.kept_at = x.created_at and t.created_at = x.created_at) is not true`,
);

/** Of each credited payment, the rule in force at that moment: as for its availability. */
const IN_FORCE = `select distinct on (p.merchant_id, p.mode, p.id) p.merchant_id, p.mode, p.id, u.id as rule_id, u.days,
              least(floor(p.amount_minor::numeric * u.rate_basis_points / 10000), p.amount_minor - p.fee_minor - p.vat_minor) as amount_minor
         from inbound_payments p
         join transactions x on ${sameTenant('x', 'p')} and x.id = p.id
         join reserve_rules u
           on u.mode = p.mode and coalesce(u.merchant_id, p.merchant_id) = p.merchant_id
          and (u.channel is null or u.channel = p.channel) and u.effective_from <= x.created_at
        where p.status = 'CREDITED'
        order by p.merchant_id, p.mode, p.id, u.merchant_id is null, u.channel is null, u.effective_from desc, u.id desc`;

/** By how many seconds the sandbox's clock was moved since each was kept, at most and at least: clocks differ. */
const MOVED = `select merchant_id, mode, payment_id, sum(seconds) over (partition by merchant_id, mode order by most_at desc) as most,
              sum(seconds) over (partition by merchant_id, mode order by least_at desc) as least
         from (
           select merchant_id, mode, payment_id, kept_at as most_at, kept_at as least_at, 0 as seconds from reserves
            union all
           select merchant_id, mode, null, created_at + ${CLOCKS}, created_at - ${CLOCKS}, (data::json ->> 'seconds')::bigint
             from events where type = 'sandbox.clock_advanced'
         ) moments`;

/** When the day of a release begins. */
const BEGINS = `(r.release_on::timestamp at time zone 'Africa/Lagos')`;

const otherRules = check(
  'reserves-follow-the-rules',
  'Of every payment in that was credited as much was kept as the rule in force says, until its day; it is due or came back no sooner; and every rule is what it was when it was made.',
  `select coalesce(p.merchant_id, r.merchant_id) as merchant_id, coalesce(p.mode, r.mode) as mode,
          format('payment %s: %s is kept by rule %s until %s, due at %s; in force is %s with %s', coalesce(p.id, r.payment_id),
                 coalesce(r.amount_minor, 0), coalesce(r.rule_id::text, 'none'), coalesce(r.release_on::text, 'no day'),
                 coalesce(r.due_at::text, 'no time'), coalesce(p.rule_id::text, 'none'), coalesce(p.amount_minor, 0)) as detail
     from (select * from (${IN_FORCE}) every_one where amount_minor > 0) p
     full join reserves r on ${sameTenant('r', 'p')} and r.payment_id = p.id
     left join (${MOVED}) m on ${sameTenant('m', 'r')} and m.payment_id = r.payment_id
    where (r.amount_minor = p.amount_minor and r.rule_id = p.rule_id
           and r.release_on = ((r.kept_at at time zone 'Africa/Lagos')::date + p.days)
           and case when r.due_at is null then r.released_at >= ${BEGINS} - m.most * interval '1 second' - ${CLOCKS}
                    when r.mode = 'LIVE' then r.due_at = ${BEGINS}
                    else r.due_at between ${BEGINS} - m.most * interval '1 second' and ${BEGINS} - m.least * interval '1 second' end) is not true
   union all
   select coalesce(u.merchant_id, ${NOBODY}), u.mode, format('rule %s is not what was made', u.id)
     from reserve_rules u
    where u.digest <> ${reserveRuleDigest('u')} or u.effective_from <= u.created_at`,
);

/** What came back together, by its transaction. */
const TOGETHER = `select merchant_id, mode, release_id, count(*) as payments, sum(amount_minor) as amount_minor,
              min(released_at) as released_at, max(released_at) as last_at, min(wallet_id::text) as wallet, max(wallet_id::text) as last_wallet,
              min(release_on) as release_on, max(release_on) as last_on
         from reserves where release_id is not null
        group by merchant_id, mode, release_id`;

const REPORTED = `select v.merchant_id, v.mode, v.subject_id, v.created_at, x.*
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("transactionId" uuid, "walletId" uuid, "releaseOn" date, amount numeric, payments bigint, currency text,
                      "releasedAt" timestamptz)
        where v.type = 'reserve.released'`;

const otherReleases = check(
  'reserves-come-back-once',
  'Every release of a reserve is what was kept of payments to one wallet until one day, came back to that wallet together and once, and was reported as that.',
  `select coalesce(r.merchant_id, x.merchant_id, e.merchant_id) as merchant_id, coalesce(r.mode, x.mode, e.mode) as mode,
          format('release %s at %s: %s of %s payments to %s; the transaction is of %s to %s, reported was %s of %s',
                 coalesce(r.release_id, x.id, e.subject_id), coalesce(r.released_at::text, 'no time'), coalesce(r.amount_minor, 0),
                 coalesce(r.payments, 0), r.wallet, coalesce(x.amount_minor, 0), x.to_wallet_id, coalesce(e.amount::text, 'nothing'),
                 e.payments) as detail
     from (${TOGETHER}) r
     full join (select * from transactions where category = 'RESERVE_RELEASE') x on ${sameTenant('x', 'r')} and x.id = r.release_id
     full join (${REPORTED}) e on e.merchant_id = coalesce(r.merchant_id, x.merchant_id) and e.mode = coalesce(r.mode, x.mode)
          and e.subject_id = coalesce(r.release_id, x.id)
    where (x.amount_minor = r.amount_minor and x.to_wallet_id::text = r.wallet and r.last_wallet = r.wallet
           and x.created_at = r.released_at and r.last_at = r.released_at and r.last_on = r.release_on
           and e."transactionId" = x.id and e."walletId" = x.to_wallet_id and e."releaseOn" = r.release_on
           and e.amount = r.amount_minor / 100.0 and e.payments = r.payments and e.currency = x.currency
           and e."releasedAt" = r.released_at and e.created_at = r.released_at) is not true`,
);

const otherBalances = check(
  'reserve-accounts-are-what-is-kept',
  'Every reserve account of a merchant is what is kept of its payments in and has not come back.',
  `select coalesce(a.merchant_id, r.merchant_id) as merchant_id, coalesce(a.mode, r.mode) as mode,
          format('the reserve of %s says %s, and %s is kept', a.owner_id, a.credits_posted_minor - a.debits_posted_minor,
                 coalesce(r.amount_minor, 0)) as detail
     from (select * from accounts where kind = 'RESERVE') a
     full join (
       select merchant_id, mode, sum(amount_minor) as amount_minor from reserves where released_at is null group by merchant_id, mode
     ) r on ${sameTenant('r', 'a')}
    where (a.owner_id = a.merchant_id
           and a.credits_posted_minor - a.debits_posted_minor = coalesce(r.amount_minor, 0)) is not true`,
);

export const reserveChecks: readonly Check[] = [otherPostings, otherRules, otherReleases, otherBalances];
