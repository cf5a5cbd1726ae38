import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { SheetHead, SheetNotes, SheetRow, Sheets } from './cells.ts';
import { fileEmpty, PIECE_ROWS, PIECES_AHEAD, tooManyRows } from './errors.ts';

/** How the thread is started. The file is open in the process that they share. */
export type ReadOrder =
  | { kind: 'CSV' | 'XLSX'; fd: number; maxRows: number }
  | { kind: 'JSON'; fd: number; member: string };

/** Which sheet is read, and after which of its rows: 0 for all of them. */
export interface SheetChoice {
  sheet: number;
  after: number;
}

/** A message to the thread: to read on, or to read this sheet. */
export type ReadWish = 'more' | SheetChoice;

/** What the thread says: that it runs, what there is to choose from, pieces as they are asked for, and how it ended. */
export type ReadReport =
  | { begun: true }
  | { heads: readonly SheetHead[] }
  | { piece: unknown[] }
  | { end: unknown }
  | { refused: { code: string; message: string; errors?: AppError['errors'] } };

if (parentPort !== null) void report(workerData as ReadOrder, parentPort);

type Choose = (heads: readonly SheetHead[]) => Promise<SheetChoice>;

async function report(order: ReadOrder, port: MessagePort): Promise<void> {
  const send = (news: ReadReport) => port.postMessage(news);
  const read = await readerOf(order);
  send({ begun: true });
  const { turn, choice } = wishesOf(port);
  const choose: Choose = (heads) => {
    send({ heads });
    return choice;
  };
  try {
    const entries = read(choose);
    let piece: unknown[] = [];
    for (;;) {
      const { value, done } = await entries.next();
      if (done === true) {
        if (piece.length > 0) send({ piece });
        send({ end: value });
        return;
      }
      piece.push(value);
      if (piece.length < PIECE_ROWS) continue;
      send({ piece });
      piece = [];
      await turn();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    send({ refused: { code: error.code, message: error.message, errors: error.errors } });
  } finally {
    port.close();
  }
}

/** `turn` resolves when another piece may be read: each "more" asks for one. */
function wishesOf(port: MessagePort): { turn: () => Promise<void>; choice: Promise<SheetChoice> } {
  let asked = PIECES_AHEAD;
  let go: (() => void) | undefined;
  const choice = Promise.withResolvers<SheetChoice>();
  port.on('message', (wish: ReadWish) => {
    if (wish !== 'more') {
      choice.resolve(wish);
      return;
    }
    asked += 1;
    go?.();
  });
  async function turn(): Promise<void> {
    asked -= 1;
    while (asked <= 0) {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
    }
  }
  return { turn, choice: choice.promise };
}

/** Loads what reads this kind of file alone: every file has a thread of its own, and loading all is most of the time of a small one. */
async function readerOf(order: ReadOrder): Promise<(choose: Choose) => AsyncGenerator<unknown, unknown>> {
  if (order.kind === 'JSON') {
    const { readList } = await import('./read-list.ts');
    return () => readList(order.fd, order.member);
  }
  const open =
    order.kind === 'CSV' ? (await import('./read-csv.ts')).openCsv : (await import('./read-xlsx.ts')).openXlsx;
  return (choose) => readRows(order, open, choose);
}

async function* readRows(
  { fd, maxRows }: { fd: number; maxRows: number },
  open: (fd: number, notes: SheetNotes) => Promise<Sheets>,
  choose: Choose,
): AsyncGenerator<SheetRow, SheetNotes> {
  const notes: SheetNotes = { emptyRows: 0, notes: [] };
  const sheets = await open(fd, notes);
  const { sheet, after } = await choose(sheets.heads);
  let rows = 0;
  let below = 0;
  for await (const row of sheets.rows(sheet)) {
    rows += 1;
    if (row.row <= after) continue;
    below += 1;
    if (below > maxRows) throw tooManyRows(maxRows);
    yield row;
  }
  if (rows === 0) throw fileEmpty();
  return notes;
}
