import { Vault } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { CollectionTabs } from '../collections/collection-tabs.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { startOfLagosDay } from '../format/time.ts';
import { Figures } from '../wallet/wallet-figures.tsx';

const KeptPayments = lazy(() => import('./kept-payments.tsx').then((part) => ({ default: part.KeptPayments })));

type Release = Data<'get', '/collection/reserve'>['releases'][number];

const COLUMNS: readonly Column<Release>[] = [
  {
    key: 'day',
    header: 'Comes back on',
    cell: ({ releaseOn }) => <Moment at={startOfLagosDay(releaseOn)} show="day" />,
  },
  {
    key: 'payments',
    header: 'Payments',
    align: 'right',
    cell: ({ payments }) => <span className="figures">{formatCount(payments)}</span>,
  },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
];

/** What of payments in is kept against chargebacks, and when it comes back. */
export function ReservePage() {
  const { data, error, refetch } = useRead('/collection/reserve', {});
  return (
    <ListPage
      title="Money in"
      about="A part of some payments, such as those by card, is kept for some days in case a payer takes the money back. It is yours, and comes back to its wallet by itself."
      caption="What comes back from the reserve, the next day first"
      intro={
        <>
          <CollectionTabs />
          <Figures
            figures={[
              { label: 'In reserve', value: data?.amount, about: aboutKept(data?.payments) },
              {
                label: 'Comes back next',
                value: data === undefined ? undefined : (data.releases[0]?.amount ?? 0),
                about: data?.releases[0] === undefined ? 'Nothing is kept.' : 'On the first day of the list.',
              },
            ]}
          />
        </>
      }
      columns={COLUMNS}
      rowKey={({ releaseOn }) => releaseOn}
      {...(data === undefined ? {} : { rows: data.releases })}
      list={{ data: undefined, error, refetch }}
      empty={
        <EmptyState icon={Vault} title="Nothing is in reserve">
          Where your operator keeps a part of payments, it is listed here by the day on which it comes back.
        </EmptyState>
      }
    >
      <Suspense fallback={null}>
        <KeptPayments />
      </Suspense>
    </ListPage>
  );
}

function aboutKept(payments: number | undefined): string {
  if (payments === undefined) return 'Of payments in.';
  return payments === 1 ? 'Of one payment in.' : `Of ${formatCount(payments)} payments in.`;
}
