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
export const ruleCharge = (base: string, rule: string): string =>
  `least(${rule}.flat_minor + ${share(base, rule)}, ${rule}.cap_minor)`;

/** What the sender bears by a rule. */
const chargeOf = (base: string, rule: string): string =>
  `case when ${rule}.payer = 'SENDER' and not c.purpose = any (${rule}.exempt_purposes)
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
       on o.currency = r.currency and o.kind = r.kind and o.id > r.id
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
