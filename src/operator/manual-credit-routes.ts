import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  approveCredit,
  documentMissing,
  readCreditDocument,
  rejectCredit,
  withdrawCredit,
} from '../manual-credits/index.ts';
import { success } from '../platform/answer.ts';
import { MAX_DOCUMENT_BYTES } from '../platform/documents.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswers, sendStoredDocument } from '../platform/http/documents.ts';
import { acceptForms, FORM_OVERHEAD_BYTES, takeForm } from '../platform/http/forms.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { downloadOf, OPERATOR, type OperatorDeps } from './deps.ts';
import {
  AccountParams,
  ApproveCreditBody,
  ApprovedCreditSchema,
  BanksSchema,
  CloseCreditBody,
  CreditEvidenceSchema,
  CreditParams,
  ListCreditsQuery,
  ManualCreditSchema,
  ModeQuery,
  ProposeCreditForm,
  ProposedCreditSchema,
  WalletToCreditQuery,
  WalletToCreditSchema,
} from './manual-credit-schemas.ts';
import { problemViews, readCreditOf, readCredits, readWalletToCredit } from './manual-credit-views.ts';
import { DONE, Done, MerchantParams } from './schemas.ts';
import { CREDIT_FORM_LIMITS, takeManualCredit, tenantOfAddress } from './take-manual-credit.ts';

const TAGS = ['Operator: manual credits'];

/** Money at the operator's bank of which no provider reports: one person proposes to credit it, another approves. */
export function manualCreditRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/manual-credit',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listManualCredits',
          summary: 'Manual credits that wait for a second person, longest first, or that were decided',
          querystring: ListCreditsQuery,
          response: answers(Success(ListPage(ManualCreditSchema))),
        },
      },
      async (request, reply) => {
        const asked = { state: request.query.state ?? 'WAITING', personId: request.operator.personId };
        return sendAnswer(reply, success('Success', await readCredits(deps, asked, listRequest(request.query))));
      },
    );
    app.get(
      '/operator/merchant/:merchantId/manual-credit/:manualCreditId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getManualCredit',
          summary: 'A manual credit with what was noticed about it',
          params: CreditParams,
          querystring: ModeQuery,
          response: answers(Success(CreditEvidenceSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, manualCreditId } = request.params;
        const tenant = { merchantId, mode: request.query.mode };
        const credit = await readCreditOf(deps, tenant, manualCreditId, request.operator.personId);
        return sendAnswer(reply, success('Success', credit));
      },
    );
    app.get(
      '/operator/merchant/:merchantId/manual-credit/:manualCreditId/document',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'downloadManualCreditDocument',
          summary: 'The document of a manual credit as it was uploaded',
          params: CreditParams,
          querystring: ModeQuery,
          response: documentAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId, manualCreditId } = request.params;
        const wanted = { tenant: { merchantId, mode: request.query.mode }, manualCreditId, caller: OPERATOR };
        return sendStoredDocument(reply, downloadOf(deps, request.operator.personId), () =>
          readCreditDocument(deps, wanted),
        );
      },
    );
    await addRoutes(app, lookupRoutes(deps), decisionRoutes(deps));
    await app.register(proposeRoutes(deps));
  };
}

/** Data for the form of a credit: banks, and the merchant whose wallet an account number leads to. */
function lookupRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/bank',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'listBanksOfOperator',
          summary: 'The bank directory, for the bank at which money arrived',
          response: answers(Success(BanksSchema)),
        },
      },
      async (_request, reply) => {
        const banks = await deps.banks.listBanks();
        return sendAnswer(reply, success('Success', { banks: banks.map(({ code, name }) => ({ code, name })) }));
      },
    );
    app.get(
      '/operator/wallet/:accountNumber',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'findWalletToCredit',
          summary: 'The wallet with an account number in a mode, and whose it is',
          params: AccountParams,
          querystring: WalletToCreditQuery,
          response: answers(Success(WalletToCreditSchema)),
        },
      },
      async (request, reply) => {
        const asked = { ...request.params, ...request.query };
        return sendAnswer(reply, success('Success', await readWalletToCredit(deps, asked)));
      },
    );
  };
}

function decisionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/manual-credit/approve',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'approveManualCredit',
          summary: 'Approve a credit that another person proposed; the wallet has the money at once',
          body: ApproveCreditBody,
          response: answers(Success(ApprovedCreditSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...shown } = request.body;
        const { personId } = request.operator;
        const approved = await approveCredit(deps, { tenant: { merchantId, mode }, ...shown, personId });
        request.auditSubject = { transactionId: approved.transactionId };
        deps.wake();
        return sendAnswer(reply, success('The wallet is credited', approved));
      },
    );
    app.post(
      '/operator/manual-credit/reject',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'rejectManualCredit',
          summary: 'Turn down a credit that another person proposed',
          body: CloseCreditBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...decision } = request.body;
        const { personId } = request.operator;
        await rejectCredit(deps, { tenant: { merchantId, mode }, ...decision, personId });
        return sendAnswer(reply, success('The credit is rejected', DONE));
      },
    );
    app.post(
      '/operator/manual-credit/withdraw',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'withdrawManualCredit',
          summary: 'Take back a credit that you proposed',
          body: CloseCreditBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, ...decision } = request.body;
        const { personId } = request.operator;
        await withdrawCredit(deps, { tenant: { merchantId, mode }, ...decision, personId });
        return sendAnswer(reply, success('The credit is withdrawn', DONE));
      },
    );
  };
}

/** These routes have a scope of their own, because they read a form. */
function proposeRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/operator/merchant/:merchantId/manual-credit',
      {
        config: { access: { operator: true } },
        bodyLimit: MAX_DOCUMENT_BYTES + FORM_OVERHEAD_BYTES,
        // A form is validated by the handler that reads it.
        validatorCompiler: () => () => true,
        schema: {
          tags: TAGS,
          operationId: 'proposeManualCredit',
          summary: 'Propose to credit a wallet with money that arrived at your bank; another person has to approve it',
          params: MerchantParams,
          querystring: ModeQuery,
          body: { content: { 'multipart/form-data': { schema: ProposeCreditForm } } },
          response: answers(Success(ProposedCreditSchema)),
        },
      },
      async (request, reply) => {
        const tenant = tenantOfAddress(request.params, request.query);
        if (!request.isMultipart()) throw documentMissing();
        const { personId } = request.operator;
        const proposed = await takeForm(request, CREDIT_FORM_LIMITS, (parts) =>
          takeManualCredit(deps, parts, { tenant, personId }),
        );
        const { manualCreditId, digest, problems } = proposed;
        request.auditSubject = { manualCreditId, digest };
        const view = { manualCreditId, digest, problems: problemViews(problems) };
        return sendAnswer(reply, success('Nothing has moved: another person approves it', view));
      },
    );
  };
}
