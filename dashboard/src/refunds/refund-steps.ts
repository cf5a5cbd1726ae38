import { REFUND_WORDS, type Refund, type RefundAttempt } from '../collections/refund-words.ts';
import { type StatusTone, showStatus } from '../components/status-words.ts';
import type { TimelineEntry } from '../components/timeline.tsx';

export const WAY_WORDS: Record<Refund['way'], string> = {
  PROVIDER: 'By the provider of the payment',
  PAYOUT: 'As a payout to the payer’s account',
};

export const CAUSE_WORDS: Record<Refund['cause'], string> = {
  MERCHANT: 'You asked for it',
  LATE: 'Your rule: it came late',
  EXCESS: 'Your rule: it was too much',
};

/** What is to be known of a refund as it stands. */
export const REFUND_SENTENCES: Record<Refund['status'], string> = {
  PENDING_APPROVAL: 'Its amount is held until it is approved or rejected.',
  QUEUED: 'Its amount is held, and it is sent within moments.',
  PROCESSING: 'It was accepted and is on its way. Do not refund it again.',
  NEEDS_DETAILS: 'The provider cannot send it until you give the payer’s account. Its amount stays held.',
  SUCCESS: 'The money went back to the payer.',
  FAILED: 'It was not made, or it came back. The money is in your wallet again.',
  CANCELLED: 'It was not approved, and nothing is held.',
};

const ATTEMPT_WORDS: Record<RefundAttempt['kind'], string> = {
  SEND: 'Sent to the provider',
  QUERY: 'Asked the provider what became of it',
  DETAILS: 'Payer’s account given to the provider',
  CHECK: 'Compared with what the provider says',
  OPERATOR: 'Decided by two people of the operator',
};

const OUTCOMES: Record<string, { word: string; tone: StatusTone }> = {
  succeeded: { word: 'refunded', tone: 'good' },
  failed: { word: 'not refunded', tone: 'bad' },
  needs_details: { word: 'it wants the payer’s account', tone: 'warn' },
  pending: { word: 'under way', tone: 'info' },
  not_found: { word: 'not known there', tone: 'warn' },
  unknown: { word: 'no clear answer', tone: 'warn' },
};

/** What happened to a refund, from the request to how it stands now. */
export function stepsOf(refund: Refund, evidence: readonly RefundAttempt[]): TimelineEntry[] {
  const { status, reason, createdAt, updatedAt } = refund;
  const steps: TimelineEntry[] = [
    { key: 'asked', at: createdAt, title: 'Asked for', detail: CAUSE_WORDS[refund.cause] },
    ...evidence.map(attempt),
    {
      key: 'now',
      at: updatedAt,
      title: REFUND_WORDS[status],
      tone: showStatus(status).tone,
      ...(reason !== null && { detail: showStatus(reason).word }),
    },
  ];
  return steps;
}

function attempt(call: RefundAttempt, at: number): TimelineEntry {
  const { kind, startedAt, endedAt, outcome, code, message } = call;
  const known = outcome === null ? undefined : OUTCOMES[outcome];
  const said = [message, code === null ? null : `code ${code}`].filter((part) => part !== null).join(' · ');
  return {
    key: `attempt-${at}`,
    at: startedAt,
    title: `${ATTEMPT_WORDS[kind]}: ${known?.word ?? (endedAt === null ? 'no answer yet' : 'noted')}`,
    tone: known?.tone ?? 'quiet',
    ...(said !== '' && { detail: said }),
  };
}
