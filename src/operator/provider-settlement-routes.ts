import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { acceptForms, FORM_OVERHEAD_BYTES, takeForm } from '../platform/http/forms.ts';
import { answers, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import {
  acceptProviderLine,
  applyProviderSettlement,
  discardProviderSettlement,
  readProviderLines,
  readProviderSettlement,
  readProviderSettlements,
} from '../provider-settlements/index.ts';
import type { OperatorDeps } from './deps.ts';
import { fileMissing } from './file-form.ts';
import { readEmails, readNamesOf } from './lookups.ts';
import {
  AcceptBody,
  AppliedSchema,
  ApplyBody,
  DiscardBody,
  ListProviderLinesQuery,
  ListProviderSettlementsQuery,
  ProviderLineParams,
  ProviderLineSchema,
  ProviderSettlementForm,
  ProviderSettlementParams,
  ProviderSettlementSchema,
} from './provider-settlement-schemas.ts';
import { providerLineView, providerSettlementView } from './provider-settlement-views.ts';
import { DONE, Done } from './schemas.ts';
import { FORM_LIMITS, MAX_SETTLEMENT_BYTES, takeProviderSettlement } from './take-settlement-file.ts';

const TAGS = ['Operator: provider settlements'];
/** One request posts at most so many lines, so that it is answered in time. The next request goes on. */
const LINES_A_REQUEST = 2_000;

/** Settlements of payments in by providers. */
export function providerSettlementRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(app, readRoutes(deps), decisionRoutes(deps));
    await app.register(importRoutes(deps));
  };
}

function readRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/provider-settlement',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listProviderSettlements',
          summary: 'What providers settled of money in, as it was recorded, newest first',
          querystring: ListProviderSettlementsQuery,
          response: answers(Success(ListPage(ProviderSettlementSchema))),
        },
      },
      async (request, reply) => {
        const found = await readProviderSettlements(database, request.query, listRequest(request.query));
        const people = await readEmails(
          database,
          found.rows.map(({ decided_by }) => decided_by),
        );
        const page = listView(found, (row) => providerSettlementView(row, people));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.get(
      '/operator/provider-settlement/:settlementId',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getProviderSettlement',
          summary: 'One settlement, with what its lines come to beside the lump sum',
          params: ProviderSettlementParams,
          response: answers(Success(ProviderSettlementSchema)),
        },
      },
      async (request, reply) => {
        const row = await readProviderSettlement(database, request.params.settlementId);
        const people = await readEmails(database, [row.decided_by]);
        return sendAnswer(reply, success('Success', providerSettlementView(row, people)));
      },
    );
    app.get(
      '/operator/provider-settlement/:settlementId/line',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listProviderSettlementLines',
          summary: 'The lines of a settlement with what came of each; what it lacks comes last',
          params: ProviderSettlementParams,
          querystring: ListProviderLinesQuery,
          response: answers(Success(ListPage(ProviderLineSchema))),
        },
      },
      async (request, reply) => {
        const { state = 'ALL', result = null } = request.query;
        const wanted = { ...request.params, state, result };
        const found = await readProviderLines(database, wanted, listRequest(request.query));
        const [names, people] = await Promise.all([
          readNamesOf(database, found.rows),
          readEmails(
            database,
            found.rows.map(({ resolved_by }) => resolved_by),
          ),
        ]);
        const page = listView(found, (row) => providerLineView(row, { names, people }));
        return sendAnswer(reply, success('Success', page));
      },
    );
  };
}

/** Operations that move money, or decide that it will not move: the password is asked for again. */
function decisionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/provider-settlement/:settlementId/apply',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'applyProviderSettlement',
          summary: 'Post the lines that agree, at most 2,000 at a time; by another than who imported them',
          params: ProviderSettlementParams,
          body: ApplyBody,
          response: answers(Success(AppliedSchema)),
        },
      },
      async (request, reply) => {
        const applied = await applyProviderSettlement(deps, {
          settlementId: request.params.settlementId,
          personId: request.operator.personId,
          note: request.body.note ?? null,
          limit: LINES_A_REQUEST,
        });
        return sendAnswer(reply, success(`${applied.posted} payments are settled`, applied));
      },
    );
    app.post(
      '/operator/provider-settlement/:settlementId/discard',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'discardProviderSettlement',
          summary: 'Say that a file is not to be applied: nothing of it is posted',
          params: ProviderSettlementParams,
          body: DiscardBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        await discardProviderSettlement(deps, { ...request.params, reason: request.body.reason, personId });
        return sendAnswer(reply, success('The settlement is discarded', DONE));
      },
    );
    app.post(
      '/operator/provider-settlement/:settlementId/line/:lineId/accept',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'acceptProviderSettlementLine',
          summary: 'Note what was found out about a line that differs; nothing moves',
          params: ProviderLineParams,
          body: AcceptBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        await acceptProviderLine(deps, { ...request.params, note: request.body.note, personId });
        return sendAnswer(reply, success('The difference is noted', DONE));
      },
    );
  };
}

/** These routes have a scope of their own, because they read a form. */
function importRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/operator/provider-settlement',
      {
        config: { access: { operator: true } },
        bodyLimit: MAX_SETTLEMENT_BYTES + FORM_OVERHEAD_BYTES,
        // A form is validated by the handler that reads it.
        validatorCompiler: () => () => true,
        schema: {
          tags: TAGS,
          operationId: 'importProviderSettlement',
          summary:
            'Record what a provider settled: a lump sum and a file (CSV) of the payments in it; nothing is posted',
          description: 'An import that was cut short goes on when the same file is sent again.',
          body: { content: { 'multipart/form-data': { schema: ProviderSettlementForm } } },
          response: answers(Success(Type.Object({ settlementId: Uuid() }))),
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) throw fileMissing();
        const settlementId = await takeForm(request, FORM_LIMITS, (parts) =>
          takeProviderSettlement(deps, parts, request.operator.email),
        );
        return sendAnswer(reply, success('The settlement is recorded', { settlementId }));
      },
    );
  };
}
