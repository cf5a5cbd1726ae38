import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

export interface HealthDeps {
  metrics: Metrics;
  /** Migrated and reachable? */
  isReady(): Promise<boolean>;
}

/** Open to the operator's own network: alive, ready, and what Prometheus reads. */
export function healthRoutes(app: FastifyInstance, { metrics, isReady }: HealthDeps): void {
  const undocumented = { schema: { hide: true } };
  app.get('/healthz', undocumented, () => ({ status: true, message: 'Alive' }));
  app.get('/readyz', undocumented, async (_request, reply) => {
    const ready = await isReady().catch(() => false);
    if (ready) return { status: true, message: 'Ready' };
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ status: false, message: 'The database is not reachable or not migrated.', code: 'NOT_READY' });
  });
  app.get('/metrics', undocumented, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}
