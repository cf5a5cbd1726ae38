import { useRead } from '../api/reads.ts';
import { type Batch, isOpen } from './batch.ts';

/**
 * The problems of a batch in groups. While its rows are checked they change every second and are not read: what was read
 * before stays.
 */
export function useProblems(batch: Batch) {
  const { batchReference, status } = batch;
  return useRead(
    '/payout/bulk/{batchReference}/problem',
    { path: { batchReference } },
    { enabled: isOpen(batch) && status !== 'VALIDATING' },
  );
}

/** Rows whose account belongs to a name unlike the given one, and that nobody has accepted. */
export function useUnacceptedNames(batch: Batch): number {
  return useProblems(batch).data?.groups.find(({ code }) => code === 'NAME_DIFFERS')?.count ?? 0;
}
