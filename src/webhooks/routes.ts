import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, answerQuestion } from '../access/index.ts';
import {
  ARCHIVED_TYPE,
  type EventPage,
  eventsArchived,
  type Ledger,
  listEvents,
  readArchivedTo,
} from '../ledger/index.ts';
import { type Answer, success, successJson } from '../platform/answer.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import type { Tenant } from '../platform/tenant.ts';
import { changeEndpointOrder, enableEndpoint, readEndpoint, testEndpoint } from './endpoint.ts';
import type { ConnectOptions } from './guarded-connect.ts';
import { type ReplayDeps, readDeliveries, readDelivery, replayDelivery } from './read-deliveries.ts';
import { rotateSecret } from './rotate-secret.ts';
import {
  CallSchema,
  ChangeEndpointBody,
  DEFAULT_EVENTS,
  DeliveryDetailSchema,
  DeliveryParams,
  DeliverySchema,
  EnableEndpointBody,
  EndpointSchema,
  EventPageSchema,
  ListDeliveriesQuery,
  ListEventsQuery,
  SecretSchema,
} from './schemas.ts';
import { payloadOf, readSecrets, type SecretDeps } from './signing.ts';
import { secretView } from './views.ts';

export type WebhookRoutesDeps = DeliveryRoutesDeps &
  SecretDeps & {
    ledger: Ledger;
    /** How a test call is made, with the options of the worker. */
    webhooks: ConnectOptions & { timeoutMs?: number };
  };

