export type MerchantStatus = 'PENDING' | 'ACTIVE' | 'SUSPENDED';
export type ReviewStatus = 'PENDING' | 'ACCEPTED' | 'REJECTED';

interface Transition {
  readonly from: MerchantStatus;
  readonly to: MerchantStatus;
  readonly review: ReviewStatus;
}

/** Everything an operator can do to a merchant's status; what is not here cannot happen. */
export const MERCHANT_TRANSITIONS = {
  approve: { from: 'PENDING', to: 'ACTIVE', review: 'ACCEPTED' },
  reject: { from: 'PENDING', to: 'PENDING', review: 'REJECTED' },
  suspend: { from: 'ACTIVE', to: 'SUSPENDED', review: 'ACCEPTED' },
  reinstate: { from: 'SUSPENDED', to: 'ACTIVE', review: 'ACCEPTED' },
} as const satisfies Record<string, Transition>;

export type MerchantAction = keyof typeof MERCHANT_TRANSITIONS;
