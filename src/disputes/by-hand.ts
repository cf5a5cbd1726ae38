import { findInboundPayment, inboundPaymentNotFound } from '../collections/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { DisputeCategory, ReportedDispute } from '../rails/index.ts';
import { type DisputeDeps, findDisputeRail } from './deps.ts';
import { findNotedDispute } from './directory-queries.ts';
import { type DisputeEnd, endDispute } from './end-dispute.ts';
import { findLastEvidence } from './evidence-queries.ts';
import { type Confirmed, type DecidedParts, openOnce } from './open-dispute.ts';
import { type DisputeRow, findDispute } from './queries.ts';
import { noteDispute } from './take-dispute.ts';

/** A dispute of a provider that cannot be asked, as two of the operator's people enter it. */
export interface DisputeByHand {
  tenant: Tenant;
  disputeId: string;
  paymentId: string;
  rail: string;
  providerDisputeId: string;
  amountMinor: bigint;
  category: DisputeCategory;
  message: string | null;
  dueAt: Date | null;
}

/**
 * The last report of a provider about a dispute, and the amount that it wants back, in minor units; undefined where it
 * never reported.
 */
export async function findLastSaid(
  database: Database,
  { merchant_id, mode, id }: Pick<DisputeRow, 'merchant_id' | 'mode' | 'id'>,
): Promise<{ isLost: boolean; amountMinor: bigint } | undefined> {
  const [last] = await database.query(findLastEvidence, [merchant_id, mode, id]);
  if (last === undefined) return undefined;
  const { amountMinor } = JSON.parse(last.reported) as { amountMinor: string };
  return { isLost: last.state === 'lost' || last.state === 'accepted', amountMinor: BigInt(amountMinor) };
}

/** Whether a provider account has no interface for disputes, so that only people know of them. */
export async function knowsByPeopleOnly(
  { rails }: Pick<DisputeDeps, 'rails'>,
  { mode, rail }: { mode: Mode; rail: string },
): Promise<boolean> {
  return (await findDisputeRail(rails, mode, rail)) === undefined;
}

/**
 * The dispute that a provider's number leads to.
 * @returns undefined where it leads to none; `isOpened` is false where the dispute was noted and the process died
 *   before it was booked.
 */
export async function findNumbered(
  database: Database,
  { rail, providerDisputeId }: Pick<DisputeByHand, 'rail' | 'providerDisputeId'>,
): Promise<{ merchantId: string; mode: Mode; paymentId: string; disputeId: string; isOpened: boolean } | undefined> {
  const [noted] = await database.query(findNotedDispute, [rail, providerDisputeId]);
  if (noted?.merchant_id == null || noted.payment_id === null || noted.dispute_id === null) return undefined;
  const { merchant_id: merchantId, mode, payment_id: paymentId, dispute_id: disputeId } = noted;
  const opened = await database.query(findDispute, [merchantId, mode, disputeId]);
  return { merchantId, mode, paymentId, disputeId, isOpened: opened.length > 0 };
}

/**
 * Opens a dispute that two people entered, in the same way as every dispute, once, together with their decision.
 * @returns false where it is open already, or its number leads to another.
 * @throws AppError `INBOUND_PAYMENT_NOT_FOUND`
 */
export async function openByHand(deps: DisputeDeps, by: DisputeByHand, decided: DecidedParts): Promise<boolean> {
  const { tenant, disputeId, paymentId } = by;
  const [payment] = await deps.database.query(findInboundPayment, [tenant.merchantId, tenant.mode, paymentId]);
  if (payment === undefined) throw inboundPaymentNotFound();
  const facts = { ...by, providerTransactionId: payment.provider_transaction_id };
  const confirmed = said(deps, facts, 'open');
  const { rail, dispute } = confirmed;
  const owner = { merchantId: tenant.merchantId, mode: tenant.mode, paymentId, disputeId };
  const noted = await noteDispute(deps, { rail, source: 'OPERATOR', dispute, ...owner });
  if (noted?.dispute_id !== disputeId) return false;
  return (await openOnce(deps, { tenant, disputeId, paymentId }, confirmed, decided)).isNew;
}

/**
 * Ends a dispute as two people say that it ended, once, together with their decision.
 * @param by `row` is as they saw it, `amountMinor` what is wanted back in the end.
 * @returns false where it has ended.
 */
export async function endByHand(
  deps: DisputeDeps,
  { row, amountMinor }: { row: DisputeRow; amountMinor: bigint },
  end: Exclude<DisputeEnd, 'ACCEPTED'>,
  decided: DecidedParts,
): Promise<boolean> {
  const [payment] = await deps.database.query(findInboundPayment, [row.merchant_id, row.mode, row.payment_id]);
  if (payment === undefined) throw inboundPaymentNotFound();
  const facts = {
    tenant: { merchantId: row.merchant_id, mode: row.mode },
    rail: row.rail,
    providerDisputeId: row.provider_dispute_id,
    providerTransactionId: payment.provider_transaction_id,
    amountMinor,
    category: row.category,
    message: row.message,
    dueAt: row.due_at,
  };
  return endDispute(deps, row, end, said(deps, facts, END_STATES[end]), decided);
}

const END_STATES = { WON: 'won', LOST: 'lost' } as const;

/** What people say, in the form of a provider's report. */
function said(
  { clock }: Pick<DisputeDeps, 'clock'>,
  facts: Omit<DisputeByHand, 'disputeId' | 'paymentId'> & { providerTransactionId: string },
  state: ReportedDispute['state'],
): Confirmed {
  const { tenant, rail, providerDisputeId, providerTransactionId, amountMinor, category, message, dueAt } = facts;
  const known = { providerDisputeId, providerTransactionId, amountMinor, category, message, dueAt };
  const dispute = { ...known, state, bySilence: false, currency: DEFAULT_CURRENCY, openedAt: null, mode: tenant.mode };
  return { rail, dispute, source: 'OPERATOR', code: null, at: clock.now() };
}
