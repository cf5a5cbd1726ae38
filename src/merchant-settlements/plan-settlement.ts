import { quotePayout } from '../fees/index.ts';
import { type EntryRange, eachTransactionOfCodes, findReach, readCodeSums, readEntryBound } from '../ledger/index.ts';
import { readLeftOfDay, readPayoutLimit } from '../limits/index.ts';
import type { Currency } from '../money/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { SettlementDeps } from './deps.ts';
import type { NothingCode } from './errors.ts';
import { type KindSums, kindOf, netOf, PAYOUT_CODES, sumsByKind, totalOf } from './line-kinds.ts';
import { findLastSettlement, findLastSettlementOfWallet, listServicePurposes } from './queries.ts';
import type { ScheduleRow, SettingsRow, SettlementRule } from './schedule-queries.ts';

/** What is to be settled, and how it is computed from the books. Amounts in kobo. */
export interface Plan {
  number: number;
  range: EntryRange;
  openingMinor: bigint;
  closingMinor: bigint;
  sums: KindSums;
  netMinor: bigint;
  carriedInMinor: bigint;
  amountMinor: bigint;
  /** What has to stay available in the wallet, which is decided under its lock. */
  keepMinor: bigint;
  /** What cannot be settled now and is carried to the next settlement, unless a refund or a dispute takes it. */
  carriedOutMinor: bigint;
}

export interface Planning {
  tenant: Tenant;
  /** The merchant's own, or that of a store or subaccount. */
  walletId: string;
  /** Where the settlements of this wallet begin. */
  schedule: Pick<ScheduleRow, 'first_sequence' | 'first_balance_minor'>;
  settings: Pick<SettingsRow, 'minimum_minor' | 'keep_minor'>;
  rule: Pick<SettlementRule, 'minimumMinor'>;
  /** What was booked before this time is settled; undefined: all that is there. */
  cutOff: Date | undefined;
}

/**
 * Computes what a settlement would bring to the bank: the sum of collections in the wallet's entries since the last
 * one, with what that one carried, and no more than the available balance less what stays. Ranges follow each other
 * without a gap, so an entry is in one settlement, and opening, lines and closing add up.
 */
export async function planSettlement(
  deps: SettlementDeps,
  planning: Planning,
): Promise<Plan | { nothing: NothingCode }> {
  const { tenant, walletId, schedule, settings, rule } = planning;
  const key = [tenant.merchantId, tenant.mode];
  const [[newest], [last], bound, { perPayoutMinor, perDayMinor }, leftMinor] = await Promise.all([
    deps.database.query(findLastSettlement, key),
    deps.database.query(findLastSettlementOfWallet, [...key, walletId]),
    readEntryBound(deps.database, tenant, walletId, planning.cutOff),
    readPayoutLimit(deps, tenant),
    readLeftOfDay(deps, tenant, deps.clock.now()),
  ]);
  const opening = last
    ? { sequence: last.upto_sequence, balanceMinor: last.closing_minor }
    : { sequence: schedule.first_sequence, balanceMinor: schedule.first_balance_minor };
  const closing = bound.sequence > opening.sequence ? bound : opening;
  const range = { accountId: walletId, afterSequence: opening.sequence, upToSequence: closing.sequence };
  const sums = await readSums(deps.database, tenant, range);
  if (opening.balanceMinor + totalOf(sums) !== closing.balanceMinor) {
    throw new Error(`the entries of wallet ${walletId} behind ${range.afterSequence} do not come to its balance`);
  }
  const netMinor = netOf(sums);
  const carriedInMinor = last?.carried_out_minor ?? 0n;
  const dueMinor = carriedInMinor + netMinor;
  if (dueMinor <= 0n) return { nothing: 'NOTHING_COLLECTED' };
  // Read after the sums: what came in meanwhile is not in them.
  const { availableMinor, reachMinor } = await readReach(deps, tenant, range, dueMinor);
  const boundMinor = least(dueMinor, availableMinor - settings.keep_minor);
  const leastMinor = greatest(rule.minimumMinor, settings.minimum_minor);
  const rules = await deps.fees.listRules();
  const chargesOf = (amountMinor: bigint) =>
    quotePayout(rules, { amountMinor, currency: CURRENCY, purpose: 'SETTLEMENT', at: deps.clock.now() }).chargesMinor;
  const fits = largestAmount(boundMinor, chargesOf);
  // No payout may exceed the limits of a payout and of a day: the rest is carried to another day. Where the day has nothing
  // left that may be settled, the payout is refused by the limit, and settlements wait for the next day.
  const allowedMinor = leastOf(fits, perPayoutMinor, perDayMinor);
  const amountMinor =
    leftMinor !== null && leftMinor >= leastMinor && leftMinor > chargesOf(leftMinor)
      ? least(allowedMinor, leftMinor)
      : allowedMinor;
  if (amountMinor < leastMinor) {
    if (fits >= leastMinor) return { nothing: 'LIMIT_BELOW_MINIMUM' };
    return { nothing: boundMinor < dueMinor ? 'BALANCE_TOO_LOW' : 'BELOW_MINIMUM' };
  }
  return {
    number: (newest?.number ?? 0) + 1,
    range,
    openingMinor: opening.balanceMinor,
    closingMinor: closing.balanceMinor,
    sums,
    netMinor,
    carriedInMinor,
    amountMinor,
    keepMinor: settings.keep_minor,
    carriedOutMinor: least(dueMinor, reachMinor) - amountMinor - chargesOf(amountMinor),
  };
}

