import {
  countedSql,
  kindSql,
  settingsDigest,
  settlementRuleDigest,
  walletSettingsDigest,
} from '../merchant-settlements/index.ts';
import { CARRIED_SINCE, type Check, CLOCKS, check, NOBODY, sameTenant } from './queries.ts';

/** The entry of a wallet with a sequence, holds as well, with what was booked after it. */
const ENDS = `select merchant_id, mode, debit_account_id as wallet_id, debit_sequence as sequence, debit_balance_minor as balance_minor
         from transfers
        union all
       select merchant_id, mode, credit_account_id, credit_sequence, credit_balance_minor from transfers`;

/** Where the settlements of each wallet begin: of the main one, and of stores and subaccounts. */
const BEGINNINGS = `select h.merchant_id, h.mode, w.id as wallet_id, h.first_sequence, h.first_balance_minor, w.sequence
         from merchant_settlement_schedules h
         join accounts w on ${sameTenant('w', 'h')} and w.owner_id = h.merchant_id and w.kind = 'MERCHANT_WALLET'
        union all
       select h.merchant_id, h.mode, h.wallet_id, h.first_sequence, h.first_balance_minor, w.sequence
         from wallet_settlement_states h
         left join accounts w on ${sameTenant('w', 'h')} and w.id = h.wallet_id and w.kind in ('STORE_WALLET', 'SUBACCOUNT_WALLET')`;

/** Settlements in order, each with the one before it of its wallet, or with where the first one had to begin. */
const IN_ORDER = `select s.*, coalesce(lag(s.number) over of_tenant, 0) as number_before,
              coalesce(lag(s.upto_sequence) over of_wallet, h.first_sequence) as sequence_before,
              coalesce(lag(s.closing_minor) over of_wallet, h.first_balance_minor) as balance_before,
              coalesce(lag(s.carried_out_minor) over of_wallet, 0) as carried_before,
              lag(s.created_at) over of_tenant as created_before
         from merchant_settlements s
         left join (${BEGINNINGS}) h on ${sameTenant('h', 's')} and h.wallet_id = s.wallet_id
       window of_tenant as (partition by s.merchant_id, s.mode order by s.number),
              of_wallet as (partition by s.merchant_id, s.mode, s.wallet_id order by s.number)`;

const brokenChain = check(
  'settlements-to-banks-follow-each-other',
  'Every settlement to a merchant’s bank begins where the one before it ended, with the balance and the rest that that one left: so each payment is in one, and none is left out.',
  `select s.merchant_id, s.mode,
          format('settlement %s covers the entries %s to %s, from %s to %s, with %s carried in; the one before ended at %s with %s and left %s',
                 s.number, s.after_sequence, s.upto_sequence, s.opening_minor, s.closing_minor, s.carried_in_minor,
                 s.sequence_before, s.balance_before, s.carried_before) as detail
     from (${IN_ORDER}) s
     left join (${ENDS}) e on ${sameTenant('e', 's')} and e.wallet_id = s.wallet_id and e.sequence = s.upto_sequence
    where (s.number = s.number_before + 1 and s.after_sequence = s.sequence_before
           and s.opening_minor = s.balance_before and s.carried_in_minor = s.carried_before
           and s.closing_minor = coalesce(e.balance_minor, 0) and s.created_at >= coalesce(s.created_before, s.created_at) - ${CLOCKS}
           and s.updated_at >= s.created_at - ${CLOCKS}) is not true
   union all
   select h.merchant_id, h.mode, format('the first settlement begins behind entry %s with %s, and the wallet had %s', h.first_sequence,
                                        h.first_balance_minor, coalesce(e.balance_minor, 0))
     from (${BEGINNINGS}) h
     left join (${ENDS}) e on ${sameTenant('e', 'h')} and e.wallet_id = h.wallet_id and e.sequence = h.first_sequence
    where (h.first_balance_minor = coalesce(e.balance_minor, 0) and h.first_sequence between 0 and h.sequence) is not true`,
);

