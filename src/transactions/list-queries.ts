import { statement } from '../platform/db/statement.ts';
import { type List, type ListOrder, type ListPage, MAX_COUNTED } from '../platform/lists/list.ts';
import { pageOfTable } from '../platform/lists/queries.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  TRANSACTION_CATEGORIES,
  TRANSACTION_STATUSES,
  type TransactionCategory,
  type TransactionRow,
} from './queries.ts';
import type { TransactionStatus } from './transaction.ts';
import type { DetailedRow, TransactionDetails } from './views.ts';

/** Joins the details row by row, by key, so that they never decide the order in which transactions are read. */
function withDetails(transactions: string, { table, columns }: TransactionDetails): string {
  return `${transactions} transactions
    left join lateral (
      select ${columns.join(', ')} from ${table} d
       where d.merchant_id = $1 and d.mode = $2 and d.id = transactions.id offset 0
    ) details on true`;
}

const detailedColumns = ({ columns }: TransactionDetails): string =>
  ['transactions.*', ...columns.map((column) => `details.${column}`)].join(', ');

export function findDetailed(details: TransactionDetails) {
  return statement<DetailedRow>(
    'find-transaction-with-details',
    `select ${detailedColumns(details)} from ${withDetails('transactions', details)}
      where transactions.merchant_id = $1 and transactions.mode = $2 and transactions.id = $3`,
  );
}

/** The end of a list that comes first. */
export type TimeOrder = 'NEWEST' | 'OLDEST';

/** A transaction has to meet all conditions that are given. */
export interface TransactionFilter {
  /** The transaction has one of these. */
  statuses?: readonly TransactionStatus[] | undefined;
  category?: TransactionCategory | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  batchId?: string | undefined;
  id?: string | undefined;
  clientReference?: string | undefined;
  accountNumber?: string | undefined;
  /** A part of the name or account number of the counterparty. */
  counterparty?: string | undefined;
  /** In minor units, inclusive. */
  amountFromMinor?: bigint | undefined;
  amountToMinor?: bigint | undefined;
  rail?: string | undefined;
  /** The bank of the account, as the directory has it. */
  bankCode?: string | undefined;
  /** The request that made it: a transaction, or the items of a batch. */
  madeAs?: string | undefined;
  madeInBatch?: string | undefined;
}

/**
 * True of every row. It allows the index by time, which would mislead a search for one row, or for few rows that have
 * an index of their own.
 */
const BY_TIME = `created_at > '-infinity'`;

/** True of every payout. It allows the index by account. */
const BY_ACCOUNT = `beneficiary_account_number > ''`;

/** Whether only the index by time holds the rows. The others leave out the most frequent values. */
function needsIndexByTime(filter: TransactionFilter, status: TransactionStatus | undefined): boolean {
  const isMostOr = (word: string | undefined, most: string) => word === undefined || word === most;
  return !isOne(filter) && isMostOr(status, 'SUCCESS') && isMostOr(filter.category, 'STORE_TO_MERCHANT');
}

/** Whether an index leads to the few rows that are meant, whatever else is asked of them. */
function isOne({ batchId, id, clientReference, madeAs, madeInBatch }: TransactionFilter): boolean {
  return [batchId, id, clientReference, madeAs, madeInBatch].some((one) => one !== undefined);
}

/** Whether no index answers a part of the filter, so that the rows of a period are looked through. */
export function looksThrough(filter: TransactionFilter): boolean {
  const { counterparty, amountFromMinor, amountToMinor, rail } = filter;
  const through = [counterparty, amountFromMinor, amountToMinor, rail];
  return !isOne(filter) && through.some((one) => one !== undefined);
}

/** A column of the counterparty: of the payee, or of the payer where money came in. */
const ofOtherSide = (column: string) =>
  `case when category in ('PAYOUT', 'SUBACCOUNT') then beneficiary_${column} else originator_${column} end`;

/** Newest first. The items of a batch go by id: that is the order in which they were given, and an index has it. */
const NEWEST: ListOrder<TransactionRow> = {
  direction: 'desc',
  keys: [
    { sql: 'created_at', type: 'timestamptz', of: ({ created_at }) => created_at },
    { sql: 'id', type: 'uuid', of: ({ id }) => id },
  ],
};
const NEWEST_OF_BATCH: ListOrder<TransactionRow> = { direction: 'desc', keys: NEWEST.keys.slice(1) };

function orderOf({ batchId, madeInBatch }: TransactionFilter, order: TimeOrder): ListOrder<TransactionRow> {
  const newest = (batchId ?? madeInBatch) === undefined ? NEWEST : NEWEST_OF_BATCH;
  return order === 'NEWEST' ? newest : { ...newest, direction: 'asc' };
}

