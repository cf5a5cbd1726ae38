import type { FeeRule } from './fee-rule.ts';
import { chargeOf, isExempt, type PayoutInput, quotePayout, ruleInForce } from './quote-payout.ts';

/** One charge of a payout and the dated rule that it follows from. */
export interface ChargeLine {
  kind: FeeRule['kind'];
  /** What its payer bears, in minor units; zero where the payout is exempt or no rule is in force. */
  amountMinor: bigint;
  /** Null: no rule is in force. */
  rule: FeeRule | null;
  /** Why the sender bears nothing; null where the sender bears it. */
  reason: string | null;
}

const KINDS: readonly FeeRule['kind'][] = ['TRANSFER_FEE', 'VAT', 'STAMP_DUTY'];

/**
 * The charges of a payout one by one, each with its rule: the lines that the sender bears add up to the quote's charges.
 * @throws AppError as `quotePayout`
 */
export function explainCharges(rules: readonly FeeRule[], input: PayoutInput): ChargeLine[] {
  const { feeMinor } = quotePayout(rules, input);
  return KINDS.map((kind) => {
    const rule = ruleInForce(rules, kind, input);
    if (rule === undefined) {
      return { kind, amountMinor: 0n, rule: null, reason: 'No rule of that day charges it for this amount.' };
    }
    const amountMinor = chargeOf(rule, kind === 'VAT' ? feeMinor : input.amountMinor, input);
    return { kind, amountMinor, rule, reason: reasonOf(rule, input) };
  });
}

function reasonOf(rule: FeeRule, input: PayoutInput): string | null {
  if (isExempt(rule, input)) return `A payment with the purpose ${input.purpose ?? 'GENERAL'} is exempt from it.`;
  return rule.payer === 'RECEIVER' ? 'The receiver bears it.' : null;
}