/** The event log, deliveries, the endpoint and its secret. */
export function webhookRoutes(deps: WebhookRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(app, eventRoutes(deps), deliveryRoutes(deps), endpointRoutes(deps), secretRoutes(deps));
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
    app.patch(
      '/webhook/endpoint',
      {
        config: { access: { scope: 'webhook:write' }, errorCodes: ['WEBHOOK_ENDPOINT_MISSING'] },
        schema: {
          tags: ['Webhooks'],
          operationId: 'changeWebhookEndpoint',
          summary: 'Call the address one event after the other, or several at once',
          description:
            'An address is called in order unless you say otherwise. Unordered, up to eight calls are on their way at once: quicker, for a receiver that goes by sequence itself. Another address is called in order again.',
          body: ChangeEndpointBody,
          response: answers(Success(EndpointSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          changeEndpointOrder(deps, {
            tenant: request.principal.tenant,
            ordered: request.body.ordered,
            idempotency: request.idempotency,
          }),
        ),
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
          description:
            'For 24 hours calls are signed with both secrets, so that receivers can change over. A mode has none before its first call.',
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

type DeliveryRoutesDeps = ReplayDeps & EventTypes & { ledger: Ledger };

interface EventTypes {
  /** The names of all events there are. */
  eventTypes: ReadonlySet<string>;
}

/**
 * A misspelt type would be an empty answer each time, as if nothing had happened yet.
 * @throws AppError `VALIDATION_FAILED`
 */
function requireEventType({ eventTypes }: EventTypes, type: string | undefined): void {
  if (type === undefined || eventTypes.has(type)) return;
  throw invalidField('type', 'must be the name of an event, such as payout.succeeded; /docs/events has all of them');
}

function deliveryRoutes(deps: DeliveryRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhook/delivery',
      {
        config: { access: { scope: 'webhook:read' }, errorCodes: ['SEARCH_TOO_LONG', 'SEARCHES_BUSY'] },
        schema: {
          tags: ['Webhooks'],
          operationId: 'listWebhookDeliveries',
          summary: 'What became of the delivery of each event, newest first',
          description: 'One for each event that was sent or is due, with the outcome of its last attempt.',
          querystring: ListDeliveriesQuery,
          response: answers(Success(ListPage(DeliverySchema))),
        },
      },
      async (request, reply) => {
        const { status, type } = request.query;
        const { tenant } = request.principal;
        requireEventType(deps, type);
        const found = await readDeliveries(
          deps,
          tenant,
          { status, type },
          { ...listRequest(request.query), gone: goneSignal(reply) },
        );
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/webhook/delivery/:id',
      {
        config: { access: { scope: 'webhook:read' }, errorCodes: ['WEBHOOK_DELIVERY_NOT_FOUND'] },
        schema: {
          tags: ['Webhooks'],
          operationId: 'getWebhookDelivery',
          summary: 'One delivery, with what is sent and every call that was made',
          description: 'With the body as it is sent and every attempt: when, how long, what the receiver answered.',
          params: DeliveryParams,
          response: answers(Success(DeliveryDetailSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readDelivery(deps, request.principal.tenant, request.params.id))),
    );
    app.post(
      '/webhook/delivery/:id/replay',
      {
        config: {
          access: { scope: 'webhook:write' },
          errorCodes: ['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ENDPOINT_MISSING'],
        },
        schema: {
          tags: ['Webhooks'],
          operationId: 'replayWebhookDelivery',
          summary: 'Send an event again, with the same id and the same bytes',
          description:
            'For a receiver that was down for long or lost an event. The event keeps its id, so a receiver that knows it ignores it.',
          params: DeliveryParams,
          response: answers(Success(DeliverySchema)),
        },
      },
      (request, reply) =>
        answerQuestion(deps.ledger, request, reply, () =>
          replayDelivery(deps, request.principal.tenant, request.params.id),
        ),
    );
  };
}

/** The log of events behind a sequence, in order, each with the text that is sent to the webhook address. */
async function readEvents(
  queries: Queries,
  tenant: Tenant,
  search: { after?: number; limit?: number; type?: string; skipArchived?: boolean },
): Promise<Answer> {
  const { after = 0, limit = DEFAULT_EVENTS, type, skipArchived = false } = search;
  const page = await listEvents(queries, tenant, { after: BigInt(after), limit, type });
  if (!skipArchived) await requireAll(queries, tenant, { after: BigInt(after), type }, page);
  const { events, readTo, lastSequence } = page;
  const records = events.map((event) => payloadOf(event, tenant.mode)).join(',');
  return successJson('Success', `{"records":[${records}],"nextAfter":${readTo},"hasMore":${readTo < lastSequence}}`);
}

/**
 * Refuses a page that leaves out archived events. Events are numbered without a gap, so the page itself shows whether
 * it is whole. With a filter by type only the archives show it. They are read last: an archive is recorded before its
 * events are removed.
 * @throws AppError `EVENTS_ARCHIVED`
 */
async function requireAll(
  queries: Queries,
  tenant: Tenant,
  { after, type }: { after: bigint; type: string | undefined },
  { events, readTo }: EventPage,
): Promise<void> {
  const isWhole = type === undefined ? BigInt(events.length) === readTo - after : type !== ARCHIVED_TYPE;
  if (isWhole) return;
  const archivedTo = await readArchivedTo(queries, tenant);
  if (after < archivedTo) throw eventsArchived(archivedTo);
}

function eventRoutes(deps: EventTypes & { database: Database }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/event',
      {
        config: { access: { scope: 'event:read' }, errorCodes: ['EVENTS_ARCHIVED'] },
        schema: {
          tags: ['Events'],
          operationId: 'listEvents',
          summary: 'The log of events, in the order they happened',
          description:
            'Every change, from any sequence on, with the bytes that webhooks carry. Pass nextAfter as after until hasMore is false: nothing is ever left out. Where old events of transfers between wallets are archived, EVENTS_ARCHIVED says from where on the log can be read.',
          querystring: ListEventsQuery,
          response: answers(Success(EventPageSchema)),
        },
      },
      async (request, reply) => {
        requireEventType(deps, request.query.type);
        return sendAnswer(reply, await readEvents(deps.database, request.principal.tenant, request.query));
      },
    );
  };
}
