import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, answerQuestion } from '../access/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './delivery-routes.ts';
import { enableEndpoint, readEndpoint } from './enable-endpoint.ts';
import { eventRoutes } from './event-routes.ts';
import type { ConnectOptions } from './guarded-connect.ts';
import { rotateSecret } from './rotate-secret.ts';
import { CallSchema, EnableEndpointBody, EndpointSchema, SecretSchema } from './schemas.ts';
import { readSecrets, type SecretDeps } from './secrets.ts';
import { testEndpoint } from './test-endpoint.ts';
import { secretView } from './views.ts';

export type WebhookRoutesDeps = DeliveryRoutesDeps &
  SecretDeps & {
    ledger: Ledger;
    /** How a test call goes out; as in the worker's options. */
    webhooks: ConnectOptions & { timeoutMs?: number };
  };

/** The event log, deliveries, the endpoint and its secret. */
export function webhookRoutes(deps: WebhookRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(eventRoutes(deps));
    await app.register(deliveryRoutes(deps));
    await app.register(endpointRoutes(deps));
    await app.register(secretRoutes(deps));
  };
}

function endpointRoutes(deps: WebhookRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhook/endpoint',
      {
        config: { access: { scope: 'webhook:read' } },
        schema: {
          tags: ['Webhooks'],
          operationId: 'getWebhookEndpoint',
          summary: 'The webhook address of the mode and up to which event it was served',
          description:
            'With the number of the last event that was delivered, how many wait, and whether sending is paused.',
          response: answers(Success(EndpointSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readEndpoint(deps, request.principal.tenant))),
    );
    app.post(
      '/webhook/endpoint/enable',
      {
        config: {
          access: { scope: 'webhook:write' },
          errorCodes: ['WEBHOOK_ENDPOINT_ENABLED', 'WEBHOOK_ENDPOINT_MISSING', 'WEBHOOK_SEQUENCE_OUT_OF_RANGE'],
        },
        schema: {
          tags: ['Webhooks'],
          operationId: 'enableWebhookEndpoint',
          summary: 'Send again to an address that was disabled by its answer 410',
          description: 'Sending goes on where it stopped; nothing is left out.',
          body: EnableEndpointBody,
          response: answers(Success(EndpointSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          enableEndpoint(deps, {
            tenant: request.principal.tenant,
            after: request.body.after,
            idempotency: request.idempotency,
          }),
        ),
    );
    app.post(
      '/webhook/test',
      {
        config: {
          access: { scope: 'webhook:write' },
          errorCodes: ['WEBHOOK_ENDPOINT_MISSING', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_TESTED_TOO_SOON'],
        },
        schema: {
          tags: ['Webhooks'],
          operationId: 'testWebhookEndpoint',
          summary: 'Send webhook.test now and see what the receiver answers',
          description: 'It is signed like every call, has the sequence 0 and is in no log. Once in 5 seconds.',
          response: answers(Success(CallSchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, async () => {
          const { principal, idempotency } = request;
          const called = await testEndpoint({ ...deps, connection: deps.webhooks }, principal.tenant, idempotency);
          return success(called.delivered ? 'The receiver took it' : 'The receiver did not take it', called);
        }),
    );
  };
}

function secretRoutes(deps: WebhookRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhook/secret',
      {
        config: { access: { scope: 'webhook:read', own: true, audit: 'KEYS' } },
        schema: {
          tags: ['Webhooks'],
          operationId: 'getWebhookSecret',
          summary: 'The secret that signs webhooks of the mode',
          description: 'Check the signature of every call with it. For 24 hours after a rotation there are two.',
          response: answers(Success(SecretSchema)),
        },
      },
      async (request, reply) => {
        const [present, previous] = await readSecrets(deps, request.principal.tenant);
        if (present === undefined) throw new Error('a tenant without a webhook secret');
        return sendAnswer(reply, success('Success', secretView(present, previous?.expiresAt?.toISOString() ?? null)));
      },
    );
    app.post(
      '/webhook/secret/rotate',
      {
        config: { access: { scope: 'webhook:write', audit: 'KEYS' }, errorCodes: ['WEBHOOK_SECRET_ROTATED'] },
        schema: {
          tags: ['Webhooks'],
          operationId: 'rotateWebhookSecret',
          summary: 'Make a new signing secret; the one before signs along for 24 hours',
          description: 'For 24 hours calls are signed with both secrets, so that receivers can change over.',
          response: answers(Success(SecretSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          rotateSecret(deps, { tenant: request.principal.tenant, idempotency: request.idempotency }),
        ),
    );
  };
}
