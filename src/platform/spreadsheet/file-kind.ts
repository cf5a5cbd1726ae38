import { read } from 'node:fs';
import { promisify } from 'node:util';
import { fileEmpty, fileKindUnsupported } from './errors.ts';

export type FileKind = 'CSV' | 'XLSX';

const readAt = promisify(read);
const HEAD_BYTES = 512;

/** What begins so is nothing that rows can be read from. */
const OTHERS: readonly [start: string, what: string][] = [
  ['\u00d0\u00cf\u0011\u00e0', 'The file is an old Excel workbook (.xls), or one that is protected by a password.'],
  ['%PDF', 'The file is a PDF.'],
  ['{\\rtf', 'The file is a text document (RTF).'],
  ['\u001f\u008b', 'The file is compressed (gzip).'],
];

/**
 * By what the file holds and, where that could be anything, by its name. What the sender calls it is not asked: browsers
 * call a CSV whatever the machine has registered for it.
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
