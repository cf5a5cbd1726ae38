import { parseAmountText } from '../money/index.ts';
import { invalidField } from '../platform/errors.ts';

/** Amounts in minor units; both ends are included. */
interface AmountRange {
  amountFromMinor?: bigint | undefined;
  amountToMinor?: bigint | undefined;
}

/**
 * The amounts between which a list is asked for, in naira as text.
 * @throws AppError `VALIDATION_FAILED`, also for a range with nothing in it
 */
export function amountsOf(query: { amountFrom?: string; amountTo?: string }): AmountRange {
  const [amountFromMinor, amountToMinor] = [minorOf(query, 'amountFrom'), minorOf(query, 'amountTo')];
  if (amountFromMinor !== undefined && amountToMinor !== undefined && amountToMinor < amountFromMinor) {
    throw invalidField('amountTo', 'must not be less than amountFrom.');
  }
  return { amountFromMinor, amountToMinor };
}

function minorOf<Field extends string>(query: { [field in Field]?: string }, field: Field): bigint | undefined {
  const text: string | undefined = query[field];
  return text === undefined ? undefined : parseAmountText(text, field, { allowZero: true });
}
