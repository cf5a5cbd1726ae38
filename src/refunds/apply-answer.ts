import type { InboundPaymentRow } from '../collections/index.ts';
import { joinParts, type MovementParts } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { RefundAnswer, RefundOrder } from '../rails/index.ts';
import type { RefundDeps } from './deps.ts';
import { refundMovedOn } from './errors.ts';
import { releaseRefundGuards } from './guards.ts';
import {
  findRefund,
  insertRefundAttempts,
  insertRefundKeys,
  isConclusive,
  type RefundOperatorReason,
  type RefundRow,
  updateRefundAttemptsEnded,
  updateRefundForOperator,
  updateRefundsMoved,
  updateRefundsStood,
} from './queries.ts';
import { refundStep, resolveHold } from './refund-step.ts';
import { refundTransaction } from './refund-transaction.ts';
import { reportedText } from './views.ts';

interface CallSource {
  attemptId: string;
}
interface DecisionSource {
  note: string;
  parts: MovementParts;
}
/** The source of an answer: a call whose row exists already, or a decision of two of the operator's people. */
export type AnswerSource = CallSource | DecisionSource;

/** `OPEN`: the answer was not conclusive. `ALREADY_APPLIED`: the answer changes nothing. */
export type AppliedAnswer = 'APPLIED' | 'ALREADY_APPLIED' | 'OPEN';

/** A refund ends once: an answer that finds it changed meanwhile soon finds it unchanged. */
const MAX_ATTEMPTS = 5;
/**
 * While the provider waits for the payer's account it is asked this seldom: the merchant may have given the account
 * there.
 */
const WAITING_MS = 30 * 60_000;
const MISMATCH = 'RAIL_ANSWER_MISMATCH';

/**
 * Applies a provider's answer about a refund to the books; nothing else does. Success posts the hold and makes the
 * transaction. A definite failure voids the hold and releases its part of the payment. A request for the payer's
 * account puts the refund before the merchant. Anything else leaves it as it is. Each answer is compared with what was
 * asked for, and leaves its evidence in the same movement. Applying one twice changes nothing.
 * @returns what was applied, and the answer as far as it is believed.
 */
export async function applyAnswer(
  deps: RefundDeps,
  refund: RefundRow,
  { order, payment }: { order: RefundOrder; payment: InboundPaymentRow },
  given: RefundAnswer,
  source: AnswerSource,
): Promise<{ applied: AppliedAnswer; believed: RefundAnswer }> {
  const answer = 'attemptId' in source ? await believed(deps, refund, order, given) : given;
  let current = refund;
  for (let attempt = 1; ; attempt += 1) {
    const applied = await applyTo(deps, current, payment, answer, source);
    if (applied !== 'MOVED_ON') return { applied, believed: answer };
    // People decided about what they saw: where the refund has changed, they have to see that first.
    if (!('attemptId' in source)) throw refundMovedOn(undefined);
    const [now] = await deps.database.query(findRefund, [refund.merchant_id, refund.mode, refund.id]);
    if (now === undefined || attempt === MAX_ATTEMPTS) throw refundMovedOn(now?.status);
    current = now;
  }
}

async function applyTo(
  deps: RefundDeps,
  refund: RefundRow,
  payment: InboundPaymentRow,
  answer: RefundAnswer,
  source: AnswerSource,
): Promise<AppliedAnswer | 'MOVED_ON'> {
  if (isConclusive(refund.status)) {
    if (!('attemptId' in source)) throw refundMovedOn(refund.status);
    return keepOnly(deps, refund, answer, source);
  }
  const at = deps.clock.now();
  const parts = await partsOf(deps, refund, payment, answer, at);
  if (parts === undefined) {
    await keep(deps, refund, answer, source);
    return 'OPEN';
  }
  const more = 'attemptId' in source ? {} : source.parts;
  try {
    await deps.ledger.commit({
      tenant: tenantOf(refund),
      id: refund.id,
      occurredAt: at.toISOString(),
      ...joinParts(parts, { writes: [...evidenceOf(refund, answer, source, at), ...keyOf(refund, answer)] }, more),
      answer: { message: 'Success' },
    });
    return 'APPLIED';
  } catch (error) {
    if (error instanceof AppError && MOVED_ON.has(error.code)) return 'MOVED_ON';
    throw error;
  }
}

