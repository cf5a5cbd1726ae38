import { AppError } from '../platform/errors.ts';

export const settlementNotFound = () =>
  new AppError('not_found', 'MERCHANT_SETTLEMENT_NOT_FOUND', 'There is no settlement to your bank with this id.');

export const settlementNotSetUp = () =>
  new AppError(
    'conflict',
    'MERCHANT_SETTLEMENT_NOT_SET_UP',
    'Settlements are not set up. An owner of the business saves the settings of settlements first.',
  );

/** Why nothing is settled now, in the words of a merchant. */
const PAUSE_WORDS: Readonly<Record<string, string>> = {
  MERCHANT_SUSPENDED: 'Your account is suspended.',
  MERCHANT_NOT_APPROVED: 'Your business is not approved yet.',
  SETTLEMENT_SWITCHED_OFF: 'The operator has switched settlements off. Please contact support.',
  SETTLEMENT_ACCOUNT_MISSING: 'No settlement account was accepted yet. Give it in the business profile and submit it.',
  SETTLEMENT_ACCOUNT_CHANGED:
    'Another settlement account was accepted a short time ago. Settlements go on after a while.',
  DISPUTE_DEBT: 'Your business owes money after a dispute. What comes in pays that first; then settlements go on.',
  PAYOUT_NOT_POSSIBLE: 'The operator looks into it. Please contact support.',
  ACCOUNT_NOT_FOUND: 'The bank does not know the settlement account. Change it in the business profile.',
  BANK_NOT_FOUND: 'The bank of the settlement account is not known any more. Change it in the business profile.',
  DAILY_LIMIT_EXCEEDED: 'The limit for payouts of a day is used up. It goes on when a new day begins in Lagos.',
  INSUFFICIENT_FUNDS: 'The wallet holds less than is to be settled.',
  DISPUTE_NOT_COVERED:
    'An open dispute is over more than your wallet holds for it. Settlements go on once it holds all of it, or the dispute has ended.',
  UNDER_REVIEW: 'Settlements are being reviewed. Please contact support.',
};

export const wordsOfPause = (reason: string): string => PAUSE_WORDS[reason] ?? `Settlements are stopped (${reason}).`;

export const settlementPaused = (reason: string) =>
  new AppError('conflict', 'MERCHANT_SETTLEMENT_PAUSED', wordsOfPause(reason));

export type NothingCode = 'NOTHING_COLLECTED' | 'BALANCE_TOO_LOW' | 'BELOW_MINIMUM' | 'LIMIT_BELOW_MINIMUM';

/** Why a turn made no settlement. */
export const NOTHING_WORDS: Readonly<Record<NothingCode, string>> = {
  NOTHING_COLLECTED: 'Nothing was collected that is not settled.',
  BALANCE_TOO_LOW: 'The available balance, less what stays in the wallet, is too low to settle anything.',
  BELOW_MINIMUM: 'What would be settled is less than the minimum.',
  LIMIT_BELOW_MINIMUM:
    'The limit of one payout, or of a day, is less than the minimum that is settled. It goes on once one of them is changed.',
};

/** The result of a turn without a settlement, in the words of a merchant. */
export const wordsOfResult = (result: string): string =>
  (NOTHING_WORDS as Readonly<Record<string, string>>)[result] ?? wordsOfPause(result);

export const nothingToSettle = (code: NothingCode) =>
  new AppError('refused', 'MERCHANT_SETTLEMENT_NOTHING_DUE', NOTHING_WORDS[code]);

/** Somebody else made it, changed it, or saved settings, at the same moment. */
export const settlementMovedOn = () =>
  new AppError(
    'conflict',
    'MERCHANT_SETTLEMENT_MOVED_ON',
    'This was settled or changed at the same moment. Look at it again.',
  );

export const settlementNotFailed = (status: string) =>
  new AppError(
    'conflict',
    'MERCHANT_SETTLEMENT_NOT_FAILED',
    `The settlement is ${status}: only one that failed can be tried again.`,
  );

/** It failed, and its payout is before the operator: the rail has reported something else since. */
export const settlementOutcomeUncertain = () =>
  new AppError(
    'conflict',
    'MERCHANT_SETTLEMENT_OUTCOME_UNCERTAIN',
    'The settlement failed, but the bank has said something else since: it may have been paid after all. The operator ' +
      'looks into it; it is tried again once that is known.',
  );

export const holidayNotFound = () =>
  new AppError('not_found', 'BANK_HOLIDAY_NOT_FOUND', 'There is no bank holiday with this id.');

export const holidayTaken = () =>
  new AppError(
    'conflict',
    'BANK_HOLIDAY_TAKEN',
    'This day is a bank holiday already. Remove that one first to change it.',
  );
