import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { askAgain, confirmForPayment, exportSuspense, proposeForPayment } from '../suspense/index.ts';
import { OPERATOR, type OperatorDeps } from './deps.ts';
import { suspenseCloseRoutes } from './suspense-close-routes.ts';
import { suspenseCreditRoutes } from './suspense-credit-routes.ts';
import {
  AskAgainBody,
  AskedAgainSchema,
  ConfirmedPaymentSchema,
  ConfirmPaymentBody,
  ListReceivablesQuery,
  ListSuspenseQuery,
  ProposedSuspenseSchema,
  ProposePaymentBody,
  ReceivableSchema,
  SuspenseCsvQuery,
  SuspenseSchema,
} from './suspense-schemas.ts';
import { readReceivablesOf, readSuspenseOf } from './suspense-views.ts';

const TAGS = ['Operator: money in'];

/** Money that came in and has no owner, or may not be credited: one person says what becomes of it, another confirms. */
export function suspenseRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/suspense',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSuspense',
          summary: 'Money that came in and waits for two people, longest first',
          querystring: ListSuspenseQuery,
          response: answers(Success(ListPage(SuspenseSchema))),
        },
      },
      async (request, reply) => {
        const { merchantId, mode } = request.query;
        const { personId } = request.operator;
        const page = await readSuspenseOf(deps, { merchantId, mode }, listRequest(request.query), personId);
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/suspense.csv',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'downloadSuspense',
          summary: 'The same as CSV, all that match, amounts in naira; account numbers are text',
          querystring: SuspenseCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId, mode } = request.query;
        return sendExport(reply, 'money-in.csv', await exportSuspense(deps.database, { merchantId, mode }, OPERATOR));
      },
    );
    app.get(
      '/operator/suspense/receivable',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listReceivables',
          summary: 'What each provider account owes for each merchant, by age',
          querystring: ListReceivablesQuery,
          response: answers(Success(ListPage(ReceivableSchema))),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readReceivablesOf(deps, listRequest(request.query)))),
    );
    app.post(
      '/operator/suspense/ask-again',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'askAboutCredit',
          summary: 'Ask the provider about a reported credit now; what it confirms is credited as always',
          body: AskAgainBody,
          response: answers(Success(AskedAgainSchema)),
        },
      },
      async (request, reply) => {
        const result = await askAgain(deps, { ...request.body, personId: request.operator.personId });
        deps.wake();
        return sendAnswer(reply, success('The provider was asked', { result: result ?? 'NOT_ASKED' }));
      },
    );
    await app.register(suspensePaymentRoutes(deps));
    await app.register(suspenseCreditRoutes(deps));
    await app.register(suspenseCloseRoutes(deps));
  };
}

/** Of payments that are in a merchant's suspense account. */
function suspensePaymentRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/suspense/payment/propose',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeForPayment',
          summary: 'Say what becomes of a payment in suspense and how you know; another person has to confirm it',
          body: ProposePaymentBody,
          response: answers(Success(ProposedSuspenseSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...proposal } = request.body;
        const { personId } = request.operator;
        const proposed = await proposeForPayment(deps, { tenant: { merchantId, mode }, ...proposal, personId });
        request.auditSubject = { ...proposed };
        return sendAnswer(reply, success('Nothing has moved: another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/suspense/payment/confirm',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmForPayment',
          summary: 'Confirm another person’s proposal about a payment; it becomes books at once',
          body: ConfirmPaymentBody,
          response: answers(Success(ConfirmedPaymentSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...shown } = request.body;
        const { personId } = request.operator;
        const confirmed = await confirmForPayment(deps, { tenant: { merchantId, mode }, ...shown, personId });
        request.auditSubject = { ...confirmed };
        deps.wake();
        return sendAnswer(reply, success('The decision is in the books', confirmed));
      },
    );
  };
}
