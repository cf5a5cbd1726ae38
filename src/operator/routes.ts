import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operatorAuditRoutes } from './audit/routes.ts';
import type { OperatorDeps } from './deps.ts';
import { feeRoutes } from './fees/routes.ts';
import { floatRoutes } from './float/routes.ts';
import { limitRoutes } from './limits/routes.ts';
import { decisionRoutes } from './merchants/decision-routes.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { outcomeEvidenceRoutes } from './outcomes/evidence-routes.ts';
import { outcomeRoutes } from './outcomes/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { railRoutes } from './rails/routes.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { verificationRoutes } from './verification/routes.ts';
import type { Verification } from './verification/verification.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Everything that the operator's staff do in their pages. Register it behind `guardOperatorRoutes`. */
export function operatorRoutes(deps: OperatorDeps, verification: Verification): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(overviewRoutes(deps, verification));
    await app.register(merchantRoutes(deps));
    await app.register(decisionRoutes(deps));
    await app.register(limitRoutes(deps));
    await app.register(feeRoutes(deps));
    await app.register(railRoutes(deps));
    await app.register(floatRoutes(deps));
    await app.register(outcomeRoutes(deps));
    await app.register(outcomeEvidenceRoutes(deps));
    await app.register(settlementRoutes(deps));
    await app.register(webhookRoutes(deps));
    await app.register(verificationRoutes(verification));
    await app.register(operatorAuditRoutes(deps));
  };
}
