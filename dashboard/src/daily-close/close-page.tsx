import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { DayFilter } from '../components/day-filters.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Filters, SelectFilter } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { MODES } from '../format/modes.ts';
import { formatCount } from '../format/money.ts';
import { amountColumn, words } from './columns.tsx';
import { type ClosedDay, ReopenDialog, SignDialog } from './sign-dialogs.tsx';

type Kind = ClosedDay['kinds'][number];
type Provider = ClosedDay['providers'][number];
type Posting = ClosedDay['postings'][number];

const TOTALS: Record<keyof ClosedDay['totals'], string> = {
  moneyIn: 'Money in, confirmed',
  moneyOut: 'Paid out, less what came back',
  fees: 'Fees earned',
  vatAndDuty: 'VAT and stamp duty',
  refunds: 'Refunds by providers',
  disputes: 'Disputes lost',
  settledByProviders: 'Settled by providers',
  keptByProviders: 'Kept by providers as fees',
  deductedByProviders: 'Deducted by providers',
};

const FILES = [
  { format: 'PDF', label: 'PDF', ending: '.pdf' },
  { format: 'CSV', label: 'CSV', ending: '.csv' },
  { format: 'JOURNAL_CSV', label: 'Journal (CSV)', ending: '-journal.csv' },
  { format: 'JOURNAL_LEDGER', label: 'Journal (hledger)', ending: '.journal' },
] as const;

const KIND_COLUMNS: readonly Column<Kind>[] = [
  { key: 'kind', header: 'Account', cell: ({ kind }) => <span className="font-medium">{words(kind)}</span> },
  amountColumn('opening', 'Opening', ({ opening }) => opening),
  amountColumn('debits', 'Debits', ({ debits }) => debits),
  amountColumn('credits', 'Credits', ({ credits }) => credits),
  amountColumn('closing', 'Closing', ({ closing }) => closing, false),
];

const PROVIDER_COLUMNS: readonly Column<Provider>[] = [
  { key: 'rail', header: 'Provider account', cell: ({ rail }) => <span className="font-medium">{rail}</span> },
  amountColumn('opening', 'Opening', ({ opening }) => opening),
  amountColumn('confirmed', 'Confirmed', ({ confirmed }) => confirmed),
  amountColumn('settled', 'Settled', ({ settled }) => settled),
  amountColumn('kept', 'Kept', ({ kept }) => kept),
  amountColumn('back', 'Returned, refunded, lost', ({ returned, refunded, disputed }) =>
    returned === null || refunded === null || disputed === null ? null : returned + refunded + disputed,
  ),
  amountColumn('deducted', 'Deducted', ({ deducted }) => deducted),
  amountColumn('closing', 'Closing', ({ closing }) => closing, false),
];

const POSTING_COLUMNS: readonly Column<Posting>[] = [
  {
    key: 'code',
    header: 'Posting',
    cell: ({ code, debitKind, creditKind, rail }) => (
      <div className="min-w-36">
        <p className="font-medium">{words(code)}</p>
        <p className="text-xs text-muted">
          {words(debitKind)} to {words(creditKind)}
          {rail !== null && ` (${rail})`}
        </p>
      </div>
    ),
  },
  {
    key: 'transfers',
    header: 'Transfers',
    align: 'right',
    wideOnly: true,
    cell: ({ transfers }) => formatCount(transfers),
  },
  amountColumn('amount', 'Amount', ({ amount }) => amount, false),
];

export interface ClosePageProps {
  mode: Mode;
  day: string | undefined;
  onChange: (change: { books?: Mode; day?: string }) => void;
}

