import { once } from 'node:events';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { AppError, noMore } from '../errors.ts';
import type { SheetHead, SheetNotes, SheetRow } from './cells.ts';
import {
  fileEmpty,
  fileKindUnsupported,
  MAX_READ_MS,
  READER_HEAP_MB,
  readingTooBig,
  readingTooSlow,
} from './errors.ts';
import type { ReadOrder, ReadReport, ReadWish, SheetChoice } from './reader-thread.ts';

/** What a thread says of its file. */
type FileReport = Exclude<ReadReport, { begun: true }>;

type FileKind = 'CSV' | 'XLSX';

const readAt = promisify(read);
const HEAD_BYTES = 512;

/** A file that begins so is not a table of rows. */
const OTHERS: readonly [start: string, what: string][] = [
  ['\u00d0\u00cf\u0011\u00e0', 'The file is an old Excel workbook (.xls), or one that is protected by a password.'],
  ['%PDF', 'The file is a PDF.'],
  ['{\\rtf', 'The file is a text document (RTF).'],
  ['\u001f\u008b', 'The file is compressed (gzip).'],
];

/**
 * By the content of the file and, where that could be anything, by its name. The type that the sender states is not
 * used: browsers call a CSV whatever the machine has registered for it.
 * @throws AppError `FILE_EMPTY`, `FILE_KIND_UNSUPPORTED`
 */
export async function detectKind(fd: number, name: string): Promise<FileKind> {
  const { bytesRead, buffer } = await readAt(fd, Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  if (bytesRead === 0) throw fileEmpty();
  const head = buffer.toString('latin1', 0, bytesRead);
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')) return 'XLSX';
  const other = OTHERS.find(([start]) => head.startsWith(start));
  if (other !== undefined) throw fileKindUnsupported(other[1]);
  const start = head.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  if (/^<(!doctype|html|\?xml|table)/i.test(start)) throw fileKindUnsupported('The file is a web page or XML.');
  if (/\.(xlsx|xlsm|xls)$/i.test(name))
    throw fileKindUnsupported('The file is named like an Excel workbook but is none.');
  return 'CSV';
}

/** The content of a file, in pieces, and what is known once all are taken. */
interface FileReading<Entry, End> {
  /** Can be read once. A consumer that stops ends the thread. @throws AppError with what is wrong with the file. */
  pieces: AsyncGenerator<Entry[]>;
  /** After the last piece. */
  end(): End;
}

/** Decides which of a file's sheets is read, and from where. @throws what ends the reading. */
export type ChooseSheet = (heads: readonly SheetHead[]) => Promise<SheetChoice> | SheetChoice;

/** The whole of the first sheet that has rows. */
const firstSheet: ChooseSheet = (heads) => ({
  sheet: Math.max(
    0,
    heads.findIndex(({ rows }) => rows.length > 0),
  ),
  after: 0,
});

/** Rows of a CSV file or a workbook that is open as `fd`; at most `maxRows` after the place where the choice begins. */
export function readRows(
  fd: number,
  kind: 'CSV' | 'XLSX',
  maxRows: number,
  choose: ChooseSheet = firstSheet,
): FileReading<SheetRow, SheetNotes> {
  return readInThread<SheetRow, SheetNotes>({ kind, fd, maxRows }, choose);
}

/** Entries of the list that a JSON object has under `member`; its other members at the end. */
export function readJsonList(fd: number, member: string): FileReading<unknown, Record<string, unknown>> {
  return readInThread<unknown, Record<string, unknown>>({ kind: 'JSON', fd, member });
}

/**
 * Reads a file in a thread of its own: files may be hostile, and reading them takes long. The thread has a limited heap
 * and a limited time, is never more than two pieces ahead, and ends when the last piece is taken or the consumer has
 * stopped.
 */
function readInThread<Entry, End>(order: ReadOrder, choose: ChooseSheet = firstSheet): FileReading<Entry, End> {
  let end: { value: End } | undefined;
  async function* pieces(): AsyncGenerator<Entry[]> {
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: READER_HEAP_MB, maxYoungGenerationSizeMb: 16 },
      // Options of this process, such as its own heap, do not apply to the thread; types are stripped there as here.
      execArgv: [],
    });
    const reports = listenTo(worker);
    const wish = (what: ReadWish) => worker.postMessage(what);
    try {
      for (;;) {
        const report = await reports.next();
        if ('refused' in report) throw refusal(report.refused);
        if ('end' in report) {
          end = { value: report.end as End };
          return;
        }
        if ('heads' in report) {
          wish(await choose(report.heads));
          continue;
        }
        yield report.piece as Entry[];
        wish('more');
      }
    } finally {
      // Waited for: the file must not be closed, and its number given to another one, while the thread reads.
      await worker.terminate();
    }
  }
  return {
    pieces: pieces(),
    end() {
      if (end === undefined) throw new Error('a file was asked for its end before it was read');
      return end.value;
    },
  };
}

function refusal({ code, message, errors }: { code: string; message: string; errors?: AppError['errors'] }): AppError {
  return new AppError('invalid', code, message, errors === undefined ? {} : { errors });
}

/**
 * The thread's reports in order. Only the time in which somebody waits for it is counted against it. One that ends before it
 * runs has not seen the file: where no file descriptor is free, whatever it needs first is not there for it, each in words of its own.
 */
function listenTo(worker: Worker): { next(): Promise<FileReport> } {
  const waiting: FileReport[] = [];
  let hasBegun = false;
  let failed: Error | undefined;
  let leftMs = MAX_READ_MS;
  const news = new EventTarget();
  const announce = () => news.dispatchEvent(new Event('news'));
  const fail = (error: Error) => {
    failed ??= hasBegun || error instanceof AppError ? error : noMore(error);
    announce();
  };
  worker.on('message', (report: ReadReport) => {
    if ('begun' in report) hasBegun = true;
    else waiting.push(report);
    announce();
  });
  worker.on('error', (error: Error) => {
    fail('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? readingTooBig() : error);
  });
  worker.on('exit', () => fail(new Error('the thread that reads a file ended without a word')));
  return {
    async next() {
      while (waiting.length === 0 && failed === undefined) {
        const since = performance.now();
        const signal = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
        await once(news, 'news', { signal }).catch(() => undefined);
        leftMs -= performance.now() - since;
        if (leftMs <= 0 && waiting.length === 0) throw readingTooSlow();
      }
      const report = waiting.shift();
      if (report !== undefined) return report;
      throw failed as Error;
    },
  };
}
