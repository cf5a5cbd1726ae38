import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { success } from '../platform/answer.ts';
import { addRoutes } from '../platform/http/add-routes.ts';
import { answers, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { documentRoutes } from './document-routes.ts';
import { type ReadinessDeps, readLiveReadiness } from './live-readiness.ts';
import {
  basicChanges,
  businessChanges,
  directorChanges,
  type SettlementDeps,
  saveSettlementAccount,
  saveStep,
  submitOnboarding,
  type Verification,
} from './save-step.ts';
import {
  BasicDetailsBody,
  BusinessDetailsBody,
  DirectorDetailsBody,
  LiveReadinessSchema,
  OnboardingSchema,
  SettlementAccountBody,
} from './schemas.ts';
import type { DocumentDeps } from './store-document.ts';
import { readOnboarding } from './views.ts';

export type OnboardingRoutesDeps = DocumentDeps & SettlementDeps & ReadinessDeps;

const tags = ['Dashboard: onboarding'];
const mayEdit = { access: { scope: null, permission: 'profile:manage', beforeApproval: true } } as const;
const response = answers(Success(OnboardingSchema));

const SETTLEMENT_WORDS: Record<Verification, string> = {
  VERIFIED: 'Saved, with the name that the bank gave',
  UNVERIFIED: 'Saved. No bank could be asked whose account this is, so the reviewers will.',
  PARTIAL: 'Saved',
};

/** Every save answers with the whole review, so that a page shows what is left without asking again. */
export function onboardingRoutes(deps: OnboardingRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/onboarding',
      {
        config: { access: { scope: null, permission: 'member:read', beforeApproval: true } },
        schema: {
          tags,
          operationId: 'getOnboarding',
          summary: 'How far the review of the business is, and what is missing',
          response,
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readOnboarding(deps, request.principal.tenant.merchantId))),
    );
    app.get(
      '/onboarding/live',
      {
        config: { access: { scope: null, permission: 'member:read', beforeApproval: true } },
        schema: {
          tags,
          operationId: 'getLiveReadiness',
          summary: 'What is missing before the first live payment in and the first live payout',
          response: answers(Success(LiveReadinessSchema)),
        },
      },
      async (request, reply) =>
        sendAnswer(reply, success('Success', await readLiveReadiness(deps, request.principal.tenant.merchantId))),
    );
    app.post(
      '/onboarding/submit',
      {
        config: mayEdit,
        schema: { tags, operationId: 'submitOnboarding', summary: 'Submit the details for review', response },
      },
      async (request, reply) => {
        const { tenant, member } = request.principal;
        await submitOnboarding(deps, { merchantId: tenant.merchantId, actor: member?.email ?? 'merchant' });
        const data = await readOnboarding(deps, tenant.merchantId);
        return sendAnswer(reply, success('Your details were submitted for review', data));
      },
    );
    await addRoutes(app, stepRoutes(deps));
    await app.register(documentRoutes(deps));
  };
}

function stepRoutes(deps: OnboardingRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const saved = async (merchantId: string, message = 'Saved') =>
      success(message, await readOnboarding(deps, merchantId));
    app.patch(
      '/onboarding/basic-details',
      {
        config: mayEdit,
        schema: {
          tags,
          operationId: 'updateBasicDetails',
          summary: 'Save details of the business',
          body: BasicDetailsBody,
          response,
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        await saveStep(deps, merchantId, basicChanges(request.body));
        return sendAnswer(reply, await saved(merchantId));
      },
    );
    app.patch(
      '/onboarding/business-details',
      {
        config: mayEdit,
        schema: {
          tags,
          operationId: 'updateBusinessDetails',
          summary: 'Save registration and address',
          body: BusinessDetailsBody,
          response,
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        await saveStep(deps, merchantId, businessChanges(request.body));
        return sendAnswer(reply, await saved(merchantId));
      },
    );
    app.patch(
      '/onboarding/director-details',
      {
        config: mayEdit,
        schema: {
          tags,
          operationId: 'updateDirectorDetails',
          summary: 'Save details of a director',
          body: DirectorDetailsBody,
          response,
        },
      },
      async (request, reply) => {
        const { merchantId } = request.principal.tenant;
        await saveStep(deps, merchantId, directorChanges(deps, merchantId, request.body));
        return sendAnswer(reply, await saved(merchantId));
      },
    );
    app.patch(
      '/onboarding/settlement-account',
      {
        config: mayEdit,
        schema: {
          tags,
          operationId: 'updateSettlementAccount',
          summary: 'Save the account that settlements go to',
          body: SettlementAccountBody,
          response,
        },
      },
      async (request, reply) => {
        const { tenant } = request.principal;
        const verification = await saveSettlementAccount(deps, tenant, request.body);
        return sendAnswer(reply, await saved(tenant.merchantId, SETTLEMENT_WORDS[verification]));
      },
    );
  };
}
