import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand } from '../access/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { type ChooseRailsDeps, chooseRails, readRailChoice } from './choose-rails.ts';
import { ChooseRailsBody, RailChoiceSchema } from './schemas.ts';

export function railRoutes(deps: ChooseRailsDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/payout/rail',
      {
        config: { access: { scope: 'payout:read', service: 'PAYOUT' } },
        schema: {
          tags: ['Payouts'],
          operationId: 'getPayoutRails',
          summary: 'Which rails pay, and which may be chosen',
          description: 'A rail is a bank or provider that the operator has connected.',
          response: answers(Success(RailChoiceSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readRailChoice(deps, request.principal.tenant))),
    );
    app.patch(
      '/payout/rail',
      {
        config: { access: { scope: 'payout:write', service: 'PAYOUT' }, errorCodes: ['RAIL_NOT_SELECTABLE'] },
        schema: {
          tags: ['Payouts'],
          operationId: 'choosePayoutRails',
          summary: 'Choose the rail, and the one to fail over to',
          description: 'For payouts made from now on, in the mode of the key.',
          body: ChooseRailsBody,
          response: answers(Success(RailChoiceSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          chooseRails(deps, {
            tenant: request.principal.tenant,
            first: request.body.first,
            second: request.body.second,
            by: 'MERCHANT',
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}
