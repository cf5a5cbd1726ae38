import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { changeBodySettings, readBodySettings } from './forget-requests.ts';
import type { RequestFilter } from './queries.ts';
import { readRates } from './rates.ts';
import {
  BodySettingsBody,
  BodySettingsSchema,
  RatesQuery,
  RatesSchema,
  RequestDetailSchema,
  RequestLogPage,
  RequestLogQuery,
  RequestNeighboursQuery,
  RequestParams,
} from './schemas.ts';
import { type ReadRequestDeps, readRequest, readRequests } from './views.ts';

export interface RequestLogRoutesDeps extends ReadRequestDeps {
  clock: Clock;
}

const tags = ['Dashboard: request log'];
const mayRead = { access: { scope: null, permission: 'request:read', beforeApproval: true } } as const;

export function requestLogRoutes(deps: RequestLogRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(app, readRoutes(deps), settingsRoutes(deps));
  };
}

function readRoutes(deps: RequestLogRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/request-log',
      {
        config: mayRead,
        schema: {
          tags,
          operationId: 'listRequests',
          summary: 'What your programs asked in this mode during the last week, newest first',
          querystring: RequestLogQuery,
          response: answers(Success(RequestLogPage)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const asked = { ...listRequest(request.query), gone: goneSignal(reply) };
        const found = await readRequests(deps.database, tenant, filterOf(request.query), asked);
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/request-log/rates',
      {
        config: mayRead,
        schema: {
          tags,
          operationId: 'getRequestRates',
          summary: 'How many requests went wrong, and how long they took, by operation and code',
          querystring: RatesQuery,
          response: answers(Success(RatesSchema)),
        },
      },
      async (request, reply) => {
        const { period = '24h' } = request.query;
        const rates = await readRates(deps.database, request.principal.tenant, period, deps.clock.now());
        return sendAnswer(reply, success('Success', rates));
      },
    );
    app.get(
      '/request-log/:requestId',
      {
        config: mayRead,
        schema: {
          tags,
          operationId: 'getRequest',
          summary: 'One request with its bodies, what it caused, and its neighbours in a list',
          params: RequestParams,
          querystring: RequestNeighboursQuery,
          response: answers(Success(RequestDetailSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { requestId } = request.params;
        const found = await readRequest(deps, tenant, requestId, filterOf(request.query), goneSignal(reply));
        return sendAnswer(reply, success('Success', found));
      },
    );
  };
}

function settingsRoutes(deps: RequestLogRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/request-log/settings',
      {
        config: mayRead,
        schema: {
          tags,
          operationId: 'getRequestBodySettings',
          summary: 'Whether bodies of API requests are kept in this mode, and for how long',
          response: answers(Success(BodySettingsSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readBodySettings(deps, request.principal.tenant))),
    );
    app.patch(
      '/request-log/settings',
      {
        config: {
          access: { scope: null, permission: 'request:manage', stepUp: true, audit: 'SETTINGS', beforeApproval: true },
        },
        schema: {
          tags,
          operationId: 'updateRequestBodySettings',
          summary: 'Say whether bodies of API requests are kept in this mode, and for how long',
          body: BodySettingsBody,
          response: answers(Success(BodySettingsSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Saved', await changeBodySettings(deps, request.principal.tenant, request.body))),
    );
  };
}

interface Filters {
  status?: string;
  keyId?: string;
  method?: string;
  path?: string;
  code?: string;
  from?: string;
  to?: string;
}

/** @throws AppError `VALIDATION_FAILED` for a period that is none */
function filterOf(query: Filters): RequestFilter {
  const { status, keyId, method, path: route, code } = query;
  return { status: statusesOf(status), keyId, method, route, code, ...parsePeriod(query) };
}

/** `422` is itself, `4xx` all from 400 to before 500. */
function statusesOf(status: string | undefined): [number, number] | undefined {
  if (status === undefined) return undefined;
  const first = Number(status.replace('xx', '00'));
  return [first, status.endsWith('xx') ? first + 100 : first + 1];
}
