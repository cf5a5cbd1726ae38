import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Moment } from '../components/values.tsx';
import { bandText, chargeText, type FeeKind, type FeeRule, KINDS, STATES } from './fee-change.ts';
import { ChangeFeesDialog, EndFeeDialog } from './fee-dialogs.tsx';

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
        What payouts and payments in cost, as dated rules. A change takes effect at a future time. Quotes of payouts
        keep their price; a payment in is charged by the rules in force when it is credited.
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

/** In force now comes first, then what is ahead, then the past. */
const ORDER: Record<FeeRule['state'], number> = { IN_FORCE: 0, AHEAD: 1, ENDED: 2 };

function ofKind(rules: readonly FeeRule[], kind: FeeKind): FeeRule[] {
  return rules
    .filter((rule) => rule.kind === kind)
    .sort((a, b) => ORDER[a.state] - ORDER[b.state] || a.minAmount - b.minAmount);
}

function payerWord(kind: FeeKind, payer: FeeRule['payer']): string {
  if (kind === 'COLLECTION_FEE') return 'Merchant, out of the payment';
  return payer === 'SENDER' ? 'Sender' : 'Receiver';
}

const COLUMNS: readonly Column<FeeRule>[] = [
  {
    key: 'band',
    header: 'For amounts of',
    cell: (rule) => (
      <div className="flex flex-col items-start gap-1">
        <span className="figures">{bandText(rule)}</span>
        <Badge tone={STATES[rule.state].tone}>{STATES[rule.state].word}</Badge>
      </div>
    ),
  },
  {
    key: 'charge',
    header: 'Charges',
    align: 'right',
    cell: (rule) => <span className="figures font-medium">{chargeText(rule)}</span>,
  },
  {
    key: 'payer',
    header: 'Paid by',
    wideOnly: true,
    cell: ({ kind, payer, exemptPurposes }) => (
      <>
        {payerWord(kind, payer)}
        {exemptPurposes.length > 0 && (
          <p className="text-xs text-muted">
            not for {exemptPurposes.map((word) => word.toLowerCase().replaceAll('_', ' ')).join(', ')}
          </p>
        )}
      </>
    ),
  },
  { key: 'from', header: 'From', wideOnly: true, cell: (rule) => <Moment at={rule.effectiveFrom} show="day" /> },
  {
    key: 'to',
    header: 'Until',
    wideOnly: true,
    cell: ({ effectiveTo }) =>
      effectiveTo === null ? (
        <span className="text-muted">Further notice</span>
      ) : (
        <Moment at={effectiveTo} show="day" />
      ),
  },
  { key: 'source', header: 'By', wideOnly: true, cell: (rule) => <span className="text-xs">{rule.source}</span> },
];

/** The rules of one kind, with a way to end those that go on until further notice. */
function feeColumns(onEnd: (rule: FeeRule) => void): readonly Column<FeeRule>[] {
  return [
    ...COLUMNS,
    {
      key: 'end',
      header: <span className="sr-only">Actions</span>,
      align: 'right',
      cell: (rule) =>
        rule.state !== 'ENDED' &&
        rule.effectiveTo === null && (
          <Button size="small" aria-label={`End ${bandText(rule)}: ${chargeText(rule)}`} onClick={() => onEnd(rule)}>
            End
          </Button>
        ),
    },
  ];
}

/** The days on which something changed or will change, the latest first. */
function FeesTimeLine({ rules }: { rules: readonly FeeRule[] }) {
  const days = [
    ...new Set(rules.flatMap(({ effectiveFrom, effectiveTo }) => [effectiveFrom, effectiveTo ?? []].flat())),
  ];
  const entries = days
    .sort((a, b) => b.localeCompare(a))
    .map((at) => {
      const begins = rules.filter((rule) => rule.effectiveFrom === at);
      const ends = rules.filter((rule) => rule.effectiveTo === at);
      const ahead = begins.some(({ state }) => state === 'AHEAD') || ends.some(({ state }) => state !== 'ENDED');
      const kinds = [...new Set([...begins, ...ends].map(({ kind }) => KINDS[kind]))];
      return {
        key: at,
        at,
        title: `${kinds.join(', ')} ${ahead ? 'will change' : 'changed'}`,
        tone: ahead ? ('warn' as const) : ('info' as const),
        detail: (
          <ul className="text-xs text-muted">
            {begins.map((rule) => (
              <li key={rule.ruleId}>
                {KINDS[rule.kind]}, {bandText(rule).toLowerCase()}: {chargeText(rule).toLowerCase()}
              </li>
            ))}
            {ends.map((rule) => (
              <li key={rule.ruleId}>
                Ends: {KINDS[rule.kind]}, {bandText(rule).toLowerCase()}
              </li>
            ))}
          </ul>
        ),
      };
    });
  return (
    <Section title="History of changes">
      <Timeline entries={entries} />
    </Section>
  );
}
