import type { Movement } from '../ledger/index.ts';
import {
  findPayout,
  keepContradiction,
  type PayoutDeps,
  type PayoutRecord,
  payoutEvent,
  payoutMovedOn,
  releaseDedupeKeys,
  releaseGuards,
  resolveHolds,
  returnMoney,
} from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { violatedCheck } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { RailAnswer } from '../rails/index.ts';
import {
  isConclusive,
  type TransactionStatus,
  transactionStates,
  updateProcessingReason,
  updateTransactionsPaid,
} from '../transactions/index.ts';
import { failOver } from './fail-over.ts';
import {
  believe,
  evidenceWrite,
  isOperators,
  keepEvidence,
  type OutcomeSource,
  type ProviderResponse,
} from './provider-response.ts';
import { updatePayoutLookedInto, updatePayoutsEnded } from './queries.ts';

/** Why a payout is still `PROCESSING` although the rail was asked. */
const OUTCOME_UNKNOWN = 'OUTCOME_UNKNOWN';
/** A payout ends once and is reversed once: a response that finds it changed meanwhile soon finds it unchanged. */
const MAX_ATTEMPTS = 5;

/** `OPEN`: the response was not conclusive, and the holds stay. `ALREADY_APPLIED`: the response changes nothing. */
type Applied = 'APPLIED' | 'ALREADY_APPLIED' | 'OPEN';

/**
 * Applies a rail's response to the books. This is the only place that does so: send, requery, provider webhook,
 * settlement and operator all use it, and applying the same outcome twice changes nothing, because the state is guarded
 * and a hold ends once. Each response is compared with what was sent, and leaves its row of evidence, in the same
 * movement where it changes something.
 *
 * Success posts every hold. A definite failure voids them, unless the cause lies with the rail and the payout fails
 * over to another. Money that came back after success is returned by new transfers. Anything else leaves the payout as
 * it is.
 * @param payout as it was when the rail was asked: its `rail` is the one whose response this is.
 */
export async function applyOutcome(
  deps: PayoutDeps,
  payout: PayoutRecord,
  answer: RailAnswer,
  source: OutcomeSource,
): Promise<Applied> {
  const response = await believe(deps, payout, { rail: payout.rail, answer, source });
  let current = payout;
  for (let attempts = 1; ; attempts += 1) {
    const applied = await applyTo(deps, current, response);
    if (applied !== 'MOVED_ON') return applied;
    const [now] = await deps.database.query(findPayout, [payout.merchant_id, payout.mode, payout.id]);
    if (now === undefined || attempts === MAX_ATTEMPTS) throw payoutMovedOn(now?.status);
    current = now;
  }
}

async function applyTo(
  deps: PayoutDeps,
  payout: PayoutRecord,
  response: ProviderResponse,
): Promise<Applied | 'MOVED_ON'> {
  // The response of a rail that has lost the payout to another.
  if (payout.rail !== response.rail) return keepOnly(deps, payout, response);
  const to = endOf(payout, response.answer);
  if (to === 'NONE') return keepOnly(deps, payout, response);
  if (to === 'OPEN') return leaveOpen(deps, payout, response);
  if (to === 'FAILED') {
    const handed = await failOver(deps, payout, response);
    if (handed !== undefined) return handed === 'HANDED_OVER' ? 'OPEN' : handed;
  }
  const movement = to === 'REVERSED' ? await reverse(deps, payout, response) : conclude(deps, payout, response, to);
  if (!(await commitOnce(deps, movement))) return 'MOVED_ON';
  await deps.payoutEnd.committed(deps, payout);
  return 'APPLIED';
}

/** The state that the answer moves the payout to from its current one. */
function endOf({ status }: PayoutRecord, { outcome }: RailAnswer): 'SUCCESS' | 'FAILED' | 'REVERSED' | 'OPEN' | 'NONE' {
  if (status === 'SUCCESS') return outcome === 'reversed' ? 'REVERSED' : 'NONE';
  if (status !== 'QUEUED' && status !== 'PROCESSING') return 'NONE';
  switch (outcome) {
    case 'succeeded':
      return 'SUCCESS';
    case 'failed':
    // Reversed before we knew of the success: the money is back, so nothing was paid.
    case 'reversed':
      return 'FAILED';
    case 'unknown':
    case 'not_found':
      return 'OPEN';
  }
}

function conclude(
  deps: PayoutDeps,
  payout: PayoutRecord,
  response: ProviderResponse,
  to: 'SUCCESS' | 'FAILED',
): Movement {
  const { answer, source } = response;
  const at = deps.clock.now();
  // The answer to a call is about now; another source may report days later.
  const paidAt = 'attempt' in source ? at : answer.at;
  const ended = { ...ending(payout, answer, to, at), paid_at: to === 'SUCCESS' ? paidAt : null };
  const movement = movementTo(ended, ['QUEUED', 'PROCESSING'], at, response);
  const released = to === 'FAILED' ? releaseGuards(payout) : { limitUsages: [], writes: [] };
  const writes = [...released.writes, ...endWrites(payout, response, at), ...deps.payoutEnd.writes(payout, to, at)];
  if (to === 'SUCCESS' && paidAt.getTime() !== at.getTime()) {
    const { merchant_id, mode, id } = payout;
    writes.push(write(updateTransactionsPaid, { merchant_id, mode, id, paid_at: paidAt }));
  }
  return {
    ...movement,
    limitUsages: released.limitUsages,
    transfers: [...resolveHolds(to === 'SUCCESS' ? 'POST' : 'VOID', payout), ...extras(response, 'transfers')],
    writes,
    events: [payoutEvent(to === 'SUCCESS' ? 'payout.succeeded' : 'payout.failed', ended)],
  };
}

