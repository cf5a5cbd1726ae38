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
import { createSigner, type DeliveredEvent, readSecrets, type SecretDeps, type Signer, signingKey } from './signing.ts';

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

/**
 * Calls of one piece at most. While one is recorded the next is under way, so a killed worker may send two of them twice: a
 * few hundred kilobytes each.
 */
const MAX_PIECE = 500;
/** At first, and where a receiver is slow: what is read and not called within a second is read again. */
const FIRST_PIECE = 64;
/** Where so much of a piece is sent, the next one is read. */
const READ_AHEAD_AT = 0.75;
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
  /** As it was when calls were recorded last. */
  endpoint: EndpointRow;
  connections: Connections;
  /** What the connections were opened for. */
  connectedTo: Pick<EndpointRow, 'id' | 'url' | 'ordered'>;
  failures: number;
  /** Calls that the next piece may have: twice as many as the last one had, so that reading costs what the calls do. */
  piece: number;
  /** The last event that was sent: ahead of the endpoint's cursor by the calls that are being recorded. */
  sentTo: bigint;
  /** The events behind it, read while calls were under way. */
  ahead: { after: bigint; events: Promise<readonly DeliveredEvent[]> } | undefined;
  /** What was recorded says that the calls under way are the last ones, at least to this address. */
  isEnding: boolean;
}

/**
 * Sends one endpoint its events and the retries that are due, as long as this worker has the lease. Events go in their
 * order, one call after the other, or several at once where the merchant marks the address as unordered. A call that
 * fails is repeated on a schedule of its own and delays no other. While the receiver takes everything, the next calls are
 * made while the last ones are recorded.
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
    ...{ deps, tenant, turn, leaseId, endpoint, connectedTo: endpoint },
    connections: connect(turn, endpoint),
    failures: endpoint.failures_in_a_row,
    piece: FIRST_PIECE,
    sentTo: endpoint.cursor_sequence,
    ahead: undefined,
    isEnding: false,
  };
  const release = () => deps.database.query(updateEndpointReleased, [merchantId, mode, leaseId]);
  let made: number;
  try {
    made = await servePieces(serving);
  } catch (error) {
    // This worker lives, so nobody has to wait until its lease runs out. Where that fails too, it does.
    await release().catch(() => undefined);
    throw error;
  } finally {
    serving.connections.close();
  }
  await release();
  return made;
}

function connect(turn: Turn, { url, mode, ordered }: EndpointRow): Connections {
  const connections = openConnections(url, { ...turn.connection, mode, ordered });
  turn.onConnect(connections);
  return connections;
}

/** @returns how many calls were made; all of them are recorded, unless another worker took the endpoint over */
async function servePieces(serving: Serving): Promise<number> {
  let made = 0;
  // Events and retries take turns to go first, so that neither a flood of events nor many retries delay the others.
  let retriesFirst = serving.failures % 2 === 1;
  let recording: Promise<Recorded> = Promise.resolve('MORE');
  try {
    for (;;) {
      const piece = await callPiece(serving, retriesFirst);
      made += piece.calls.length;
      serving.piece = Math.min(Math.max(FIRST_PIECE, 2 * piece.calls.length), MAX_PIECE);
      retriesFirst = !retriesFirst;
      const before = await recording;
      if (before === 'LOST') return made;
      recording = record(serving, piece);
      recording.catch(() => {
        serving.isEnding = true;
      });
      const runsAhead = piece.isSmooth && before === 'MORE' && !serving.isEnding && !serving.turn.isOver();
      if (!runsAhead && ((await recording) !== 'MORE' || serving.turn.isOver())) return made;
    }
  } finally {
    // Whatever ended this, nothing is left under way.
    await recording.catch(() => undefined);
  }
}

interface Piece {
  calls: readonly MadeCall[];
  gone: boolean;
  /** How many calls in a row failed, up to the last of these. */
  failures: number;
  /** All calls were first ones and taken, and nothing says to stop: the next calls need not wait for the record of these. */
  isSmooth: boolean;
}

