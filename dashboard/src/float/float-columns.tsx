import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { railsText } from '../rails/rails-text.ts';
import { type FloatCheck, Verdict } from './verdict.tsx';

export const FLOAT_COLUMNS: readonly Column<FloatCheck>[] = [
  {
    key: 'rails',
    header: 'Rails',
    cell: (row) => (
      <div>
        <p className="font-medium">{railsText(row.rails, row.mode)}</p>
        <p className="text-xs text-muted">
          <Moment at={row.checkedAt} />, {row.checkedBy}
        </p>
      </div>
    ),
  },
  { key: 'verdict', header: 'Result', cell: (row) => <Verdict verdict={row.verdict} /> },
  {
    key: 'expected',
    header: 'Should be',
    align: 'right',
    wideOnly: true,
    cell: (row) => <Amount value={row.expected} />,
  },
  {
    key: 'said',
    header: 'Rails say',
    align: 'right',
    wideOnly: true,
    cell: (row) => <Amount value={row.railBalance} />,
  },
  { key: 'difference', header: 'Difference', align: 'right', cell: (row) => <Amount value={row.difference} /> },
];
