import { RESERVE_NAME } from '../reserves/index.ts';
import { type Check, check, SEALED_SINCE, sameTenant, valuesOf, wordsOf } from './queries.ts';

/** What each category of a transfer between wallets is in the books. */
const CODES = valuesOf([
  ['STORE_TO_MERCHANT', 'STORE_DEBIT'],
  ['SUBACCOUNT', 'SUBACCOUNT_CREDIT'],
  ['SUBACCOUNT_TO_MERCHANT', 'SUBACCOUNT_DEBIT'],
  ['WALLET_FUNDING', 'SANDBOX_FUNDING'],
  ['COLLECTION', 'COLLECTION'],
  ['MANUAL_CREDIT', 'MANUAL_CREDIT'],
  ['RECEIVABLE_REPAYMENT', 'RECEIVABLE_REPAYMENT'],
  ['RESERVE_RELEASE', 'RESERVE_RELEASE'],
]);

const CHECKED_ELSEWHERE = wordsOf([
  'COLLECTION_SUSPENSE',
  'COLLECTION_PENDING',
  'COLLECTION_FEE',
  'COLLECTION_VAT',
  'RESERVE',
]);

const wrongWalletTransfers = check(
  'wallet-transfers-moved-once',
  'Every transfer between wallets moved its amount once, when it was made, between the accounts that it names, under the code of its category.',
  `select merchant_id, mode,
          format('%s %s (%s) of %s: %s transfers, %s of them as it says', category, id, status, amount_minor, made, right_ones)
            as detail
     from (
       select x.merchant_id, x.mode, x.id, x.category, x.status, x.amount_minor, count(t.id) as made,
              count(*) filter (where t.kind = 'POSTED' and t.amount_minor = x.amount_minor and t.code = c.code
                                 and t.currency = x.currency and t.credit_account_id = x.to_wallet_id
                                 and t.debit_account_id = x.from_wallet_id and t.created_at = x.created_at)
                as right_ones
         from transactions x
         left join ${CODES} as c (category, code) on c.category = x.category
         -- What a payment in did before it was a transaction, and what was taken of it, have checks of their own.
         left join transfers t
           on ${sameTenant('t', 'x')} and t.transaction_id = x.id and t.code not in ${CHECKED_ELSEWHERE}
        where x.category not in ('PAYOUT', 'REFUND', 'DISPUTE')
        group by x.merchant_id, x.mode, x.id
     ) w
    where made <> right_ones or made <> 1 or status <> 'SUCCESS'`,
);

/** The other side of the merchant's wallet, by the kind of transaction. */
const CHILDREN = `select merchant_id, mode, id, name, wallet_id, 'STORE' as kind from stores
        union all
       select merchant_id, mode, id, name, wallet_id, 'SUBACCOUNT' from subaccounts`;

const PAYER = 't.originator_bank_code, t.originator_bank_name, t.originator_account_number, t.originator_account_name';
const PAYEE =
  't.beneficiary_bank_code, t.beneficiary_bank_name, t.beneficiary_account_number, t.beneficiary_account_name';
const wallet = (alias: string) =>
  ['bank_code', 'bank_name', 'account_number', 'account_name'].map((name) => `${alias}.${name}`).join(', ');

/** What left a wallet for an account that is none. */
const TAKEN = `t.wallet_id = t.from_wallet_id and (${PAYER}) = (${wallet('f')}) and num_nonnulls(t.subject_id, t.subject_name) = 0
                                    and concat(t.beneficiary_bank_code, t.beneficiary_bank_name, t.beneficiary_account_number) = ''`;

