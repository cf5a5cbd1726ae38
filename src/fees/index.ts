export { changeFeeRules, type FeeChange, type NewFeeRule, planFeeChange } from './change-fee-rules.ts';
export { FEE_ERRORS } from './errors.ts';
export { type FeeRule, feeRuleDigest, listFeeRules } from './queries.ts';
export {
  type ChargeLine,
  type CollectionCharges,
  createFees,
  explainCharges,
  type Fees,
  NO_CHARGES,
  PAYOUT_PURPOSES,
  type PayoutPurpose,
  type Quote,
  quoteCollection,
  quotePayout,
  SERVICE_PURPOSES,
} from './quote.ts';