/**
 * What is available in the wallet, and what refunds and disputes hold beside it, or took after the range: that part is
 * carried, as the next net lacks it or has it again. What the merchant spent or holds for other purposes is not
 * carried. All is read at one moment. Most wallets have what is due, and nothing more is read for them.
 */
async function readReach(
  deps: SettlementDeps,
  tenant: Tenant,
  { accountId, upToSequence: afterSequence }: EntryRange,
  dueMinor: bigint,
): Promise<{ availableMinor: bigint; reachMinor: bigint }> {
  const { availableMinor } = await deps.ledger.readBalance(tenant, accountId);
  if (availableMinor >= dueMinor) return { availableMinor, reachMinor: availableMinor };
  const [found] = await deps.database.query(findReach, [tenant.merchantId, tenant.mode, accountId]);
  if (found === undefined) throw new Error(`there is no wallet ${accountId}`);
  const behind = await readSums(deps.database, tenant, { accountId, afterSequence, upToSequence: found.sequence });
  const takenMinor = greatest(-netOf(behind), 0n);
  return {
    availableMinor: found.available_minor,
    reachMinor: found.available_minor + found.held_minor + takenMinor,
  };
}

const CURRENCY: Currency = DEFAULT_CURRENCY;

/**
 * The largest amount that fits into `boundMinor` with its charges, or nearly: where charges step up just there, a
 * little less. Below one kobo nothing fits.
 */
function largestAmount(boundMinor: bigint, chargesOf: (amountMinor: bigint) => bigint): bigint {
  if (boundMinor <= 0n) return 0n;
  // Charges grow with the amount, so those of the whole are enough for less.
  const least = boundMinor - chargesOf(boundMinor);
  if (least <= 0n) return 0n;
  const more = boundMinor - chargesOf(least);
  return more + chargesOf(more) <= boundMinor ? more : least;
}

/** The sums of the entries of a range, by kind of line. */
async function readSums(queries: Queries, tenant: Tenant, range: EntryRange): Promise<KindSums> {
  const codes = await readCodeSums(queries, tenant, range);
  const plain = codes.map((sum) => ({ ...sum, kind: kindOf(sum.code, undefined) }));
  if (!codes.some(({ code }) => code.startsWith(PAYOUT_CODES))) return sumsByKind(plain);
  const moved = [];
  for await (const some of eachTransactionOfCodes(queries, tenant, range, PAYOUT_CODES)) {
    const purposes = await readPurposes(
      queries,
      tenant,
      some.map(({ transaction_id }) => transaction_id),
    );
    for (const sum of some) {
      const purpose = purposes.get(sum.transaction_id);
      if (purpose === undefined) continue;
      // Moves them out of the merchant's own payouts, into their own kind.
      moved.push({ ...sum, kind: kindOf(sum.code, undefined), entries: -sum.entries, amount_minor: -sum.amount_minor });
      moved.push({ ...sum, kind: kindOf(sum.code, purpose) });
    }
  }
  return sumsByKind([...plain, ...moved]);
}

/** The purposes of those of these transactions that are payouts made by the service. */
export async function readPurposes(
  queries: Queries,
  { merchantId, mode }: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listServicePurposes, [merchantId, mode, [...new Set(ids)]]);
  return new Map(rows.map(({ id, purpose }) => [id, purpose]));
}

const leastOf = (amountMinor: bigint, ...limits: readonly (bigint | null)[]): bigint =>
  limits.reduce<bigint>((amount, limit) => (limit === null ? amount : least(amount, limit)), amountMinor);
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
