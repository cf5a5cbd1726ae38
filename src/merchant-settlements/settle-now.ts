import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireWalletId } from '../wallets/index.ts';
import type { SettlementDeps } from './deps.ts';
import { nothingToSettle, settlementNotSetUp, settlementPaused } from './errors.ts';
import { dayOf, makeSettlement, trySettlementAgain } from './make-settlement.ts';
import { type Planning, planSettlement } from './plan-settlement.ts';
import { requireSettlement } from './read-settlements.ts';
import { findSchedule } from './schedule-queries.ts';
import { readSettings } from './settings.ts';
import { readSettledWallet } from './wallet-settings.ts';
import { checkPause } from './why-paused.ts';

interface SettleNow {
  tenant: Tenant;
  /** The wallet of a store or subaccount; undefined: the main wallet. */
  walletId: string | undefined;
  /** A settlement that failed; undefined: what was collected since the last one. */
  settlementId: string | undefined;
  /** Who requests it. */
  by: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Settles by hand, at once: what was collected up to now, or once more a settlement that failed. The caller has checked
 * the PIN.
 * @throws AppError 404 `MERCHANT_SETTLEMENT_NOT_FOUND`, `WALLET_NOT_FOUND`; 409 `MERCHANT_SETTLEMENT_NOT_SET_UP`, `MERCHANT_SETTLEMENT_PAUSED`,
 *   `MERCHANT_SETTLEMENT_NOT_FAILED`, `MERCHANT_SETTLEMENT_OUTCOME_UNCERTAIN`, `MERCHANT_SETTLEMENT_MOVED_ON`; 422 `MERCHANT_SETTLEMENT_NOTHING_DUE`; as a payout
 */
export async function settleNow(deps: SettlementDeps, input: SettleNow): Promise<CommitResult> {
  const { tenant, walletId, settlementId, by, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  const ofWallet = await requireWalletId(deps.wallets, tenant, walletId?.toLowerCase());
  const [settings, [schedule]] = await Promise.all([
    readSettings(deps.database, tenant),
    deps.database.query(findSchedule, [tenant.merchantId, tenant.mode]),
  ]);
  const failed = settlementId === undefined ? undefined : await requireSettlement(deps.database, tenant, settlementId);
  if (settings === undefined || schedule === undefined) throw settlementNotSetUp();
  const check = await checkPause(deps, tenant);
  if (check.paused !== null) throw settlementPaused(check.paused);
  const { account, rule } = check;
  if (failed !== undefined) return trySettlementAgain(deps, failed, { account, idempotency });
  const of = await walletToSettle(deps, tenant, ofWallet, { schedule, settings });
  const plan = await planSettlement(deps, { tenant, rule, cutOff: undefined, ...of });
  if ('nothing' in plan) throw nothingToSettle(plan.nothing);
  return makeSettlement(deps, plan, {
    tenant,
    account,
    trigger: 'BY_HAND',
    businessDay: dayOf(deps.clock, schedule.ahead_seconds),
    cutOff: deps.clock.now(),
    madeBy: by,
    idempotency,
  });
}

/** The wallet, where its settlement begins, and what stays in it. */
async function walletToSettle(
  deps: SettlementDeps,
  tenant: Tenant,
  walletId: string,
  own: Pick<Planning, 'schedule' | 'settings'>,
): Promise<Pick<Planning, 'walletId' | 'schedule' | 'settings'>> {
  const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
  if (walletId === wallet.id) return { walletId, ...own };
  const settled = await readSettledWallet(deps.database, tenant, walletId);
  if (settled === undefined) throw settlementNotSetUp();
  const settings = { ...own.settings, keep_minor: settled.settings.keep_minor };
  return { walletId, schedule: settled.state, settings };
}
