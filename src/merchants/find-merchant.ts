import type { Queries, Tx } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { countList, type FoundList, readList } from '../platform/lists/read-list.ts';
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
import {
  type ChoiceRow,
  listMerchantNames,
  listMerchantsById,
  listMerchantsByWords,
  listNewestMerchants,
  listServiceStates,
  type RegisteredRow,
  registerList,
} from './register-queries.ts';
import type { MerchantStatus, ReviewStatus } from './services.ts';

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

export interface RegisterSearch {
  status?: MerchantStatus | undefined;
  review?: ReviewStatus | undefined;
  /** Only those whose details wait for the operator. */
  submitted?: boolean | undefined;
  /** An id, or part of a name, an e-mail address or a number of registration. */
  search?: string | undefined;
}

/**
 * The merchants that match: newest first, or whoever waits longest for the operator.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readRegister(
  queries: Queries,
  { status, review, submitted, search = '' }: RegisterSearch,
  request: ListRequest,
): Promise<FoundList<RegisteredRow>> {
  const wanted = search.trim();
  const found = wanted === '' ? {} : isUuid(wanted) ? { id: wanted } : { text: wanted };
  return readList(queries, registerList({ status, review, submitted, ...found }), request);
}

/** Every service there is, and whether the merchant has it. */
export const readServiceStates = (queries: Queries, merchantId: string) =>
  queries.query(listServiceStates, [merchantId]);

/** The names behind ids, for lists across merchants. */
export async function readMerchantNames(queries: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listMerchantNames, [[...new Set(ids)]]);
  return new Map(rows.map(({ id, business_name }) => [id, business_name]));
}

/** How many merchants wait for the operator to look at their details. */
export const countSubmitted = (queries: Queries): Promise<number> =>
  countList(queries, registerList({ submitted: true }));

/** More than these nobody looks through: another letter is typed. */
const MOST_CHOICES = 20;
/** What parts words in the index too: blanks, and ASCII punctuation. */
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~]+/;

/**
 * Merchants to choose from, up to 20, by name: those with words of the name, an address or the number of registration that
 * begin as what was typed does. Without a word the newest ones.
 */
export function findMerchantChoices(queries: Queries, typed: string): Promise<ChoiceRow[]> {
  const words = typed.split(BETWEEN_WORDS).filter((word) => word !== '');
  if (words.length === 0) return queries.query(listNewestMerchants, [MOST_CHOICES]);
  return queries.query(listMerchantsByWords, [words.map((word) => `${word}:*`).join(' & '), MOST_CHOICES]);
}

/** The same of merchants whose ids are known. */
export const readMerchantChoices = (queries: Queries, ids: readonly string[]): Promise<ChoiceRow[]> =>
  queries.query(listMerchantsById, [ids]);
