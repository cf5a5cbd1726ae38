import { formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

export const refundNotFound = () => new AppError('not_found', 'REFUND_NOT_FOUND', 'There is no refund with this id.');

export const refundsNotEnabled = () =>
  new AppError(
    'forbidden',
    'REFUNDS_NOT_ENABLED',
    'Refunds are not switched on for your account yet. Please contact support.',
  );

const WHY_NOT: Record<string, string> = {
  PENDING_SETTLEMENT: 'it waits for the provider’s settlement and is in no wallet yet',
  SUSPENSE: 'it is held, and the operator decides what becomes of it',
  RETURNED: 'it went back to its payer already',
  KEPT: 'it is not in your wallet',
  UNCERTAIN: 'a refund of it failed, but may have reached the payer after all, and the operator looks into it',
  REVERSED: 'the provider says that it went back to its payer by itself, and the operator looks into it',
};

export const paymentNotRefundable = (status: string) =>
  new AppError(
    'conflict',
    'PAYMENT_NOT_REFUNDABLE',
    `This payment cannot be refunded now: ${WHY_NOT[status] ?? `it is ${status}`}.`,
  );

/** As for payouts: it says neither what is frozen nor why, so nobody learns of a freeze by refunding. */
export const refundNotPossible = () =>
  new AppError(
    'refused',
    'PAYOUT_NOT_POSSIBLE',
    'This refund cannot be made at the moment. Please contact support and give the ID of this request.',
  );

export const refundReferenceTaken = () =>
  new AppError('conflict', 'REFUND_REFERENCE_TAKEN', 'You have used this reference before. Each refund needs its own.');

export const refundDuplicate = (refundId: string) =>
  new AppError(
    'conflict',
    'REFUND_DUPLICATE',
    `The same amount of this payment was refunded a moment ago: refund ${refundId}. Send allowDuplicate: true if it is meant twice.`,
  );

export const providerHasNoRefunds = () =>
  new AppError(
    'refused',
    'REFUND_WAY_UNAVAILABLE',
    'The provider of this payment does not send refunds. Refund it with the way PAYOUT.',
  );

export const refundNotPartial = () =>
  new AppError('refused', 'REFUND_NOT_PARTIAL', 'The provider of this payment refunds all of it or nothing.');

export const refundTooSmall = (minMinor: bigint) =>
  new AppError(
    'refused',
    'REFUND_TOO_SMALL',
    `The provider of this payment refunds ${formatMoney(minMinor, 'NGN')} at least.`,
  );

export const refundAccountNeeded = () =>
  new AppError(
    'refused',
    'REFUND_ACCOUNT_NEEDED',
    'It is not known from which account this payment came. Send the payer’s bankCode and accountNumber.',
  );

export const refundAccountOfOthers = (accountName: string, payerName: string) =>
  new AppError(
    'refused',
    'REFUND_ACCOUNT_OF_OTHERS',
    `The account belongs to ${accountName}, and ${payerName} paid. A refund goes to the payer alone.`,
  );

export const refundNeedsNoDetails = (status: string) =>
  new AppError('conflict', 'REFUND_NEEDS_NO_DETAILS', `Nobody asks for the payer’s account: the refund is ${status}.`);

/** For the pipeline: another worker moved the refund on first. Never returned to a client. */
export const refundMovedOn = (actual: string | undefined) =>
  new AppError('conflict', 'REFUND_MOVED_ON', `The refund is ${actual ?? 'gone'}.`);

/** For the rule: the refund was made before. Never returned to a client. */
export const refundMadeByRule = () =>
  new AppError('conflict', 'REFUND_MADE_BY_RULE', 'The rule has refunded this payment already.');

/**
 * Somebody else changed the rule at that moment: the author of a change gets this. A refund by the rule reads it again
 * instead.
 */
export const refundRuleMovedOn = () =>
  new AppError(
    'conflict',
    'REFUND_RULE_MOVED_ON',
    'The rule for refunds was changed at this moment. Look at it again.',
  );

/** For the rule: the payment was dealt with otherwise. Never returned to a client. */
export const paymentToRefundMovedOn = () =>
  new AppError('conflict', 'PAYMENT_TO_REFUND_MOVED_ON', 'It is decided already what becomes of this payment.');

export const refundReceiptNotMade = () =>
  new AppError('conflict', 'RECEIPT_NOT_PAID', 'There is a receipt only of a refund that was made.');
