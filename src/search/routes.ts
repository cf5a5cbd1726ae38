import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import type { Database } from '../platform/db/database.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { OperatorSearchSchema, SearchQuery, SearchSchema } from './schemas.ts';
import { searchMerchant, searchOperator } from './search.ts';
import { operatorSearchView, searchView } from './views.ts';

interface SearchDeps {
  database: Database;
}

export function searchRoutes(deps: SearchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/search',
      {
        config: { access: { scope: 'transaction:read' }, errorCodes: ['SEARCH_TOO_SHORT'] },
        schema: {
          tags: ['Search'],
          operationId: 'searchRecords',
          summary: 'Find payouts, payments, batches and whom they are with',
          description:
            'By a name, a part of a reference, an account number, a session id or an amount, in the mode of the key. Only what the caller may read is found.',
          querystring: SearchQuery,
          response: answers(Success(SearchSchema)),
        },
      },
      async (request, reply) => {
        const { principal, query } = request;
        return sendAnswer(reply, success('Success', searchView(await searchMerchant(deps, principal, query.q))));
      },
    );
  };
}

/** Register it behind `guardOperatorRoutes`. */
export function operatorSearchRoutes(deps: SearchDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/search',
      {
        config: { access: { operator: true } },
        schema: {
          tags: ['Operator: today'],
          operationId: 'searchAsOperator',
          summary: 'Find merchants, people, and what any merchant has under a whole reference',
          querystring: SearchQuery,
          response: answers(Success(OperatorSearchSchema)),
        },
      },
      async (request, reply) => {
        const found = await searchOperator(deps, request.query.q);
        return sendAnswer(reply, success('Success', operatorSearchView(found)));
      },
    );
  };
}
