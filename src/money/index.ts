export {
  type AmountRules,
  type Currency,
  DEFAULT_CURRENCY,
  decimalText,
  formatMoney,
  parseAmount,
  parseAmountText,
  plainText,
  toNumber,
  toNumberIfExact,
  toNumberOrNull,
} from './amount.ts';
export { mulDiv, percentage, type Rounding } from './rounding.ts';
