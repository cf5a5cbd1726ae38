import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { insertSettlementRule, listSettlementRules, type SettlementRule } from './schedule-queries.ts';

/**
 * The rule in force: the merchant's own comes before the one for all, and the one that began last before earlier ones.
 */
export function ruleAt(rules: readonly SettlementRule[], tenant: Tenant, at: Date): SettlementRule {
  let found: SettlementRule | undefined;
  for (const rule of rules) {
    if (rule.mode !== tenant.mode || (rule.merchantId !== null && rule.merchantId !== tenant.merchantId)) continue;
    if (rule.effectiveFrom <= at && (found === undefined || isCloser(rule, found))) found = rule;
  }
  if (found === undefined) throw new Error(`there are no terms of settlements in ${tenant.mode}`);
  return found;
}

function isCloser(rule: SettlementRule, than: SettlementRule): boolean {
  if ((rule.merchantId === null) !== (than.merchantId === null)) return rule.merchantId !== null;
  const laterMs = rule.effectiveFrom.getTime() - than.effectiveFrom.getTime();
  return laterMs === 0 ? rule.id > than.id : laterMs > 0;
}

/** The operator's terms for a merchant at a given time, as the database has them now. */
export async function readRule({ database }: { database: Queries }, tenant: Tenant, at: Date): Promise<SettlementRule> {
  return ruleAt(await database.query(listSettlementRules), tenant, at);
}

/** Every rule, past and future: for the operator. */
export const listRules = (queries: Queries): Promise<SettlementRule[]> => queries.query(listSettlementRules);

/** A payout for every payment costs its charges each time; a merchant that can wait for a day settles by the day. */
export const WINDOW_SECONDS = { minimum: 60, maximum: 86_400 } as const;
/** Thirty days are enough to notice that the account has changed. */
export const COOLING_OFF_SECONDS = { minimum: 0, maximum: 2_592_000 } as const;

function requireWithin(
  field: string,
  seconds: number,
  { minimum, maximum }: { minimum: number; maximum: number },
): void {
  if (seconds >= minimum && seconds <= maximum) return;
  throw invalidField(field, `must be ${minimum} to ${maximum} seconds`);
}

/** A field that is left out keeps its value of that time. */
export interface RuleChange {
  merchantId: string | null;
  mode: Tenant['mode'];
  isEnabled: boolean | undefined;
  minimumMinor: bigint | undefined;
  windowSeconds: number | undefined;
  coolingOffSeconds: number | undefined;
  /** Now unless given. */
  effectiveFrom: Date | undefined;
  source: string;
}

/**
 * Adds a dated rule; what was settled before is not affected.
 * @throws AppError 400 `VALIDATION_FAILED` for a time that has passed, or seconds out of their bounds
 */
export async function setRule(
  { database, clock }: { database: Database; clock: Clock },
  { merchantId, mode, source, ...given }: RuleChange,
): Promise<SettlementRule> {
  const now = clock.now();
  const effectiveFrom = given.effectiveFrom ?? now;
  if (effectiveFrom < now) throw invalidField('effectiveFrom', 'must not be in the past');
  const before = ruleAt(await listRules(database), { merchantId: merchantId ?? '', mode }, effectiveFrom);
  const rule: SettlementRule = {
    id: newId(),
    merchantId,
    mode,
    isEnabled: given.isEnabled ?? before.isEnabled,
    minimumMinor: given.minimumMinor ?? before.minimumMinor,
    windowSeconds: given.windowSeconds ?? before.windowSeconds,
    coolingOffSeconds: given.coolingOffSeconds ?? before.coolingOffSeconds,
    effectiveFrom,
    source,
  };
  const { id, isEnabled, minimumMinor, windowSeconds, coolingOffSeconds } = rule;
  requireWithin('windowSeconds', windowSeconds, WINDOW_SECONDS);
  requireWithin('coolingOffSeconds', coolingOffSeconds, COOLING_OFF_SECONDS);
  const amounts = [isEnabled, minimumMinor, windowSeconds, coolingOffSeconds];
  await database.query(insertSettlementRule, [id, merchantId, mode, ...amounts, effectiveFrom, source, now]);
  return rule;
}
