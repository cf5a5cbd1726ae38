import type { Data, Input } from '../api/types.ts';
import { type Channel, channelOfRule, channelOrNull } from '../format/channels.ts';
import { complainAboutMoney, formatDigits, formatMoney, parseMoney } from '../format/money.ts';
import { lagosInstant } from '../format/time.ts';

/** What somebody types to plan a change: one rule, and the one that it takes the place of. */
export interface FeeChangeValues {
  /** The id of the rule that ends; empty adds one. */
  replaces: string;
  kind: FeeKind;
  /** Of a collection fee; empty is for all. */
  channel: string;
  minAmount: string;
  maxAmount: string;
  flat: string;
  /** In percent. */
  rate: string;
  /** The most that it charges; empty is no cap. */
  cap: string;
  /** As a `datetime-local` field holds it, in Lagos. */
  effectiveFrom: string;
  source: string;
  /** Amounts to show the change for, with commas or spaces between them. */
  samples: string;
}

type Change = Input<'post', '/operator/fee'>['body'];

export const START: FeeChangeValues = {
  replaces: '',
  kind: 'TRANSFER_FEE',
  channel: '',
  minAmount: '0.00',
  maxAmount: '',
  flat: '0.00',
  rate: '0',
  cap: '',
  effectiveFrom: '',
  source: '',
  samples: '1000 5000 10000 50000 100000',
};

/** The fields as the rule has them that is to be replaced. */
export function valuesOf(rule: FeeRule): Partial<FeeChangeValues> {
  return {
    kind: rule.kind,
    channel: rule.channel ?? '',
    minAmount: formatDigits(rule.minAmount),
    maxAmount: rule.maxAmount === null ? '' : formatDigits(rule.maxAmount),
    flat: formatDigits(rule.flat),
    rate: String(rule.rateBasisPoints / 100),
    cap: rule.cap === null ? '' : formatDigits(rule.cap),
  };
}

/** The request that the fields stand for. What the form does not ask is as in the rule before. */
export function changeOf(values: FeeChangeValues, before: FeeRule | undefined): Change {
  const { kind, minAmount, maxAmount, flat, rate, cap, effectiveFrom, source } = values;
  return {
    rules: [
      {
        kind,
        channel: channelOf(values),
        minAmount: parseMoney(minAmount) ?? 0,
        maxAmount: amountOrNull(maxAmount),
        flat: parseMoney(flat) ?? 0,
        rateBasisPoints: basisPointsOf(rate) ?? 0,
        cap: amountOrNull(cap),
        payer: before?.payer ?? (kind === 'COLLECTION_FEE' ? 'RECEIVER' : 'SENDER'),
        exemptPurposes: before?.exemptPurposes ?? [],
        rounding: before?.rounding ?? 'HALF_UP',
        effectiveFrom: lagosInstant(effectiveFrom),
        effectiveTo: null,
        source,
      },
    ],
    ...(before === undefined ? {} : { endsRuleIds: [before.ruleId] }),
  };
}

/** Only a collection fee is of one channel. */
export const channelOf = ({ kind, channel }: Pick<FeeChangeValues, 'kind' | 'channel'>): Channel | null =>
  kind === 'COLLECTION_FEE' ? channelOrNull(channel) : null;

const amountOrNull = (text: string): number | null => (text.trim() === '' ? null : (parseMoney(text) ?? null));

/** Two forms mean the same where they ask for the same, however the amounts are typed. */
export const meaningOf = (values: FeeChangeValues, before: FeeRule | undefined): string =>
  JSON.stringify([changeOf(values, before), values.samples]);

/** `7.5` percent as 750. Undefined where it is no percentage with at most two decimals. */
export function basisPointsOf(percent: string): number | undefined {
  const match = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(percent.trim());
  if (match === null) return undefined;
  const [, whole = '0', part = ''] = match;
  const points = Number(`${whole}${part.padEnd(2, '0')}`);
  return points <= 10_000 ? points : undefined;
}

/** The amounts to preview; those that are none are left out. */
export function samplesOf(text: string): number[] {
  return text
    .split(/[\s;]+/)
    .map((one) => parseMoney(one))
    .filter((amount): amount is number => amount !== undefined && amount > 0)
    .slice(0, 20);
}

/** A fee may be nothing; anything else is an amount. */
export function complainAboutCharge(text: string): string | undefined {
  return parseMoney(text) === 0 ? undefined : complainAboutMoney(text);
}

export type FeeRule = Data<'get', '/operator/fee'>['records'][number];
export type FeeKind = FeeRule['kind'];

export const KINDS: Record<FeeKind, string> = {
  TRANSFER_FEE: 'Transfer fee',
  VAT: 'VAT on the fee',
  STAMP_DUTY: 'Stamp duty',
  COLLECTION_FEE: 'Collection fee',
};

export const STATES: Record<FeeRule['state'], { tone: 'good' | 'info' | 'quiet'; word: string }> = {
  IN_FORCE: { tone: 'good', word: 'In force' },
  AHEAD: { tone: 'info', word: 'Scheduled' },
  ENDED: { tone: 'quiet', word: 'Ended' },
};

type Charge = Pick<FeeRule, 'flat' | 'rateBasisPoints' | 'cap'>;

/** `₦25.00`, `7.5 %` or both, and the cap where there is one. */
export function chargeText({ flat, rateBasisPoints, cap }: Charge): string {
  const parts = [flat > 0 && formatMoney(flat), rateBasisPoints > 0 && `${rateBasisPoints / 100} %`];
  const said = parts.filter((part) => part !== false);
  if (said.length === 0) return 'Nothing';
  return cap === null ? said.join(' and ') : `${said.join(' and ')}, at most ${formatMoney(cap)}`;
}

/** The amounts that a rule applies to, both ends included, and the channel where it is of one. */
export function bandText({
  minAmount,
  maxAmount,
  channel,
}: Pick<FeeRule, 'minAmount' | 'maxAmount' | 'channel'>): string {
  const upTo = maxAmount === null ? undefined : `${formatMoney(minAmount)} to ${formatMoney(maxAmount)}`;
  const band = upTo ?? (minAmount === 0 ? 'Any amount' : `From ${formatMoney(minAmount)}`);
  return channel === null ? band : `${band}, by ${channelOfRule(channel).toLowerCase()}`;
}
