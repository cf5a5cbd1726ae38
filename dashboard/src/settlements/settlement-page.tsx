import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { WalletName } from '../collections/wallet-name.tsx';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { type Settlement, type SettlementLine, STATUS_WORDS } from './settlement-words.ts';
import { SettleNowDialog } from './settlements-page.tsx';

const LOOK_EVERY_MS = 5_000;

const LINES: readonly Column<SettlementLine>[] = [
  {
    key: 'what',
    header: 'Line',
    cell: (line) => (
      <div className="min-w-36">
        <p className="font-medium">{line.label}</p>
        <p className="text-xs text-muted wrap-anywhere">{line.narration}</p>
      </div>
    ),
  },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
  {
    key: 'reference',
    header: 'Transaction',
    wideOnly: true,
    cell: ({ transactionId, reference }) => (
      <Link to="/transactions/$transactionId" params={{ transactionId }} className="text-accent underline break-all">
        {reference === '' ? transactionId : reference}
      </Link>
    ),
  },
  {
    key: 'balance',
    header: 'Balance',
    align: 'right',
    wideOnly: true,
    cell: ({ balance }) => <Amount value={balance} />,
  },
  { key: 'at', header: 'Booked', wideOnly: true, cell: ({ bookedAt }) => <Moment at={bookedAt} /> },
];

export interface SettlementPageProps {
  settlementId: string;
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

/** One settlement, from gross to net, and each line of it. */
export function SettlementPage({ settlementId, page, onPage }: SettlementPageProps) {
  const mode = useMode();
  const may = useMay();
  const [again, setAgain] = useState(false);
  const settlement = useRead(
    '/collection/settlement/{settlementId}',
    { path: { settlementId } },
    { refetchInterval: LOOK_EVERY_MS },
  ).data;
  const list = useList('/collection/settlement/{settlementId}/line', {
    path: { settlementId },
    query: { ...atPlace(page), size: 50 },
  });
  const file = `settlement-${settlement?.number ?? ''}`;
  return (
    <ListPage
      title={settlement === undefined ? 'Settlement' : `Settlement no. ${settlement.number}`}
      back={{ label: 'All settlements', to: '/collections/settlements' }}
      about="Opening and every line come to closing. The lines that were collected come to the net."
      actions={
        <>
          <DownloadButton address={`/collection/settlement/${settlementId}/line.csv`} fileName={`${file}.csv`}>
            CSV
          </DownloadButton>
          <DownloadButton address={`/collection/settlement/${settlementId}/report`} fileName={`${file}.pdf`}>
            PDF
          </DownloadButton>
          {settlement?.status === 'FAILED' && may('payout:write', mode) && (
            <Button look="primary" onClick={() => setAgain(true)}>
              Try again
            </Button>
          )}
        </>
      }
      intro={settlement === undefined ? undefined : <Sums settlement={settlement} />}
      caption="Lines of the settlement, newest first"
      columns={LINES}
      rowKey={({ lineId }) => lineId}
      list={list}
      onPage={onPage}
      empty={<EmptyState title="No line">Only what the settlement before left went with this one.</EmptyState>}
    >
      <SettleNowDialog open={again} onClose={() => setAgain(false)} settlementId={settlementId} />
    </ListPage>
  );
}

function Sums({ settlement }: { settlement: Settlement }) {
  const { status, reason, tryAgainAt } = settlement;
  return (
    <>
      {status === 'FAILED' && (
        <div className="mb-6">
          <Alert tone="bad" title="This settlement failed">
            The money is in your wallet ({reason}).
            {tryAgainAt !== null && (
              <>
                {' '}
                It is tried again <Moment at={tryAgainAt} />.
              </>
            )}
          </Alert>
        </div>
      )}
      <div className="grid gap-x-6 lg:grid-cols-2">
        <Section title="From gross to net">
          <DescriptionList layout="rows" items={fromGross(settlement)} />
        </Section>
        <Section title="What was paid">
          <DescriptionList layout="rows" items={paid(settlement)} />
        </Section>
      </div>
    </>
  );
}

const money = (label: string, value: number) => ({ label, value: <Amount value={value} />, figure: true });

const fromGross = ({ opening, summary, closing, net, carriedIn }: Settlement) => [
  money('Opening balance', opening),
  ...summary.map(({ label, lines, amount, settled }) =>
    money(`${label} (${lines} ${lines === 1 ? 'line' : 'lines'})${settled ? '' : ', not settled'}`, amount),
  ),
  money('Closing balance', closing),
  money('Net collected', net),
  money('From the settlement before', carriedIn),
];

const paid = (settlement: Settlement) => [
  {
    label: 'Status',
    value: <Status status={settlement.status} reason={settlement.reason} word={STATUS_WORDS[settlement.status]} />,
  },
  { label: 'Collected in', value: <WalletName walletId={settlement.walletId} /> },
  money('To the bank', settlement.amount),
  money('Transfer fee', settlement.fee),
  money('VAT on it', settlement.vat),
  money('Stamp duty', settlement.stampDuty),
  money('Left the wallet', settlement.total),
  money('With the next one', settlement.carriedOut),
  { label: 'Account', value: `${settlement.accountName}, ${settlement.accountNumber}, ${settlement.bankName}` },
  {
    label: 'Payout',
    value: (
      <Link
        to="/payouts/$transactionId"
        params={{ transactionId: settlement.payoutId }}
        className="text-accent underline break-all"
      >
        {settlement.payoutReference}
      </Link>
    ),
  },
  { label: 'Session id', value: <span className="font-mono text-xs break-all">{settlement.sessionId ?? '–'}</span> },
];
