import { AppError } from '../platform/errors.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { SettlementDeps } from './deps.ts';
import type { NothingCode } from './errors.ts';
import { type Making, makeSettlement } from './make-settlement.ts';
import { type Planning, planSettlement } from './plan-settlement.ts';
import { leaseSchedule, type ScheduleRow } from './schedule-queries.ts';
import { listSettledWallets, updateWalletStatesResult, type WalletStateRow } from './wallet-queries.ts';
import { readSettledWallet } from './wallet-settings.ts';

/** A settlement is planned this often, where money moved or another settlement was made at the same moment. */
const PLANS = 4;
const PLAN_ANEW: ReadonlySet<string> = new Set(['INSUFFICIENT_FUNDS', 'MERCHANT_SETTLEMENT_MOVED_ON']);

/**
 * Plans a settlement of a wallet and makes it. The plan is of one moment, and the books decide under their lock: where
 * the wallet holds less by then, or the settlement of this number exists, it is planned again.
 * @returns why there is none, where nothing is to be settled.
 * @throws AppError as `makeSettlement`
 */
export async function settleWallet(
  deps: SettlementDeps,
  planning: Planning,
  making: Making,
): Promise<{ nothing: NothingCode | null }> {
  for (let plans = 1; ; plans += 1) {
    const plan = await planSettlement(deps, planning);
    if ('nothing' in plan) return plan;
    try {
      await makeSettlement(deps, plan, making);
      return { nothing: null };
    } catch (error) {
      const isPassing = error instanceof AppError && PLAN_ANEW.has(error.code);
      if (!isPassing || plans >= PLANS) throw error;
    }
  }
}

/** A merchant's turn that this worker has until it is due. */
export type LeasedSchedule = ScheduleRow & { due_at: Date };

/** Wallets between two checks of the lease. */
const SLICE = 25;

/**
 * Settles the wallets of a merchant's stores and subaccounts that are to be settled, in the turn of the merchant. Each
 * fails alone: it is settled in the next turn. The lease of the turn is renewed meanwhile.
 * @param leaseMs how long it is renewed for
 * @returns how many were made, until when this worker has the turn, and other errors; undefined where another worker
 *   has the turn now.
 */
export async function settleChildren(
  deps: SettlementDeps,
  { schedule, settings, rule, cutOff }: Omit<Planning, 'walletId' | 'schedule'> & { schedule: LeasedSchedule },
  making: Making,
  leaseMs: number,
): Promise<{ made: number; until: Date; failure: unknown } | undefined> {
  const { merchant_id, mode } = schedule;
  let until = schedule.due_at;
  let made = 0;
  let failure: unknown;
  for (let after = NIL_ID; ; ) {
    const wallets = await deps.database.query(listSettledWallets, [merchant_id, mode, after, SLICE]);
    for (const state of wallets) {
      try {
        const planning = { tenant: making.tenant, settings, rule, cutOff };
        if (await settleChild(deps, state, planning, { ...making, leasedUntil: until })) made += 1;
      } catch (error) {
        failure ??= error;
      }
    }
    const last = wallets.at(-1);
    if (last === undefined || wallets.length < SLICE) return { made, until, failure };
    after = last.wallet_id;
    const longer = new Date(deps.clock.now().getTime() + leaseMs);
    const kept = await deps.database.query(leaseSchedule, [merchant_id, mode, until, longer]);
    if (kept.length === 0) return undefined;
    until = longer;
  }
}

async function settleChild(
  deps: SettlementDeps,
  state: WalletStateRow,
  planning: Omit<Planning, 'walletId' | 'schedule'>,
  making: Making,
): Promise<boolean> {
  const { merchant_id, mode, wallet_id } = state;
  const settled = await readSettledWallet(deps.database, making.tenant, wallet_id);
  if (settled === undefined) return false;
  const settings = { ...planning.settings, keep_minor: settled.settings.keep_minor };
  const result = await resultOf(deps, { ...planning, walletId: wallet_id, schedule: settled.state, settings }, making);
  const row = { merchant_id, mode, wallet_id, result, updated_at: deps.clock.now() };
  await deps.database.run(updateWalletStatesResult, [row]);
  return result === null;
}

/** Null where it was settled; otherwise the reason, for programs. */
async function resultOf(deps: SettlementDeps, planning: Planning, making: Making): Promise<string | null> {
  try {
    return (await settleWallet(deps, planning, making)).nothing;
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'refused' || error.kind === 'not_found')) return error.code;
    throw error;
  }
}