/** Wallets and children never change, so a transaction names them as they are. */
const otherWallets = check(
  'transactions-name-their-wallets',
  'Every transaction names the wallets, the store or subaccount, the account numbers and the float of its own merchant, as they are.',
  `select t.merchant_id, t.mode,
          format('%s %s: from wallet %s (%s) to wallet %s (%s), of %s %s, by float %s', t.category, t.id, coalesce(t.from_wallet_id::text, 'none'),
                 t.originator_account_number, coalesce(t.to_wallet_id::text, 'none'), t.beneficiary_account_number,
                 coalesce(t.subject_name, 'nobody'), t.subject_id, t.provider_wallet_id) as detail
     from transactions t
     left join accounts o on ${sameTenant('o', 't')} and o.kind = 'PROVIDER_FLOAT' and o.id = t.provider_wallet_id
     left join accounts b on ${sameTenant('b', 't')} and b.kind in ('COLLECTION_RECEIVABLE', 'MERCHANT_RECEIVABLE') and b.id = t.to_wallet_id
     left join accounts r on ${sameTenant('r', 't')} and r.kind in ('COLLECTION_RECEIVABLE', 'SUSPENSE', 'PENDING_COLLECTIONS', 'RESERVE') and r.id = t.from_wallet_id
     left join wallets m on ${sameTenant('m', 't')} and m.owner_id = t.merchant_id
     left join wallets f on ${sameTenant('f', 't')} and f.id = t.from_wallet_id
     left join wallets w on ${sameTenant('w', 't')} and w.id = t.to_wallet_id
     left join (${CHILDREN}) c on ${sameTenant('c', 't')} and c.id = t.subject_id
     -- Of stores and subaccounts only settlements to the merchant's bank leave by a payout.
     left join merchant_settlement_payouts a on ${sameTenant('a', 't')} and a.payout_id = t.id and t.wallet_id <> m.id
     left join merchant_settlements s on ${sameTenant('s', 'a')} and s.id = a.settlement_id and s.wallet_id = t.wallet_id
    -- A refund has a check of its own.
    where t.category <> 'REFUND' and (o.id is not null
           and case case t.category when 'MANUAL_CREDIT' then 'WALLET_FUNDING' else t.category end
                 when 'PAYOUT' then t.wallet_id = t.from_wallet_id and (t.wallet_id = m.id or s.id is not null) and (${PAYER}) = (${wallet('f')})
                                    and num_nonnulls(t.to_wallet_id, t.subject_id, t.subject_name) = 0
                 when 'COLLECTION' then r.kind <> 'RESERVE' and t.wallet_id = t.to_wallet_id and (${PAYEE}) = (${wallet('w')})
                                        and num_nonnulls(t.subject_id, t.subject_name) = 0
                 when 'RESERVE_RELEASE' then r.kind = 'RESERVE' and t.wallet_id = t.to_wallet_id and (${PAYEE}) = (${wallet('w')})
                                             and (${PAYER}) = ('', '', '', '${RESERVE_NAME}')
                                             and num_nonnulls(t.subject_id, t.subject_name) = 0
                 when 'WALLET_FUNDING' then t.from_wallet_id = o.id and t.wallet_id = t.to_wallet_id and (${PAYEE}) = (${wallet('w')})
                                            and num_nonnulls(t.subject_id, t.subject_name) = 0
                 when 'DISPUTE' then b.kind = 'COLLECTION_RECEIVABLE' and ${TAKEN}
                 when 'RECEIVABLE_REPAYMENT' then b.kind = 'MERCHANT_RECEIVABLE' and ${TAKEN}
                                                  and t.beneficiary_account_name = 'Owed after a dispute'
                 when 'SUBACCOUNT' then (t.wallet_id, t.from_wallet_id, t.to_wallet_id) = (m.id, m.id, c.wallet_id)
                                        and c.kind = 'SUBACCOUNT' and c.name = t.subject_name
                                        and (${PAYER}) = (${wallet('f')}) and (${PAYEE}) = (${wallet('w')})
                 else (t.wallet_id, t.from_wallet_id, t.to_wallet_id) = (m.id, c.wallet_id, m.id)
                      and c.kind = case t.category when 'STORE_TO_MERCHANT' then 'STORE' else 'SUBACCOUNT' end
                      and c.name = t.subject_name and (${PAYER}) = (${wallet('f')}) and (${PAYEE}) = (${wallet('w')})
               end) is not true`,
);

/** What a request of money is answered with: the effect that its key names. */
const MOVES = wordsOf(['transaction.succeeded', 'payout.queued', 'batch.dispatched']);
const OF_PAYOUTS = wordsOf(['refund.queued', 'refund.pending_approval', 'merchant_settlement.processing']);

/** A session that is open from the start is answered with its second event: the first says that it was asked for. */
const ANSWERED_AFTER = `(e.type = 'payment_session.created')::int`;

