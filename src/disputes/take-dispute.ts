import { findInboundPayment } from '../collections/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { takeEach } from '../platform/take-each.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { DisputeHint, ProviderWebhookRequest, ReportedDispute, UnlistedDispute } from '../rails/index.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import { contradictEnd } from './contradicted-end.ts';
import type { DisputeDeps, DisputeRail } from './deps.ts';
import {
  type DirectoryRow,
  type DirectoryStatus,
  findNotedDispute,
  updateNotedDone,
  upsertNotedDispute,
  upsertReportedDispute,
} from './directory-queries.ts';
import { type DisputeEnd, endDispute } from './end-dispute.ts';
import type { DisputeSource } from './evidence-queries.ts';
import { type Confirmed, evidenceWrite, openDispute, reportedText, reviewReasonOf } from './open-dispute.ts';
import { type DisputeRow, findDispute, isEnded } from './queries.ts';
import { nextCheckAt, remindAtOf } from './times.ts';
import { noteUnlisted } from './unlisted-state.ts';

/** `KEPT`: it is asked about again. `TO_DECIDE`: the operator's people have to look. `SAME`: nothing changed. */
export type TakenDispute = 'OPENED' | 'CHANGED' | 'SAME' | 'KEPT' | 'TO_DECIDE';

/**
 * The pause before the provider is asked again about an unconfirmed report, by how often it was asked; after the last
 * one, that one.
 */
const PAUSES_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** Longer than booking takes: where a process dies between noting and booking, the job books it after this time. */
const BOOK_AGAIN_MS = MINUTE_MS;

/**
 * The only way in of a dispute: somebody reports it, the provider is asked, and its answer is applied, once. Nothing in
 * the hint is believed except which dispute to ask about.
 */
export async function takeDispute(
  deps: DisputeDeps,
  rail: DisputeRail,
  { providerDisputeId }: DisputeHint,
  { source, retried }: { source: DisputeSource; retried?: DirectoryRow },
): Promise<TakenDispute> {
  const answer = await rail.disputes.queryDispute({ providerDisputeId });
  const keep = { rail, providerDisputeId, source, retried };
  if (answer.outcome !== 'found') {
    const noted = await keepReported(deps, { ...keep, status: 'WAITING', reason: answer.reason ?? 'NOT_FOUND' });
    if (noted?.status !== 'NOTED') return 'KEPT';
    const unlisted = answer.outcome === 'unknown' ? answer.unlisted : undefined;
    if (unlisted === undefined || contradictionOf(rail, providerDisputeId, unlisted) !== undefined) return 'SAME';
    const said = { rail: rail.name, dispute: unlisted, source, code: answer.code, at: answer.at };
    return (await noteUnlisted(deps, noted, said)) ? 'CHANGED' : 'SAME';
  }
  const confirmed = { rail: rail.name, dispute: answer.dispute, source, code: answer.code, at: answer.at };
  const contradiction = contradictionOf(rail, providerDisputeId, answer.dispute);
  if (contradiction !== undefined) {
    await keepReported(deps, { ...keep, status: 'CONTRADICTED', reason: contradiction, dispute: answer.dispute });
    deps.logger.error({ rail: rail.name, reason: contradiction, providerDisputeId }, 'a dispute is not what it seems');
    deps.onAlarm?.({ alarm: `DISPUTE_${contradiction}`, mode: rail.mode, rail: rail.name });
    return 'TO_DECIDE';
  }
  const noted = await noteOwner(deps, rail, confirmed);
  if (noted === undefined) {
    await keepReported(deps, { ...keep, status: 'NO_PAYMENT', reason: null, dispute: answer.dispute });
    return 'TO_DECIDE';
  }
  return bookDispute(deps, noted, confirmed);
}