/** The posted entries of wallets that settle, and where a settlement ends or the first one begins. */
const PLACES = `select t.merchant_id, t.mode, t.debit_account_id as wallet_id, t.debit_sequence as sequence, false as is_end,
              -t.amount_minor as minor, t.code, t.transaction_id
         from transfers t
         join (select distinct merchant_id, mode, wallet_id from merchant_settlements) w
           on ${sameTenant('w', 't')} and w.wallet_id = t.debit_account_id
        where t.kind in ('POSTED', 'POST')
        union all
       select t.merchant_id, t.mode, t.credit_account_id, t.credit_sequence, false, t.amount_minor, t.code, t.transaction_id
         from transfers t
         join (select distinct merchant_id, mode, wallet_id from merchant_settlements) w
           on ${sameTenant('w', 't')} and w.wallet_id = t.credit_account_id
        where t.kind in ('POSTED', 'POST')
        union all
       select merchant_id, mode, wallet_id, upto_sequence, true, null, null, null from merchant_settlements
        union all
       select h.merchant_id, h.mode, h.wallet_id, h.first_sequence, true, null, null, null
         from (${BEGINNINGS}) h
         join (select distinct merchant_id, mode, wallet_id from merchant_settlements) w
           on ${sameTenant('w', 'h')} and w.wallet_id = h.wallet_id`;

/** What the entries of each range come to, by kind: every entry belongs to the first end that is not before it. */
const BY_KIND = `select l.merchant_id, l.mode, l.wallet_id, l.upto_sequence, ${kindSql('l', 'p')} as kind, count(*) as entries,
              sum(l.minor) as minor
         from (
           select places.*, min(sequence) filter (where is_end) over (
                    partition by merchant_id, mode, wallet_id order by sequence, is_end
                     rows between current row and unbounded following) as upto_sequence
             from (${PLACES}) places
         ) l
         left join payouts p on ${sameTenant('p', 'l')} and p.id = l.transaction_id
        where not l.is_end and l.upto_sequence is not null
        group by 1, 2, 3, 4, 5`;

const otherSums = check(
  'settlements-to-banks-are-what-was-collected',
  'The lines of every settlement to a merchant’s bank come to what the entries of the wallet come to, by kind; opening and all lines to closing; and it took no more than what was collected and carried.',
  `select s.merchant_id, s.mode,
          format('settlement %s of %s (net %s, carried in %s, out %s) says %s, and its entries come to %s', s.number, s.amount_minor,
                 s.net_minor, s.carried_in_minor, s.carried_out_minor, s.sums, coalesce(l.sums, '{}'::jsonb)) as detail
     from merchant_settlements s
     left join (
       select merchant_id, mode, wallet_id, upto_sequence,
              jsonb_object_agg(kind, jsonb_build_object('entries', entries, 'minor', minor::text)) as sums,
              sum(minor) as total_minor, coalesce(sum(minor) filter (where kind in ${countedSql}), 0) as net_minor
         from (${BY_KIND}) kinds group by merchant_id, mode, wallet_id, upto_sequence
     ) l on ${sameTenant('l', 's')} and l.wallet_id = s.wallet_id and l.upto_sequence = s.upto_sequence
        and s.after_sequence < s.upto_sequence
     left join (
       select a.merchant_id, a.mode, a.settlement_id, t.charges_minor
         from merchant_settlement_payouts a
         join transactions t on ${sameTenant('t', 'a')} and t.id = a.payout_id
        where a.attempt = 1
     ) c on ${sameTenant('c', 's')} and c.settlement_id = s.id
    where (s.sums::jsonb = coalesce(l.sums, '{}'::jsonb) and s.net_minor = coalesce(l.net_minor, 0)
           and s.opening_minor + coalesce(l.total_minor, 0) = s.closing_minor
           and s.amount_minor + c.charges_minor + s.carried_out_minor <= s.carried_in_minor + s.net_minor) is not true`,
);

/** Settlements that took and carried less than was due, with the first hold of their first payout. */
const SHORT = `select s.merchant_id, s.mode, s.number, s.wallet_id, s.upto_sequence, s.closing_minor, s.carried_out_minor,
              s.carried_in_minor + s.net_minor as due_minor, s.amount_minor + x.charges_minor as gone_minor,
              (select min(h.debit_sequence) from transfers h
                where ${sameTenant('h', 'a')} and h.transaction_id = a.payout_id and h.debit_account_id = s.wallet_id
                  and h.kind = 'PENDING') as made_sequence
         from merchant_settlements s
         join merchant_settlement_payouts a on ${sameTenant('a', 's')} and a.settlement_id = s.id and a.attempt = 1
         join transactions x on ${sameTenant('x', 'a')} and x.id = a.payout_id
        where s.created_at >= ${CARRIED_SINCE}
          and s.amount_minor + x.charges_minor + s.carried_out_minor < s.carried_in_minor + s.net_minor`;

