import type { PayoutPurpose } from '../../fees/index.ts';
import type { CommitResult, IdempotencyKey } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { requireRail } from '../rails.ts';
import { EXPIRES_AFTER_MS } from './batch-change.ts';
import { controlCountMismatch, controlTotalMismatch } from './intake/errors.ts';
import { beginUpload, discardUpload, uploadClaim } from './intake/give-up-uploads.ts';
import { type KeptRows, keepRows } from './intake/keep-rows.ts';
import { deleteUploads, type UploadRow } from './intake/queries.ts';
import type { RowSource } from './intake/rows-of-sheet.ts';
import { type BatchRow, findBatch, insertBatches } from './queries.ts';
import { batchView } from './views.ts';

export interface BatchSettings {
  purpose: PayoutPurpose;
  /** How many rows there must be, where the sender says so. */
  controlCount?: number | undefined;
  /** In kobo: what the amounts must come to, where the sender says so. */
  controlTotalMinor?: bigint | undefined;
}

export interface CreateBatchInput {
  tenant: Tenant;
  source: BatchRow['source'];
  fileName: string | null;
  rows: RowSource;
  /** Asked when all rows are taken: of a long body they are known only then. */
  settings: () => BatchSettings;
  scenario: string | null;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Keeps every row as it was given, right or wrong, and leaves it to the worker to look at them. Moves no money. The rows
 * are written in pieces beforehand, where nobody sees them; the batch appears whole, in one movement, or not at all.
 *
 * @throws AppError with what is wrong with the list as a whole; 422 `BATCH_CONTROL_MISMATCH` where it is not the one that
 *   its sender means; 409 `UPLOAD_GIVEN_UP`; 503 `RAIL_NOT_CONFIGURED`
 */
export async function createBatch(deps: PayoutDeps, input: CreateBatchInput): Promise<CommitResult> {
  await requireRail(deps.rails, input.tenant);
  const upload = await beginUpload(deps, input.tenant);
  let kept: KeptRows;
  let settings: BatchSettings;
  try {
    kept = await keepRows(deps, upload, input.rows.pieces);
    settings = input.settings();
    checkControls(settings, kept);
  } catch (error) {
    await discardUpload(deps, upload);
    throw error;
  }
  const result = await commitBatch(deps, input, upload, settings, kept);
  deps.wake();
  return result;
}

function checkControls({ controlCount, controlTotalMinor }: BatchSettings, kept: KeptRows): void {
  if (controlCount !== undefined && controlCount !== kept.count) throw controlCountMismatch(controlCount, kept.count);
  if (controlTotalMinor !== undefined && controlTotalMinor !== kept.totalMinor) {
    throw controlTotalMismatch(controlTotalMinor, kept.totalMinor);
  }
}

async function commitBatch(
  deps: PayoutDeps,
  input: CreateBatchInput,
  upload: UploadRow,
  settings: BatchSettings,
  kept: KeptRows,
): Promise<CommitResult> {
  const batch = newBatch(deps.clock.now(), input, upload, settings, kept);
  const { merchant_id, mode, batch_id } = upload;
  const warnings = [...input.rows.warnings(), ...kept.warnings];
  const data = JSON.stringify({ ...batchView(batch), warnings });
  try {
    const result = await deps.ledger.commit({
      tenant: input.tenant,
      id: batch.id,
      occurredAt: batch.created_at as string,
      idempotency: input.idempotency,
      claims: [uploadClaim(batch.id)],
      writes: [write(insertBatches, batch), write(deleteUploads, { merchant_id, mode, batch_id })],
      events: [{ id: newId(), type: 'batch.created', subjectId: batch.id, data }],
      answer: { message: 'Bulk payout is being validated' },
    });
    if (result.replayed) await discardUnlessMade(deps, upload);
    return result;
  } catch (error) {
    // A refusal made nothing. After anything else nobody knows, and the sweep finds out.
    if (error instanceof AppError && error.kind !== 'unavailable') await discardUpload(deps, upload);
    throw error;
  }
}

/** The same request came twice at once: the other one has made its batch, of rows of its own. */
async function discardUnlessMade(deps: PayoutDeps, upload: UploadRow): Promise<void> {
  const made = await deps.database.query(findBatch, [upload.merchant_id, upload.mode, upload.batch_id]);
  if (made.length === 0) await discardUpload(deps, upload);
}

function newBatch(
  now: Date,
  input: CreateBatchInput,
  upload: UploadRow,
  settings: BatchSettings,
  kept: KeptRows,
): BatchRow {
  const at = now.toISOString();
  return {
    merchant_id: upload.merchant_id,
    mode: upload.mode,
    id: upload.batch_id,
    status: 'VALIDATING',
    reason: null,
    purpose: settings.purpose,
    scenario: input.scenario,
    version: 1,
    item_count: kept.count,
    open_items: 0,
    due_at: at,
    expires_at: new Date(now.getTime() + EXPIRES_AFTER_MS).toISOString(),
    dispatched_at: null,
    source: input.source,
    file_name: input.fileName,
    created_at: at,
    updated_at: at,
  };
}
