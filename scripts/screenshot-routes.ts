/** Who looks: the owner of the demo merchant, the member who may approve, an operator, or nobody who is signed in. */
export type Viewer = 'member' | 'approver' | 'operator' | 'nobody';

export interface ShownRoute {
  /** Within the dashboard; what payers and payees see stands outside it, under the ids that end in `Path`. */
  path: string;
  as: Viewer;
}

const all = (as: Viewer, paths: readonly string[]): ShownRoute[] => paths.map((path) => ({ path, as }));

/**
 * Every page of the dashboard, which `test/architecture/docs.test.ts` holds; `:storeId` and its like stand for something of the
 * demo (see screenshots.ts).
 */
export const SHOWN_ROUTES: readonly ShownRoute[] = [
  ...all('nobody', ['/sign-in', '/sign-up', '/confirm', '/forgot', '/reset', '/join', '/outbox']),
  ...all('nobody', [':checkoutPath', ':bankPath', ':linkPath', ':receiptPath']),
  ...all('member', ['/', '/?mode=live', '/no/such/page']),
  ...all('member', [
    '/wallet',
    '/collections',
    '/collections/refunds',
    '/collections/refunds/:refundId',
    '/collections/disputes',
    '/collections/disputes/:disputeId',
    '/collections/sessions',
    '/collections/links',
    '/collections/reserve',
    '/collections/accounts',
    '/collections/customers',
    '/collections/settlements',
    '/transactions',
    '/transactions/:transactionId',
    '/beneficiaries',
    '/beneficiaries/:beneficiaryId',
  ]),
  ...all('member', ['/stores', '/stores/:storeId', '/subaccounts', '/subaccounts/:subaccountId']),
  ...all('member', [
    '/payouts',
    '/payouts/new',
    '/payouts/:transactionId',
    '/payouts/scheduled',
    '/bulk',
    '/bulk/:batchReference',
    '/bulk/:problemsReference',
    '/approvals',
  ]),
  ...all('member', ['/developers/keys', '/developers/webhooks', '/developers/deliveries']),
  ...all('member', ['/developers/deliveries/:deliveryId', '/developers/requests/:requestId']),
  ...all('member', ['/developers/events', '/developers/requests', '/onboarding']),
  ...all('member', ['/developers/explorer?operation=quotePayout', '/developers/catalogue?type=payout.succeeded']),
  ...all('member', ['/onboarding?step=business-documents', '/onboarding?step=settlement-account']),
  ...all('member', ['/settings', '/settings/profile', '/settings/pin', '/settings/people', '/settings/approval-rules']),
  ...all('member', ['/settings/limits', '/settings/security', '/settings/audit', '/settings/support']),
  ...all('approver', ['/approvals', '/approvals/:approvalId']),
  ...all('operator', ['/operator', '/operator/merchants', '/operator/merchants/:merchantId']),
  ...all('operator', ['/operator/merchants/:merchantId?tab=services', '/operator/merchants/:merchantId?tab=money']),
  ...all('operator', ['/operator/merchants/:merchantId?tab=people', '/operator/merchants/:merchantId?tab=history']),
  ...all('operator', ['/operator/payouts', '/operator/payouts/:payoutId']),
  ...all('operator', ['/operator/payments-in', '/operator/payments-in/:paymentId']),
  ...all('operator', ['/operator/money-in', '/operator/manual-credits']),
  ...all('operator', ['/operator/disputes', '/operator/disputes?show=proposals', '/operator/disputes?show=reported']),
  ...all('operator', ['/operator/disputes/:disputeId?merchantId=:demoMerchantId&of=SANDBOX']),
  ...all('operator', ['/operator/merchant-settlements', '/operator/bank-holidays']),
  ...all('operator', ['/operator/provider-settlements', '/operator/provider-settlements/:settlementId']),
  ...all('operator', ['/operator/outcomes', '/operator/outcomes?show=all', '/operator/refunds']),
  ...all('operator', ['/operator/provider-settlements/fetched', '/operator/receivables']),
  ...all('operator', ['/operator/cases', '/operator/freezes', '/operator/screening', '/operator/tiers']),
  ...all('operator', ['/operator/verify', '/operator/rails', '/operator/float']),
  ...all('operator', ['/operator/daily-close', '/operator/daily-close?names=true', '/operator/reports']),
  ...all('operator', ['/operator/reconciliation', '/operator/reconciliation/:importId']),
  ...all('operator', [
    '/operator/fees',
    '/operator/reserves',
    '/operator/limits',
    '/operator/webhooks',
    '/operator/people',
  ]),
  ...all('operator', ['/operator/announcements', '/operator/audit', '/operator/security']),
];
