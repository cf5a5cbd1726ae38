import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { type NotOpenRow, readNotOpen, retryAccount } from '../virtual-accounts/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import { ModeName, OneOf } from './schemas.ts';

const TAGS = ['Operator: money in'];

const ListNotOpenQuery = Type.Object(
  {
    state: Type.Optional(
      OneOf(
        ['FAILED', 'WAITING'] as const,
        'FAILED: refused. WAITING: requested ten or more minutes ago and not open.',
      ),
    ),
    merchantId: Type.Optional(Uuid('Only those of this merchant.')),
    mode: Type.Optional(ModeName()),
    ...listQuery(),
  },
  { additionalProperties: false },
);

const NotOpenSchema = Named(
  'AccountNotOpen',
  Type.Object({
    virtualAccountId: Uuid('Without its hyphens, our reference at the provider.'),
    merchantId: Uuid(),
    businessName: Nullable(Type.String()),
    mode: ModeName(),
    walletId: Uuid(),
    walletName: Type.String({ description: 'The name of the wallet’s account.' }),
    customerId: Nullable(Uuid('Whose it is; null: the wallet’s own.')),
    customerName: Nullable(Type.String()),
    rail: Type.String({ examples: ['monnify'], description: 'The provider account.' }),
    state: OneOf(['FAILED', 'WAITING'] as const),
    reason: Nullable(Type.String({ examples: ['KYC_MISSING'], description: 'For programs.' })),
    message: Nullable(Type.String({ description: 'The same, for people.' })),
    attempts: Type.Integer({ minimum: 0, description: 'How often the provider was asked.' }),
    requestedAt: DateTime(),
    nextAttemptAt: Nullable(DateTime('When the provider is asked next; null where it refused.')),
    updatedAt: DateTime('When it was asked last.'),
  }),
);

const RetryAccountBody = Type.Object(
  { merchantId: Uuid(), mode: ModeName(), virtualAccountId: Uuid() },
  { additionalProperties: false },
);

const RetriedAccountSchema = Named(
  'RetriedAccount',
  Type.Object({
    result: OneOf(
      ['ASKED_NOW', 'REQUESTED'] as const,
      'ASKED_NOW: the provider is asked at once, under the same reference. REQUESTED: there is a new request.',
    ),
  }),
);

function notOpenView(row: NotOpenRow, names: ReadonlyMap<string, string>) {
  return {
    virtualAccountId: row.id,
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    walletId: row.wallet_id,
    walletName: row.wallet_account_name,
    customerId: row.customer_id,
    customerName: row.holder_name,
    rail: row.rail,
    state: row.status === 'FAILED' ? 'FAILED' : 'WAITING',
    reason: row.reason,
    message: row.message,
    attempts: row.attempts,
    requestedAt: row.requested_at.toISOString(),
    nextAttemptAt: row.due_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Account numbers that a provider refused or does not open: the wallets or customers cannot be paid to, or pay. */
export function virtualAccountRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/virtual-account',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'listAccountsNotOpen',
          summary:
            'Account numbers of wallets and customers that could not be opened, or wait for long; what was asked for first',
          querystring: ListNotOpenQuery,
          response: answers(Success(ListPage(NotOpenSchema))),
        },
      },
      async (request, reply) => {
        const { state, merchantId, mode } = request.query;
        const found = await readNotOpen(deps, { state, merchantId, mode }, listRequest(request.query));
        const names = await readNamesOf(deps.database, found.rows);
        const page = listView(found, (row) => notOpenView(row, names));
        return sendAnswer(reply, success('Success', page));
      },
    );
    app.post(
      '/operator/virtual-account/retry',
      {
        config: { access: { operator: true } },
        schema: {
          tags: TAGS,
          operationId: 'retryAccount',
          summary: 'Have the provider asked again for an account number that is not open',
          body: RetryAccountBody,
          response: answers(Success(RetriedAccountSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId, mode, virtualAccountId } = request.body;
        const { personId } = request.operator;
        const result = await retryAccount(deps, { tenant: { merchantId, mode }, virtualAccountId, personId });
        request.auditSubject = { result };
        deps.wake();
        return sendAnswer(reply, success('The account number is asked for again', { result }));
      },
    );
  };
}
