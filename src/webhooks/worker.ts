import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveBooksOptions } from '../ledger/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import type { Glance } from '../platform/jobs/glance.ts';
import { createTenantTurns } from '../platform/jobs/take-turns.ts';
import { createLookLoop } from '../platform/jobs/worker.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import type { Connections } from './connection.ts';
import type { ConnectOptions } from './guarded-connect.ts';
import { updateDeliveriesAdvanced, updateEndpointsAdvanced, WEBHOOK_ENDPOINTS } from './queries.ts';
import { type ServeDeps, serveEndpoint } from './serve-endpoint.ts';
import { createWaitingEndpoints, type WaitingEndpoint } from './waiting-endpoints.ts';

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

export interface WebhookWorkerOptions extends ConnectOptions {
  pollMs?: number;
  /** How many books it looks at; for tests. */
  activeBooks?: ActiveBooksOptions;
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

/**
 * Sends events to the addresses of merchants. A lease in the row of an endpoint says which worker may, so any number of
 * workers in any number of processes can run.
 */
export function createWebhookWorker(deps: ServeDeps, options: WebhookWorkerOptions): WebhookWorker {
  const { pollMs = POLL_MS, glance, activeBooks, ...connection } = options;
  const lookFailures = deps.jobs.failuresOf('webhooks.look');
  const connections = new Map<string, Connections>();
  const waiting = createWaitingEndpoints(deps, activeBooks);
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
    await attempt('merchants made with an address', waiting.makeMissing);
    if ((await askedFirst?.hasWork([WEBHOOK_ENDPOINTS])) === false) return;
    const endpoints = await waiting.list();
    if (!stopping) turns.offer(endpoints);
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
    wake() {
      waiting.askAboutAll();
      loop.wake();
    },
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
        waiting.askAboutAll();
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
