import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { DetailedRow, TransactionDetails } from './details.ts';
import type { TransactionCategory, TransactionRow } from './queries.ts';
import type { TransactionStatus } from './transaction.ts';

/** Joined row by row, by key: it never decides in which order transactions are read. */
function withDetails(transactions: string, { table, columns }: TransactionDetails): string {
  return `${transactions} transactions
    left join lateral (
      select ${columns.join(', ')} from ${table} d
       where d.merchant_id = transactions.merchant_id and d.mode = transactions.mode and d.id = transactions.id offset 0
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

export interface TransactionFilter {
  status?: TransactionStatus | undefined;
  category?: TransactionCategory | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  batchId?: string | undefined;
  id?: string | undefined;
  clientReference?: string | undefined;
  accountNumber?: string | undefined;
  /** The bank of the account, as the directory has it. */
  bankCode?: string | undefined;
  /** What a request made: a transaction, or the items of a batch. */
  madeAs?: string | undefined;
  madeInBatch?: string | undefined;
}

/**
 * True of every row. Only who names it may use the index by time, which would mislead whoever looks for one row, or for
 * few that have an index of their own.
 */
const BY_TIME = `created_at > '-infinity'`;

/** The same of the index by account, of payouts. */
export const BY_ACCOUNT = `beneficiary_account_number > ''`;

/** Whether none but the index by time holds what is looked for: the others leave out what is most of all. */
function needsIndexByTime({ status, category, ...filter }: TransactionFilter): boolean {
  const isMost = (word: string | undefined, most: string) => word === undefined || word === most;
  const { batchId, id, clientReference, madeAs, madeInBatch } = filter;
  const isOne = [batchId, id, clientReference, madeAs, madeInBatch].some((one) => one !== undefined);
  return !isOne && isMost(status, 'SUCCESS') && isMost(category, 'STORE_TO_MERCHANT');
}

/** Newest first. The items of a batch by id: that is the order in which they were given, and an index has it. */
const NEWEST: ListOrder<TransactionRow> = {
  direction: 'desc',
  keys: [
    { sql: 'created_at', type: 'timestamptz', of: ({ created_at }) => created_at },
    { sql: 'id', type: 'uuid', of: ({ id }) => id },
  ],
};
const NEWEST_OF_BATCH: ListOrder<TransactionRow> = { direction: 'desc', keys: NEWEST.keys.slice(1) };

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
  { since, olderThan }: { since?: Date | undefined; olderThan?: string | undefined } = {},
): List<DetailedRow> {
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2', ...(needsIndexByTime(filter) ? [BY_TIME] : [])];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { status, category, from = since, to, batchId, id, clientReference, accountNumber } = filter;
  if (status !== undefined) where.push(`status = '${status}'`);
  if (category !== undefined) where.push(`category = '${category}'`);
  if (from !== undefined) where.push(`created_at >= ${place(from)}`);
  if (to !== undefined) where.push(`created_at < ${place(to)}`);
  if (batchId !== undefined) where.push(`batch_id = ${place(batchId)}`);
  if (id !== undefined) where.push(`id = ${place(id)}`);
  if (clientReference !== undefined) where.push(`client_reference = ${place(clientReference)}`);
  if (filter.madeAs !== undefined) where.push(`id = ${place(filter.madeAs)}`);
  if (filter.madeInBatch !== undefined) where.push(`batch_id = ${place(filter.madeInBatch)}`);
  if (accountNumber !== undefined) where.push(`beneficiary_account_number = ${place(accountNumber)}`, BY_ACCOUNT);
  if (filter.bankCode !== undefined) where.push(`beneficiary_bank_code = ${place(filter.bankCode)}`);
  const uncounted =
    olderThan === undefined
      ? undefined
      : `(created_at, id) < (select created_at, id from transactions
            where merchant_id = $1 and mode = $2 and id = ${place(olderThan)})`;
  const order = (batchId ?? filter.madeInBatch) === undefined ? NEWEST : NEWEST_OF_BATCH;
  const of = [merchantId, mode, filter];
  return {
    name: 'transactions',
    of,
    order,
    since,
    columns: detailedColumns(details),
    from: (tail) => withDetails(`(select * from transactions ${tail})`, details),
    countFrom: 'transactions',
    where,
    values,
    uncounted,
  };
}