/** The conditions of a filter, but for its statuses and category, which decide about the index. */
function conditionsOf(filter: TransactionFilter, railOf: string, place: (value: unknown) => string): string[] {
  const { from, to, accountNumber, counterparty, amountFromMinor, amountToMinor, rail } = filter;
  const given: [unknown, (value: string) => string][] = [
    [from, (value) => `created_at >= ${value}`],
    [to, (value) => `created_at < ${value}`],
    [filter.batchId, (value) => `batch_id = ${value}`],
    [filter.id, (value) => `id = ${value}`],
    [filter.clientReference, (value) => `client_reference = ${value}`],
    [filter.madeAs, (value) => `id = ${value}`],
    [filter.madeInBatch, (value) => `batch_id = ${value}`],
    [accountNumber, (value) => `beneficiary_account_number = ${value} and ${BY_ACCOUNT}`],
    [filter.bankCode, (value) => `beneficiary_bank_code = ${value}`],
    [
      counterparty,
      (value) =>
        `(position(lower(${value}) in lower(${ofOtherSide('account_name')})) > 0
          or position(${value} in ${ofOtherSide('account_number')}) > 0)`,
    ],
    [amountFromMinor, (value) => `amount_minor >= ${value}`],
    [amountToMinor, (value) => `amount_minor <= ${value}`],
    [rail, (value) => `${railOf} = ${value}`],
  ];
  return given.flatMap(([value, condition]) => (value === undefined ? [] : [condition(place(value))]));
}

/**
 * Which statuses are read each by the index that has them in order: of several, one plan for all would read the rows of
 * every other as well. Undefined: no status decides about the index.
 */
function partsOf(filter: TransactionFilter): readonly (TransactionStatus | undefined)[] {
  const { statuses } = filter;
  return statuses === undefined || isOne(filter) ? [undefined] : statuses;
}

/**
 * A tenant's transactions. Status and category are words of ours, so they stand in the text, where the planner sees them.
 * @param details what is read of each beside its own row
 * @param since where a filter begins in time where the request named none
 * @param olderThan only what is older than this transaction
 */
export function transactionList(
  { merchantId, mode }: Tenant,
  filter: TransactionFilter,
  details: TransactionDetails,
  {
    since,
    olderThan,
    order = 'NEWEST',
  }: { since?: Date | undefined; olderThan?: string | undefined; order?: TimeOrder | undefined } = {},
): List<DetailedRow> {
  const values: unknown[] = [merchantId, mode];
  const place = (value: unknown) => `$${values.push(value)}`;
  const begun = { ...filter, from: filter.from ?? since };
  const where = ['merchant_id = $1', 'mode = $2', ...conditionsOf(begun, railOf(details), place)];
  const total = isMostRows(filter) ? countOfMost(filter, where) : undefined;
  const { statuses } = filter;
  if (statuses !== undefined && isOne(filter)) where.push(`status in (${statuses.map(quoted).join(', ')})`);
  const parts = partsOf(filter).map((status) => partOf(filter, status));
  const [only] = parts;
  if (parts.length === 1) where.splice(2, 0, ...(only as string[]));
  const uncounted =
    olderThan === undefined
      ? undefined
      : `(created_at, id) < (select created_at, id from transactions
            where merchant_id = $1 and mode = $2 and id = ${place(olderThan)})`;
  return {
    name: 'transactions',
    of: [merchantId, mode, filter, ...(order === 'NEWEST' ? [] : [order])],
    order: orderOf(filter, order),
    since,
    columns: detailedColumns(details),
    from: (tail) => withDetails(`(${eachPart(parts, tail)})`, details),
    fromPage: (page) => withDetails(`(${pageOf(parts, page)})`, details),
    countFrom: parts.length === 1 ? 'transactions' : `(${eachPart(parts, '')}) transactions`,
    where,
    values,
    uncounted,
    total,
    isFleeting: parts.length > 1 || looksThrough(filter),
  };
}

const quoted = (word: string) => `'${word}'`;

/** The rail of a transaction, found by its key, row by row. The tenant is in the first two values. */
const railOf = ({ table, railColumn }: TransactionDetails) =>
  `(select d.${railColumn} from ${table} d
     where d.merchant_id = $1 and d.mode = $2 and d.id = transactions.id)`;

/**
 * What leads to the rows of one status. Few transactions are in any but `SUCCESS`, and those are nearly all payouts: so where
 * such a status is asked for, the category is written in a way that no index has it. The index by category would read every
 * payout that succeeded for the few that failed.
 */
function partOf(filter: TransactionFilter, status: TransactionStatus | undefined): string[] {
  const { category, accountNumber } = filter;
  // The index by account has payouts alone, and is the shorter way to any status.
  const isRare = status !== undefined && status !== 'SUCCESS' && accountNumber === undefined;
  return [
    ...(needsIndexByTime(filter, status) ? [BY_TIME] : []),
    ...(status === undefined ? [] : [`status = '${status}'`]),
    ...(category === undefined ? [] : [`${isRare ? `category || ''` : 'category'} = '${category}'`]),
  ];
}

