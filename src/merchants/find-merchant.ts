import type { Queries } from '../platform/db/database.ts';
import { merchantNotFound } from './errors.ts';
import type { MerchantStatus } from './merchant-state.ts';
import {
  findMerchantById,
  listMerchantSummaries,
  listServicesOfMerchant,
  type MerchantRow,
  type MerchantSummaryRow,
  type ServiceRow,
} from './queries.ts';

export async function findMerchant(queries: Queries, merchantId: string): Promise<MerchantRow | undefined> {
  const [row] = await queries.query(findMerchantById, [merchantId]);
  return row;
}

/** @throws AppError `MERCHANT_NOT_FOUND`. */
export async function requireMerchant(queries: Queries, merchantId: string): Promise<MerchantRow> {
  const row = await findMerchant(queries, merchantId);
  if (row === undefined) throw merchantNotFound();
  return row;
}

/** Newest first; `after` is the last id of the page before. */
export function listMerchants(
  queries: Queries,
  page: { status?: MerchantStatus | undefined; after?: string | undefined; limit: number },
): Promise<MerchantSummaryRow[]> {
  return queries.query(listMerchantSummaries, [page.after ?? null, page.status ?? null, page.limit]);
}

/** The services that are switched on for a merchant. */
export function listMerchantServices(queries: Queries, merchantId: string): Promise<ServiceRow[]> {
  return queries.query(listServicesOfMerchant, [merchantId]);
}
