import { type CommitResult, type IdempotencyKey, type Ledger, readEventSequence } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { writingFault } from '../platform/http/written-address.ts';
import { newId } from '../platform/ids.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { endpointEnabled, endpointMissing, sequenceOutOfRange, testedTooSoon } from './errors.ts';
import { type AddressRules, addressFault } from './guarded-connect.ts';
import {
  endpointStates,
  findEndpoint,
  updateEndpointBack,
  updateEndpointsOrder,
  updateEndpointsResumed,
  updateEndpointTested,
  upsertEndpointAddresses,
} from './queries.ts';
import {
  payloadOf,
  readSecrets,
  type SecretDeps,
  secondOf,
  signedHeaders,
  signingKey,
  TEST_SEQUENCE,
} from './signing.ts';
import { callView, endpointView, noEndpointView } from './views.ts';

export interface NewAddress {
  mode: Mode;
  /** The empty text takes the address away. */
  url: string;
}

/** @throws AppError `VALIDATION_FAILED` naming the field, for an address that must not or cannot be called. */
export function checkWebhookAddress(field: string, url: string, rules: AddressRules): void {
  const fault = url === '' ? undefined : (addressFault(url, rules) ?? writingFault(url, new URL(url)));
  if (fault !== undefined) throw invalidField(field, fault);
}

/**
 * The writes of a movement that sets or takes away webhook addresses of a merchant. Delivery begins with the event after
 * the last one of now, so the change itself is the first to be sent to a new address.
 */
export async function webhookAddressWrites(
  deps: { database: Queries; clock: Clock },
  { merchantId, movementId }: { merchantId: string; movementId: string },
  addresses: readonly NewAddress[],
): Promise<Write[]> {
  const at = deps.clock.now().toISOString();
  return Promise.all(
    addresses.map(async ({ mode, url }) => {
      // Read before the commit: at most, one event of this very moment is sent too much. None is left out.
      const cursor_sequence = await readEventSequence(deps.database, { merchantId, mode });
      // The movement's id, as in the merchant's row: of two changes in one group, the same one wins in both places.
      const id = movementId;
      return write(upsertEndpointAddresses, { merchant_id: merchantId, mode, id, url, cursor_sequence, at });
    }),
  );
}

interface EnableEndpointInput {
  tenant: Tenant;
  /** Sending begins behind this event and leaves out those before. Undefined leaves nothing out. */
  after: number | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Sends again to an address that was disabled, from the event at which it stopped.
 * @throws AppError `WEBHOOK_ENDPOINT_MISSING`, `WEBHOOK_ENDPOINT_ENABLED`, `WEBHOOK_SEQUENCE_OUT_OF_RANGE` for an
 *   `after` that was sent already or has not happened yet
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
  const enabled = { url: endpoint.url, status: 'ENABLED', enabledAt: occurredAt };
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
        refusal: endpointEnabled,
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
      { id: newId(), type: 'webhook.endpoint_enabled', subjectId: tenant.merchantId, data: JSON.stringify(enabled) },
    ],
    answer: success('Webhook address enabled', endpointView(resumed, lastSequence, deps.clock.now())),
  });
}

interface ChangeOrderInput {
  tenant: Tenant;
  /** False allows several calls at once. */
  ordered: boolean;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Decides whether the address gets one event after the other or several at once. The decision is for this address
 * alone: another address is called in order again.
 * @throws AppError `WEBHOOK_ENDPOINT_MISSING`
 */
export async function changeEndpointOrder(
  deps: { database: Database; ledger: Ledger; clock: Clock },
  { tenant, ordered, idempotency }: ChangeOrderInput,
): Promise<CommitResult> {
  const [endpoint] = await deps.database.query(findEndpoint, [tenant.merchantId, tenant.mode]);
  if (endpoint === undefined || endpoint.url === '') throw endpointMissing();
  const lastSequence = await readEventSequence(deps.database, tenant);
  const now = deps.clock.now();
  const occurredAt = now.toISOString();
  const changed = { url: endpoint.url, ordered, changedAt: occurredAt };
  const { merchantId: merchant_id, mode } = tenant;
  return deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt,
    idempotency,
    writes: [write(updateEndpointsOrder, { merchant_id, mode, id: endpoint.id, ordered })],
    events: [{ id: newId(), type: 'webhook.endpoint_changed', subjectId: merchant_id, data: JSON.stringify(changed) }],
    answer: success('Webhook address changed', endpointView({ ...endpoint, ordered }, lastSequence, now)),
  });
}

/** The webhook address of the mode, whether events are sent to it, and how many events it is behind. */
export async function readEndpoint({ database, clock }: { database: Database; clock: Clock }, tenant: Tenant) {
  const [[endpoint], lastSequence] = await database.snapshot((queries) =>
    Promise.all([queries.query(findEndpoint, [tenant.merchantId, tenant.mode]), readEventSequence(queries, tenant)]),
  );
  const now = clock.now();
  return endpoint === undefined ? noEndpointView(lastSequence, now) : endpointView(endpoint, lastSequence, now);
}

/**
 * The shortest time between two tests of one address. A test is for a person, and one call may keep us waiting for 15
 * s.
 */
const PAUSE_MS = 5_000;

interface TestEndpointDeps extends SecretDeps {
  database: Database;
  clock: Clock;
  connection: Omit<ConnectionOptions, 'mode'>;
}

/**
 * Sends `webhook.test` to the address and says what the receiver answered. It is no event: it has an id of its own, the
 * sequence 0 and no place in the log, so the order of the events stays without gaps. A disabled address can be tried,
 * too, before it is enabled.
 * @throws AppError `WEBHOOK_ENDPOINT_MISSING`, `WEBHOOK_TESTED_TOO_SOON`
 */
export async function testEndpoint(deps: TestEndpointDeps, tenant: Tenant, request: IdempotencyKey | undefined) {
  const { merchantId, mode } = tenant;
  const [endpoint] = await deps.database.query(findEndpoint, [merchantId, mode]);
  if (endpoint === undefined || endpoint.url === '') throw endpointMissing();
  const now = deps.clock.now();
  const before = new Date(now.getTime() - PAUSE_MS);
  const mayTest = await deps.database.query(updateEndpointTested, [merchantId, mode, now, before]);
  if (mayTest.length === 0) throw testedTooSoon(PAUSE_MS / 1000);

  const keys = (await readSecrets(deps, tenant)).map(({ secret }) => signingKey(secret));
  const id = newId();
  const type = 'webhook.test';
  const data = JSON.stringify({ message: 'This is a test. Nothing happened.' });
  const cause = { request_id: request?.requestId ?? null, idempotency_key: request?.key ?? null };
  const payload = payloadOf({ id, type, sequence: TEST_SEQUENCE, created_at: now, ...cause, data }, mode);
  const connection = openConnection(endpoint.url, { ...deps.connection, mode });
  try {
    const headers = signedHeaders(keys, { id, type, payload }, secondOf(deps.clock));
    const result = await connection.post(payload, headers);
    if (result === undefined) throw new Error('the connection was closed under a test');
    if (result.error === null) await deps.database.query(updateEndpointBack, [merchantId, mode, endpoint.id]);
    return callView(id, result);
  } finally {
    connection.close();
  }
}
