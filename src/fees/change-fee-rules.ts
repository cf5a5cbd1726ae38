import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { feeChangeTooSoon, feePlanGap, feePlanOverlap, feeRuleNotFound } from './errors.ts';
import {
  deleteFeeRuleAhead,
  type FeeRule,
  insertFeeRules,
  listFeeRules,
  lockFeeRules,
  updateFeeRuleEnded,
} from './queries.ts';
import { findPlanFaults } from './rule-plan.ts';

/**
 * A rule may begin no sooner: every process knows it by then, so no two of them price the same payout differently.
 * Twice the age that a process lets its rules have.
 */
const FEE_NOTICE_MS = 2 * 60_000;

export type NewFeeRule = Omit<FeeRule, 'id'>;

export interface FeeChange {
  /** Rules to add, together. */
  rules: readonly NewFeeRule[];
  /** Each ends when the first of the new rules begins, or at `endsAt` where there are none. */
  endsRuleIds: readonly string[];
  endsAt?: Date | undefined;
}

/** The rules as they would be after a change, without changing anything. */
export interface FeePlan {
  rules: FeeRule[];
  added: FeeRule[];
  /** When the change begins. */
  from: Date;
}

/**
 * Plans a change and checks it: it is dated ahead, prices nothing twice, and leaves no payout without a fee.
 * @throws AppError 400 `VALIDATION_FAILED`; 404 `FEE_RULE_NOT_FOUND`; 409 `FEE_RULES_OVERLAP`, `FEE_RULES_GAP`; 422
 *   `FEE_CHANGE_TOO_SOON`.
 */
export function planFeeChange(present: readonly FeeRule[], change: FeeChange, now: Date): FeePlan {
  const from = beginningOf(change);
  if (from.getTime() < now.getTime() + FEE_NOTICE_MS) throw feeChangeTooSoon(FEE_NOTICE_MS / 60_000);
  const added = change.rules.map((rule) => ({ ...checked(rule), id: idOf(rule) }));
  const kept = present.flatMap((rule) => (change.endsRuleIds.includes(rule.id) ? ended(rule, from) : [rule]));
  const missing = change.endsRuleIds.find((id) => !present.some((rule) => rule.id === id));
  if (missing !== undefined) throw feeRuleNotFound(missing);
  const rules = [...kept, ...added];
  const [fault] = findPlanFaults(rules, from);
  if (fault?.problem === 'OVERLAP') throw feePlanOverlap(fault);
  if (fault?.problem === 'GAP') throw feePlanGap(fault);
  return { rules, added, from };
}

/**
 * Adds dated rules and ends others, together or not at all. What was priced before is not affected: a rule that has
 * begun changes only in its end, which is in the future. A rule that has not begun by its end never begins.
 * @throws AppError as `planFeeChange`.
 */
export function changeFeeRules(
  { database, clock }: { database: Database; clock: Clock },
  change: FeeChange,
): Promise<FeeRule[]> {
  return database.transaction(async (tx) => {
    // Two changes at once could each be valid by itself and not together.
    await tx.query(lockFeeRules);
    const plan = planFeeChange(await tx.query(listFeeRules), change, clock.now());
    await insert(tx, plan.added);
    for (const id of change.endsRuleIds) {
      await tx.query(updateFeeRuleEnded, [id, plan.from]);
      await tx.query(deleteFeeRuleAhead, [id, plan.from]);
    }
    return plan.added;
  });
}

function beginningOf({ rules, endsAt }: FeeChange): Date {
  const [first, ...more] = rules.map(({ effectiveFrom }) => effectiveFrom);
  const from = first ?? endsAt;
  if (from === undefined) throw invalidField('rules', 'must name a rule, or endsRuleIds and endsAt must');
  if (more.some((each) => each.getTime() !== from.getTime())) {
    throw invalidField('rules', 'must all begin at the same moment');
  }
  return from;
}

function checked(rule: NewFeeRule): NewFeeRule {
  const { minAmountMinor, maxAmountMinor, effectiveFrom, effectiveTo } = rule;
  if (maxAmountMinor !== null && maxAmountMinor < minAmountMinor) {
    throw invalidField('maxAmount', 'must not be below minAmount');
  }
  if (effectiveTo !== null && effectiveTo <= effectiveFrom) {
    throw invalidField('effectiveTo', 'must be after effectiveFrom');
  }
  if (rule.kind !== 'COLLECTION_FEE' && rule.channel !== null) {
    throw invalidField('channel', 'must be null for anything but a collection fee');
  }
  if (rule.kind === 'COLLECTION_FEE') {
    if (rule.payer !== 'RECEIVER') throw invalidField('payer', 'must be RECEIVER for a collection fee');
    if (rule.exemptPurposes.length > 0) throw invalidField('exemptPurposes', 'must be empty for a collection fee');
  }
  return rule;
}

/** A rule that has not begun by then has charged nothing and never will; one that has ended is unchanged. */
function ended(rule: FeeRule, at: Date): FeeRule[] {
  if (rule.effectiveFrom >= at) return [];
  if (rule.effectiveTo !== null && rule.effectiveTo <= at) {
    throw invalidField('endsRuleIds', `names ${rule.id}, which has ended by then`);
  }
  return [{ ...rule, effectiveTo: at }];
}

const idOf = ({ currency, kind }: NewFeeRule): string =>
  `${currency}-${kind}-${newId()}`.toLowerCase().replaceAll('_', '-');

async function insert(queries: Queries, rules: readonly FeeRule[]): Promise<void> {
  for (const rule of rules) {
    await queries.query(insertFeeRules, [
      rule.id,
      rule.currency,
      rule.kind,
      rule.minAmountMinor,
      rule.maxAmountMinor,
      rule.flatMinor,
      rule.rateBasisPoints,
      rule.payer,
      rule.exemptPurposes,
      rule.rounding,
      rule.effectiveFrom,
      rule.effectiveTo,
      rule.source,
      rule.capMinor,
      rule.channel,
    ]);
  }
}
