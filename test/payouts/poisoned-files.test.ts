import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bombPart,
  csvOf,
  formOf,
  HEADER,
  inlineRow,
  rawWorkbook,
  sheetXml,
  upload,
  workbookParts,
  zipOf,
} from '../support/files.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from './payout-fixture.ts';

/** Large files are made and refused here. */
vi.setConfig({ testTimeout: 120_000 });

let fixture: PayoutFixture;
let merchant: Merchant;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  merchant = await fixture.addMerchant();
});
afterAll(() => fixture.close());

/** Of the processor's time, which others on the machine do not change. Far below the minute that reading may take. */
const BOUND_MS = 30_000;
const MEGABYTE = 1024 * 1024;
/** What the process may grow by: the file itself is in it, because the test makes it. */
const BOUND_BYTES = 220 * MEGABYTE;

const header = inlineRow(1, HEADER.split(','));
const good = '5,058,0123456785,Ada,Rent';

interface Poison {
  what: string;
  make: () => Buffer | string | Promise<Buffer | string>;
  name?: string;
  code: string;
  says: RegExp;
}

const POISONS: Poison[] = [
  {
    what: 'a zip bomb: a workbook of a megabyte that unpacks to more than 400',
    make: async () => {
      const comment = Buffer.from(`<!--${'x'.repeat(200 * 1024)}-->`);
      const rows = await bombPart(
        'xl/worksheets/sheet1.xml',
        '<worksheet><sheetData>',
        comment,
        2_200,
        '</sheetData></worksheet>',
      );
      return zipOf([...workbookParts(), rows]);
    },
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /unpacks to more than 400 MB/,
  },
  {
    what: 'a bomb of one endless text',
    make: async () => {
      const text = Buffer.alloc(MEGABYTE, 'x');
      const part = await bombPart('xl/sharedStrings.xml', '<sst><si><t>', text, 300, '</t></si></sst>');
      return zipOf([...workbookParts(), { name: 'xl/worksheets/sheet1.xml', content: sheetXml(header) }, part]);
    },
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /no spreadsheet program/,
  },
  {
    what: 'a workbook with millions of texts',
    make: async () => {
      const text = Buffer.from('<si><t>abcdefghijklmnopqrstuvwxyz</t></si>'.repeat(20_000));
      const part = await bombPart('xl/sharedStrings.xml', '<sst>', text, 100, '</sst>');
      return zipOf([...workbookParts(), { name: 'xl/worksheets/sheet1.xml', content: sheetXml(header) }, part]);
    },
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /more text than/,
  },
  {
    what: 'a workbook whose part is larger than it says',
    make: () => {
      const content = deflateRawSync(Buffer.from(sheetXml(header)));
      return zipOf([...workbookParts(), { name: 'xl/worksheets/sheet1.xml', content, deflated: { size: 20, crc: 0 } }]);
    },
    name: 'list.xlsx',
    code: 'FILE_DAMAGED',
    says: /damaged/,
  },
  {
    what: 'an XML bomb',
    make: () =>
      rawWorkbook({
        sheet: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><worksheet>&b;</worksheet>`,
      }),
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /document type/,
  },
  {
    what: 'XML that nests without end',
    make: () => rawWorkbook({ sheet: '<a>'.repeat(1_000_000) }),
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /no spreadsheet program/,
  },
  {
    what: 'an element with a hundred thousand attributes',
    make: () => rawWorkbook({ sheet: `<row ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(' ')}/>` }),
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /no spreadsheet program/,
  },
  {
    what: 'a zip inside of a zip',
    make: () => zipOf([{ name: 'list.xlsx', content: rawWorkbook({ sheet: header }) }]),
    name: 'list.xlsx',
    code: 'FILE_KIND_UNSUPPORTED',
    says: /zip that holds no Excel workbook/,
  },
  {
    what: 'an encrypted zip',
    make: () => zipOf(workbookParts().map((part) => ({ ...part, encrypted: true }))),
    name: 'list.xlsx',
    code: 'FILE_KIND_UNSUPPORTED',
    says: /protected by a password/,
  },
  {
    what: 'a workbook with a password, which is no zip at all',
    make: () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    name: 'list.xlsx',
    code: 'FILE_KIND_UNSUPPORTED',
    says: /protected by a password/,
  },
  {
    what: 'a zip of ten thousand parts',
    make: () => zipOf(Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}`, content: '' }))),
    name: 'a.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /too many parts/,
  },
  {
    what: 'text that is named .xlsx',
    make: () => csvOf(1),
    name: 'list.xlsx',
    code: 'FILE_KIND_UNSUPPORTED',
    says: /named like an Excel workbook but is none/,
  },
  {
    what: 'a zip that ends too early',
    make: () => rawWorkbook({ sheet: header }).subarray(0, 300),
    name: 'a.xlsx',
    code: 'FILE_DAMAGED',
    says: /damaged/,
  },
  {
    what: 'nothing but a sum below the header',
    make: () => rawWorkbook({ sheet: `${header}<row r="2"><c r="A2"><f>SUM(A1:A9)</f><v>5</v></c></row>` }),
    name: 'a.xlsx',
    code: 'FILE_EMPTY',
    says: /No row is a payment/,
  },
  {
    what: 'two hundred sheets of 4 MB without a row',
    make: async () => {
      const comment = Buffer.from(`<!--${'x'.repeat(200 * 1024)}-->`);
      const sheets = await Promise.all(
        Array.from({ length: 200 }, (_, at) =>
          bombPart(
            `xl/worksheets/sheet${at + 1}.xml`,
            '<worksheet><sheetData>',
            comment,
            22,
            '</sheetData></worksheet>',
          ),
        ),
      );
      const named = sheets.map((_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('');
      return zipOf([...workbookParts(named, 200), ...sheets]);
    },
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    // Whichever limit a machine comes to first.
    says: /unpacks to more than 400 MB|takes longer than 60 s/,
  },
  {
    what: 'two hundred sheets that begin with a page of text each',
    make: () => {
      const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(50)}</row>`;
      const sheet = sheetXml(row.repeat(26));
      const sheets = Array.from({ length: 200 }, (_, at) => ({
        name: `xl/worksheets/sheet${at + 1}.xml`,
        content: sheet,
      }));
      const named = sheets.map((_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('');
      const texts = { name: 'xl/sharedStrings.xml', content: `<sst><si><t>${'x'.repeat(1_000)}</t></si></sst>` };
      return zipOf([...workbookParts(named, 200), texts, ...sheets]);
    },
    name: 'list.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /more text than lists would/,
  },
  {
    what: 'a header in row 21',
    make: () => `${Array.from({ length: 20 }, (_, at) => `Title ${at}`).join('\n')}\n${csvOf(3)}`,
    code: 'FILE_HEADER_WRONG',
    says: /None of the first 20 rows names the columns/,
  },
  {
    what: '200 columns',
    make: () => `${HEADER},${Array.from({ length: 195 }, (_, at) => `c${at}`).join()}\n${good}\n`,
    code: 'FILE_TOO_MANY_COLUMNS',
    says: /Row 1 has more than 50/,
  },
  {
    what: 'a giant shared text',
    make: () => rawWorkbook({ sheet: header, texts: `<si><t>${'x'.repeat(100_000)}</t></si>` }),
    name: 'a.xlsx',
    code: 'FILE_TOO_COMPLEX',
    says: /more than 1000 characters/,
  },
  {
    what: 'a workbook of a hundred thousand columns',
    make: () => rawWorkbook({ sheet: `<row r="1">${'<c t="inlineStr"><is><t>x</t></is></c>'.repeat(100_000)}</row>` }),
    name: 'a.xlsx',
    code: 'FILE_TOO_MANY_COLUMNS',
    says: /more than 50 columns/,
  },
  {
    what: 'a line of 10 MB',
    make: () => `${HEADER}\n${'x'.repeat(10 * MEGABYTE)}`,
    code: 'FILE_DAMAGED',
    says: /Row 2 is longer than 100 KB/,
  },
  {
    what: 'a header of 10 MB',
    make: () => 'x'.repeat(10 * MEGABYTE),
    code: 'FILE_DAMAGED',
    says: /Row 1 is longer than 100 KB/,
  },
  {
    what: 'a quotation mark that is never closed',
    make: () => `${HEADER}\n${good}\n5,058,0123456785,"Ada,Rent\n`,
    code: 'FILE_DAMAGED',
    says: /quotation mark in row 3/,
  },
  {
    what: 'the same in a long file',
    make: () => `${HEADER}\n5,058,0123456785,"Ada,Rent\n${`${good}\n`.repeat(50_000)}`,
    code: 'FILE_DAMAGED',
    says: /Row 2 is longer than 100 KB. A quotation mark/,
  },
  {
    what: 'UTF-16 that does not say so',
    make: () => Buffer.from(csvOf(5), 'utf16le'),
    code: 'FILE_ENCODING_UNKNOWN',
    says: /NUL characters.*CSV UTF-8/,
  },
  {
    what: 'half a character of UTF-16',
    make: () => Buffer.from(`\ufeff${HEADER}\ud800`, 'utf16le'),
    code: 'FILE_ENCODING_UNKNOWN',
    says: /no characters/,
  },
  {
    what: 'a NUL in a cell',
    make: () => `${HEADER}\n5,058,0123456785,A\0da,Rent\n`,
    code: 'FILE_ENCODING_UNKNOWN',
    says: /NUL/,
  },
  {
    what: 'a program',
    make: () => Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 3]),
    code: 'FILE_DAMAGED',
    says: /no plain text/,
  },
  { what: 'a PDF', make: () => '%PDF-1.7', code: 'FILE_KIND_UNSUPPORTED', says: /PDF/ },
  {
    what: 'a web page',
    make: () => '<!DOCTYPE html><table>',
    name: 'list.xls',
    code: 'FILE_KIND_UNSUPPORTED',
    says: /web page/,
  },
  {
    what: 'missing columns',
    make: () => 'Amount,Name\n5,Ada\n',
    code: 'FILE_HEADER_WRONG',
    says: /Missing: Account Number/,
  },
  {
    what: 'no header',
    make: () => `${good}\n`,
    code: 'FILE_HEADER_WRONG',
    says: /None of the first 20 rows names the columns/,
  },
  {
    what: 'two separators',
    make: () => `${HEADER.replaceAll(',', ';')}\n${good}\n`,
    code: 'FILE_DAMAGED',
    says: /Row 2 is separated by commas, the first row by semicolons/,
  },
  {
    what: 'a header with two separators',
    make: () => 'Amount,Bank Code,Account Number;Narration\n',
    code: 'FILE_HEADER_WRONG',
    says: /"Account Number;Narration"/,
  },
  { what: '100,001 rows', make: () => csvOf(100_001), code: 'FILE_TOO_MANY_ROWS', says: /more than 100,000 rows/ },
  {
    what: 'millions of empty rows',
    make: () => `${HEADER}\n${'\n'.repeat(2_000_000)}${good}\n`,
    code: 'FILE_TOO_MANY_ROWS',
    says: /more than 1,048,576 rows/,
  },
  {
    what: 'a hundred thousand columns',
    make: () => 'a,'.repeat(100_000),
    code: 'FILE_DAMAGED',
    says: /longer than 100 KB/,
  },
  {
    what: 'a row of fifty million empty cells',
    make: () => Buffer.alloc(50 * MEGABYTE, ','),
    code: 'FILE_DAMAGED',
    says: /longer than 100 KB/,
  },
  {
    what: 'cells of a thousand spaces, in every row',
    make: () => {
      const odd = `1${' '.repeat(990)}x`;
      return `${HEADER}\n${`"${odd}","${odd}","${odd}",A,b\n`.repeat(9_000)}${'x'.repeat(200_000)}`;
    },
    code: 'FILE_DAMAGED',
    says: /longer than 100 KB/,
  },
  {
    what: 'sixty columns',
    make: () => Array.from({ length: 60 }, (_, at) => `c${at}`).join(),
    code: 'FILE_TOO_MANY_COLUMNS',
    says: /Row 1 has more than 50/,
  },
  {
    what: 'a cell of 2,000 characters',
    make: () => `${HEADER}\n5,058,0123456785,Ada,${'x'.repeat(2_000)}\n`,
    code: 'FILE_CELL_REFUSED',
    says: /Cell E2 has more than 1000 characters/,
  },
  { what: 'nothing', make: () => '', code: 'FILE_EMPTY', says: /is empty/ },
  { what: 'nothing but line ends', make: () => '\n\n\n', code: 'FILE_EMPTY', says: /is empty/ },
  { what: 'a header and nothing below it', make: () => `${HEADER}\n`, code: 'FILE_EMPTY', says: /no row below/ },
  {
    what: 'a workbook without rows',
    make: () => rawWorkbook({ sheet: '' }),
    name: 'a.xlsx',
    code: 'FILE_EMPTY',
    says: /is empty/,
  },
  {
    what: '51 MB',
    make: () => Buffer.alloc(51 * MEGABYTE, 'a,b\n'),
    code: 'FILE_TOO_LARGE',
    says: /larger than 50 MB/,
  },
];

