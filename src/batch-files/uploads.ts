import { deleteItemsBetween, findBatch, findLastPosition } from '../batches/index.ts';
import type { UniqueKey } from '../ledger/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { uploadAbandoned } from './errors.ts';
import { deleteUploads, insertUploads, listUploadsBefore, type UploadKey, type UploadRow } from './queries.ts';

type UploadDeps = Pick<PayoutDeps, 'database' | 'ledger' | 'clock' | 'logger'>;
type SweepDeps = UploadDeps & Pick<PayoutDeps, 'jobs'>;

/** An upload is read within minutes. An older one belongs to a process that is gone, or to one that has to stop. */
const UPLOAD_MAX_AGE_MS = 60 * 60 * 1000;
/** One statement clears so many places. It is short enough to delay nobody. */
const REMOVED_AT_ONCE = 2_000;
/** One look abandons so many uploads. */
const SWEPT_AT_ONCE = 20;

/** Notes an upload before its first row is written, so that its rows are found where nobody finishes it. */
export async function beginUpload({ database, clock }: UploadDeps, tenant: Tenant): Promise<UploadRow> {
  const upload: UploadRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    batch_id: newId(),
    started_at: clock.now(),
  };
  await database.run(insertUploads, [upload]);
  return upload;
}

/** The key that either the movement that makes the batch takes, or the one that abandons the upload. */
export function uploadKey(batchId: string): UniqueKey {
  return { scope: 'BATCH_UPLOAD', value: batchId, refusal: uploadAbandoned };
}

/** Removes the rows of an upload that became no batch. Where that fails, the sweep does it later. */
export async function discardUpload(deps: UploadDeps, upload: UploadKey): Promise<void> {
  try {
    await removeRows(deps, upload);
  } catch (error) {
    deps.logger.warn({ err: error, batchId: upload.batch_id }, 'rows of an upload were left to the sweep');
  }
}

async function removeRows({ database }: UploadDeps, { merchant_id, mode, batch_id }: UploadKey): Promise<void> {
  const key = [merchant_id, mode, batch_id];
  const [last] = await database.query(findLastPosition, key);
  for (let from = 0; from < (last?.position ?? 0); from += REMOVED_AT_ONCE) {
    await database.query(deleteItemsBetween, [...key, from, from + REMOVED_AT_ONCE]);
  }
  // This comes last: as long as the row of the upload exists, the other rows can be found.
  await database.run(deleteUploads, [{ merchant_id, mode, batch_id }]);
}

/**
 * Removes what uploads left behind whose process died, an hour after they began. Safe beside one that is only slow: it
 * then cannot become a batch any more, and its sender is asked to send it again. One that cannot be removed is left alone
 * for a while that grows.
 * @returns how many uploads of the mode were looked at.
 */
export async function sweepUploads(deps: SweepDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - UPLOAD_MAX_AGE_MS);
  const failures = deps.jobs.failuresOf('uploads.sweep');
  const left = await deps.database.query(listUploadsBefore, [mode, before, failures.backingOffKeys(), SWEPT_AT_ONCE]);
  return takeTurns<UploadRow>(left, {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ batch_id }) => batch_id,
    async take(upload) {
      if (await isAbandoned(deps, upload)) await removeRows(deps, upload);
      return 1;
    },
    aboutOf: ({ merchant_id: merchantId, batch_id: batchId }) => ({
      message: 'rows of an upload could not be removed',
      merchantId,
      mode,
      batchId,
    }),
  });
}

/** False where the upload has become a batch after all. */
async function isAbandoned(deps: UploadDeps, upload: UploadRow): Promise<boolean> {
  const { merchant_id: merchantId, mode, batch_id: batchId } = upload;
  try {
    await deps.ledger.commit({
      tenant: { merchantId, mode },
      id: batchId,
      occurredAt: deps.clock.now().toISOString(),
      uniqueKeys: [uploadKey(batchId)],
      answer: success('Success'),
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'UPLOAD_ABANDONED')) throw error;
    // The key was taken before, by the batch or by a sweep that did not finish.
    return (await deps.database.query(findBatch, [merchantId, mode, batchId])).length === 0;
  }
}