async function reverse(deps: PayoutDeps, payout: PayoutRecord, response: ProviderResponse): Promise<Movement> {
  const accounts = await deps.wallets.requireTenantAccounts(tenantOf(payout));
  const at = deps.clock.now();
  const ended = ending(payout, response.answer, 'REVERSED', at);
  return {
    ...movementTo(ended, ['SUCCESS'], at, response),
    transfers: [...returnMoney(accounts, payout), ...extras(response, 'transfers')],
    // The money is back: the same may be paid again.
    writes: [
      ...releaseDedupeKeys(payout).writes,
      ...endWrites(payout, response, at),
      ...deps.payoutEnd.writes(payout, 'REVERSED', at),
    ],
    events: [payoutEvent('payout.reversed', ended)],
  };
}

function endWrites(payout: PayoutRecord, response: ProviderResponse, at: Date): Write[] {
  const { merchant_id, mode, id } = payout;
  const { sessionId: session_id, code: rail_code } = response.answer;
  const end = {
    merchant_id,
    mode,
    id,
    session_id,
    rail_code,
    ended_by: response.rail,
    by_operator: isOperators(response),
  };
  return [write(updatePayoutsEnded, end), evidenceWrite(payout, response, at), ...extras(response, 'writes')];
}

function ending(payout: PayoutRecord, answer: RailAnswer, status: TransactionStatus, at: Date): PayoutRecord {
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

function movementTo(
  ended: PayoutRecord,
  from: TransactionStatus[],
  at: Date,
  response: ProviderResponse,
): Omit<Movement, 'transfers'> {
  const { status: to, reason, id } = ended;
  const step = { machine: transactionStates, id, from, to, reason, refusal: payoutMovedOn };
  return {
    tenant: tenantOf(ended),
    id,
    occurredAt: at.toISOString(),
    transitions: [step, ...extras(response, 'transitions')],
    uniqueKeys: extras(response, 'uniqueKeys'),
    answer: success('Success'),
  };
}

function extras<Part extends 'writes' | 'transitions' | 'transfers' | 'uniqueKeys'>(
  { source }: ProviderResponse,
  part: Part,
): readonly NonNullable<Movement[Part]>[number][] {
  return 'kind' in source ? ((source[part] as Movement[Part]) ?? []) : [];
}

/** False when the payout is no longer what the movement was made from. */
async function commitOnce(deps: PayoutDeps, movement: Movement): Promise<boolean> {
  try {
    await deps.ledger.commit(movement);
    return true;
  } catch (error) {
    if (error instanceof AppError && MOVED_ON.has(error.code)) return false;
    if (violatedCheck(error) === 'payouts_ended_by_its_rail') return false;
    throw error;
  }
}

const MOVED_ON: ReadonlySet<string> = new Set(['PAYOUT_MOVED_ON', 'HOLD_ALREADY_RESOLVED']);

/** No event: the state is unchanged. A reader sees why it takes longer, from the response that did not end it. */
async function leaveOpen(deps: PayoutDeps, payout: PayoutRecord, response: ProviderResponse): Promise<Applied> {
  const { merchant_id, mode, id } = payout;
  const at = deps.clock.now();
  // Written first, so that a reason always has its evidence.
  await keepEvidence(deps.database, payout, response, at);
  const noted = payout.status !== 'PROCESSING' || payout.reason === OUTCOME_UNKNOWN;
  const saidAt = 'attempt' in response.source ? response.answer.at : at;
  if (!noted) await deps.database.query(updateProcessingReason, [merchant_id, mode, id, OUTCOME_UNKNOWN, saidAt]);
  return 'OPEN';
}

/**
 * Keeps a response that comes after the end: the first end stands. A rail that says both is a contradiction, which
 * people look into.
 */
async function keepOnly(deps: PayoutDeps, payout: PayoutRecord, response: ProviderResponse): Promise<Applied> {
  if (isOperators(response)) return keepDecision(deps, payout, response);
  const at = deps.clock.now();
  const keep = () => keepEvidence(deps.database, payout, response, at);
  if (!contradicts(payout, response)) await keep();
  else {
    await keepContradiction(deps, payout, keep);
    const { outcome } = response.answer;
    deps.logger.error(
      { payoutId: payout.id, status: payout.status, rail: response.rail, hasIt: payout.rail, outcome },
      'a rail contradicts what is in the books',
    );
    deps.onAlarm?.({ alarm: 'RAIL_CONTRADICTS', mode: payout.mode, rail: response.rail });
  }
  return 'ALREADY_APPLIED';
}

/** The operator lets the end stand: confirmed, kept as evidence and looked into, all of it or nothing. */
async function keepDecision(deps: PayoutDeps, payout: PayoutRecord, response: ProviderResponse): Promise<Applied> {
  const { source } = response;
  const at = deps.clock.now();
  await deps.database.transaction(async (tx) => {
    // First, since whoever keeps a contradiction waits for this row, and finds what was decided.
    await tx.query(updatePayoutLookedInto, [payout.merchant_id, payout.mode, payout.id]);
    if ('kind' in source) await source.confirm?.(tx, payout);
    await keepEvidence(tx, payout, response, at);
  });
  return 'ALREADY_APPLIED';
}

/**
 * Whether a rail that lost the payout says that it paid, or the rail that has it says the opposite of what it said
 * before.
 */
function contradicts({ rail, status }: PayoutRecord, response: ProviderResponse): boolean {
  const { outcome } = response.answer;
  if (response.rail !== rail) return outcome === 'succeeded';
  if (status === 'SUCCESS') return outcome === 'failed';
  return isConclusive(status) && status !== 'REVERSED' && outcome === 'succeeded';
}