/** The rows of every part, each with the conditions, order and limit of the whole. */
function eachPart(parts: readonly string[][], tail: string): string {
  if (parts.length === 1) return `select * from transactions ${tail}`;
  const rest = tail.replace(/^where /, 'and ');
  return parts.map((part) => `(select * from transactions where ${part.join(' and ')} ${rest})`).join(' union all ');
}

/** The rows of one page by its number, without the details of earlier rows. */
function pageOf(parts: readonly string[][], page: ListPage): string {
  const { tail, range, upTo } = page;
  if (parts.length === 1) return pageOfTable('transactions', page);
  return `select * from (${eachPart(parts, `${tail} ${upTo()}`)}) transactions ${tail} ${range()}`;
}

/** Whether a filter asks for what nearly all are, the one status or category that has no index, and for nothing else. */
function isMostRows({ statuses, category, from: _from, to: _to, ...others }: TransactionFilter): boolean {
  if (Object.values(others).some((one) => one !== undefined)) return false;
  const isSuccess = statuses?.length === 1 && statuses[0] === 'SUCCESS';
  return isSuccess ? category === undefined : statuses === undefined && category === 'STORE_TO_MERCHANT';
}

/** So many rows are counted before those of other statuses are subtracted. */
const MOST_WITH_OTHERS = 1.5 * MAX_COUNTED;

/**
 * How many such rows there are: all of the oldest, less those that an index leads to. Two indexes are read and no row, but
 * where a third are others; from the oldest on, since forward is how a disk reads ahead.
 */
function countOfMost({ statuses }: TransactionFilter, bounds: readonly string[]): string {
  const [column, most, words] =
    statuses === undefined
      ? ['category', 'STORE_TO_MERCHANT', TRANSACTION_CATEGORIES]
      : ['status', 'SUCCESS', TRANSACTION_STATUSES];
  const within = bounds.join(' and ');
  const others = words.filter((word) => word !== most).map(quoted);
  return `with first as materialized (
      select count(*)::int as found, max(created_at) as until
        from (select created_at from transactions where ${within} and ${BY_TIME}
               order by created_at, id limit ${MOST_WITH_OTHERS + 1}) oldest
    ), meant as materialized (
      select found, found - (select count(*)::int from transactions
                              where ${within} and ${column} in (${others.join(', ')}) and ${column} <> '${most}'
                                and created_at <= until) as meant
        from first
    )
    select case when found <= ${MOST_WITH_OTHERS} or meant > ${MAX_COUNTED} then meant
           else (select count(*)::int from (select 1 from transactions where ${within} and ${BY_TIME} and ${column} = '${most}'
                                             limit ${MAX_COUNTED + 1}) counted) end
      from meant`;
}

/** The sum of the newest payouts to one account. Amounts are in minor units, of payouts that are `SUCCESS` now. */
export interface PaidRow {
  paid: number;
  paid_minor: bigint;
  last_paid_at: Date | null;
  /** How many payouts were looked at, of whatever status. */
  seen: number;
}

/** $3 the bank's code in the directory, $4 the account number, $5 how many payouts are looked at, the newest. */
export const sumPaidToAccount = statement<PaidRow>(
  'sum-paid-to-account',
  `select (count(*) filter (where status = 'SUCCESS'))::int as paid,
          coalesce(sum(amount_minor) filter (where status = 'SUCCESS'), 0)::bigint as paid_minor,
          max(paid_at) filter (where status = 'SUCCESS') as last_paid_at, count(*)::int as seen
     from (
       select status, amount_minor, paid_at from transactions
        where merchant_id = $1 and mode = $2 and category = 'PAYOUT' and beneficiary_account_number = $4
          and ${BY_ACCOUNT} and beneficiary_bank_code = $3
        order by created_at desc, id desc limit $5
     ) newest`,
);

/** $3 bank codes, $4 account numbers, $5 how many payouts to each are looked at. No row for an account without any paid. */
export const listLastPaid = statement<{ bank_code: string; account_number: string; last_paid_at: Date | null }>(
  'list-last-paid',
  `select wanted.bank_code, wanted.account_number, latest.paid_at as last_paid_at
     from unnest($3::text[], $4::text[]) as wanted (bank_code, account_number)
    cross join lateral (
      select paid_at from (
        select status, paid_at, created_at, id from transactions
         where merchant_id = $1 and mode = $2 and category = 'PAYOUT'
           and beneficiary_account_number = wanted.account_number and ${BY_ACCOUNT}
           and beneficiary_bank_code = wanted.bank_code
         order by created_at desc, id desc limit $5
      ) newest
      where status = 'SUCCESS'
      order by created_at desc, id desc limit 1
    ) latest`,
);