/** Why a confirmed dispute cannot be opened as it is. */
function contradictionOf(
  rail: DisputeRail,
  asked: string,
  dispute: ReportedDispute | UnlistedDispute,
): string | undefined {
  if (dispute.providerDisputeId !== asked) return 'OTHER_DISPUTE';
  if (dispute.currency !== DEFAULT_CURRENCY) return 'CURRENCY_NOT_SUPPORTED';
  if (dispute.amountMinor <= 0n) return 'AMOUNT_NOT_POSITIVE';
  return dispute.mode !== null && dispute.mode !== rail.mode ? 'MODE_MISMATCH' : undefined;
}

/** Notes, in a commit of its own, which dispute it is, for ever: every later attempt finds the same id. */
async function noteOwner(
  deps: DisputeDeps,
  rail: DisputeRail,
  { dispute, source }: Confirmed,
): Promise<DirectoryRow | undefined> {
  const { providerDisputeId, providerTransactionId } = dispute;
  const [known] = await deps.database.query(findNotedDispute, [rail.name, providerDisputeId]);
  if (known?.status === 'NOTED') return known;
  const key = { rail: rail.name, provider_transaction_id: providerTransactionId, session_id: null };
  const credit = await deps.credits.findNoted(key);
  if (credit?.merchant_id == null || credit.payment_id === null || credit.mode !== rail.mode) return undefined;
  return noteDispute(deps, {
    rail: rail.name,
    mode: rail.mode,
    source,
    dispute,
    merchantId: credit.merchant_id,
    paymentId: credit.payment_id,
  });
}

/** @returns the dispute that was noted first, by this process or another. */
export async function noteDispute(
  { database, clock }: Pick<DisputeDeps, 'database' | 'clock'>,
  given: Pick<DirectoryRow, 'rail' | 'mode' | 'source'> & {
    dispute: ReportedDispute;
    merchantId: string;
    paymentId: string;
    /** The dispute's id, where it is known already. */
    disputeId?: string;
  },
): Promise<DirectoryRow | undefined> {
  const now = clock.now();
  const owner = [given.merchantId, given.paymentId, given.disputeId ?? newId()];
  const facts = [given.rail, given.dispute.providerDisputeId, given.mode, given.source, reportedText(given.dispute)];
  // Nobody asks a provider about what two people know: the person who confirmed it repeats the confirmation.
  const again = given.source === 'OPERATOR' ? null : new Date(now.getTime() + BOOK_AGAIN_MS);
  const [noted] = await database.query(upsertNotedDispute, [...facts, ...owner, now, again]);
  if (noted !== undefined) return noted;
  const [first] = await database.query(findNotedDispute, [given.rail, given.dispute.providerDisputeId]);
  return first;
}

/** Opens a dispute that was noted, and applies the provider's report. */
async function bookDispute(deps: DisputeDeps, noted: DirectoryRow, confirmed: Confirmed): Promise<TakenDispute> {
  const { merchant_id: merchantId, payment_id: paymentId, dispute_id: disputeId, mode } = noted;
  if (merchantId === null || paymentId === null || disputeId === null) throw new Error('a dispute has no owner');
  const key = [merchantId, mode, disputeId];
  const [before] = await deps.database.query(findDispute, key);
  const row = before ?? (await openDispute(deps, { tenant: { merchantId, mode }, disputeId, paymentId }, confirmed));
  if (row === undefined) return 'KEPT';
  await deps.database.query(updateNotedDone, [noted.rail, noted.provider_dispute_id]);
  const isChanged = await applyReport(deps, row, confirmed);
  if (before === undefined) return 'OPENED';
  return isChanged ? 'CHANGED' : 'SAME';
}

const ENDS: Partial<Record<ReportedDispute['state'], DisputeEnd>> = { won: 'WON', lost: 'LOST', accepted: 'ACCEPTED' };

/** Applies a provider's report to a dispute in the books. Applying it twice changes nothing. */
async function applyReport(deps: DisputeDeps, row: DisputeRow, confirmed: Confirmed): Promise<boolean> {
  const end = ENDS[confirmed.dispute.state];
  if (isEnded(row.status)) return contradictEnd(deps, row, end, confirmed);
  if (end !== undefined) return endDispute(deps, row, end, confirmed);
  return refresh(deps, row, confirmed);
}

