import type { Queries } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { uuidOfHex } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { searchCodes, searchDocuments } from './queries.ts';
import {
  type DocumentKind,
  listTransactionsByBeginning,
  listTransactionsByOwnReference,
  listTransactionsOfAnyone,
  type ReferredRow,
} from './source-queries.ts';
import {
  gramOfAmount,
  gramOfWhole,
  gramsOfWords,
  searchedAmount,
  searchedWords,
  seedOf,
  tokenOfCode,
} from './tokens.ts';

/** The most hits of each type in one answer. */
export const MAX_HITS = 8;
/** One more than is shown, which tells whether there are more. */
export const LOOKED_FOR = MAX_HITS + 1;

/** A text that was typed, in the forms in which it is searched. */
export interface Query {
  /** The text as it was given, without spaces around it. */
  text: string;
  words: readonly string[];
  /** Patterns for `like`. Words have no sign in them with a meaning there. */
  patterns: readonly string[];
  grams: readonly number[];
  /** The whole text as one line. */
  line: string;
  amountMinor: bigint | undefined;
}

/** @throws AppError 400 `SEARCH_TOO_SHORT` */
export function readQuery(q: string): Query {
  const words = searchedWords(q);
  const amountMinor = searchedAmount(q);
  const line = words.join(' ');
  const grams = gramsOfWords(words);
  if (grams.length === 0 && amountMinor === undefined) throw searchTooShort();
  return { text: q.trim(), words, patterns: words.map((word) => `%${word}%`), grams, line, amountMinor };
}

/** A document that was found, or a row without a document. */
export interface Found {
  tenant: Tenant;
  kind: DocumentKind;
  id: string;
  createdAt: Date;
  isExact: boolean;
}

/**
 * What a tenant has of these kinds, at most `LOOKED_FOR` of each for a text and as many for an amount; not sorted, and some
 * of it twice.
 */
export async function findDocuments(
  queries: Queries,
  tenant: Tenant,
  query: Query,
  kinds: readonly DocumentKind[],
): Promise<Found[]> {
  if (kinds.length === 0) return [];
  const { merchantId, mode } = tenant;
  const kindValues = arrayOf('text', kinds);
  const seeds = arrayOf(
    'integer',
    kinds.map((kind) => seedOf(tenant, kind)),
  );
  const exactly = `%\n${query.line}\n%`;
  const look = async (grams: readonly number[], patterns: readonly string[], amountMinor: bigint | null) => {
    const rows = await queries.query(searchDocuments, [
      merchantId,
      mode,
      kindValues,
      seeds,
      arrayOf('integer', grams),
      arrayOf('text', patterns),
      amountMinor,
      LOOKED_FOR,
      exactly,
    ]);
    return rows.map((row) => ({
      tenant,
      kind: row.kind,
      id: row.subject_id,
      createdAt: row.created_at,
      isExact: row.is_exact || amountMinor !== null,
    }));
  };
  const { grams, patterns, amountMinor, line } = query;
  const found = await Promise.all([
    ...(grams.length > 0 ? [look([gramOfWhole(line)], [exactly], null), look(grams, patterns, null)] : []),
    ...(amountMinor === undefined ? [] : [look([gramOfAmount(amountMinor)], [], amountMinor)]),
  ]);
  return found.flat();
}

/** The first and the last id that begin with these hex digits. */
function idsFrom(beginning: string): [string, string] {
  return [uuidOfHex(beginning.padEnd(32, '0')), uuidOfHex(beginning.padEnd(32, 'f'))];
}

const BEGINNING = /^[0-9a-f]{8,32}$/;
const WHOLE = /^[0-9a-f]{32}$/;

/** Finds transactions by their reference alone, without the index. */
export async function findByReference(queries: Queries, tenant: Tenant, { text, words }: Query): Promise<Found[]> {
  const { merchantId, mode } = tenant;
  const [word = ''] = words;
  const isOfOurs = words.length === 1 && BEGINNING.test(word);
  const [ours, own] = await Promise.all([
    isOfOurs ? queries.query(listTransactionsByBeginning, [merchantId, mode, ...idsFrom(word), LOOKED_FOR]) : [],
    queries.query(listTransactionsByOwnReference, [merchantId, mode, text, LOOKED_FOR]),
  ]);
  return [...ours.map((row) => referred(row, WHOLE.test(word))), ...own.map((row) => referred(row, true))];
}

/** Finds what any merchant has under this whole reference, session id or id. */
export async function findCodes(queries: Queries, { line, words }: Query): Promise<Found[]> {
  const [word = ''] = words;
  const [documents, transactions] = await Promise.all([
    queries.query(searchCodes, [tokenOfCode(line), `%\n${line}\n%`, LOOKED_FOR]),
    words.length === 1 && WHOLE.test(word)
      ? queries.query(listTransactionsOfAnyone, [uuidOfHex(word), LOOKED_FOR])
      : [],
  ]);
  const found = documents.map((row) => ({
    tenant: tenantOf(row),
    kind: row.kind,
    id: row.subject_id,
    createdAt: row.created_at,
    isExact: true,
  }));
  return [...found, ...transactions.map((row) => referred(row, true))];
}

function referred(row: ReferredRow, isExact: boolean): Found {
  const kind = row.category === 'PAYOUT' ? 'PAYOUT' : row.category === 'COLLECTION' ? 'PAYMENT' : 'TRANSACTION';
  return { tenant: tenantOf(row), kind, id: row.id, createdAt: row.created_at, isExact };
}

function searchTooShort(): AppError {
  const message = 'Search for at least two letters, four digits, or an amount.';
  return new AppError('invalid', 'SEARCH_TOO_SHORT', message, { errors: [{ field: 'q', message }] });
}
