import { Landmark, Plus } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { CreditDialog, type ManualCredit } from './credit-dialog.tsx';
import { ProposeCreditDialog } from './propose-credit-dialog.tsx';

export interface ManualCreditsPageProps {
  page: ListPlace | undefined;
  /** Those that were decided, in place of those that wait. */
  isDecided: boolean;
  onPage: (place: ListPlace | undefined) => void;
}

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;

const TABS = [
  { label: 'Waiting', to: '/operator/manual-credits', search: {} },
  { label: 'Decided', to: '/operator/manual-credits', search: { show: 'decided' } },
] as const;

const keyOf = (row: ManualCredit): string => row.manualCreditId;

const columnsOf = (onOpen: (credit: ManualCredit) => void): readonly Column<ManualCredit>[] => [
  {
    key: 'reference',
    header: 'Bank reference',
    cell: (row) => (
      <div className="min-w-36">
        <RowButton label={`Look at ${row.bankReference}`} breakAll onOpen={() => onOpen(row)}>
          {row.bankReference}
        </RowButton>
        <p className="text-xs text-muted">{row.bankName}</p>
        <p className="md:hidden">
          <Amount value={row.amount} currency={row.currency} />
        </p>
        <p className="mt-1 md:hidden">
          <CreditStatus credit={row} />
        </p>
      </div>
    ),
  },
  {
    key: 'merchant',
    header: 'For',
    cell: (row) => (
      <div className="min-w-32">
        <p className="break-words">{row.businessName ?? row.merchantId}</p>
        <p className="text-xs text-muted">
          {row.walletAccountName}, {modeWord(row.mode)}
        </p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    wideOnly: true,
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
  {
    key: 'received',
    header: 'Received on',
    wideOnly: true,
    cell: ({ receivedOn }) => <Moment at={receivedOn} show="day" />,
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: (row) => <CreditStatus credit={row} />,
  },
  {
    key: 'by',
    header: 'Proposed by',
    wideOnly: 'xl',
    cell: ({ proposedBy }) => <span className="wrap-anywhere">{proposedBy.email ?? 'A colleague'}</span>,
  },
];

function CreditStatus({ credit: { status, isMine } }: { credit: ManualCredit }) {
  return <Status status={status} word={wordOf(status, isMine)} />;
}

function wordOf(status: ManualCredit['status'], isMine: boolean): string {
  if (status === 'PENDING') return isMine ? 'Waits for a colleague' : 'Waits for you';
  return { APPROVED: 'Approved', REJECTED: 'Rejected', WITHDRAWN: 'Withdrawn' }[status];
}

/** Money at the operator's bank of which no provider reports: one person proposes to credit it, another approves. */
export function ManualCreditsPage({ page, isDecided, onPage }: ManualCreditsPageProps) {
  const [isProposing, setProposing] = useState(false);
  const list = useList(
    '/operator/manual-credit',
    { query: { ...atPlace(page), size: SIZE, state: isDecided ? 'DECIDED' : 'WAITING' } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const credit = useOpenRow(list.data?.records, keyOf);
  const propose = (
    <Button look="primary" icon={Plus} onClick={() => setProposing(true)}>
      Propose a credit
    </Button>
  );
  return (
    <ListPage
      title="Manual credits"
      actions={propose}
      about="Money that arrived at your bank and that no provider reported. One person proposes to credit a wallet with it, another looks at the document and approves."
      intro={
        <div className="mb-4">
          <Tabs label="Manual credits" tabs={TABS} />
        </div>
      }
      caption={isDecided ? 'Manual credits that were decided' : 'Manual credits that wait for a decision'}
      columns={columnsOf(credit.open)}
      rowKey={keyOf}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Landmark} title={isDecided ? 'None was decided yet' : 'None waits for a decision'}>
          A credit is proposed with the bank's reference and a document, such as a page of the statement.
        </EmptyState>
      }
    >
      {isProposing && <ProposeCreditDialog onClose={() => setProposing(false)} />}
      {credit.row !== undefined && <CreditDialog credit={credit.row} onClose={credit.close} />}
    </ListPage>
  );
}
