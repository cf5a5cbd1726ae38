import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { ReconciliationDeps } from './deps.ts';
import { type ImportRow, insertLines, updateImportLoaded } from './queries.ts';
import { type OpenFile, readFile } from './read-file.ts';
import type { SettlementLine } from './read-line.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Keeps every line of the file as it was read. An import that was cut short is read again, and nothing doubles. */
export async function loadLines(
  { database, clock }: Pick<ReconciliationDeps, 'database' | 'clock'>,
  settlement: ImportRow,
  open: OpenFile,
  amountsInKobo: boolean,
): Promise<void> {
  let lines = 0;
  let from: number | undefined;
  let to: number | undefined;
  for await (const piece of readFile(open, { hash: settlement.file_hash, amountsInKobo })) {
    const rows = piece.map((line) => write(insertLines, rowOf(settlement.id, line)).row);
    await database.run(insertLines, rows);
    lines += piece.length;
    for (const { occurredAt } of piece) {
      if (occurredAt === null) continue;
      const first = occurredAt.at.getTime();
      const last = occurredAt.wholeDay ? first + DAY_MS - 1 : first;
      from = Math.min(from ?? first, first);
      to = Math.max(to ?? last, last);
    }
  }
  const period = [from, to].map((time) => (time === undefined ? null : new Date(time)));
  await database.query(updateImportLoaded, [settlement.id, lines, ...period, clock.now()]);
}

function rowOf(importId: string, line: SettlementLine) {
  return {
    import_id: importId,
    id: newId(),
    line_number: line.lineNumber,
    reference: line.reference,
    session_id: line.sessionId,
    amount_minor: line.amountMinor,
    currency: line.currency,
    account_number: line.accountNumber,
    bank_code: line.bankCode,
    occurred_at: line.occurredAt?.at.toISOString() ?? null,
    status_text: line.statusText,
    kind: line.kind,
    result: line.problem === null ? null : ('UNREADABLE' as const),
    detail: line.problem,
  };
}
