import { statement } from '../platform/db/statement.ts';
import type { FeeRule } from './fee-rule.ts';

/** All of them, past and future: which are in force is the payout's instant to say, and a change needs no reload. */
export const listFeeRules = statement<FeeRule>(
  'list-fee-rules',
  `select id, currency, kind, min_amount_minor as "minAmountMinor", max_amount_minor as "maxAmountMinor",
     flat_minor as "flatMinor", rate_basis_points as "rateBasisPoints", payer, exempt_purposes as "exemptPurposes",
     rounding, effective_from as "effectiveFrom", effective_to as "effectiveTo",
     source
   from fee_rules
   order by id`,
);
