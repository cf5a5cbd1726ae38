import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';

export type DifferenceData = Data<'get', '/payout/bulk/{batchReference}/difference'>;

/** What differs from the list that was paid last time; nothing is read while rows are being checked. */
export function useDifference(batchReference: string, enabled: boolean) {
  return useRead('/payout/bulk/{batchReference}/difference', { path: { batchReference } }, { enabled });
}

/** How many people are paid to another account than in the last list; zero while that is not known. */
export function useChangedAccounts(batchReference: string, enabled: boolean): number {
  const { data } = useDifference(batchReference, enabled);
  return data?.kinds.find(({ kind }) => kind === 'CHANGED_ACCOUNT')?.count ?? 0;
}
