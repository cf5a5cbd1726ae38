import type { TransferFact } from '../rails/index.ts';
import type { TransactionStatus } from '../transactions/index.ts';
import type { LineKind, LineResult } from './settlement-kinds.ts';

/**
 * How far the day of a line may be from the day that we say the payout was paid. A transfer is instant, but a file may
 * carry the day of booking, and weekends and a public holiday lie between.
 */
export const DATE_TOLERANCE_DAYS = 4;
const DAY_MS = 24 * 60 * 60_000;

/** What a line says, as far as it decides. */
export interface LineFacts {
  kind: LineKind;
  /** By which it contradicts the payout that it names. */
  differs: readonly TransferFact[];
  occurredAt: Date;
  /** Whose file it is. */
  rail: string;
  /** The same file says that this transfer came back. */
  returnedToo: boolean;
}

export interface PayoutFacts {
  status: TransactionStatus;
  rail: string;
  paid_at: Date | null;
}

export interface Comparison {
  result: LineResult;
  /** For people: what differs. Null where nothing does. */
  detail: string | null;
}

const OTHER_ACCOUNT: Comparison = { result: 'ACCOUNT_DIFFERS', detail: 'our payout is to another account' };
const WRONG: Record<TransferFact, Comparison> = {
  railReference: { result: 'MISSING_HERE', detail: 'its session id is of a payout with another reference' },
  amountMinor: { result: 'AMOUNT_DIFFERS', detail: 'our payout has another amount' },
  currency: { result: 'CURRENCY_DIFFERS', detail: 'our payout has another currency' },
  accountNumber: OTHER_ACCOUNT,
  bankCode: OTHER_ACCOUNT,
};

/** Compares a line that could be read with the payout that it names. Pure; nothing moves here. */
export function classifyLine(line: LineFacts, payout: PayoutFacts | undefined): Comparison {
  if (payout === undefined) return { result: 'MISSING_HERE', detail: 'we know no such payout' };
  const [wrong] = line.differs;
  if (wrong !== undefined) return WRONG[wrong];
  if (line.rail !== payout.rail) return ofAnotherRail(line, payout);
  const comparison = compareStatus(line, payout);
  if (comparison.result === 'MATCHED' && line.kind === 'PAID' && isFar(line.occurredAt, payout.paid_at)) {
    return { result: 'DATE_DIFFERS', detail: `we say that it was paid on ${payout.paid_at?.toISOString()}` };
  }
  return comparison;
}

/** A rail that refused a payout may say so; one that says it paid what another rail has is a matter for people. */
function ofAnotherRail({ kind }: LineFacts, { rail }: PayoutFacts): Comparison {
  if (kind === 'FAILED') return { result: 'MATCHED', detail: `${rail} took the payout over` };
  return { result: 'STATUS_DIFFERS', detail: `the rail ${rail} has this payout` };
}

function compareStatus({ kind, returnedToo }: LineFacts, { status }: PayoutFacts): Comparison {
  const differs = { result: 'STATUS_DIFFERS', detail: `we say ${status}` } as const;
  const matched = { result: 'MATCHED', detail: null } as const;
  switch (kind) {
    case 'PAID':
      if (status === 'SUCCESS' || status === 'REVERSED') return matched;
      return status === 'FAILED' && returnedToo ? { ...matched, detail: 'paid and returned before we knew' } : differs;
    case 'REVERSED':
      if (status === 'SUCCESS') return { result: 'LATE_REVERSAL', detail: 'we say SUCCESS' };
      return status === 'REVERSED' || status === 'FAILED' ? matched : differs;
    case 'FAILED':
      return status === 'FAILED' || status === 'REVERSED' || status === 'CANCELLED' ? matched : differs;
    case 'UNCLEAR':
      return isOpen(status) ? matched : differs;
  }
}

const isFar = (at: Date, paidAt: Date | null) =>
  paidAt !== null && Math.abs(at.getTime() - paidAt.getTime()) > DATE_TOLERANCE_DAYS * DAY_MS;

/** Sent or to be sent, and without an end: a rail's final word may end it. */
export const isOpen = (status: string): boolean => status === 'QUEUED' || status === 'PROCESSING';

/** They say that they paid what we gave back, or what another rail has: money may be lost, and no books can say whose. */
export function contradicts(line: LineFacts, payout: PayoutFacts): boolean {
  if (line.kind !== 'PAID' || line.differs.length > 0) return false;
  if (line.rail !== payout.rail) return true;
  return (payout.status === 'FAILED' && !line.returnedToo) || payout.status === 'CANCELLED';
}

/** The rail's word is final, ours is the same, and money went out: it leaves our clearing, or comes back to it. */
export function settles(line: LineFacts, payout: PayoutFacts, { result }: Comparison): boolean {
  if (result !== 'MATCHED' || line.rail !== payout.rail) return false;
  if (line.kind === 'PAID') return payout.status === 'SUCCESS' || payout.status === 'REVERSED';
  return line.kind === 'REVERSED' && payout.status === 'REVERSED';
}
