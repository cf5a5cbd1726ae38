export type StatusTone = 'good' | 'bad' | 'warn' | 'info' | 'quiet';

interface Shown {
  word: string;
  tone: StatusTone;
}

const shown = (word: string, tone: StatusTone): Shown => ({ word, tone });

/** Every status of the interface in a word that a merchant uses. Colour repeats it and never says it alone. */
const STATUSES: Record<string, Shown> = {
  // Transactions
  PENDING_APPROVAL: shown('Waiting for approval', 'warn'),
  SCHEDULED: shown('Scheduled', 'info'),
  QUEUED: shown('Queued', 'info'),
  PROCESSING: shown('Processing', 'info'),
  SUCCESS: shown('Paid', 'good'),
  FAILED: shown('Failed', 'bad'),
  REVERSED: shown('Returned', 'warn'),
  CANCELLED: shown('Cancelled', 'quiet'),
  // Refunds
  NEEDS_DETAILS: shown('Needs an account', 'warn'),
  // Disputes
  EVIDENCE_SENT: shown('Evidence sent', 'info'),
  WON: shown('Won', 'good'),
  LOST: shown('Lost', 'bad'),
  ACCEPTED: shown('Accepted', 'quiet'),
  // Payments in
  CREDITED: shown('Credited', 'good'),
  SUSPENSE: shown('Held', 'warn'),
  RETURNED: shown('Sent back', 'quiet'),
  KEPT: shown('Kept', 'quiet'),
  PENDING_SETTLEMENT: shown('Pending settlement', 'info'),
  // Batches and their items
  VALIDATING: shown('Checking', 'info'),
  NEEDS_FIX: shown('Needs correction', 'warn'),
  READY: shown('Ready', 'good'),
  DISPATCHING: shown('Paying', 'info'),
  COMPLETED: shown('Completed', 'good'),
  PARTIALLY_COMPLETED: shown('Partly completed', 'warn'),
  EXPIRED: shown('Expired', 'quiet'),
  VALID: shown('Valid', 'good'),
  INVALID: shown('Invalid', 'bad'),
  NAME_DIFFERS: shown('Name differs', 'bad'),
  NAME_ACCEPTED: shown('Name accepted', 'quiet'),
  REPEATS: shown('Repeats', 'warn'),
  // Approvals
  PENDING: shown('Pending', 'warn'),
  APPROVED: shown('Approved', 'good'),
  REJECTED: shown('Rejected', 'bad'),
  WITHDRAWN: shown('Withdrawn', 'quiet'),
  VOID: shown('Void', 'quiet'),
  // Payment sessions and links
  OPENING: shown('Being opened', 'info'),
  PARTIALLY_PAID: shown('Partly paid', 'warn'),
  PAID: shown('Paid', 'good'),
  USED_UP: shown('Fully paid', 'good'),
  // People, merchants, keys, rails
  ACTIVE: shown('Active', 'good'),
  INACTIVE: shown('Not active', 'quiet'),
  INVITED: shown('Invited', 'info'),
  DISABLED: shown('Disabled', 'quiet'),
  SUSPENDED: shown('Suspended', 'bad'),
  REVOKED: shown('Revoked', 'quiet'),
  ROTATING: shown('Being replaced', 'warn'),
  REMOVED: shown('Removed', 'quiet'),
  NOT_SUBMITTED: shown('Not submitted', 'quiet'),
  IN_REVIEW: shown('In review', 'info'),
  UNDER_REVIEW: shown('In review', 'info'),
  SUBMITTED: shown('In review', 'info'),
  // Why a payout was not paid: the bank's words are those of its staff
  DO_NOT_HONOUR: shown('Declined by the bank', 'bad'),
  ACCOUNT_INVALID: shown('The bank has no such account', 'bad'),
  ACCOUNT_DORMANT: shown('The account is dormant', 'bad'),
  ACCOUNT_NAME_MISMATCH: shown('The account has another name', 'bad'),
  CONTACT_BANK: shown('The bank wants to be contacted', 'bad'),
  LIMIT_EXCEEDED: shown('Above a limit of the bank', 'bad'),
  FREQUENCY_EXCEEDED: shown('More payments than the bank takes', 'bad'),
  SECURITY_VIOLATION: shown('Refused by the bank for security', 'bad'),
  RAIL_FUNDS_INSUFFICIENT: shown('Not covered at the payout provider', 'bad'),
  // Webhooks
  DELIVERED: shown('Delivered', 'good'),
  SUCCEEDED: shown('Delivered', 'good'),
  EXHAUSTED: shown('Abandoned', 'bad'),
  // Audit, verify, settlements, circuits
  ASKED: shown('Asked', 'info'),
  DONE: shown('Done', 'good'),
  REFUSED: shown('Refused', 'bad'),
  RUNNING: shown('Running', 'info'),
  RIGHT: shown('Right', 'good'),
  WRONG: shown('Wrong', 'bad'),
  MATCHED: shown('Matched', 'good'),
  OPEN: shown('Open', 'warn'),
  CLOSED: shown('Closed', 'quiet'),
  RESOLVED: shown('Resolved', 'good'),
};

/** A status without a word of its own is written as a sentence: `RAIL_LOST` becomes `Rail lost`. */
export function showStatus(status: string): Shown {
  const known = STATUSES[status];
  if (known !== undefined) return known;
  const words = status.toLowerCase().replaceAll('_', ' ');
  return { word: words.charAt(0).toUpperCase() + words.slice(1), tone: 'quiet' };
}