/**
 * What wallets hold and have lost for other business than what is settled, as it was at both ends of what a settlement that
 * is short was made of: its last entry, and the entry before its own holds.
 */
const OTHER_BUSINESS = `select merchant_id, mode, wallet_id, sequence, is_end,
              coalesce(sum(held_minor) over entries, 0) as held_minor, coalesce(sum(taken_minor) over entries, 0) as taken_minor
         from (
           select t.merchant_id, t.mode, t.debit_account_id as wallet_id, t.debit_sequence as sequence, false as is_end,
                  case t.kind when 'PENDING' then t.amount_minor when 'POSTED' then 0 else -t.amount_minor end as held_minor,
                  case when t.kind in ('PENDING', 'POSTED') then t.amount_minor else 0 end as taken_minor
             from transfers t
             join (select distinct merchant_id, mode, wallet_id from short) w
               on ${sameTenant('w', 't')} and w.wallet_id = t.debit_account_id
             left join payouts p on ${sameTenant('p', 't')} and p.id = t.transaction_id
            where ${kindSql('t', 'p')} not in ${countedSql}
            union all
           select merchant_id, mode, wallet_id, upto_sequence, true, 0, 0 from short
            union
           select merchant_id, mode, wallet_id, made_sequence - 1, true, 0, 0 from short
         ) places
       window entries as (partition by merchant_id, mode, wallet_id order by sequence, is_end)`;

const lostCarry = check(
  'settlements-to-banks-carry-what-they-leave',
  'Every settlement to a merchant’s bank carries all that it left of what was due, but for what the merchant’s other business had taken or held of the wallet: so no refund and no dispute that is open makes money drop out.',
  `with short as materialized (${SHORT}), business as (${OTHER_BUSINESS})
   select s.merchant_id, s.mode,
          format('settlement %s of %s that were due took %s and carries %s; the wallet had %s, and its other business took at most %s of it',
                 s.number, s.due_minor, s.gone_minor, s.carried_out_minor, s.closing_minor,
                 e.held_minor + m.taken_minor - e.taken_minor) as detail
     from short s
     left join business e on ${sameTenant('e', 's')} and e.wallet_id = s.wallet_id and e.is_end and e.sequence = s.upto_sequence
     left join business m on ${sameTenant('m', 's')} and m.wallet_id = s.wallet_id and m.is_end and m.sequence = s.made_sequence - 1
    where (s.gone_minor + s.carried_out_minor
           >= least(s.due_minor, s.closing_minor - e.held_minor - m.taken_minor + e.taken_minor)) is not true`,
);

/** Every payout of settlements, with its settlement and the attempt before it. */
const ATTEMPTS = `select a.*, t.status, t.amount_minor, t.beneficiary_account_number, t.beneficiary_bank_code, t.beneficiary_bank_name,
              t.beneficiary_account_name, t.wallet_id, t.created_at as made_at, t.paid_at, p.purpose, p.approval_id,
              lag(t.status) over of_settlement as status_before, lag(a.attempt) over of_settlement as attempt_before,
              lead(a.attempt) over of_settlement as attempt_after
         from merchant_settlement_payouts a
         left join payouts p on ${sameTenant('p', 'a')} and p.id = a.payout_id
         left join transactions t on ${sameTenant('t', 'a')} and t.id = a.payout_id
       window of_settlement as (partition by a.merchant_id, a.mode, a.settlement_id order by a.attempt)`;

