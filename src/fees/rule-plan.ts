import type { FeeRule } from './queries.ts';

/** A time and an amount for which the rules give no single answer. */
export interface PlanFault {
  kind: FeeRule['kind'];
  problem: 'OVERLAP' | 'GAP';
  /** The rules in force there at once; for a gap the rules that end there, if any. */
  ruleIds: readonly string[];
  amountMinor: bigint;
  at: Date;
}

/** The smallest payment: a rule for less prices nothing. */
const SMALLEST_MINOR = 1n;
/** After every date: the end of a rule that has none. */
const LATER = new Date(8.64e15);

/**
 * What is wrong with a set of rules from a given time on: something is priced twice, or a payout has no transfer fee,
 * which could not be priced at all. Rules only change at their dates, and their bands are checked from the smallest
 * amount up, so nothing is missed. At most one fault of each kind and problem, the earliest.
 */
export function findPlanFaults(rules: readonly FeeRule[], from: Date): PlanFault[] {
  const faults: PlanFault[] = [];
  for (const kind of ['TRANSFER_FEE', 'VAT', 'STAMP_DUTY', 'COLLECTION_FEE'] as const) {
    // A rule of a channel comes before the one for all: only rules of the same channel can price anything twice.
    const ofKind = Map.groupBy(
      rules.filter((rule) => rule.kind === kind),
      ({ channel }) => channel,
    );
    const overlap = [...ofKind.values()]
      .flatMap((alike) => findFault(alike, kind, 'OVERLAP', from) ?? [])
      .sort((a, b) => a.at.getTime() - b.at.getTime())[0];
    // VAT, duty and a fee on collections may be absent, a transfer fee may not: a free payout is a rule of zero.
    const gap = kind === 'TRANSFER_FEE' ? findFault(ofKind.get(null) ?? [], kind, 'GAP', from) : undefined;
    for (const fault of [overlap, gap]) if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

/** For each time it goes through the bands in force once, from the smallest amount. */
function findFault(
  rules: readonly FeeRule[],
  kind: FeeRule['kind'],
  problem: PlanFault['problem'],
  from: Date,
): PlanFault | undefined {
  const bands = rules
    .filter(
      ({ effectiveTo, maxAmountMinor }) => (effectiveTo ?? LATER) > from && (maxAmountMinor ?? 1n) >= SMALLEST_MINOR,
    )
    .map((rule) => ({ rule, first: rule.minAmountMinor > SMALLEST_MINOR ? rule.minAmountMinor : SMALLEST_MINOR }))
    .toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)));
  for (const at of momentsOf(rules, from)) {
    const inForce = bands.filter(({ rule }) => rule.effectiveFrom <= at && at < (rule.effectiveTo ?? LATER));
    const amountMinor = problem === 'OVERLAP' ? firstOverlap(inForce) : firstGap(inForce);
    if (amountMinor === undefined) continue;
    const found = inForce.filter(({ rule }) => covers(rule, amountMinor));
    const ids = new Set(found.map(({ rule }) => rule.id));
    return { kind, problem, ruleIds: rules.flatMap(({ id }) => (ids.has(id) ? [id] : [])), amountMinor, at };
  }
  return undefined;
}

/** A rule, and the first amount that it prices. */
interface Band {
  rule: FeeRule;
  first: bigint;
}

/** For bands in order: the first amount that is in two of them. */
function firstOverlap(bands: readonly Band[]): bigint | undefined {
  let next: bigint | null = SMALLEST_MINOR;
  for (const { rule, first } of bands) {
    if (next === null || first < next) return first;
    next = beyond(rule);
  }
  return undefined;
}

/** For bands in order: the first amount that is in none of them. */
function firstGap(bands: readonly Band[]): bigint | undefined {
  let next = SMALLEST_MINOR;
  for (const { rule, first } of bands) {
    if (first > next) return next;
    const end = beyond(rule);
    if (end === null) return undefined;
    if (end > next) next = end;
  }
  return next;
}

/** The first amount above a band; null for one without an end. */
const beyond = ({ maxAmountMinor }: FeeRule): bigint | null => (maxAmountMinor === null ? null : maxAmountMinor + 1n);

function covers({ minAmountMinor, maxAmountMinor }: FeeRule, amountMinor: bigint): boolean {
  return minAmountMinor <= amountMinor && (maxAmountMinor === null || amountMinor <= maxAmountMinor);
}

/** The times at which a rule begins or ends, in order. */
function momentsOf(rules: readonly FeeRule[], from: Date): Date[] {
  const times = rules.flatMap(({ effectiveFrom, effectiveTo }) => [
    effectiveFrom.getTime(),
    effectiveTo?.getTime() ?? effectiveFrom.getTime(),
  ]);
  const later = times.filter((time) => time > from.getTime());
  return [...new Set([from.getTime(), ...later])].sort((a, b) => a - b).map((time) => new Date(time));
}
