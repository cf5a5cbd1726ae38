import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, nameOfCaller } from '../access/index.ts';
import { NAME_ENQUIRY_ERRORS } from '../bank-directory/index.ts';
import { PAYMENT_ERRORS } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswersOf, sendDocument } from '../platform/http/documents.ts';
import { answers, Success, wordsOf } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { ReceiptDrawer } from '../receipts/index.ts';
import type { SettlementDeps } from './deps.ts';
import type { SettlementStatus } from './queries.ts';
import { exportLines, readLines, readSettlement, readSettlements } from './read-settlements.ts';
import { readReport } from './report.ts';
import {
  LinePage,
  LinesCsvQuery,
  LinesQuery,
  ListSettlementsQuery,
  SettingsBody,
  SettingsSchema,
  SettlementPage,
  SettlementParams,
  SettlementSchema,
  SettleNowBody,
} from './schemas.ts';
import { changeSettings, readSettingsView } from './settings.ts';
import { settleNow } from './settle-now.ts';
import { walletSettingsRoutes } from './wallet-routes.ts';

const tags = ['Settlements'];
const NOT_FOUND = 'MERCHANT_SETTLEMENT_NOT_FOUND';

export type SettlementRoutesDeps = SettlementDeps & { drawReceipt: ReceiptDrawer };

export function merchantSettlementRoutes(deps: SettlementRoutesDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/collection/settlement',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listMerchantSettlements',
          summary: 'Settlements to your bank, newest first',
          description:
            'Each takes what a wallet collected in a period to the account that was reviewed: the main one, and those of stores and subaccounts that are settled.',
          querystring: ListSettlementsQuery,
          response: answers(Success(SettlementPage)),
        },
      },
      async (request, reply) => {
        const { query, principal } = request;
        const statuses = wordsOf<SettlementStatus>(query.status);
        const filter = { statuses, walletId: query.walletId };
        const page = await readSettlements(deps, principal.tenant, filter, {
          ...listRequest(query),
          gone: goneSignal(reply),
        });
        return sendAnswer(reply, success('Success', page));
      },
    );
    await addRoutes(app, settleRoutes(deps), settingsRoutes(deps), walletSettingsRoutes(deps), reportRoutes(deps));
    app.get(
      '/collection/settlement/:settlementId',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: [NOT_FOUND] },
        schema: {
          tags,
          operationId: 'getMerchantSettlement',
          summary: 'One settlement, from gross to net',
          description: 'Opening and the amounts of the summary come to closing; those with settled true come to net.',
          params: SettlementParams,
          response: answers(Success(SettlementSchema)),
        },
      },
      async (request, reply) => {
        const found = await readSettlement(database, request.principal.tenant, request.params.settlementId);
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}

/** The routes that explain a settlement line by line. */
function reportRoutes(deps: SettlementRoutesDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/collection/settlement/:settlementId/line',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: [NOT_FOUND] },
        schema: {
          tags,
          operationId: 'listMerchantSettlementLines',
          summary: 'Every line of a settlement, newest first',
          description: 'Every entry of the wallet in its period: nothing is left out, also what is not settled.',
          params: SettlementParams,
          querystring: LinesQuery,
          response: answers(Success(LinePage)),
        },
      },
      async (request, reply) => {
        const { principal, params, query } = request;
        const page = await readLines(database, principal.tenant, params.settlementId, listRequest(query));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/settlement/:settlementId/line.csv',
      {
        config: {
          access: { scope: 'collection:read' },
          errorCodes: [NOT_FOUND, 'EXPORTS_BUSY', 'EXPORT_TOO_LARGE'],
        },
        schema: {
          tags,
          operationId: 'downloadMerchantSettlementLines',
          summary: 'The lines of a settlement as CSV',
          description: 'All of them, oldest first, amounts in naira.',
          params: SettlementParams,
          querystring: LinesCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { principal, params, query } = request;
        const options = { columns: query.columns, gone: goneSignal(reply) };
        const file = await exportLines(database, principal.tenant, params.settlementId, options);
        return sendExport(reply, `settlement-${params.settlementId}.csv`, file);
      },
    );
    app.get(
      '/collection/settlement/:settlementId/report',
      {
        config: { access: { scope: 'collection:read' }, errorCodes: [NOT_FOUND, 'RECEIPTS_BUSY'] },
        schema: {
          tags,
          operationId: 'downloadMerchantSettlementReport',
          summary: 'The report of a settlement as a PDF',
          description: 'From gross to net, what was paid, and the first 300 lines; the CSV has all of them.',
          params: SettlementParams,
          response: documentAnswersOf('The report, to save.', ['application/pdf']),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const report = await readReport(deps, tenant, request.params.settlementId);
        const content = await deps.drawReceipt(tenant.merchantId, report);
        const fileName = `${report.isTest ? 'test-' : ''}settlement-${report.reference}.pdf`;
        return sendDocument(reply, { fileName, contentType: 'application/pdf', content });
      },
    );
  };
}

function settleRoutes(deps: SettlementDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/collection/settlement',
      {
        config: {
          access: { scope: 'payout:write', service: 'COLLECTION', pin: true },
          errorCodes: [
            NOT_FOUND,
            'WALLET_NOT_FOUND',
            'MERCHANT_SETTLEMENT_NOT_SET_UP',
            'MERCHANT_SETTLEMENT_PAUSED',
            'MERCHANT_SETTLEMENT_NOTHING_DUE',
            'MERCHANT_SETTLEMENT_NOT_FAILED',
            'MERCHANT_SETTLEMENT_OUTCOME_UNCERTAIN',
            'MERCHANT_SETTLEMENT_MOVED_ON',
            ...PAYMENT_ERRORS,
            ...NAME_ENQUIRY_ERRORS,
          ],
        },
        schema: {
          tags,
          operationId: 'settleNow',
          summary: 'Settle to your bank now',
          description:
            'What was collected since the last settlement, or once more one that failed. It goes to the account that was reviewed, so approvals do not hold it. Settings have to be saved once before.',
          body: SettleNowBody,
          response: answers(Success(SettlementSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          settleNow(deps, {
            tenant: request.principal.tenant,
            walletId: request.body.walletId,
            settlementId: request.body.settlementId,
            by: nameOfCaller(request.principal),
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

function settingsRoutes(deps: SettlementDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/settlement/settings',
      {
        config: { access: { scope: 'collection:read' } },
        schema: {
          tags,
          operationId: 'getMerchantSettlementSettings',
          summary: 'When and how much is settled to your bank',
          description: 'Only an owner of the business changes them, in the dashboard.',
          response: answers(Success(SettingsSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readSettingsView(deps, request.principal.tenant))),
    );
    app.patch(
      '/collection/settlement/settings',
      {
        config: {
          access: { scope: null, permission: 'settlement:manage', stepUp: true, pin: true, audit: 'SETTINGS' },
          errorCodes: ['MERCHANT_SETTLEMENT_MOVED_ON'],
        },
        schema: {
          tags: ['Dashboard: settlements'],
          operationId: 'updateMerchantSettlementSettings',
          summary: 'Say when and how much is settled to the bank',
          description: 'What is left out stays. The first time says where settlements begin: with that day.',
          body: SettingsBody,
          response: answers(Success(SettingsSchema)),
        },
      },
      (request, reply) => {
        const { pin: _pin, ...changes } = request.body;
        return answerCommand(deps.ledger, request, reply, () =>
          changeSettings(deps, {
            tenant: request.principal.tenant,
            changes,
            by: nameOfCaller(request.principal),
            idempotency: request.idempotency,
          }),
        );
      },
    );
  };
}