/** The provider has the evidence, or accepts an answer until another day. */
function refresh(deps: DisputeDeps, known: DisputeRow, confirmed: Confirmed): Promise<boolean> {
  const { state, dueAt } = confirmed.dispute;
  return commitForDispute(deps.ledger.commit, async () => {
    const { merchant_id, mode, id, payment_id } = known;
    const [[row], [payment]] = await Promise.all([
      deps.database.query(findDispute, [merchant_id, mode, id]),
      deps.database.query(findInboundPayment, [merchant_id, mode, payment_id]),
    ]);
    if (row === undefined || isEnded(row.status) || payment === undefined) return undefined;
    const at = deps.clock.now();
    const isSent = state === 'evidence_sent' && row.status === 'OPEN';
    // The sandbox's clock moves the day here and at the simulated bank: only a live provider's report moves it.
    const isMoved = mode === 'LIVE' && dueAt !== null && dueAt.getTime() !== row.due_at?.getTime();
    const isUnderstood = row.operator_reason === 'STATE_NOT_LISTED';
    if (!isSent && !isMoved && !isUnderstood) return undefined;
    const changed = {
      ...(isUnderstood && { operator_reason: reviewReasonOf(row, payment) }),
      ...(isSent && { status: 'EVIDENCE_SENT' as const, remind_at: null }),
      ...(isMoved && { due_at: dueAt }),
      ...(isMoved && !isSent && row.status === 'OPEN' && { remind_at: remindAtOf(dueAt, at) }),
    };
    const next = { ...row, ...changed, checks: 0 };
    const { parts } = changeOf(row, { ...changed, checks: 0, check_at: nextCheckAt(next, at) }, at);
    return {
      tenant: tenantOf(row),
      id: newId(),
      occurredAt: at.toISOString(),
      ...parts,
      writes: [...parts.writes, evidenceWrite(row, confirmed)],
      answer: { message: 'The dispute is as the provider says' },
    };
  });
}

async function keepReported(
  { database, clock }: DisputeDeps,
  kept: {
    rail: DisputeRail;
    providerDisputeId: string;
    source: DisputeSource;
    retried: DirectoryRow | undefined;
    status: DirectoryStatus;
    reason: string | null;
    dispute?: ReportedDispute;
  },
): Promise<DirectoryRow | undefined> {
  const { rail, providerDisputeId, retried, dispute } = kept;
  const now = clock.now();
  const pause = PAUSES_MS[Math.min(retried?.attempts ?? 0, PAUSES_MS.length - 1)] as number;
  // A report that belongs to no payment yet may get one: the payment itself may still have to be found.
  const isAskedAgain = kept.status === 'WAITING' || kept.status === 'NO_PAYMENT';
  const [row] = await database.query(upsertReportedDispute, [
    rail.name,
    providerDisputeId,
    rail.mode,
    kept.status,
    kept.reason,
    kept.source,
    dispute === undefined ? null : reportedText(dispute),
    isAskedAgain ? new Date(now.getTime() + pause) : null,
    now,
    retried !== undefined,
  ]);
  if (row !== undefined) return row;
  const [known] = await database.query(findNotedDispute, [rail.name, providerDisputeId]);
  return known;
}

/**
 * Takes every dispute that a provider's webhook reports. Copies, and any order of them, change nothing.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`; `SERVICE_UNAVAILABLE` when not all of it
 *   could be kept, so that the provider sends it again.
 */
export async function takeDisputeWebhook(
  deps: DisputeDeps,
  rail: DisputeRail,
  request: ProviderWebhookRequest,
): Promise<TakenDispute[]> {
  const hints = await rail.disputes.readDisputeWebhook(request);
  return takeEach(hints, (hint) => takeDispute(deps, rail, hint, { source: 'WEBHOOK' }), {
    logger: deps.logger,
    message: 'a dispute could not be taken',
    about: { rail: rail.name, mode: rail.mode },
    answer: 'Not every dispute could be kept. Please send them again.',
  });
}
