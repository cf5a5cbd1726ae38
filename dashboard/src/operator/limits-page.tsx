import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { isReplaced, type LimitRow, windowText } from './limit-terms.ts';
import { SetLimitDialog } from './set-limit-dialog.tsx';

/** A row with what became of it: one that was replaced stays on record. */
type Row = Omit<LimitRow, 'state'> & { state: LimitRow['state'] | 'REPLACED' };

const STATES: Record<Row['state'], { tone: 'good' | 'info' | 'quiet'; word: string }> = {
  IN_FORCE: { tone: 'good', word: 'In force' },
  AHEAD: { tone: 'info', word: 'Scheduled' },
  ENDED: { tone: 'quiet', word: 'Ended' },
  REPLACED: { tone: 'quiet', word: 'Replaced' },
};

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'who',
    header: 'For',
    cell: (row) => (
      <div className="max-w-72 sm:min-w-36">
        <p className="font-medium">
          {row.merchantId === null ? 'All merchants' : (row.businessName ?? row.merchantId)}
        </p>
        <p className="flex flex-wrap items-center gap-2 text-xs">
          {row.mode === 'LIVE' ? 'Live' : 'Sandbox'}
          <Badge tone={STATES[row.state].tone}>{STATES[row.state].word}</Badge>
        </p>
        <p className="hidden text-xs text-muted sm:block">{row.source}</p>
      </div>
    ),
  },
  {
    key: 'most',
    header: 'At most',
    align: 'right',
    cell: ({ perPayout, perDay }) => (
      <div className="whitespace-nowrap">
        <Most amount={perPayout} of="a payout" />
        <Most amount={perDay} of="a day" />
      </div>
    ),
  },
  {
    key: 'window',
    header: 'Same again after',
    wideOnly: true,
    cell: ({ duplicateWindowSeconds }) => windowText(duplicateWindowSeconds),
  },
  {
    key: 'time',
    header: 'From, until',
    wideOnly: true,
    cell: (row) => (
      <div className="text-xs">
        <Moment at={row.effectiveFrom} />
        <p>{row.effectiveTo === null ? 'until it is changed' : <Moment at={row.effectiveTo} />}</p>
      </div>
    ),
  },
];

function Most({ amount, of }: { amount: number | null; of: string }) {
  return (
    <p>
      {amount === null ? 'No limit' : <Amount value={amount} />} <span className="text-xs text-muted">{of}</span>
    </p>
  );
}

const shownRows = (rows: readonly LimitRow[]): Row[] =>
  rows.map((row) => (isReplaced(row, rows) ? { ...row, state: 'REPLACED' } : row));

export interface OperatorLimitsPageProps {
  /** Only what this merchant goes by. */
  merchantId?: string | undefined;
  onMerchant: (merchantId: string | undefined) => void;
}

/** How much may be paid out, as dated rows: the past stays as it was, so that a refusal can be explained. */
export function OperatorLimitsPage({ merchantId, onMerchant }: OperatorLimitsPageProps) {
  const [setting, setSetting] = useState(false);
  const { data, error, refetch } = useRead('/operator/limit', {
    query: merchantId === undefined ? {} : { merchantId },
  });
  const set = (
    <Button look="primary" icon={Plus} disabled={data === undefined} onClick={() => setSetting(true)}>
      Set a limit
    </Button>
  );
  return (
    <ListPage
      title="Limits"
      actions={set}
      about="How much a merchant may pay out. A merchant's own limit replaces that of all; merchants may set lower ones for themselves."
      filters={<MerchantFilter value={merchantId} onChange={onMerchant} />}
      isFiltered={merchantId !== undefined}
      columns={COLUMNS}
      rowKey={(row) => row.limitId}
      {...(data === undefined ? {} : { rows: shownRows(data.records) })}
      list={{ data: undefined, error, refetch }}
      rowClass={({ state }) => (state === 'ENDED' || state === 'REPLACED' ? 'text-muted' : undefined)}
      empty={
        <EmptyState title="No limit is set" action={set}>
          Without one, a merchant may pay out everything that it has. Set one for all, then others for single merchants.
        </EmptyState>
      }
    >
      {setting && data !== undefined && (
        <SetLimitDialog merchantId={merchantId} rows={data.records} onClose={() => setSetting(false)} />
      )}
    </ListPage>
  );
}
