import { type CommitResult, type IdempotencyKey, type Ledger, readEventSequence } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { endpointStates } from './endpoint-state.ts';
import { endpointEnabled, endpointMissing, sequenceOutOfRange } from './errors.ts';
import { findEndpoint, updateEndpointsResumed } from './queries.ts';
import { endpointView } from './views.ts';

export interface EnableEndpointInput {
  tenant: Tenant;
  /** Begin behind this event, leaving out those before; without it nothing is left out. */
  after: number | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Sends again to an address that was disabled, from the event at which it stopped.
 * @throws AppError `WEBHOOK_ENDPOINT_MISSING`, `WEBHOOK_ENDPOINT_ENABLED`, `WEBHOOK_SEQUENCE_OUT_OF_RANGE` for an
 *   `after` that was told already or has not happened yet
 */
export async function enableEndpoint(
  deps: { database: Database; ledger: Ledger; clock: Clock },
  input: EnableEndpointInput,
): Promise<CommitResult> {
  const { tenant } = input;
  const [endpoint] = await deps.database.query(findEndpoint, [tenant.merchantId, tenant.mode]);
  if (endpoint === undefined || endpoint.url === '') throw endpointMissing();
  const lastSequence = await readEventSequence(deps.database, tenant);
  const cursor = input.after === undefined ? null : BigInt(input.after);
  if (cursor !== null && (cursor < endpoint.cursor_sequence || cursor > lastSequence)) {
    throw sequenceOutOfRange(endpoint.cursor_sequence, lastSequence);
  }
  const occurredAt = deps.clock.now().toISOString();
  const resumed = {
    ...endpoint,
    status: 'ENABLED' as const,
    reason: null,
    cursor_sequence: cursor ?? endpoint.cursor_sequence,
    failures_in_a_row: 0,
    paused_until: null,
  };
  const told = { url: endpoint.url, status: 'ENABLED', enabledAt: occurredAt };
  return deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt,
    idempotency: input.idempotency,
    transitions: [
      {
        machine: endpointStates,
        id: endpoint.id,
        from: ['DISABLED'],
        to: 'ENABLED',
        reason: null,
        otherwise: endpointEnabled,
      },
    ],
    writes: [
      write(updateEndpointsResumed, {
        merchant_id: tenant.merchantId,
        mode: tenant.mode,
        cursor_sequence: cursor,
      }),
    ],
    events: [
      { id: newId(), type: 'webhook.endpoint_enabled', subjectId: tenant.merchantId, data: JSON.stringify(told) },
    ],
    answer: success('Webhook address enabled', endpointView(resumed, lastSequence)),
  });
}
