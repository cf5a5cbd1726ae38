import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { AppError } from '../errors.ts';
import { type CellFormats, createFormatReader } from './cell-formats.ts';
import {
  fileDamaged,
  fileKindUnsupported,
  fileTooComplex,
  inflatesTooFar,
  MAX_CELL_CHARACTERS,
  MAX_INFLATED_BYTES,
  MAX_SHEETS,
  MAX_ZIP_ENTRIES,
  MAX_ZIP_NAME,
} from './errors.ts';
import { createTextRuns } from './text-runs.ts';
import { createTextPool, parseWholeXml, type TextPool } from './xml.ts';

/** The parts of a workbook, unpacked on demand. */
export interface Zip {
  has(name: string): boolean;
  /** The bytes of a part, unpacked as they are taken. @throws AppError beyond `MAX_INFLATED_BYTES`, of all parts together. */
  read(name: string): AsyncGenerator<Buffer>;
  /** The first bytes of a part, and no more than these are counted. @throws AppError as `read`. */
  readHead(name: string, maxBytes: number): AsyncGenerator<Buffer>;
}

const DAMAGED = 'The workbook is damaged. Open it, save it again and upload that.';

/** @throws AppError when the file is no zip that can be trusted: encrypted, with too many entries, or broken. */
export async function openZip(fd: number): Promise<Zip> {
  const zip = await orDamaged(() => fromFdPromise(fd, { lazyEntries: true, autoClose: false }));
  const entries = await orDamaged(() => listEntries(zip));
  let inflated = 0;
  function count(bytes: number): void {
    inflated += bytes;
    if (inflated > MAX_INFLATED_BYTES) throw inflatesTooFar();
  }
  async function* bytesOf(name: string, expect: (size: number) => void): AsyncGenerator<Buffer> {
    const entry = entries.get(name);
    if (entry === undefined) throw fileDamaged(DAMAGED);
    expect(entry.uncompressedSize);
    const stream: Readable = await orDamaged(() => zip.openReadStreamPromise(entry));
    try {
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      throw error instanceof AppError ? error : fileDamaged(DAMAGED);
    } finally {
      stream.destroy();
    }
  }
  return {
    has: (name) => entries.has(name),
    // The stated size is checked first, so that a bomb costs nothing: the library ends a part that turns out to be
    // larger.
    read: (name) => bytesOf(name, count),
    async *readHead(name, maxBytes) {
      let taken = 0;
      for await (const chunk of bytesOf(name, () => undefined)) {
        taken += chunk.length;
        count(chunk.length);
        yield chunk;
        if (taken >= maxBytes) return;
      }
    },
  };
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ZIP_ENTRIES) throw fileTooComplex('The workbook has too many parts.');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.length > MAX_ZIP_NAME) throw fileTooComplex('The workbook has a part with too long a name.');
    if (entry.isEncrypted()) throw fileKindUnsupported('The file is protected by a password.');
    if (entries.size >= MAX_ZIP_ENTRIES) throw fileTooComplex('The workbook has too many parts.');
    if (entries.has(entry.fileName)) throw fileDamaged(DAMAGED);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function orDamaged<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof AppError ? error : fileDamaged(DAMAGED);
  }
}

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

interface Workbook {
  /** The visible sheets, in order: name, and part of the zip. */
  sheets: readonly { name: string; part: string }[];
  /** Sheets that are there and hidden. */
  hidden: number;
  texts: TextPool;
  formats: CellFormats;
  /** Its formulas are to be calculated when it is opened: the stored results are old, or missing. */
  isUncalculated: boolean;
}

