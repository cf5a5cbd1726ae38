import { setTimeout as sleep } from 'node:timers/promises';
import { createLookLoop } from '../../platform/jobs/look-loop.ts';
import { type Tenant, tenantKey } from '../../platform/tenant.ts';
import { insertMissingEndpoints } from '../queries.ts';
import type { Connection } from '../sending/connection.ts';
import type { ConnectOptions } from '../sending/guarded-connect.ts';
import { listWaiting } from './list-waiting.ts';
import { type ServeDeps, serveEndpoint } from './serve-endpoint.ts';

/** Between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 500;
/** Endpoints told at once by this process. Each is one connection that mostly waits; a receiver that hangs holds one. */
const MAX_SERVED = 128;
/** How long an endpoint is served while others wait for their turn. */
const TURN_MS = 2_000;
/** A stopping worker lets a call end, but not a receiver that hangs. What was cut short is sent again, with its id. */
const STOP_GRACE_MS = 2_000;
/** How often it is looked for merchants that were made with an address. */
const MISSING_EVERY_MS = 60_000;

export interface WebhookWorkerOptions extends ConnectOptions {
  pollMs?: number;
  /** For one call, from the look-up of the name to the end of the answer. */
  timeoutMs?: number;
}

export interface WebhookWorker {
  /** Tells events until stopped. */
  start(): void;
  /** Takes nothing more, and lets go of what it has. */
  stop(): Promise<void>;
  /** Looks now, if it was started: for whoever just committed events. */
  wake(): void;
  /** Tells all that is due and returns how many calls it made. For tests and for one-off runs. */
  runOnce(): Promise<number>;
}

/**
 * Tells events to the merchants' addresses. A lease in the endpoint's row says who may, so any number of workers in any
 * number of processes may run.
 */
export function createWebhookWorker(deps: ServeDeps, options: WebhookWorkerOptions): WebhookWorker {
  const { pollMs = POLL_MS, ...connection } = options;
  const serving = new Map<string, Promise<number>>();
  const connections = new Map<string, Connection>();
  /** When each tenant was served last, while there are more than can be served: the longest waiting goes first. */
  const servedAt = new Map<string, number>();
  let missingSoughtAt = Number.NEGATIVE_INFINITY;
  let othersWait = false;
  let stopping = false;

  const loop = createLookLoop(async () => {
    try {
      await look();
    } catch (error) {
      deps.logger.error({ err: error }, 'the webhook worker could not look for work');
    }
  }, pollMs);

  async function look(): Promise<number> {
    if (performance.now() - missingSoughtAt >= MISSING_EVERY_MS) {
      await deps.database.query(insertMissingEndpoints, [deps.clock.now()]);
      missingSoughtAt = performance.now();
    }
    const waiting = (await listWaiting(deps)).filter((tenant) => !serving.has(tenantKey(tenant)));
    const lastOf = (tenant: Tenant) => servedAt.get(tenantKey(tenant)) ?? 0;
    const next = waiting.toSorted((a, b) => lastOf(a) - lastOf(b)).slice(0, MAX_SERVED - serving.size);
    othersWait = waiting.length > next.length;
    if (!othersWait) servedAt.clear();
    if (stopping) return 0;
    for (const tenant of next) serve(tenant);
    return next.length;
  }

  function serve(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const begun = performance.now();
    servedAt.set(key, begun);
    const turn = {
      connection,
      isOver: () => stopping || (othersWait && performance.now() - begun >= TURN_MS),
      onConnection: (made: Connection) => void connections.set(key, made),
    };
    const work = serveEndpoint(deps, tenant, turn).catch((error: unknown) => {
      // The lease runs out: nothing is lost, it only takes longer.
      deps.logger.error({ err: error, ...tenant }, 'a webhook endpoint could not be served');
      return 0;
    });
    serving.set(key, work);
    void work.then(() => {
      serving.delete(key);
      connections.delete(key);
      if (othersWait) loop.wake();
    });
  }

  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      stopping = true;
      await loop.stop();
      const served = Promise.all(serving.values());
      await Promise.race([served, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
      for (const open of connections.values()) open.close();
      await served;
    },
    async runOnce() {
      let total = 0;
      for (;;) {
        if ((await look()) === 0) return total;
        const made = await Promise.all(serving.values());
        total += made.reduce((sum, calls) => sum + calls, 0);
      }
    },
  };
}
