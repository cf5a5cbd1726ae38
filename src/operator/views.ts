import {
  type CollectionCharges,
  type FeeChange,
  type FeeRule,
  type PayoutPurpose,
  planFeeChange,
  type Quote,
  quoteCollection,
  quotePayout,
} from '../fees/index.ts';
import type { PayoutLimitRow } from '../limits/index.ts';
import { DEFAULT_CURRENCY, toNumber, toNumberIfExact, toNumberOrNull } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Mode } from '../platform/tenant.ts';
import type { NamedRail, RailAccountSummary } from '../rail-accounts/index.ts';
import type { PaymentChannel } from '../rails/index.ts';
import type { FloatCheckRow, LineRow, SettlementSummary } from '../reconciliation/index.ts';
import type { MerchantReserveRow, ReserveRule } from '../reserves/index.ts';

export function feeRuleView(rule: FeeRule, now: Date) {
  return {
    ruleId: rule.id,
    kind: rule.kind,
    currency: rule.currency,
    minAmount: toNumber(rule.minAmountMinor),
    maxAmount: toNumberOrNull(rule.maxAmountMinor),
    flat: toNumber(rule.flatMinor),
    rateBasisPoints: rule.rateBasisPoints,
    cap: toNumberOrNull(rule.capMinor),
    channel: rule.channel,
    payer: rule.payer,
    exemptPurposes: rule.exemptPurposes,
    rounding: rule.rounding,
    effectiveFrom: rule.effectiveFrom.toISOString(),
    effectiveTo: rule.effectiveTo?.toISOString() ?? null,
    source: rule.source,
    state: stateOf(rule, now),
  };
}

/** Whether a dated row is in force, ended or still to come. */
function stateOf(
  { effectiveFrom, effectiveTo }: Pick<FeeRule, 'effectiveFrom' | 'effectiveTo'>,
  now: Date,
): 'AHEAD' | 'IN_FORCE' | 'ENDED' {
  if (effectiveTo !== null && effectiveTo <= now) return 'ENDED';
  return effectiveFrom > now ? 'AHEAD' : 'IN_FORCE';
}

export function feePreviewView({ at, begins, lines }: FeePreview) {
  return {
    at: at.toISOString(),
    begins: begins.toISOString(),
    lines: lines.map(({ amountMinor, before, after, collectionBefore, collectionAfter }) => ({
      amount: toNumber(amountMinor),
      before: before && chargesView(before),
      after: after && chargesView(after),
      difference: before === null || after === null ? null : toNumber(after.chargesMinor - before.chargesMinor),
      collectionBefore: collectionBefore && collectionView(amountMinor, collectionBefore),
      collectionAfter: collectionAfter && collectionView(amountMinor, collectionAfter),
    })),
  };
}

function chargesView(quote: Quote) {
  return {
    fee: toNumber(quote.feeMinor),
    vat: toNumber(quote.vatMinor),
    stampDuty: toNumber(quote.stampDutyMinor),
    charges: toNumber(quote.chargesMinor),
    total: toNumber(quote.totalMinor),
  };
}

function collectionView(amountMinor: bigint, { feeMinor, vatMinor }: CollectionCharges) {
  return { fee: toNumber(feeMinor), vat: toNumber(vatMinor), net: toNumber(amountMinor - feeMinor - vatMinor) };
}

type Verdict = 'AGREES' | 'EXPLAINED_BY_HELD' | 'EXPLAINED_BY_RECEIVABLES' | 'RAILS_HAVE_LESS' | 'RAILS_HAVE_MORE';

export function floatCheckView(row: FloatCheckRow, names: ReadonlyMap<string, string>) {
  return {
    checkId: row.id,
    rails: row.rails.split(', '),
    mode: row.mode,
    merchantId: row.merchant_id,
    businessName: row.merchant_id === null ? null : (names.get(row.merchant_id) ?? null),
    railBalance: toNumber(row.rail_minor),
    float: toNumber(row.float_minor),
    unsettled: toNumber(row.unsettled_minor),
    expected: toNumber(row.float_minor - row.unsettled_minor),
    held: toNumber(row.held_minor),
    receivable: toNumberOrNull(row.receivable_minor),
    difference: toNumber(row.difference_minor),
    verdict: verdictOf(row),
    checkedBy: row.checked_by,
    checkedAt: row.checked_at.toISOString(),
  };
}

/**
 * The verdict on a float. Money that is held may have left already, and money that providers owe may have come. Any
 * other difference is wrong.
 */
function verdictOf({ difference_minor, held_minor, receivable_minor }: FloatCheckRow): Verdict {
  if (difference_minor === 0n) return 'AGREES';
  if (difference_minor > 0n) {
    return difference_minor <= (receivable_minor ?? 0n) ? 'EXPLAINED_BY_RECEIVABLES' : 'RAILS_HAVE_MORE';
  }
  return difference_minor >= -held_minor ? 'EXPLAINED_BY_HELD' : 'RAILS_HAVE_LESS';
}

export function limitRowView(row: PayoutLimitRow, names: ReadonlyMap<string, string>, now: Date) {
  return {
    limitId: row.id,
    merchantId: row.merchantId,
    businessName: row.merchantId === null ? null : (names.get(row.merchantId) ?? null),
    mode: row.mode,
    perPayout: toNumberOrNull(row.perPayoutMinor),
    perDay: toNumberOrNull(row.perDayMinor),
    duplicateWindowSeconds: row.duplicateWindowSeconds,
    effectiveFrom: row.effectiveFrom.toISOString(),
    effectiveTo: row.effectiveTo?.toISOString() ?? null,
    source: row.source,
    state: stateOf(row, now),
  };
}

