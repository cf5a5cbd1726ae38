import { type Check, check, SEALED_SINCE, sameTenant, valuesOf, wordsOf } from '../queries.ts';

/** What each category of a transfer between wallets is in the books. */
const CODES = valuesOf([
  ['STORE_TO_MERCHANT', 'STORE_DEBIT'],
  ['SUBACCOUNT', 'SUBACCOUNT_CREDIT'],
  ['SUBACCOUNT_TO_MERCHANT', 'SUBACCOUNT_DEBIT'],
  ['WALLET_FUNDING', 'SANDBOX_FUNDING'],
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
         left join transfers t on ${sameTenant('t', 'x')} and t.transaction_id = x.id
        where x.category <> 'PAYOUT'
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
     left join wallets m on ${sameTenant('m', 't')} and m.owner_id = t.merchant_id
     left join wallets f on ${sameTenant('f', 't')} and f.id = t.from_wallet_id
     left join wallets w on ${sameTenant('w', 't')} and w.id = t.to_wallet_id
     left join (${CHILDREN}) c on ${sameTenant('c', 't')} and c.id = t.subject_id
    where (o.id is not null
           and case t.category
                 when 'PAYOUT' then (t.wallet_id, t.from_wallet_id) = (m.id, m.id) and (${PAYER}) = (${wallet('f')})
                                    and num_nonnulls(t.to_wallet_id, t.subject_id, t.subject_name) = 0
                 when 'WALLET_FUNDING' then t.from_wallet_id = o.id and t.wallet_id = t.to_wallet_id and (${PAYEE}) = (${wallet('w')})
                                            and num_nonnulls(t.subject_id, t.subject_name) = 0
                 when 'SUBACCOUNT' then (t.wallet_id, t.from_wallet_id, t.to_wallet_id) = (m.id, m.id, c.wallet_id)
                                        and c.kind = 'SUBACCOUNT' and c.name = t.subject_name
                                        and (${PAYER}) = (${wallet('f')}) and (${PAYEE}) = (${wallet('w')})
                 else (t.wallet_id, t.from_wallet_id, t.to_wallet_id) = (m.id, c.wallet_id, m.id)
                      and c.kind = case t.category when 'STORE_TO_MERCHANT' then 'STORE' else 'SUBACCOUNT' end
                      and c.name = t.subject_name and (${PAYER}) = (${wallet('f')}) and (${PAYEE}) = (${wallet('w')})
               end) is not true`,
);

/** What a request of money is told with: the effect that its key names. */
const MOVES = wordsOf(['transaction.succeeded', 'payout.queued', 'batch.dispatched']);

const wrongKeys = check(
  'idempotency-keys-tell-the-truth',
  'Every idempotency key that names an effect has it alone, every effect that was asked for with a key has that key, and a refusal has none.',
  // Each pair that is as it must be is passed over here, so that little is left to look at. A key without an event is that
  // of a refusal, of what told nothing, or of a release that did not note it: then its event says so.
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
                       and (k.event_sequence = e.sequence or k.event_sequence is null and k.answer_body is not null)
                       and case when e.type in ${MOVES} then k.transaction_id = e.subject_id
                                when e.type = 'payout.pending_approval' then coalesce(k.transaction_id, e.subject_id) = e.subject_id
                                else k.transaction_id is null or e.type like 'approval.%' end) is not true end
   )
   select k.merchant_id, k.mode,
          format('key %s (%s) names effect %s%s', k.key, k.answer_status, k.transaction_id,
                 case when x.id is null then ', which does not exist' else '' end) as detail
     from idempotency_keys k
     left join (
       select merchant_id, mode, id from transactions union all select merchant_id, mode, id from batches
       -- A decision that gave back what was held, or dispatched a batch.
       union all select merchant_id, mode, id from approvals
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