/** The sheets of a workbook, and the texts that they share. @throws AppError for anything that is no workbook. */
export async function openWorkbook(zip: Zip): Promise<Workbook> {
  if (!zip.has(WORKBOOK) || !zip.has(RELATIONS)) {
    throw fileKindUnsupported('The file is a zip that holds no Excel workbook.');
  }
  const found: { name: string; relation: string; visible: boolean }[] = [];
  let from1904 = false;
  let isUncalculated = false;
  await parseWholeXml(zip.read(WORKBOOK), {
    open(name, attribute) {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attribute('date1904') ?? '');
      if (name === 'calcPr') isUncalculated = ['1', 'true'].includes(attribute('fullCalcOnLoad') ?? '');
      if (name !== 'sheet') return;
      if (found.length >= MAX_SHEETS) throw fileTooComplex(`The workbook has more than ${MAX_SHEETS} sheets.`);
      const state = attribute('state');
      const visible = state !== 'hidden' && state !== 'veryHidden';
      found.push({ name: attribute('name') ?? '', relation: attribute('r:id') ?? relationId(attribute), visible });
    },
  });
  const relations = await readRelations(zip);
  const sheets: { name: string; part: string }[] = [];
  for (const { name, relation } of found.filter(({ visible }) => visible)) {
    const target = relations.sheets.get(relation);
    // A sheet that is a chart has no rows.
    if (target !== undefined && zip.has(target)) sheets.push({ name, part: target });
  }
  if (sheets.length === 0) throw fileDamaged('The workbook has no sheet that can be seen.');
  const hidden = found.filter(({ visible }) => !visible).length;
  const texts = await readTexts(zip, relations.texts);
  return { sheets, hidden, texts, formats: await readFormats(zip, relations.styles, from1904), isUncalculated };
}

/** Some writers use another prefix than `r` for relations. */
function relationId(attribute: (name: string) => string | undefined): string {
  return ['rel:id', 'd3p1:id', 'ns0:id', 'ns1:id'].map(attribute).find((id) => id !== undefined) ?? '';
}

interface Relations {
  sheets: ReadonlyMap<string, string>;
  texts: string | undefined;
  styles: string | undefined;
}

async function readRelations(zip: Zip): Promise<Relations> {
  const sheets = new Map<string, string>();
  let texts: string | undefined;
  let styles: string | undefined;
  await parseWholeXml(zip.read(RELATIONS), {
    open(name, attribute) {
      if (name !== 'Relationship') return;
      const type = attribute('Type') ?? '';
      const target = attribute('Target') ?? '';
      const part = target.startsWith('/') ? target.slice(1) : posix.join('xl', target);
      if (type.endsWith('/worksheet')) sheets.set(attribute('Id') ?? '', part);
      if (type.endsWith('/sharedStrings')) texts = part;
      if (type.endsWith('/styles')) styles = part;
    },
  });
  return { sheets, texts, styles };
}

async function readFormats(zip: Zip, part: string | undefined, from1904: boolean): Promise<CellFormats> {
  const { handler, ...formats } = createFormatReader(from1904);
  if (part !== undefined && zip.has(part)) await parseWholeXml(zip.read(part), handler);
  return formats;
}

/**
 * The texts that cells refer to by number. Of their styles only what sets digits apart is kept; East Asian reading aids
 * are dropped.
 */
async function readTexts(zip: Zip, part: string | undefined): Promise<TextPool> {
  const pool = createTextPool();
  if (part === undefined || !zip.has(part)) return pool;
  let text = '';
  let inText = false;
  let aids = 0;
  const runs = createTextRuns();
  await parseWholeXml(zip.read(part), {
    open(name, attribute) {
      runs.open(name, attribute);
      if (name === 'si') text = '';
      if (name === 'rPh') aids += 1;
      inText = name === 't' && aids === 0;
    },
    text(piece) {
      if (!inText) return;
      text += runs.before(text, piece) + piece;
      if (text.length > MAX_CELL_CHARACTERS) {
        throw fileTooComplex(`A cell of the workbook has more than ${MAX_CELL_CHARACTERS} characters.`);
      }
    },
    close(name) {
      if (inText) text += runs.close(name);
      inText = false;
      if (name === 'rPh') aids -= 1;
      if (name === 'si') pool.add(text);
    },
  });
  return pool;
}
