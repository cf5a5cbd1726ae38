import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { nowMs } from '../api/clock.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { channelOfRule } from '../format/channels.ts';
import { modeName } from '../format/modes.ts';
import { formatCount } from '../format/money.ts';
import { startOfLagosDay } from '../format/time.ts';
import { type ReserveRule, reserveText, stateOfRule } from './reserve-words.ts';
import { SetReserveDialog } from './set-reserve-dialog.tsx';

type Kept = RecordOf<'/operator/reserve'>;
type Row = ReserveRule & { state: ReturnType<typeof stateOfRule> };

const STATES: Record<Row['state'], { tone: 'good' | 'info' | 'quiet'; word: string }> = {
  IN_FORCE: { tone: 'good', word: 'In force' },
  AHEAD: { tone: 'info', word: 'Scheduled' },
  REPLACED: { tone: 'quiet', word: 'Replaced' },
};

const RULES: readonly Column<Row>[] = [
  {
    key: 'who',
    header: 'For',
    cell: (row) => (
      <div className="max-w-72 sm:min-w-36">
        <p className="font-medium">
          {row.merchantId === null ? 'All merchants' : (row.businessName ?? row.merchantId)}
        </p>
        <p className="flex flex-wrap items-center gap-2 text-xs">
          {modeName(row.mode)}, {channelOfRule(row.channel).toLowerCase()}
          <Badge tone={STATES[row.state].tone}>{STATES[row.state].word}</Badge>
        </p>
      </div>
    ),
  },
  {
    key: 'kept',
    header: 'Kept',
    align: 'right',
    cell: (row) => <span className="figures font-medium">{reserveText(row)}</span>,
  },
  { key: 'from', header: 'From', wideOnly: true, cell: ({ effectiveFrom }) => <Moment at={effectiveFrom} /> },
  { key: 'source', header: 'By', wideOnly: true, cell: ({ source }) => <span className="text-xs">{source}</span> },
];

const KEPT: readonly Column<Kept>[] = [
  {
    key: 'merchant',
    header: 'Merchant',
    cell: ({ merchantId, businessName, mode }) => (
      <>
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId }}
          search={{}}
          className="font-medium break-words text-accent underline"
        >
          {businessName ?? merchantId}
        </Link>
        <p className="text-xs text-muted">{modeName(mode)}</p>
      </>
    ),
  },
  {
    key: 'payments',
    header: 'Payments',
    align: 'right',
    wideOnly: true,
    cell: ({ payments }) => <span className="figures">{formatCount(payments)}</span>,
  },
  {
    key: 'next',
    header: 'Next back on',
    wideOnly: true,
    cell: ({ nextReleaseOn }) => <Moment at={startOfLagosDay(nextReleaseOn)} show="day" />,
  },
  {
    key: 'amount',
    header: 'Kept',
    align: 'right',
    cell: ({ amount }) => <Amount value={amount} className="font-medium" />,
  },
];

/** What of payments in is kept against chargebacks: by which rules, and how much it is now. */
export function ReservesPage() {
  const rules = useRead('/operator/reserve/rule', {});
  const [place, setPlace] = useState<ListPlace>();
  const kept = useList('/operator/reserve', { query: { size: 25, ...atPlace(place) } });
  const [setting, setSetting] = useState(false);
  const set = (
    <Button look="primary" icon={Plus} onClick={() => setSetting(true)}>
      Keep a reserve
    </Button>
  );
  return (
    <>
      <PageHeader title="Reserves" actions={set}>
        A part of payments, such as those by card, that is kept for some days in case a payer takes the money back. It
        moves from the wallet with the credit, after fee and VAT, and comes back by itself. A merchant's own rule goes
        before one for all, and one of a channel before one for all channels.
      </PageHeader>
      <Section title="Kept now" bare>
        <Table
          caption="What is kept of each merchant, the most first"
          columns={KEPT}
          rowKey={({ merchantId, mode }) => `${merchantId}/${mode}`}
          list={kept}
          onPage={setPlace}
          empty={<EmptyState title="Nothing is kept">Of no merchant, in neither mode.</EmptyState>}
        />
      </Section>
      <Section title="Rules" bare>
        <Table
          caption="How much of payments in is kept, and for how long"
          columns={RULES}
          rowKey={({ ruleId }) => ruleId}
          {...(rules.data === undefined ? {} : { rows: rowsOf(rules.data.records) })}
          list={{ data: undefined, error: rules.error, refetch: rules.refetch }}
          rowClass={({ state }) => (state === 'REPLACED' ? 'text-muted' : undefined)}
          empty={<EmptyState title="No rule">Without one, nothing is kept.</EmptyState>}
        />
      </Section>
      {setting && <SetReserveDialog onClose={() => setSetting(false)} />}
    </>
  );
}

/** In force comes first, then what is ahead, then what was replaced. */
const ORDER: Record<Row['state'], number> = { IN_FORCE: 0, AHEAD: 1, REPLACED: 2 };

function rowsOf(rules: readonly ReserveRule[]): Row[] {
  const now = nowMs();
  return rules
    .map((rule) => ({ ...rule, state: stateOfRule(rule, rules, now) }))
    .sort((a, b) => ORDER[a.state] - ORDER[b.state]);
}
