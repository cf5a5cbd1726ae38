import { Contact, Plus } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { SearchFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Moment } from '../components/values.tsx';
import { CollectionTabs } from './collection-tabs.tsx';
import { CustomerDetails } from './customer-details.tsx';
import { type Customer, CustomerDialog } from './customer-dialog.tsx';

interface CustomersSearch {
  page?: ListPlace | undefined;
  search?: string | undefined;
}

interface CustomersPageProps {
  search: CustomersSearch;
  onSearch: (change: CustomersSearch) => void;
}

const keyOf = ({ customerId }: Customer): string => customerId;

/** Who pays, as the merchant wrote it down. */
export function CustomersPage({ search: { page, search }, onSearch }: CustomersPageProps) {
  const mode = useMode();
  const mayWrite = useMay()('collection:write', mode);
  const [isAdding, setAdding] = useState(false);
  const customers = useList('/customer', {
    query: { ...atPlace(page), size: 25, ...(search === undefined ? {} : { search }) },
  });
  const customer = useOpenRow(customers.data?.records, keyOf);
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add a customer
    </Button>
  );
  return (
    <ListPage
      title="Money in"
      caption="Customers, newest first"
      actions={
        <>
          <DownloadButton
            address={`/customer.csv?${new URLSearchParams(search === undefined ? {} : { search })}`}
            fileName={csvName(['customers', mode])}
            size="small"
          >
            Download CSV
          </DownloadButton>
          {mayWrite && add}
        </>
      }
      about="Who pays you, as you wrote it down. Only the id says who is who: nobody is merged by name or e-mail."
      intro={<CollectionTabs />}
      filters={
        <SearchFilter
          label="Search"
          placeholder="How a name or e-mail begins"
          value={search}
          onChange={(text) => onSearch({ search: text, page: undefined })}
        />
      }
      columns={columnsOf(customer.open)}
      rowKey={keyOf}
      list={customers}
      onPage={(next) => onSearch({ page: next })}
      empty={
        search === undefined ? (
          <EmptyState icon={Contact} title="No customers yet" action={mayWrite && add}>
            Add those who pay you again and again, and give each an account number of its own.
          </EmptyState>
        ) : (
          <EmptyState
            title="No matches"
            action={<Button onClick={() => onSearch({ search: undefined, page: undefined })}>Show all</Button>}
          >
            Try how the name or the e-mail address begins.
          </EmptyState>
        )
      }
    >
      {isAdding && <CustomerDialog customer={undefined} onClose={() => setAdding(false)} />}
      {customer.row !== undefined && <CustomerDetails customer={customer.row} onClose={customer.close} />}
    </ListPage>
  );
}

const columnsOf = (onOpen: (customer: Customer) => void): readonly Column<Customer>[] => [
  {
    key: 'name',
    header: 'Name',
    cell: (customer) => (
      <div className="min-w-32">
        <RowButton onOpen={() => onOpen(customer)}>{customer.name}</RowButton>
        <p className="text-xs break-all text-muted">{customer.email}</p>
      </div>
    ),
  },
  {
    key: 'phone',
    header: 'Phone',
    wideOnly: true,
    cell: ({ phoneNumber }) => <span className="figures">{phoneNumber ?? '–'}</span>,
  },
  { key: 'added', header: 'Added', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
  {
    key: 'actions',
    header: <span className="sr-only">What to do</span>,
    align: 'right',
    cell: (customer) => (
      <div className="flex flex-wrap items-center justify-end gap-1">
        <ButtonLink
          to="/collections/sessions"
          search={{ customerId: customer.customerId }}
          size="small"
          aria-label={`Sessions of ${customer.name}`}
        >
          Sessions
        </ButtonLink>
      </div>
    ),
  },
];
