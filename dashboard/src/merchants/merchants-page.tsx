import { Link } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { SearchFilter, SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { MerchantState } from './merchant.tsx';

type Row = RecordOf<'/operator/merchant'>;

const SIZE = 50;
const REVIEWS = [
  { value: 'SUBMITTED', label: 'Waits for review' },
  { value: 'PENDING', label: 'Not approved yet' },
  { value: 'ACCEPTED', label: 'Approved' },
  { value: 'REJECTED', label: 'Rejected' },
] as const;
const STATUSES = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'SUSPENDED', label: 'Suspended' },
] as const;

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    header: 'Business',
    cell: (row) => (
      <div className="min-w-28">
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId: row.merchantId }}
          className="font-medium text-accent underline"
        >
          {row.businessName}
        </Link>
        <p className="text-xs break-all text-muted">{row.email}</p>
      </div>
    ),
  },
  { key: 'state', header: 'State', cell: (row) => <MerchantState merchant={row} /> },
  { key: 'submitted', header: 'Submitted', wideOnly: true, cell: (row) => <Moment at={row.submittedAt} /> },
  { key: 'phone', header: 'Phone', wideOnly: true, cell: (row) => <span className="figures">{row.phoneNumber}</span> },
  { key: 'created', header: 'Since', wideOnly: true, cell: (row) => <Moment at={row.createdAt} show="day" /> },
];

export interface MerchantFilters {
  review?: (typeof REVIEWS)[number]['value'] | undefined;
  status?: (typeof STATUSES)[number]['value'] | undefined;
  search?: string | undefined;
}

export interface MerchantsPageProps {
  page: ListPlace | undefined;
  filters: MerchantFilters;
  onPage: (place: ListPlace | undefined) => void;
  onFilter: (change: Partial<Record<keyof MerchantFilters, string | undefined>>) => void;
}

/** Everybody who has signed up, and where each stands. */
export function MerchantsPage({ page, filters, onPage, onFilter }: MerchantsPageProps) {
  const list = useList('/operator/merchant', { query: { ...atPlace(page), size: SIZE, ...filters } });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <ListPage
      title="Merchants"
      about="Everybody who has signed up. Those that you approve can go live."
      filters={
        <>
          <SearchFilter
            label="Find"
            placeholder="Name, e-mail, number or id"
            value={filters.search}
            onChange={(search) => onFilter({ search })}
          />
          <SelectFilter
            label="Review"
            all="Any"
            options={REVIEWS}
            value={filters.review}
            onChange={(review) => onFilter({ review })}
          />
          <SelectFilter
            label="Status"
            all="Any"
            options={STATUSES}
            value={filters.status}
            onChange={(status) => onFilter({ status })}
          />
        </>
      }
      columns={COLUMNS}
      rowKey={(row) => row.merchantId}
      list={list}
      isFiltered={isFiltered}
      onPage={onPage}
      empty={
        <EmptyState icon={Building2} title="Nobody has signed up yet">
          A business signs up by itself, plays in the sandbox, and waits here for your review when it has filled in its
          profile.
        </EmptyState>
      }
    />
  );
}
