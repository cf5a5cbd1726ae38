import { countKeysWithoutMaker } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { decidersNeeded, type Rules } from './approval-rules.ts';
import { listDeciders } from './decide-approval.ts';
import { approversMissing } from './errors.ts';

/** What rules of approval rest on, now. */
export interface RulesInForce {
  /** People who may decide. */
  deciders: number;
  /** Keys of this mode that pay, and behind which nobody stands who would be kept from approving. */
  keysWithoutMaker: number;
}

export async function readRulesInForce(
  { queries, clock }: { queries: Queries; clock: Clock },
  tenant: Tenant,
): Promise<RulesInForce> {
  const [deciders, keysWithoutMaker] = await Promise.all([
    listDeciders(queries, tenant.merchantId),
    countKeysWithoutMaker({ queries, clock }, tenant),
  ]);
  return { deciders: deciders.size, keysWithoutMaker };
}

/** @throws AppError 422 `APPROVERS_MISSING` where fewer people can decide than the rules need. */
export async function requireDeciders(database: Database, merchantId: string, rules: Rules): Promise<void> {
  const needed = decidersNeeded(rules);
  if (needed === 0) return;
  const { size } = await listDeciders(database, merchantId);
  if (size < needed) throw approversMissing(needed, size);
}
