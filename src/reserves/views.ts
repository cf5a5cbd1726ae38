import { DEFAULT_CURRENCY, decimalText, toNumber, toNumberIfExact } from '../money/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findReserve, type ReleaseDayRow, type ReserveRow, sumKeptReserves } from './queries.ts';

/** What one wallet got back of one day, on the wire, in naira. */
export function releaseView(release: {
  releaseId: string;
  walletId: string;
  releaseOn: string;
  amountMinor: bigint;
  payments: number;
  at: Date;
}) {
  const { releaseId, walletId, releaseOn, amountMinor, payments, at } = release;
  return {
    transactionId: releaseId,
    walletId,
    releaseOn,
    amount: toNumber(amountMinor),
    payments,
    currency: DEFAULT_CURRENCY,
    releasedAt: at.toISOString(),
  };
}

/** What was kept of one payment, on the wire, in naira. */
function reserveView({ amount_minor, release_on, released_at, release_id, wallet_id }: ReserveRow) {
  return {
    amount: toNumber(amount_minor),
    walletId: wallet_id,
    releaseOn: release_on,
    releasedAt: released_at?.toISOString() ?? null,
    transactionId: release_id,
  };
}

/** The same in a list of many. */
export function keptReserveView(row: ReserveRow) {
  return {
    paymentId: row.payment_id,
    ...reserveView(row),
    currency: DEFAULT_CURRENCY,
    keptAt: row.kept_at.toISOString(),
  };
}

export const RESERVE_COLUMNS: CsvColumns<ReserveRow> = {
  releaseOn: ['Comes Back On', ({ release_on }) => release_on],
  amount: ['Amount', ({ amount_minor }) => decimalText(amount_minor)],
  currency: ['Currency', () => DEFAULT_CURRENCY],
  paymentId: ['Payment ID', ({ payment_id }) => payment_id],
  walletId: ['Wallet ID', ({ wallet_id }) => wallet_id],
  keptAt: ['Kept At (UTC)', ({ kept_at }) => kept_at.toISOString()],
  releasedAt: ['Released At (UTC)', ({ released_at }) => released_at?.toISOString() ?? ''],
  transactionId: ['Transaction ID', ({ release_id }) => release_id ?? ''],
};

function dayView({ release_on, payments, amount_minor }: ReleaseDayRow) {
  return { releaseOn: release_on, amount: toNumberIfExact(amount_minor), payments };
}

/** What is kept of a merchant's payments, and when it comes back, in naira. @param walletId of one wallet alone */
export async function readReserve(database: Database, { merchantId, mode }: Tenant, walletId: string | undefined) {
  const days = await database.query(sumKeptReserves, [merchantId, mode, walletId ?? null]);
  const sum = (amounts: readonly bigint[]) => toNumberIfExact(amounts.reduce((one, other) => one + other, 0n));
  return {
    amount: sum(days.map(({ amount_minor }) => amount_minor)),
    payments: days.reduce((count, { payments }) => count + payments, 0),
    currency: DEFAULT_CURRENCY,
    releases: days.map(dayView),
  };
}

/** What was kept of a payment; null: nothing. */
export async function readReserveOf(queries: Queries, { merchantId, mode }: Tenant, paymentId: string) {
  const [row] = await queries.query(findReserve, [merchantId, mode, paymentId]);
  return row === undefined ? null : reserveView(row);
}
