import { type Check, check } from '../queries.ts';

/**
 * What a rail reported with an answer that was believed is the transfer that was sent. A masked account, and one that lost
 * its leading zeros, cannot be compared sign by sign; a notice that was not believed ended nothing.
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
          and not (kind = 'NOTICE' and coalesce(reason, '') like 'NOTICE\\_%')
     ) a
     join payouts p on p.merchant_id = a.merchant_id and p.mode = a.mode and p.id = a.payout_id
     join transactions t on t.merchant_id = a.merchant_id and t.mode = a.mode and t.id = a.payout_id
    where a.amount_minor <> t.amount_minor::text or a.currency <> t.currency or a.reference <> p.rail_reference
       or (a.account ~ '^[0-9]+$' and ltrim(a.account, '0') <> ltrim(t.beneficiary_account_number, '0'))`,
);

export const answerChecks: readonly Check[] = [foreignAnswers];
