import type { Movement } from '../ledger/index.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { type Mode, tenantOf } from '../platform/tenant.ts';
import type { DisputeEvidence, RespondAnswer } from '../rails/index.ts';
import { type AnswerRow, leaseDueAnswers, updateAnswerLater, updateAnswersEnded } from './answer-queries.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import { type DisputeDeps, type DisputeRail, findDisputeRail } from './deps.ts';
import { readFiles } from './evidence-files.ts';
import { type DisputeRow, findDispute, isEnded } from './queries.ts';
import { takeDispute } from './take-dispute.ts';

/** Answers that one process sends at once, in each mode: each may carry some megabytes. */
const AT_ONCE = 4;
/** Longer than uploading all files and one call take. */
const LEASE_MS = 3 * 60_000;
/** The pause before it is sent again, by the number of attempts; the time to answer is short. */
const PAUSES_MS = [1, 2, 5, 10].map((minutes) => minutes * MINUTE_MS);

/** Sends merchants' answers to their providers, in one mode. @returns how many were attempted. */
export async function sendDueAnswers(deps: DisputeDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const due = await deps.database.query(leaseDueAnswers, [mode, now, new Date(now.getTime() + LEASE_MS), AT_ONCE]);
  const failures = deps.jobs.failuresOf('disputes.answer');
  await Promise.all(
    due.map(async (answer) => {
      try {
        await send(deps, answer);
        failures.succeeded(answer.id);
      } catch (error) {
        failures.failed(answer.id, error, {
          message: 'an answer to a dispute could not be sent',
          mode,
          merchantId: answer.merchant_id,
        });
        await later(deps, answer).catch(() => undefined);
      }
    }),
  );
  return due.length;
}

/**
 * Sends one answer. Where it was sent before and nobody knows whether it arrived, the provider is asked about the
 * dispute first: what it has already is not sent again.
 */
async function send(deps: DisputeDeps, answer: AnswerRow): Promise<void> {
  const rail = await railOf(deps, answer);
  const row = await findRow(deps, answer);
  if (rail === undefined || row === undefined) return later(deps, answer);
  if (isEnded(row.status)) return endAnswer(deps, answer, { status: 'REFUSED', reason: 'DISPUTE_ENDED_BEFORE' });
  if (answer.attempts > 1) {
    await takeDispute(deps, rail, { providerDisputeId: row.provider_dispute_id }, { source: 'CHECK' });
  }
  const now = answer.attempts > 1 ? await findRow(deps, answer) : row;
  if (now === undefined || isEnded(now.status)) return;
  if (now.status === 'EVIDENCE_SENT' && answer.action === 'CONTEST') {
    return endAnswer(deps, answer, { status: 'SENT', reason: null });
  }
  const said = await respond(deps, rail, row, answer);
  if (said.outcome === 'unknown') return later(deps, answer);
  const isTaken = said.outcome === 'taken';
  await endAnswer(deps, answer, {
    status: isTaken ? 'SENT' : 'REFUSED',
    reason: isTaken ? null : (said.reason ?? 'PROVIDER_REFUSED'),
  });
  // Only the provider's report takes the money of an acceptance.
  if (isTaken) await takeDispute(deps, rail, { providerDisputeId: row.provider_dispute_id }, { source: 'CHECK' });
}

async function respond(
  deps: DisputeDeps,
  rail: DisputeRail,
  row: DisputeRow,
  answer: AnswerRow,
): Promise<RespondAnswer> {
  const request = {
    tenant: tenantOf(row),
    providerDisputeId: row.provider_dispute_id,
    amountMinor: row.amount_minor,
  };
  if (answer.action === 'ACCEPT') return rail.disputes.acceptDispute(request);
  const words = JSON.parse(answer.content) as Omit<DisputeEvidence, 'files'>;
  const files = await readFiles(deps, answer);
  return rail.disputes.contestDispute({ ...request, evidence: { ...words, files } });
}

async function railOf(deps: DisputeDeps, answer: AnswerRow): Promise<DisputeRail | undefined> {
  const row = await findRow(deps, answer);
  return row && findDisputeRail(deps.rails, row.mode, row.rail);
}

async function findRow({ database }: DisputeDeps, answer: AnswerRow): Promise<DisputeRow | undefined> {
  const [row] = await database.query(findDispute, [answer.merchant_id, answer.mode, answer.dispute_id]);
  return row;
}

async function later({ database, clock }: DisputeDeps, { merchant_id, mode, id, attempts }: AnswerRow): Promise<void> {
  const pause = PAUSES_MS[Math.min(attempts - 1, PAUSES_MS.length - 1)] as number;
  await database.query(updateAnswerLater, [merchant_id, mode, id, new Date(clock.now().getTime() + pause)]);
}

/** Ends an answer, once: evidence that the provider has changes the dispute's state. */
async function endAnswer(
  deps: DisputeDeps,
  answer: AnswerRow,
  { status, reason }: { status: 'SENT' | 'REFUSED'; reason: string | null },
): Promise<void> {
  await commitForDispute(deps.ledger.commit, async (): Promise<Movement | undefined> => {
    const row = await findRow(deps, answer);
    if (row === undefined || row.answer_status !== 'QUEUED') return undefined;
    const at = deps.clock.now();
    const isEvidence = status === 'SENT' && answer.action === 'CONTEST' && row.status === 'OPEN';
    const { parts } = changeOf(
      row,
      {
        answer_status: status,
        answer_reason: reason,
        ...(isEvidence && { status: 'EVIDENCE_SENT', remind_at: null }),
        checks: 0,
        check_at: isEnded(row.status) ? row.check_at : new Date(at.getTime() + MINUTE_MS),
      },
      at,
    );
    const { merchant_id, mode, id } = answer;
    return {
      tenant: tenantOf(row),
      id: newId(),
      occurredAt: at.toISOString(),
      ...parts,
      writes: [...parts.writes, write(updateAnswersEnded, { merchant_id, mode, id, status, reason, ended_at: at })],
      answer: { message: 'The answer has ended' },
    };
  });
}
