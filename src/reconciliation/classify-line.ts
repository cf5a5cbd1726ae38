import { DAY_MS } from '../platform/clock.ts';
import type { TransferFact } from '../rails/index.ts';
import type { TransactionStatus } from '../transactions/index.ts';

/** What a line of a rail's file reports about one transfer. `UNCLEAR` is everything that is no final state. */
export type LineKind = 'PAID' | 'REVERSED' | 'FAILED' | 'UNCLEAR';

/** The result of comparing a line with our books. */
export type LineResult =
  | 'MATCHED'
  | 'MISSING_HERE'
  | 'MISSING_THERE'
  | 'AMOUNT_DIFFERS'
  | 'CURRENCY_DIFFERS'
  | 'ACCOUNT_DIFFERS'
  | 'DATE_DIFFERS'
  | 'STATUS_DIFFERS'
  | 'LATE_REVERSAL'
  | 'DUPLICATE_LINE'
  | 'UNREADABLE';

export const LINE_RESULTS: readonly LineResult[] = [
  'MATCHED',
  'MISSING_HERE',
  'MISSING_THERE',
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'ACCOUNT_DIFFERS',
  'DATE_DIFFERS',
  'STATUS_DIFFERS',
  'LATE_REVERSAL',
  'DUPLICATE_LINE',
  'UNREADABLE',
];

/**
 * `APPLIED`: the rail's response was applied. `ACCEPTED`: looked into and noted. `FOUND_LATER`: a later file had it.
 */
export type Resolution = 'APPLIED' | 'ACCEPTED' | 'FOUND_LATER';

/** SHA-256, hex, over which file of which rail somebody brought. */
export const importDigest = (file: string): string =>
  `encode(sha256(convert_to(json_build_array(
     ${file}.id, ${file}.rail, ${file}.mode, ${file}.merchant_id, ${file}.file_name, ${file}.file_hash, ${file}.imported_by,
     extract(epoch from ${file}.created_at))::text, 'UTF8')), 'hex')`;

/**
 * SHA-256, hex, over a line as it was read, the result of comparing it, and who resolved it how. Whether and when it
 * settled its payout is not part of it: the settlement itself has that.
 */
export const lineDigest = (line: string, compared: string = line, resolved: string = line): string =>
  `encode(sha256(convert_to(json_build_array(
     ${line}.import_id, ${line}.id, ${line}.line_number, ${line}.reference, ${line}.session_id, ${line}.amount_minor,
     ${line}.currency, ${line}.account_number, ${line}.bank_code, extract(epoch from ${line}.occurred_at),
     ${line}.status_text, ${line}.kind, ${compared}.result,
     ${compared}.detail, ${compared}.merchant_id, ${compared}.payout_id, ${compared}.our_status,
     ${compared}.our_amount_minor, ${resolved}.resolved_how, ${resolved}.resolved_note, ${resolved}.resolved_by,
     extract(epoch from ${resolved}.resolved_at))::text, 'UTF8')), 'hex')`;

/**
 * How far the day of a line may be from the day on which we say the payout was paid. A transfer is instant, but a file
 * may have the day of booking, with weekends and a public holiday in between.
 */
const DATE_TOLERANCE_DAYS = 4;

/** The parts of a line that decide. */
export interface LineFacts {
  kind: LineKind;
  /** The facts in which it contradicts the payout that it names. */
  differs: readonly TransferFact[];
  occurredAt: Date;
  /** The rail whose file it is. */
  rail: string;
  /** The same file says that this transfer came back. */
  returnedToo: boolean;
}

interface PayoutFacts {
  status: TransactionStatus;
  rail: string;
  paid_at: Date | null;
}

interface Comparison {
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
  if (payout === undefined) return { result: 'MISSING_HERE', detail: 'no payout of ours has this reference' };
  const [wrong] = line.differs;
  if (wrong !== undefined) return WRONG[wrong];
  if (line.rail !== payout.rail) return ofAnotherRail(line, payout);
  const comparison = compareStatus(line, payout);
  if (comparison.result === 'MATCHED' && line.kind === 'PAID' && isFar(line.occurredAt, payout.paid_at)) {
    return { result: 'DATE_DIFFERS', detail: `we say that it was paid on ${payout.paid_at?.toISOString()}` };
  }
  return comparison;
}

/**
 * A rail that refused a payout may report that; one that reports as paid what another rail has is looked into by
 * people.
 */
function ofAnotherRail({ kind }: LineFacts, { rail }: PayoutFacts): Comparison {
  if (kind === 'FAILED') return { result: 'MATCHED', detail: `${rail} took the payout over` };
  return { result: 'STATUS_DIFFERS', detail: `the rail ${rail} has this payout` };
}

function compareStatus({ kind, returnedToo }: LineFacts, { status }: PayoutFacts): Comparison {
  const differs = { result: 'STATUS_DIFFERS', detail: null } as const;
  const matched = { result: 'MATCHED', detail: null } as const;
  switch (kind) {
    case 'PAID':
      if (status === 'SUCCESS' || status === 'REVERSED') return matched;
      return status === 'FAILED' && returnedToo ? { ...matched, detail: 'paid and returned before we knew' } : differs;
    case 'REVERSED':
      if (status === 'SUCCESS') return { result: 'LATE_REVERSAL', detail: null };
      return status === 'REVERSED' || status === 'FAILED' ? matched : differs;
    case 'FAILED':
      return status === 'FAILED' || status === 'REVERSED' || status === 'CANCELLED' ? matched : differs;
    case 'UNCLEAR':
      return isOpen(status) ? matched : differs;
  }
}

const isFar = (at: Date, paidAt: Date | null) =>
  paidAt !== null && Math.abs(at.getTime() - paidAt.getTime()) > DATE_TOLERANCE_DAYS * DAY_MS;

/** Sent or to be sent, and without an end: a rail's final response may end it. */
export const isOpen = (status: string): boolean => status === 'QUEUED' || status === 'PROCESSING';

/**
 * Whether the rail reports as paid what we released, or what another rail has: money may be lost, and the books cannot
 * say whose.
 */
export function contradicts(line: LineFacts, payout: PayoutFacts): boolean {
  if (line.kind !== 'PAID' || line.differs.length > 0) return false;
  if (line.rail !== payout.rail) return true;
  return (payout.status === 'FAILED' && !line.returnedToo) || payout.status === 'CANCELLED';
}

/**
 * Whether the rail's response is final and equal to ours, and money went out: it leaves our clearing, or comes back to
 * it.
 */
export function settles(line: LineFacts, payout: PayoutFacts, { result }: Comparison): boolean {
  if (result !== 'MATCHED' || line.rail !== payout.rail) return false;
  if (line.kind === 'PAID') return payout.status === 'SUCCESS' || payout.status === 'REVERSED';
  return line.kind === 'REVERSED' && payout.status === 'REVERSED';
}