const wrongKeys = check(
  'idempotency-keys-lead-to-their-effects',
  'Every idempotency key that names an effect has it alone, every effect that was asked for with a key has that key, and a refusal has none.',
  // Each pair that is as it must be is passed over here, so that little is left to look at. A key without an event is that
  // of a refusal, of what reported nothing, or of a release that did not note it: then its event says so.
  `with odd_keys as materialized (
     select coalesce(k.merchant_id, e.merchant_id) as merchant_id, coalesce(k.mode, e.mode) as mode, k.key, k.answer_status,
            k.event_sequence, k.transaction_id, k.created_at, e.sequence, e.idempotency_key
       from (
         -- Of what one request caused, the first, and what names another key than that.
         select * from (
           select merchant_id, mode, sequence, type, subject_id, idempotency_key, created_at,
                  (request_id = lag(request_id) over before and created_at = lag(created_at) over before) is true as goes_on,
                  lag(idempotency_key) over before as key_before
             from events
           window before as (partition by merchant_id, mode order by sequence)
         ) one_after_the_other
          where case when goes_on then idempotency_key is distinct from key_before else idempotency_key is not null end
       ) e
       full join idempotency_keys k on ${sameTenant('k', 'e')} and k.key = e.idempotency_key
      where case when e.sequence is null then k.event_sequence is not null
                 else (k.answer_status = 200 and k.created_at = e.created_at
                       and (k.event_sequence = e.sequence + ${ANSWERED_AFTER} or k.event_sequence is null and k.answer_body is not null)
                       and case when e.type in ${MOVES} then k.transaction_id = e.subject_id
                                when e.type = 'payout.pending_approval' then coalesce(k.transaction_id, e.subject_id) = e.subject_id
                                -- Of a refund by payout, and of a settlement, it is the payout's.
                                when e.type in ${OF_PAYOUTS} then k.transaction_id is not null
                                else k.transaction_id is null or e.type like 'approval.%' end) is not true end
   )
   select k.merchant_id, k.mode,
          format('key %s (%s) names effect %s%s', k.key, k.answer_status, k.transaction_id,
                 case when x.id is null then ', which does not exist' else '' end) as detail
     from idempotency_keys k
     left join (
       select merchant_id, mode, id from transactions union all select merchant_id, mode, id from batches
       -- A decision that released what was held, or dispatched a batch.
       union all select merchant_id, mode, id from approvals
       union all select merchant_id, mode, id from refunds where way = 'PROVIDER' and status <> 'SUCCESS'
     ) x on ${sameTenant('x', 'k')} and x.id = k.transaction_id
    where k.transaction_id is not null and (x.id is null or k.answer_status not between 200 and 299)
   union all
   select merchant_id, mode, format('effect %s belongs to %s keys', transaction_id, count(*))
     from idempotency_keys
    where transaction_id is not null
    group by merchant_id, mode, transaction_id
   having count(*) > 1
   union all
   select o.merchant_id, o.mode,
          format('key %s (%s) names event %s and effect %s; event %s names the key %s', coalesce(o.key, 'not there'), o.answer_status,
                 coalesce(o.event_sequence::text, 'none'), coalesce(o.transaction_id::text, 'none'), coalesce(o.sequence::text, 'none'),
                 o.idempotency_key)
     from odd_keys o
     left join events s on ${sameTenant('s', 'o')} and s.sequence = o.event_sequence and o.sequence is null
    where o.sequence is not null or s.created_at is distinct from o.created_at or o.created_at > ${SEALED_SINCE}
   union all
   select merchant_id, mode, format('key %s (%s) has an answer that says otherwise', key, answer_status)
     from idempotency_keys
    where answer_body is not null
      and ((answer_body::json ->> 'status')::boolean = (answer_status between 200 and 299)) is not true`,
);

export const recordChecks: readonly Check[] = [wrongWalletTransfers, otherWallets, wrongKeys];

/**
 * What a rail reported with an answer that was believed is the transfer that was sent. A masked account, and one that lost
 * its leading zeros, cannot be compared sign by sign; a webhook that was not believed ended nothing.
 */
