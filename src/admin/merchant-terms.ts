import { AVAILABILITIES, type AvailabilityRule, listAvailability, setAvailability } from '../availability/index.ts';
import { endOwnLimits, listLimits, type PayoutLimitRow, setLimits } from '../limits/index.ts';
import { formatMoney, parseTypedAmount } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import { manyOf } from '../platform/text.ts';
import { PAYMENT_CHANNELS, type PaymentChannel } from '../rails/index.ts';
import {
  listKept,
  type MerchantReserveRow,
  type ReserveRule,
  readReserveRules,
  setReserveRule,
} from '../reserves/index.ts';
import { type Command, type Given, MODE, modeOf, momentOf, oneOf, UsageError } from './command.ts';

const NONE = 'none';
const ONE_CHANNEL = { type: 'string', about: `${PAYMENT_CHANNELS.join(', ')}; left out: however it was paid` } as const;
const ONE_MERCHANT = { type: 'string', about: 'id of one merchant; left out: all merchants' } as const;

/** A row with none of these would be what is in force already. */
const SET_BY = ['per-payout', 'per-day', 'duplicate-window'];

export const limitCommands: readonly Command[] = [
  {
    name: 'set-limits',
    audit: 'SETTINGS',
    about: 'say how much may be paid out, from now or from a later moment on',
    options: {
      mode: MODE,
      merchant: ONE_MERCHANT,
      'per-payout': { type: 'string', about: `naira that one payout may be at most, or ${NONE}` },
      'per-day': { type: 'string', about: `naira that all payouts of a day in Lagos may be at most, or ${NONE}` },
      'duplicate-window': { type: 'string', about: 'seconds for which the same payout counts as a slip; 0 is never' },
      from: { type: 'string', about: 'since when, 2026-12-01T00:00:00+01:00; now if left out' },
      until: { type: 'string', about: 'up to when; for good if left out' },
      reason: { type: 'string', about: 'why, for those who look later' },
      'as-all': { type: 'boolean', about: 'the merchant has no limits of its own any more' },
    },
    async run(deps, given) {
      const mode = modeOf(given.text('mode'));
      const merchantId = given.maybeId('merchant') ?? null;
      if (given.flag('as-all')) {
        if (merchantId === null) throw new UsageError('--as-all needs --merchant.');
        const had = await endOwnLimits(deps, { merchantId, mode });
        deps.print(had ? 'the limits for all merchants apply again' : 'the merchant had no limits of its own');
        return;
      }
      if (SET_BY.every((option) => given.maybe(option) === undefined)) {
        throw new UsageError(
          `Nothing is given to set: ${SET_BY.map((option) => `--${option}`).join(', ')} or --as-all.`,
        );
      }
      const row = await setLimits(deps, {
        merchantId,
        mode,
        perPayoutMinor: amountOf(given, 'per-payout'),
        perDayMinor: amountOf(given, 'per-day'),
        duplicateWindowSeconds: given.count('duplicate-window'),
        effectiveFrom: momentOf(given, 'from'),
        effectiveTo: momentOf(given, 'until') ?? null,
        source: [given.maybeWords('reason') ?? 'set by the operator', deps.actor].join(', '),
      });
      deps.print(limitLine(row));
      deps.warn('Every process knows it within a minute.');
    },
  },
  {
    name: 'list-limits',
    about: 'the limits for all merchants and of single ones, past and future ones among them',
    options: { merchant: { ...ONE_MERCHANT, about: 'only what one merchant goes by' } },
    async run(deps, given) {
      const merchantId = given.maybeId('merchant');
      for (const row of await listLimits(deps, merchantId)) deps.print(limitLine(row));
    },
  },
];

/** Kobo; null is none, undefined is as before. */
function amountOf(given: Given, name: string): bigint | null | undefined {
  const text = given.maybe(name);
  if (text === undefined) return undefined;
  if (text.toLowerCase() === NONE) return null;
  try {
    return parseTypedAmount(text, `--${name}`);
  } catch (error) {
    throw error instanceof AppError ? new UsageError(error.message) : error;
  }
}

function limitLine(row: PayoutLimitRow): string {
  const money = (minor: bigint | null) => (minor === null ? NONE : formatMoney(minor, 'NGN'));
  return [
    row.mode,
    row.merchantId ?? 'all merchants',
    `per payout ${money(row.perPayoutMinor)}`,
    `per day ${money(row.perDayMinor)}`,
    `duplicate window ${row.duplicateWindowSeconds} s`,
    `from ${row.effectiveFrom.toISOString()}`,
    `until ${row.effectiveTo?.toISOString() ?? 'further notice'}`,
    row.source,
  ].join('\t');
}

