import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { announcementRoutes } from './announcement-routes.ts';
import { operatorAuditRoutes } from './audit-routes.ts';
import { complianceRoutes } from './compliance-routes.ts';
import type { OperatorDeps } from './deps.ts';
import { feeRoutes } from './fee-routes.ts';
import { figureRoutes } from './figure-routes.ts';
import { floatRoutes } from './float-routes.ts';
import { operatorInboundRoutes } from './inbound-payment-routes.ts';
import { manualCreditRoutes } from './manual-credit-routes.ts';
import { merchantChoiceRoutes } from './merchant-choice-routes.ts';
import { decisionRoutes, merchantRoutes } from './merchant-routes.ts';
import { availabilityRoutes, limitRoutes } from './merchant-terms-routes.ts';
import { outcomeEvidenceRoutes, outcomeRoutes } from './outcome-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { operatorPayoutRoutes } from './payout-routes.ts';
import { providerSettlementRoutes } from './provider-settlement-routes.ts';
import { railRoutes } from './rail-routes.ts';
import { screeningRoutes } from './screening-routes.ts';
import { settlementRoutes } from './settlement-routes.ts';
import { supportViewRoutes } from './support-view-routes.ts';
import { suspenseRoutes } from './suspense-routes.ts';
import { tierRoutes } from './tier-routes.ts';
import { type Verification, verificationRoutes } from './verification-routes.ts';
import { virtualAccountRoutes } from './virtual-account-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Everything that the operator's staff do in their pages. Register it behind `guardOperatorRoutes`. */
export function operatorRoutes(deps: OperatorDeps, verification: Verification): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(overviewRoutes(deps, verification));
    await app.register(figureRoutes(deps));
    await app.register(merchantChoiceRoutes(deps));
    await app.register(merchantRoutes(deps));
    await app.register(decisionRoutes(deps));
    await app.register(supportViewRoutes(deps));
    await app.register(announcementRoutes(deps));
    await app.register(limitRoutes(deps));
    await app.register(availabilityRoutes(deps));
    await app.register(feeRoutes(deps));
    await app.register(railRoutes(deps));
    await app.register(floatRoutes(deps));
    await app.register(operatorPayoutRoutes(deps));
    await app.register(outcomeRoutes(deps));
    await app.register(outcomeEvidenceRoutes(deps));
    await app.register(manualCreditRoutes(deps));
    await app.register(operatorInboundRoutes(deps));
    await app.register(suspenseRoutes(deps));
    await app.register(complianceRoutes(deps));
    await app.register(tierRoutes(deps));
    await app.register(screeningRoutes(deps));
    await app.register(virtualAccountRoutes(deps));
    await app.register(settlementRoutes(deps));
    await app.register(providerSettlementRoutes(deps));
    await app.register(webhookRoutes(deps));
    await app.register(verificationRoutes(verification));
    await app.register(operatorAuditRoutes(deps));
  };
}
