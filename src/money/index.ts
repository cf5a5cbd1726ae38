export {
  type Currency,
  DEFAULT_CURRENCY,
  decimalText,
  formatMoney,
  parseAmount,
  parseAmountText,
  parseTypedAmount,
  plainText,
  toNumber,
  toNumberIfExact,
  toNumberOrNull,
  typedAmount,
  ungrouped,
} from './amount.ts';
export { mulDiv, percentage, type Rounding } from './rounding.ts';
