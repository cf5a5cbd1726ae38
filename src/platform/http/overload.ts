import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** The resolution at which the delay of the event loop is measured, and how often it is checked, in milliseconds. */
const RESOLUTION_MS = 10;
const LOOK_EVERY_MS = 1_000;

const overloaded = () =>
  new AppError('unavailable', 'OVERLOADED', 'The service is busy. Please try again shortly.', { retryAfterSeconds: 2 });

/**
 * Refuses requests while the event loop was late by more than `maxDelayMs` on average in the last second. It asks the
 * system for nothing, not even for the memory in use: where clients hold all file descriptors, that throws where nobody
 * catches it.
 */
export function refuseWhenLate(app: FastifyInstance, maxDelayMs: number): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let isLate = false;
  const timer = setInterval(() => {
    // A process that was held up for all of that time has no measurement.
    isLate = delays.mean / 1e6 - RESOLUTION_MS > maxDelayMs;
    delays.reset();
  }, LOOK_EVERY_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  app.addHook('onRequest', (_request, _reply, done) => done(isLate ? overloaded() : undefined));
}