const otherPayouts = check(
  'settlements-to-banks-are-paid-once',
  'Every settlement to a merchant’s bank has one payout of its amount and account, and another only after the one before it failed or came back; it is what its last payout is, and no other payout is a settlement.',
  `select coalesce(a.merchant_id, p.merchant_id) as merchant_id, coalesce(a.mode, p.mode) as mode,
          format('payout %s of settlement %s is its attempt %s, after one that is %s: %s (%s) of %s to %s', coalesce(a.payout_id, p.id),
                 coalesce(s.number::text, 'none'), a.attempt, coalesce(a.status_before, 'none'), coalesce(a.status, 'not there'),
                 coalesce(a.purpose, p.purpose), a.amount_minor, a.beneficiary_account_number) as detail
     from (${ATTEMPTS}) a
     left join merchant_settlements s on ${sameTenant('s', 'a')} and s.id = a.settlement_id
     full join (select merchant_id, mode, id, purpose from payouts where purpose = 'SETTLEMENT') p
       on ${sameTenant('p', 'a')} and p.id = a.payout_id
    where (s.id is not null and p.id is not null and a.approval_id is null and a.amount_minor = s.amount_minor
           and a.wallet_id = s.wallet_id and a.created_at = a.made_at and a.attempt = coalesce(a.attempt_before, 0) + 1
           and coalesce(a.status_before, 'FAILED') in ('FAILED', 'CANCELLED', 'REVERSED')
           and (a.attempt > 1 or s.created_at = a.made_at)
           and (a.attempt_after is not null
                or s.payout_id = a.payout_id and s.attempts = a.attempt and s.account_number = a.beneficiary_account_number
                   and s.bank_code = a.beneficiary_bank_code and s.bank_name = a.beneficiary_bank_name
                   and s.account_name = a.beneficiary_account_name)) is not true
   union all
   select s.merchant_id, s.mode, format('settlement %s is %s (%s), and its payout is %s', s.number, s.status, coalesce(s.reason, 'no reason'),
                                        coalesce(t.status, 'not there'))
     from merchant_settlements s
     left join merchant_settlement_payouts a on ${sameTenant('a', 's')} and a.settlement_id = s.id and a.payout_id = s.payout_id
     left join transactions t on ${sameTenant('t', 's')} and t.id = a.payout_id
    where (case s.status when 'PAID' then t.status = 'SUCCESS' or (t.status = 'REVERSED' and s.due_at is not null)
                         when 'FAILED' then t.status in ('FAILED', 'CANCELLED', 'REVERSED') and s.due_at is not null
                         else s.due_at is not null or t.status in ('QUEUED', 'PROCESSING') end
           and (s.status = 'FAILED') = (s.reason is not null)) is not true`,
);

/** Settlement accounts as they were accepted, with the account before, by which a change is seen. */
const ACCEPTED = `select merchant_id, id, created_at, account ->> 'bankCode' as bank_code, account ->> 'accountNumber' as account_number,
              lag(account ->> 'accountNumber') over of_merchant as number_before,
              lead(created_at) over of_merchant as until
         from (
           select merchant_id, id, created_at, facts -> 'steps' -> 'SETTLEMENT_ACCOUNT' as account
             from merchant_status_changes where action in ('approve', 'accept-changes') and facts is not null
         ) changes
       window of_merchant as (partition by merchant_id order by id)`;

const otherAccounts = check(
  'settlements-go-to-the-reviewed-account',
  'Every settlement went to the account that the operator had accepted by then.',
  `select a.merchant_id, a.mode,
          format('payout %s of a settlement went to %s at %s when %s was accepted', a.payout_id, a.beneficiary_account_number,
                 a.beneficiary_bank_code, coalesce(r.account_number, 'no account')) as detail
     from (${ATTEMPTS}) a
     left join (${ACCEPTED}) r
       on r.merchant_id = a.merchant_id and r.created_at <= a.made_at and coalesce(r.until, 'infinity') > a.made_at
     left join banks b on b.code = a.beneficiary_bank_code
    where (case when r.id is null then a.mode = 'SANDBOX'
                else r.account_number = a.beneficiary_account_number and r.bank_code in (b.code, b.nip_code)
                end) is not true`,
);

/** What an event says of a settlement. */
const SAID = `lateral json_to_record(e.data::json)
            as x ("settlementId" uuid, number int, "walletId" uuid, trigger text, status text, reason text, "businessDay" date, "cutOff" timestamptz,
                  opening numeric, closing numeric, net numeric, "carriedIn" numeric, amount numeric, fee numeric, vat numeric,
                  "stampDuty" numeric, total numeric, "carriedOut" numeric, "bankCode" text, "bankName" text, "accountNumber" text,
                  "accountName" text, "payoutId" uuid, attempts int, mode text, "createdAt" timestamptz, "updatedAt" timestamptz, summary json,
                  currency text, conclusive boolean, "payoutReference" text, "sessionId" text, "paidAt" timestamptz, "tryAgainAt" timestamptz)`;