async function nothingIsKept() {
  for (const table of ['batches', 'batch_items', 'batch_uploads']) {
    const { rows } = await fixture.database.pool.query(`select count(*)::int as n from ${table}`);
    expect([table, rows[0].n]).toEqual([table, 0]);
  }
}

describe('a poisoned file', () => {
  it.each(POISONS)(
    'is refused in words, in bounded time and memory, and leaves nothing: $what',
    async ({ make, name = 'list.csv', code, says }) => {
      const content = await make();
      const before = { cpu: process.cpuUsage(), rss: process.memoryUsage.rss() };
      const reply = await upload(fixture.server, merchant.secretKey, { name, content });
      const cpu = process.cpuUsage(before.cpu);
      const took = { ms: (cpu.user + cpu.system) / 1_000, bytes: process.memoryUsage.rss() - before.rss };
      expect([reply.status, reply.body.code]).toEqual([400, code]);
      expect(reply.body.message).toMatch(says);
      expect(took.ms).toBeLessThan(BOUND_MS);
      expect(took.bytes).toBeLessThan(BOUND_BYTES);
      await nothingIsKept();
    },
  );
});

describe('over a real connection', () => {
  it('an upload that is too large is refused, and its sender hears it', async () => {
    const address = await fixture.server.listen({ port: 0, host: '127.0.0.1' });
    const form = formOf([{ name: 'list.csv', content: Buffer.alloc(51 * MEGABYTE, 'a,b\n') }]);
    const headers = { authorization: `Bearer ${merchant.secretKey}`, ...form.headers };
    const reply = await fetch(`${address}/payout/bulk`, { method: 'POST', headers, body: form.payload });
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([400, 'FILE_TOO_LARGE']);
  });

  it('an upload whose sender goes away in the middle leaves nothing, and the service goes on', async () => {
    const { port } = fixture.server.server.address() as AddressInfo;
    const form = formOf([{ name: 'list.csv', content: csvOf(50_000) }]);
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/payout/bulk' });
    sending.on('error', () => undefined);
    sending.setHeader('authorization', `Bearer ${merchant.secretKey}`);
    sending.setHeader('content-type', form.headers['content-type']);
    sending.setHeader('content-length', form.payload.length);
    await new Promise((resolve) => sending.write(form.payload.subarray(0, MEGABYTE), resolve));
    sending.destroy();
    expect((await merchant.call('GET', '/payout/bulk')).body.data.totalRecords).toBe(0);
    await nothingIsKept();
  });
});

describe('a poisoned form', () => {
  const file = { name: 'list.csv', content: csvOf(2) };

  it('of two files, of none, or that is no form is refused', async () => {
    const two = await upload(fixture.server, merchant.secretKey, [file, file]);
    expect([two.status, two.body.code]).toEqual([400, 'FILES_TOO_MANY']);
    const none = await upload(fixture.server, merchant.secretKey, []);
    expect([none.status, none.body.code]).toEqual([400, 'FILE_MISSING']);
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, 'x']));
    expect((await upload(fixture.server, merchant.secretKey, [], fields)).status).toBe(400);
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x']) {
      const answer = await fixture.server.inject({
        method: 'POST',
        url: '/payout/bulk',
        headers: { authorization: `Bearer ${merchant.secretKey}`, 'content-type': type },
        payload: 'this is no form',
      });
      expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([400, 'UPLOAD_BROKEN']);
    }
    await nothingIsKept();
  });

  it('does not get another one’s way: the next upload is taken', async () => {
    const reply = await upload(fixture.server, merchant.secretKey, file);
    expect(reply.body).toMatchObject({ status: true, data: { itemCount: 2 } });
  });
});
