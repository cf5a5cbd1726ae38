import { Fragment } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data, Mode } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { DaysFilter } from '../components/day-filters.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Filters, SelectFilter } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { MODES } from '../format/modes.ts';
import { formatMany } from '../format/money.ts';
import type { Period } from '../format/period.ts';
import { amountColumn, words } from './columns.tsx';

type Receivable = Data<'get', '/operator/receivable-statement'>['receivables'][number];
type Margin = Data<'get', '/operator/provider-margin'>['margins'][number];

/** What several figures make up, one below the other: each in a column of its own has no room. */
const partsColumn = (
  key: string,
  header: string,
  of: (row: Receivable) => Record<string, number | null>,
): Column<Receivable> => ({
  key,
  header,
  wideOnly: true,
  cell: (row) => (
    <dl className="grid grid-cols-[auto_auto] gap-x-3">
      {Object.entries(of(row)).map(([label, amount]) => (
        <Fragment key={label}>
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-right">
            <Amount value={amount} />
          </dd>
        </Fragment>
      ))}
    </dl>
  ),
});

const OWED_COLUMNS: readonly Column<Receivable>[] = [
  {
    key: 'rail',
    header: 'Provider account',
    cell: ({ rail, unsettledPayments, oldestAt, differences }) => (
      <div className="min-w-36">
        <p className="font-medium">{rail}</p>
        <p className="text-xs text-muted">
          {unsettledPayments === 0 ? 'Nothing waits' : `${formatMany(unsettledPayments, 'payment')} not settled now`}
          {oldestAt !== null && (
            <>
              , the oldest since <Moment at={oldestAt} />
            </>
          )}
        </p>
        {differences.map(({ result, lines, amount }) => (
          <p key={result} className="text-xs">
            {words(result)}: {formatMany(lines, 'line')}, <Amount value={amount} />
          </p>
        ))}
      </div>
    ),
  },
  amountColumn('opening', 'Opening', ({ opening }) => opening),
  amountColumn('confirmed', 'Confirmed', ({ confirmed }) => confirmed),
  partsColumn('settled', 'Settled', ({ settled, kept }) => ({ 'To the float': settled, Kept: kept })),
  partsColumn('back', 'Went back', ({ returned, refunded, disputed }) => ({
    Returned: returned,
    Refunded: refunded,
    Disputed: disputed,
  })),
  amountColumn('deducted', 'Deducted', ({ deducted }) => deducted),
  amountColumn('closing', 'Closing', ({ closing }) => closing, false),
];

const MARGIN_COLUMNS: readonly Column<Margin>[] = [
  {
    key: 'day',
    header: 'Settled on',
    cell: ({ day, rail, channel, payments }) => (
      <div className="min-w-36">
        <p className="font-medium">
          <Moment at={day} show="day" />
        </p>
        <p className="text-xs text-muted">
          {rail}, {channel === 'ACCOUNT' ? 'account numbers' : 'pages'}, {formatMany(payments, 'payment')}
        </p>
      </div>
    ),
  },
  amountColumn('gross', 'Gross', ({ gross }) => gross),
  amountColumn('quoted', 'Quoted', ({ quoted }) => quoted),
  amountColumn('keptOfQuoted', 'Kept of these', ({ keptOfQuoted }) => keptOfQuoted),
  amountColumn('kept', 'Kept of all', ({ kept }) => kept),
  amountColumn('fee', 'Our fee', ({ fee }) => fee),
  amountColumn('margin', 'Margin', ({ margin }) => margin, false),
];

export interface ReceivablesPageProps {
  mode: Mode;
  from: string;
  to: string;
  onChange: (change: Period & { books?: Mode }) => void;
}

/** What providers owe over a period, and what they cost. */
export function ReceivablesPage({ mode, from, to, onChange }: ReceivablesPageProps) {
  const query = { mode, from, to };
  const owed = useRead('/operator/receivable-statement', { query });
  const cost = useRead('/operator/provider-margin', { query });
  return (
    <>
      <PageHeader
        title="What providers owe"
        back={{ label: 'Daily close', to: '/operator/daily-close' }}
        actions={
          <DownloadButton
            address={`/operator/provider-margin.csv?mode=${mode}&from=${from}&to=${to}`}
            fileName={`provider-margins-${from}-${to}.csv`}
          >
            Margins (CSV)
          </DownloadButton>
        }
      >
        Of each provider account, from the ledger: what it confirmed, settled, kept and took back. A difference that
        nobody has looked into has its name.
      </PageHeader>
      <Filters>
        <DaysFilter required from={from} to={to} onChange={onChange} />
        <SelectFilter
          label="Mode"
          value={mode}
          options={MODES}
          onChange={(chosen) => onChange({ books: chosen as Mode })}
        />
      </Filters>
      {owed.error && <Alert tone="warn" title={owed.error.message} />}
      <div className="grid gap-6">
        {owed.data !== undefined && (
          <Table
            caption="What providers owe"
            columns={OWED_COLUMNS}
            rows={owed.data.receivables}
            rowKey={({ rail }) => rail}
            empty={<p className="p-4 text-sm text-muted">No provider has owed anything yet.</p>}
          />
        )}
        {cost.data !== undefined && (
          <Table
            caption="What providers kept, beside what they had said and what we charged"
            columns={MARGIN_COLUMNS}
            rows={cost.data.margins}
            rowKey={({ day, rail, channel }) => [day, rail, channel].join('/')}
            empty={<p className="p-4 text-sm text-muted">Nothing was settled in this time.</p>}
          />
        )}
      </div>
    </>
  );
}
