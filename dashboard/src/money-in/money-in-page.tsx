import { Inbox } from 'lucide-react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { MoneyDialog } from './money-dialog.tsx';
import { keyOf, nameOf, STATUS_WORDS, type SuspenseEntry, voidWords } from './money-words.ts';

export interface MoneyInPageProps {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

interface WaitingProps extends MoneyInPageProps {
  merchantId: string | undefined;
  onMerchant: (merchantId: string | undefined) => void;
}

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;

export const MONEY_TABS = [
  { label: 'Waiting', to: '/operator/money-in', search: {} },
  { label: 'Owed by providers', to: '/operator/money-in', search: { show: 'owed' } },
  { label: 'Account numbers', to: '/operator/money-in', search: { show: 'numbers' } },
] as const;

const columnsOf = (onOpen: (money: SuspenseEntry) => void): readonly Column<SuspenseEntry>[] => [
  {
    key: 'payer',
    header: 'From',
    cell: (row) => (
      <div className="min-w-36">
        <RowButton label={`Look at ${nameOf(row)}`} breakAll onOpen={() => onOpen(row)}>
          {nameOf(row)}
        </RowButton>
        <p className="text-xs text-muted">{row.payer.bankName ?? row.rail}</p>
      </div>
    ),
  },
  {
    key: 'merchant',
    header: 'For',
    cell: (row) => (
      <div className="min-w-32">
        <p className="break-words">{row.businessName ?? row.merchantId ?? 'Nobody known'}</p>
        <p className="text-xs text-muted">{modeWord(row.mode)}</p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => (amount === null ? 'Unknown' : <Amount value={amount} currency={currency} />),
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ status }) => <Status status={status} word={STATUS_WORDS[status]} />,
  },
  { key: 'since', header: 'Since', wideOnly: true, cell: ({ since }) => <Moment at={since} /> },
  { key: 'proposal', header: 'Proposal', wideOnly: 'xl', cell: ({ proposal }) => wordOf(proposal) },
];

function wordOf(proposal: SuspenseEntry['proposal']): string {
  if (proposal === null) return 'None yet';
  if (voidWords(proposal) !== undefined) return 'Cannot be confirmed';
  return proposal.isMine ? 'Waits for a colleague' : 'Waits for you';
}

/** Money that came in and has no owner, or may not be credited: one person says what becomes of it, another confirms. */
export function MoneyInPage({ page, merchantId, onPage, onMerchant }: WaitingProps) {
  const list = useList(
    '/operator/suspense',
    { query: { ...atPlace(page), size: SIZE, ...(merchantId !== undefined && { merchantId }) } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const money = useOpenRow(list.data?.records, keyOf);
  return (
    <ListPage
      title="Money in"
      about="Money that came in and has no owner, or may not be credited yet. One person says what becomes of it and how they know, another confirms."
      actions={
        <DownloadButton
          address={`/operator/suspense.csv${merchantId === undefined ? '' : `?merchantId=${merchantId}`}`}
          fileName={csvName(['money-in'])}
          size="small"
        >
          Download CSV
        </DownloadButton>
      }
      intro={
        <div className="mb-4">
          <Tabs label="Money in" tabs={MONEY_TABS} />
        </div>
      }
      filters={<MerchantFilter value={merchantId} onChange={onMerchant} />}
      isFiltered={merchantId !== undefined}
      caption="Money that waits for a decision, longest first"
      columns={columnsOf(money.open)}
      rowKey={keyOf}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Inbox} title="Nothing waits for a decision">
          Money that came in and cannot be credited to a wallet is listed here.
        </EmptyState>
      }
    >
      {money.row !== undefined && <MoneyDialog money={money.row} onClose={money.close} />}
    </ListPage>
  );
}
