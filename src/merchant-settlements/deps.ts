import type { PayoutDeps } from '../payouts/index.ts';
import type { Tenant } from '../platform/tenant.ts';

/**
 * Why nothing of a merchant may be settled now, by another module: a dispute, a freeze. The answer is a word for
 * programs, such as `ACCOUNT_FROZEN`; undefined where nothing is against it.
 */
export type FindSettlementStop = (tenant: Tenant, at: Date) => Promise<string | undefined>;

/** What the commands of settlements need: settlements are payouts. */
export interface SettlementDeps extends PayoutDeps {
  /** All of them are asked before each settlement. */
  settlementStops: readonly FindSettlementStop[];
}
