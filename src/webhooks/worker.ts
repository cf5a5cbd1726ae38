import { setTimeout as sleep } from 'node:timers/promises';
import { type ActiveBooks, askedBooks, followActiveBooks, readEventSequences } from '../ledger/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { Glance } from '../platform/jobs/glance.ts';
import { createTenantTurns } from '../platform/jobs/take-turns.ts';
import { createLookLoop } from '../platform/jobs/worker.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import type { Connections } from './connection.ts';
import type { ConnectOptions } from './guarded-connect.ts';
import {
  insertMissingEndpoints,
  listEndpointsOf,
  listEndpointsToRetry,
  updateDeliveriesAdvanced,
  updateEndpointsAdvanced,
  WEBHOOK_ENDPOINTS,
} from './queries.ts';
import { type ServeDeps, serveEndpoint } from './serve-endpoint.ts';

interface WaitingEndpoint {
  tenant: Tenant;
  /** How many calls in a row failed. */
  failures: number;
}

/** Endpoints of a mode with events to send, among those of the merchants that became active. */
async function listBehind(deps: ServeDeps, mode: Mode, books: ActiveBooks) {
  const asked = [...(await books.look())];
  if (asked.length === 0) return [];
  const found = await deps.database.query(listEndpointsOf, [...askedBooks(asked, mode), deps.clock.now()]);
  const endpoints = found.filter(({ is_enabled }) => is_enabled);
  const sequences = await readEventSequences(deps.database, endpoints.map(tenantOf));
  const behind = endpoints.filter((row) => (sequences.get(tenantKey(tenantOf(row))) ?? 0n) > row.cursor_sequence);
  books.answered(asked, behind);
  return behind;
}

/** Endpoints with events to send now or a delivery to repeat, which no worker holds. */
async function listWaiting(deps: ServeDeps, active: Readonly<Record<Mode, ActiveBooks>>): Promise<WaitingEndpoint[]> {
  const found = [
    ...(await listBehind(deps, 'LIVE', active.LIVE)),
    ...(await listBehind(deps, 'SANDBOX', active.SANDBOX)),
    ...(await deps.database.query(listEndpointsToRetry, [deps.clock.now()])),
  ];
  const free = found.filter(({ is_enabled, is_free }) => is_enabled && is_free);
  const byTenant = new Map(free.map((row) => [tenantKey(tenantOf(row)), row]));
  return [...byTenant.values()].map((row) => ({ tenant: tenantOf(row), failures: row.failures_in_a_row }));
}

/** The time between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 500;
/** The time between being woken and looking: events of the same moment are sent together. */
const WAKE_MS = 20;
/**
 * So many endpoints are served at once by this process. Each has one connection, or eight, that mostly waits. A
 * receiver that hangs keeps its place.
 */
const MAX_SERVED = { LIVE: 128, SANDBOX: 64 };
/** How long an endpoint is served while others wait for their turn. */
const TURN_MS = 2_000;
/**
 * A stopping worker lets a call end, but does not wait longer for a receiver that hangs. A call that was cut short is
 * made again with its id.
 */
const STOP_GRACE_MS = 2_000;
/** How often to look for merchants that were made with an address. */
const MISSING_EVERY_MS = 60_000;
/** A merchant is committed this long after its id was made, at most, by whatever clock. */
const MADE_WITHIN_MS = 60 * 60_000;

export interface WebhookWorkerOptions extends ConnectOptions {
  pollMs?: number;
  /** Tells whether any address has to be called at all. Without it the database is asked. */
  glance?: Glance;
  /** Limit for one call, from the look-up of the name to the end of the answer. */
  timeoutMs?: number;
}

export interface WebhookWorker {
  /** Sends events until stopped. */
  start(): void;
  /** Takes up nothing more and releases the endpoints that it holds. */
  stop(): Promise<void>;
  /** Looks now, if it was started. Code that has just committed events calls it. */
  wake(): void;
  /** Sends everything that is due and returns how many calls it made. For tests and one-off runs. */
  runOnce(): Promise<number>;
}

