import type { FeeRule, Quote } from '../../fees/index.ts';
import { toNumber } from '../../money/index.ts';
import type { FeePreview } from './preview-fees.ts';

export function feeRuleView(rule: FeeRule, now: Date) {
  return {
    ruleId: rule.id,
    kind: rule.kind,
    currency: rule.currency,
    minAmount: toNumber(rule.minAmountMinor),
    maxAmount: rule.maxAmountMinor === null ? null : toNumber(rule.maxAmountMinor),
    flat: toNumber(rule.flatMinor),
    rateBasisPoints: rule.rateBasisPoints,
    payer: rule.payer,
    exemptPurposes: rule.exemptPurposes,
    rounding: rule.rounding,
    effectiveFrom: rule.effectiveFrom.toISOString(),
    effectiveTo: rule.effectiveTo?.toISOString() ?? null,
    source: rule.source,
    state: stateOf(rule, now),
  };
}

function stateOf({ effectiveFrom, effectiveTo }: FeeRule, now: Date): 'AHEAD' | 'IN_FORCE' | 'ENDED' {
  if (effectiveTo !== null && effectiveTo <= now) return 'ENDED';
  return effectiveFrom > now ? 'AHEAD' : 'IN_FORCE';
}

export function feePreviewView({ at, begins, lines }: FeePreview) {
  return {
    at: at.toISOString(),
    begins: begins.toISOString(),
    lines: lines.map(({ amountMinor, before, after }) => ({
      amount: toNumber(amountMinor),
      before: before && chargesView(before),
      after: after && chargesView(after),
      difference: before === null || after === null ? null : toNumber(after.chargesMinor - before.chargesMinor),
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
