import type { ReactNode } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Filters } from '../components/filters.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { Amount } from '../components/values.tsx';
import { PeriodFilter, type PeriodSearch } from './period-filter.tsx';
import { entryKey, STATEMENT_COLUMNS } from './statement-columns.tsx';

export interface StatementSearch extends PeriodSearch {
  page?: ListPlace | undefined;
}

export interface StatementProps {
  walletId: string;
  /** For the file's name: "wallet", "Ikeja". */
  name: string;
  search: StatementSearch;
  /** Puts period and page into the address. */
  onSearch: (search: StatementSearch) => void;
  /** What a wallet without a single entry says. */
  empty: ReactNode;
}

const PAGE_SIZE = 25;
const SPREADSHEET_ROWS = 1_048_575;

/** Every entry of a wallet with the balance after it, by period, and the same as a file. */
export function Statement({ walletId, name, search, onSearch, empty }: StatementProps) {
  const mode = useMode();
  const { page, from, to } = search;
  const period = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const path = { walletId };
  const entries = useList('/wallet/{walletId}/statement', {
    path,
    query: { ...period, ...atPlace(page), size: PAGE_SIZE },
  });
  const chosen = from !== undefined || to !== undefined;
  const file = ['statement', name, mode.toLowerCase(), from, to].filter((part) => part !== undefined && part !== '');

  return (
    <Section
      title="Statement"
      bare
      actions={
        <DownloadButton
          address={`/wallet/${walletId}/statement?${new URLSearchParams({ ...period, format: 'csv' })}`}
          fileName={`${file
            .join('-')
            .replaceAll(/[^\w-]+/g, '-')
            .toLowerCase()}.csv`}
          size="small"
        >
          Download CSV
        </DownloadButton>
      }
      about={
        entries.data === undefined ? (
          '\u00a0'
        ) : (
          <>
            <Amount value={entries.data.openingBalance} /> before the first entry,{' '}
            <Amount value={entries.data.closingBalance} /> after the last.{' '}
            {(entries.data.totalRecords ?? 0) > SPREADSHEET_ROWS &&
              'The file has more rows than a spreadsheet opens. Choose a shorter period.'}
          </>
        )
      }
    >
      <Filters>
        <PeriodFilter period={search} all="Last 30 days" onChange={(next) => onSearch({ ...next, page: undefined })} />
      </Filters>
      <Table
        caption={`Statement of ${name}`}
        columns={STATEMENT_COLUMNS}
        rowKey={entryKey}
        list={entries}
        empty={
          chosen ? (
            <NothingThen onShowAll={() => onSearch({ from: undefined, to: undefined, page: undefined })} />
          ) : (
            empty
          )
        }
        onPage={(next) => onSearch({ from, to, page: next })}
      />
    </Section>
  );
}

function NothingThen({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState
      title="Nothing moved in this period"
      action={<Button onClick={onShowAll}>Show the last 30 days</Button>}
    >
      Choose other days, or look at the last 30.
    </EmptyState>
  );
}
