import type { ChargeLine, Quote } from '../../fees/index.ts';
import { toNumber } from '../../money/index.ts';
import { quoteView } from '../views.ts';

/** A quote with its charges one by one: what each is, who bears it, and by which rule. */
export function quotedSingleView(quote: Quote, lines: readonly ChargeLine[]) {
  return { ...quoteView(quote), lines: lines.map(chargeLineView) };
}

function chargeLineView({ kind, amountMinor, rule, reason }: ChargeLine) {
  return {
    kind,
    amount: toNumber(amountMinor),
    payer: rule?.payer ?? null,
    ruleId: rule?.id ?? null,
    effectiveFrom: rule?.effectiveFrom.toISOString() ?? null,
    rounding: rule?.rounding ?? null,
    source: rule?.source ?? null,
    reason,
  };
}
