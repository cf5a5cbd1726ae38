import { findPayout, keepContradiction, type PayoutDeps, type PayoutRecord, payoutIdOf } from '../payouts/index.ts';
import { lineOfFailure, unavailable } from '../platform/errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest, RailCaller } from '../rails/index.ts';
import { applyOutcome } from './apply-outcome.ts';
import { keepEvidence } from './provider-response.ts';
import { findRailReference } from './queries.ts';

/**
 * `OPEN`: it is not conclusive. `UNKNOWN_REFERENCE`: we never sent such a transfer by that rail. `REFUSED`: it is not
 * believed, and kept with the reason.
 */
export type ProviderWebhookResult = 'APPLIED' | 'ALREADY_APPLIED' | 'OPEN' | 'UNKNOWN_REFERENCE' | 'REFUSED';

/**
 * Verifies a request to a rail's address and applies every provider webhook in it.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`; `SERVICE_UNAVAILABLE` when not
 *   all of it could be kept, so that the rail sends it again: applying a provider webhook twice changes nothing.
 */
export async function takeProviderWebhooks(
  deps: PayoutDeps,
  rail: RailCaller,
  request: ProviderWebhookRequest,
): Promise<ProviderWebhookResult[]> {
  const providerWebhooks = await rail.verifyWebhook(request);
  const taken: ProviderWebhookResult[] = [];
  const failures: unknown[] = [];
  for (const providerWebhook of providerWebhooks) {
    try {
      taken.push(await takeProviderWebhook(deps, rail.name, providerWebhook));
    } catch (error) {
      const { providerWebhookId } = providerWebhook;
      deps.logger.error(
        ...lineOfFailure(error, 'a webhook could not be taken', { rail: rail.name, providerWebhookId }),
      );
      failures.push(error);
    }
  }
  if (failures.length > 0) throw unavailable('Not every webhook could be kept. Please send them again.', failures[0]);
  return taken;
}

/**
 * Applies one verified provider webhook of a rail to the payout that it is about. Copies, and any order of them, change
 * nothing.
 */
export async function takeProviderWebhook(
  deps: PayoutDeps,
  railName: string,
  providerWebhook: ProviderWebhook,
): Promise<ProviderWebhookResult> {
  const payout = await findNoticed(deps, railName, providerWebhook);
  if (payout === undefined) {
    const { providerWebhookId, railReference } = providerWebhook;
    deps.logger.warn(
      { rail: railName, providerWebhookId, railReference },
      'a webhook is about a transfer that we do not know',
    );
    return 'UNKNOWN_REFERENCE';
  }
  const refusal = refusalOf(payout, railName);
  if (refusal === undefined) return applyOutcome(deps, payout, providerWebhook.answer, { kind: 'PROVIDER_WEBHOOK' });
  await refuse(deps, payout, railName, providerWebhook, refusal);
  return 'REFUSED';
}

async function findNoticed(
  deps: PayoutDeps,
  rail: string,
  { railReference, tenant }: ProviderWebhook,
): Promise<PayoutRecord | undefined> {
  if (tenant !== null) {
    const id = payoutIdOf(railReference);
    if (id === undefined) return undefined;
    const [payout] = await deps.database.query(findPayout, [tenant.merchantId, tenant.mode, id]);
    return payout;
  }
  const [found] = await deps.database.query(findRailReference, [rail, railReference]);
  if (found === undefined) return undefined;
  const [payout] = await deps.database.query(findPayout, [found.merchant_id, found.mode, found.payout_id]);
  return payout;
}

interface Refusal {
  reason: string;
  note: string;
}

/** Reasons for which an answer must not end this payout, whatever it reports. */
function refusalOf(payout: PayoutRecord, railName: string): Refusal | undefined {
  if (payout.amount_hold_id === null) {
    return { reason: 'PROVIDER_WEBHOOK_NOT_SENT', note: 'A webhook about a payout that has not been sent yet' };
  }
  if (payout.rail !== railName) {
    return {
      reason: 'PROVIDER_WEBHOOK_OTHER_RAIL',
      note: `A webhook of ${railName}, while ${payout.rail} has the payout`,
    };
  }
  return undefined;
}

/**
 * Keeps and logs a provider webhook without applying it. A rail that lost the payout and says it paid is put before the
 * operator.
 */
async function refuse(
  deps: PayoutDeps,
  payout: PayoutRecord,
  rail: string,
  providerWebhook: ProviderWebhook,
  { reason, note }: Refusal,
): Promise<void> {
  const { providerWebhookId, answer } = providerWebhook;
  const response = { rail, answer: { ...answer, reason }, source: { kind: 'PROVIDER_WEBHOOK', note } as const };
  const contradicts = reason === 'PROVIDER_WEBHOOK_OTHER_RAIL' && answer.outcome === 'succeeded';
  const keep = () => keepEvidence(deps.database, payout, response, deps.clock.now());
  await (contradicts ? keepContradiction(deps, payout, keep) : keep());
  const about = { rail, providerWebhookId, payoutId: payout.id, reason, outcome: answer.outcome };
  if (contradicts) {
    deps.logger.error(about, 'a rail that lost a payout to another says that it paid');
    deps.onAlarm?.({ alarm: 'RAIL_CONTRADICTS', mode: payout.mode, rail });
  } else deps.logger.warn(about, 'a webhook was not believed');
}
