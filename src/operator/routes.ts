import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { addRoutes } from '../platform/http/add-routes.ts';
import { announcementRoutes } from './announcement-routes.ts';
import { operatorAuditRoutes } from './audit-routes.ts';
import { bankHolidayRoutes } from './bank-holiday-routes.ts';
import { complianceRoutes } from './compliance-routes.ts';
import { dailyCloseRoutes } from './daily-close-routes.ts';
import type { OperatorDeps } from './deps.ts';
import { disputeProposalRoutes } from './dispute-proposal-routes.ts';
import { disputeRoutes } from './dispute-routes.ts';
import { feeRoutes } from './fee-routes.ts';
import { figureRoutes } from './figure-routes.ts';
import { floatRoutes } from './float-routes.ts';
import { operatorInboundRoutes } from './inbound-payment-routes.ts';
import { manualCreditRoutes } from './manual-credit-routes.ts';
import { merchantChoiceRoutes } from './merchant-choice-routes.ts';
import { decisionRoutes, merchantRoutes } from './merchant-routes.ts';
import { merchantSettlementRoutes } from './merchant-settlement-routes.ts';
import { availabilityRoutes, limitRoutes } from './merchant-terms-routes.ts';
import { outcomeEvidenceRoutes, outcomeRoutes } from './outcome-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { operatorPayoutRoutes } from './payout-routes.ts';
import { providerSettlementRoutes } from './provider-settlement-routes.ts';
import { railRoutes } from './rail-routes.ts';
import { receivableRoutes } from './receivable-routes.ts';
import { operatorRefundRoutes } from './refund-routes.ts';
import { reserveOperatorRoutes } from './reserve-routes.ts';
import { retentionRoutes } from './retention-routes.ts';
import { screeningRoutes } from './screening-routes.ts';
import { settlementFetchRoutes } from './settlement-fetch-routes.ts';
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
    await addRoutes(
      app,
      overviewRoutes(deps, verification),
      figureRoutes(deps),
      merchantChoiceRoutes(deps),
      merchantRoutes(deps),
      decisionRoutes(deps),
      supportViewRoutes(deps),
      announcementRoutes(deps),
      limitRoutes(deps),
      availabilityRoutes(deps),
      reserveOperatorRoutes(deps),
      feeRoutes(deps),
      railRoutes(deps),
      floatRoutes(deps),
      operatorPayoutRoutes(deps),
      outcomeRoutes(deps),
      operatorRefundRoutes(deps),
      outcomeEvidenceRoutes(deps),
      manualCreditRoutes(deps),
      operatorInboundRoutes(deps),
      suspenseRoutes(deps),
      complianceRoutes(deps),
      tierRoutes(deps),
      screeningRoutes(deps),
      disputeProposalRoutes(deps),
      disputeRoutes(deps),
      virtualAccountRoutes(deps),
      settlementRoutes(deps),
      providerSettlementRoutes(deps),
      merchantSettlementRoutes(deps),
      bankHolidayRoutes(deps),
      settlementFetchRoutes(deps),
      receivableRoutes(deps),
      dailyCloseRoutes(deps),
      webhookRoutes(deps),
      verificationRoutes(verification),
      retentionRoutes(deps),
      operatorAuditRoutes(deps),
    );
  };
}
