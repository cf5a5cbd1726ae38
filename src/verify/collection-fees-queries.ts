import { ruleCharge } from './charges-queries.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** What was taken of payments in, by payment. */
const TAKEN = `select merchant_id, mode, transaction_id, count(*) as made, bool_and(kind = 'POSTED') as are_posted,
              coalesce(sum(amount_minor) filter (where code = 'COLLECTION_FEE'), 0) as fee_minor,
              coalesce(sum(amount_minor) filter (where code = 'COLLECTION_VAT'), 0) as vat_minor,
              min(debit_account_id::text) as payer, max(debit_account_id::text) as last_payer,
              min(created_at) as created_at, max(created_at) as last_at
         from transfers
        where code in ('COLLECTION_FEE', 'COLLECTION_VAT')
        group by merchant_id, mode, transaction_id`;

const otherTransfers = check(
  'charges-on-payments-in-were-taken-once',
  'Of every payment in the fee and the VAT that it says were taken once, from the wallet that has it, with the credit; and of no other.',
  `select coalesce(p.merchant_id, t.merchant_id) as merchant_id, coalesce(p.mode, t.mode) as mode,
          format('payment %s (%s) of %s: fee %s and VAT %s; taken were %s and %s by %s transfers', coalesce(p.id, t.transaction_id),
                 coalesce(p.status, 'not charged'), p.amount_minor, coalesce(p.fee_minor, 0), coalesce(p.vat_minor, 0),
                 coalesce(t.fee_minor, 0), coalesce(t.vat_minor, 0), coalesce(t.made, 0)) as detail
     from (select * from inbound_payments where fee_minor > 0 or vat_minor > 0) p
     full join (${TAKEN}) t on ${sameTenant('t', 'p')} and t.transaction_id = p.id
     left join transactions x on ${sameTenant('x', 'p')} and x.id = p.id and x.category = 'COLLECTION'
    where (p.status = 'CREDITED' and t.are_posted and t.made = (p.fee_minor > 0)::int + (p.vat_minor > 0)::int
           and t.fee_minor = p.fee_minor and t.vat_minor = p.vat_minor and t.payer = t.last_payer
           and t.payer = coalesce(p.attributed_wallet_id, p.wallet_id)::text
           and t.created_at = x.created_at and t.last_at = x.created_at) is not true`,
);

interface Priced {
  currency: string;
  amount: string;
  at: string;
}

const inForce = (rule: string, kind: string, { currency, amount, at }: Priced): string =>
  `left join fee_rules ${rule}
       on ${rule}.kind = '${kind}' and ${rule}.currency = ${currency}
      and ${amount} between ${rule}.min_amount_minor and coalesce(${rule}.max_amount_minor, ${amount})
      and ${rule}.effective_from <= ${at} and coalesce(${rule}.effective_to, 'infinity') > ${at}`;

const feeOn = (amount: string, rule: string): string => `coalesce(${ruleCharge(amount, rule)}, 0)`;
const vatOn = (fee: string, rule: string): string =>
  `case when ${fee} = 0 or ${rule}.payer <> 'SENDER' or 'GENERAL' = any (${rule}.exempt_purposes) then 0
                 else coalesce(${ruleCharge(fee, rule)}, 0) end`;

const CREDITED: Priced = { currency: 'p.currency', amount: 'p.amount_minor', at: 'x.created_at' };

/** Where fee and VAT are more than the payment, the fee is the largest that fits: one kobo more would not. */
const otherCharges = check(
  'charges-on-payments-in-follow-the-rules',
  'Every payment in that was credited was charged the fee and the VAT of the rules in force at that moment, and never more than it was.',
  `select p.merchant_id, p.mode,
          format('payment %s of %s was charged %s and VAT %s by %s and %s', p.id, p.amount_minor, p.fee_minor, p.vat_minor,
                 coalesce(r.id, 'no rule'), coalesce(v.id, 'no rule')) as detail
     from inbound_payments p
     join transactions x on ${sameTenant('x', 'p')} and x.id = p.id
     ${inForce('r', 'COLLECTION_FEE', CREDITED)}
     ${inForce('v', 'VAT', CREDITED)}
    where p.status = 'CREDITED'
      and (p.vat_minor = ${vatOn('p.fee_minor', 'v')} and p.fee_minor + p.vat_minor <= p.amount_minor
           and (p.fee_minor = ${feeOn('p.amount_minor', 'r')}
                or p.fee_minor < ${feeOn('p.amount_minor', 'r')}
                   and p.fee_minor + 1 + ${vatOn('(p.fee_minor + 1)', 'v')} > p.amount_minor)) is not true`,
);

