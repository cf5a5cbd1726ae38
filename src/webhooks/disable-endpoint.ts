import type { Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { endpointStates, RECEIVER_GONE } from './endpoint-state.ts';
import { endpointDisabled } from './errors.ts';

/**
 * The receiver answered 410: nothing more is sent until the merchant enables the address or sets another one. Where the
 * address was changed since that call, nothing happens.
 */
export async function disableEndpoint(
  deps: { ledger: Ledger; clock: Clock },
  tenant: Tenant,
  endpoint: { id: string; url: string },
): Promise<void> {
  const occurredAt = deps.clock.now().toISOString();
  const told = { url: endpoint.url, status: 'DISABLED', reason: RECEIVER_GONE, disabledAt: occurredAt };
  try {
    await deps.ledger.commit({
      tenant,
      id: newId(),
      occurredAt,
      transitions: [
        {
          machine: endpointStates,
          id: endpoint.id,
          from: ['ENABLED'],
          to: 'DISABLED',
          reason: RECEIVER_GONE,
          otherwise: endpointDisabled,
        },
      ],
      events: [
        { id: newId(), type: 'webhook.endpoint_disabled', subjectId: tenant.merchantId, data: JSON.stringify(told) },
      ],
      answer: success('Webhook address disabled'),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'WEBHOOK_ENDPOINT_DISABLED') throw error;
  }
}
