import { Scale } from 'lucide-react';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Amount } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { MONEY_TABS, type MoneyInPageProps } from './money-in-page.tsx';

type Receivable = RecordOf<'/operator/suspense/receivable'>;

const SIZE = 50;

const naira = (value: number) => <Amount value={value} currency="NGN" />;

const COLUMNS: readonly Column<Receivable>[] = [
  {
    key: 'rail',
    header: 'Provider account',
    cell: ({ rail, businessName, merchantId, mode }) => (
      <div className="min-w-32">
        <p className="font-medium break-words">{rail}</p>
        <p className="text-xs text-muted">
          {businessName ?? merchantId}, {modeWord(mode)}
        </p>
      </div>
    ),
  },
  { key: 'total', header: 'Owed', align: 'right', cell: ({ total }) => naira(total) },
  {
    key: 'day',
    header: 'Under a day',
    align: 'right',
    wideOnly: true,
    cell: ({ underOneDay }) => naira(underOneDay),
  },
  {
    key: 'two',
    header: '1 to 2 days',
    align: 'right',
    wideOnly: true,
    cell: ({ oneToTwoDays }) => naira(oneToTwoDays),
  },
  {
    key: 'week',
    header: '3 to 7 days',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ threeToSevenDays }) => naira(threeToSevenDays),
  },
  { key: 'older', header: 'Older', align: 'right', wideOnly: true, cell: ({ older }) => naira(older) },
  {
    key: 'toDeduct',
    header: 'To be deducted',
    align: 'right',
    wideOnly: 'xl',
    cell: ({ toDeduct }) => naira(toDeduct),
  },
];

/** What each provider account owes for each merchant, by how long ago it was confirmed. */
export function ReceivablesPage({ page, onPage }: MoneyInPageProps) {
  const list = useList('/operator/suspense/receivable', { query: { ...atPlace(page), size: SIZE } });
  return (
    <ListPage
      title="Money in"
      about="What each provider account owes for each merchant: what it confirmed, has not settled, and nobody returned, less refunds and disputes that it has not deducted yet."
      intro={
        <div className="mb-4">
          <Tabs label="Money in" tabs={MONEY_TABS} />
        </div>
      }
      caption="What providers owe, by merchant and age"
      columns={COLUMNS}
      rowKey={({ merchantId, mode, rail }) => `${merchantId} ${mode} ${rail}`}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Scale} title="No provider owes anything">
          Payments in are listed here once a provider confirmed them.
        </EmptyState>
      }
    />
  );
}