export const availabilityCommands: readonly Command[] = [
  {
    name: 'set-availability',
    audit: 'SETTINGS',
    about: 'say when payments in are available: once they are confirmed, or once the provider has settled them',
    options: {
      mode: MODE,
      merchant: ONE_MERCHANT,
      channel: ONE_CHANNEL,
      availability: { type: 'string', about: AVAILABILITIES.join(' or '), required: true },
      from: { type: 'string', about: 'since when, 2026-12-01T00:00:00+01:00; in two minutes if left out' },
      reason: { type: 'string', about: 'why, for those who look later', required: true },
    },
    async run(deps, given) {
      const merchantId = given.maybeId('merchant') ?? null;
      const rule = await setAvailability(deps, {
        merchantId,
        mode: modeOf(given.text('mode')),
        channel: channelOf(given),
        availability: oneOf(given, 'availability', AVAILABILITIES),
        effectiveFrom: momentOf(given, 'from'),
        source: [given.words('reason'), deps.actor].join(', '),
      });
      deps.print(availabilityLine(rule));
    },
  },
  {
    name: 'list-availability',
    about: 'when payments in are available: of all merchants and of single ones, past and future rules among them',
    options: { merchant: { ...ONE_MERCHANT, about: 'only what one merchant goes by' } },
    async run(deps, given) {
      const merchantId = given.maybeId('merchant');
      const rules = await listAvailability(deps.database);
      const wanted = rules.filter((rule) => merchantId === undefined || [null, merchantId].includes(rule.merchantId));
      for (const rule of wanted) deps.print(availabilityLine(rule));
      if (wanted.length === 0) deps.warn('There is no rule: every payment in is available once it is confirmed.');
    },
  },
];

const availabilityLine = (rule: AvailabilityRule): string =>
  [...termsOf(rule), rule.availability, ...sinceOf(rule)].join('\t');

type Terms = Pick<AvailabilityRule, 'mode' | 'merchantId' | 'channel' | 'effectiveFrom' | 'source'>;

const termsOf = ({ mode, merchantId, channel }: Terms): string[] => [
  mode,
  merchantId ?? 'all merchants',
  channel ?? 'all channels',
];
const sinceOf = ({ effectiveFrom, source }: Terms): string[] => [`from ${effectiveFrom.toISOString()}`, source];

function channelOf(given: Given): PaymentChannel | null {
  return given.maybe('channel') === undefined ? null : oneOf(given, 'channel', PAYMENT_CHANNELS);
}

/** What of payments in is kept against chargebacks. */
export const reserveCommands: readonly Command[] = [
  {
    name: 'set-reserve',
    audit: 'SETTINGS',
    about: 'say what part of payments in is kept against chargebacks, and for how many days',
    options: {
      mode: MODE,
      merchant: ONE_MERCHANT,
      channel: ONE_CHANNEL,
      percent: { type: 'string', about: 'of the payment, with two decimals at most; 0 keeps nothing', required: true },
      days: { type: 'string', about: 'until it comes back, 1 to 730', required: true },
      from: { type: 'string', about: 'since when, 2026-12-01T00:00:00+01:00; in two minutes if left out' },
      reason: { type: 'string', about: 'why, for those who look later', required: true },
    },
    async run(deps, given) {
      const merchantId = given.maybeId('merchant') ?? null;
      const rule = await setReserveRule(deps, {
        merchantId,
        mode: modeOf(given.text('mode')),
        channel: channelOf(given),
        rateBasisPoints: basisPointsOf(given.text('percent')),
        days: daysOf(given),
        effectiveFrom: momentOf(given, 'from'),
        source: [given.words('reason'), deps.actor].join(', '),
      });
      deps.print(reserveLine(rule));
    },
  },
  {
    name: 'list-reserves',
    about: 'what part of payments in is kept, by rule, and how much of each merchant is kept now',
    options: { merchant: { ...ONE_MERCHANT, about: 'only what one merchant goes by, and its own' } },
    async run(deps, given) {
      const merchantId = given.maybeId('merchant');
      const isWanted = (id: string | null) => merchantId === undefined || [null, merchantId].includes(id);
      const rules = (await readReserveRules(deps.database)).filter((rule) => isWanted(rule.merchantId));
      for (const rule of rules) deps.print(reserveLine(rule));
      for (const row of await listKept(deps.database, merchantId)) deps.print(keptLine(row));
      if (rules.length === 0) deps.warn('There is no rule: nothing is kept.');
    },
  },
];

/** `12.5` percent as 1250. */
function basisPointsOf(percent: string): number {
  const [, whole, part = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(percent.trim()) ?? [];
  const points = Number(`${whole}${part.padEnd(2, '0')}`);
  if (whole === undefined || points > 10_000)
    throw new UsageError('--percent must be from 0 to 100, with two decimals at most.');
  return points;
}

function daysOf(given: Given): number {
  const days = given.count('days') ?? 0;
  if (days < 1 || days > 730) throw new UsageError('--days must be from 1 to 730.');
  return days;
}

const reserveLine = (rule: ReserveRule): string =>
  [...termsOf(rule), `${rule.rateBasisPoints / 100} % for ${manyOf(rule.days, 'day')}`, ...sinceOf(rule)].join('\t');

const keptLine = ({ merchant_id, mode, amount_minor, payments, next_release_on }: MerchantReserveRow): string =>
  [
    mode,
    merchant_id,
    `${formatMoney(amount_minor, 'NGN')} of ${manyOf(payments, 'payment')}`,
    `next on ${next_release_on}`,
  ].join('\t');
