import type { Movement } from '../../ledger/index.ts';
import { success } from '../../platform/answer.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { RailAnswer } from '../../rails/index.ts';
import {
  isConclusive,
  type TransactionStatus,
  transactionStates,
  updateProcessingReason,
  updateTransactionsPaid,
} from '../../transactions/index.ts';
import { concludeBatch } from '../bulk/conclude-batch.ts';
import { updateBatchesItemsEnded } from '../bulk/queries.ts';
import type { PayoutDeps } from '../deps.ts';
import { payoutMovedOn } from '../errors.ts';
import { resolveHolds, returnMoney } from '../holds.ts';
import { findPayout, type PayoutRecord, updatePayoutsConcluded } from '../queries.ts';
import { payoutView } from '../views.ts';

/** Why a payout is still `PROCESSING` although the rail was asked. */
const OUTCOME_UNKNOWN = 'OUTCOME_UNKNOWN';

/** `OPEN`: nothing conclusive was said, the holds stay. `ALREADY_APPLIED`: the books say so already. */
export type Applied = 'APPLIED' | 'ALREADY_APPLIED' | 'OPEN';

/**
 * The one place where what a rail said becomes books. Send, requery, notice, settlement and operator all come through
 * here, and applying the same outcome twice changes nothing: the state is guarded and a hold ends once.
 *
 * Success posts every hold; definite failure voids them; money that came back after success is returned by new
 * transfers; anything else leaves the payout as it is.
 */
export async function applyOutcome(deps: PayoutDeps, payout: PayoutRecord, answer: RailAnswer): Promise<Applied> {
  const movement = await movementOf(deps, payout, answer);
  if (movement === 'OPEN') {
    await noteUnknown(deps, payout);
    return 'OPEN';
  }
  if (movement === undefined) return 'ALREADY_APPLIED';
  const applied = await commitOnce(deps, movement, payout, answer);
  if (applied === 'APPLIED' && payout.batch_id !== null) await concludeBatch(deps, tenantOf(payout), payout.batch_id);
  return applied;
}

/** Undefined where the payout has ended and the answer has nothing to add. */
async function movementOf(
  deps: PayoutDeps,
  payout: PayoutRecord,
  answer: RailAnswer,
): Promise<Movement | 'OPEN' | undefined> {
  if (payout.status === 'SUCCESS') return answer.outcome === 'reversed' ? reverse(deps, payout, answer) : undefined;
  if (isConclusive(payout.status)) return undefined;
  switch (answer.outcome) {
    case 'succeeded':
      return conclude(deps, payout, answer, 'SUCCESS');
    case 'failed':
    // Reversed before we knew of the success: the money is back, so nothing was paid.
    case 'reversed':
      return conclude(deps, payout, answer, 'FAILED');
    case 'unknown':
    case 'not_found':
      return 'OPEN';
  }
}

function conclude(deps: PayoutDeps, payout: PayoutRecord, answer: RailAnswer, to: 'SUCCESS' | 'FAILED'): Movement {
  const { merchant_id, mode, id, batch_id } = payout;
  const at = deps.clock.now().toISOString();
  const paid_at = answer.at.toISOString();
  const ended = {
    ...ending(payout, answer, to, at),
    paid_at: to === 'SUCCESS' ? paid_at : null,
  };
  const writes: Write[] = [write(updatePayoutsConcluded, lastWord(payout, answer))];
  if (to === 'SUCCESS') writes.push(write(updateTransactionsPaid, { merchant_id, mode, id, paid_at }));
  if (batch_id !== null) writes.push(write(updateBatchesItemsEnded, { merchant_id, mode, id: batch_id }));
  return {
    ...movementTo(ended, ['QUEUED', 'PROCESSING'], at),
    transfers: resolveHolds(to === 'SUCCESS' ? 'POST' : 'VOID', payout),
    writes,
    events: [eventOf(to === 'SUCCESS' ? 'payout.succeeded' : 'payout.failed', ended)],
  };
}

async function reverse(deps: PayoutDeps, payout: PayoutRecord, answer: RailAnswer): Promise<Movement> {
  const accounts = await deps.wallets.requireTenantAccounts(tenantOf(payout));
  const at = deps.clock.now().toISOString();
  const ended = ending(payout, answer, 'REVERSED', at);
  return {
    ...movementTo(ended, ['SUCCESS'], at),
    transfers: returnMoney(accounts, payout),
    writes: [write(updatePayoutsConcluded, lastWord(payout, answer))],
    events: [eventOf('payout.reversed', ended)],
  };
}

function ending(payout: PayoutRecord, answer: RailAnswer, status: TransactionStatus, at: string): PayoutRecord {
  const reason = status === 'SUCCESS' ? null : (answer.reason ?? 'RAIL_GAVE_NO_REASON');
  return {
    ...payout,
    status,
    reason,
    updated_at: at,
    session_id: answer.sessionId ?? payout.session_id,
    rail_code: answer.code ?? payout.rail_code,
  };
}

function movementTo(ended: PayoutRecord, from: TransactionStatus[], at: string): Omit<Movement, 'transfers'> {
  return {
    tenant: tenantOf(ended),
    id: ended.id,
    occurredAt: at,
    transitions: [
      {
        machine: transactionStates,
        id: ended.id,
        from,
        to: ended.status,
        reason: ended.reason,
        otherwise: payoutMovedOn,
      },
    ],
    answer: success('Success'),
  };
}

function eventOf(type: string, payout: PayoutRecord) {
  return { id: newId(), type, subjectId: payout.id, data: JSON.stringify(payoutView(payout)) };
}

function lastWord({ merchant_id, mode, id }: PayoutRecord, answer: RailAnswer) {
  return { merchant_id, mode, id, session_id: answer.sessionId, rail_code: answer.code };
}

export function tenantOf(payout: Pick<PayoutRecord, 'merchant_id' | 'mode'>) {
  return { merchantId: payout.merchant_id, mode: payout.mode };
}

async function commitOnce(
  deps: PayoutDeps,
  movement: Movement,
  payout: PayoutRecord,
  answer: RailAnswer,
): Promise<Applied> {
  try {
    await deps.ledger.commit(movement);
    return 'APPLIED';
  } catch (error) {
    if (!(error instanceof AppError) || !MOVED_ON.has(error.code)) throw error;
    await warnOfContradiction(deps, payout, answer);
    return 'ALREADY_APPLIED';
  }
}

const MOVED_ON: ReadonlySet<string> = new Set(['PAYOUT_MOVED_ON', 'HOLD_ALREADY_RESOLVED']);

/** The first end stands. A rail that says both is for people to look into, so it must not pass in silence. */
async function warnOfContradiction(deps: PayoutDeps, payout: PayoutRecord, answer: RailAnswer): Promise<void> {
  const [now] = await deps.database.query(findPayout, [payout.merchant_id, payout.mode, payout.id]);
  const says = answer.outcome === 'succeeded' ? 'SUCCESS' : 'FAILED';
  if (now === undefined || now.status === says || now.status === 'REVERSED') return;
  deps.logger.error(
    { payoutId: payout.id, status: now.status, outcome: answer.outcome },
    'the rail contradicts itself',
  );
}

/** No event: the payout is what it was, and whoever looks sees why it takes longer. */
async function noteUnknown(deps: PayoutDeps, payout: PayoutRecord): Promise<void> {
  if (payout.status !== 'PROCESSING' || payout.reason === OUTCOME_UNKNOWN) return;
  const at = deps.clock.now();
  await deps.database.query(updateProcessingReason, [payout.merchant_id, payout.mode, payout.id, OUTCOME_UNKNOWN, at]);
}
