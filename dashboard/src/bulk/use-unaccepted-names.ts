import { useRead } from '../api/reads.ts';
import { type Batch, isOpen } from './batch.ts';

/** Rows whose account belongs to a name unlike the given one, and that nobody has accepted. */
export function useUnacceptedNames(batch: Batch): number {
  const { batchReference } = batch;
  const { data } = useRead(
    '/payout/bulk/{batchReference}/problem',
    { path: { batchReference } },
    { enabled: isOpen(batch) },
  );
  return data?.groups.find(({ code }) => code === 'NAME_DIFFERS')?.count ?? 0;
}
