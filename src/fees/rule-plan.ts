import type { FeeRule } from './queries.ts';

/** A moment and an amount for which the rules give no single answer. */
export interface PlanFault {
  kind: FeeRule['kind'];
  problem: 'OVERLAP' | 'GAP';
  /** In force twice; for a gap those that end there, none. */
  ruleIds: readonly string[];
  amountMinor: bigint;
  at: Date;
}

/** The smallest payment there is: a rule for less prices nothing. */
const SMALLEST_MINOR = 1n;

/**
 * What is wrong with a set of rules from a moment on: something priced twice, or a payout without a transfer fee, which
 * could then not be priced at all. Rules only change at the ends of their bands and dates, so looking there is looking
 * everywhere. At most one fault of each kind and problem, the earliest.
 */
export function findPlanFaults(rules: readonly FeeRule[], from: Date): PlanFault[] {
  const faults: PlanFault[] = [];
  for (const kind of ['TRANSFER_FEE', 'VAT', 'STAMP_DUTY', 'COLLECTION_FEE'] as const) {
    // One of a channel stands before one for all: only those of the same channel price anything twice.
    const ofKind = Map.groupBy(
      rules.filter((rule) => rule.kind === kind),
      ({ channel }) => channel,
    );
    const overlap = [...ofKind.values()]
      .flatMap((alike) => findFault(alike, kind, 'OVERLAP', from) ?? [])
      .sort((a, b) => a.at.getTime() - b.at.getTime())[0];
    // VAT, duty and a fee on collections may be absent, a transfer fee may not: free is a rule of zero.
    const gap = kind === 'TRANSFER_FEE' ? findFault(ofKind.get(null) ?? [], kind, 'GAP', from) : undefined;
    for (const fault of [overlap, gap]) if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function findFault(
  rules: readonly FeeRule[],
  kind: FeeRule['kind'],
  problem: PlanFault['problem'],
  from: Date,
): PlanFault | undefined {
  for (const at of momentsOf(rules, from)) {
    const inForce = rules.filter(
      (rule) => rule.effectiveFrom <= at && (rule.effectiveTo === null || at < rule.effectiveTo),
    );
    for (const amountMinor of amountsOf(inForce)) {
      const found = inForce.filter((rule) => covers(rule, amountMinor));
      if (problem === 'OVERLAP' ? found.length > 1 : found.length === 0) {
        return { kind, problem, ruleIds: found.map(({ id }) => id), amountMinor, at };
      }
    }
  }
  return undefined;
}

function covers({ minAmountMinor, maxAmountMinor }: FeeRule, amountMinor: bigint): boolean {
  return minAmountMinor <= amountMinor && (maxAmountMinor === null || amountMinor <= maxAmountMinor);
}

/** When anything begins or ends, in order. */
function momentsOf(rules: readonly FeeRule[], from: Date): Date[] {
  const times = rules.flatMap(({ effectiveFrom, effectiveTo }) => [
    effectiveFrom.getTime(),
    effectiveTo?.getTime() ?? effectiveFrom.getTime(),
  ]);
  const later = times.filter((time) => time > from.getTime());
  return [...new Set([from.getTime(), ...later])].sort((a, b) => a - b).map((time) => new Date(time));
}

/** Where any band begins, and the first amount beyond each. */
function amountsOf(rules: readonly FeeRule[]): bigint[] {
  const edges = rules.flatMap(({ minAmountMinor, maxAmountMinor }) =>
    maxAmountMinor === null ? [minAmountMinor] : [minAmountMinor, maxAmountMinor + 1n],
  );
  const amounts = edges.filter((amount) => amount > SMALLEST_MINOR);
  return [...new Set([SMALLEST_MINOR, ...amounts])].sort((a, b) => (a < b ? -1 : 1));
}
