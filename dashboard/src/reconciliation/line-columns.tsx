import { Button } from '../components/button.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { type Line, RESOLUTIONS, RESULTS } from './line-words.ts';

const isOpen = ({ result, resolution }: Line) => result !== 'MATCHED' && resolution === null;

export function lineColumns(onDecide: (line: Line) => void): readonly Column<Line>[] {
  return [
    {
      key: 'line',
      header: 'Line',
      cell: ({ lineNumber, reference }) => (
        <div className="min-w-32">
          <p className="figures font-medium">{lineNumber === null ? 'Not there' : lineNumber}</p>
          <p className="text-xs break-all text-muted">{reference ?? 'no reference'}</p>
        </div>
      ),
    },
    {
      key: 'result',
      header: 'Result',
      cell: ({ result, detail }) => (
        <div className="min-w-36">
          <Badge tone={RESULTS[result].tone} title={RESULTS[result].about}>
            {RESULTS[result].word}
          </Badge>
          {detail !== null && <p className="mt-1 text-xs text-muted">{detail}</p>}
        </div>
      ),
    },
    { key: 'theirs', header: 'File says', align: 'right', cell: (line) => <Theirs line={line} /> },
    { key: 'ours', header: 'Books say', align: 'right', cell: (line) => <Ours line={line} /> },
    { key: 'at', header: 'When', wideOnly: true, cell: ({ occurredAt }) => <Moment at={occurredAt} /> },
    {
      key: 'next',
      header: 'Decision',
      cell: (line) =>
        isOpen(line) ? (
          <Button
            size="small"
            onClick={() => onDecide(line)}
            aria-label={`Decide about ${line.lineNumber === null ? 'what the file lacks' : `line ${line.lineNumber}`}`}
          >
            Decide
          </Button>
        ) : (
          <Decision resolution={line.resolution} />
        ),
    },
  ];
}

function Theirs({ line: { amount, currency, accountNumber, statusText } }: { line: Line }) {
  const isOurs = currency === null || currency === 'NGN';
  return (
    <div>
      {amount === null ? '–' : isOurs ? <Amount value={amount} /> : `${currency} ${amount}`}
      {accountNumber !== null && <p className="figures text-xs text-muted">to {accountNumber}</p>}
      <p className="text-xs text-muted">{statusText}</p>
    </div>
  );
}

function Ours({ line: { ourAmount, ourStatus } }: { line: Line }) {
  return (
    <div>
      {ourAmount === null ? '–' : <Amount value={ourAmount} />}
      {ourStatus !== null && (
        <p className="mt-0.5">
          <Status status={ourStatus} />
        </p>
      )}
    </div>
  );
}

function Decision({ resolution }: { resolution: Line['resolution'] }) {
  if (resolution === null) return <span className="text-muted">–</span>;
  const { how, by, note, at } = resolution;
  return (
    <div className="min-w-36 text-xs">
      <p className="font-medium">
        {RESOLUTIONS[how]}
        {by !== null && ` by ${by}`}
      </p>
      <p className="text-muted">{note}</p>
      <Moment at={at} className="text-muted" />
    </div>
  );
}
