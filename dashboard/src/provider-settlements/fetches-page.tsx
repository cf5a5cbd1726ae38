import { Link } from '@tanstack/react-router';
import { CloudDownload } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { StatusTone } from '../components/status-words.ts';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { parseMoney } from '../format/money.ts';
import { railsText } from '../operator/rails.ts';
import { NO_SETTLEMENT, SettlementFields, type SettlementValues } from './settlement-fields.tsx';

type Fetch = RecordOf<'/operator/settlement-fetch'>;

const SIZE = 50;
/** Files are recorded by others, and providers are asked by the service. */
const LOOK_EVERY_MS = 30_000;

const STATES: Record<Fetch['status'], { word: string; tone: StatusTone }> = {
  WAITING: { word: 'Being fetched', tone: 'info' },
  RECORDED: { word: 'Recorded', tone: 'good' },
  KNOWN: { word: 'Imported before', tone: 'quiet' },
};

const SOURCES: Record<Fetch['source'], string> = {
  LIST: 'The provider lists it',
  WEBHOOK: 'The provider reported it',
  PERSON: 'Asked for',
};

const COLUMNS: readonly Column<Fetch>[] = [
  {
    key: 'reference',
    header: 'Settlement',
    cell: ({ reference, rail, mode, settlementId, lumpSum }) => (
      <div className="min-w-36">
        {settlementId === null ? (
          <p className="font-medium break-all">{reference}</p>
        ) : (
          <Link
            to="/operator/provider-settlements/$settlementId"
            params={{ settlementId }}
            className="font-medium break-all text-accent underline"
          >
            {reference}
          </Link>
        )}
        <p className="text-xs text-muted">{railsText([rail], mode)}</p>
        <p className="text-xs md:hidden">
          <Amount value={lumpSum} />
        </p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ status, attempts, reason }) =>
      status === 'WAITING' && attempts > 0 ? (
        <div>
          <Badge tone="warn">Failed {attempts} times</Badge>
          <p className="mt-1 text-xs break-all text-muted">{reason}</p>
        </div>
      ) : (
        <Badge tone={STATES[status].tone}>{STATES[status].word}</Badge>
      ),
  },
  { key: 'sum', header: 'Settled', align: 'right', wideOnly: true, cell: ({ lumpSum }) => <Amount value={lumpSum} /> },
  { key: 'on', header: 'On', wideOnly: true, cell: ({ settledOn }) => <Moment at={settledOn} show="day" /> },
  {
    key: 'source',
    header: 'Known from',
    wideOnly: 'xl',
    cell: ({ source, notedBy }) => (
      <span className="wrap-anywhere">{source === 'PERSON' ? `Asked for by ${notedBy}` : SOURCES[source]}</span>
    ),
  },
];

/** Settlements that are fetched from providers, and what became of it. */
export function SettlementFetchesPage({
  page,
  onPage,
}: {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}) {
  const [asking, setAsking] = useState(false);
  const list = useList(
    '/operator/settlement-fetch',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const ask = (
    <Button icon={CloudDownload} onClick={() => setAsking(true)}>
      Fetch a settlement
    </Button>
  );
  return (
    <ListPage
      title="Fetched settlements"
      back={{ label: 'All settlements', to: '/operator/provider-settlements' }}
      actions={ask}
      about="What providers list or report is fetched by itself and recorded as if somebody had imported its file."
      caption="Settlements that are fetched, newest first"
      columns={COLUMNS}
      rowKey={(row) => `${row.rail}/${row.reference}`}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={CloudDownload} title="Nothing was fetched yet" action={ask}>
          Paystack and Flutterwave are asked every 15 minutes; Monnify reports each settlement by webhook.
        </EmptyState>
      }
    >
      {asking && <AskDialog onClose={() => setAsking(false)} />}
    </ListPage>
  );
}

function AskDialog({ onClose }: { onClose: () => void }) {
  const { data } = useRead('/operator/rail', {});
  const action = useAction('post', '/operator/settlement-fetch', { changes: ['/operator'] });
  const server = useServerForm<SettlementValues>({ defaultValues: NO_SETTLEMENT });
  const rails = data?.records ?? [];

  async function send({ rail, reference, lumpSum, settledOn }: SettlementValues): Promise<void> {
    const chosen = rails.find(({ railId }) => railId === rail);
    if (chosen === undefined) return;
    const body = { rail, mode: chosen.mode, reference, lumpSum: String(parseMoney(lumpSum) ?? ''), settledOn };
    const { isNew } = await action.run({ body });
    toast({ tone: 'good', text: isNew ? 'Its lines are being asked for.' : 'This settlement is known already.' });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Fetch a settlement"
      description="For one that no list and no webhook brought. Nothing is posted before another person applies it."
      server={server}
      onSend={send}
      send="Fetch"
    >
      <SettlementFields form={server.form} rails={rails} />
    </FormDialog>
  );
}
