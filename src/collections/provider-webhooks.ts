import { unavailable } from '../platform/errors.ts';
import type { ProviderWebhookRequest } from '../rails/index.ts';
import type { CollectionDeps } from './deps.ts';
import { type CreditRail, type TakenCredit, takeCredit } from './take-credit.ts';

/**
 * Takes every credit that a provider's webhook reports. Copies, and any order of them, change nothing.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`; `SERVICE_UNAVAILABLE` when not all
 *   of it could be kept, so that the provider sends it again.
 */
export async function takeCreditWebhook(
  deps: CollectionDeps,
  rail: CreditRail,
  request: ProviderWebhookRequest,
): Promise<TakenCredit[]> {
  const hints = await rail.wallets.readCreditWebhook(request);
  const results = await Promise.allSettled(hints.map((hint) => takeCredit(deps, rail, hint, { source: 'WEBHOOK' })));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    deps.logger.error({ err: failed.reason, rail: rail.name, mode: rail.mode }, 'a credit could not be taken');
    throw unavailable('Not every credit could be kept. Please send them again.', failed.reason);
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
