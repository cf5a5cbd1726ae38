import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { OperatorDeps } from './deps.ts';
import { FiguresSchema } from './figure-schemas.ts';
import { figuresView } from './figure-views.ts';
import { readFigures } from './read-figures.ts';

/** How the service, its rails and its queues stand, of one moment. */
export function figureRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/overview/figures',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: ['Operator: overview'],
          operationId: 'getOperatorFigures',
          summary: 'Rails, the oldest unknown outcome, floats, queues, receivables and reviews at one moment',
          response: answers(Success(FiguresSchema)),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', figuresView(await readFigures(deps)))),
    );
  };
}
