import { toNumber, toNumberOrNull } from '../money/index.ts';
import type { RailFigures, RailSums } from '../payout-directory/index.ts';
import type { readFigures } from './read-figures.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function sumsView(sums: RailSums) {
  const ended = sums.succeeded + sums.failed;
  return {
    succeeded: sums.succeeded,
    succeededAmount: toNumber(sums.succeededMinor),
    failed: sums.failed,
    failedAmount: toNumber(sums.failedMinor),
    reversed: sums.reversed,
    reversedAmount: toNumber(sums.reversedMinor),
    successRate: ended === 0 ? null : sums.succeeded / ended,
  };
}

const periodView = ({ p50Ms, p95Ms, ...sums }: RailFigures['today']) => ({ ...sumsView(sums), p50Ms, p95Ms });

/** For how many days a balance lasts, to a tenth; null where either is unknown, or nothing was paid. */
function daysOf(balanceMinor: bigint | null, averageMinor: bigint | null): number | null {
  if (balanceMinor === null || averageMinor === null || averageMinor <= 0n) return null;
  return Number((balanceMinor * 10n) / averageMinor) / 10;
}

/** On the wire, in naira. */
export function figuresView(figures: Awaited<ReturnType<typeof readFigures>>) {
  const { now, rails, behindSince, oldestUnknown, covers, queues, receivables, review, names, providers } = figures;
  const nameOf = (id: string) => names.get(id) ?? null;
  return {
    at: now.toISOString(),
    behindSince: iso(behindSince),
    rails: rails.map(({ rail, mode, today, week, days }) => ({
      rail,
      mode,
      today: periodView(today),
      week: periodView(week),
      days: days.map(({ day, ...sums }) => ({ day, ...sumsView(sums) })),
    })),
    oldestUnknown:
      oldestUnknown === undefined
        ? null
        : {
            payoutId: oldestUnknown.id,
            merchantId: oldestUnknown.merchant_id,
            businessName: nameOf(oldestUnknown.merchant_id),
            mode: oldestUnknown.mode,
            rail: oldestUnknown.rail,
            amount: toNumber(oldestUnknown.amount_minor),
            firstSentAt: oldestUnknown.first_sent_at.toISOString(),
          },
    floatCover: covers.map(({ rails: of, mode, reading, averageMinor }) => ({
      rails: of,
      mode,
      balance: reading === null ? null : toNumber(reading.amountMinor),
      balanceAt: iso(reading?.at ?? null),
      averageDay: toNumberOrNull(averageMinor),
      days: daysOf(reading?.amountMinor ?? null, averageMinor),
    })),
    queues: queues.map(({ queue, mode, since }) => ({ queue, mode, oldestAt: iso(since) })),
    receivables: {
      providers: receivables.providers.map(({ mode, provider_account_id, merchants, owed_minor }) => ({
        rail: provider_account_id === null ? 'sandbox' : (providers.get(provider_account_id) ?? provider_account_id),
        mode,
        merchants,
        owed: toNumber(owed_minor),
      })),
      merchants: receivables.merchants.map(({ merchant_id, mode, owed_minor }) => ({
        merchantId: merchant_id,
        businessName: nameOf(merchant_id),
        mode,
        owed: toNumber(owed_minor),
      })),
    },
    review: {
      total: review.wrapper.totalRecords ?? 0,
      longest: review.rows.flatMap(({ id, business_name, submitted_at }) =>
        submitted_at === null
          ? []
          : [{ merchantId: id, businessName: business_name, submittedAt: submitted_at.toISOString() }],
      ),
    },
  };
}
