import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { failureBody, type Refusal } from '../answer.ts';
import { cacheOne } from '../cache.ts';
import type { Clock } from '../clock.ts';
import { type Readiness, RIGHT_MISSING_WORDS } from '../db/readiness.ts';
import type { Metrics } from '../metrics.ts';

interface HealthDeps {
  metrics: Metrics;
  clock: Clock;
  /** Reachable, migrated, and writable for us? */
  readiness(): Promise<Readiness>;
  /** It serves, and will stop soon: a load balancer sends it no more requests. */
  isStopping(): boolean;
}

const WHY_NOT: Readonly<Record<Exclude<Readiness, 'READY'> | 'STOPPING', string>> = {
  AWAY: 'The database cannot be reached, or takes no writes.',
  NOT_MIGRATED: 'The database has not the tables of this version: run npm run migrate.',
  RIGHT_MISSING: RIGHT_MISSING_WORDS,
  STOPPING: 'The process is about to stop.',
};

const notReady = (why: keyof typeof WHY_NOT): Refusal => ({
  code: 'NOT_READY',
  message: WHY_NOT[why],
  errors: undefined,
});

/** These routes have no authentication, so they compute nothing for each request: once in so long. */
const MAX_AGE_MS = 1_000;

/** Open to the operator's own network: alive, ready, and the metrics for Prometheus. */
export function healthRoutes(app: FastifyInstance, { metrics, clock, readiness, isStopping }: HealthDeps): void {
  const readMetrics = cacheOne(clock, MAX_AGE_MS, metrics.read);
  const readReadiness = cacheOne(clock, MAX_AGE_MS, readiness);
  const undocumented = { schema: { hide: true } };
  // The monitoring calls the process by any address, and learns only that it is there.
  const byAnyName = { ...undocumented, config: { anyHost: true } as const };
  app.get('/healthz', byAnyName, () => ({ status: true, message: 'Alive' }));
  app.get('/readyz', byAnyName, async (request, reply) => {
    const found = isStopping() ? 'STOPPING' : await readReadiness().catch(() => 'AWAY' as const);
    if (found === 'READY') return { status: true, message: 'Ready' };
    return reply
      .code(503)
      .headers({ 'retry-after': '2', 'content-type': 'application/json; charset=utf-8' })
      .send(failureBody(notReady(found), request.id));
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
