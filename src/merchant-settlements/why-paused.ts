import { isApproved, type ReviewedAccount, readReviewedAccount, requireMerchant } from '../merchants/index.ts';
import { readGivenAccount } from '../onboarding/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { SettlementDeps } from './deps.ts';
import { listRules, ruleAt } from './rules.ts';
import type { SettlementRule } from './schedule-queries.ts';

/** The account to settle to, and the operator's terms; or why nothing is settled now. */
export type PauseCheck =
  | { paused: string; until: Date | null; account: ReviewedAccount | undefined }
  | { paused: null; account: ReviewedAccount; rule: SettlementRule };

/**
 * Whether a merchant's collections may go to its bank now. Live money goes to the account that the operator accepted,
 * and to a new one only after the cooling-off of the rule that was in force when it was accepted. That is real time,
 * also in a sandbox: both modes have one profile, and real people review it.
 */
export async function checkPause(
  deps: Pick<SettlementDeps, 'database' | 'clock' | 'settlementStops'>,
  tenant: Tenant,
): Promise<PauseCheck> {
  const now = deps.clock.now();
  const [merchant, rules, account] = await Promise.all([
    requireMerchant(deps.database, tenant.merchantId),
    listRules(deps.database),
    findAccount(deps.database, tenant),
  ]);
  const rule = ruleAt(rules, tenant, now);
  const paused = (reason: string, until: Date | null = null): PauseCheck => ({ paused: reason, until, account });
  if (merchant.status === 'SUSPENDED') return paused('MERCHANT_SUSPENDED');
  if (tenant.mode === 'LIVE' && !isApproved(merchant)) return paused('MERCHANT_NOT_APPROVED');
  if (!rule.isEnabled) return paused('SETTLEMENT_SWITCHED_OFF');
  if (account === undefined) return paused('SETTLEMENT_ACCOUNT_MISSING');
  const { changedAt } = account;
  if (changedAt !== null) {
    const until = new Date(changedAt.getTime() + ruleAt(rules, tenant, changedAt).coolingOffSeconds * 1000);
    if (now < until) return paused('SETTLEMENT_ACCOUNT_CHANGED', until);
  }
  for (const findStop of deps.settlementStops) {
    const stop = await findStop(tenant, now);
    if (stop !== undefined) return paused(stop);
  }
  return { paused: null, account, rule };
}

/** In the sandbox, a merchant that nobody has reviewed yet settles to the account that it gave. */
async function findAccount(queries: Queries, { merchantId, mode }: Tenant): Promise<ReviewedAccount | undefined> {
  const reviewed = await readReviewedAccount(queries, merchantId);
  if (reviewed !== undefined || mode === 'LIVE') return reviewed;
  const given = await readGivenAccount(queries, merchantId);
  return given && { ...given, changedAt: null };
}
