import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

export const settlementReferenceTaken = (reference: string, settlementId: string) =>
  new AppError(
    'conflict',
    'SETTLEMENT_REFERENCE_TAKEN',
    `Another file was imported for the settlement ${reference} of this provider account, as ${settlementId}.`,
  );

export const settlementNotReady = (status: string) =>
  new AppError('conflict', 'SETTLEMENT_NOT_READY', `The settlement is ${status}.`);

export const settlementSumDiffers = (netMinor: bigint, lumpMinor: bigint) =>
  new AppError(
    'conflict',
    'SETTLEMENT_SUM_DIFFERS',
    `The lines come to ${formatMoney(netMinor, DEFAULT_CURRENCY)} and ${formatMoney(lumpMinor, DEFAULT_CURRENCY)} was settled: say in a note why it is applied all the same.`,
  );

export const fetchedSumDiffers = (netMinor: bigint, lumpMinor: bigint) =>
  new AppError(
    'conflict',
    'SETTLEMENT_FETCHED_DIFFERS',
    `What was fetched comes to ${formatMoney(netMinor, DEFAULT_CURRENCY)} and the provider says that it settled ${formatMoney(lumpMinor, DEFAULT_CURRENCY)}: discard it, and import the provider's file, which two people apply.`,
  );

export const settlementsNotFetched = (rail: string) =>
  new AppError(
    'conflict',
    'SETTLEMENT_NOT_FETCHED',
    `The provider of ${rail} cannot be asked what it settled. Import its file instead.`,
  );

export const postedLine = () =>
  new AppError('conflict', 'SETTLEMENT_LINE_NOT_APPLICABLE', 'This line agrees: applying the settlement posts it.');

/** A column of ids or account numbers that is named as an amount adds up to this. */
export const amountsTooLarge = () =>
  new AppError(
    'invalid',
    'SETTLEMENT_FILE_UNREADABLE',
    'The amounts of the file come to more than 10 trillion naira. A column of it may have the wrong name.',
  );
