import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Queries } from '../platform/db/database.ts';
import { CountedPage, countedPageView } from '../platform/http/counted-page.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Failure, offsetOf, pageRequest, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { csvOfLog } from './csv-of-log.ts';
import { readAudit } from './read-audit.ts';
import { AuditCsvQuery, AuditEntrySchema, AuditQuery, CsvFile } from './schemas.ts';
import { auditView } from './views.ts';

const TAGS = ['Dashboard: audit log'];
const access = { scope: null, permission: 'audit:read', beforeApproval: true } as const;

/** Who did what in a merchant's name, in both modes. Nothing here changes it, and nothing elsewhere. */
export function auditRoutes({ database }: { database: Queries }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit',
      {
        config: { access },
        schema: {
          tags: TAGS,
          summary: 'Who did what, newest first',
          querystring: AuditQuery,
          response: answers(Success(CountedPage(AuditEntrySchema))),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { person: personId, action, outcome, once } = request.query;
        const page = pageRequest(request.query);
        const filter = { merchantId, personId, action, outcome, once, ...parsePeriod(request.query) };
        const found = await readAudit(database, filter, { offset: offsetOf(page), limit: page.size });
        const { total, rows, mostCounted } = found;
        return sendAnswer(
          reply,
          success('Success', countedPageView(page, total, rows.map(auditView), { mostCounted })),
        );
      },
    );
    app.get(
      '/audit.csv',
      {
        config: { access },
        schema: {
          tags: TAGS,
          summary: 'The same as a file for a spreadsheet',
          querystring: AuditCsvQuery,
          response: { 200: CsvFile, '4xx': Failure, '5xx': Failure },
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        const { person: personId, action, outcome, once } = request.query;
        const filter = { merchantId, personId, action, outcome, once, ...parsePeriod(request.query) };
        const pieces = csvOfLog(database, filter, async (rows) => rows.map(auditView));
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="audit.csv"')
          .send(Readable.from(pieces));
      },
    );
  };
}
