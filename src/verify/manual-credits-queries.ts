import { CREDIT_FINGERPRINT, DOCUMENT_IS_WHOLE } from '../manual-credits/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** All that was posted for credits, by the transaction that it belongs to. */
const POSTED = `select merchant_id, mode, transaction_id, count(*) as made, min(kind) as kind, min(currency) as currency,
              min(credit_account_id::text) as wallet_id, sum(amount_minor) as amount_minor, min(created_at) as created_at
         from transfers
        where code = 'MANUAL_CREDIT'
        group by merchant_id, mode, transaction_id`;

const otherPostings = check(
  'manual-credits-moved-once',
  'Every manual credit that was approved moved its amount once into its wallet, at that moment; and no other moved any.',
  `select coalesce(c.merchant_id, t.merchant_id) as merchant_id, coalesce(c.mode, t.mode) as mode,
          format('manual credit %s of %s to wallet %s, approved at %s: %s postings of %s to %s at %s as transaction %s',
                 coalesce(c.id::text, 'that is not approved'), coalesce(c.amount_minor, 0), coalesce(c.wallet_id::text, 'none'),
                 c.decided_at, coalesce(t.made, 0), coalesce(t.amount_minor, 0), coalesce(t.wallet_id, 'none'), t.created_at,
                 coalesce(c.transaction_id, t.transaction_id)) as detail
     from (select * from manual_credits where status = 'APPROVED') c
     full join (${POSTED}) t on ${sameTenant('t', 'c')} and t.transaction_id = c.transaction_id
    where (t.made = 1 and t.kind = 'POSTED' and t.amount_minor = c.amount_minor and t.currency = c.currency
           and t.wallet_id = c.wallet_id::text and t.created_at = c.decided_at) is not true`,
);

/** An approval is a step of its movement; a rejection or a withdrawal moves nothing and is none. */
const STEPS = `select merchant_id, mode, subject_id, count(*) as steps, min(to_state) as to_state, min(created_at) as created_at
         from state_changes
        where subject = 'manual_credit'
        group by merchant_id, mode, subject_id`;

const lonelyCredits = check(
  'manual-credits-are-decided-by-two',
  'Every manual credit is what was proposed, with its document, and was approved or rejected by another of the operator’s people or withdrawn by the same.',
  `select c.merchant_id, c.mode,
          format('manual credit %s (%s): proposed by %s, decided by %s%s', c.id, c.status, coalesce(a.email, 'nobody'),
                 coalesce(b.email, 'nobody'),
                 case when c.digest = ${CREDIT_FINGERPRINT} and ${DOCUMENT_IS_WHOLE} then '' else ', and altered since' end)
            as detail
     from manual_credits c
     left join people a on a.id = c.proposed_by and a.kind = 'OPERATOR'
     left join people b on b.id = c.decided_by and b.kind = 'OPERATOR'
     left join (${STEPS}) s on ${sameTenant('s', 'c')} and s.subject_id = c.id
    where (a.id is not null and c.digest = ${CREDIT_FINGERPRINT} and ${DOCUMENT_IS_WHOLE}
           and coalesce(c.decided_at, c.proposed_at) >= c.proposed_at - interval '1 minute'
           and case c.status
                 when 'PENDING' then num_nonnulls(c.decided_by, c.decided_at, c.reason, s.steps) = 0 and c.updated_at = c.proposed_at
                 when 'APPROVED' then b.id <> a.id and c.reason is null and c.updated_at = c.decided_at
                                      and s.steps = 1 and s.to_state = c.status and s.created_at = c.decided_at
                 when 'REJECTED' then b.id <> a.id and c.reason is not null and c.updated_at = c.decided_at and s.steps is null
                 when 'WITHDRAWN' then b.id = a.id and c.reason is not null and c.updated_at = c.decided_at and s.steps is null
               end) is not true
   union all
   select s.merchant_id, s.mode, format('manual credit %s took a step to %s, and there is none', s.subject_id, s.to_state)
     from state_changes s
     left join manual_credits c on ${sameTenant('c', 's')} and c.id = s.subject_id
    where s.subject = 'manual_credit' and c.id is null`,
);

const sharedReferences = check(
  'bank-references-are-of-one-credit',
  'Every reference of a bank is of the one manual credit that waits with it or was approved with it, whoever’s that is.',
  `select coalesce(c.merchant_id, r.merchant_id) as merchant_id, coalesce(c.mode, r.mode) as mode,
          format('reference %s of bank %s: manual credit %s has it, and it leads to %s',
                 coalesce(c.reference_key, r.reference_key), coalesce(c.bank_code, r.bank_code), coalesce(c.id::text, 'none'),
                 coalesce(r.manual_credit_id::text, 'none')) as detail
     from (select * from manual_credits where status in ('PENDING', 'APPROVED')) c
     full join manual_credit_references r
       on ${sameTenant('r', 'c')} and r.manual_credit_id = c.id and r.bank_code = c.bank_code and r.reference_key = c.reference_key
    where c.id is null or r.manual_credit_id is null`,
);

export const manualCreditChecks: readonly Check[] = [otherPostings, lonelyCredits, sharedReferences];
