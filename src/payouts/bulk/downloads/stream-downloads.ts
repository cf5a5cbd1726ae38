import type { Queries } from '../../../platform/db/database.ts';
import type { Statement } from '../../../platform/db/statement.ts';
import type { BatchRow } from '../queries.ts';
import { listItemResults, listRejectedItems } from './queries.ts';
import { rejectedHeader, rejectedLines, resultHeader, resultLines } from './views.ts';

/** Rows read and written at once: whoever downloads slowly holds no more than this in memory. */
const PAGE_ROWS = 500;

/** The items that cannot be paid, as CSV: mended, it can be uploaded as it is. */
export async function* streamRejectedCsv(queries: Queries, batch: BatchRow): AsyncGenerator<string> {
  yield rejectedHeader();
  for await (const items of pagesOf(queries, batch, listRejectedItems)) yield rejectedLines(items);
}

/** Every item with what became of it, as CSV. */
export async function* streamResultCsv(queries: Queries, batch: BatchRow): AsyncGenerator<string> {
  yield resultHeader();
  for await (const items of pagesOf(queries, batch, listItemResults)) yield resultLines(batch, items);
}

async function* pagesOf<Row extends { position: number }>(
  queries: Queries,
  batch: BatchRow,
  list: Statement<Row>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const page = await queries.query(list, [batch.merchant_id, batch.mode, batch.id, after, PAGE_ROWS]);
    if (page.length > 0) yield page;
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)?.position ?? after;
  }
}