/** Makes calls for about a second. */
async function callPiece(serving: Serving, retriesFirst: boolean): Promise<Piece> {
  const { deps, tenant, turn } = serving;
  serving.isEnding = false;
  reconnect(serving);
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
    const due = await next(serving, left);
    const events = due.map(({ event }) => event);
    const signer = createSigner({ mode: tenant.mode, clock: deps.clock }, keys, events);
    // With fewer than were asked for there are none behind them, and a slow receiver does not get so far.
    const readAheadAt = next === newEvents && due.length === left ? Math.floor(due.length * READ_AHEAD_AT) : -1;
    const made = await overConnections(serving.connections, due, async (connection, one) => {
      if (one === due[readAheadAt]) readAhead(serving, { length: due.length, last: due.at(-1) });
      const call = await send(serving, connection, signer, one);
      gone ||= call?.result.statusCode === GONE;
      const isDown = serving.failures >= FAILURES_TO_PAUSE && call?.result.error !== null;
      const isLast = isDown || gone || serving.isEnding || turn.isOver();
      const isTime = performance.now() - begun >= RECORD_EVERY_MS;
      return { result: call, goesOn: call !== undefined && !isLast && !isTime };
    });
    calls.push(...made.results);
    goesOn = made.goesOn;
  }
  const sent = calls.findLast(({ delivery }) => delivery === undefined);
  if (sent !== undefined) serving.sentTo = sent.event.sequence;
  const isSmooth = calls.length > 0 && calls.every(({ delivery, result }) => !delivery && result.error === null);
  return { calls, gone, failures: serving.failures, isSmooth: isSmooth && !serving.isEnding };
}

/** Where the merchant set another address, or how it is called. */
function reconnect(serving: Serving): void {
  const { endpoint, connectedTo, turn } = serving;
  if (endpoint.id === connectedTo.id && endpoint.ordered === connectedTo.ordered) return;
  serving.connections.close();
  serving.connections = connect(turn, endpoint);
  serving.connectedTo = endpoint;
}

/** Whether there may be more to do now; `LOST` where another worker took the endpoint over, and nothing was written. */
type Recorded = 'MORE' | 'OVER' | 'LOST';

/** Records calls, and renews the lease. */
async function record(serving: Serving, { calls, gone, failures, isSmooth }: Piece): Promise<Recorded> {
  const { deps, tenant, leaseId, endpoint, connectedTo } = serving;
  const overdue = endpoint.retry_at !== null && endpoint.retry_at <= deps.clock.now();
  if (calls.length === 0 && !overdue) return 'OVER';
  const now = await recordCalls(deps, tenant, { leaseId, endpointId: connectedTo.id, calls, failures });
  if (now === undefined) {
    deps.logger.warn({ ...tenant, calls: calls.length }, 'another worker took a webhook endpoint over');
    serving.isEnding = true;
    return 'LOST';
  }
  if (gone) {
    // What was called, not what is to be called now: the merchant may have set another address during the call.
    await disableEndpoint(deps, tenant, connectedTo);
    return 'OVER';
  }
  serving.endpoint = now;
  if (now.cursor_sequence > serving.sentTo) serving.sentTo = now.cursor_sequence;
  // Behind calls that were all taken there is nothing to count, and those under way have their own count.
  if (!isSmooth) serving.failures = now.failures_in_a_row;
  const isClosed = now.url === '' || now.status === 'DISABLED';
  serving.isEnding ||= isClosed || now.id !== connectedTo.id || now.ordered !== connectedTo.ordered;
  return isClosed || calls.length === 0 || now.paused_until !== null ? 'OVER' : 'MORE';
}

/** One event to send, for the first time or again. */
interface DueCall {
  event: DeliveredEvent;
  delivery?: DueDelivery;
}

async function newEvents(serving: Serving, limit: number): Promise<DueCall[]> {
  const { sentTo, ahead } = serving;
  serving.ahead = undefined;
  const read = ahead?.after === sentTo ? (await ahead.events).slice(0, limit) : [];
  const events = read.length > 0 ? read : await readEvents(serving, sentTo, limit);
  return events.map((event) => ({ event }));
}

/** Reads the next events while these are sent. Where it fails they are read when they are needed, and that says why. */
function readAhead(serving: Serving, { length, last }: { length: number; last: DueCall | undefined }): void {
  if (last === undefined) return;
  const { sequence } = last.event;
  const events = readEvents(serving, sequence, Math.min(2 * length, MAX_PIECE)).catch(() => []);
  serving.ahead = { after: sequence, events };
}

async function readEvents({ deps, tenant }: Serving, after: bigint, limit: number): Promise<readonly DeliveredEvent[]> {
  const { events } = await listEvents(deps.database, tenant, { after, limit });
  return events;
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
  signer: Signer,
  due: DueCall,
): Promise<MadeCall | undefined> {
  const { clock } = serving.deps;
  const { event, delivery } = due;
  const startedAt = clock.now();
  const { payload, headers } = signer.sign(event);
  const answered = connection.post(payload, headers);
  signer.signAhead();
  const result = await answered;
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
