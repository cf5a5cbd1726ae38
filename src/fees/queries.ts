import type { Currency, Rounding } from '../money/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { PaymentChannel } from '../rails/index.ts';

/** All rules, past and future: the time of the payout decides which are in force, and a change needs no reload. */
export const listFeeRules = statement<FeeRule>(
  'list-fee-rules',
  `select id, currency, kind, min_amount_minor as "minAmountMinor", max_amount_minor as "maxAmountMinor",
     flat_minor as "flatMinor", rate_basis_points as "rateBasisPoints", cap_minor as "capMinor", channel, payer,
     exempt_purposes as "exemptPurposes", rounding, effective_from as "effectiveFrom", effective_to as "effectiveTo",
     source
   from fee_rules
   order by id`,
);

/** Reads continue; another change waits until this one is committed. */
export const lockFeeRules = statement('lock-fee-rules', 'lock table fee_rules in share row exclusive mode');

/**
 * SHA-256, hex, over a rule as it was made: the proof finds an alteration. Its end is set later. A cap and a channel
 * are included where there are any: digests of rules made before these existed are without them.
 */
export const feeRuleDigest = (rule: string): string =>
  `encode(sha256(convert_to(json_build_array(
     ${rule}.id, ${rule}.currency, ${rule}.kind, ${rule}.min_amount_minor, ${rule}.max_amount_minor, ${rule}.flat_minor,
     ${rule}.rate_basis_points, ${rule}.payer, ${rule}.exempt_purposes, ${rule}.rounding,
     extract(epoch from ${rule}.effective_from), ${rule}.source)::text || coalesce('/' || ${rule}.cap_minor, '')
       || coalesce('/' || ${rule}.channel, ''), 'UTF8')), 'hex')`;

export const insertFeeRules = statement(
  'insert-fee-rule',
  `insert into fee_rules (id, currency, kind, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points, payer,
     exempt_purposes, rounding, effective_from, effective_to, source, cap_minor, channel, digest)
   select rule.*, ${feeRuleDigest('rule')}
     from (values ($1, $2, $3, $4::bigint, $5::bigint, $6::bigint, $7::integer, $8, $9::text[], $10, $11::timestamptz,
                   $12::timestamptz, $13, $14::bigint, $15::text))
          as rule (id, currency, kind, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points, payer,
                   exempt_purposes, rounding, effective_from, effective_to, source, cap_minor, channel)`,
);

/** Only where it is in force then; its end is in the future. */
export const updateFeeRuleEnded = statement(
  'update-fee-rule-ended',
  `update fee_rules set effective_to = $2
    where id = $1 and effective_from < $2 and (effective_to is null or effective_to > $2)`,
);

/** A rule that begins no sooner has charged nothing yet. */
export const deleteFeeRuleAhead = statement(
  'delete-fee-rule-ahead',
  'delete from fee_rules where id = $1 and effective_from >= $2',
);

/**
 * One dated row of `fee_rules`: `flatMinor` plus `rateBasisPoints` of a base, which is the payout's amount for
 * `TRANSFER_FEE` and `STAMP_DUTY`, the amount of a payment in for `COLLECTION_FEE`, and the fee for `VAT`.
 */
export interface FeeRule {
  id: string;
  currency: Currency;
  kind: 'TRANSFER_FEE' | 'VAT' | 'STAMP_DUTY' | 'COLLECTION_FEE';
  /** Both bounds are included; null has no upper end. */
  minAmountMinor: bigint;
  maxAmountMinor: bigint | null;
  flatMinor: bigint;
  rateBasisPoints: number;
  /** The most that it charges; null is no cap. */
  capMinor: bigint | null;
  /**
   * For a `COLLECTION_FEE`: it prices payments of this channel alone, and comes before the rule for all channels, which
   * has none.
   */
  channel: PaymentChannel | null;
  /**
   * Only what the sender bears is part of a payout's quote. A `COLLECTION_FEE` is borne by the receiver, the merchant,
   * whose wallet pays it.
   */
  payer: 'SENDER' | 'RECEIVER';
  exemptPurposes: readonly string[];
  rounding: Rounding;
  /** In force from this time on, until `effectiveTo`, exclusive. */
  effectiveFrom: Date;
  effectiveTo: Date | null;
  /** The law, circular or decision behind it. */
  source: string;
}
