import { hash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerQuestion, baseUrlOf, type Principal, requireScope, type Scope } from '../access/index.ts';
import { parseAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { invalidField } from '../platform/errors.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { sourceOf } from '../platform/http/json-body.ts';
import { isUnchanged } from '../platform/http/polling.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { MAX_LONG_BODY_BYTES, sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { metadataText } from '../transactions/index.ts';
import { checkSession } from './ask-provider.ts';
import { mayTakeCards } from './choose-provider.ts';
import { allowOrigin, SECRET_HEADER, showRefusal } from './cross-origin-routes.ts';
import type { SessionDeps } from './deps.ts';
import { cancelSession } from './end-session.ts';
import { sessionNotFound } from './errors.ts';
import type { OpenSession } from './open-session.ts';
import { answerOpening, type OpenAnswerDeps } from './open-session-route.ts';
import {
  checkoutPathOf,
  detailOf,
  exportSessions,
  publicViewOf,
  readSessions,
  requireSession,
  tenantOfSecret,
} from './read-sessions.ts';
import {
  AnySessionSchema,
  CheckedSessionSchema,
  CheckoutSchema,
  DEFAULT_MINUTES,
  ListSessionsQuery,
  OpenedSessionSchema,
  OpenSessionBody,
  type OpenSessionInput,
  PaymentSessionDetailSchema,
  SessionCsvQuery,
  SessionPage,
  SessionParams,
  SessionSecretQuery,
} from './schemas.ts';
import { isConclusive } from './session-state.ts';
import { etagOf } from './views.ts';

const KEY_CODES = ['KEY_TYPE_NOT_ALLOWED', 'SCOPE_NOT_GRANTED'];
const OPEN_CODES = [
  'PAYMENT_SESSION_REFERENCE_TAKEN',
  'WALLET_NOT_FOUND',
  'CUSTOMER_NOT_FOUND',
  'COLLECTION_NOT_OFFERED',
  'CHANNEL_NOT_OFFERED',
  'AMOUNT_RULE_NOT_OFFERED',
  'COLLECTION_FEE_NOT_COVERED',
  'PUBLIC_PAYMENT_SESSIONS_OFF',
  'ORIGIN_NOT_ALLOWED',
  'RETURN_HOST_NOT_ALLOWED',
  'PAYMENT_SESSION_AMOUNT_TOO_LARGE',
  'PAYMENT_SESSIONS_TOO_MANY',
];

export function paymentSessionRoutes(deps: OpenAnswerDeps): FastifyPluginAsyncTypebox {
  const cors = (request: FastifyRequest, reply: FastifyReply) => allowOrigin(deps, request, reply);
  return async (app) => {
    app.post(
      '/collection/session',
      {
        onRequest: [cors, scopedFor('collection:write')],
        onSend: showRefusal,
        preHandler: setApart,
        bodyLimit: MAX_LONG_BODY_BYTES,
        config: { access: { scope: null, service: 'COLLECTION' }, errorCodes: [...KEY_CODES, ...OPEN_CODES] },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'createPaymentSession',
          summary: 'Ask somebody to pay',
          description:
            'Gives an account number, or a page, for one payment. With a public key only within the collection settings. While it is OPENING, read it again.',
          body: OpenSessionBody,
          response: answers(Success(OpenedSessionSchema)),
        },
      },
      (request, reply) => answerOpening(deps, request, reply, askedOf(request, request.body)),
    );
    app.get(
      '/collection/session/:sessionId',
      {
        onRequest: [cors, scopedFor('collection:read')],
        onSend: showRefusal,
        config: {
          access: { scope: null },
          errorCodes: [...KEY_CODES, 'PAYMENT_SESSION_NOT_FOUND'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'getPaymentSession',
          summary: 'One payment session',
          description:
            'With a secret key the whole of it. With a public key and its client secret what its payer may see. Takes If-None-Match; Retry-After is when to read it again.',
          params: SessionParams,
          querystring: SessionSecretQuery,
          response: answers(Success(AnySessionSchema)),
        },
      },
      async (request, reply) => {
        const { sessionId } = request.params;
        const isPublic = requireReadable(deps, request, sessionId);
        const session = await requireSession(deps, request.principal.tenant, sessionId);
        const etag = etagOf(session.row, isPublic ? 'public' : undefined);
        const conclusive = isConclusive(session.row.status);
        if (isUnchanged(request, reply, { etag, conclusive })) return reply.code(304).send();
        const view = isPublic ? await publicViewOf(deps, session) : await detailOf(deps, session);
        return sendAnswer(reply, success('Success', view));
      },
    );
    app.post(
      '/collection/session/:sessionId/check',
      {
        onRequest: [cors, scopedFor('collection:read')],
        onSend: showRefusal,
        preHandler: setApart,
        config: {
          access: { scope: null },
          errorCodes: [...KEY_CODES, 'PAYMENT_SESSION_NOT_FOUND', 'PAYMENT_SESSION_CHECKED_LATELY'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'checkPaymentSession',
          summary: 'Ask the provider now whether the money is there',
          description: 'For a payer who has sent it. At most every ten seconds for one session.',
          params: SessionParams,
          querystring: SessionSecretQuery,
          response: answers(Success(CheckedSessionSchema)),
        },
      },
      async (request, reply) => {
        const { sessionId } = request.params;
        // Decided before the key is looked up, because the key may be another page's. A client secret in a header is no
        // part of the request's content.
        const isPublic = requireReadable(deps, request, sessionId);
        return answerQuestion(deps.ledger, request, reply, async () => {
          const { found, session } = await checkSession(deps, request.principal.tenant, sessionId);
          const view = isPublic ? await publicViewOf(deps, session) : await detailOf(deps, session);
          return success('Success', { found, session: view });
        });
      },
    );
    await addRoutes(app, merchantRoutes(deps), checkoutRoute(deps));
  };
}

/** Operations that no public key may call. */
function merchantRoutes(deps: SessionDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/session',
      {
        config: {
          access: { scope: 'collection:read' },
          errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'listPaymentSessions',
          summary: 'Payment sessions, newest first',
          description: 'Each with what came in for it so far.',
          querystring: ListSessionsQuery,
          response: answers(Success(SessionPage)),
        },
      },
      async (request, reply) => {
        const { status, reference, openedBy, walletId, linkId, customerId } = request.query;
        const filter = { status, reference, openedBy, walletId, linkId, customerId };
        const asked = { ...listRequest(request.query), gone: goneSignal(reply) };
        const page = await readSessions(deps, request.principal.tenant, filter, asked);
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/collection/session.csv',
      {
        config: {
          access: { scope: 'collection:read' },
          errorCodes: ['EXPORTS_BUSY', 'EXPORT_TOO_LARGE'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'downloadPaymentSessions',
          summary: 'Payment sessions, as CSV',
          description: 'All that match, newest first, amounts in naira.',
          querystring: SessionCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const file = await exportSessions(deps.database, request.principal.tenant, request.query, goneSignal(reply));
        return sendExport(reply, 'payment-sessions.csv', file);
      },
    );
    app.post(
      '/collection/session/:sessionId/cancel',
      {
        config: {
          access: { scope: 'collection:write' },
          errorCodes: ['PAYMENT_SESSION_NOT_FOUND', 'PAYMENT_SESSION_ENDED'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'cancelPaymentSession',
          summary: 'Cancel a payment session',
          description: 'Its page shows nothing to pay any more. Money that comes all the same is credited, as LATE.',
          params: SessionParams,
          response: answers(Success(PaymentSessionDetailSchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, async () => {
          const session = await cancelSession(deps, request.principal.tenant, request.params.sessionId);
          return success('Payment session cancelled', await detailOf(deps, session));
        }),
    );
  };
}

/** Only for callers that may open sessions: the page of a session is shown once, to the caller that opened it. */
function checkoutRoute(deps: OpenAnswerDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/collection/session/:sessionId/checkout',
      {
        config: {
          access: { scope: 'collection:write' },
          errorCodes: ['PAYMENT_SESSION_NOT_FOUND'],
        },
        schema: {
          tags: ['Payment sessions'],
          operationId: 'getPaymentSessionCheckout',
          summary: 'The page of a payment session again',
          description: 'Its address has the client secret: anyone who has it sees the amount and can pay.',
          params: SessionParams,
          response: answers(Success(CheckoutSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { row } = await requireSession(deps, tenant, request.params.sessionId);
        const path = checkoutPathOf(deps.secrets, { tenant, sessionId: row.id });
        return sendAnswer(reply, success('Success', { checkoutUrl: `${baseUrlOf(request, deps.publicUrl)}${path}` }));
      },
    );
  };
}

/** The scope that a caller needs: a public key that of its kind, every other caller the one that is named. */
function scopedFor(scope: Scope) {
  return async ({ principal }: FastifyRequest) => {
    requireScope(principal, principal.keyKind === 'PUBLIC' ? 'session:create' : scope);
  };
}

/**
 * Keeps the idempotency keys of browsers apart from those of servers: a page can take none of the server's keys, and is
 * shown no answer that was kept under one.
 */
async function setApart(request: FastifyRequest): Promise<void> {
  const { idempotency, principal } = request;
  if (principal.keyKind !== 'PUBLIC' || idempotency === undefined || idempotency.key === null) return;
  request.idempotency = { ...idempotency, key: hash('sha256', `public/${idempotency.key}`, 'base64url') };
}

type SecretRequest = Pick<FastifyRequest, 'principal' | 'headers'> & { query: { clientSecret?: string } };

/**
 * Whether only the public half may be shown.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND` for a public key without the secret of this session of its merchant
 */
function requireReadable(deps: SessionDeps, request: SecretRequest, sessionId: string): boolean {
  const { principal, headers, query } = request;
  if (principal.keyKind !== 'PUBLIC') return false;
  const clientSecret = headers[SECRET_HEADER] ?? query.clientSecret;
  if (typeof clientSecret !== 'string') throw invalidField('clientSecret', 'is needed with a public key');
  const owner = tenantOfSecret(deps.secrets, { sessionId, clientSecret });
  if (owner === undefined || !isSame(owner, principal.tenant)) throw sessionNotFound();
  return true;
}

const isSame = (one: Tenant, other: Tenant) => one.merchantId === other.merchantId && one.mode === other.mode;

function openedByOf({ keyKind, member }: Principal) {
  if (member !== null) return 'PERSON';
  return keyKind === 'PUBLIC' ? 'PUBLIC_KEY' : 'SECRET_KEY';
}

function askedOf(request: FastifyRequest, body: OpenSessionInput): Omit<OpenSession, 'idempotencyKey'> {
  const { principal, headers } = request;
  const openedBy = openedByOf(principal);
  return {
    tenant: principal.tenant,
    openedBy,
    origin: openedBy === 'PUBLIC_KEY' ? headers.origin : undefined,
    amountMinor: parseAmount(body.amount),
    amountRule: body.amountRule ?? 'EXACT',
    reference: body.reference,
    customer: body.customer && { ...body.customer, phoneNumber: body.customer.phoneNumber ?? null },
    customerId: body.customerId,
    description: body.description ?? null,
    metadata: metadataText(body.metadata, sourceOf(request, 'metadata')),
    channels: body.channels ?? ['BANK_TRANSFER'],
    mayTakeCards: mayTakeCards(principal.tenant, principal.services),
    expiresInMinutes: body.expiresInMinutes ?? DEFAULT_MINUTES,
    returnUrl: body.returnUrl ?? null,
    cancelUrl: body.cancelUrl ?? null,
    walletId: body.walletId,
    feeBearer: body.feeBearer ?? 'MERCHANT',
  };
}
