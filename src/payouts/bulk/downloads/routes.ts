import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { csvAnswers, sendExport } from '../../../platform/http/send-export.ts';
import type { PayoutDeps } from '../../deps.ts';
import { BatchParams } from '../schemas.ts';
import { readRejectedCsv, readResultCsv } from './read-downloads.ts';

const tags = ['Bulk payouts'];
const access = { scope: 'payout:read', service: 'PAYOUT' } as const;
/** The files that a clerk takes back to the spreadsheet. */
export function downloadRoutes(deps: PayoutDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/rejected.csv',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND', 'EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadRejectedItems',
          summary: 'The items that cannot be paid, as CSV to correct and upload again',
          description: 'With a column that says what is wrong with each. Correct the file and upload it again.',
          params: BatchParams,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { batchReference } = request.params;
        const file = await readRejectedCsv(deps.database, request.principal.tenant, batchReference);
        // The reference led to a batch, so it is letters and digits.
        return sendExport(reply, `${batchReference}-rejected.csv`, file);
      },
    );
    app.get(
      '/payout/bulk/:batchReference/result.csv',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND', 'EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadBulkPayoutResult',
          summary: 'Every item and what became of it, as CSV',
          description: 'One row for each item, also while the payout is under way.',
          params: BatchParams,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { batchReference } = request.params;
        const file = await readResultCsv(deps.database, request.principal.tenant, batchReference);
        return sendExport(reply, `${batchReference}-result.csv`, file);
      },
    );
  };
}