const MOVED_ON: ReadonlySet<string> = new Set(['REFUND_MOVED_ON', 'HOLD_ALREADY_RESOLVED']);

/** What the answer changes; undefined: nothing. */
async function partsOf(
  deps: RefundDeps,
  refund: RefundRow,
  payment: InboundPaymentRow,
  answer: RefundAnswer,
  at: Date,
): Promise<MovementParts | undefined> {
  const { merchant_id, mode, id } = refund;
  const provider_refund_id = answer.providerRefundId ?? refund.provider_refund_id;
  const step = { at, refusal: refundMovedOn, fields: { provider_refund_id } };
  const moved = { merchant_id, mode, id, due_at: null, next_step: 'QUERY' as const, provider_refund_id };
  switch (answer.outcome) {
    case 'succeeded':
      return joinParts(
        refundStep(refund, { ...step, to: 'SUCCESS', reason: null }),
        { transfers: resolveHold('POST', refund) },
        await refundTransaction(deps, refund, payment, at),
        { writes: [write(updateRefundsMoved, { ...moved, is_settled: true })] },
      );
    case 'failed':
      return joinParts(
        releaseRefundGuards(refund),
        refundStep(refund, { ...step, to: 'FAILED', reason: answer.reason ?? 'RAIL_GAVE_NO_REASON' }),
        { transfers: resolveHold('VOID', refund) },
        { writes: [write(updateRefundsMoved, { ...moved, is_settled: true })] },
      );
    case 'needs_details':
      if (refund.status === 'NEEDS_DETAILS' || refund.next_step === 'DETAILS') return undefined;
      return joinParts(refundStep(refund, { ...step, to: 'NEEDS_DETAILS', reason: answer.reason }), {
        writes: [
          write(updateRefundsMoved, { ...moved, due_at: new Date(at.getTime() + WAITING_MS), is_settled: false }),
        ],
      });
    case 'pending':
    case 'not_found':
    case 'unknown':
      return undefined;
  }
}

/** The provider's own id of the refund leads to it from now on. */
function keyOf({ merchant_id, mode, id, rail }: RefundRow, { providerRefundId: key }: RefundAnswer): Write[] {
  return key === null ? [] : [write(insertRefundKeys, { rail, key, merchant_id, mode, refund_id: id })];
}

function evidenceOf(refund: RefundRow, answer: RefundAnswer, source: AnswerSource, at: Date): Write[] {
  const { outcome, code, reason, message, providerRefundId: provider_refund_id, reported } = answer;
  const key = { merchant_id: refund.merchant_id, mode: refund.mode, refund_id: refund.id };
  const said = { outcome, code, reason, provider_refund_id, reported: reportedText(reported) };
  if ('attemptId' in source) {
    return [write(updateRefundAttemptsEnded, { ...key, ...said, id: source.attemptId, message, ended_at: answer.at })];
  }
  const row = { ...key, ...said, id: newId(), rail: refund.rail, kind: 'OPERATOR' as const, message: source.note };
  return [write(insertRefundAttempts, { ...row, started_at: at, ended_at: at })];
}

/** Keeps an answer that changes nothing. */
async function keep(deps: RefundDeps, refund: RefundRow, answer: RefundAnswer, source: AnswerSource): Promise<void> {
  for (const { into, row } of [...evidenceOf(refund, answer, source, deps.clock.now()), ...keyOf(refund, answer)]) {
    await deps.database.run(into, [row]);
  }
}

/**
 * Keeps an answer that comes after the end: the first end stands. A provider that says both is looked into by people.
 */
