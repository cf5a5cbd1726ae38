import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { acceptForms, takeForm } from '../platform/http/forms.ts';
import { answers, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { readLinePage, readSettlements, resolveLine } from '../reconciliation/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readEmails } from './lookups.ts';
import { DONE, Done } from './schemas.ts';
import {
  ImportForm,
  ListLinesQuery,
  ListSettlementsQuery,
  ResolvedLinesSchema,
  ResolveLineBody,
  ResolveLinesBody,
  SettlementLineParams,
  SettlementLineSchema,
  SettlementParams,
  SettlementSchema,
} from './settlement-schemas.ts';
import {
  FORM_LIMITS,
  MAX_SETTLEMENT_BYTES,
  resolveSome,
  settlementFileMissing,
  takeSettlement,
} from './take-settlement-file.ts';
import { settlementLineView, settlementView } from './views.ts';

/** What people make of the lines that differ. Both may move money: the password is asked for again. */
function resolutionRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/settlement/:importId/line/:lineId/resolve',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'resolveSettlementLine',
          summary: 'Apply what the rail says of one line, or accept a difference with a note',
          params: SettlementLineParams,
          body: ResolveLineBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { how, note } = request.body;
        const { personId } = request.operator;
        await resolveLine(deps, { ...request.params, how, note: note ?? null, personId });
        return sendAnswer(reply, success('The line is resolved', DONE));
      },
    );
    app.post(
      '/operator/settlement/:importId/resolve',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'resolveSettlementImport',
          summary: 'Resolve all open lines with one result, at most 500 at a time',
          params: SettlementParams,
          body: ResolveLinesBody,
          response: answers(Success(ResolvedLinesSchema)),
        },
      },
      async (request, reply) => {
        const { result, how, note } = request.body;
        const { importId } = request.params;
        const { personId } = request.operator;
        const resolved = await resolveSome(deps, result, { importId, how, note: note ?? null, personId });
        return sendAnswer(reply, success(`${resolved.resolved} lines are resolved`, resolved));
      },
    );
  };
}

const TAGS = ['Operator: settlements'];
/** What a form needs around its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/** Files of the rails, compared with our books. */
export function settlementRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  const { database } = deps;
  return async (app) => {
    app.get(
      '/operator/settlement',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSettlementImports',
          summary: 'Settlement files that were imported, newest first',
          querystring: ListSettlementsQuery,
          response: answers(Success(ListPage(SettlementSchema))),
        },
      },
      async (request, reply) => {
        const found = await readSettlements(database, listRequest(request.query));
        return sendAnswer(reply, success('Success', listView(found, settlementView)));
      },
    );
    app.get(
      '/operator/settlement/:importId/line',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSettlementLines',
          summary: 'The lines of a settlement file with what came of each; what the file lacks comes last',
          params: SettlementParams,
          querystring: ListLinesQuery,
          response: answers(Success(ListPage(SettlementLineSchema))),
        },
      },
      async (request, reply) => {
        const { importId } = request.params;
        const { state = 'ALL', result = null } = request.query;
        const found = await readLinePage(database, { importId, state, result }, listRequest(request.query));
        const people = await readEmails(
          database,
          found.rows.flatMap(({ resolved_by }) => resolved_by ?? []),
        );
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (row) => settlementLineView(row, people)),
          ),
        );
      },
    );
    await app.register(resolutionRoutes(deps));
    await app.register(importRoutes(deps));
  };
}

/** In a scope of its own, because a form is read in its own way. */
function importRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/operator/settlement',
      {
        config: { access: { operator: true } },
        bodyLimit: MAX_SETTLEMENT_BYTES + FORM_OVERHEAD_BYTES,
        // A form is looked at by whoever takes it in.
        validatorCompiler: () => () => true,
        schema: {
          tags: TAGS,
          operationId: 'importSettlement',
          summary: 'Compare a rail’s settlement file (CSV) with our books, and settle what agrees',
          description: 'An import that was cut short goes on when the same file is sent again.',
          body: { content: { 'multipart/form-data': { schema: ImportForm } } },
          response: answers(Success(Type.Object({ importId: Uuid() }))),
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) throw settlementFileMissing();
        const importId = await takeForm(request, FORM_LIMITS, (parts) =>
          takeSettlement(deps, parts, request.operator.email),
        );
        return sendAnswer(reply, success('The file is imported', { importId }));
      },
    );
  };
}
