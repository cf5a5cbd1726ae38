import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { resolveLine } from '../../reconciliation/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { DONE, Done } from '../schemas.ts';
import { resolveSome } from './resolve-some.ts';
import {
  ResolvedLinesSchema,
  ResolveLineBody,
  ResolveLinesBody,
  SettlementLineParams,
  SettlementParams,
} from './schemas.ts';

const TAGS = ['Operator: settlements'];

/** What people make of the lines that differ. Both may move money: a fresh password is asked. */
export function resolutionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/settlement/:importId/line/:lineId/resolve',
      {
        config: { access: { operator: true, fresh: true } },
        schema: {
          tags: TAGS,
          operationId: 'resolveSettlementLine',
          summary: 'Apply what the rail says of one line, or accept a difference with a note',
          params: SettlementLineParams,
          body: ResolveLineBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { how, note } = request.body;
        const { personId } = request.operator;
        await resolveLine(deps, { ...request.params, how, note: note ?? null, personId });
        return sendAnswer(reply, success('The line is resolved', DONE));
      },
    );
    app.post(
      '/operator/settlement/:importId/resolve',
      {
        config: { access: { operator: true, fresh: true } },
        schema: {
          tags: TAGS,
          operationId: 'resolveSettlementImport',
          summary: 'Resolve all open lines with one result, at most 500 at a time',
          params: SettlementParams,
          body: ResolveLinesBody,
          response: answers(Success(ResolvedLinesSchema)),
        },
      },
      async (request, reply) => {
        const { result, how, note } = request.body;
        const { importId } = request.params;
        const { personId } = request.operator;
        const resolved = await resolveSome(deps, result, { importId, how, note: note ?? null, personId });
        return sendAnswer(reply, success(`${resolved.resolved} lines are resolved`, resolved));
      },
    );
  };
}
