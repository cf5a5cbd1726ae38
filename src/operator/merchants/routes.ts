import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { disableService, enableService, readRegister } from '../../merchants/index.ts';
import { documentAnswers, readDocument, sendDocument } from '../../onboarding/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import { listRequest } from '../../platform/lists/list.ts';
import { listView } from '../../platform/lists/read-list.ts';
import { ListPage } from '../../platform/lists/schemas.ts';
import { OPERATOR, type OperatorDeps } from '../deps.ts';
import { DONE, Done, MerchantParams } from '../schemas.ts';
import { readMerchant } from './read-merchant.ts';
import {
  DocumentParams,
  ListMerchantsQuery,
  OperatorMerchantSchema,
  RegisteredSchema,
  ServiceBody,
  UnlockPinBody,
} from './schemas.ts';
import { registeredView } from './views.ts';

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
          summary: 'The merchants, newest first; those that wait for review, whoever waits longest',
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
        return sendDocument(reply, await readDocument(deps, { merchantId, documentId, caller: OPERATOR }));
      },
    );
    await app.register(switchRoutes(deps));
  };
}

/** What the operator switches for a merchant. */
function switchRoutes({ database, clock, pinGuard }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/merchant/:merchantId/service',
      {
        config: { access: { operator: true, fresh: true, audit: 'SETTINGS' } },
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
      '/operator/merchant/:merchantId/unlock-pin',
      {
        config: { access: { operator: true, fresh: true, audit: 'KEYS' } },
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
