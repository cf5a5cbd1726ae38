import { type Currency, percentage } from '../money/index.ts';
import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { PaymentChannel } from '../rails/index.ts';
import { collectionFeeNotCovered, feeRuleMissing, feeRulesConflict } from './errors.ts';
import { type FeeRule, listFeeRules } from './queries.ts';

/** One charge of a payout, with its dated rule. */
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
 * The charges of a payout one by one, each with its rule: the lines that the sender bears add up to the quote's
 * charges.
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

/**
 * The purposes that a payer may give, as far as the law asks: salaries and transfers to oneself carry no stamp duty.
 */
export const PAYOUT_PURPOSES = ['GENERAL', 'SALARY', 'OWN_ACCOUNT'] as const;

/** Purposes of payouts that the service makes by itself: no request may have one of these. */
export const SERVICE_PURPOSES = ['SETTLEMENT', 'REFUND'] as const;

export type PayoutPurpose = (typeof PAYOUT_PURPOSES | typeof SERVICE_PURPOSES)[number];

export interface PayoutInput {
  amountMinor: bigint;
  currency: Currency;
  /** Absent: `GENERAL`. */
  purpose?: PayoutPurpose | undefined;
  /** The time whose rules apply. */
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
  /** Ids of the rules that the charges come from. */
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
function ruleInForce(rules: readonly FeeRule[], kind: FeeRule['kind'], input: PayoutInput): FeeRule | undefined {
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

/** Whether the purpose of the payout exempts it from the charge. */
function isExempt(rule: FeeRule, { purpose = 'GENERAL' }: PayoutInput): boolean {
  // A settlement goes to the merchant's own account.
  return rule.exemptPurposes.includes(purpose === 'SETTLEMENT' ? 'OWN_ACCOUNT' : purpose);
}

function applies(rule: FeeRule, input: PayoutInput): boolean {
  return rule.payer === 'SENDER' && !isExempt(rule, input);
}

/** What the sender bears by a rule, which may be absent, in minor units. */
function borneBySender(rule: FeeRule | undefined, baseMinor: bigint, input: PayoutInput): bigint {
  return rule === undefined || !applies(rule, input) ? 0n : chargeOf(rule, baseMinor, input);
}

/**
 * What a rule charges on its base, in minor units, for either bearer of the fee: rounded as the rule says, at most its
 * cap.
 */
function chargeOf(rule: FeeRule, baseMinor: bigint, input: PayoutInput): bigint {
  if (isExempt(rule, input)) return 0n;
  const charge = rule.flatMinor + percentage(baseMinor, rule.rateBasisPoints, rule.rounding);
  return rule.capMinor !== null && charge > rule.capMinor ? rule.capMinor : charge;
}

/** What the operator takes of a payment in, in minor units: its fee and the VAT on it. */
export interface CollectionCharges {
  feeMinor: bigint;
  vatMinor: bigint;
}

/** For a payment that is in no wallet. */
export const NO_CHARGES: CollectionCharges = { feeMinor: 0n, vatMinor: 0n };

interface CollectionInput {
  /** What arrived; more than zero. */
  amountMinor: bigint;
  currency: Currency;
  /** How it was paid; null where unknown. A rule of the channel comes before the one for all. */
  channel: PaymentChannel | null;
  /** The time whose rules apply. */
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
  // The sum grows with the fee: the largest one that fits is found by binary search.
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
  const ofChannel = (channel: PaymentChannel | null) =>
    ruleInForce(
      rules.filter((rule) => rule.channel === channel),
      'COLLECTION_FEE',
      input,
    );
  const rule = ofChannel(input.channel) ?? ofChannel(null);
  const vat = ruleInForce(rules, 'VAT', input);
  const withVat = (feeMinor: bigint): CollectionCharges => ({
    feeMinor,
    vatMinor: feeMinor === 0n ? 0n : borneBySender(vat, feeMinor, input),
  });
  return { withVat, ofPayment: () => withVat(rule === undefined ? 0n : chargeOf(rule, input.amountMinor, input)) };
}

/** Rules that take nearly all of a payment would need far more steps. */
const MAX_STEPS = 1_000;
/** Amounts have thirteen digits of naira at most. */
const LARGEST_MINOR = 10n ** 15n;

/**
 * What a customer who bears the charges is asked for beyond `amountMinor`: amount, fee and VAT together are the
 * smallest payment that bears all its charges and leaves the merchant the amount, by the rules in force at `input.at`.
 * Where the charges fall with a larger amount nothing may fit exactly; the merchant then gets more.
 * @throws AppError 422 `COLLECTION_FEE_NOT_COVERED` when no payment leaves the amount; `FEE_RULES_CONFLICT`.
 */
export function quoteOnTop(rules: readonly FeeRule[], input: CollectionInput): CollectionCharges {
  const { amountMinor } = input;
  const edges = edgesOf(rules, input);
  for (const [index, from] of edges.entries()) {
    const next = edges[index + 1];
    let payable = from;
    // Within a band a larger amount is charged more: this climbs to the smallest payment that leaves the amount.
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

/** The amount itself, and every larger one at which another rule may begin to apply, in order. */
function edgesOf(rules: readonly FeeRule[], { amountMinor }: CollectionInput): bigint[] {
  const edges = rules
    .filter(({ kind }) => kind === 'COLLECTION_FEE' || kind === 'VAT')
    .flatMap(({ minAmountMinor, maxAmountMinor }) =>
      maxAmountMinor === null ? [minAmountMinor] : [minAmountMinor, maxAmountMinor + 1n],
    )
    .filter((edge) => edge > amountMinor);
  return [...new Set([amountMinor, ...edges])].sort((a, b) => (a < b ? -1 : 1));
}

/** A rule that an operator adds reaches every process within this time. Rules dated ahead need no reload at all. */
const RULES_MAX_AGE_MS = 60_000;

export interface Fees {
  /**
   * What one payout costs its sender; `at` is now unless given.
   * @throws AppError as `quotePayout`, and `SERVICE_UNAVAILABLE` when the rules cannot be read.
   */
  quotePayout(input: Omit<PayoutInput, 'at'> & { at?: Date | undefined }): Promise<Quote>;
  /**
   * What the operator takes of a payment in.
   * @throws AppError as `quoteCollection`, and `SERVICE_UNAVAILABLE` when the rules cannot be read.
   */
  quoteCollection(input: CollectionInput): Promise<CollectionCharges>;
  /**
   * What a customer who bears the charges pays beyond the amount.
   * @throws AppError as `quoteOnTop`, and `SERVICE_UNAVAILABLE` when the rules cannot be read.
   */
  quoteOnTop(input: CollectionInput): Promise<CollectionCharges>;
  /** All rules: a batch reads them once, then prices each item with the pure `quotePayout`. */
  listRules(): Promise<readonly FeeRule[]>;
}

export function createFees({ database, clock }: { database: Database; clock: Clock }): Fees {
  const listRules = cacheOne(clock, RULES_MAX_AGE_MS, () => database.query(listFeeRules));
  return {
    listRules,
    quotePayout: async (input) => quotePayout(await listRules(), { ...input, at: input.at ?? clock.now() }),
    quoteCollection: async (input) => quoteCollection(await listRules(), input),
    quoteOnTop: async (input) => quoteOnTop(await listRules(), input),
  };
}
