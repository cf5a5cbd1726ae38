import type { Database, Queries } from '../../../platform/db/database.ts';
import { type ExportFile, makeExport } from '../../../platform/exports.ts';
import type { List } from '../../../platform/lists/list.ts';
import { everyRow } from '../../../platform/lists/read-list.ts';
import type { Tenant } from '../../../platform/tenant.ts';
import type { BatchRow } from '../queries.ts';
import { requireBatch } from '../read-batches.ts';
import { rejectedItems, resultItems } from './queries.ts';
import { rejectedHeader, rejectedLines, resultHeader, resultLines } from './views.ts';

/** Rows read and written at once. */
const PAGE_ROWS = 2_000;

/**
 * The items that cannot be paid, as CSV: corrected, it can be uploaded as it is.
 * @throws AppError `BATCH_NOT_FOUND`; 503 `EXPORTS_BUSY`
 */
export function readRejectedCsv(database: Database, tenant: Tenant, batchReference: string): Promise<ExportFile> {
  return makeExport(database, tenant.merchantId, async function* (queries) {
    const batch = await requireBatch(queries, tenant, batchReference);
    yield rejectedHeader();
    yield* linesOf(queries, rejectedItems(batch), rejectedLines);
  });
}

/** Every item with what became of it, as CSV. @throws AppError as `readRejectedCsv` */
export function readResultCsv(database: Database, tenant: Tenant, batchReference: string): Promise<ExportFile> {
  return makeExport(database, tenant.merchantId, async function* (queries) {
    const batch: BatchRow = await requireBatch(queries, tenant, batchReference);
    yield resultHeader();
    yield* linesOf(queries, resultItems(batch), (items) => resultLines(batch, items));
  });
}

async function* linesOf<Row>(
  queries: Queries,
  list: List<Row>,
  lines: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  for await (const rows of everyRow(queries, list, PAGE_ROWS)) yield lines(rows);
}
