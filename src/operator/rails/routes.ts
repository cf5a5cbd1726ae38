import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireMerchant } from '../../merchants/index.ts';
import { success } from '../../platform/answer.ts';
import { answers, Success } from '../../platform/http/schemas.ts';
import { sendAnswer } from '../../platform/http/server.ts';
import {
  chooseRails,
  RailChoiceSchema,
  readRailBalance,
  setDefaultRails,
  setRailActive,
} from '../../rail-accounts/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { DONE, Done, MerchantParams } from '../schemas.ts';
import { readRails } from './read-rails.ts';
import {
  ChangeRailBody,
  ChooseRailBody,
  DefaultRailsBody,
  OperatorRailsSchema,
  RailBalanceSchema,
  RailParams,
} from './schemas.ts';
import { railBalanceView } from './views.ts';

const TAGS = ['Operator: rails'];
const KNOWN_SOON = 'Every process knows it within 5 seconds.';

export function railRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/operator/rail',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'listRails',
          summary: 'The rails, their standing and their health; never credentials',
          response: answers(Success(OperatorRailsSchema)),
        },
      },
      async (_request, reply) => sendAnswer(reply, success('Success', await readRails(deps))),
    );
    app.get(
      '/operator/rail/:railId/balance',
      {
        config: { access: { operator: true, impersonal: true } },
        schema: {
          tags: TAGS,
          operationId: 'getRailBalance',
          summary: 'Ask the provider now what is in an account',
          params: RailParams,
          response: answers(Success(RailBalanceSchema)),
        },
      },
      async (request, reply) => {
        const { availableMinor } = await readRailBalance(deps, request.params.railId);
        return sendAnswer(reply, success('Success', railBalanceView(availableMinor, deps.clock.now())));
      },
    );
    app.patch(
      '/operator/rail/:railId',
      {
        config: { access: { operator: true, fresh: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'updateRail',
          summary: 'Switch a rail off or on for new payouts',
          description: KNOWN_SOON,
          params: RailParams,
          body: ChangeRailBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        await setRailActive(deps, request.params.railId, request.body.active);
        return sendAnswer(reply, success(request.body.active ? 'The rail is on' : 'The rail is off', DONE));
      },
    );
    await app.register(railOrderRoutes(deps));
  };
}

/** Which rails pay: for merchants that chose none, and for one. */
function railOrderRoutes(deps: OperatorDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/operator/rail/default',
      {
        config: { access: { operator: true, fresh: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setDefaultRail',
          summary: 'The rails of merchants that chose none',
          description: KNOWN_SOON,
          body: DefaultRailsBody,
          response: answers(Success(Done)),
        },
      },
      async (request, reply) => {
        const { mode, first, second } = request.body;
        await setDefaultRails(deps, { mode, first, second: second ?? undefined });
        return sendAnswer(reply, success('The default is set', DONE));
      },
    );
    app.post(
      '/operator/merchant/:merchantId/rail',
      {
        config: { access: { operator: true, fresh: true, audit: 'SETTINGS' } },
        schema: {
          tags: TAGS,
          operationId: 'setMerchantRails',
          summary: 'The rails of one merchant, or back to the default',
          description: `${KNOWN_SOON} Payouts that were made before stay where they are.`,
          params: MerchantParams,
          body: ChooseRailBody,
          response: answers(Success(RailChoiceSchema)),
        },
      },
      async (request, reply) => {
        const { merchantId } = request.params;
        const { mode, first, second } = request.body;
        await requireMerchant(deps.database, merchantId);
        const tenant = { merchantId, mode };
        const { answer } = await chooseRails(deps, { tenant, first, second: second ?? undefined, by: 'OPERATOR' });
        return sendAnswer(reply, answer);
      },
    );
  };
}
