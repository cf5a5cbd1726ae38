import { Hash, Plus } from 'lucide-react';
import { useState } from 'react';
import { atPlace, filtersOf, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { AccountNumbers, AccountStatus, CloseButton } from './account-parts.tsx';
import { ACCOUNT_WORDS, type Account } from './account-words.ts';
import { CollectionTabs } from './collection-tabs.tsx';
import { OpenAccountDialog } from './open-account-dialog.tsx';
import { WalletName } from './wallet-name.tsx';

interface AccountsSearch {
  page?: ListPlace | undefined;
  status?: string | undefined;
  customerId?: string | undefined;
}

interface AccountsPageProps {
  search: AccountsSearch;
  onSearch: (change: AccountsSearch) => void;
}

const LOOK_EVERY_MS = 5_000;
const OPTIONS = Object.entries(ACCOUNT_WORDS).map(([value, label]) => ({ value, label }));

const isStatus = (text: string | undefined): text is Account['status'] => text !== undefined && text in ACCOUNT_WORDS;

/** Account numbers at banks: of the wallets themselves, and of customers. */
export function AccountsPage({ search, onSearch }: AccountsPageProps) {
  const mayWrite = useMay()('collection:write', useMode());
  const [isOpening, setOpening] = useState(false);
  const { page, status } = search;
  const filters = { ...(isStatus(status) && { status }), ...filtersOf(search, 'customerId') };
  const accounts = useList(
    '/collection/account',
    { query: { ...atPlace(page), size: 25, ...filters } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const showAll = () => onSearch({ status: undefined, customerId: undefined, page: undefined });
  const open = (
    <Button look="primary" icon={Plus} onClick={() => setOpening(true)}>
      Open for a customer
    </Button>
  );
  return (
    <ListPage
      title="Money in"
      caption="Account numbers, newest first"
      actions={mayWrite && open}
      about="The account numbers that you are paid by. One that is opened for a customer says of each payment who paid."
      intro={<CollectionTabs />}
      filters={
        <SelectFilter
          label="Status"
          all="All account numbers"
          options={OPTIONS}
          value={status}
          onChange={(chosen) => onSearch({ status: chosen, page: undefined })}
        />
      }
      note={search.customerId !== undefined && <OnlyOfCustomer onShowAll={showAll} />}
      columns={columnsOf(mayWrite)}
      rowKey={({ virtualAccountId }) => virtualAccountId}
      list={accounts}
      onPage={(next) => onSearch({ page: next })}
      empty={
        Object.keys(filters).length > 0 ? (
          <EmptyState title="No matches" action={<Button onClick={showAll}>Show all</Button>}>
            No account number is like this.
          </EmptyState>
        ) : (
          <EmptyState icon={Hash} title="No account numbers yet" action={mayWrite && open}>
            Open one for a customer who pays again and again: the customer keeps it, and you see who paid.
          </EmptyState>
        )
      }
    >
      {isOpening && <OpenAccountDialog customer={undefined} onClose={() => setOpening(false)} />}
    </ListPage>
  );
}

function OnlyOfCustomer({ onShowAll }: { onShowAll: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-3 text-sm">
      Only those of one customer.
      <Button size="small" onClick={onShowAll}>
        Show all account numbers
      </Button>
    </p>
  );
}

const To = ({ walletId }: { walletId: string }) => (
  <>
    To <WalletName walletId={walletId} />
  </>
);

const columnsOf = (mayWrite: boolean): readonly Column<Account>[] => [
  {
    key: 'whose',
    header: 'Whose',
    cell: ({ customerName, walletId }) => (
      <div className="min-w-24">
        <p className="font-medium break-words">{customerName ?? <WalletName walletId={walletId} />}</p>
        <p className="text-xs text-muted">{customerName === null ? 'The wallet itself' : <To walletId={walletId} />}</p>
      </div>
    ),
  },
  { key: 'number', header: 'Account number', cell: (account) => <AccountNumbers account={account} /> },
  {
    key: 'status',
    header: 'Status',
    // Beside each other where there is room: on a phone nothing to press may lie outside of the table.
    cell: (account) => (
      <div className="flex flex-wrap items-center gap-2">
        <AccountStatus account={account} />
        {mayWrite && <CloseButton account={account} />}
      </div>
    ),
  },
  {
    key: 'since',
    header: 'Asked for',
    wideOnly: true,
    cell: ({ requestedAt }) => <Moment at={requestedAt} show="day" />,
  },
];
