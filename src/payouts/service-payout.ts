import type { Cleared } from '../approvals/index.ts';
import type { PayoutPurpose } from '../fees/index.ts';
import { joinParts, type MovementParts } from '../ledger/index.ts';
import { dayLimitUsage } from '../limits/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Wallet } from '../wallets/index.ts';
import { dedupeNow, readWindows } from './dedupe-keys.ts';
import type { PayoutDeps } from './deps.ts';
import { makeHolds } from './holds.ts';
import { newPayoutParts } from './new-payout-parts.ts';
import { queuedPayout } from './payout-record.ts';
import type { PayoutRecord } from './queries.ts';
import { type PreparedSingle, prepareSingle } from './single-payout.ts';

/** A payout that the service makes by itself for a merchant. The module that makes it found out the account. */
interface ServicePayout {
  tenant: Tenant;
  amountMinor: bigint;
  bankCode: string;
  accountNumber: string;
  narration: string;
  purpose: PayoutPurpose;
  /** The wallet of a store or subaccount; the main wallet unless given. */
  wallet?: Wallet | undefined;
}

export type PreparedServicePayout = PreparedSingle;

/**
 * Checks the limit of one payout, asks the bank for the owner and prices it by the rules in force now. Writes nothing.
 * Duplicates are not refused: each such payout is for a purpose of its own.
 * @throws AppError as `prepareSingle`.
 */
export function prepareServicePayout(deps: PayoutDeps, payout: ServicePayout): Promise<PreparedServicePayout> {
  const { wallet, ...asked } = payout;
  const input = {
    ...asked,
    phoneNumber: undefined,
    reference: undefined,
    metadata: null,
    scenario: null,
    allowDuplicate: true,
  };
  return prepareSingle(deps, input, deps.clock.now(), wallet);
}

/**
 * Parts of the movement that makes it: they count it against the day's limit, hold amount and charges, and leave it to
 * the worker like any payout. The movement has the payout's id.
 * @param keepMinor what has to stay available in the wallet: decided under its lock
 */
export async function servicePayoutParts(
  deps: PayoutDeps,
  { payout: accepted, accounts, quote }: PreparedServicePayout,
  cleared: Cleared,
  keepMinor = 0n,
): Promise<{ payout: PayoutRecord; parts: MovementParts }> {
  const { merchant_id: merchantId, mode, amount_minor: amountMinor, created_at: at } = accepted;
  const tenant = { merchantId, mode };
  const [{ countedOn, limitUsages }, windows] = await Promise.all([
    dayLimitUsage(deps, tenant, amountMinor, at),
    readWindows(deps, tenant),
  ]);
  const { holds, transfers: all } = makeHolds(accounts, accepted.id, quote);
  const transfers = keepMinor === 0n ? all : all.map((transfer) => ({ ...transfer, keepMinor }));
  const payout = queuedPayout({ ...accepted, ...holds, counted_on: countedOn }, cleared);
  const parts = joinParts(
    { reservations: cleared.reservations, limitUsages, transfers },
    newPayoutParts(payout, 'payout.queued'),
    dedupeNow(payout, at, windows),
  );
  return { payout, parts };
}
