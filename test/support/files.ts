import { randomBytes } from 'node:crypto';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import writeXlsxFile from 'write-excel-file/node';

export interface FormFile {
  name: string;
  content: string | Buffer;
  /** The field that it is sent as. */
  field?: string;
}

/** A multipart form as a browser sends it. */
export function formOf(files: readonly FormFile[], fields: Record<string, string> = {}) {
  const boundary = `----form${randomBytes(8).toString('hex')}`;
  const parts = [
    ...files.flatMap(({ name, content, field = 'file' }) => [
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n`,
      'content-type: application/octet-stream\r\n\r\n',
      content,
      '\r\n',
    ]),
    ...Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${boundary}--\r\n`,
  ];
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat(parts.map((part) => Buffer.from(part as string))),
  };
}

/** Sends a form to `POST /payout/bulk`. */
export async function upload(
  server: FastifyInstance,
  secretKey: string,
  files: FormFile | readonly FormFile[],
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const form = formOf([files].flat(), fields);
  const answer = await server.inject({
    method: 'POST',
    url: '/payout/bulk',
    headers: { authorization: `Bearer ${secretKey}`, ...form.headers, ...headers },
    payload: form.payload,
  });
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body), text: answer.body };
}

export const HEADER = 'Amount,Bank Code,Account Number,Account Name,Narration';

/** A CSV of ordinary rows that can be paid. */
export function csvOf(rows: number, header = HEADER): string {
  const lines = [header];
  for (let at = 0; at < rows; at += 1) {
    lines.push(`${1_000 + at},058,${1_000_000_000 + at},"Okafor, Ada ${at}",Salary ${at}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** A workbook as a real program writes it: texts shared, numbers as numbers. */
export function workbookOf(rows: readonly (readonly (string | number | boolean | null)[])[]): Promise<Buffer> {
  const data = rows.map((row) => row.map((value) => (value === null ? null : { value })));
  return (writeXlsxFile as unknown as (data: unknown) => { toBuffer(): Promise<Buffer> })(data).toBuffer();
}

export interface ZipPart {
  name: string;
  content: string | Buffer;
  /** Compressed already: what it unpacks to is `size` bytes, or so it says. */
  deflated?: { size: number; crc: number };
  encrypted?: boolean;
}

/** A zip made by hand, so that it can be wrong. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, content, deflated, encrypted = false } of parts) {
    const plain = Buffer.from(content as string);
    const body = deflated === undefined ? deflateRawSync(plain) : plain;
    const { size, crc } = deflated ?? { size: plain.length, crc: crc32(plain) };
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(encrypted ? 1 : 0, 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc, 10);
    head.writeUInt32LE(body.length, 14);
    head.writeUInt32LE(size, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), body]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), head, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006'), end]);
}

export interface RawWorkbook {
  /** What stands between the tags of `sheetData`, or the whole sheet where it begins with `<?xml`. */
  sheet: string;
  /** What stands between the tags of `sst`. */
  texts?: string;
  /** The `sheet` elements of the workbook; the first part is `sheet1.xml`. */
  sheets?: string;
  more?: readonly ZipPart[];
}

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A workbook with one sheet whose XML is given. */
export function rawWorkbook({ sheet, texts, sheets, more = [] }: RawWorkbook): Buffer {
  return zipOf([
    ...workbookParts(sheets),
    { name: 'xl/worksheets/sheet1.xml', content: sheetXml(sheet) },
    ...textParts(texts),
    ...more,
  ]);
}

export function workbookParts(sheets = '<sheet name="One" sheetId="1" r:id="rId1"/>', count = 3): ZipPart[] {
  const relations = Array.from({ length: count }, (_, index) => index + 1).map(
    (at) => `<Relationship Id="rId${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
  );
  return [
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>${sheets}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content:
        `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}">${relations.join('')}` +
        `<Relationship Id="rIdStyles" Type="${OFFICE}/styles" Target="styles.xml"/>` +
        `<Relationship Id="rIdTexts" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
    },
  ];
}

export function sheetXml(rows: string): string {
  if (rows.startsWith('<?xml')) return rows;
  return `<?xml version="1.0"?><worksheet xmlns="${SPREADSHEET}"><sheetData>${rows}</sheetData></worksheet>`;
}

function textParts(texts: string | undefined): ZipPart[] {
  if (texts === undefined) return [];
  return [{ name: 'xl/sharedStrings.xml', content: `<?xml version="1.0"?><sst xmlns="${SPREADSHEET}">${texts}</sst>` }];
}

/** A part that unpacks to `times` repetitions of `text` between `before` and `after`, and is small itself. */
export async function bombPart(
  name: string,
  before: string,
  text: Buffer,
  times: number,
  after: string,
): Promise<ZipPart> {
  const deflate = createDeflateRaw({ level: 1 });
  const out: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => out.push(chunk));
  const ended = new Promise((resolve) => deflate.on('end', resolve));
  let crc = 0;
  let size = 0;
  const feed = async (piece: Buffer) => {
    crc = crc32(piece, crc);
    size += piece.length;
    if (!deflate.write(piece)) await new Promise((resolve) => deflate.once('drain', resolve));
  };
  await feed(Buffer.from(before));
  for (let done = 0; done < times; done += 1) await feed(text);
  await feed(Buffer.from(after));
  deflate.end();
  await ended;
  return { name, content: Buffer.concat(out), deflated: { size, crc } };
}

/** A row of texts that stand in the cells themselves. */
export function inlineRow(row: number, cells: readonly string[]): string {
  const inner = cells.map(
    (cell, at) => `<c r="${String.fromCharCode(65 + at)}${row}" t="inlineStr"><is><t>${cell}</t></is></c>`,
  );
  return `<row r="${row}">${inner.join('')}</row>`;
}
