import { useList, useRead } from '../api/reads.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { showStatus } from '../components/status.tsx';
import { PeriodFilter } from '../wallet/period-filter.tsx';
import { CATEGORY_OPTIONS } from './category-words.ts';
import { TRANSACTION_COLUMNS, transactionKey } from './transaction-columns.tsx';
import {
  hasFilters,
  idOf,
  isAccountSearch,
  NO_FILTERS,
  queryOf,
  TRANSACTION_STATUSES,
  type TransactionSearch,
} from './transaction-search.ts';

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
        Each payout, each sweep of a store and each credit of a subaccount stands here, with everything that is known of
        it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing fits" action={<Button onClick={() => onFilter(NO_FILTERS)}>Clear the filters</Button>}>
      A reference has to be given whole, an account number with its ten digits.
    </EmptyState>
  );
}
