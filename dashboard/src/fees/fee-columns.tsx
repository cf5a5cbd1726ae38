import { Button } from '../components/button.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { bandText, chargeText, type FeeRule, STATES } from './fee-words.ts';

const COLUMNS: readonly Column<FeeRule>[] = [
  {
    key: 'band',
    header: 'For payouts of',
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
    cell: ({ payer, exemptPurposes }) => (
      <>
        {payer === 'SENDER' ? 'Sender' : 'Receiver'}
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
export function feeColumns(onEnd: (rule: FeeRule) => void): readonly Column<FeeRule>[] {
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
