import { atPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { Input } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { showStatus } from '../components/status-words.ts';
import { accountNumberOf, isWholeAccount } from '../format/accounts.ts';
import { useColumns } from '../lists/columns.tsx';
import { FilterBar } from '../lists/filter-bar.tsx';
import {
  activeFields,
  askedOf,
  type FilterSearch,
  type Filters,
  type FilterWords,
  partAsked,
  railAsked,
} from '../lists/filter-fields.ts';
import { ListTools } from '../lists/list-tools.tsx';
import { ListTotals, TOTALS_EVERY_MS } from '../lists/list-totals.tsx';
import { NothingLeft } from '../lists/nothing-left.tsx';
import { RailFilter } from '../lists/rail-filter.tsx';
import { RecentNote } from '../lists/recent-note.tsx';
import { TRANSACTION_STATUSES } from '../lists/transaction-statuses.ts';
import { ALL_TRANSACTION_COLUMNS } from './all-columns.tsx';
import { CATEGORY_OPTIONS, isCategory, transactionKey } from './transaction-columns.tsx';

export interface TransactionsPageProps {
  search: TransactionSearch;
  /** Changes what stands in the address; the rest of it stays. */
  onSearch: (change: TransactionSearch) => void;
}

/** Everything that moved or was meant to, whatever it was. */
export function TransactionsPage({ search, onSearch }: TransactionsPageProps) {
  const transactions = useFound(search);
  const query = filterQueryOf(search);
  const { order: _order, ...summed } = query;
  const totals = useRead('/transaction/total', { query: summed }, { refetchInterval: TOTALS_EVERY_MS });
  const filter = (change: TransactionSearch) => onSearch({ page: undefined, ...change });
  const columns = useColumns('TRANSACTIONS', ALL_TRANSACTION_COLUMNS, search.columns, (chosen) =>
    onSearch({ columns: chosen }),
  );
  return (
    <ListPage
      title="Transactions"
      about="Payouts and what moved between your wallets, newest first."
      filters={<TransactionFilters search={search} onFilter={filter} />}
      note={
        <>
          <ListTools
            list="TRANSACTIONS"
            search={search}
            onFilter={filter}
            all={ALL_TRANSACTION_COLUMNS}
            chosen={columns}
            file={{ address: '/transaction.csv', query, name: 'transactions' }}
          />
          <SearchNote search={search} onFilter={filter} />
          <RecentNote search={search} />
          <ListTotals found={totals} statuses={STATUSES} nouns={['transaction', 'transactions']} fees="charges" />
        </>
      }
      columns={columns.shown}
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
    <FilterBar
      list="TRANSACTIONS"
      search={search}
      words={WORDS}
      onFilter={onFilter}
      first={
        <SearchFilter
          label="Search"
          placeholder="Reference, id or account number"
          value={search.search}
          onChange={(text) => onFilter({ search: text, by: undefined })}
        />
      }
      more={
        <>
          <SearchFilter
            label="To or from"
            placeholder="Part of a name or number"
            value={search.counterparty}
            onChange={(counterparty) => onFilter({ counterparty })}
          />
          <SelectFilter
            label="Kind"
            all="All kinds"
            options={CATEGORY_OPTIONS}
            value={search.category}
            onChange={(category) => onFilter({ category })}
          />
          <RailFilter rail={search.rail} onChange={(rail) => onFilter({ rail })} />
        </>
      }
    />
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
      Payouts to account {accountNumberOf(search.search ?? '')}
      {search.from === undefined && ', of the last 90 days. Choose a day under From to go further back'}.
    </Alert>
  );
}

function NoTransaction({ search, onFilter }: Filtering) {
  if (activeFields('TRANSACTIONS', search).length === 0) {
    return (
      <EmptyState title="Nothing has moved yet">
        Each payout, each sweep of a store and each credit of a subaccount is listed here, with everything that is known
        about it.
      </EmptyState>
    );
  }
  return (
    <NothingLeft
      list="TRANSACTIONS"
      path="/transaction"
      search={search}
      words={WORDS}
      queryOf={filterQueryOf}
      onFilter={onFilter}
      hint={
        search.search === undefined
          ? undefined
          : 'A reference has to be given whole, an account number with its ten digits.'
      }
    />
  );
}

/** What stands in the address; `search` is a reference, an id or a ten-digit account number, `by` how ten digits are meant. */
type TransactionSearch = FilterSearch;

type Query = NonNullable<Input<'get', '/transaction'>['query']>;

const STATUSES = TRANSACTION_STATUSES.map((value) => ({ value, label: showStatus(value).word }));
const WORDS: FilterWords = { statuses: STATUSES, others: { category: CATEGORY_OPTIONS } };

const PAGE_SIZE = 25;

/** Whether what is searched for is taken for an account number. */
const isAccountSearch = ({ search, by }: TransactionSearch): boolean =>
  search !== undefined && by !== 'reference' && isWholeAccount(search);

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is searched for, where it can be the id of a transaction and nothing else narrows the list. */
function idOf(found: TransactionSearch): string | undefined {
  const narrowed = activeFields('TRANSACTIONS', found).some((field) => field !== 'search');
  return found.search !== undefined && !narrowed && ID.test(found.search) ? found.search : undefined;
}

/** What the interface is asked for, but for the place in the list. A word that it does not know is left out. */
function filterQueryOf(found: Filters) {
  const { search, batch, category } = found;
  const counterparty = partAsked(found.counterparty);
  const rail = railAsked(found.rail);
  return {
    ...askedOf(found, STATUSES),
    ...(search === undefined
      ? {}
      : isAccountSearch(found)
        ? { accountNumber: accountNumberOf(search) }
        : { reference: search }),
    ...(batch === undefined ? {} : { batchReference: batch }),
    ...(isCategory(category) ? { category } : {}),
    ...(counterparty !== undefined && { counterparty }),
    ...(rail !== undefined && { rail }),
  };
}

const queryOf = (found: TransactionSearch): Query => ({
  ...filterQueryOf(found),
  ...atPlace(found.page),
  size: PAGE_SIZE,
});
