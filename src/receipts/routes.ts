import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { baseUrlOf } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswersOf, sendDocument } from '../platform/http/documents.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readReceipt } from './receipt.ts';
import { fileNameOf, type ReceiptDrawer } from './receipt-drawer.ts';
import { readReceiptLinks, receiptLinkView, revokeReceiptLink, shareReceipt } from './receipt-links.ts';
import {
  DEFAULT_LINK_DAYS,
  NewReceiptLinkSchema,
  ReceiptLinkParams,
  ReceiptLinkSchema,
  ReceiptLinksSchema,
  ReceiptParams,
  ReceiptQuery,
  ShareReceiptBody,
} from './schemas.ts';

/** `publicUrl` as `baseUrlOf` has it. */
interface ReceiptRouteDeps {
  database: Database;
  clock: Clock;
  publicUrl: string | undefined;
  drawReceipt: ReceiptDrawer;
}

const READ_ERRORS = ['TRANSACTION_NOT_FOUND', 'RECEIPT_NOT_PAID', 'RECEIPT_RETURNED', 'RECEIPTS_BUSY'];

/** The receipt of a payout, and the links under which others see it. */
export function receiptRoutes(deps: ReceiptRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/transaction/:transactionId/receipt',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: READ_ERRORS },
        schema: {
          tags: ['Transactions'],
          operationId: 'downloadReceipt',
          summary: 'The receipt of a payout, as PDF',
          description:
            'Of a payout that the bank has confirmed. It shows what the payee got; what it cost only with `charges`. The same payout and query is the same file.',
          params: ReceiptParams,
          querystring: ReceiptQuery,
          response: documentAnswersOf('The receipt, to save.', ['application/pdf']),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const options = { withCharges: request.query.charges ?? false };
        const receipt = await readReceipt(deps.database, tenant, request.params.transactionId, options);
        const content = await deps.drawReceipt(tenant.merchantId, receipt);
        return sendDocument(reply, { fileName: fileNameOf(receipt), contentType: 'application/pdf', content });
      },
    );
    await addRoutes(app, linkRoutes(deps));
  };
}

const tags = ['Dashboard: receipts'];
const read = { access: { scope: 'transaction:read', person: true } } as const;
/** The address is shown once, so no answer is kept under an idempotency key. */
const share = { access: { scope: 'payout:write', service: 'PAYOUT', person: true }, idempotent: false } as const;
const revoke = { access: { scope: 'payout:write', person: true }, idempotent: false } as const;

function linkRoutes(deps: ReceiptRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/transaction/:transactionId/receipt/link',
      {
        config: read,
        schema: {
          tags,
          operationId: 'listReceiptLinks',
          summary: 'The links to a receipt, newest first',
          params: ReceiptParams,
          response: answers(Success(ReceiptLinksSchema)),
        },
      },
      async (request, reply) => {
        const rows = await readReceiptLinks(deps, request.principal.tenant, request.params.transactionId);
        const now = deps.clock.now();
        return sendAnswer(reply, success('Success', { links: rows.map((row) => receiptLinkView(row, now)) }));
      },
    );
    app.post(
      '/transaction/:transactionId/receipt/link',
      {
        config: share,
        schema: {
          tags,
          operationId: 'shareReceipt',
          summary: 'Make a link under which others see a receipt; it is shown this once',
          params: ReceiptParams,
          body: ShareReceiptBody,
          response: answers(Success(NewReceiptLinkSchema)),
        },
      },
      async (request, reply) => {
        const { token, row } = await shareReceipt(deps, {
          tenant: request.principal.tenant,
          transactionId: request.params.transactionId,
          expiresInDays: request.body.expiresInDays ?? DEFAULT_LINK_DAYS,
          by: personOf(request),
        });
        request.auditSubject = { linkId: row.id, expiresAt: row.expires_at.toISOString() };
        const url = `${baseUrlOf(request, deps.publicUrl)}/receipt/${token}`;
        return sendAnswer(reply, success('The link was made', { ...receiptLinkView(row, deps.clock.now()), url }));
      },
    );
    app.delete(
      '/transaction/:transactionId/receipt/link/:linkId',
      {
        config: revoke,
        schema: {
          tags,
          operationId: 'revokeReceiptLink',
          summary: 'End a link to a receipt, at once',
          params: ReceiptLinkParams,
          response: answers(Success(ReceiptLinkSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const row = await revokeReceiptLink(deps, { tenant, ...request.params, by: personOf(request) });
        return sendAnswer(reply, success('The link was revoked', receiptLinkView(row, deps.clock.now())));
      },
    );
  };
}

function personOf({ principal: { member } }: FastifyRequest): { personId: string; name: string } {
  if (member === null) throw new Error('a route for people was called by none');
  return member;
}
