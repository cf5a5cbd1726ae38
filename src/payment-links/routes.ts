import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, answerQuestion, baseUrlOf } from '../access/index.ts';
import { mayTakeCards, type SessionDeps } from '../payment-sessions/index.ts';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { sourceOf } from '../platform/http/json-body.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { MAX_LONG_BODY_BYTES, sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { metadataText } from '../transactions/index.ts';
import { createLink, switchLink } from './link.ts';
import { CreateLinkBody, LinkPage, LinkParams, ListLinksQuery, PaymentLinkSchema } from './schemas.ts';
import { exportLinks, readLink, readLinks } from './views.ts';

const CREATE_CODES = ['WALLET_NOT_FOUND', 'COLLECTION_NOT_OFFERED', 'CHANNEL_NOT_OFFERED', 'AMOUNT_RULE_NOT_OFFERED'];
const SWITCH_CODES = ['PAYMENT_LINK_NOT_FOUND', 'PAYMENT_LINK_CHANGED'];

const tags = ['Payment links'];
const read = { scope: 'collection:read' } as const;
const write = { scope: 'collection:write', service: 'COLLECTION' } as const;

/** `publicUrl` as `baseUrlOf` has it. */
type LinkRouteDeps = SessionDeps & { publicUrl: string | undefined };

export function paymentLinkRoutes(deps: LinkRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/collection/link',
      {
        bodyLimit: MAX_LONG_BODY_BYTES,
        config: { access: write, errorCodes: CREATE_CODES },
        schema: {
          tags,
          operationId: 'createPaymentLink',
          summary: 'Make a payment link',
          description:
            'A page under which anyone who has its address pays: the same amount for everybody, or one that the payer names. What it asks for never changes.',
          body: CreateLinkBody,
          response: answers(Success(PaymentLinkSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, async () => {
          const { metadata, ...fields } = request.body;
          const { tenant, services } = request.principal;
          return createLink(deps, {
            tenant,
            fields,
            metadata: metadataText(metadata, sourceOf(request, 'metadata')),
            mayTakeCards: mayTakeCards(tenant, services),
            baseUrl: baseUrlOf(request, deps.publicUrl),
            idempotency: request.idempotency,
          });
        }),
    );
    app.get(
      '/collection/link',
      {
        config: { access: read, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags,
          operationId: 'listPaymentLinks',
          summary: 'Payment links, newest first',
          description: 'Each with how many sessions under it were paid.',
          querystring: ListLinksQuery,
          response: answers(Success(LinkPage)),
        },
      },
      async (request, reply) => {
        const baseUrl = baseUrlOf(request, deps.publicUrl);
        const page = await readLinks(deps, request.principal.tenant, listRequest(request.query), baseUrl);
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/link.csv',
      {
        config: { access: read, errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'] },
        schema: {
          tags,
          operationId: 'downloadPaymentLinks',
          summary: 'Payment links, as CSV',
          description: 'All of them, newest first, amounts in naira, each with how many sessions under it were paid.',
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const baseUrl = baseUrlOf(request, deps.publicUrl);
        const file = await exportLinks(deps, request.principal.tenant, baseUrl, goneSignal(reply));
        return sendExport(reply, 'payment-links.csv', file);
      },
    );
    app.get(
      '/collection/link/:linkId',
      {
        config: { access: read, errorCodes: ['PAYMENT_LINK_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getPaymentLink',
          summary: 'One payment link',
          description: 'What payers opened under it is in the list of payment sessions, by linkId.',
          params: LinkParams,
          response: answers(Success(PaymentLinkSchema)),
        },
      },
      async (request, reply) => {
        const baseUrl = baseUrlOf(request, deps.publicUrl);
        const link = await readLink(deps, request.principal.tenant, request.params.linkId, baseUrl);
        return sendAnswer(reply, success('Success', link));
      },
    );
    await addRoutes(app, switchRoutes(deps));
  };
}

const SWITCHES = [
  {
    verb: 'deactivate',
    access: { scope: 'collection:write' },
    to: 'INACTIVE',
    operationId: 'deactivatePaymentLink',
    summary: 'Switch a payment link off',
    description: 'It opens no more sessions. Those that payers have opened can be paid all the same.',
    message: 'Payment link deactivated',
  },
  {
    verb: 'activate',
    access: write,
    to: 'ACTIVE',
    operationId: 'activatePaymentLink',
    summary: 'Switch a payment link on again',
    description: 'One that is expired or used up stays so.',
    message: 'Payment link activated',
  },
] as const;

function switchRoutes(deps: LinkRouteDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const { verb, access, to, message, ...described } of SWITCHES) {
      app.post(
        `/collection/link/:linkId/${verb}`,
        {
          config: { access, errorCodes: SWITCH_CODES },
          schema: { tags, ...described, params: LinkParams, response: answers(Success(PaymentLinkSchema)) },
        },
        (request, reply) =>
          answerQuestion(deps.ledger, request, reply, async () => {
            const { tenant } = request.principal;
            const { linkId } = request.params;
            const baseUrl = baseUrlOf(request, deps.publicUrl);
            await switchLink(deps, { tenant, linkId, to, baseUrl });
            return success(message, await readLink(deps, tenant, linkId, baseUrl));
          }),
      );
    }
  };
}
