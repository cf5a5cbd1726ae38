import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';

/**
 * Adds routes to a scope, with its guard, its hooks and its parsers. Routes with hooks or parsers of their own are
 * registered instead (`app.register`), which makes a scope: each costs every start a millisecond.
 */
export async function addRoutes(app: FastifyInstance, ...all: readonly FastifyPluginAsyncTypebox[]): Promise<void> {
  for (const routes of all) await routes(app, {});
}
