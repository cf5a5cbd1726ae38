import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { parseTypedAmount } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { isDay } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { readSettlementFetches, requestSettlementFetch } from '../provider-settlements/index.ts';
import type { OperatorDeps } from './deps.ts';
import { fetchView } from './provider-settlement-views.ts';
import { ModeName, OneOf } from './schemas.ts';

const ListFetchesQuery = Type.Object(listQuery(), { additionalProperties: false });

const SettlementFetchSchema = Named(
  'SettlementFetch',
  Type.Object({
    rail: Type.String({ description: 'The provider account.' }),
    mode: ModeName(),
    reference: Type.String({ description: 'The provider’s own, of the settlement.' }),
    lumpSum: Money('What the provider says that it paid out.'),
    settledOn: Type.String({ description: 'The day on which it did.', examples: ['2026-11-20'] }),
    source: OneOf(['LIST', 'WEBHOOK', 'PERSON'] as const, 'PERSON: somebody of the operator’s asked for it.'),
    status: OneOf(
      ['WAITING', 'RECORDED', 'KNOWN'] as const,
      'WAITING: its lines are being asked for. KNOWN: somebody had imported it before.',
    ),
    attempts: Type.Integer({ description: 'How often its lines could not be read.' }),
    reason: Nullable(Type.String({ description: 'Why the last time.', examples: ['SERVICE_UNAVAILABLE'] })),
    nextAttemptAt: Nullable(DateTime()),
    settlementId: Nullable(Uuid('Under which it is recorded.')),
    notedBy: Type.String({ examples: ['system'] }),
    firstSeenAt: DateTime(),
  }),
);

const FetchBody = Type.Object(
  {
    rail: Type.String({ maxLength: 40, examples: ['monnify-live'] }),
    mode: ModeName(),
    reference: Type.String({ maxLength: 100, description: 'The provider’s own, of the settlement.' }),
    lumpSum: Type.String({ maxLength: 40, description: 'Naira that arrived.', examples: ['49850.00'] }),
    settledOn: Type.String({ maxLength: 10, description: 'The day on which it did.', examples: ['2026-11-20'] }),
  },
  { additionalProperties: false },
);

const FetchedSchema = Type.Object({ isNew: Type.Boolean({ description: 'False: it is known already.' }) });

const TAGS = ['Operator: provider settlements'];

/** Settlements that are fetched from providers. */
export function settlementFetchRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/settlement-fetch',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listSettlementFetches',
          summary: 'Settlements that providers list or report, and what became of fetching them, newest first',
          querystring: ListFetchesQuery,
          response: answers(Success(ListPage(SettlementFetchSchema))),
        },
      },
      async (request, reply) => {
        const found = await readSettlementFetches(deps.database, listRequest(request.query));
        return sendAnswer(reply, success('Success', listView(found, fetchView)));
      },
    );
    app.post(
      '/operator/settlement-fetch',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'requestSettlementFetch',
          summary: 'Ask for the lines of a settlement that no list and no webhook brought; another person applies it',
          body: FetchBody,
          response: answers(Success(FetchedSchema)),
        },
      },
      async (request, reply) => {
        const { rail, mode, reference, lumpSum, settledOn } = request.body;
        if (!isDay(settledOn)) throw invalidField('settledOn', 'must be a day such as 2026-11-20');
        const lumpMinor = parseTypedAmount(lumpSum, 'lumpSum');
        const { email } = request.operator;
        const asked = { rail, mode, reference, lumpMinor, settledOn, email };
        const isNew = await requestSettlementFetch(deps, asked);
        const said = isNew ? 'Its lines are asked for' : 'It is known already';
        return sendAnswer(reply, success(said, { isNew }));
      },
    );
  };
}
