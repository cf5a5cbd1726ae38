import { readBookTotals } from '../ledger/index.ts';
import type { Mode } from '../platform/tenant.ts';
import { readOpenDifferences } from '../provider-settlements/index.ts';
import { boundsOf, figuresOf, type ProviderFigures, readNames } from './close-figures.ts';
import type { CloseDeps } from './sign-close.ts';

/** What a provider account owes over a period, and what of it nobody has explained. */
export interface ReceivableStatement extends ProviderFigures {
  /** What is in the closing balance now, kobo: payments that nothing has settled, less what was refunded or lost and not deducted. */
  unsettledMinor: bigint;
  unsettledPayments: number;
  /** Since when the oldest of them waits. */
  oldestAt: Date | null;
  /** Lines of settlements that differ and that nobody has looked into, by their result. */
  differences: { result: string; lines: number; amountMinor: bigint }[];
}

/**
 * Of each provider account from one day to another, the last included: equal to the ledger to the kobo, from its own transfers
 * by code. Differences are those that are open now.
 */
export function readReceivables(
  { database }: Pick<CloseDeps, 'database'>,
  { mode, fromDay, toDay }: { mode: Mode; fromDay: string; toDay: string },
): Promise<ReceivableStatement[]> {
  const { from } = boundsOf(fromDay);
  const { to } = boundsOf(toDay);
  return database.snapshot(async (queries) => {
    const totals = await readBookTotals(queries, { mode, from, to });
    const { providers } = figuresOf({ mode, day: fromDay, from, to }, totals, await readNames(queries));
    const { unsettled, differences } = await readOpenDifferences(queries, mode);
    return providers.map((provider) => {
      const waits = unsettled.find(({ rail }) => rail === provider.rail);
      return {
        ...provider,
        unsettledMinor: waits?.amount_minor ?? 0n,
        unsettledPayments: waits?.payments ?? 0,
        oldestAt: waits?.oldest_at ?? null,
        differences: differences
          .filter(({ rail }) => rail === provider.rail)
          .map(({ result, lines, amount_minor }) => ({ result, lines, amountMinor: amount_minor })),
      };
    });
  });
}
