import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { ChangeFeesDialog } from './change-fees-dialog.tsx';
import { EndFeeDialog } from './end-fee-dialog.tsx';
import { feeColumns } from './fee-columns.tsx';
import { type FeeKind, type FeeRule, KINDS } from './fee-words.ts';
import { FeesTimeLine } from './fees-time-line.tsx';

/** Fees, VAT and stamp duty as dated rules. They change by decree on a day, so they are data, and the past never changes. */
export function FeesPage() {
  const { data, error, refetch } = useRead('/operator/fee', {});
  const [changing, setChanging] = useState(false);
  const [ending, setEnding] = useState<FeeRule>();
  const columns = feeColumns(setEnding);
  return (
    <>
      <PageHeader
        title="Fees"
        actions={
          <Button look="primary" icon={CalendarPlus} disabled={data === undefined} onClick={() => setChanging(true)}>
            Plan a change
          </Button>
        }
      >
        What a payout costs, as dated rules. A change begins at a moment ahead; what was quoted before stays as it was.
      </PageHeader>
      {data !== undefined && <FeesTimeLine rules={data.records} />}
      {(Object.keys(KINDS) as FeeKind[]).map((kind) => (
        <Section key={kind} title={KINDS[kind]} bare>
          <Table
            caption={KINDS[kind]}
            columns={columns}
            rowKey={(rule) => rule.ruleId}
            {...(data === undefined ? {} : { rows: ofKind(data.records, kind) })}
            list={{ data: undefined, error, refetch }}
            rowClass={({ state }) => (state === 'ENDED' ? 'text-muted' : undefined)}
            empty={<EmptyState title="No rule">Nothing is charged under this name.</EmptyState>}
          />
        </Section>
      ))}
      {ending !== undefined && <EndFeeDialog rule={ending} onClose={() => setEnding(undefined)} />}
      {changing && data !== undefined && <ChangeFeesDialog rules={data.records} onClose={() => setChanging(false)} />}
    </>
  );
}

/** What counts now comes first, then what is ahead, then the past. */
const ORDER: Record<FeeRule['state'], number> = { IN_FORCE: 0, AHEAD: 1, ENDED: 2 };

function ofKind(rules: readonly FeeRule[], kind: FeeKind): FeeRule[] {
  return rules
    .filter((rule) => rule.kind === kind)
    .sort((a, b) => ORDER[a.state] - ORDER[b.state] || a.minAmount - b.minAmount);
}
