import { Link } from '@tanstack/react-router';
import { Landmark, Plus } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { TermsDialog } from './terms-dialog.tsx';
import { TermsInForce } from './terms-in-force.tsx';

type SettlementState = RecordOf<'/operator/merchant-settlement'>;

const MODES = [{ value: 'SANDBOX', label: 'Sandbox' }] as const;
const STATES = [
  { value: 'PAUSED', label: 'Paused' },
  { value: 'FAILED', label: 'With one that failed' },
] as const;
const SCHEDULES: Record<SettlementState['schedule'], string> = {
  OFF: 'By hand',
  DAILY: 'Each working day',
  INSTANT: 'At once',
};

const COLUMNS: readonly Column<SettlementState>[] = [
  {
    key: 'merchant',
    header: 'Merchant',
    cell: ({ merchantId, businessName, schedule }) => (
      <div className="min-w-36">
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId }}
          className="font-medium text-accent underline"
        >
          {businessName}
        </Link>
        <p className="text-xs text-muted">{SCHEDULES[schedule]}</p>
      </div>
    ),
  },
  { key: 'state', header: 'State', cell: (row) => <State row={row} /> },
  {
    key: 'next',
    header: 'Next',
    wideOnly: true,
    cell: ({ nextAt }) => (nextAt === null ? <span className="text-muted">–</span> : <Moment at={nextAt} />),
  },
  {
    key: 'last',
    header: 'Last settlement',
    align: 'right',
    wideOnly: true,
    cell: ({ last }) =>
      last === null ? (
        <span className="text-muted">None yet</span>
      ) : (
        <>
          {last.amount !== null && <Amount value={last.amount} />}
          <p className="text-xs text-muted">
            No. {last.number}, {last.status.toLowerCase()}
          </p>
        </>
      ),
  },
];

function State({ row }: { row: SettlementState }) {
  const { pausedReason, pausedWords, pausedSince, failed, processing } = row;
  if (pausedReason !== null) {
    return (
      <>
        <Badge tone="warn">Paused</Badge>
        <p className="max-w-72 text-xs text-muted">
          {pausedWords} {pausedSince !== null && <Moment at={pausedSince} />}
        </p>
      </>
    );
  }
  if (failed > 0) return <Badge tone="bad">{failed} failed</Badge>;
  return processing > 0 ? <Badge tone="info">{processing} on the way</Badge> : <Badge tone="good">As it should</Badge>;
}

export interface SettlementStatesPageProps {
  page: ListPlace | undefined;
  /** `SANDBOX`, or live. */
  of: string | undefined;
  state: string | undefined;
  onPage: (place: ListPlace | undefined) => void;
  onFilter: (change: { of?: string | undefined; state?: string | undefined }) => void;
}

/** Where the settlements of each merchant stand, and on which terms. */
export function SettlementStatesPage({ page, of, state, onPage, onFilter }: SettlementStatesPageProps) {
  const [setting, setSetting] = useState(false);
  const shown = of === 'SANDBOX' ? 'SANDBOX' : 'LIVE';
  const list = useList('/operator/merchant-settlement', {
    query: {
      ...atPlace(page),
      size: 50,
      mode: shown,
      ...((state === 'PAUSED' || state === 'FAILED') && { state }),
    },
  });
  const terms = useRead('/operator/settlement-terms', {}).data?.records;
  return (
    <ListPage
      title="Merchant settlements"
      about="What merchants collected goes to their own banks. Who is held up stands here with the reason."
      actions={
        <Button look="primary" icon={Plus} disabled={terms === undefined} onClick={() => setSetting(true)}>
          Set terms
        </Button>
      }
      intro={terms === undefined ? undefined : <TermsInForce terms={terms} mode={shown} />}
      filters={
        <>
          <SelectFilter
            label="Mode"
            all="Live"
            options={MODES}
            value={of}
            onChange={(next) => onFilter({ of: next })}
          />
          <SelectFilter
            label="State"
            all="All merchants"
            options={STATES}
            value={state}
            onChange={(next) => onFilter({ state: next })}
          />
        </>
      }
      isFiltered={state !== undefined}
      caption="Merchants that settle"
      columns={COLUMNS}
      rowKey={({ merchantId }) => merchantId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={Landmark} title="No merchant here">
          Merchants stand here once an owner has saved the settings of settlements.
        </EmptyState>
      }
    >
      {setting && terms !== undefined && <TermsDialog terms={terms} onClose={() => setSetting(false)} />}
    </ListPage>
  );
}