const foreignAnswers = check(
  'answers-are-about-what-was-sent',
  'Every answer that was believed reported the reference, amount, currency and account that were sent.',
  `select a.merchant_id, a.mode,
          format('payout %s of %s %s to %s: %s said %s of %s', a.payout_id, t.amount_minor, t.currency,
                 t.beneficiary_account_number, a.rail, a.outcome, a.reported) as detail
     from (
       select merchant_id, mode, payout_id, rail, outcome, reported, reported::json ->> 'amountMinor' as amount_minor,
              reported::json ->> 'currency' as currency, reported::json ->> 'railReference' as reference,
              reported::json ->> 'accountNumber' as account
         from payout_attempts
        where reported is not null and outcome in ('succeeded', 'failed', 'reversed')
          and not (kind = 'PROVIDER_WEBHOOK' and coalesce(reason, '') like 'PROVIDER\\_WEBHOOK\\_%')
     ) a
     join payouts p on p.merchant_id = a.merchant_id and p.mode = a.mode and p.id = a.payout_id
     join transactions t on t.merchant_id = a.merchant_id and t.mode = a.mode and t.id = a.payout_id
    where a.amount_minor <> t.amount_minor::text or a.currency <> t.currency or a.reference <> p.rail_reference
       or (a.account ~ '^[0-9]+$' and ltrim(a.account, '0') <> ltrim(t.beneficiary_account_number, '0'))`,
);

export const answerChecks: readonly Check[] = [foreignAnswers];

/** An entry is sealed within seconds; ten minutes without a worker are too long to say that nobody touched it. */
const unsealedEntries = check(
  'audit-entries-are-sealed',
  'Every entry of the audit log that is older than ten minutes is sealed.',
  `select e.merchant_id, coalesce(e.mode, '') as mode,
          format('entry %s of %s has no seal', e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')) as detail
     from audit_entries e
     left join audit_seals s on s.merchant_id = e.merchant_id and s.entry_id = e.id
    where s.entry_id is null and e.at < now() - interval '10 minutes'`,
);

/** No worker heals this: the database lets nobody remove an entry, so somebody went around it. */
const goneEntries = check(
  'audit-entries-are-not-gone',
  'Every entry of the audit log that waits for its seal is there.',
  `select u.merchant_id, '' as mode, format('entry %s was recorded and is gone', u.entry_id) as detail
     from audit_unsealed u
     left join audit_entries e on e.merchant_id = u.merchant_id and e.id = u.entry_id
    where e.id is null`,
);

export const auditChecks: readonly Check[] = [unsealedEntries, goneEntries];

/** A delivery has its event's own id, so that no receiver is sent one thing under two; each sequence is sent once. */
const wrongDeliveries = check(
  'deliveries-are-of-their-events',
  'Every webhook delivery is of one event and has its id.',
  `select d.merchant_id, d.mode,
          format('delivery %s (%s) of sequence %s: the event there is %s', d.id, d.type, d.sequence,
                 coalesce(e.id || ' (' || e.type || ')', 'none')) as detail
     from webhook_deliveries d
     left join events e on e.merchant_id = d.merchant_id and e.mode = d.mode and e.sequence = d.sequence
    where (e.id = d.id and e.type = d.type) is not true
   union all
   select merchant_id, min(mode), format('event %s was reported under %s sequences', id, count(*))
     from webhook_deliveries
    group by merchant_id, id
   having count(*) > 1`,
);

const runawayEndpoints = check(
  'endpoints-are-sent-what-happened',
  'No webhook endpoint is ahead of the books or behind its deliveries.',
  `select w.merchant_id, w.mode,
          format('the endpoint is at %s, the books are at %s, the last delivery is of %s', w.cursor_sequence,
                 coalesce(b.event_sequence::text, 'nothing'), coalesce(d.last, 0)) as detail
     from webhook_endpoints w
     left join books b on b.merchant_id = w.merchant_id and b.mode = w.mode
     left join (
       select merchant_id, mode, max(sequence) as last from webhook_deliveries group by merchant_id, mode
     ) d on d.merchant_id = w.merchant_id and d.mode = w.mode
    where w.cursor_sequence > coalesce(b.event_sequence, 0) or coalesce(d.last, 0) > w.cursor_sequence`,
);

export const webhookChecks: readonly Check[] = [wrongDeliveries, runawayEndpoints];
