import { Link } from '@tanstack/react-router';
import { Landmark, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { CollectionTabs } from '../collections/collection-tabs.tsx';
import { WalletName } from '../collections/wallet-name.tsx';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Section } from '../components/page-header.tsx';
import { PinDialog } from '../components/pin-dialog.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import {
  type Settlement,
  type SettlementSettings,
  STATUS_WORDS,
  STATUSES,
  scheduleText,
  TRIGGERS,
} from './settlement-words.ts';

const LOOK_EVERY_MS = 5_000;

const COLUMNS: readonly Column<Settlement>[] = [
  {
    key: 'number',
    header: 'Settlement',
    cell: (row) => (
      <div className="min-w-32">
        <Link
          to="/collections/settlements/$settlementId"
          params={{ settlementId: row.settlementId }}
          className="font-medium text-accent underline"
        >
          No. {row.number}
        </Link>
        <p className="text-xs text-muted">
          for <Moment at={row.businessDay} show="day" />
        </p>
      </div>
    ),
  },
  { key: 'amount', header: 'To the bank', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, reason }) => <Status status={status} reason={reason} word={STATUS_WORDS[status]} />,
  },
  {
    key: 'wallet',
    header: 'Wallet',
    wideOnly: 'xl',
    cell: ({ walletId }) => <WalletName walletId={walletId} />,
  },
  { key: 'net', header: 'Collected', align: 'right', wideOnly: true, cell: ({ net }) => <Amount value={net} /> },
  { key: 'how', header: 'Made', wideOnly: true, cell: ({ trigger }) => TRIGGERS[trigger] },
  {
    key: 'account',
    header: 'Account',
    wideOnly: 'xl',
    cell: ({ accountNumber, bankName }) => (
      <>
        <span className="figures font-mono">{accountNumber}</span> <span className="text-muted">{bankName}</span>
      </>
    ),
  },
  { key: 'at', header: 'When', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export interface SettlementsPageProps {
  page: ListPlace | undefined;
  status: string | undefined;
  onPage: (place: ListPlace | undefined) => void;
  onStatus: (status: string | undefined) => void;
}

/** What went to the bank of what was collected, and when the next turn is. */
export function SettlementsPage({ page, status, onPage, onStatus }: SettlementsPageProps) {
  const mode = useMode();
  const may = useMay();
  const [open, setOpen] = useState<'SETTINGS' | 'NOW'>();
  const close = () => setOpen(undefined);
  const settings = useRead('/collection/settlement/settings', {}, { refetchInterval: LOOK_EVERY_MS }).data;
  const list = useList(
    '/collection/settlement',
    { query: { ...atPlace(page), size: 25, ...(status !== undefined && { status }) } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const isSetUp = settings !== undefined && settings.version > 0;
  const setUp = may('settlement:manage', mode) && settings !== undefined && (
    <Button icon={Settings2} onClick={() => setOpen('SETTINGS')}>
      {isSetUp ? 'Settings' : 'Set up settlements'}
    </Button>
  );
  return (
    <ListPage
      title="Settlements"
      about="What was collected goes to your own bank account, each payment once: of your main wallet, and of stores and subaccounts where you say so on their pages."
      actions={
        <>
          {setUp}
          {isSetUp && may('payout:write', mode) && (
            <Button look="primary" icon={Landmark} onClick={() => setOpen('NOW')}>
              Settle now
            </Button>
          )}
        </>
      }
      intro={
        <>
          <CollectionTabs />
          {isSetUp && <WhenItGoes settings={settings} />}
        </>
      }
      filters={
        <SelectFilter label="Status" all="All settlements" options={STATUSES} value={status} onChange={onStatus} />
      }
      isFiltered={status !== undefined}
      caption="Settlements to your bank, newest first"
      columns={COLUMNS}
      rowKey={({ settlementId }) => settlementId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Landmark} title="Nothing was settled yet" action={setUp || undefined}>
          {isSetUp
            ? 'The next settlement takes what was collected since settlements were set up.'
            : 'An owner of the business says when collections go to the bank, and how much stays in the wallet.'}
        </EmptyState>
      }
    >
      {open === 'SETTINGS' && settings !== undefined && <SettingsDialog settings={settings} onClose={close} />}
      <SettleNowDialog open={open === 'NOW'} onClose={close} />
    </ListPage>
  );
}

function WhenItGoes({ settings }: { settings: SettlementSettings }) {
  const { pausedWords, pausedSince, lastResultWords, nextAt, minimum, operatorMinimum, keepInWallet } = settings;
  return (
    <Section title="When it goes">
      {pausedWords !== null && (
        <div className="mb-4">
          <Alert tone="warn" title="Settlements are paused">
            {pausedWords}
            {pausedSince !== null && (
              <>
                {' '}
                Since <Moment at={pausedSince} />.
              </>
            )}
          </Alert>
        </div>
      )}
      <DescriptionList
        items={[
          { label: 'Schedule', value: scheduleText(settings) },
          { label: 'Next', value: nextAt === null ? 'Nothing is due' : <Moment at={nextAt} /> },
          { label: 'Least amount', value: <Amount value={Math.max(minimum, operatorMinimum)} />, figure: true },
          { label: 'Stays in the wallet', value: <Amount value={keepInWallet} />, figure: true },
          ...(lastResultWords === null ? [] : [{ label: 'At the last turn', value: lastResultWords }]),
        ]}
      />
    </Section>
  );
}

/** @param settlementId one that failed, to try it again */
export function SettleNowDialog({
  open,
  onClose,
  settlementId,
}: {
  open: boolean;
  onClose: () => void;
  settlementId?: string;
}) {
  const settle = useAction('post', '/collection/settlement', { changes: ['/collection/settlement', '/wallet'] });
  return (
    <PinDialog
      open={open}
      onClose={onClose}
      title={settlementId === undefined ? 'Settle what was collected' : 'Try the settlement again'}
      confirm={settlementId === undefined ? 'Settle now' : 'Try again'}
      onConfirm={async (pin) => {
        await settle.run({ body: { pin, ...(settlementId !== undefined && { settlementId }) } });
        toast({ tone: 'good', text: 'The settlement is on its way.' });
      }}
    >
      <p>
        {settlementId === undefined
          ? 'Everything that was collected since the last settlement goes to the account that was reviewed.'
          : 'The same amount goes to the account that was reviewed.'}
      </p>
    </PinDialog>
  );
}
