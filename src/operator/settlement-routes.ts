import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { acceptForms, FORM_OVERHEAD_BYTES, takeForm } from '../platform/http/forms.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid, VisibleLines } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { LINE_RESULTS, LINE_STATES, readLinePage, readSettlements, resolveLine } from '../reconciliation/index.ts';
import type { OperatorDeps } from './deps.ts';
import { fileMissing } from './file-form.ts';
import { readEmails } from './lookups.ts';
import { DONE, Done, ModeName, OneOf } from './schemas.ts';
import { FORM_LIMITS, MAX_SETTLEMENT_BYTES, resolveSome, takeSettlement } from './take-settlement-file.ts';
import { settlementLineView, settlementView } from './views.ts';

const ListSettlementsQuery = Type.Object(
  {
    needsDecision: Type.Optional(
      Type.Boolean({ description: 'Only files with a line that differs and waits for somebody.', default: false }),
    ),
    ...listQuery(),
  },
  { additionalProperties: false },
);

const SettlementParams = Type.Object({ importId: Uuid() });

const SettlementLineParams = Type.Object({ importId: Uuid(), lineId: Uuid() });

const SettlementSchema = Named(
  'Settlement',
  Type.Object({
    importId: Uuid(),
    rail: Type.String(),
    mode: ModeName(),
    merchantId: Nullable(Uuid('Whose file it is, where the rail keeps merchants apart; null is all.')),
    fileName: Type.String(),
    status: OneOf(
      ['LOADING', 'MATCHING', 'SETTLING', 'DONE'] as const,
      'An import that was cut short goes on when the same file comes again.',
    ),
    lineCount: Type.Integer(),
    periodFrom: Nullable(DateTime()),
    periodTo: Nullable(DateTime()),
    importedBy: Type.String(),
    createdAt: DateTime(),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Lines by result.',
      examples: [{ MATCHED: 120 }],
    }),
    unresolved: Type.Integer({ description: 'Lines that differ and wait for somebody.' }),
  }),
);

const ListLinesQuery = Type.Object(
  {
    state: Type.Optional(OneOf(LINE_STATES, 'OPEN: differs, and nobody has resolved it.')),
    result: Type.Optional(OneOf(LINE_RESULTS)),
    ...listQuery(),
  },
  { additionalProperties: false },
);

const SettlementLineSchema = Named(
  'SettlementLine',
  Type.Object({
    lineId: Uuid(),
    lineNumber: Nullable(Type.Integer({ description: 'Null: the file lacks it.' })),
    result: OneOf(LINE_RESULTS),
    detail: Nullable(Type.String()),
    reference: Nullable(Type.String()),
    sessionId: Nullable(Type.String()),
    kind: OneOf(['PAID', 'REVERSED', 'FAILED', 'UNCLEAR'] as const, 'What the file says became of it.'),
    statusText: Nullable(Type.String({ description: 'The words of the file.' })),
    amount: Nullable(Money('What the file says.')),
    currency: Nullable(Type.String({ examples: ['NGN'] })),
    accountNumber: Nullable(Type.String({ description: 'Whom it went to; null where the file does not say.' })),
    ourAmount: Nullable(Money('What our books say.')),
    ourStatus: Nullable(Type.String()),
    occurredAt: Nullable(DateTime()),
    merchantId: Nullable(Uuid()),
    payoutId: Nullable(Uuid()),
    settledAt: Nullable(DateTime()),
    resolution: Nullable(
      Type.Object({
        how: OneOf(['APPLIED', 'ACCEPTED', 'FOUND_LATER'] as const),
        note: Nullable(Type.String()),
        by: Nullable(Type.String()),
        at: DateTime(),
      }),
    ),
    mayApply: Type.Boolean({
      description: 'Whether the rail’s response may become ours; else it is accepted with a note.',
    }),
  }),
);

const ImportForm = Type.Object(
  {
    file: Type.Unsafe<string>({ type: 'string', format: 'binary', description: 'The rail’s CSV file.' }),
    rail: Type.String({ maxLength: 100, examples: ['sandbox'] }),
    mode: ModeName(),
    merchantId: Type.Optional(Uuid('Needed for rails that keep merchants apart.')),
    amountsInKobo: Type.Optional(Type.Boolean({ description: 'A plain amount column counts kobo, not naira.' })),
  },
  { additionalProperties: false },
);

const How = () =>
  OneOf(['APPLY', 'ACCEPT'] as const, 'APPLY: what the rail says becomes ours. ACCEPT: looked into; nothing moves.');

const Note = () =>
  Type.Union([VisibleLines({ maxLength: 1_000 }), Type.Null()], {
    description: 'What was found out; needed to accept.',
  });

const ResolveLineBody = Type.Object({ how: How(), note: Type.Optional(Note()) }, { additionalProperties: false });

const ResolveLinesBody = Type.Object(
  { result: OneOf(LINE_RESULTS), how: How(), note: Type.Optional(Note()) },
  { additionalProperties: false },
);

const ResolvedLinesSchema = Named(
  'ResolvedLines',
  Type.Object({
    resolved: Type.Integer(),
    refused: Type.Array(Type.Object({ lineId: Uuid(), code: Type.String(), message: Type.String() }), {
      description: 'Those that cannot be resolved so, at most 100 of them.',
    }),
    left: Type.Integer({ description: 'Still open with this result; ask again to go on.' }),
  }),
);

/** Decisions of people about lines that differ. Both kinds may move money: the password is asked for again. */
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
        const found = await readSettlements(database, request.query, listRequest(request.query));
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
          found.rows.map(({ resolved_by }) => resolved_by),
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
    await addRoutes(app, resolutionRoutes(deps));
    await app.register(importRoutes(deps));
  };
}

/** These routes have a scope of their own, because they read a form. */
function importRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    await acceptForms(app);
    app.post(
      '/operator/settlement',
      {
        config: { access: { operator: true } },
        bodyLimit: MAX_SETTLEMENT_BYTES + FORM_OVERHEAD_BYTES,
        // A form is validated by the handler that reads it.
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
        if (!request.isMultipart()) throw fileMissing();
        const importId = await takeForm(request, FORM_LIMITS, (parts) =>
          takeSettlement(deps, parts, request.operator.email),
        );
        return sendAnswer(reply, success('The file is imported', { importId }));
      },
    );
  };
}
