import { Copyable } from '../components/copy-button.tsx';
import { Progress } from '../components/states.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { type Batch, summedRows, timeLeft } from './batch.ts';

/** How far it is, what it costs, and the control totals that two people compare. */
export function BatchOverview({ batch }: { batch: Batch }) {
  // What happened to it afterwards stands in `BatchOutcome`.
  const isSent = batch.dispatchedAt !== null;
  return (
    <div className="card mb-6 flex flex-col gap-5 p-4 sm:p-5">
      <BatchProgress batch={batch} />
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.25rem),1fr))] gap-x-4 gap-y-4 sm:grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] sm:gap-x-6">
        <Figure label="Rows" value={formatCount(batch.counts.total)} />
        <Figure label={isSent ? 'Dispatched' : 'Can be paid'} value={formatCount(batch.counts.valid)} />
        <Figure
          label={isSent ? 'Left out' : 'To correct'}
          value={formatCount(batch.counts.invalid)}
          look={batch.counts.invalid > 0 ? 'text-bad' : undefined}
        />
        {batch.duplicates.count > 0 && (
          <Figure
            label="Repeat others"
            value={formatCount(batch.duplicates.count)}
            beside={<Amount value={batch.duplicates.amount} />}
            look="text-warn"
          />
        )}
        <Figure
          label="To people"
          value={<Amount value={batch.totals.amount} />}
          hint={batch.counts.valid < batch.counts.total ? summedRows(batch.counts.valid, isSent) : undefined}
        />
        <Figure label="Fees, VAT, duty" value={<Amount value={batch.totals.charges} />} />
        <Figure
          label={isSent ? 'Held at dispatch' : 'Leaves the wallet'}
          value={<Amount value={batch.totals.total} />}
          look="text-ink"
        />
      </dl>
      <Fingerprint digest={batch.digest} />
    </div>
  );
}

interface FigureProps {
  label: string;
  value: React.ReactNode;
  /** What it comes to, in small letters below: both on one line are wider than a column. */
  beside?: React.ReactNode;
  look?: string | undefined;
  hint?: string | undefined;
}

function Figure({ label, value, beside, look = '', hint }: FigureProps) {
  return (
    <div className="min-w-fit">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className={`figures text-sm font-semibold whitespace-nowrap sm:text-base ${look}`}>{value}</dd>
      {beside !== undefined && <dd className={`figures text-xs whitespace-nowrap ${look}`}>{beside}</dd>}
      {hint !== undefined && <dd className="text-xs text-muted">{hint}</dd>}
    </div>
  );
}

function BatchProgress({ batch: { progress, payouts } }: { batch: Batch }) {
  const { phase, done, total, estimatedSecondsLeft } = progress;
  const { succeeded, failed, reversed, open, unknown } = payouts;
  if (phase === null) return null;
  const left = timeLeft(estimatedSecondsLeft);
  const text = `${formatCount(done)} of ${formatCount(total)}${left === '' ? '' : `, ${left}`}`;
  return (
    <div>
      <Progress label={phase === 'VALIDATING' ? 'Checking the rows' : 'Paying'} done={done} total={total} text={text} />
      {phase === 'SENDING' && (
        <p className="figures mt-1 text-xs text-muted">
          {formatCount(succeeded)} paid, {formatCount(failed)} failed
          {reversed > 0 && `, ${formatCount(reversed)} returned`}
          {open > unknown && `, ${formatCount(open - unknown)} to go`}
          {unknown > 0 && `, ${formatCount(unknown)} without an outcome yet`}
        </p>
      )}
    </div>
  );
}

/** The same on two screens means the same rows, names, amounts and charges. */
function Fingerprint({ digest }: { digest: string | null }) {
  return (
    <div className="min-h-10 text-xs text-muted">
      <p>Digest of rows, names, amounts and charges: what is paid is exactly what has this digest.</p>
      {digest === null ? <p>There is none while rows are being checked.</p> : <Copyable text={digest} what="digest" />}
    </div>
  );
}
