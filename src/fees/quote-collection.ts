import type { Currency } from '../money/index.ts';
import { collectionFeeNotCovered } from './errors.ts';
import type { FeeRule } from './fee-rule.ts';
import { borneBySender, chargeOf, ruleInForce } from './quote-payout.ts';

/** What the operator takes of a payment in, in minor units: its fee and the VAT on it. */
export interface CollectionCharges {
  feeMinor: bigint;
  vatMinor: bigint;
}

/** Of a payment that is in no wallet. */
export const NO_CHARGES: CollectionCharges = { feeMinor: 0n, vatMinor: 0n };

export interface CollectionInput {
  /** What arrived; more than zero. */
  amountMinor: bigint;
  currency: Currency;
  /** The instant whose rules apply. */
  at: Date;
}

/**
 * The charges of a payment in by the rules in force at `input.at`; without a rule of the kind `COLLECTION_FEE` there are
 * none. VAT is by the VAT rule, on the fee. Fee and VAT never exceed what arrived: where they would, the fee is the
 * largest that fits together with its VAT.
 * @throws AppError `FEE_RULES_CONFLICT` when something is set twice.
 */
export function quoteCollection(rules: readonly FeeRule[], input: CollectionInput): CollectionCharges {
  const { amountMinor } = input;
  const charge = rulesFor(rules, input);
  const full = charge.ofPayment();
  const fits = ({ feeMinor, vatMinor }: CollectionCharges) => feeMinor + vatMinor <= amountMinor;
  if (fits(full)) return full;
  // The sum grows with the fee: the largest that fits is found by halves.
  let low = 0n;
  let high = full.feeMinor < amountMinor ? full.feeMinor : amountMinor;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (fits(charge.withVat(middle))) low = middle;
    else high = middle - 1n;
  }
  return charge.withVat(low);
}

/** What the rules in force charge on a payment, were it large enough. */
function rulesFor(rules: readonly FeeRule[], input: CollectionInput) {
  const rule = ruleInForce(rules, 'COLLECTION_FEE', input);
  const vat = ruleInForce(rules, 'VAT', input);
  const withVat = (feeMinor: bigint): CollectionCharges => ({
    feeMinor,
    vatMinor: feeMinor === 0n ? 0n : borneBySender(vat, feeMinor, input),
  });
  return { withVat, ofPayment: () => withVat(rule === undefined ? 0n : chargeOf(rule, input.amountMinor, input)) };
}

/** Rules that take nearly all of a payment come nowhere near an end. */
const MAX_STEPS = 1_000;
/** Amounts have thirteen digits of naira at most. */
const LARGEST_MINOR = 10n ** 15n;

/**
 * What a customer who bears the charges is asked for beyond `amountMinor`: amount, fee and VAT together are the smallest
 * payment that bears its whole charges and leaves the merchant the amount, by the rules in force at `input.at`. Where the
 * charges fall with a larger amount nothing may fit exactly; the merchant is then left with more.
 * @throws AppError 422 `COLLECTION_FEE_NOT_COVERED` when no payment leaves the amount; `FEE_RULES_CONFLICT`.
 */
export function quoteOnTop(rules: readonly FeeRule[], input: CollectionInput): CollectionCharges {
  const { amountMinor } = input;
  const edges = edgesOf(rules, input);
  for (const [index, from] of edges.entries()) {
    const next = edges[index + 1];
    let payable = from;
    // Within a band more is charged on more: this climbs to the smallest payment that leaves the amount.
    for (let step = 0; step < MAX_STEPS && payable < (next ?? LARGEST_MINOR); step += 1) {
      const { feeMinor, vatMinor } = rulesFor(rules, { ...input, amountMinor: payable }).ofPayment();
      if (payable - feeMinor - vatMinor >= amountMinor) {
        return { feeMinor: payable - amountMinor - vatMinor, vatMinor };
      }
      payable = amountMinor + feeMinor + vatMinor;
    }
  }
  throw collectionFeeNotCovered();
}

/** The amount itself, and every larger one from which on another rule may apply, in order. */
function edgesOf(rules: readonly FeeRule[], { amountMinor }: CollectionInput): bigint[] {
  const edges = rules
    .filter(({ kind }) => kind === 'COLLECTION_FEE' || kind === 'VAT')
    .flatMap(({ minAmountMinor, maxAmountMinor }) =>
      maxAmountMinor === null ? [minAmountMinor] : [minAmountMinor, maxAmountMinor + 1n],
    )
    .filter((edge) => edge > amountMinor);
  return [...new Set([amountMinor, ...edges])].sort((a, b) => (a < b ? -1 : 1));
}
