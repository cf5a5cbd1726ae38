import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { Input } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { showStatus } from '../components/status.tsx';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import { CATEGORY_OPTIONS, isCategory, TRANSACTION_COLUMNS, transactionKey } from './transaction-columns.tsx';

export interface TransactionsPageProps {
  search: TransactionSearch;
  /** Changes what stands in the address; the rest of it stays. */
  onSearch: (change: TransactionSearch) => void;
}

/** Everything that moved or was meant to, whatever it was. */
export function TransactionsPage({ search, onSearch }: TransactionsPageProps) {
  const transactions = useFound(search);
  const filter = (change: TransactionSearch) => onSearch({ ...change, page: undefined });
  return (
    <ListPage
      title="Transactions"
      about="Payouts and what moved between your wallets, newest first."
      filters={<TransactionFilters search={search} onFilter={filter} />}
      note={<SearchNote search={search} onFilter={filter} />}
      columns={TRANSACTION_COLUMNS}
      rowKey={transactionKey}
      list={transactions}
      empty={<NoTransaction search={search} onFilter={filter} />}
      onPage={(page) => onSearch({ page })}
    />
  );
}

/** The list; an id, which is nobody's reference, is looked up as what it is. */
function useFound(search: TransactionSearch) {
  const list = useList('/transaction', { query: queryOf(search) });
  const transactionId = idOf(search);
  const byId = useRead(
    '/transaction/{transactionId}',
    { path: { transactionId: transactionId ?? '' } },
    { enabled: transactionId !== undefined && list.data?.totalRecords === 0 },
  );
  if (transactionId === undefined || byId.data === undefined || list.data?.totalRecords !== 0) return list;
  return { ...list, data: { ...list.data, totalRecords: 1, records: [byId.data] } };
}

interface Filtering {
  search: TransactionSearch;
  onFilter: (change: TransactionSearch) => void;
}

function TransactionFilters({ search, onFilter }: Filtering) {
  return (
    <>
      <SearchFilter
        label="Search"
        placeholder="Reference, id or account number"
        value={search.search}
        onChange={(text) => onFilter({ search: text, by: undefined })}
      />
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <SelectFilter
          label="Status"
          all="All statuses"
          options={TRANSACTION_STATUSES.map((value) => ({ value, label: showStatus(value).word }))}
          value={search.status}
          onChange={(status) => onFilter({ status })}
        />
        <SelectFilter
          label="Kind"
          all="All kinds"
          options={CATEGORY_OPTIONS}
          value={search.category}
          onChange={(category) => onFilter({ category })}
        />
      </div>
      <PeriodFilter period={search} all="Any time" onChange={({ from, to }) => onFilter({ from, to })} />
      {hasFilters(search) && (
        <Button look="quiet" onClick={() => onFilter(NO_FILTERS)}>
          Clear the filters
        </Button>
      )}
    </>
  );
}

/** What is being looked through, where that is not what it seems. */
function SearchNote({ search, onFilter }: Filtering) {
  if (search.batch !== undefined) {
    return (
      <Alert tone="info" className="mb-4">
        Only payouts of the bulk payout <span className="font-mono">{search.batch}</span>.
      </Alert>
    );
  }
  if (!isAccountSearch(search)) return null;
  return (
    <Alert
      tone="info"
      className="mb-4"
      action={
        <Button size="small" onClick={() => onFilter({ by: 'reference' })}>
          It is a reference
        </Button>
      }
    >
      Payouts to account {search.search}
      {search.from === undefined && ', of the last 90 days. Choose a day under From to go further back'}.
    </Alert>
  );
}

function NoTransaction({ search, onFilter }: Filtering) {
  if (!hasFilters(search)) {
    return (
      <EmptyState title="Nothing has moved yet">
        Each payout, each sweep of a store and each credit of a subaccount is listed here, with everything that is known
        about it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No matches" action={<Button onClick={() => onFilter(NO_FILTERS)}>Clear the filters</Button>}>
      A reference has to be given whole, an account number with its ten digits.
    </EmptyState>
  );
}

/** What stands in the address of the list of transactions. */
interface TransactionSearch {
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

const TRANSACTION_STATUSES: readonly string[] = STATUSES;

const ACCOUNT = /^\d{10}$/;
const PAGE_SIZE = 25;

/** Whether what is searched for is taken for an account number. */
const isAccountSearch = ({ search, by }: TransactionSearch): boolean =>
  search !== undefined && by !== 'reference' && ACCOUNT.test(search);

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is searched for, where it can be the id of a transaction and nothing else narrows the list. */
function idOf({ search, batch, status, category, from, to }: TransactionSearch): string | undefined {
  const narrowed = [batch, status, category, from, to].some((filter) => filter !== undefined);
  return search !== undefined && !narrowed && ID.test(search) ? search : undefined;
}

/** What the interface is asked. A word in the address that it does not know is left out rather than refused. */
function queryOf(found: TransactionSearch): Query {
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

const NO_FILTERS: TransactionSearch = {
  page: undefined,
  search: undefined,
  by: undefined,
  batch: undefined,
  status: undefined,
  category: undefined,
  from: undefined,
  to: undefined,
};

const hasFilters = (search: TransactionSearch): boolean =>
  Object.entries(search).some(([name, value]) => name !== 'page' && name in NO_FILTERS && value !== undefined);
