import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { SheetNotes, SheetRow } from './cells.ts';
import { fileEmpty, PIECE_ROWS, PIECES_AHEAD, tooManyRows } from './errors.ts';
import { readCsv } from './read-csv.ts';
import { readList } from './read-list.ts';
import { readXlsx } from './read-xlsx.ts';

/** What the thread is started with. The file is open in the process that they share. */
export type ReadOrder =
  | { kind: 'CSV' | 'XLSX'; fd: number; maxRows: number }
  | { kind: 'JSON'; fd: number; member: string };

/** What the thread says: pieces as they are asked for, and how it ended. */
export type ReadReport =
  | { piece: unknown[] }
  | { end: unknown }
  | { refused: { code: string; message: string; errors?: AppError['errors'] } };

if (parentPort !== null) void report(workerData as ReadOrder, parentPort);

async function report(order: ReadOrder, port: MessagePort): Promise<void> {
  const report = (news: ReadReport) => port.postMessage(news);
  const turn = askedFor(port);
  try {
    const entries = order.kind === 'JSON' ? readList(order.fd, order.member) : readRows(order);
    let piece: unknown[] = [];
    for (;;) {
      const { value, done } = await entries.next();
      if (done === true) {
        if (piece.length > 0) report({ piece });
        report({ end: value });
        return;
      }
      piece.push(value);
      if (piece.length < PIECE_ROWS) continue;
      report({ piece });
      piece = [];
      await turn();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report({ refused: { code: error.code, message: error.message, errors: error.errors } });
  } finally {
    port.close();
  }
}

/** Resolves when another piece may be read: each message of the other side asks for one. */
function askedFor(port: MessagePort): () => Promise<void> {
  let asked = PIECES_AHEAD;
  let go: (() => void) | undefined;
  port.on('message', () => {
    asked += 1;
    go?.();
  });
  return async () => {
    asked -= 1;
    while (asked <= 0) {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
    }
  };
}

async function* readRows({
  kind,
  fd,
  maxRows,
}: ReadOrder & { kind: 'CSV' | 'XLSX' }): AsyncGenerator<SheetRow, SheetNotes> {
  const notes: SheetNotes = { emptyRows: 0, notes: [] };
  let rows = 0;
  for await (const row of kind === 'CSV' ? readCsv(fd, notes) : readXlsx(fd, notes)) {
    rows += 1;
    // The header is one more.
    if (rows > maxRows + 1) throw tooManyRows(maxRows);
    yield row;
  }
  if (rows === 0) throw fileEmpty();
  return notes;
}
