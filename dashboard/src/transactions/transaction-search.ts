import { atPlace, type ListPlace } from '../api/list-search.ts';
import type { Input } from '../api/types.ts';
import { isCategory } from './category-words.ts';

/** What stands in the address of the list of transactions. */
export interface TransactionSearch {
  page?: ListPlace | undefined;
  /** A reference, an id or a ten-digit account number. */
  search?: string | undefined;
  /** `reference` where ten digits are meant as one. */
  by?: string | undefined;
  batch?: string | undefined;
  status?: string | undefined;
  category?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type Query = NonNullable<Input<'get', '/transaction'>['query']>;
type Status = NonNullable<Query['status']>;

const STATUSES: readonly Status[] = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'SUCCESS',
  'FAILED',
  'REVERSED',
  'CANCELLED',
];

export const TRANSACTION_STATUSES: readonly string[] = STATUSES;

const ACCOUNT = /^\d{10}$/;
const PAGE_SIZE = 25;

/** Whether what is searched for is taken for an account number. */
export const isAccountSearch = ({ search, by }: TransactionSearch): boolean =>
  search !== undefined && by !== 'reference' && ACCOUNT.test(search);

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is searched for, where it can be the id of a transaction and nothing else narrows the list. */
export function idOf({ search, batch, status, category, from, to }: TransactionSearch): string | undefined {
  const narrowed = [batch, status, category, from, to].some((filter) => filter !== undefined);
  return search !== undefined && !narrowed && ID.test(search) ? search : undefined;
}

/** What the interface is asked. A word in the address that it does not know is left out rather than refused. */
export function queryOf(found: TransactionSearch): Query {
  const { page, search, batch, status, category, from, to } = found;
  const known = STATUSES.find((one) => one === status);
  return {
    ...atPlace(page),
    size: PAGE_SIZE,
    ...(search === undefined ? {} : isAccountSearch(found) ? { accountNumber: search } : { reference: search }),
    ...(batch === undefined ? {} : { batchReference: batch }),
    ...(known === undefined ? {} : { status: known }),
    ...(isCategory(category) ? { category } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

export const NO_FILTERS: TransactionSearch = {
  page: undefined,
  search: undefined,
  by: undefined,
  batch: undefined,
  status: undefined,
  category: undefined,
  from: undefined,
  to: undefined,
};

export const hasFilters = (search: TransactionSearch): boolean =>
  Object.entries(search).some(([name, value]) => name !== 'page' && name in NO_FILTERS && value !== undefined);
