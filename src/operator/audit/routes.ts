import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  CsvFile,
  csvOfLog,
  OperatorAuditCsvQuery,
  OperatorAuditEntrySchema,
  OperatorAuditQuery,
  operatorAuditView,
  readAudit,
} from '../../audit/index.ts';
import { readMerchantNames } from '../../merchants/index.ts';
import { success } from '../../platform/answer.ts';
import { CountedPage, countedPageView } from '../../platform/http/counted-page.ts';
import { parsePeriod } from '../../platform/http/period.ts';
import { answers, Failure, offsetOf, pageRequest, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import type { OperatorDeps } from '../deps.ts';

const TAGS = ['Operator: audit log'];

type Rows = Awaited<ReturnType<typeof readAudit>>['rows'];

/** Who did what, whoever's log it is in, the operator's own among them. */
export function operatorAuditRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  async function see(rows: Rows) {
    const names = await readMerchantNames(
      database,
      rows.map(({ merchant_id }) => merchant_id),
    );
    return rows.map((row) => operatorAuditView(row, names));
  }

  return async (app) => {
    app.get(
      '/operator/audit',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          summary: 'Who did what, of all merchants and of the operator, newest first',
          querystring: OperatorAuditQuery,
          response: answers(Success(CountedPage(OperatorAuditEntrySchema))),
        },
      },
      async (request, reply) => {
        const { merchantId, person: personId, action, outcome, once } = request.query;
        const page = pageRequest(request.query);
        const filter = { merchantId, personId, action, outcome, once, ...parsePeriod(request.query) };
        const found = await readAudit(database, filter, { offset: offsetOf(page), limit: page.size });
        const { total, rows, mostCounted } = found;
        return sendAnswer(reply, success('Success', countedPageView(page, total, await see(rows), { mostCounted })));
      },
    );
    app.get(
      '/operator/audit.csv',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          summary: 'The same as a file for a spreadsheet',
          querystring: OperatorAuditCsvQuery,
          response: { 200: CsvFile, '4xx': Failure, '5xx': Failure },
        },
      },
      async (request, reply) => {
        const { merchantId, person: personId, action, outcome, once } = request.query;
        const filter = { merchantId, personId, action, outcome, once, ...parsePeriod(request.query) };
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="audit.csv"')
          .send(Readable.from(csvOfLog(database, filter, see)));
      },
    );
  };
}
