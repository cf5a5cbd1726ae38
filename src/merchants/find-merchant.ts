import type { Queries, Tx } from '../platform/db/database.ts';
import { merchantChangeNotFound, merchantNotFound } from './errors.ts';
import {
  type DecidedFacts,
  findFactsOfChange,
  findLiveMerchant,
  findMerchantById,
  listMerchantSummaries,
  listServicesOfMerchant,
  listStatusChanges,
  lockMerchantById,
  type MerchantRow,
  type MerchantSummaryRow,
  type ServiceRow,
  type StatusChangeRow,
} from './queries.ts';
import type { MerchantStatus } from './services.ts';

async function findMerchant(queries: Queries, merchantId: string): Promise<MerchantRow | undefined> {
  const [row] = await queries.query(findMerchantById, [merchantId]);
  return row;
}

/** @throws AppError `MERCHANT_NOT_FOUND`. */
export async function requireMerchant(queries: Queries, merchantId: string): Promise<MerchantRow> {
  const row = await findMerchant(queries, merchantId);
  if (row === undefined) throw merchantNotFound();
  return row;
}

/** The merchant, held against other changes of its details until the transaction ends. @throws AppError `MERCHANT_NOT_FOUND`. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRow> {
  const [row] = await tx.query(lockMerchantById, [merchantId]);
  if (row === undefined) throw merchantNotFound();
  return row;
}

/** A merchant submits and is decided on a few times in its life. */
const MAX_STATUS_CHANGES = 200;

/** What was decided of a merchant and by whom, newest first. */
export function listMerchantStatusChanges(queries: Queries, merchantId: string): Promise<StatusChangeRow[]> {
  return queries.query(listStatusChanges, [merchantId, MAX_STATUS_CHANGES]);
}

/** What a submission or a decision was about. @throws AppError 404 `MERCHANT_CHANGE_NOT_FOUND`, also where nothing was kept. */
export async function requireDecidedFacts(
  queries: Queries,
  merchantId: string,
  changeId: string,
): Promise<DecidedFacts> {
  const [row] = await queries.query(findFactsOfChange, [merchantId, changeId]);
  if (row === undefined || row.facts === null) throw merchantChangeNotFound();
  return row.facts;
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

/** Who approves the merchants that a first start makes to play with. */
export const DEMO_ACTOR = 'demo';

/** Whether anybody approved a merchant: its money is real from then on, also while it is suspended. */
export async function hasLiveMerchant(queries: Queries): Promise<boolean> {
  const [row] = await queries.query(findLiveMerchant, [DEMO_ACTOR]);
  return row?.found === true;
}
