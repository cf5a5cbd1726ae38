import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../platform/errors.ts';

/**
 * So many requests a second for each key, in this process; 0 is no limit. It protects the service from a runaway
 * client; what protects money is in the database.
 */
export async function limitRate(app: FastifyInstance, perSecond: number): Promise<void> {
  if (perSecond === 0) return;
  await app.register(rateLimit, {
    max: perSecond,
    timeWindow: 1000,
    hook: 'preValidation',
    enableDraftSpec: true,
    keyGenerator: (request) => request.principal?.keyId ?? request.ip,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', 'RATE_LIMITED', `At most ${perSecond} requests a second are taken from one key.`, {
        retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)),
      }),
  });
}
