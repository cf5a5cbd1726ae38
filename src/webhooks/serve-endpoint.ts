import { findEvents, type Ledger, listEvents } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type Connection,
  type ConnectionOptions,
  type Connections,
  GONE,
  openConnections,
  overConnections,
} from './connection.ts';
import { type DueDelivery, listDueDeliveries } from './delivery-queries.ts';
import { endpointDisabled } from './errors.ts';
import { type EndpointRow, endpointStates, leaseEndpoint, RECEIVER_GONE, updateEndpointReleased } from './queries.ts';
import {
  afterCall,
  FAILURES_TO_PAUSE,
  LEASE_MS,
  type MadeCall,
  recordCalls,
  UNDELIVERED,
  UNRECORDED,
} from './record-calls.ts';
import {
  type DeliveredEvent,
  payloadOf,
  readSecrets,
  type SecretDeps,
  type SigningKey,
  signedHeaders,
  signingKey,
} from './signing.ts';

/**
 * The receiver answered 410: nothing more is sent until the merchant enables the address or sets another one. Does
 * nothing where the address was changed since that call.
 */
async function disableEndpoint(
  deps: { ledger: Ledger; clock: Clock },
  tenant: Tenant,
  endpoint: { id: string; url: string },
): Promise<void> {
  const occurredAt = deps.clock.now().toISOString();
  const disabled = { url: endpoint.url, status: 'DISABLED', reason: RECEIVER_GONE, disabledAt: occurredAt };
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
          refusal: endpointDisabled,
        },
      ],
      events: [
        {
          id: newId(),
          type: 'webhook.endpoint_disabled',
          subjectId: tenant.merchantId,
          data: JSON.stringify(disabled),
        },
      ],
      answer: success('Webhook address disabled'),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'WEBHOOK_ENDPOINT_DISABLED') throw error;
  }
}

/** Events read at a time at most, and so what a killed worker may send twice: a few hundred kilobytes. */
const MAX_PIECE = 1_000;
/** At first, and where a receiver is slow: what is read and not called within a second is read again. */
const FIRST_PIECE = 64;
/** Retries read at a time: they take turns with first calls. */
const MAX_RETRIES = 100;
/** Calls are recorded at least this often. A changed address or secret is noticed at the same time. */
const RECORD_EVERY_MS = 1_000;

export interface ServeDeps extends SecretDeps {
  ledger: Ledger;
  logger: Logger;
  jobs: JobMonitor;
}

/** The turn of one endpoint in a worker's hands. */
interface Turn {
  connection: Omit<ConnectionOptions, 'mode'>;
  /** Whether to stop after the call under way. */
  isOver(): boolean;
  /** Receives the connections in use, so that a call that hangs can be ended. */
  onConnect(connections: Connections): void;
}

interface Serving {
  deps: ServeDeps;
  tenant: Tenant;
  turn: Turn;
  leaseId: string;
  endpoint: EndpointRow;
  connections: Connections;
  failures: number;
  /** Calls that the next piece may have: twice as many as the last one had, so that reading costs what the calls do. */
  piece: number;
}

/**
 * Sends one endpoint its events and the retries that are due, as long as this worker has the lease. Events go in their
 * order, one call after the other, or several at once where the merchant marks the address as unordered. A call that
 * fails is repeated on a schedule of its own and delays no other.
 * @returns how many calls were made
 */
export async function serveEndpoint(deps: ServeDeps, tenant: Tenant, turn: Turn): Promise<number> {
  const { merchantId, mode } = tenant;
  const leaseId = newId();
  const now = deps.clock.now();
  const until = new Date(now.getTime() + LEASE_MS);
  const [endpoint] = await deps.database.query(leaseEndpoint, [merchantId, mode, leaseId, now, until]);
  if (endpoint === undefined) return 0;
  const serving: Serving = {
    deps,
    tenant,
    turn,
    leaseId,
    endpoint,
    connections: connect(turn, endpoint),
    failures: endpoint.failures_in_a_row,
    piece: FIRST_PIECE,
  };
  let made = 0;
  // Events and retries take turns to go first, so that neither a flood of events nor many retries delay the others.
  let retriesFirst = serving.failures % 2 === 1;
  try {
    for (;;) {
      const { calls, goesOn } = await servePiece(serving, retriesFirst);
      made += calls;
      serving.piece = Math.min(Math.max(FIRST_PIECE, 2 * calls), MAX_PIECE);
      retriesFirst = !retriesFirst;
      if (!goesOn || turn.isOver()) break;
    }
  } finally {
    serving.connections.close();
  }
  await deps.database.query(updateEndpointReleased, [merchantId, mode, leaseId]);
  return made;
}

function connect(turn: Turn, { url, mode, ordered }: EndpointRow): Connections {
  const connections = openConnections(url, { ...turn.connection, mode, ordered });
  turn.onConnect(connections);
  return connections;
}

