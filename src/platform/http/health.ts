import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { failureBody, type Refusal } from '../answer.ts';
import { cacheOne } from '../cache.ts';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';

interface HealthDeps {
  metrics: Metrics;
  clock: Clock;
  /** Migrated and reachable? */
  isReady(): Promise<boolean>;
  /** It serves, and will stop soon: a load balancer sends it no more requests. */
  isStopping(): boolean;
}

const NOT_READY: Refusal = {
  code: 'NOT_READY',
  message: 'The database is not reachable or not migrated.',
  errors: undefined,
};

const STOPPING: Refusal = { code: 'NOT_READY', message: 'The process is about to stop.', errors: undefined };

/** These routes have no authentication, so they compute nothing for each request: once in so long. */
const MAX_AGE_MS = 1_000;

/** Open to the operator's own network: alive, ready, and the metrics for Prometheus. */
export function healthRoutes(app: FastifyInstance, { metrics, clock, isReady, isStopping }: HealthDeps): void {
  const readMetrics = cacheOne(clock, MAX_AGE_MS, metrics.read);
  const readReadiness = cacheOne(clock, MAX_AGE_MS, isReady);
  const undocumented = { schema: { hide: true } };
  // The monitoring calls the process by any address, and learns only that it is there.
  const byAnyName = { ...undocumented, config: { anyHost: true } as const };
  app.get('/healthz', byAnyName, () => ({ status: true, message: 'Alive' }));
  app.get('/readyz', byAnyName, async (request, reply) => {
    const stopping = isStopping();
    const ready = !stopping && (await readReadiness().catch(() => false));
    if (ready) return { status: true, message: 'Ready' };
    return reply
      .code(503)
      .headers({ 'retry-after': '2', 'content-type': 'application/json; charset=utf-8' })
      .send(failureBody(stopping ? STOPPING : NOT_READY, request.id));
  });
  app.get('/metrics', undocumented, async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await readMetrics()),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.route.url ?? 'none';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}

/** Announces that a process will stop soon: it is not ready, and every answer ends its connection. */
export function createStopNotice() {
  let isAnnounced = false;
  return {
    isAnnounced: () => isAnnounced,
    announce(servers: readonly Server[]) {
      isAnnounced = true;
      // A connection that is kept for later would be cut under a request that is on its way.
      for (const server of servers)
        server.prependListener('request', (_request, response) => {
          response.shouldKeepAlive = false;
        });
    },
  };
}
