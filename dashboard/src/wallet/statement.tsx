import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nowMs } from '../api/clock.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { Filters } from '../components/filters.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import type { Period } from '../format/period.ts';
import { DAY_MS, lagosDay, startOfLagosDay } from '../format/time.ts';
import { entryWord, Reference } from './entries.tsx';
import { PeriodFilter } from './period-filter.tsx';

export interface StatementSearch extends Period {
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

/** The days of which the interface gives entries: the last thirty before their end, where no beginning is chosen. */
function coveredOf({ from, to }: Period): Period {
  const begin = to === undefined ? nowMs() - 30 * DAY_MS : Date.parse(startOfLagosDay(to)) - 29 * DAY_MS;
  return { from: from ?? lagosDay(new Date(begin)), to };
}

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

  return (
    <Section
      title="Statement"
      bare
      actions={
        <DownloadButton
          address={`/wallet/${walletId}/statement?${new URLSearchParams({ ...period, format: 'csv' })}`}
          fileName={csvName(['statement', name, mode], coveredOf(period))}
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

export type StatementEntry = RecordOf<'/wallet/{walletId}/statement'>;

/** An entry has no id: one transaction can have several, each with a code of its own and a balance after it. */
const entryKey = (entry: StatementEntry): string =>
  `${entry.transactionId}/${entry.code}/${entry.balanceAfter}/${entry.createdAt}`;

const STATEMENT_COLUMNS: readonly Column<StatementEntry>[] = [
  {
    key: 'what',
    header: 'What',
    cell: (entry) => (
      <>
        <Link
          to="/transactions/$transactionId"
          params={{ transactionId: entry.transactionId }}
          search={{}}
          className="font-medium text-accent hover:underline"
        >
          {entryWord(entry.code)}
        </Link>
        {entry.beneficiaryAccountName !== null && (
          <span className="block max-w-md text-xs wrap-anywhere">
            {entry.type === 'DEBIT' && entry.code === 'PAYOUT' ? 'To' : 'Of the payout to'}{' '}
            {entry.beneficiaryAccountName}, {entry.beneficiaryBankName}{' '}
            <span className="figures">{entry.beneficiaryAccountNumber}</span>
          </span>
        )}
        <span className="block max-w-md text-xs text-muted">{entry.narration}</span>
        <Moment at={entry.createdAt} className="text-xs text-muted md:hidden" />
      </>
    ),
  },
  { key: 'when', header: 'When', wideOnly: true, cell: (entry) => <Moment at={entry.createdAt} /> },
  {
    key: 'reference',
    header: 'Reference',
    wideOnly: 'xl',
    cell: (entry) => <Reference reference={entry.reference} />,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: (entry) => (
      <>
        <Amount value={entry.amount} direction={entry.type === 'CREDIT' ? 'in' : 'out'} />
        <span className="block text-xs text-muted md:hidden">
          <Amount value={entry.balanceAfter} />
        </span>
      </>
    ),
  },
  {
    key: 'balance',
    header: 'Balance after',
    align: 'right',
    wideOnly: true,
    cell: (entry) => <Amount value={entry.balanceAfter} />,
  },
];
