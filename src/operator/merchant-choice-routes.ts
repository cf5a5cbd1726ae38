import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { findMerchantChoices, readMerchantChoices } from '../merchants/index.ts';
import { findPayoutTenant } from '../payout-directory/index.ts';
import { success } from '../platform/answer.ts';
import type { Queries } from '../platform/db/database.ts';
import { answers, Named, Success, Uuid } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { isUuid } from '../platform/ids.ts';
import { transactionIdOf } from '../transactions/index.ts';
import type { OperatorDeps } from './deps.ts';
import { listOwnersOfNumber } from './queries.ts';
import { OneOf } from './schemas.ts';

const ChoiceQuery = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The beginnings of words of a name, an address or a registration number; a merchant’s id, an account number of a ' +
          'wallet, or our reference of a payout. Without it the newest merchants.',
        examples: ['adire'],
      }),
    ),
  },
  { additionalProperties: false },
);

const ChoicesSchema = Named(
  'MerchantChoices',
  Type.Object({
    merchants: Type.Array(
      Type.Object({
        merchantId: Uuid(),
        businessName: Type.String(),
        email: Type.String(),
        status: OneOf(['PENDING', 'ACTIVE', 'SUSPENDED'] as const),
      }),
      { description: 'Up to 20, by name.' },
    ),
  }),
);

/** A whole reference leads to its merchant. Any other text is searched as words. */
async function choicesOf(queries: Queries, search: string) {
  const typed = search.trim();
  if (isUuid(typed)) return readMerchantChoices(queries, [typed]);
  const payoutId = transactionIdOf(typed);
  if (payoutId !== undefined) {
    const tenant = await findPayoutTenant(queries, payoutId);
    return tenant === undefined ? [] : readMerchantChoices(queries, [tenant.merchantId]);
  }
  const found = await findMerchantChoices(queries, typed);
  if (found.length > 0 || !/^\d{10}$/.test(typed)) return found;
  const owners = await queries.query(listOwnersOfNumber, [typed]);
  return readMerchantChoices(
    queries,
    owners.map(({ merchant_id }) => merchant_id),
  );
}

/** Merchants to choose from, wherever one is named. */
export function merchantChoiceRoutes({ database }: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/merchant-choice',
      {
        config: { access: { operator: true } },
        schema: {
          tags: ['Operator: merchants'],
          operationId: 'listMerchantChoices',
          summary: 'Merchants to choose from, by what was typed',
          querystring: ChoiceQuery,
          response: answers(Success(ChoicesSchema)),
        },
      },
      async (request, reply) => {
        const found = await choicesOf(database, request.query.search ?? '');
        const merchants = found.map(({ id, business_name, email, status }) => ({
          merchantId: id,
          businessName: business_name,
          email,
          status,
        }));
        return sendAnswer(reply, success('Success', { merchants }));
      },
    );
  };
}
