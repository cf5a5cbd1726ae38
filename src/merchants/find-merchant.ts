import { createCache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { countList, type FoundList, readList } from '../platform/lists/read-list.ts';
import { merchantChangeNotFound, merchantNotFound } from './errors.ts';
import {
  type AcceptedAccountRow,
  type DecidedFacts,
  findFactsOfChange,
  findLiveMerchant,
  findMerchantById,
  listAcceptedAccounts,
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

/** More than a merchant has: it submits and is decided on a few times in its life. */
const MAX_STATUS_CHANGES = 200;

/** The decisions about a merchant and who made them, newest first. */
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

/** Merchants, newest first. `after` is the last id of the page before. */
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

/** The name of the approver of merchants that a first start makes for trials. */
export const DEMO_ACTOR = 'demo';

/** Whether anybody ever approved a merchant: from then on its money is real, also while it is suspended. */
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
 * The merchants that match: newest first, or first the merchant that has waited longest for the operator.
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

/** The names of merchants by id, for lists across merchants. Null, which is no merchant, is passed over. */
export async function readMerchantNames(
  queries: Queries,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const wanted = new Set(ids.filter((id) => id !== null));
  if (wanted.size === 0) return new Map();
  const rows = await queries.query(listMerchantNames, [[...wanted]]);
  return new Map(rows.map(({ id, business_name }) => [id, business_name]));
}

/** How many merchants wait for the operator to look at their details. */
export const countSubmitted = (queries: Queries): Promise<number> =>
  countList(queries, registerList({ submitted: true }));

/** Nobody looks through more choices than these, but types another letter. */
const MOST_CHOICES = 20;
/** Signs that separate words in the index too: blanks, and ASCII punctuation. */
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

/** The same for merchants whose ids are known. */
export const readMerchantChoices = (queries: Queries, ids: readonly string[]): Promise<ChoiceRow[]> =>
  queries.query(listMerchantsById, [ids]);

/** The account that settlements go to, as the operator accepted it. */
export interface ReviewedAccount {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
  /** When it was accepted in place of another; null for the first one that the merchant had. */
  changedAt: Date | null;
}

/**
 * The settlement account in the facts of the operator's last acceptance: what was looked at then, and not what the profile
 * says now. Undefined where nobody has accepted one.
 */
export async function readReviewedAccount(queries: Queries, merchantId: string): Promise<ReviewedAccount | undefined> {
  const accepted = await queries.query(listAcceptedAccounts, [merchantId]);
  const [last] = accepted;
  const { bank_code: bankCode, account_number: accountNumber } = last ?? {};
  if (last === undefined || !bankCode || !accountNumber) return undefined;
  const other = accepted.findIndex((row) => row.account_number !== accountNumber || row.bank_code !== bankCode);
  const since = accepted[other === -1 ? accepted.length - 1 : other - 1] ?? last;
  const isFirst = other === -1 || !accepted.slice(other).some(hasAccount);
  return {
    bankCode,
    bankName: last.bank_name ?? '',
    accountNumber,
    accountName: last.account_name ?? '',
    changedAt: isFirst ? null : since.created_at,
  };
}

const hasAccount = ({ bank_code, account_number }: AcceptedAccountRow): boolean =>
  Boolean(bank_code) && Boolean(account_number);

/** The status of a merchant may be this old when its money leaves. */
const MAX_AGE_MS = 1_000;
/** A process remembers so many merchants with money under way. */
const MAX_MERCHANTS = 10_000;

/**
 * Whether the operator has suspended a merchant, as of a second ago at most: asked before each send, so it costs a
 * query a second and merchant. It throws what the database throws: then nobody knows, and nothing is to leave.
 */
export function createIsSuspended({
  database,
  clock,
}: {
  database: Queries;
  clock: Clock;
}): (merchantId: string) => Promise<boolean> {
  const cache = createCache<boolean>({ clock, ttlMs: MAX_AGE_MS, max: MAX_MERCHANTS });
  return (merchantId) =>
    cache.read(merchantId, async () => (await requireMerchant(database, merchantId)).status === 'SUSPENDED');
}
