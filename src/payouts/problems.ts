import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import { createProblems, kindOf, type ProblemData } from '../platform/problem.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { TakenKey } from './dedupe-key-queries.ts';

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds && seconds % unitSeconds === 0) ?? [
    'second',
    1,
  ];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

type Same = { amountMinor: string };
type SamePayout = Same & { transactionId: string };
type SameRow = Same & { row: number; batchReference: string };

const same = (amountMinor: string) => `The same amount, ${formatMoney(BigInt(amountMinor), DEFAULT_CURRENCY)},`;

/** What a refused payout repeats. Sums are kobo in digits. */
const PAYOUT_PROBLEMS = {
  DUPLICATE_OF_PAYOUT: kindOf<SamePayout & { withinSeconds: number }>(
    null,
    ({ transactionId, withinSeconds, amountMinor }) =>
      `${same(amountMinor)} was paid to this account less than ${durationText(withinSeconds)} ago: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_BATCH_PAYOUT: kindOf<SamePayout & { withinSeconds: number; batchReference: string }>(
    null,
    ({ transactionId, withinSeconds, batchReference, amountMinor }) =>
      `${same(amountMinor)} was paid to this account less than ${durationText(withinSeconds)} ago by bulk payout ${batchReference}: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_SCHEDULE: kindOf<SamePayout & { at: string }>(
    null,
    ({ transactionId, at, amountMinor }) =>
      `${same(amountMinor)} is scheduled for this account on ${lagosTimeText(new Date(at))}: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_NEW_SCHEDULE: kindOf<SamePayout & { withinSeconds: number }>(
    null,
    ({ transactionId, withinSeconds, amountMinor }) =>
      `${same(amountMinor)} was scheduled for this account on the same day less than ${durationText(withinSeconds)} ago: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_WAITING_PAYOUT: kindOf<SamePayout>(
    null,
    ({ transactionId, amountMinor }) =>
      `${same(amountMinor)} to this account waits for approval: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_ROW: kindOf<SameRow>(
    null,
    ({ row, batchReference, amountMinor }) =>
      `${same(amountMinor)} to this account stands in row ${row} of bulk payout ${batchReference}, which is being paid.`,
  ),
  DUPLICATE_OF_WAITING_ROW: kindOf<SameRow>(
    null,
    ({ row, batchReference, amountMinor }) =>
      `${same(amountMinor)} to this account stands in row ${row} of bulk payout ${batchReference}, which waits for approval.`,
  ),
};

export const payoutProblems = createProblems(PAYOUT_PROBLEMS);
const { problem } = payoutProblems;

/** What somebody repeats who asks at `at` for what has taken the key before. */
export function duplicateProblem(amountMinor: bigint, taken: TakenKey, windowMs: number, at: Date): ProblemData {
  const { scope, subject_id: transactionId, batch_id, position, batch_status, from_at } = taken;
  const amount = { amountMinor: String(amountMinor) };
  const withinSeconds = Math.ceil(windowMs / 1_000);
  const batchReference = batchReferenceOf(batch_id ?? '');
  if (position !== null) {
    const code = batch_status === 'PENDING_APPROVAL' ? 'DUPLICATE_OF_WAITING_ROW' : 'DUPLICATE_OF_ROW';
    return problem(code, { ...amount, row: position, batchReference });
  }
  if (scope === 'WAITING') return problem('DUPLICATE_OF_WAITING_PAYOUT', { ...amount, transactionId });
  if (scope !== 'PAID') return problem('DUPLICATE_OF_NEW_SCHEDULE', { ...amount, transactionId, withinSeconds });
  if (from_at > at) return problem('DUPLICATE_OF_SCHEDULE', { ...amount, transactionId, at: from_at.toISOString() });
  if (batch_id === null) return problem('DUPLICATE_OF_PAYOUT', { ...amount, transactionId, withinSeconds });
  return problem('DUPLICATE_OF_BATCH_PAYOUT', { ...amount, transactionId, withinSeconds, batchReference });
}
