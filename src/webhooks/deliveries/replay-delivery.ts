import { type Answer, success } from '../../platform/answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { endpointDisabled, endpointMissing } from '../errors.ts';
import { findEndpoint } from '../queries.ts';
import { deliveryView } from '../views.ts';
import { updateDeliveryReplayed, updateEndpointReplaying } from './queries.ts';
import { requireDelivery } from './read-deliveries.ts';

export interface ReplayDeps {
  database: Database;
  clock: Clock;
  /** Told after the commit, so that a worker in this process looks at once. */
  wakeWebhooks?: () => void;
}

/**
 * Sends a delivery again as soon as a worker gets to it, with the same id and the same bytes, whatever became of it. The
 * schedule goes on as it was, unless the receiver takes it now. It is no movement: nothing of the merchant's changes, and
 * an event about it would be one more to send.
 * @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND`, `WEBHOOK_ENDPOINT_MISSING`, `WEBHOOK_ENDPOINT_DISABLED`
 */
export async function replayDelivery(deps: ReplayDeps, tenant: Tenant, id: string): Promise<Answer> {
  const { merchantId, mode } = tenant;
  const delivery = await requireDelivery(deps.database, tenant, id);
  const [endpoint] = await deps.database.query(findEndpoint, [merchantId, mode]);
  if (endpoint === undefined || endpoint.url === '') throw endpointMissing();
  if (endpoint.status === 'DISABLED') throw endpointDisabled();
  const now = deps.clock.now();
  await deps.database.transaction(async (tx) => {
    await tx.query(updateEndpointReplaying, [merchantId, mode, now]);
    await tx.query(updateDeliveryReplayed, [merchantId, mode, id, now]);
  });
  deps.wakeWebhooks?.();
  return success('Delivery is being sent again', deliveryView({ ...delivery, replay_at: now }, mode));
}
