import {
  type BatchRow,
  batchView,
  createBankFinder,
  EXPIRES_AFTER_MS,
  findBatch,
  type GivenItemRow,
  insertBatches,
  insertGivenItems,
  problemsText,
} from '../batches/index.ts';
import type { PayoutPurpose } from '../fees/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { type PayoutDeps, requireRail } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { startLongWork } from '../platform/give-way.ts';
import { newId } from '../platform/ids.ts';
import type { ProblemData } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { controlMismatch, listProblem, listProblems } from './errors.ts';
import { rememberingWrites } from './map-columns.ts';
import { deleteUploads, type UploadRow } from './queries.ts';
import { type GivenRow, type TakenRow, takeRow } from './read-row.ts';
import type { RowSource } from './rows-of-sheet.ts';
import { beginUpload, discardUpload, uploadKey } from './uploads.ts';
import { understoodView, withoutSamples } from './views.ts';

/** The result of all rows together. */
export interface KeptRows {
  count: number;
  /** In kobo. It sums all rows, also those that cannot be paid. */
  totalMinor: bigint;
  /** Warnings about the list as a whole. */
  warnings: ProblemData[];
}

/**
 * Writes rows as items of a batch that does not exist yet, piece after piece, each corrected. Memory holds two pieces.
 */
export async function keepRows(
  deps: Pick<PayoutDeps, 'database' | 'banks'>,
  upload: UploadRow,
  pieces: AsyncIterable<readonly GivenRow[]>,
): Promise<KeptRows> {
  const findBank = createBankFinder(deps.banks);
  const counted = { count: 0, totalMinor: 0n, warned: 0 };
  const work = startLongWork();
  // The next piece is prepared while the last one is being written.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      const items: GivenItemRow[] = [];
      for (const given of piece) {
        const row = await takeRow(given, findBank);
        if (row.complaints.length + row.warnings.length > 0) counted.warned += 1;
        counted.count += 1;
        counted.totalMinor += row.countedMinor;
        items.push(itemRow(upload, row));
        await work.giveWay();
      }
      await writing;
      writing = deps.database.run(insertGivenItems, items);
      writing.catch(() => undefined);
    }
  } finally {
    // Rows are removed only after the last piece was written.
    await writing.catch(() => undefined);
  }
  await writing;
  return { count: counted.count, totalMinor: counted.totalMinor, warnings: warningsOf(counted) };
}

const warningsOf = ({ warned }: { warned: number }): ProblemData[] =>
  warned === 0 ? [] : [listProblem('ROWS_WITH_WARNINGS', { rows: warned })];

function itemRow(upload: UploadRow, row: TakenRow): GivenItemRow {
  return {
    merchant_id: upload.merchant_id,
    mode: upload.mode,
    id: newId(),
    batch_id: upload.batch_id,
    position: row.position,
    amount_minor: row.amountMinor,
    given_amount: row.givenAmount,
    bank_code: row.bankCode,
    account_number: row.accountNumber,
    narration: row.narration,
    phone_number: row.phoneNumber,
    given_name: row.givenName,
    item_warnings: problemsText([...row.complaints, ...row.warnings]),
    created_at: upload.started_at,
  };
}

export interface BatchSettings {
  purpose: PayoutPurpose;
  /** How many rows there must be, where the sender says so. */
  controlCount?: number | undefined;
  /** The sum of the amounts in kobo, where the sender says it. */
  controlTotalMinor?: bigint | undefined;
}

export interface CreateBatchInput {
  tenant: Tenant;
  source: BatchRow['source'];
  fileName: string | null;
  rows: RowSource;
  /** Called when all rows are taken: the settings of a long body are known only then. */
  settings: () => BatchSettings;
  scenario: string | null;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Keeps every row as it was given, right or wrong, and leaves it to the worker to look at them. Moves no money. The rows
 * are written in pieces beforehand, where nobody sees them; the batch appears whole, in one movement, or not at all.
 *
 * @throws AppError with what is wrong with the list as a whole; 422 `BATCH_CONTROL_MISMATCH` where it is not the one that
 *   its sender means; 409 `UPLOAD_ABANDONED`; 503 `RAIL_NOT_CONFIGURED`
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

function checkControls(settings: BatchSettings, kept: KeptRows): void {
  const problems = controlProblems(settings, kept);
  if (problems.length > 0) throw controlMismatch(problems);
}

/** The problems of a list that is not the one which its sender means. */
export function controlProblems(
  { controlCount, controlTotalMinor }: BatchSettings,
  { count, totalMinor }: Pick<KeptRows, 'count' | 'totalMinor'>,
): ProblemData[] {
  const problems: ProblemData[] = [];
  if (controlCount !== undefined && controlCount !== count) {
    problems.push(listProblem('CONTROL_COUNT_DIFFERS', { stated: controlCount, found: count }));
  }
  if (controlTotalMinor !== undefined && controlTotalMinor !== totalMinor) {
    const sums = { statedMinor: String(controlTotalMinor), foundMinor: String(totalMinor) };
    problems.push(listProblem('CONTROL_TOTAL_DIFFERS', sums));
  }
  return problems;
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
  const problems = [...input.rows.warnings(), ...kept.warnings].map(listProblems.shown);
  const warnings = problems.map(({ message }) => message);
  const seen = input.rows.understood?.();
  const understood = seen === undefined ? null : understoodView(withoutSamples(seen), kept);
  const data = JSON.stringify({ ...batchView(batch), warnings, problems, understood });
  try {
    const result = await deps.ledger.commit({
      tenant: input.tenant,
      id: batch.id,
      occurredAt: batch.created_at.toISOString(),
      idempotency: input.idempotency,
      uniqueKeys: [uploadKey(batch.id)],
      writes: [
        write(insertBatches, batch),
        write(deleteUploads, { merchant_id, mode, batch_id }),
        ...rememberingWrites(input.tenant, seen, batch.created_at),
      ],
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

/** The same request came twice at once. The other one has made its batch, of its own rows. */
async function discardUnlessMade(deps: PayoutDeps, upload: UploadRow): Promise<void> {
  const made = await deps.database.query(findBatch, [upload.merchant_id, upload.mode, upload.batch_id]);
  if (made.length === 0) await discardUpload(deps, upload);
}

function newBatch(
  at: Date,
  input: CreateBatchInput,
  upload: UploadRow,
  settings: BatchSettings,
  kept: KeptRows,
): BatchRow {
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
    expires_at: new Date(at.getTime() + EXPIRES_AFTER_MS),
    dispatched_at: null,
    source: input.source,
    file_name: input.fileName,
    created_at: at,
    updated_at: at,
  };
}
