import { Button } from '../components/button.tsx';
import { formatCount } from '../format/money.ts';
import type { Understood, Wishes } from './upload-form.ts';

type LeftOut = Understood['leftOut'][number];

const REASONS: Readonly<Record<LeftOut['reason'], string>> = {
  TITLE: 'Above the header',
  HEADER_REPEATED: 'The header again',
  TOTAL: 'A total',
  SUM: 'An amount alone',
  SIGNATURE: 'A signature',
  NOTE: 'A note',
  EMPTY: 'Empty',
};

export interface LeftOutRowsProps {
  understood: Understood;
  wishes: Wishes;
  onWish: (wishes: Wishes) => void;
}

/** The rows that are not read, each by its number and what stands in it; one that could be a payment can be taken back. */
export function LeftOutRows({ understood, wishes, onWish }: LeftOutRowsProps) {
  const shown = understood.leftOut.filter(({ reason }) => reason !== 'EMPTY');
  const toCheck = shown.filter(({ couldBePayment }) => couldBePayment).length;
  const { includeRows } = wishes;
  if (shown.length === 0 && includeRows.length === 0) return null;
  return (
    <details className="text-sm" open={toCheck > 0 || includeRows.length > 0 || shown.length <= 6}>
      <summary className="w-fit font-medium text-accent">
        {formatCount(understood.leftOutRows)} {understood.leftOutRows === 1 ? 'row is' : 'rows are'} left out
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {shown.map(({ row, reason, text, couldBePayment }) => (
          <li key={row} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 wrap-anywhere">
              Row {row}: {text} <span className="text-muted">({REASONS[reason]})</span>
            </span>
            {couldBePayment && (
              <Button size="small" onClick={() => onWish({ ...wishes, includeRows: [...includeRows, row] })}>
                Include row {row}
              </Button>
            )}
          </li>
        ))}
        {includeRows.map((row) => (
          <li key={`in ${row}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            Row {row} is included
            <Button
              size="small"
              onClick={() => onWish({ ...wishes, includeRows: includeRows.filter((other) => other !== row) })}
            >
              Leave row {row} out
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