/** Makes endpoints of merchants who were made with an address: of all at first, and then from time to time of new ones. */
function missingEndpointsMaker({ database, clock }: ServeDeps): () => Promise<void> {
  let soughtAt = Number.NEGATIVE_INFINITY;
  let after = firstIdOf(new Date(0));
  return async () => {
    if (performance.now() - soughtAt < MISSING_EVERY_MS) return;
    soughtAt = performance.now();
    const now = clock.now();
    await database.query(insertMissingEndpoints, [now, after]);
    after = firstIdOf(new Date(now.getTime() - MADE_WITHIN_MS));
  };
}

/**
 * Sends events to the addresses of merchants. A lease in the row of an endpoint says which worker may, so any number of
 * workers in any number of processes can run.
 */
export function createWebhookWorker(deps: ServeDeps, options: WebhookWorkerOptions): WebhookWorker {
  const { pollMs = POLL_MS, glance, ...connection } = options;
  const lookFailures = deps.jobs.failuresOf('webhooks.look');
  const connections = new Map<string, Connections>();
  const active = { LIVE: followActiveBooks(deps, 'LIVE'), SANDBOX: followActiveBooks(deps, 'SANDBOX') };
  const makeMissing = missingEndpointsMaker(deps);
  let stopping = false;
  let begun = 0;
  let calls = 0;

  const turns = createTenantTurns<WaitingEndpoint>({
    failures: deps.jobs.failuresOf('webhooks'),
    slots: MAX_SERVED,
    // A receiver that did not answer the last time may hang again, so it takes no place that a working one needs.
    retrySlots: MAX_SERVED,
    hasFailed: ({ failures }) => failures > 0,
    tenantOf: ({ tenant }) => tenant,
    keyOf: ({ tenant }) => tenantKey(tenant),
    take: ({ tenant }, { othersWait }) => serve(tenant, othersWait),
    // The lease runs out by itself: nothing is lost, it only takes longer.
    aboutOf: ({ tenant }) => ({ message: 'a webhook endpoint could not be served', ...tenant }),
  });

  const loop = createLookLoop(
    async (isWoken) => {
      await attempt('endpoints', () => look(isWoken ? undefined : glance));
    },
    pollMs,
    WAKE_MS,
  );

  /** Never rejects: work that fails is tried again at the next look. */
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    if (lookFailures.isBackingOff(what)) return;
    try {
      await work();
      lookFailures.succeeded(what);
    } catch (error) {
      lookFailures.failed(what, error, { message: 'the webhook worker could not look for work', what });
    }
  }

  async function look(askedFirst?: Glance): Promise<void> {
    await attempt('merchants made with an address', makeMissing);
    if ((await askedFirst?.hasWork([WEBHOOK_ENDPOINTS])) === false) return;
    const waiting = await listWaiting(deps, active);
    if (!stopping) turns.offer(waiting);
  }

  async function serve(tenant: Tenant, othersWait: () => boolean): Promise<void> {
    const key = tenantKey(tenant);
    const began = performance.now();
    begun += 1;
    const turn = {
      connection,
      isOver: () => stopping || (othersWait() && performance.now() - began >= TURN_MS),
      onConnect: (opened: Connections) => void connections.set(key, opened),
    };
    try {
      // The sum is not made in one step, because other turns add to it meanwhile.
      const made = await serveEndpoint(deps, tenant, turn);
      calls += made;
    } finally {
      connections.delete(key);
      if (othersWait()) loop.wake();
    }
  }

  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      stopping = true;
      turns.close();
      await loop.stop();
      const served = turns.settle();
      await Promise.race([served, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
      for (const open of connections.values()) open.close();
      await served;
    },
    async runOnce() {
      const before = calls;
      for (;;) {
        const already = begun;
        await look();
        await turns.settle();
        if (begun === already) return calls - before;
      }
    },
  };
}

/** Makes retries of a sandbox due this much earlier, in the movement that advances its clock. */
export function webhookAdvanceWrites(tenant: Tenant, seconds: number): Write[] {
  const row = { merchant_id: tenant.merchantId, mode: tenant.mode, seconds };
  return [write(updateEndpointsAdvanced, row), write(updateDeliveriesAdvanced, row)];
}