/** Makes calls for about a second, then records them. */
async function servePiece(serving: Serving, retriesFirst: boolean): Promise<{ calls: number; goesOn: boolean }> {
  const { deps, tenant, turn } = serving;
  const keys = (await readSecrets(deps, tenant)).map(({ secret }) => signingKey(secret));
  // One call finds out whether an endpoint that was down is back; no more is read for it.
  const limit = serving.failures >= FAILURES_TO_PAUSE ? 1 : serving.piece;
  const order = retriesFirst ? [dueRetries, newEvents] : [newEvents, dueRetries];
  const begun = performance.now();
  const calls: MadeCall[] = [];
  let gone = false;
  let goesOn = true;
  for (const next of order) {
    const left = limit - calls.length;
    if (left === 0 || !goesOn) break;
    const made = await overConnections(
      serving.connections,
      await next(serving, left),
      async (connection, due: DueCall) => {
        const call = await send(serving, connection, keys, due);
        gone ||= call?.result.statusCode === GONE;
        const isDown = serving.failures >= FAILURES_TO_PAUSE && call?.result.error !== null;
        const isTime = performance.now() - begun >= RECORD_EVERY_MS;
        return { result: call, goesOn: call !== undefined && !gone && !isDown && !isTime && !turn.isOver() };
      },
    );
    calls.push(...made.results);
    goesOn = made.goesOn;
  }
  return { calls: calls.length, goesOn: await record(serving, calls, gone) };
}

/**
 * Records calls.
 * @returns whether there may be more to do now
 */
async function record(serving: Serving, calls: readonly MadeCall[], gone: boolean): Promise<boolean> {
  const { deps, tenant, leaseId, endpoint, failures } = serving;
  const overdue = endpoint.retry_at !== null && endpoint.retry_at <= deps.clock.now();
  if (calls.length === 0 && !overdue) return false;
  const now = await recordCalls(deps, tenant, { leaseId, endpointId: endpoint.id, calls, failures });
  if (now === undefined) {
    deps.logger.warn({ ...tenant, calls: calls.length }, 'another worker took a webhook endpoint over');
    return false;
  }
  if (gone) {
    await disableEndpoint(deps, tenant, endpoint);
    return false;
  }
  serving.endpoint = now;
  serving.failures = now.failures_in_a_row;
  if (now.url === '' || now.status === 'DISABLED') return false;
  if (now.id !== endpoint.id || now.ordered !== endpoint.ordered) {
    serving.connections.close();
    serving.connections = connect(serving.turn, now);
  }
  return calls.length > 0 && now.paused_until === null;
}

/** One event to send, for the first time or again. */
interface DueCall {
  event: DeliveredEvent;
  delivery?: DueDelivery;
}

async function newEvents({ deps, tenant, endpoint }: Serving, limit: number): Promise<DueCall[]> {
  const { events } = await listEvents(deps.database, tenant, { after: endpoint.cursor_sequence, limit });
  return events.map((event) => ({ event }));
}

async function dueRetries({ deps, tenant, endpoint }: Serving, limit: number): Promise<DueCall[]> {
  const now = deps.clock.now();
  if (endpoint.retry_at === null || endpoint.retry_at > now) return [];
  const unrecorded = deps.jobs.failuresOf(UNRECORDED).backingOffKeysOf(tenant);
  const values = [tenant.merchantId, tenant.mode, now, Math.min(limit, MAX_RETRIES), unrecorded];
  const rows = await deps.database.query(listDueDeliveries, values);
  const sequences = new Map(rows.map((row) => [row.sequence, row]));
  const due = [...sequences.values()].slice(0, limit);
  const events = await findEvents(
    deps.database,
    tenant,
    due.map(({ sequence }) => sequence),
  );
  const bySequence = new Map(events.map((event) => [event.sequence, event]));
  return due.flatMap((delivery) => {
    const event = bySequence.get(delivery.sequence);
    return event === undefined ? [] : [{ event, delivery }];
  });
}

/** Makes one call. Undefined when the connection was closed during the call, which then counts as not made. */
async function send(
  serving: Serving,
  connection: Connection,
  keys: readonly SigningKey[],
  { event, delivery }: DueCall,
): Promise<MadeCall | undefined> {
  const { clock } = serving.deps;
  const startedAt = clock.now();
  const payload = payloadOf(event, serving.tenant.mode);
  const headers = signedHeaders(keys, { id: event.id, type: event.type, payload }, clock);
  const result = await connection.post(payload, headers);
  if (result === undefined) return undefined;
  serving.failures = result.error === null ? 0 : serving.failures + 1;
  const isDue = delivery?.next_attempt_at != null && delivery.next_attempt_at <= startedAt;
  const kind = delivery === undefined || isDue ? 'SCHEDULED' : 'REPLAY';
  const before =
    delivery === undefined
      ? UNDELIVERED
      : {
          status: delivery.status,
          attempts: delivery.attempts,
          nextAttemptAt: delivery.next_attempt_at,
          deliveredAt: delivery.delivered_at,
        };
  return { event, delivery, kind, startedAt, result, after: afterCall(before, kind, result, clock.now()) };
}
