import { Link } from '@tanstack/react-router';
import { Settings2 } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList, useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Status } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { CAUSES, type PaymentToRefund, RULE_WAYS, TO_REFUND_WORDS, whyOf } from './rule-words.ts';

const LOOK_EVERY_MS = 10_000;

const COLUMNS: readonly Column<PaymentToRefund>[] = [
  {
    key: 'payment',
    header: 'Payment',
    cell: (row) => (
      <div className="min-w-32">
        <Link to="/collections" search={{ payment: row.paymentId }} className="font-medium text-accent underline">
          {CAUSES[row.cause]}
        </Link>
        <p className="text-xs text-muted">
          <Moment at={row.createdAt} />
        </p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'To go back',
    align: 'right',
    cell: ({ notOwed, status, reason }) => (
      <>
        <Amount value={notOwed} className="font-medium" />
        <p className="mt-1 md:hidden">
          <Status status={status} reason={reason} word={TO_REFUND_WORDS[status]} />
        </p>
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ status, reason }) => <Status status={status} reason={reason} word={TO_REFUND_WORDS[status]} />,
  },
  { key: 'why', header: 'Why', wideOnly: true, cell: (row) => <span className="text-xs">{whyOf(row)}</span> },
];

/** What goes back by itself, who says so, and what of that waits or is to be refunded by hand. */
export function RuleSection() {
  const may = useMay();
  const mode = useMode();
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState<ListPlace>();
  const rule = useRead('/collection/refund/rule', {}).data;
  const list = useList(
    '/collection/refund/rule/payment',
    { query: { status: 'WAITING,REFUSED', size: 10, ...atPlace(place) } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const hasSome = place !== undefined || (list.data?.records.length ?? 0) > 0;
  if (rule === undefined) return null;
  const change = may('rule:manage', mode) && (
    <Button icon={Settings2} size="small" onClick={() => setOpen(true)}>
      Change
    </Button>
  );
  return (
    <>
      <Section title="What goes back by itself" actions={change || undefined}>
        <DescriptionList
          items={[
            { label: 'What comes late', value: RULE_WAYS[rule.late] },
            { label: 'What is too much', value: RULE_WAYS[rule.excess] },
          ]}
        />
      </Section>
      {hasSome && (
        <Section title="Not sent back yet" bare>
          <Table
            caption="Payments that the rule has not sent back"
            columns={COLUMNS}
            rowKey={({ paymentId }) => paymentId}
            list={list}
            onPage={setPlace}
            empty={null}
          />
        </Section>
      )}
      {isOpen && <RuleDialog rule={rule} onClose={() => setOpen(false)} />}
    </>
  );
}
