import { Hash } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { MONEY_TABS, type MoneyInPageProps } from './money-in-page.tsx';
import { NUMBER_STATES, type NumberNotOpen, RETRIED } from './money-words.ts';

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;

const COLUMNS: readonly Column<NumberNotOpen>[] = [
  {
    key: 'wallet',
    header: 'Wallet or customer',
    cell: ({ walletName, customerName, businessName, merchantId, mode }) => (
      <div className="min-w-36">
        <p className="font-medium break-words">{customerName ?? walletName}</p>
        {customerName !== null && <p className="text-xs break-words text-muted">A customer, paying to {walletName}</p>}
        <p className="text-xs text-muted">
          {businessName ?? merchantId}, {modeWord(mode)}
        </p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'Status',
    cell: ({ state }) => <Status status={state} word={NUMBER_STATES[state]} />,
  },
  {
    key: 'why',
    header: 'Why',
    wideOnly: true,
    cell: ({ message, reason }) => (
      <div className="min-w-40">
        <p className="break-words">{message ?? 'The provider has not answered'}</p>
        {reason !== null && <p className="text-xs text-muted">{reason}</p>}
      </div>
    ),
  },
  {
    key: 'rail',
    header: 'Provider account',
    wideOnly: 'xl',
    cell: ({ rail, attempts }) => (
      <div>
        <p className="break-words">{rail}</p>
        <p className="text-xs text-muted">{attempts === 1 ? 'asked once' : `asked ${attempts} times`}</p>
      </div>
    ),
  },
  { key: 'since', header: 'Since', wideOnly: true, cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
  { key: 'retry', header: 'Retry', align: 'right', cell: (row) => <Retry row={row} /> },
];

function Retry({ row: { merchantId, mode, virtualAccountId, walletName, customerName } }: { row: NumberNotOpen }) {
  const retry = useAction('post', '/operator/virtual-account/retry', { changes: ['/operator'] });

  async function go(): Promise<void> {
    try {
      const { result } = await retry.run({ body: { merchantId, mode, virtualAccountId } });
      toast({ tone: 'good', text: RETRIED[result] });
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <Button
      size="small"
      busy={retry.isPending}
      aria-label={`Try again for ${customerName ?? walletName}`}
      onClick={() => void go()}
    >
      Try again
    </Button>
  );
}

/** Account numbers that a provider refused, or has not opened for long. */
export function AccountNumbersPage({ page, onPage }: MoneyInPageProps) {
  const list = useList(
    '/operator/virtual-account',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      title="Money in"
      about="Account numbers of wallets and customers that a provider refused, or has not opened for ten minutes. Until one is open, nobody can pay to it."
      intro={
        <div className="mb-4">
          <Tabs label="Money in" tabs={MONEY_TABS} />
        </div>
      }
      caption="Account numbers that are not open, first requested first"
      columns={COLUMNS}
      rowKey={({ virtualAccountId }) => virtualAccountId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Hash} title="No account number failed">
          Account numbers that a provider refuses or does not open are listed here.
        </EmptyState>
      }
    />
  );
}