/** Each line of what an event sums up, as the settlement keeps it. */
const SUMMED_UP = `(select coalesce(jsonb_object_agg(line ->> 'kind', jsonb_build_object('entries', (line ->> 'lines')::int,
                                         'minor', trim_scale((line ->> 'amount')::numeric * 100)::text)), '{}')
                from json_array_elements(x.summary) line)`;
const COUNTED_RIGHT = `(select coalesce(bool_and(((line ->> 'settled')::boolean = (line ->> 'kind' in ${countedSql})) is true), true)
                from json_array_elements(x.summary) line)`;

/** Every report of a settlement, and how many its payouts and steps make. */
const REPORTS = `select e.*, row_number() over (partition by e.merchant_id, e.mode, e.subject_id order by e.sequence desc) as from_last,
              count(*) over (partition by e.merchant_id, e.mode, e.subject_id) as reports
         from events e
        where e.type in ('merchant_settlement.processing', 'merchant_settlement.paid', 'merchant_settlement.failed')`;

const otherEvents = check(
  'settlements-to-banks-are-reported-as-they-are',
  'Every settlement to a merchant’s bank was reported once with each of its payouts and each of its ends, at that moment, as it was, and the last report is what it is.',
  `select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('settlement %s is %s of %s; event %s reports it as %s of %s with payout %s', coalesce(s.number::text, e.subject_id::text),
                 s.status, s.amount_minor, coalesce(e.sequence::text, 'none'), x.status, x.amount, x."payoutId") as detail
     from merchant_settlements s
     full join (${REPORTS}) e on ${sameTenant('e', 's')} and e.subject_id = s.id
     left join ${SAID} on true
     left join (${ATTEMPTS}) a on ${sameTenant('a', 's')} and a.settlement_id = s.id and a.payout_id = x."payoutId"
     left join payouts p on ${sameTenant('p', 's')} and p.id = a.payout_id
     left join (
       select merchant_id, mode, subject_id, to_state, created_at, reason, count(*) as steps
         from state_changes where subject = 'merchant_settlement' group by 1, 2, 3, 4, 5, 6
     ) c on ${sameTenant('c', 's')} and c.subject_id = s.id and c.to_state = x.status and c.created_at = e.created_at
     left join (
       select merchant_id, mode, subject_id, count(*) as steps
         from state_changes where subject = 'merchant_settlement' group by 1, 2, 3
     ) d on ${sameTenant('d', 's')} and d.subject_id = s.id
    where (x."settlementId" = s.id and x.number = s.number and coalesce(x."walletId", s.wallet_id) = s.wallet_id and x.trigger = s.trigger and x.mode = s.mode
           and x."businessDay" = s.business_day and x."cutOff" = s.cut_off and x.opening = s.opening_minor / 100.0
           and x.closing = s.closing_minor / 100.0
           and ${SUMMED_UP} = s.sums::jsonb and ${COUNTED_RIGHT}
           and x.net = s.net_minor / 100.0 and x."carriedIn" = s.carried_in_minor / 100.0
           and x.amount = s.amount_minor / 100.0 and x."carriedOut" = s.carried_out_minor / 100.0 and x."createdAt" = s.created_at
           and x.fee = p.fee_minor / 100.0 and x.vat = p.vat_minor / 100.0 and x."stampDuty" = p.stamp_duty_minor / 100.0
           and x.total = x.amount + x.fee + x.vat + x."stampDuty" and x.attempts = a.attempt
           and x."bankCode" = a.beneficiary_bank_code and x."bankName" = a.beneficiary_bank_name
           and x."accountNumber" = a.beneficiary_account_number and x."accountName" = a.beneficiary_account_name
           and x.currency = 'NGN' and x."payoutReference" = 'MNL' || replace(a.payout_id::text, '-', '')
           and e.type = 'merchant_settlement.' || lower(x.status) and x."updatedAt" = e.created_at
           and x.conclusive = (x.status = 'PAID') and x."paidAt" is not distinct from case when x.status = 'PAID' then a.paid_at end
           -- A payout that came back has lost the session of its success.
           and case when x.status = 'PROCESSING' then x."sessionId" is null
                    else x."sessionId" is not distinct from p.session_id or x.status = 'PAID' and a.status = 'REVERSED' end
           and (x."tryAgainAt" is not null) = (x.status = 'FAILED') and coalesce(x."tryAgainAt" > e.created_at, true)
           and case when x.status = 'PROCESSING' then e.created_at = a.made_at and x.reason is null
                    else c.steps = 1 and x.reason is not distinct from c.reason end
           and e.reports = 1 + coalesce(d.steps, 0)
           and (e.from_last > 1
                or x.status = s.status and x.reason is not distinct from s.reason and x."payoutId" = s.payout_id
                   and x."updatedAt" = s.updated_at)) is not true`,
);

