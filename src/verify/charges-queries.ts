import { feeRuleDigest } from '../fees/index.ts';
import { type Check, check, NOBODY, sameTenant } from './queries.ts';

/**
 * A payout is priced a moment before it is accepted, while the bank is asked for a name: what was right at any moment of
 * these minutes is right. Rules begin at least two minutes after they were made, so no more than two of a kind meet here.
 */
const PRICED_WITHIN = `interval '5 minutes'`;

/** What a rule of basis points of a base comes to, rounded as it says. */
const share = (base: string, rule: string): string => {
  const exact = `${base}::numeric * ${rule}.rate_basis_points / 10000`;
  return `case ${rule}.rounding when 'DOWN' then floor(${exact}) when 'UP' then ceil(${exact}) when 'HALF_UP' then floor(${exact} + 0.5)
            else case when ${exact} - floor(${exact}) = 0.5 then floor(${exact}) + mod(floor(${exact}), 2) else round(${exact}) end end`;
};

/** What a rule charges on a base, at most its cap. */
const ruleCharge = (base: string, rule: string): string =>
  `least(${rule}.flat_minor + ${share(base, rule)}, ${rule}.cap_minor)`;

/** What the sender bears by a rule. */
const chargeOf = (base: string, rule: string): string =>
  `case when ${rule}.payer = 'SENDER' and not case c.purpose when 'SETTLEMENT' then 'OWN_ACCOUNT' else c.purpose end = any (${rule}.exempt_purposes)
               then ${ruleCharge(base, rule)} else 0 end`;

/**
 * Each price that was charged, once: amount, purpose, charges and the minutes in which they were. Items of a batch have the
 * prices of its dispatch.
 */
const CHARGED = `select p.merchant_id, p.mode, min(p.id::text) as id, t.currency, t.amount_minor, p.purpose, p.fee_minor, p.vat_minor,
              p.stamp_duty_minor, date_trunc('minute', coalesce(b.dispatched_at, h.created_at)) as at, count(*) as payouts
         from payouts p
         join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
         left join batches b on ${sameTenant('b', 'p')} and b.id = p.batch_id
         left join transfers h on h.merchant_id = p.merchant_id and h.transaction_id = p.id and h.id = p.amount_hold_id
        where p.amount_hold_id is not null
        group by 1, 2, 4, 5, 6, 7, 8, 9, 10`;

/** Whether some rule that was in force within the minutes gives this charge, or none had to be. */
const follows = (kind: string, base: string, charge: string): string =>
  `bool_or(r.kind = '${kind}' and ${chargeOf(base, 'r')} = ${charge}) is true
          or (${charge} = 0 and count(*) filter (where r.kind = '${kind}' and r.effective_from <= c.at - ${PRICED_WITHIN}
                                                     and coalesce(r.effective_to, 'infinity') > c.at + ${PRICED_WITHIN}) = 0)`;

const otherCharges = check(
  'charges-follow-the-rules',
  'Every payout was charged the fee, the VAT and the stamp duty of the rules that were in force when it was accepted.',
  `select c.merchant_id, c.mode,
          format('payout %s%s of %s (%s) was charged %s, %s and %s', c.id, case when c.payouts > 1 then ' and ' || c.payouts - 1 || ' more' end,
                 c.amount_minor, c.purpose, c.fee_minor, c.vat_minor, c.stamp_duty_minor) as detail
     from (${CHARGED}) c
     left join fee_rules r
       on r.currency = c.currency and c.amount_minor between r.min_amount_minor and coalesce(r.max_amount_minor, c.amount_minor)
      and r.effective_from <= c.at + ${PRICED_WITHIN} and coalesce(r.effective_to, 'infinity') > c.at - ${PRICED_WITHIN}
    group by c.merchant_id, c.mode, c.id, c.currency, c.amount_minor, c.purpose, c.fee_minor, c.vat_minor, c.stamp_duty_minor, c.at,
             c.payouts
   having not ((${follows('TRANSFER_FEE', 'c.amount_minor', 'c.fee_minor')})
               and (${follows('VAT', 'c.fee_minor', 'c.vat_minor')})
               and (${follows('STAMP_DUTY', 'c.amount_minor', 'c.stamp_duty_minor')})) is true`,
);

