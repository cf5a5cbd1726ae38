import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  changeMerchantStatus,
  disableService,
  enableService,
  readRegister,
  requireDecidedFacts,
  setRefundsEnabled,
} from '../merchants/index.ts';
import { decideOnboarding, readDocument } from '../onboarding/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswers, sendStoredDocument, showDocument } from '../platform/http/documents.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { downloadOf, OPERATOR, type OperatorDeps } from './deps.ts';
import {
  ApproveQuery,
  ChangeParams,
  DecidedFactsSchema,
  DocumentParams,
  ListMerchantsQuery,
  OperatorMerchantSchema,
  ReasonBody,
  RefundsBody,
  RegisteredSchema,
  ServiceBody,
  UnlockPinBody,
} from './merchant-schemas.ts';
import { readMerchant, registeredView } from './merchant-views.ts';
import { DONE, Done, MerchantParams } from './schemas.ts';

const access = { operator: true, stepUp: true, audit: 'SETTINGS' } as const;

type Action = 'approve' | 'reject' | 'suspend' | 'reinstate';

/** The answer after the first of two people. */
const NEEDS_ANOTHER =
  'Confirmed. The changes name another settlement account, so another of your people has to accept them.';

/** What the operator decides about a merchant. Each takes effect on every process within two seconds. */
export function decisionRoutes({ database, secrets, clock }: OperatorDeps): FastifyPluginAsyncTypebox {
  async function decide(
    request: FastifyRequest,
    reply: FastifyReply,
    { action, message, reason, seen }: { action: Action; message: string; reason?: string; seen?: Date | undefined },
  ): Promise<FastifyReply> {
    const { merchantId } = request.params as { merchantId: string };
    const input = { merchantId, actor: request.operator.email, personId: request.operator.personId, reason, seen };
    if (action === 'approve' || action === 'reject') {
      const decided = await decideOnboarding({ database, secrets, clock }, action, input);
      if (decided === 'CONFIRMED') return sendAnswer(reply, success(NEEDS_ANOTHER, DONE));
    } else await changeMerchantStatus({ queries: database, clock }, action, input);
    return sendAnswer(reply, success(message, DONE));
  }

  return async (app) => {
    app.post(
      '/operator/merchant/:merchantId/approve',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'approveMerchant',
          summary: 'Accept a merchant, or the changes that an accepted one wants',
          params: MerchantParams,
          querystring: ApproveQuery,
          response: answers(Success(Done)),
        },
      },
      (request, reply) => {
        const { submittedAt } = request.query;
        const seen = submittedAt === undefined ? undefined : new Date(submittedAt);
        return decide(request, reply, { action: 'approve', message: 'The merchant is approved', seen });
      },
    );
    app.post(
      '/operator/merchant/:merchantId/reject',
      {
        config: { access: { ...access, shows: ['reason'] } },
        schema: {
          tags: TAGS,
          operationId: 'rejectMerchant',
          summary: 'Turn a merchant down, with the reason that it reads; it can correct its details and ask again',
          params: MerchantParams,
          body: ReasonBody,
          response: answers(Success(Done)),
        },
      },
      (request, reply) =>
        decide(request, reply, { action: 'reject', message: 'The merchant is rejected', reason: request.body.reason }),
    );
    app.post(
      '/operator/merchant/:merchantId/suspend',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'suspendMerchant',
          summary: 'Stop a merchant within two seconds',
          params: MerchantParams,
          body: ReasonBody,
          response: answers(Success(Done)),
        },
      },
      (request, reply) =>
        decide(request, reply, {
          action: 'suspend',
          message: 'The merchant is suspended',
          reason: request.body.reason,
        }),
    );
    app.post(
      '/operator/merchant/:merchantId/reinstate',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'reinstateMerchant',
          summary: 'End a suspension',
          params: MerchantParams,
          response: answers(Success(Done)),
        },
      },
      (request, reply) => decide(request, reply, { action: 'reinstate', message: 'The merchant is active again' }),
    );
  };
}

const TAGS = ['Operator: merchants'];

