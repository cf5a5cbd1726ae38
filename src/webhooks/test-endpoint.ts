import type { IdempotencyKey } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { endpointMissing, testedTooSoon } from './errors.ts';
import { findEndpoint, updateEndpointBack, updateEndpointTested } from './queries.ts';
import { readSecrets, type SecretDeps } from './secrets.ts';
import { payloadOf, signedHeaders, signingKey, TEST_SEQUENCE } from './sign.ts';
import { callView } from './views.ts';

/** Between two tests of one address: it is a tool for a person, and a call may keep us waiting for 15 s. */
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
    const result = await connection.post(payload, signedHeaders(keys, { id, type, payload }, deps.clock));
    if (result === undefined) throw new Error('the connection was closed under a test');
    if (result.error === null) await deps.database.query(updateEndpointBack, [merchantId, mode, endpoint.id]);
    return callView(id, result);
  } finally {
    connection.close();
  }
}
