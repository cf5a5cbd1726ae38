import type { Queries } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { countList, type FoundList, readList } from '../platform/lists/read-list.ts';
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
