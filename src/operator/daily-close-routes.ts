import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  closeCsv,
  type DailyCloseRow,
  drawClose,
  journalCsv,
  journalLedger,
  journalOf,
  lastDay,
  readCloses,
  readDay,
  readJournalAccounts,
  reopenClose,
  requireClose,
  setJournalAccount,
  signClose,
  signCloseSecond,
  signedFigures,
} from '../daily-close/index.ts';
import { success } from '../platform/answer.ts';
import { isDay } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { documentAnswersOf, sendDocument } from '../platform/http/documents.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage } from '../platform/lists/schemas.ts';
import {
  CloseParams,
  DailyCloseSchema,
  DayQuery,
  DocumentQuery,
  JournalAccountBody,
  JournalAccountsSchema,
  ListClosesQuery,
  ReopenBody,
  SecondBody,
  ShownDaySchema,
  SignBody,
  SignedSchema,
} from './daily-close-schemas.ts';
import { dailyCloseView, shownDayView } from './daily-close-views.ts';
import type { OperatorDeps } from './deps.ts';
import { DONE, Done } from './schemas.ts';

const TAGS = ['Operator: daily close'];

/** The close of a day: what it comes to, who signed it, and files of it. */
export function dailyCloseRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await addRoutes(app, readRoutes(deps), signRoutes(deps), journalRoutes(deps));
  };
}

/** @throws AppError 400 `VALIDATION_FAILED` */
export function requireDay(day: string, field = 'day'): string {
  if (!isDay(day)) throw invalidField(field, 'must be a day such as 2026-11-20');
  return day;
}

function readRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/daily-close',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listDailyCloses',
          summary: 'Days that were signed, those that were reopened too, the last day first',
          querystring: ListClosesQuery,
          response: answers(Success(ListPage(DailyCloseSchema))),
        },
      },
      async (request, reply) => {
        const found = await readCloses(deps.database, request.query.mode, listRequest(request.query));
        return sendAnswer(reply, success('Success', listView(found, dailyCloseView)));
      },
    );
    app.get(
      '/operator/daily-close/day',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'getClosedDay',
          summary: 'What a day comes to, as it was signed or as it would be',
          querystring: DayQuery,
          response: answers(Success(ShownDaySchema)),
        },
      },
      async (request, reply) => {
        const { mode, day = lastDay(deps) } = request.query;
        const shown = await readDay(deps, { mode, day: requireDay(day) });
        return sendAnswer(reply, success('Success', shownDayView(shown)));
      },
    );
    app.get(
      '/operator/daily-close/:closeId/document',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'downloadDailyClose',
          summary: 'A signed day as PDF or CSV, or as a journal for accounting tools',
          params: CloseParams,
          querystring: DocumentQuery,
          response: documentAnswersOf('The file, to save.', ['application/pdf', 'text/csv', 'text/plain']),
        },
      },
      async (request, reply) => {
        const close = await requireClose(deps, request.params.closeId);
        return sendDocument(reply, await documentOf(deps, close, request.query.format));
      },
    );
  };
}

async function documentOf({ database }: OperatorDeps, close: DailyCloseRow, format: string) {
  const figures = signedFigures(close);
  const name = `${close.mode === 'LIVE' ? '' : 'test-'}close-${close.day}-v${close.version}`;
  const text = (ending: string, contentType: string, content: string) => ({
    fileName: `${name}${ending}`,
    contentType,
    content: Buffer.from(content),
  });
  if (format === 'PDF') {
    return { fileName: `${name}.pdf`, contentType: 'application/pdf', content: await drawClose(close, figures) };
  }
  if (format === 'CSV') return text('.csv', 'text/csv; charset=utf-8', closeCsv(figures));
  const lines = journalOf(figures, await readJournalAccounts(database));
  return format === 'JOURNAL_CSV'
    ? text('-journal.csv', 'text/csv; charset=utf-8', journalCsv(lines))
    : text('.journal', 'text/plain; charset=utf-8', journalLedger(figures, lines));
}

/** What somebody signs, or takes back: the password is asked for again. */
function signRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/daily-close',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'signDailyClose',
          summary: 'Sign the figures of a day, as they were shown',
          body: SignBody,
          response: answers(Success(SignedSchema)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        const day = requireDay(request.body.day);
        const closeId = await signClose(deps, { ...request.body, day, personId });
        return sendAnswer(reply, success('The day is signed', { closeId }));
      },
    );
    app.post(
      '/operator/daily-close/:closeId/second-signature',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'signDailyCloseSecond',
          summary: 'Sign a close beside the one who signed it first',
          params: CloseParams,
          body: SecondBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        await signCloseSecond(deps, { ...request.params, ...request.body, personId });
        return sendAnswer(reply, success('The day has its second signature', DONE));
      },
    );
    app.post(
      '/operator/daily-close/:closeId/reopen',
      {
        config: { access: { operator: true, stepUp: true } },
        schema: {
          tags: TAGS,
          operationId: 'reopenDailyClose',
          summary: 'Say that a close counts no more: it stays as it is, and the day is signed anew as the next version',
          params: CloseParams,
          body: ReopenBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        await reopenClose(deps, { ...request.params, reason: request.body.reason, personId });
        return sendAnswer(reply, success('The day is reopened', DONE));
      },
    );
  };
}

/** What the accountant calls the accounts. */
function journalRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/journal-account',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listJournalAccounts',
          summary: 'What the accounts of the books are called in journal files',
          response: answers(Success(JournalAccountsSchema)),
        },
      },
      async (_request, reply) =>
        sendAnswer(reply, success('Success', { accounts: await readJournalAccounts(deps.database) })),
    );
    app.post(
      '/operator/journal-account',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'setJournalAccount',
          summary: 'Name an account for journal files, from now on',
          body: JournalAccountBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { personId } = request.operator;
        const { kind, rail = '', code, name } = request.body;
        await setJournalAccount(deps, { kind, rail, code, name, personId });
        return sendAnswer(reply, success('The account has this name from now on', DONE));
      },
    );
  };
}