async function keepOnly(
  deps: RefundDeps,
  refund: RefundRow,
  answer: RefundAnswer,
  source: CallSource,
): Promise<AppliedAnswer> {
  const contradicts = refund.status === 'SUCCESS' ? answer.outcome === 'failed' : answer.outcome === 'succeeded';
  if (contradicts) {
    await putBeforeOperator(deps, refund, 'RAIL_CONTRADICTS');
    await keep(deps, refund, answer, source);
    // Once more, where two people let the end stand meanwhile, who did not know of it.
    await putBeforeOperator(deps, refund, 'RAIL_CONTRADICTS');
    deps.onAlarm?.({ alarm: 'REFUND_CONTRADICTED', mode: refund.mode, rail: refund.rail });
    deps.logger.error(
      { refundId: refund.id, status: refund.status, rail: refund.rail, outcome: answer.outcome },
      'a provider contradicts what the books have of a refund',
    );
  } else await keep(deps, refund, answer, source);
  return 'ALREADY_APPLIED';
}

/** Two people looked into a contradiction of the provider, and the end in the books stands: no money moves. */
export async function letRefundStand(
  deps: Pick<RefundDeps, 'database' | 'clock'>,
  refund: RefundRow,
  { answer, note, confirm }: { answer: RefundAnswer; note: string; confirm: (tx: Queries) => Promise<void> },
): Promise<void> {
  if (STANDS[refund.status] !== answer.outcome) throw refundMovedOn(refund.status);
  const { merchant_id, mode, id } = refund;
  const evidence = evidenceOf(refund, answer, { note, parts: {} }, deps.clock.now());
  await deps.database.transaction(async (tx) => {
    // First, since whoever keeps a contradiction waits for this row, and finds what was decided.
    await tx.run(updateRefundsStood, [{ merchant_id, mode, id }]);
    await confirm(tx);
    for (const { into, row } of evidence) await tx.run(into, [row]);
  });
}

/** Ends that a provider may contradict, and the outcome by which people say that they stand. */
export const STANDS: Partial<Record<RefundRow['status'], RefundAnswer['outcome']>> = {
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

async function putBeforeOperator(
  deps: Pick<RefundDeps, 'database' | 'clock'>,
  { merchant_id, mode, id }: RefundRow,
  reason: RefundOperatorReason,
): Promise<void> {
  await deps.database.query(updateRefundForOperator, [merchant_id, mode, id, reason, deps.clock.now()]);
}

/**
 * What may be believed of a provider's answer about a refund: one about another refund, payment, amount or currency
 * becomes `unknown`, whatever it says, and people look into it at once.
 */
async function believed(
  deps: RefundDeps,
  refund: RefundRow,
  order: RefundOrder,
  answer: RefundAnswer,
): Promise<RefundAnswer> {
  const wrong = differencesOf(refund, order, answer);
  if (wrong.length === 0) return answer;
  const message = `The provider says ${answer.outcome} of another refund: ${wrong.join('; ')}`;
  const { id: refundId, mode, rail } = refund;
  deps.logger.error(
    { refundId, mode, rail, wrong },
    'a provider answered about another refund than the one that was sent',
  );
  deps.onAlarm?.({ alarm: MISMATCH, mode, rail });
  await putBeforeOperator(deps, refund, MISMATCH);
  return { ...answer, outcome: 'unknown', reason: MISMATCH, message, providerRefundId: null };
}

function differencesOf(refund: RefundRow, order: RefundOrder, { reported, providerRefundId }: RefundAnswer): string[] {
  const { amountMinor, currency, reference, providerTransactionId } = reported;
  const money = (minor: bigint) => formatMoney(minor, refund.currency);
  const known = refund.provider_refund_id;
  return [
    ...(amountMinor === null || amountMinor === order.amountMinor
      ? []
      : [`amount ${money(amountMinor)}, and ${money(order.amountMinor)} was asked for`]),
    ...(currency === null || currency === order.currency ? [] : [`currency ${currency}`]),
    ...(reference === null || reference === order.reference ? [] : [`reference ${reference}`]),
    ...(providerTransactionId === null || providerTransactionId === order.providerTransactionId
      ? []
      : [`of the payment ${providerTransactionId}`]),
    ...(known === null || providerRefundId === null || known === providerRefundId
      ? []
      : [`the refund ${providerRefundId}, and it was ${known}`]),
  ];
}