/** What a day comes to: to be signed, or as it was signed. */
export function ClosePage({ mode, day, onChange }: ClosePageProps) {
  const [deciding, setDeciding] = useState<'SIGN' | 'REOPEN'>();
  const read = useRead('/operator/daily-close/day', { query: { mode, ...(day !== undefined && { day }) } });
  const shown = read.data;
  const close = () => setDeciding(undefined);
  return (
    <>
      <PageHeader
        title="Daily close"
        actions={
          <>
            <Link to="/operator/daily-close" search={{ names: true }} className="text-sm text-accent underline">
              Names in journals
            </Link>
            <Link to="/operator/receivables" className="text-sm text-accent underline">
              What providers owe
            </Link>
          </>
        }
      >
        A day of the books of all merchants, from midnight to midnight in Lagos, equal to the ledger to the kobo. What
        is posted late belongs to the day on which it is posted.
      </PageHeader>
      <Filters>
        <DayFilter
          label="Day"
          required
          value={shown?.day ?? day}
          onChange={(chosen) => chosen !== undefined && onChange({ day: chosen })}
        />
        <SelectFilter
          label="Mode"
          value={mode}
          options={MODES}
          onChange={(chosen) => onChange({ books: chosen as Mode })}
        />
      </Filters>
      {read.error && <Alert tone="warn" title={read.error.message} />}
      {shown !== undefined && <Shown shown={shown} onDecide={setDeciding} />}
      {shown !== undefined && deciding === 'SIGN' && <SignDialog shown={shown} onClose={close} />}
      {shown?.close != null && deciding === 'REOPEN' && <ReopenDialog closed={shown.close} onClose={close} />}
    </>
  );
}

function Shown({ shown, onDecide }: { shown: ClosedDay; onDecide: (what: 'SIGN' | 'REOPEN') => void }) {
  const { close, versions, totals, kinds, providers, postings } = shown;
  return (
    <div className="grid gap-6">
      <div className="card p-4">
        <DescriptionList
          items={[
            {
              label: 'State',
              value:
                close === null ? (
                  <Badge tone="warn">Not signed</Badge>
                ) : (
                  <Badge tone="good">{close.second === null ? 'Signed' : 'Signed by two'}</Badge>
                ),
            },
            ...versions.map((one) => ({
              label: `Version ${one.version}`,
              value: <Signatures version={one} />,
            })),
            { label: 'Digest', value: <span className="text-xs break-all">{shown.digest}</span> },
          ]}
        />
        <div className="mt-4 flex flex-wrap gap-2">
          {(close === null || close.second === null) && (
            <Button look="primary" onClick={() => onDecide('SIGN')}>
              {close === null ? 'Sign' : 'Sign as the second'}
            </Button>
          )}
          {close !== null && <Button onClick={() => onDecide('REOPEN')}>Reopen</Button>}
          {close !== null &&
            FILES.map(({ format, label, ending }) => (
              <DownloadButton
                key={format}
                address={`/operator/daily-close/${close.closeId}/document?format=${format}`}
                fileName={`close-${close.day}-v${close.version}${ending}`}
              >
                {label}
              </DownloadButton>
            ))}
        </div>
      </div>
      <div className="card p-4">
        <DescriptionList
          items={Object.entries(TOTALS).map(([name, label]) => ({
            label,
            value: <Amount value={totals[name as keyof typeof totals]} />,
          }))}
        />
      </div>
      <Table
        caption="Accounts of the day"
        columns={KIND_COLUMNS}
        rows={kinds}
        rowKey={({ kind }) => kind}
        empty={<EmptyState title="Nothing was posted on this day">It is signed like any other day.</EmptyState>}
      />
      {providers.length > 0 && (
        <Table
          caption="What providers owe"
          columns={PROVIDER_COLUMNS}
          rows={providers}
          rowKey={({ rail }) => rail}
          empty={null}
        />
      )}
      {postings.length > 0 && (
        <Table
          caption="Postings of the day"
          columns={POSTING_COLUMNS}
          rows={postings}
          rowKey={({ code, debitKind, creditKind, rail }) => [code, debitKind, creditKind, rail].join('/')}
          empty={null}
        />
      )}
    </div>
  );
}

function Signatures({ version: { signed, second, reopened } }: { version: NonNullable<ClosedDay['close']> }) {
  return (
    <div className="text-sm wrap-anywhere">
      <p>
        {signed.by}, <Moment at={signed.at} />
      </p>
      {second !== null && (
        <p>
          and {second.by}, <Moment at={second.at} />
        </p>
      )}
      {reopened !== null && (
        <p className="text-muted">
          Reopened by {reopened.by}: {reopened.reason}
        </p>
      )}
    </div>
  );
}