export function merchantRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/merchant',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listMerchants',
          summary: 'The merchants, newest first; those that wait for review, the longest first',
          querystring: ListMerchantsQuery,
          response: answers(Success(ListPage(RegisteredSchema))),
        },
      },
      async (request, reply) => {
        const { status, review, search } = request.query;
        const wanted = review === 'SUBMITTED' ? { submitted: true } : { review };
        const found = await readRegister(database, { status, search, ...wanted }, listRequest(request.query));
        return sendAnswer(reply, success('Success', listView(found, registeredView)));
      },
    );
    app.get(
      '/operator/merchant/:merchantId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getMerchantForReview',
          summary: 'One merchant, with all that a decision about it needs',
          params: MerchantParams,
          response: answers(Success(OperatorMerchantSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readMerchant(deps, request.params.merchantId))),
    );
    app.get(
      '/operator/merchant/:merchantId/document/:documentId/content',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'downloadMerchantDocument',
          summary: 'A document of a merchant as it was uploaded',
          params: DocumentParams,
          response: documentAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId, documentId } = request.params;
        const wanted = { merchantId, documentId, caller: OPERATOR };
        return sendStoredDocument(reply, downloadOf(deps, request.operator.personId), () => readDocument(deps, wanted));
      },
    );
    await addRoutes(app, reviewRoutes(deps), switchRoutes(deps));
  };
}

/** What a reviewer sees beside the facts of today. */
function reviewRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/merchant/:merchantId/history/:changeId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getDecidedFacts',
          summary: 'What a merchant said of itself when it submitted or was decided about',
          params: ChangeParams,
          response: answers(Success(DecidedFactsSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, changeId } = request.params;
        return sendAnswer(reply, success('Success', await requireDecidedFacts(deps.database, merchantId, changeId)));
      },
    );
    app.get(
      '/operator/merchant/:merchantId/document/:documentId/view',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'viewMerchantDocument',
          summary: 'A document of a merchant, to look at in a frame of the desk',
          description:
            'A PDF that holds more than pages, or that cannot be read, is not shown: 422 DOCUMENT_NOT_SHOWN.',
          params: DocumentParams,
          response: documentAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId, documentId } = request.params;
        const wanted = { merchantId, documentId, caller: OPERATOR };
        const read = () => readDocument(deps, wanted);
        return sendStoredDocument(reply, downloadOf(deps, request.operator.personId), read, showDocument);
      },
    );
  };
}

/** Switches of the operator for a merchant. */
function switchRoutes({ database, clock, pinGuard }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/merchant/:merchantId/service',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setMerchantService',
          summary: 'Switch a service on or off for a merchant',
          description: 'What was begun goes on; new requests are refused.',
          params: MerchantParams,
          body: ServiceBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { key, enabled } = request.body;
        const choice = { merchantId: request.params.merchantId, service: key };
        if (enabled) await enableService({ queries: database, clock }, choice);
        else await disableService({ queries: database }, choice);
        return sendAnswer(reply, success(enabled ? 'The service is on' : 'The service is off', DONE));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/refunds',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setMerchantRefunds',
          summary: 'Let a merchant refund its payments in, or no longer',
          description: 'What was accepted goes on; new refunds are refused while it is off.',
          params: MerchantParams,
          body: RefundsBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { enabled: isEnabled } = request.body;
        await setRefundsEnabled({ queries: database }, { merchantId: request.params.merchantId, isEnabled });
        return sendAnswer(reply, success(isEnabled ? 'Refunds are on' : 'Refunds are off', DONE));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/unlock-pin',
      {
        config: { access: { operator: true, stepUp: true, audit: 'KEYS' } },
        schema: {
          tags: TAGS,
          operationId: 'unlockMerchantPin',
          summary: 'End the lock of one mode after five wrong PINs',
          params: MerchantParams,
          body: UnlockPinBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        await pinGuard.unlockPin({ merchantId: request.params.merchantId, mode: request.body.mode });
        return sendAnswer(reply, success('The PIN is unlocked', DONE));
      },
    );
  };
}
