import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { makeExport } from '../platform/exports.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvAnswers, goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import { confidentialActions, type Disclosures } from './disclosure.ts';
import { AuditCsvQuery, AuditEntrySchema, AuditQuery } from './schemas.ts';
import { auditView, csvOfLog, readAuditOfMerchant } from './views.ts';

const TAGS = ['Dashboard: audit log'];
const access = { scope: null, permission: 'audit:read', beforeApproval: true } as const;

interface AuditRoutesDeps {
  database: Database;
  /** What a merchant reads of each operation of the operator's. */
  disclosures(): Promise<Disclosures>;
}

/**
 * Who did what in a merchant's name, in both modes. Nothing here changes it, and nothing elsewhere. In a support view the
 * operator's staff read what the merchant does: all of it is on their own pages.
 */
export function auditRoutes({ database, disclosures }: AuditRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'listAuditEntries',
          summary: 'Who did what, newest first',
          querystring: AuditQuery,
          response: answers(Success(ListPage(AuditEntrySchema))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { person: personId, action, category, outcome, once } = request.query;
        const known = await disclosures();
        const named = { merchantId, personId, action, category, outcome, once, ...parsePeriod(request.query) };
        const filter = { ...named, hidden: confidentialActions(known) };
        const asked = { ...listRequest(request.query), gone: goneSignal(reply) };
        const found = await readAuditOfMerchant(database, filter, asked);
        return sendAnswer(
          reply,
          success(
            'Success',
            listView(found, (row) => auditView(row, known)),
          ),
        );
      },
    );
    app.get(
      '/audit.csv',
      {
        config: { access },
        schema: {
          tags: TAGS,
          operationId: 'downloadAuditLog',
          summary: 'The same as a file for a spreadsheet',
          querystring: AuditCsvQuery,
          response: csvAnswers,
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { person: personId, action, category, outcome, once } = request.query;
        const known = await disclosures();
        const named = { merchantId, personId, action, category, outcome, once, ...parsePeriod(request.query) };
        const filter = { ...named, hidden: confidentialActions(known) };
        const lines = (queries: Queries) =>
          csvOfLog(queries, filter, async (rows) => rows.map((row) => auditView(row, known)));
        const file = await makeExport(database, merchantId, lines, { gone: goneSignal(reply) });
        return sendExport(reply, 'audit.csv', file);
      },
    );
  };
}
