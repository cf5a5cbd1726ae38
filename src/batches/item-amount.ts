import { parseAmount } from '../money/index.ts';

/**
 * The amount of an item out of a JSON body, in kobo: at most two decimals. Zero and less are kept and shown as invalid, so
 * that a clerk can correct them.
 * @throws AppError `VALIDATION_FAILED`
 */
export function parseItemAmount(amount: number, field = 'amount'): bigint {
  return parseAmount(amount, field, { allowZero: true, allowNegative: true });
}
