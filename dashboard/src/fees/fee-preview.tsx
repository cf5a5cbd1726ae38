import type { Data } from '../api/types.ts';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';

type Preview = Data<'post', '/operator/fee/preview'>;
type Line = Preview['lines'][number];
type Charges = Line['before'];

const COLUMNS: readonly Column<Line>[] = [
  { key: 'amount', header: 'Payout', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
  { key: 'before', header: 'Charges now', align: 'right', cell: ({ before }) => <All of={before} /> },
  { key: 'after', header: 'Charges then', align: 'right', cell: ({ after }) => <All of={after} /> },
  {
    key: 'difference',
    header: 'Difference',
    align: 'right',
    cell: ({ difference }) => (difference === null ? '–' : <Amount value={difference} />),
  },
];

function All({ of }: { of: Charges }) {
  if (of === null) return <span className="text-bad">Cannot be priced</span>;
  const { fee, vat, stampDuty, charges } = of;
  return (
    <div>
      <Amount value={charges} />
      <p className="text-2xs text-muted">
        <Amount value={fee} /> fee, <Amount value={vat} /> VAT, <Amount value={stampDuty} /> duty
      </p>
    </div>
  );
}

/** What a change makes of some amounts, fee, VAT and duty together. Nothing has changed by looking. */
export function FeePreview({ preview }: { preview: Preview }) {
  return (
    <section aria-label="What changes" aria-live="polite">
      <p className="mb-2 text-sm">
        From <Moment at={preview.begins} /> on, a payout costs:
      </p>
      <Table
        caption="Charges before and after the change"
        columns={COLUMNS}
        rowKey={({ amount }) => String(amount)}
        rows={preview.lines}
        empty={null}
      />
    </section>
  );
}
