import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import {
  askAgain,
  closeCreditProposal,
  closePaymentProposal,
  confirmForCredit,
  confirmForPayment,
  exportSuspense,
  proposeForCredit,
  proposeForPayment,
} from '../suspense/index.ts';
import { OPERATOR, type OperatorDeps } from './deps.ts';
import { DONE, Done } from './schemas.ts';
import {
  AskAgainBody,
  AskedAgainSchema,
  CloseForCreditBody,
  ClosePaymentBody,
  ConfirmedCreditSchema,
  ConfirmedPaymentSchema,
  ConfirmForCreditBody,
  ConfirmPaymentBody,
  ListReceivablesQuery,
  ListSuspenseQuery,
  ProposedSuspenseSchema,
  ProposeForCreditBody,
  ProposePaymentBody,
  ReceivableSchema,
  SuspenseCsvQuery,
  SuspenseSchema,
} from './suspense-schemas.ts';
import { readReceivablesOf, readSuspenseOf } from './suspense-views.ts';

/** The two ways of a proposal to end without an effect. */
const CLOSES = [
  { step: 'reject', status: 'REJECTED', about: 'Turn down a proposal that another person made', done: 'rejected' },
  { step: 'withdraw', status: 'WITHDRAWN', about: 'Take back a proposal that you made', done: 'withdrawn' },
] as const;

function suspenseCloseRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const { step, status, about, done } of CLOSES) {
      app.post(
        `/operator/suspense/payment/${step}`,
        {
          config: { access: { operator: true } },
          schema: {
            tags: TAGS,
            operationId: `${step}ForPayment`,
            summary: `${about}, about a payment in suspense`,
            body: ClosePaymentBody,
            response: answers(Success(Done)),
          },
        },
        async (request, reply) => {
          const { merchantId, mode, ...decision } = request.body;
          const { personId } = request.operator;
          await closePaymentProposal(deps, { tenant: { merchantId, mode }, ...decision, status, personId });
          return sendAnswer(reply, success(`The proposal is ${done}`, DONE));
        },
      );
      app.post(
        `/operator/suspense/credit/${step}`,
        {
          config: { access: { operator: true } },
          schema: {
            tags: TAGS,
            operationId: `${step}ForCredit`,
            summary: `${about}, about a reported credit`,
            body: CloseForCreditBody,
            response: answers(Success(Done)),
          },
        },
        async (request, reply) => {
          await closeCreditProposal(deps, { ...request.body, status, personId: request.operator.personId });
          return sendAnswer(reply, success(`The proposal is ${done}`, DONE));
        },
      );
    }
  };
}

/** Routes about reported credits that are in no merchant's books. */
function suspenseCreditRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/suspense/credit/propose',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'proposeForCredit',
          summary: 'Say what becomes of a reported credit and how you know; another person has to confirm it',
          body: ProposeForCreditBody,
          response: answers(Success(ProposedSuspenseSchema)),
        },
      },
      async (request, reply) => {
        const proposed = await proposeForCredit(deps, { ...request.body, personId: request.operator.personId });
        request.auditSubject = { ...proposed };
        return sendAnswer(reply, success('Nothing has moved: another person confirms it', proposed));
      },
    );
    app.post(
      '/operator/suspense/credit/confirm',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'confirmForCredit',
          summary: 'Confirm another person’s proposal about a reported credit; what is attributed is credited at once',
          body: ConfirmForCreditBody,
          response: answers(Success(ConfirmedCreditSchema)),
        },
      },
      async (request, reply) => {
        const confirmed = await confirmForCredit(deps, { ...request.body, personId: request.operator.personId });
        request.auditSubject = { ...confirmed };
        deps.wake();
        return sendAnswer(reply, success('The decision is made', confirmed));
      },
    );
  };
}

const TAGS = ['Operator: money in'];

/** Money that came in and has no owner, or may not be credited: one person proposes where it goes, another confirms. */
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
        const by = { owner: OPERATOR, gone: goneSignal(reply) };
        return sendExport(reply, 'money-in.csv', await exportSuspense(deps.database, { merchantId, mode }, by));
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
    await addRoutes(app, suspensePaymentRoutes(deps), suspenseCreditRoutes(deps), suspenseCloseRoutes(deps));
  };
}

/** Routes about payments that are in a merchant's suspense account. */
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
