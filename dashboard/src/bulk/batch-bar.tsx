import type { ReactNode } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Amount } from '../components/values.tsx';
import { formatMoney } from '../format/money.ts';
import { type Batch, isPayable, rows } from './batch.ts';
import { useUnacceptedNames } from './use-problems.ts';

export interface BatchBarProps {
  batch: Batch;
  children: ReactNode;
}

/** Always in sight while the list can be paid: what it costs, what the wallet has, and what is missing before the PIN. */
export function BatchBar({ batch, children }: BatchBarProps) {
  const mode = useMode();
  const may = useMay();
  const { data } = useRead('/wallet/merchant', {}, { enabled: may('wallet:read', mode) && isPayable(batch) });
  const names = useUnacceptedNames(batch);
  const available = data?.wallet.availableBalance;
  const { counts, duplicates, totals, status } = batch;
  const short = available === undefined ? 0 : totals.total - available;
  const missing = [
    ...(status === 'VALIDATING' ? ['Rows are being checked'] : []),
    ...(names > 0 ? [`${rows(names)} with a different name`] : []),
    ...(counts.invalid > 0 ? [`${rows(counts.invalid)} cannot be paid`] : []),
    ...(duplicates.count > 0
      ? [`${rows(duplicates.count)} ${duplicates.count === 1 ? 'repeats' : 'repeat'} other payments`]
      : []),
    ...(short > 0 ? [`The wallet is short of ${formatMoney(Math.round(short * 100) / 100)}`] : []),
  ];
  return (
    <section
      aria-label="Before you pay"
      className="sticky bottom-0 z-10 -mx-4 mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t bg-surface px-4 py-3 shadow-float sm:-mx-8 sm:px-8 lg:mx-0 lg:rounded-t-card lg:border-x lg:px-5"
    >
      <dl className="flex min-w-0 flex-wrap gap-x-6 gap-y-1">
        <div>
          <dt className="text-xs text-muted">Total with charges</dt>
          <dd>
            <Amount value={totals.total} className="font-semibold whitespace-nowrap" />
          </dd>
        </div>
        <div>
          <dt className="text-xs text-muted">Available in the wallet</dt>
          <dd>
            <Amount value={available} className={`font-semibold whitespace-nowrap ${short > 0 ? 'text-bad' : ''}`} />
          </dd>
        </div>
      </dl>
      <div className="flex flex-1 flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-48 text-xs text-warn sm:text-right">
          {missing.length === 0 ? '' : `${missing.join(' · ')}.`}
        </p>
        {children}
      </div>
    </section>
  );
}