/** What was reported of the settlements of stores and subaccounts. */
const WALLET_REPORTS = `select merchant_id, mode, subject_id, created_at, (data::json ->> 'version')::int as version,
              (data::json ->> 'settled')::boolean as is_settled, (data::json ->> 'keepInWallet')::numeric as keep
         from events where type = 'wallet_settlement_settings.updated'`;

const otherTerms = check(
  'terms-of-settlements-are-what-was-made',
  'The operator’s terms of settlements and every version of a merchant’s settings, of all and of one wallet, are what they were when they were made, and each version was reported.',
  `select coalesce(r.merchant_id, ${NOBODY}) as merchant_id, r.mode, format('terms %s are not what was made', r.id) as detail
     from merchant_settlement_rules r
    where r.digest <> ${settlementRuleDigest('r')}
   union all
   select s.merchant_id, s.mode, format('version %s of the settings of settlements is not what was made, or follows none', s.version)
     from (
       select v.*, coalesce(lag(v.version) over (partition by v.merchant_id, v.mode order by v.version), 0) as version_before
         from merchant_settlement_settings v
     ) s
     left join (
       select merchant_id, mode, created_at, (data::json ->> 'version')::int as version, data::json ->> 'schedule' as schedule
         from events where type = 'merchant_settlement_settings.updated'
     ) e on ${sameTenant('e', 's')} and e.version = s.version
    where (s.digest = ${settingsDigest('s')} and s.version = s.version_before + 1 and e.schedule = s.schedule
           and e.created_at = s.changed_at) is not true
   union all
   select e.merchant_id, e.mode, 'settings of settlements were reported that are not there'
     from events e
     left join merchant_settlement_settings s on ${sameTenant('s', 'e')} and s.version = (e.data::json ->> 'version')::int
    where e.type = 'merchant_settlement_settings.updated' and s.id is null
   union all
   select s.merchant_id, s.mode, format('version %s of the settlements of wallet %s is not what was made, or follows none', s.version, s.wallet_id)
     from (
       select v.*, coalesce(lag(v.version) over of_wallet, 0) as version_before, lead(v.version) over of_wallet as version_after
         from wallet_settlement_settings v
       window of_wallet as (partition by v.merchant_id, v.mode, v.wallet_id order by v.version)
     ) s
     left join wallet_settlement_states h on ${sameTenant('h', 's')} and h.wallet_id = s.wallet_id
     left join (${WALLET_REPORTS}) e on ${sameTenant('e', 's')} and e.subject_id = s.wallet_id and e.version = s.version
    where (s.digest = ${walletSettingsDigest('s')} and s.version = s.version_before + 1 and e.is_settled = s.is_settled
           and e.keep = s.keep_minor / 100.0 and e.created_at = s.changed_at
           and (s.version_after is not null or h.is_settled = s.is_settled)) is not true
   union all
   select h.merchant_id, h.mode, 'settlements of a wallet begin, or were reported, of which there are no settings'
     from wallet_settlement_states h
     left join (${WALLET_REPORTS}) e on ${sameTenant('e', 'h')} and e.subject_id = h.wallet_id
     left join wallet_settlement_settings s
       on ${sameTenant('s', 'h')} and s.wallet_id = h.wallet_id and s.version = coalesce(e.version, 1)
    where s.id is null
   union all
   select e.merchant_id, e.mode, 'settlements of a wallet were reported, and it begins none'
     from (${WALLET_REPORTS}) e
     left join wallet_settlement_states h on ${sameTenant('h', 'e')} and h.wallet_id = e.subject_id
    where h.wallet_id is null
   union all
   select s.merchant_id, s.mode, 'there are settings of settlements and no schedule'
     from (select distinct merchant_id, mode from merchant_settlement_settings) s
     full join merchant_settlement_schedules h on ${sameTenant('h', 's')}
    where h.merchant_id is null or s.merchant_id is null`,
);

export const merchantSettlementChecks: readonly Check[] = [
  brokenChain,
  otherSums,
  lostCarry,
  otherPayouts,
  otherAccounts,
  otherEvents,
  otherTerms,
];
