import { type Currency, percentage } from '../money/index.ts';
import { feeRuleMissing, feeRulesConflict } from './errors.ts';
import type { FeeRule } from './fee-rule.ts';

/** One charge of a payout and the dated rule that it follows from. */
export interface ChargeLine {
  kind: PayoutChargeKind;
  /** What its payer bears, in minor units; zero where the payout is exempt or no rule is in force. */
  amountMinor: bigint;
  /** Null: no rule is in force. */
  rule: FeeRule | null;
  /** Why the sender bears nothing; null where the sender bears it. */
  reason: string | null;
}

type PayoutChargeKind = Exclude<FeeRule['kind'], 'COLLECTION_FEE'>;

const KINDS: readonly PayoutChargeKind[] = ['TRANSFER_FEE', 'VAT', 'STAMP_DUTY'];

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

/** Why money is sent, as far as the law asks: salaries and transfers to oneself carry no stamp duty. */
export const PAYOUT_PURPOSES = ['GENERAL', 'SALARY', 'OWN_ACCOUNT'] as const;

export type PayoutPurpose = (typeof PAYOUT_PURPOSES)[number];

export interface PayoutInput {
  amountMinor: bigint;
  currency: Currency;
  /** Absent: `GENERAL`. */
  purpose?: PayoutPurpose | undefined;
  /** The instant whose rules apply. */
  at: Date;
}

/** What a payout costs its sender, in minor units: `chargesMinor` = fee + VAT + duty, `totalMinor` = amount + charges. */
export interface Quote {
  amountMinor: bigint;
  currency: Currency;
  feeMinor: bigint;
  /** VAT on the fee. */
  vatMinor: bigint;
  /** Zero where the receiver bears the duty. */
  stampDutyMinor: bigint;
  chargesMinor: bigint;
  totalMinor: bigint;
  /** Ids of the rules that the charges follow from. */
  rules: readonly string[];
}

/**
 * Prices one payout by the rules in force at `input.at`. The same input and rules always give the same quote.
 * @throws AppError `FEE_RULE_MISSING` when no transfer fee is set, `FEE_RULES_CONFLICT` when something is set twice.
 * @throws RangeError when the amount is not positive: amounts are checked before they are priced.
 */
export function quotePayout(rules: readonly FeeRule[], input: PayoutInput): Quote {
  const { amountMinor, currency } = input;
  if (amountMinor <= 0n) throw new RangeError(`cannot price a payout of ${amountMinor} minor units`);
  const fee = ruleInForce(rules, 'TRANSFER_FEE', input);
  if (fee === undefined) throw feeRuleMissing(currency);
  const vat = ruleInForce(rules, 'VAT', input);
  const duty = ruleInForce(rules, 'STAMP_DUTY', input);

  const feeMinor = borneBySender(fee, amountMinor, input);
  const vatMinor = borneBySender(vat, feeMinor, input);
  const stampDutyMinor = borneBySender(duty, amountMinor, input);
  const chargesMinor = feeMinor + vatMinor + stampDutyMinor;
  return {
    amountMinor,
    currency,
    feeMinor,
    vatMinor,
    stampDutyMinor,
    chargesMinor,
    totalMinor: amountMinor + chargesMinor,
    rules: [fee, vat, duty].flatMap((rule) => (rule !== undefined && applies(rule, input) ? [rule.id] : [])),
  };
}

/** @throws AppError `FEE_RULES_CONFLICT` where two rules price the same thing. */
export function ruleInForce(rules: readonly FeeRule[], kind: FeeRule['kind'], input: PayoutInput): FeeRule | undefined {
  const found = rules.filter((rule) => rule.kind === kind && isInForce(rule, input));
  if (found.length > 1) throw feeRulesConflict(found.map((rule) => rule.id));
  return found[0];
}

function isInForce(rule: FeeRule, { amountMinor, currency, at }: PayoutInput): boolean {
  return (
    rule.currency === currency &&
    rule.minAmountMinor <= amountMinor &&
    (rule.maxAmountMinor === null || amountMinor <= rule.maxAmountMinor) &&
    rule.effectiveFrom <= at &&
    (rule.effectiveTo === null || at < rule.effectiveTo)
  );
}

/** True where the purpose of the payout frees it from the charge. */
export function isExempt(rule: FeeRule, { purpose }: PayoutInput): boolean {
  return rule.exemptPurposes.includes(purpose ?? 'GENERAL');
}

function applies(rule: FeeRule, input: PayoutInput): boolean {
  return rule.payer === 'SENDER' && !isExempt(rule, input);
}

/** What the sender bears by a rule, which may be absent, in minor units. */
export function borneBySender(rule: FeeRule | undefined, baseMinor: bigint, input: PayoutInput): bigint {
  return rule === undefined || !applies(rule, input) ? 0n : chargeOf(rule, baseMinor, input);
}

/** What a rule charges on its base, whoever bears it, in minor units: rounded as the rule says, at most its cap. */
export function chargeOf(rule: FeeRule, baseMinor: bigint, input: PayoutInput): bigint {
  if (isExempt(rule, input)) return 0n;
  const charge = rule.flatMinor + percentage(baseMinor, rule.rateBasisPoints, rule.rounding);
  return rule.capMinor !== null && charge > rule.capMinor ? rule.capMinor : charge;
}
