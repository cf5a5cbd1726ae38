/** Which reads each topic of `GET /stream` changes, by their addresses in the API document. */
const READS: Readonly<Record<string, readonly string[]>> = {
  balances: [
    '/wallet/merchant',
    '/wallet/summary',
    '/wallet/merchant/statement',
    '/wallet/{walletId}/statement',
    // Of the chart, which makes it of statements.
    '/wallet/balance',
  ],
  accountNumbers: ['/wallet/{walletId}/account'],
  transactions: [
    '/transaction',
    '/transaction/{transactionId}',
    '/transaction/{transactionId}/evidence',
    '/beneficiary/{beneficiaryId}',
    '/beneficiary/{beneficiaryId}/payout',
  ],
  payouts: ['/payout/single/schedule', '/home'],
  batches: ['/payout/bulk', '/payout/bulk/{batchReference}', '/home'],
  beneficiaries: ['/beneficiary', '/beneficiary/{beneficiaryId}'],
  limits: ['/payout/limit'],
  paymentsIn: [
    '/collection/payment',
    '/collection/payment/{paymentId}',
    '/collection/refund',
    '/collection/refund/{refundId}',
    '/collection/dispute',
    '/collection/dispute/{disputeId}',
    '/collection/owed',
    '/home',
  ],
  sessions: ['/collection/session', '/collection/session/{sessionId}', '/collection/link', '/customer'],
  stores: ['/branch/store', '/branch/store/{storeId}'],
  subaccounts: ['/subaccount', '/subaccount/{subaccountId}'],
  approvals: ['/approval', '/approval/{approvalId}', '/home'],
  profile: ['/merchant/info', '/onboarding', '/onboarding/live'],
};

/**
 * Reads that need not look by themselves while the page is notified: all of what they show changes with an event. What else
 * moves without one, such as the progress of a batch, is looked at all the same.
 */
const STREAMED: ReadonlySet<string> = new Set([
  '/wallet/merchant',
  '/wallet/summary',
  '/wallet/{walletId}/account',
  '/transaction',
  '/payout/single/schedule',
  '/payout/bulk',
  '/collection/payment',
  '/collection/refund',
  '/collection/dispute',
  '/collection/session',
  '/approval',
  '/home',
]);

export const isStreamed = (path: string): boolean => STREAMED.has(path);

/** The addresses of the reads that these topics change. */
export const readsOf = (topics: Iterable<string>): ReadonlySet<string> =>
  new Set([...topics].flatMap((topic) => READS[topic] ?? []));
