import type { ReactNode } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { useChangedAccounts } from '../batch-difference/use-difference.ts';
import { ActionBar } from '../components/action-bar.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount, formatMoney } from '../format/money.ts';
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
  const moved = useChangedAccounts(batch.batchReference, batch.status !== 'VALIDATING');
  const available = data?.wallet.availableBalance;
  const { counts, duplicates, totals, status } = batch;
  const short = available === undefined ? 0 : totals.total - available;
  const missing = [
    ...(status === 'VALIDATING' ? ['Rows are being checked'] : []),
    ...(moved > 0 ? [`${formatCount(moved)} paid to another account than last time`] : []),
    ...(names > 0 ? [`${rows(names)} with a different name`] : []),
    ...(counts.invalid > 0 ? [`${rows(counts.invalid)} cannot be paid`] : []),
    ...(duplicates.count > 0
      ? [`${rows(duplicates.count)} ${duplicates.count === 1 ? 'repeats' : 'repeat'} other payments`]
      : []),
    ...(short > 0 ? [`The wallet is short of ${formatMoney(Math.round(short * 100) / 100)}`] : []),
  ];
  return (
    <ActionBar label="Before you pay">
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
    </ActionBar>
  );
}
