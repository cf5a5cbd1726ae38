import type { CloseFigures, DailyCloseRow, ReceivableStatement, ShownDay } from '../daily-close/index.ts';
import { toNumberIfExact } from '../money/index.ts';
import type { MarginRow } from '../provider-settlements/index.ts';

/** Kobo as text, in the form in which figures are kept. */
const number = (kobo: string): number | null => toNumberIfExact(BigInt(kobo));

function numbers<Name extends string>(amounts: Record<Name, string>): Record<Name, number | null> {
  const converted = Object.entries<string>(amounts).map(([name, kobo]) => [name, number(kobo)]);
  return Object.fromEntries(converted) as Record<Name, number | null>;
}

export function dailyCloseView(row: DailyCloseRow) {
  const { second_at, second_name, reopened_at, reopened_name, reopened_reason } = row;
  return {
    closeId: row.id,
    mode: row.mode,
    day: row.day,
    version: row.version,
    digest: row.figures_digest,
    signed: { by: row.signed_name, at: row.signed_at.toISOString() },
    second: second_at === null ? null : { by: second_name ?? '', at: second_at.toISOString() },
    reopened:
      reopened_at === null
        ? null
        : { by: reopened_name ?? '', at: reopened_at.toISOString(), reason: reopened_reason ?? '' },
  };
}

export function shownDayView({ figures, digest, close, versions }: ShownDay) {
  return {
    mode: figures.mode,
    day: figures.day,
    digest,
    close: close === undefined ? null : dailyCloseView(close),
    versions: versions.map(dailyCloseView),
    totals: numbers(figures.totals),
    kinds: figures.kinds.map(({ kind, ...amounts }) => ({ kind, ...numbers(amounts) })),
    providers: figures.providers.map(flowsView),
    postings: figures.postings.map(({ amount, ...posting }) => ({ ...posting, amount: number(amount) })),
  };
}

function flowsView({ rail, ...amounts }: CloseFigures['providers'][number]) {
  return { rail, ...numbers(amounts) };
}

export function receivableView(statement: ReceivableStatement) {
  const { unsettledMinor, unsettledPayments, oldestAt, differences, ...flows } = statement;
  return {
    ...flowsView(flows),
    unsettled: toNumberIfExact(unsettledMinor),
    unsettledPayments,
    oldestAt: oldestAt?.toISOString() ?? null,
    differences: differences.map(({ result, lines, amountMinor }) => ({
      result,
      lines,
      amount: toNumberIfExact(amountMinor),
    })),
  };
}

export function marginView(row: MarginRow) {
  return {
    day: row.day,
    rail: row.rail,
    channel: row.channel,
    payments: row.payments,
    gross: toNumberIfExact(row.gross_minor),
    quoted: toNumberIfExact(row.quoted_minor),
    keptOfQuoted: toNumberIfExact(row.kept_of_quoted_minor),
    kept: toNumberIfExact(row.kept_minor),
    differing: row.differing,
    fee: toNumberIfExact(row.fee_minor),
    margin: toNumberIfExact(row.fee_minor - row.kept_minor),
  };
}
