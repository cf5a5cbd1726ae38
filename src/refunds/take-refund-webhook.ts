import type { ProviderWebhookRequest, RailCaller } from '../rails/index.ts';
import type { RefundDeps } from './deps.ts';
import { listRefundsOfKeys, updateRefundHinted } from './queries.ts';

/**
 * Takes a provider's webhook about refunds: nothing in it is believed except which refunds to ask about, and those are
 * due now. Copies, and any order of them, change nothing.
 * @returns how many refunds are to be asked about.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export async function takeRefundWebhook(
  deps: Pick<RefundDeps, 'database' | 'clock' | 'logger' | 'wake'>,
  rail: RailCaller,
  request: ProviderWebhookRequest,
): Promise<number> {
  const hints = (await rail.wallets?.refunds?.readRefundWebhook(request)) ?? [];
  let due = 0;
  for (const { keys } of hints) {
    const found = await deps.database.query(listRefundsOfKeys, [rail.name, keys]);
    if (found.length === 0)
      deps.logger.warn({ rail: rail.name, keys }, 'a webhook is about a refund that we do not know');
    for (const { merchant_id, mode, refund_id } of found) {
      const hinted = await deps.database.query(updateRefundHinted, [merchant_id, mode, refund_id, deps.clock.now()]);
      due += hinted.length;
    }
  }
  if (due > 0) deps.wake();
  return due;
}
