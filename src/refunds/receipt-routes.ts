import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Database } from '../platform/db/database.ts';
import { documentAnswersOf, sendDocument } from '../platform/http/documents.ts';
import { fileNameOf, type ReceiptDrawer } from '../receipts/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import { readRefundReceipt } from './refund-receipt.ts';
import { RefundParams } from './schemas.ts';

interface RefundReceiptDeps {
  database: Database;
  wallets: WalletDirectory;
  drawReceipt: ReceiptDrawer;
}

/** The receipt of a refund. */
export function refundReceiptRoutes(deps: RefundReceiptDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/refund/:refundId/receipt',
      {
        config: {
          access: { scope: 'collection:read' },
          errorCodes: ['REFUND_NOT_FOUND', 'RECEIPT_NOT_PAID', 'RECEIPTS_BUSY'],
        },
        schema: {
          tags: ['Refunds'],
          operationId: 'downloadRefundReceipt',
          summary: 'The receipt of a refund, as PDF',
          description: 'Of a refund that was made, for its payer. The same refund is the same file.',
          params: RefundParams,
          response: documentAnswersOf('The receipt, to save.', ['application/pdf']),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const receipt = await readRefundReceipt(deps, tenant, request.params.refundId);
        const content = await deps.drawReceipt(tenant.merchantId, receipt);
        const fileName = fileNameOf(receipt).replace('receipt-', 'refund-');
        return sendDocument(reply, { fileName, contentType: 'application/pdf', content });
      },
    );
  };
}
