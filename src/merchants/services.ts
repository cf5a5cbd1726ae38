/**
 * The services that can be switched on for a merchant. The reference table `services` holds the same keys with their
 * texts.
 */
export const SERVICE_KEYS = ['PAYOUT', 'BRANCH', 'COLLECTION', 'CHILD_ACCOUNT', 'CARD'] as const;

export type ServiceKey = (typeof SERVICE_KEYS)[number];

export function isServiceKey(text: string): text is ServiceKey {
  return (SERVICE_KEYS as readonly string[]).includes(text);
}

export type MerchantStatus = 'PENDING' | 'ACTIVE' | 'SUSPENDED';
export type ReviewStatus = 'PENDING' | 'ACCEPTED' | 'REJECTED';

/** Whether it may move real money. */
export function isApproved(merchant: { status: MerchantStatus; review_status: ReviewStatus }): boolean {
  return merchant.status === 'ACTIVE' && merchant.review_status === 'ACCEPTED';
}

interface Transition {
  readonly from: MerchantStatus;
  readonly to: MerchantStatus;
  readonly review: ReviewStatus;
  /** The effect on details that wait for the operator: the wait begins, it ends, or neither. */
  readonly submission: 'OPENS' | 'ENDS' | 'STAYS';
}

/** All changes of a merchant's status. Any other is refused. */
export const MERCHANT_TRANSITIONS = {
  // The merchant asks to be accepted, or for changes of what the operator accepted.
  submit: { from: 'PENDING', to: 'PENDING', review: 'PENDING', submission: 'OPENS' },
  'submit-changes': { from: 'ACTIVE', to: 'ACTIVE', review: 'ACCEPTED', submission: 'OPENS' },
  // The operator answers.
  approve: { from: 'PENDING', to: 'ACTIVE', review: 'ACCEPTED', submission: 'ENDS' },
  reject: { from: 'PENDING', to: 'PENDING', review: 'REJECTED', submission: 'ENDS' },
  // One of the operator's people has looked at another settlement account; a second one accepts it.
  'confirm-changes': { from: 'ACTIVE', to: 'ACTIVE', review: 'ACCEPTED', submission: 'STAYS' },
  'accept-changes': { from: 'ACTIVE', to: 'ACTIVE', review: 'ACCEPTED', submission: 'ENDS' },
  'reject-changes': { from: 'ACTIVE', to: 'ACTIVE', review: 'ACCEPTED', submission: 'ENDS' },
  suspend: { from: 'ACTIVE', to: 'SUSPENDED', review: 'ACCEPTED', submission: 'STAYS' },
  reinstate: { from: 'SUSPENDED', to: 'ACTIVE', review: 'ACCEPTED', submission: 'STAYS' },
} as const satisfies Record<string, Transition>;

export type MerchantAction = keyof typeof MERCHANT_TRANSITIONS;
