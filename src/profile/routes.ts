import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answerCommand, nameOfCaller } from '../access/index.ts';
import { MerchantChangesSchema, MerchantSchema } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { readProfile } from './read-profile.ts';
import { type UpdateProfileDeps, updateProfile } from './update-profile.ts';

export type ProfileRoutesDeps = UpdateProfileDeps;

export function profileRoutes(deps: ProfileRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/merchant/info',
      {
        config: { access: { scope: 'merchant:read', beforeApproval: true } },
        schema: {
          tags: ['Merchant'],
          operationId: 'getMerchant',
          summary: 'The merchant: profile, wallet and enabled services',
          description:
            'The same for sandbox and live, but for the webhook address and the wallet, which are those of the mode.',
          response: answers(Success(MerchantSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readProfile(deps, request.principal.tenant))),
    );
    app.patch(
      '/merchant/info',
      {
        config: { access: { scope: 'merchant:write', audit: 'SETTINGS' }, errorCodes: ['LIVE_KEY_REQUIRED'] },
        // Three addresses of up to 2,000 characters.
        bodyLimit: 64 * 1024,
        schema: {
          tags: ['Merchant'],
          operationId: 'updateMerchant',
          summary: 'Change webhook addresses and contact fields',
          description:
            'productionWebhookURL can be changed with a live key only, and begins with https://. A webhook address is a public one: no private network, no user name, no port of another service. The empty text takes it away.',
          body: MerchantChangesSchema,
          response: answers(Success(MerchantSchema)),
        },
      },
      (request, reply) =>
        answerCommand(deps.ledger, request, reply, () =>
          updateProfile(deps, {
            tenant: request.principal.tenant,
            by: nameOfCaller(request.principal),
            changes: request.body,
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}
