import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { acceptForms, FORM_OVERHEAD_BYTES, takeForm } from '../platform/http/forms.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView as pageView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import {
  endList,
  type ListRow,
  MAX_LIST_BYTES,
  readLists,
  type Screening,
  type ScreeningResult,
} from '../screening/index.ts';
import type { OperatorDeps } from './deps.ts';
import { fileMissing } from './file-form.ts';
import { DONE, Done } from './schemas.ts';
import {
  EndListBody,
  ImportedListSchema,
  ImportListForm,
  ScreenBody,
  ScreeningListSchema,
  ScreeningResultSchema,
} from './screening-schemas.ts';
import { LIST_FORM_LIMITS, takeScreeningList } from './take-screening-list.ts';

const TAGS = ['Operator: screening'];

const listView = (row: ListRow) => ({
  listId: row.id,
  name: row.name,
  mode: row.mode,
  source: row.source,
  listedOn: row.listed_on,
  entries: row.entry_count,
  fileHash: row.file_hash,
  importedBy: row.imported_by,
  importedAt: row.imported_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
});

const screenedView = (result: ScreeningResult) => ({
  outcome: result.outcome,
  hits: result.outcome === 'HIT' ? [...result.hits] : [],
});

/** The names that a merchant gave, compared with the lists of live mode, for the person who reviews the merchant. */
export async function screenParties(
  screening: Screening,
  names: readonly { party: 'BUSINESS' | 'DIRECTOR' | 'OWNER'; name: string }[],
) {
  const screen = await screening.prepare();
  return names
    .filter(({ name }) => name !== '')
    .map(({ party, name }) => {
      const subject = { name, accountNumber: null, bankCode: null };
      return { party, name, result: screenedView(screen('LIVE', subject)) };
    });
}

/** The lists that payers, payees and merchants are screened against. */
export function screeningRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/screening-list',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listScreeningLists',
          summary: 'The lists, with their versions, newest first',
          querystring: Type.Object(listQuery(), { additionalProperties: false }),
          response: answers(Success(ListPage(ScreeningListSchema))),
        },
      },
      async (request, reply) => {
        const found = await readLists(deps.database, listRequest(request.query));
        return sendAnswer(reply, success('Success', pageView(found, listView)));
      },
    );
    app.post(
      '/operator/screening-list/end',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'endScreeningList',
          summary: 'End a list; what it held stays as it is',
          body: EndListBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        await endList(deps, { ...request.body, by: request.operator.email });
        return sendAnswer(reply, success('The list is in force no more', DONE));
      },
    );
    app.post(
      '/operator/screening/try',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'tryScreening',
          summary: 'What a name or an account would be like by the lists in force; nothing is held by it',
          body: ScreenBody,
          response: answers(Success(ScreeningResultSchema)),
        },
      },
      async (request, reply) => {
        const { mode, name, accountNumber = null } = request.body;
        const result = await deps.screening.screen(mode, { name, accountNumber, bankCode: null });
        return sendAnswer(reply, success('Success', screenedView(result)));
      },
    );
    await app.register(importRoutes(deps));
  };
}

/** These routes have a scope of their own, because they read a form. */
function importRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/operator/screening-list',
      {
        config: { access: { operator: true, stepUp: true, audit: 'SETTINGS' } },
        bodyLimit: MAX_LIST_BYTES + FORM_OVERHEAD_BYTES,
        // A form is validated by the handler that reads it.
        validatorCompiler: () => () => true,
        schema: {
          tags: TAGS,
          operationId: 'importScreeningList',
          summary: 'Import a version of a list (CSV), whole or not at all; the one before it ends',
          body: { content: { 'multipart/form-data': { schema: ImportListForm } } },
          response: answers(Success(ImportedListSchema)),
        },
      },
      async (request, reply) => {
        if (!request.isMultipart()) throw fileMissing();
        const imported = await takeForm(request, LIST_FORM_LIMITS, (parts) =>
          takeScreeningList(deps, parts, request.operator.email),
        );
        request.auditSubject = { listId: imported.listId };
        return sendAnswer(reply, success('The list is in force', imported));
      },
    );
  };
}
