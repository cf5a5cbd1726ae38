import { findUniqueKeySubject } from '../ledger/index.ts';
import {
  type AttemptRow,
  findPayout,
  insertAttempts,
  type PayoutDeps,
  type PayoutRecord,
  payoutView,
  REFERENCE_SCOPE,
  type RequeryInput,
  requireRailOf,
  sealAttempt,
  transactionAlreadyCompleted,
} from '../payouts/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import { rowsFor } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { isUuid, newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { isConclusive, requireTransaction, transactionIdOf, transactionNotFound } from '../transactions/index.ts';
import { applyOutcome } from './apply-outcome.ts';
import { askRail } from './call-payout.ts';
import { UNANSWERED } from './lease-payouts.ts';
import { countQuestions, lockPayoutToAsk } from './queries.ts';

const requeryTooOften = (retryAfterSeconds: number) =>
  new AppError(
    'rate_limited',
    'REQUERY_TOO_OFTEN',
    'The bank was asked about this payout a moment ago, and has not said more. It is asked again by itself; you can ask in a minute.',
    { retryAfterSeconds },
  );

/**
 * Asks the rail now what became of an open payout, applies what it says, and answers with its state then. A payout that
 * has not been sent yet is shown as it is: there is nothing to ask about.
 * @throws AppError `TRANSACTION_NOT_FOUND`, also where id and reference name two; `TRANSACTION_ALREADY_COMPLETED`; 429
 *   `REQUERY_TOO_OFTEN` where the rail was asked ten times in the last minute, by all callers together.
 */
export async function requeryTransaction(deps: PayoutDeps, tenant: Tenant, input: RequeryInput): Promise<Answer> {
  const id = await namedTransaction(deps, tenant, input);
  const transaction = await requireTransaction(deps.database, tenant, id);
  if (isConclusive(transaction.status)) throw transactionAlreadyCompleted();
  const payout = await requirePayout(deps, tenant, id);
  if (payout.status === 'PROCESSING') await ask(deps, payout);
  const current = await requirePayout(deps, tenant, id);
  return success(messageOf(current), payoutView(current));
}

async function namedTransaction(deps: PayoutDeps, tenant: Tenant, input: RequeryInput): Promise<string> {
  const { transactionId, reference } = input;
  if (transactionId !== undefined && !isUuid(transactionId)) throw transactionNotFound();
  const byId = transactionId?.toLowerCase();
  const byReference =
    reference === undefined
      ? undefined
      : (transactionIdOf(reference) ?? (await findUniqueKeySubject(deps.database, tenant, REFERENCE_SCOPE, reference)));
  if (reference !== undefined && byReference === undefined) throw transactionNotFound('with this reference');
  if (byId !== undefined && byReference !== undefined && byId !== byReference)
    throw transactionNotFound('with both this id and this reference');
  const id = byId ?? byReference;
  if (id === undefined) throw transactionNotFound();
  return id;
}

async function requirePayout(deps: PayoutDeps, tenant: Tenant, id: string): Promise<PayoutRecord> {
  const [payout] = await deps.database.query(findPayout, [tenant.merchantId, tenant.mode, id]);
  if (payout === undefined) throw transactionNotFound();
  return payout;
}

/** A rail that was asked ten times in a minute and does not know yet will not know at the eleventh. */
const QUESTIONS_A_MINUTE = 10;

/** @throws AppError 429 `REQUERY_TOO_OFTEN` */
async function refuseTooMany(tx: Tx, { merchant_id, mode, id }: PayoutRecord, at: Date): Promise<void> {
  await tx.query(lockPayoutToAsk, [merchant_id, mode, id]);
  const now = at.getTime();
  const [since, until] = [new Date(now - MINUTE_MS), new Date(now + MINUTE_MS)];
  const [asked] = await tx.query(countQuestions, [merchant_id, mode, id, since, until]);
  if ((asked?.questions ?? 0) >= QUESTIONS_A_MINUTE) throw requeryTooOften(MINUTE_MS / 1_000);
}

/** The worker's own queries continue as planned: two answers about one payout change it once. */
async function ask(deps: PayoutDeps, payout: PayoutRecord): Promise<void> {
  const rail = await requireRailOf(deps.rails, payout);
  const attempt: AttemptRow = {
    merchant_id: payout.merchant_id,
    mode: payout.mode,
    payout_id: payout.id,
    id: newId(),
    rail: payout.rail,
    kind: 'QUERY',
    started_at: deps.clock.now(),
    ...UNANSWERED,
  };
  await deps.database.transaction(async (tx) => {
    await refuseTooMany(tx, payout, attempt.started_at);
    await tx.run(...rowsFor(insertAttempts, [sealAttempt(attempt)]));
  });
  await applyOutcome(deps, payout, await askRail(rail, payout), { attempt });
}

function messageOf(payout: PayoutRecord): string {
  switch (payout.status) {
    case 'SUCCESS':
      return 'Transaction was successful';
    case 'FAILED':
      return 'Transaction has failed';
    case 'PROCESSING':
      return 'Transaction is still being processed';
    default:
      return 'Transaction has not been sent yet';
  }
}
