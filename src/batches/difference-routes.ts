import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { success } from '../platform/answer.ts';
import { answers, DateTime, Money, Named, Nullable, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { listRequest } from '../platform/lists/list.ts';
import { ListPage, listQuery } from '../platform/lists/schemas.ts';
import { DIFFERENCES } from './difference-queries.ts';
import { createBatchDifferences, type DifferenceDeps, readDifference, readDifferences } from './difference-views.ts';
import { BatchParams } from './schemas.ts';

const comparedWith = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      'Reference of the earlier bulk payout. Left out, the one that this was made from, or else the last that was paid and ' +
      'has at least half of its accounts.',
  }),
);

const DifferenceQuery = Type.Object({ to: comparedWith }, { additionalProperties: false });

const differenceKind = (description: string) => Type.Enum([...DIFFERENCES], { description });

const ListDifferencesQuery = Type.Object(
  { ...listQuery(), to: comparedWith, kind: Type.Optional(differenceKind('Only those of this kind.')) },
  { additionalProperties: false },
);

/** The sum of invalid rows has no upper bound. */
const Sum = (of: string) => Nullable(Money(`${of} Null from 70 trillion on, which JSON cannot say to the kobo.`));

const side = (which: string) =>
  Type.Object({
    rows: Type.Integer({ description: `Rows of the ${which} list.` }),
    amount: Sum('What they come to.'),
  });

const DifferenceSchema = Named(
  'BatchDifference',
  Type.Object({
    batchReference: Type.String(),
    version: Type.Integer({ description: 'Of the bulk payout that is compared.' }),
    earlier: Nullable(
      Type.Object(
        {
          batchReference: Type.String(),
          fileName: Nullable(Type.String()),
          dispatchedAt: Nullable(DateTime()),
          chosenBy: Type.Enum(['GIVEN', 'REPEATED', 'LIKE'], {
            description: 'Named by `to`, the one that this was made from, or the last one like it.',
          }),
        },
        { description: 'What it is compared with; null where there is nothing like it.' },
      ),
    ),
    before: side('earlier'),
    now: side('compared'),
    kinds: Type.Array(
      Type.Object({
        kind: differenceKind(
          'CHANGED_ACCOUNT: one name, another account; UNCLEAR: a name stands for more than one account, so nothing is ' +
            'concluded from it.',
        ),
        count: Type.Integer({ description: 'Accounts. A changed account counts once.' }),
        amountBefore: Sum('Of the earlier list.'),
        amountNow: Sum('Of the compared list.'),
      }),
      { description: 'Each kind once, also where there is nothing of it. Together they are both lists.' },
    ),
  }),
);

const Side = Named(
  'BatchDifferenceSide',
  Type.Object({
    itemId: Uuid('The first row of the account.'),
    position: Type.Integer({ description: 'Of that row.' }),
    rows: Type.Integer({ description: 'Rows to this account, which are added up.' }),
    amount: Sum('Of all of them.'),
    bankCode: Type.String(),
    bankName: Type.String({ description: 'Empty until the bank is known.' }),
    accountNumber: Type.String(),
    accountName: Type.String({ description: 'As the bank has it; empty until it said so.' }),
    givenName: Nullable(Type.String({ description: 'As you gave it.' })),
  }),
);

const DifferenceItemSchema = Named(
  'BatchDifferenceItem',
  Type.Object({
    kind: differenceKind('What became of the account between the two lists.'),
    before: Nullable(Side),
    now: Nullable(Side),
  }),
);

const tags = ['Bulk payouts'];
const access = { scope: 'payout:read' } as const;

/** What differs between an earlier list and another. */
export function differenceRoutes({ database }: Pick<DifferenceDeps, 'database'>): FastifyPluginAsyncTypebox {
  const deps: DifferenceDeps = { database, differences: createBatchDifferences() };
  return async (app) => {
    app.get(
      '/payout/bulk/:batchReference/difference',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND'] },
        schema: {
          tags,
          operationId: 'getBulkPayoutDifference',
          summary: 'What differs between a bulk payout and an earlier one',
          description:
            'People who are new or gone, amounts and accounts that have changed, with counts and sums. Compared by bank and ' +
            'account number, then by name.',
          params: BatchParams,
          querystring: DifferenceQuery,
          response: answers(Success(DifferenceSchema)),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { batchReference } = request.params;
        const found = await readDifference(deps, { tenant, batchReference, to: request.query.to });
        return sendAnswer(reply, success('Success', found));
      },
    );
    app.get(
      '/payout/bulk/:batchReference/difference/item',
      {
        config: { access, errorCodes: ['BATCH_NOT_FOUND', 'BATCH_NOTHING_TO_COMPARE'] },
        schema: {
          tags,
          operationId: 'listBulkPayoutDifferences',
          summary: 'The accounts that differ between a bulk payout and an earlier one',
          description: 'Changed accounts first, then what is not clear. Filter by `kind`.',
          params: BatchParams,
          querystring: ListDifferencesQuery,
          response: answers(Success(ListPage(DifferenceItemSchema))),
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const { to, kind } = request.query;
        const wanted = { tenant, batchReference: request.params.batchReference, to, kind };
        return sendAnswer(reply, success('Success', await readDifferences(deps, wanted, listRequest(request.query))));
      },
    );
  };
}