const OF_NOBODY = `${NOBODY} as merchant_id, '' as mode`;

/** Two rules for one amount would price it twice, none not at all: VAT and duty may be absent, a fee may not. */
const conflictingRules = check(
  'fee-rules-give-one-price',
  'At every moment every amount has one transfer fee, no charge is set twice, and every rule is what it was when it was made.',
  `select ${OF_NOBODY}, format('%s of %s is not what was made', r.id, r.kind) as detail
     from fee_rules r
    where r.digest <> ${feeRuleDigest('r')}
   union all
   select ${OF_NOBODY}, format('%s and %s both set the %s of %s', r.id, o.id, r.kind, greatest(r.min_amount_minor, o.min_amount_minor)) as detail
     from fee_rules r
     join fee_rules o
       on o.currency = r.currency and o.kind = r.kind and o.channel is not distinct from r.channel and o.id > r.id
      and o.min_amount_minor <= coalesce(r.max_amount_minor, o.min_amount_minor)
      and r.min_amount_minor <= coalesce(o.max_amount_minor, r.min_amount_minor)
      and o.effective_from < coalesce(r.effective_to, 'infinity') and r.effective_from < coalesce(o.effective_to, 'infinity')
   union all
   select ${OF_NOBODY}, format('no rule sets the fee of %s from %s on', e.amount_minor, e.at)
     from (
       select a.currency, a.amount_minor, m.at
         from (select currency, coalesce(max_amount_minor + 1, 1) as amount_minor from fee_rules where kind = 'TRANSFER_FEE'
                union select currency, 1 from fee_rules) a
         join (select currency, effective_from as at from fee_rules where kind = 'TRANSFER_FEE'
                union select currency, effective_to from fee_rules where kind = 'TRANSFER_FEE' and effective_to is not null) m
           on m.currency = a.currency
     ) e
     left join fee_rules r
       on r.currency = e.currency and r.kind = 'TRANSFER_FEE' and r.effective_from <= e.at
      and coalesce(r.effective_to, 'infinity') > e.at
      and e.amount_minor between r.min_amount_minor and coalesce(r.max_amount_minor, e.amount_minor)
    where r.id is null`,
);

/** By batch, the rules that its charges follow from, in order. */
const RULES_OF_BATCHES = `select i.merchant_id, i.mode, i.batch_id, string_agg(distinct '"' || r.id || '"' collate "C", ',' order by '"' || r.id || '"' collate "C") as rules
         from (
           select b.merchant_id, b.mode, b.id as batch_id, b.purpose, b.dispatched_at, i.amount_minor
             from batches b
             join batch_items i on ${sameTenant('i', 'b')} and i.batch_id = b.id and i.is_valid
            where b.dispatched_at is not null
            group by b.merchant_id, b.mode, b.id, b.purpose, b.dispatched_at, i.amount_minor
         ) i
         join fee_rules r
           on r.currency = 'NGN' and r.kind <> 'COLLECTION_FEE' and r.payer = 'SENDER' and not i.purpose = any (r.exempt_purposes)
          and i.amount_minor between r.min_amount_minor and coalesce(r.max_amount_minor, i.amount_minor)
          and r.effective_from <= i.dispatched_at and coalesce(r.effective_to, 'infinity') > i.dispatched_at
        group by i.merchant_id, i.mode, i.batch_id`;

/** As `digestBatch` makes it: JSON of the items' digest, the purpose, what it costs and the ids of the rules. */
const otherDispatches = check(
  'batches-cost-what-was-shown',
  'Every batch was dispatched by the digest that was shown: of its items, what they cost and the rules behind that.',
  `select b.merchant_id, b.mode, format('batch %s of %s was dispatched by the digest %s, which is not its own', b.id, b.amount_minor,
                                        b.dispatched_digest) as detail
     from batches b
     left join (${RULES_OF_BATCHES}) r on ${sameTenant('r', 'b')} and r.batch_id = b.id
    where b.dispatched_at is not null
      and b.dispatched_digest is distinct from encode(sha256(convert_to(
            format('["%s","%s","%s","%s","%s","%s"%s]', b.items_digest, b.purpose, b.amount_minor, b.fee_minor, b.vat_minor,
                   b.stamp_duty_minor, ',' || r.rules), 'UTF8')), 'hex')`,
);