/** A payment of what a session asks for, and of one kobo less. */
const asked = (less: number): Priced => ({ currency: 's.currency', amount: `(s.asked - ${less})`, at: 's.created_at' });

const otherQuotes = check(
  'quotes-on-top-leave-the-amount',
  'Every payment session whose customer bears the fee asks for the smallest payment that bears its charges and leaves the amount, by the rules of its opening.',
  `select q.merchant_id, q.mode,
          format('session %s of %s asks for a fee of %s and VAT of %s on top; charged would be %s and %s', q.id, q.amount_minor,
                 q.fee_minor, q.vat_minor, q.fee, q.vat) as detail
     from (
       select f.*, ${vatOn('f.fee', 'v')} as vat, f.asked - 1 - f.lower_fee - ${vatOn('f.lower_fee', 'w')} as lower_net
         from (
           select s.*, ${feeOn('s.asked', 'r')} as fee, ${feeOn('(s.asked - 1)', 'o')} as lower_fee
             from (select *, amount_minor + fee_minor + vat_minor as asked from payment_sessions where fee_bearer = 'CUSTOMER') s
             ${inForce('r', 'COLLECTION_FEE', asked(0))}
             ${inForce('o', 'COLLECTION_FEE', asked(1))}
         ) f
         ${inForce('v', 'VAT', { currency: 'f.currency', amount: 'f.asked', at: 'f.created_at' })}
         ${inForce('w', 'VAT', { currency: 'f.currency', amount: '(f.asked - 1)', at: 'f.created_at' })}
     ) q
    where (q.vat_minor = q.vat and q.asked - q.fee - q.vat >= q.amount_minor
           and (q.asked = q.amount_minor or q.lower_net < q.amount_minor)) is not true`,
);

/** What was paid out and did not come back, what came in, and what the operator kept of payments that nobody could have. */
const EARNED = `select merchant_id, mode, sum(fee_minor) as fee_minor, sum(tax_minor) as tax_minor
         from (
           select p.merchant_id, p.mode, sum(p.fee_minor) as fee_minor, sum(p.vat_minor + p.stamp_duty_minor) as tax_minor
             from payouts p
             join transactions t on ${sameTenant('t', 'p')} and t.id = p.id and t.status = 'SUCCESS'
            group by p.merchant_id, p.mode
            union all
           select merchant_id, mode, sum(case when status = 'KEPT' then amount_minor else fee_minor end), sum(vat_minor)
             from inbound_payments group by merchant_id, mode
         ) earned
        group by merchant_id, mode`;

const otherIncome = check(
  'income-and-tax-are-what-was-charged',
  'Every merchant’s fee income and tax are what its payouts and its payments in were charged, and what the operator kept.',
  `select a.merchant_id, a.mode,
          format('%s says %s, charged were fees of %s and taxes of %s', a.kind, a.credits_posted_minor - a.debits_posted_minor,
                 coalesce(e.fee_minor, 0), coalesce(e.tax_minor, 0)) as detail
     from accounts a
     left join (${EARNED}) e on ${sameTenant('e', 'a')}
    where a.kind in ('FEE_INCOME', 'TAX_PAYABLE')
      and a.credits_posted_minor - a.debits_posted_minor
          <> coalesce(case a.kind when 'FEE_INCOME' then e.fee_minor else e.tax_minor end, 0)`,
);

export const collectionFeeChecks: readonly Check[] = [otherTransfers, otherCharges, otherQuotes, otherIncome];