interface RailFacts {
  rail: NamedRail;
  account: RailAccountSummary | undefined;
  lastCheck: FloatCheckRow | undefined;
}

export function railView({ rail, account, lastCheck }: RailFacts) {
  return {
    railId: rail.name,
    provider: rail.provider,
    mode: rail.mode,
    builtIn: account === undefined,
    active: account?.active ?? rail.active,
    openToMerchants: account?.openToMerchants ?? rail.openToMerchants,
    priority: account?.priority ?? null,
    baseUrl: account?.baseUrl ?? null,
    circuit: rail.circuit,
    opens: account?.opens ?? rail.opens,
    lastBalance: lastCheck === undefined ? null : railBalanceView(lastCheck.rail_minor, lastCheck.checked_at),
  };
}

export function railBalanceView(amountMinor: bigint, at: Date) {
  return { amount: toNumber(amountMinor), at: at.toISOString() };
}

/** The default rail of a mode. The built-in one is used where nobody set a default. */
export function defaultView(mode: Mode, accounts: readonly RailAccountSummary[]) {
  const named = (priority: 'FIRST' | 'SECOND') =>
    accounts.find((account) => account.mode === mode && account.priority === priority)?.name ?? null;
  return { mode, first: named('FIRST'), second: named('SECOND') };
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function settlementView({ settlement, counts, unresolved }: SettlementSummary) {
  return {
    importId: settlement.id,
    rail: settlement.rail,
    mode: settlement.mode,
    merchantId: settlement.merchant_id,
    fileName: settlement.file_name,
    status: settlement.status,
    lineCount: settlement.line_count,
    periodFrom: iso(settlement.period_from),
    periodTo: iso(settlement.period_to),
    importedBy: settlement.imported_by,
    createdAt: settlement.created_at.toISOString(),
    counts,
    unresolved,
  };
}

/** `people`: addresses by id of those who resolved. */
export function settlementLineView(line: LineRow, people: ReadonlyMap<string, string>) {
  return {
    lineId: line.id,
    lineNumber: line.line_number,
    result: line.result,
    detail: line.detail,
    reference: line.reference,
    sessionId: line.session_id,
    kind: line.kind,
    statusText: line.status_text,
    amount: toNumberOrNull(line.amount_minor),
    currency: line.currency,
    accountNumber: line.account_number,
    ourAmount: toNumberOrNull(line.our_amount_minor),
    ourStatus: line.our_status,
    occurredAt: iso(line.occurred_at),
    merchantId: line.merchant_id,
    payoutId: line.payout_id,
    settledAt: iso(line.settled_at),
    resolution: resolutionView(line, people),
    mayApply: line.resolved_at === null && (line.result === 'STATUS_DIFFERS' || line.result === 'LATE_REVERSAL'),
  };
}

function resolutionView(line: LineRow, people: ReadonlyMap<string, string>) {
  const { resolved_at, resolved_how, resolved_note, resolved_by } = line;
  if (resolved_at === null) return null;
  const by = resolved_by === null ? null : (people.get(resolved_by) ?? resolved_by);
  return { how: resolved_how, note: resolved_note, by, at: resolved_at.toISOString() };
}

interface FeePreview {
  at: Date;
  begins: Date;
  lines: {
    amountMinor: bigint;
    before: Quote | null;
    after: Quote | null;
    /** The charges of a payment in of this amount. */
    collectionBefore: CollectionCharges | null;
    collectionAfter: CollectionCharges | null;
  }[];
}

/** What a change of fees would make of some amounts, in minor units. Changes nothing. @throws AppError as `planFeeChange`. */
export function previewFees(
  present: readonly FeeRule[],
  change: FeeChange,
  asked: {
    amountsMinor: readonly bigint[];
    at: Date | undefined;
    purpose: PayoutPurpose | undefined;
    /** How payments in are paid. Null where nobody says. */
    channel: PaymentChannel | null;
    now: Date;
  },
): FeePreview {
  const plan = planFeeChange(present, change, asked.now);
  const at = asked.at ?? plan.from;
  const price = (rules: readonly FeeRule[], amountMinor: bigint) =>
    orNull(() => quotePayout(rules, { amountMinor, currency: 'NGN', purpose: asked.purpose, at }));
  const collection = (rules: readonly FeeRule[], amountMinor: bigint) =>
    orNull(() => quoteCollection(rules, { amountMinor, currency: 'NGN', channel: asked.channel, at }));
  const lines = asked.amountsMinor.map((amountMinor) => ({
    amountMinor,
    before: price(present, amountMinor),
    after: price(plan.rules, amountMinor),
    collectionBefore: collection(present, amountMinor),
    collectionAfter: collection(plan.rules, amountMinor),
  }));
  return { at, begins: plan.from, lines };
}

function orNull<Priced>(price: () => Priced): Priced | null {
  try {
    return price();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

type Names = ReadonlyMap<string, string>;

/** How much of payments in is kept, by one rule. */
export function reserveRuleView(rule: ReserveRule, names: Names) {
  const { id, merchantId, mode, channel, rateBasisPoints, days, effectiveFrom, source } = rule;
  return {
    ruleId: id,
    merchantId,
    businessName: merchantId === null ? null : (names.get(merchantId) ?? null),
    ...{ mode, channel, rateBasisPoints, days },
    effectiveFrom: effectiveFrom.toISOString(),
    source,
  };
}

/** What is kept of one merchant, in naira. */
export function reserveTotalView(row: MerchantReserveRow, names: Names) {
  return {
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    amount: toNumberIfExact(row.amount_minor),
    payments: row.payments,
    nextReleaseOn: row.next_release_on,
    currency: DEFAULT_CURRENCY,
  };
}
