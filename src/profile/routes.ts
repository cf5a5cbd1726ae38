import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answerCommand, baseUrlOf, nameOfCaller } from '../access/index.ts';
import { MerchantChangesSchema, MerchantSchema } from '../merchants/index.ts';
import { documentLinks } from '../onboarding/index.ts';
import { success } from '../platform/answer.ts';
import { answers, type EventTypes, Success, Uuid } from '../platform/http/schemas.ts';
import { MAX_LONG_BODY_BYTES, sendAnswer } from '../platform/http/server.ts';
import { type UpdateProfileDeps, updateProfile } from './update-profile.ts';
import { readProfile } from './views.ts';

/** `publicUrl` as `baseUrlOf` has it. */
export type ProfileRoutesDeps = UpdateProfileDeps & { publicUrl: string | undefined };

export function profileRoutes(deps: ProfileRoutesDeps): FastifyPluginAsyncTypebox {
  /** People open documents by their session, where their role allows that. */
  function linksFor(request: FastifyRequest): (address: string) => string {
    const { member, tenant } = request.principal;
    if (member !== null) return (address) => address;
    return documentLinks(deps, { merchantId: tenant.merchantId, baseUrl: baseUrlOf(request, deps.publicUrl) });
  }

  return async (app) => {
    app.get(
      '/merchant/info',
      {
        config: { access: { scope: 'merchant:read', beforeApproval: true } },
        schema: {
          tags: ['Merchant'],
          operationId: 'getMerchant',
          summary: 'The merchant: profile, wallet and enabled services',
          description: 'The same for sandbox and live, but for the wallet, which is that of the mode.',
          response: answers(Success(MerchantSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readProfile(deps, request.principal.tenant, linksFor(request)))),
    );
    app.patch(
      '/merchant/info',
      {
        config: { access: { scope: 'merchant:write', audit: 'SETTINGS' }, errorCodes: ['LIVE_KEY_REQUIRED'] },
        bodyLimit: MAX_LONG_BODY_BYTES,
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
            linkTo: linksFor(request),
            idempotency: request.idempotency,
          }),
        ),
    );
  };
}

export const profileEvents: EventTypes = {
  'merchant.updated': {
    summary: 'Webhook addresses or contact fields were changed.',
    data: Type.Object({ merchantId: Uuid(), changes: MerchantChangesSchema }),
  },
};
