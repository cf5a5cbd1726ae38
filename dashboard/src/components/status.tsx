import { CircleAlert, CircleCheck, CircleDashed, Clock3, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

const TONES: Record<StatusTone, { icon: LucideIcon; look: string }> = {
  good: { icon: CircleCheck, look: 'bg-good-soft text-good' },
  bad: { icon: CircleAlert, look: 'bg-bad-soft text-bad' },
  warn: { icon: TriangleAlert, look: 'bg-warn-soft text-warn' },
  info: { icon: Clock3, look: 'bg-info-soft text-info' },
  quiet: { icon: CircleDashed, look: 'bg-sunken text-muted' },
};

export interface BadgeProps {
  tone: StatusTone;
  children: ReactNode;
  /** Without an icon, for a plain word such as a role. */
  plain?: boolean;
  title?: string | undefined;
}

export function Badge({ tone, children, plain, title }: BadgeProps) {
  const { icon: Icon, look } = TONES[tone];
  return (
    <span
      title={title}
      className={cn(
        'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-2xs font-semibold whitespace-nowrap',
        look,
      )}
    >
      {plain !== true && <Icon className="size-3.5 shrink-0" aria-hidden />}
      {children}
    </span>
  );
}

export interface StatusProps {
  /** As the interface says it: `PARTIALLY_COMPLETED`. */
  status: string;
  /** Why, where there is a reason: shown on hover. */
  reason?: string | null | undefined;
  /** Where another word is clearer here: `DELIVERED` of an item. */
  word?: string;
}

/** A status in a word, a colour and an icon. */
export function Status({ status, reason, word }: StatusProps) {
  const shown = showStatus(status);
  return (
    <Badge tone={shown.tone} title={reason === null || reason === undefined ? undefined : showStatus(reason).word}>
      {word ?? shown.word}
    </Badge>
  );
}

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
