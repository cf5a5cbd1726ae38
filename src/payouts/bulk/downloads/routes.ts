import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Failure } from '../../../platform/http/schemas.ts';
import type { PayoutDeps } from '../../deps.ts';
import { requireBatch } from '../read-batches.ts';
import { BatchParams } from '../schemas.ts';
import { streamRejectedCsv, streamResultCsv } from './stream-downloads.ts';

const tags = ['Bulk payouts'];
const access = { scope: 'payout:read', service: 'PAYOUT' } as const;
const response = {
  200: { description: 'CSV in UTF-8.', content: { 'text/csv': { schema: Type.String() } } },
  '4xx': Failure,
  '5xx': Failure,
};

/** The files that a clerk takes back to the spreadsheet. */
export function downloadRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/rejected.csv',
      {
        config: { access },
        schema: {
          tags,
          summary: 'The items that cannot be paid, as CSV to mend and upload again',
          params: BatchParams,
          response,
        },
      },
      async (request, reply) => {
        const batch = await requireBatch(deps.database, request.principal.tenant, request.params.batchReference);
        return sendCsv(reply, `${request.params.batchReference}-rejected.csv`, streamRejectedCsv(deps.database, batch));
      },
    );
    app.get(
      '/payout/bulk/:batchReference/result.csv',
      {
        config: { access },
        schema: { tags, summary: 'Every item and what became of it, as CSV', params: BatchParams, response },
      },
      async (request, reply) => {
        const batch = await requireBatch(deps.database, request.principal.tenant, request.params.batchReference);
        return sendCsv(reply, `${request.params.batchReference}-result.csv`, streamResultCsv(deps.database, batch));
      },
    );
  };
}

/** The name is a reference that led to a batch, so it is letters and digits. */
function sendCsv(reply: FastifyReply, name: string, lines: AsyncGenerator<string>): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(lines));
}
