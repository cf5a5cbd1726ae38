import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readReceivables } from '../daily-close/index.ts';
import { success } from '../platform/answer.ts';
import { documentAnswersOf, sendDocument } from '../platform/http/documents.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { marginsCsv, readMargins } from '../provider-settlements/index.ts';
import { requireDay } from './daily-close-routes.ts';
import { MarginsSchema, PeriodQuery, ReceivablesSchema } from './daily-close-schemas.ts';
import { marginView, receivableView } from './daily-close-views.ts';
import type { OperatorDeps } from './deps.ts';

const TAGS = ['Operator: receivables'];

/** @throws AppError 400 `VALIDATION_FAILED` */
const periodOf = ({ mode, from, to }: { mode: 'LIVE' | 'SANDBOX'; from: string; to: string }) => ({
  mode,
  fromDay: requireDay(from, 'from'),
  toDay: requireDay(to, 'to'),
});

/** The debts of providers, and their cost. */
export function receivableRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/receivable-statement',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getReceivableStatement',
          summary: 'What each provider owes over a period, from the ledger, and what of it nobody has explained',
          querystring: PeriodQuery,
          response: answers(Success(ReceivablesSchema)),
        },
      },
      async (request, reply) => {
        const receivables = (await readReceivables(deps, periodOf(request.query))).map(receivableView);
        return sendAnswer(reply, success('Success', { receivables }));
      },
    );
    app.get(
      '/operator/provider-margin',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listProviderMargins',
          summary: 'What providers kept beside what they had said and what we charged, by day, account and channel',
          querystring: PeriodQuery,
          response: answers(Success(MarginsSchema)),
        },
      },
      async (request, reply) => {
        const margins = (await readMargins(deps, periodOf(request.query))).map(marginView);
        return sendAnswer(reply, success('Success', { margins }));
      },
    );
    app.get(
      '/operator/provider-margin.csv',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'downloadProviderMargins',
          summary: 'The same as CSV',
          querystring: PeriodQuery,
          response: documentAnswersOf('The file, to save.', ['text/csv']),
        },
      },
      async (request, reply) => {
        const { fromDay, toDay, mode } = periodOf(request.query);
        const content = Buffer.from(marginsCsv(await readMargins(deps, { mode, fromDay, toDay })));
        const fileName = `provider-margins-${fromDay}-${toDay}.csv`;
        return sendDocument(reply, { fileName, contentType: 'text/csv; charset=utf-8', content });
      },
    );
  };
}