export const chargeChecks: readonly Check[] = [otherCharges, conflictingRules, otherDispatches];

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
  /** How it was paid. */
  channel: string;
  at: string;
}

const inForce = (
  rule: string,
  kind: string,
  { currency, amount, at }: Omit<Priced, 'channel'>,
  channel?: string,
): string =>
  `left join fee_rules ${rule}
       on ${rule}.kind = '${kind}' and ${rule}.currency = ${currency}
      and ${channel === undefined ? `${rule}.channel is null` : `${rule}.channel = ${channel}`}
      and ${amount} between ${rule}.min_amount_minor and coalesce(${rule}.max_amount_minor, ${amount})
      and ${rule}.effective_from <= ${at} and coalesce(${rule}.effective_to, 'infinity') > ${at}`;

/** The rule of the channel, as `of_` and its name, and the one for all channels. */
const feesInForce = (rule: string, priced: Priced): string =>
  `${inForce(`of_${rule}`, 'COLLECTION_FEE', priced, priced.channel)}
     ${inForce(rule, 'COLLECTION_FEE', priced)}`;

/** By the rule of the channel where there is one. */
const feeOn = (amount: string, rule: string): string =>
  `coalesce(case when of_${rule}.id is null then ${ruleCharge(amount, rule)} else ${ruleCharge(amount, `of_${rule}`)} end, 0)`;
const vatOn = (fee: string, rule: string): string =>
  `case when ${fee} = 0 or ${rule}.payer <> 'SENDER' or 'GENERAL' = any (${rule}.exempt_purposes) then 0
                 else coalesce(${ruleCharge(fee, rule)}, 0) end`;

const CREDITED: Priced = { currency: 'p.currency', amount: 'p.amount_minor', channel: 'p.channel', at: 'x.created_at' };

/** Where fee and VAT are more than the payment, the fee is the largest that fits: one kobo more would not. */
const otherCollectionCharges = check(
  'charges-on-payments-in-follow-the-rules',
  'Every payment in that was credited was charged the fee and the VAT of the rules in force at that moment, and never more than it was.',
  `select p.merchant_id, p.mode,
          format('payment %s of %s was charged %s and VAT %s by %s and %s', p.id, p.amount_minor, p.fee_minor, p.vat_minor,
                 coalesce(of_r.id, r.id, 'no rule'), coalesce(v.id, 'no rule')) as detail
     from inbound_payments p
     join transactions x on ${sameTenant('x', 'p')} and x.id = p.id
     ${feesInForce('r', CREDITED)}
     ${inForce('v', 'VAT', CREDITED)}
    where p.status = 'CREDITED'
      and (p.vat_minor = ${vatOn('p.fee_minor', 'v')} and p.fee_minor + p.vat_minor <= p.amount_minor
           and (p.fee_minor = ${feeOn('p.amount_minor', 'r')}
                or p.fee_minor < ${feeOn('p.amount_minor', 'r')}
                   and p.fee_minor + 1 + ${vatOn('(p.fee_minor + 1)', 'v')} > p.amount_minor)) is not true`,
);

/** By whose rules a session is quoted: a number takes transfers, and a page by card where it has that. */
const QUOTED_CHANNEL = `case when s.opens = 'ACCOUNT' then 'BANK_TRANSFER' when strpos(s.page_channels, 'CARD') > 0 then 'CARD'
                   when strpos(s.page_channels, 'BANK_TRANSFER') > 0 or strpos(s.page_channels, 'USSD') = 0 then 'BANK_TRANSFER'
                   else 'USSD' end`;

/** A payment of what a session asks for, and of one kobo less. */
const asked = (less: number): Priced => ({
  currency: 's.currency',
  amount: `(s.asked - ${less})`,
  channel: QUOTED_CHANNEL,
  at: 's.created_at',
});

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
             ${feesInForce('r', asked(0))}
             ${feesInForce('o', asked(1))}
             -- Each fee is worked out once: written out wherever it is used, they made the plan of this check a fifth of all planning.
             offset 0
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

export const collectionFeeChecks: readonly Check[] = [otherTransfers, otherCollectionCharges, otherQuotes, otherIncome];
