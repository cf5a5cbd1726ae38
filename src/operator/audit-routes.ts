import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  csvOfLog,
  OperatorAuditCsvQuery,
  OperatorAuditEntrySchema,
  OperatorAuditQuery,
  operatorAuditView,
  readAudit,
} from '../audit/index.ts';
import { success } from '../platform/answer.ts';
import type { Queries } from '../platform/db/database.ts';
import { makeExport } from '../platform/exports.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';

const TAGS = ['Operator: audit log'];

type Rows = Awaited<ReturnType<typeof readAudit>>['rows'];

/** Who did what, in the logs of all merchants and in the operator's own. */
export function operatorAuditRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  async function see(queries: Queries, rows: Rows) {
    const names = await readNamesOf(queries, rows);
    return rows.map((row) => operatorAuditView(row, names));
  }

  return async (app) => {
    app.get(
      '/operator/audit',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listOperatorAuditEntries',
          summary: 'Who did what, of all merchants and of the operator, newest first',
          querystring: OperatorAuditQuery,
          response: answers(Success(ListPage(OperatorAuditEntrySchema))),
        },
      },
      async (request, reply) => {
        const { merchantId, person: personId, action, category, outcome, once } = request.query;
        const filter = { merchantId, personId, action, category, outcome, once, ...parsePeriod(request.query) };
        const found = await readAudit(database.reading, filter, listRequest(request.query));
        const seen = await see(database, found.rows);
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (_row, at) => seen[at]),
          ),
        );
      },
    );
    app.get(
      '/operator/audit.csv',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'downloadOperatorAuditLog',
          summary: 'The same as a file for a spreadsheet',
          querystring: OperatorAuditCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId, person: personId, action, category, outcome, once } = request.query;
        const filter = { merchantId, personId, action, category, outcome, once, ...parsePeriod(request.query) };
        const lines = (queries: Queries) => csvOfLog(queries, filter, (rows) => see(queries, rows));
        const file = await makeExport(database, request.operator.personId, lines, { gone: goneSignal(reply) });
        return sendExport(reply, 'audit.csv', file);
      },
    );
  };
}
