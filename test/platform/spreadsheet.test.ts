import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanText } from '../../src/batches/item-text.ts';
import {
  columnName,
  columnOf,
  numberText,
  type SheetNotes,
  type SheetRow,
} from '../../src/platform/spreadsheet/cells.ts';
import { HEAD_ROWS, PIECE_ROWS } from '../../src/platform/spreadsheet/errors.ts';
import { type ChooseSheet, detectKind, readRows } from '../../src/platform/spreadsheet/read-file.ts';
import { csvHeader, csvLines } from '../../src/platform/spreadsheet/write-csv.ts';
import type { MarginRow } from '../../src/provider-settlements/margin-queries.ts';
import { marginsCsv } from '../../src/provider-settlements/margins.ts';
import { inlineRow, rawWorkbook, sheetXml, workbookOf, workbookParts, zipOf } from '../support/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'manilla-sheets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

interface Read {
  cells: string[][];
  rows: number[];
  notes: SheetNotes;
}

async function read(content: string | Buffer, name = 'list.csv', maxRows = 100_000): Promise<Read> {
  files += 1;
  const path = join(folder, `${files}`);
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  try {
    const reading = readRows(fd, await detectKind(fd, name), maxRows);
    const found: SheetRow[] = [];
    for await (const piece of reading.pieces) found.push(...piece);
    return { cells: found.map(({ cells }) => cells), rows: found.map(({ row }) => row), notes: reading.end() };
  } finally {
    closeSync(fd);
  }
}

async function readAll(content: Buffer, name: string, choose?: ChooseSheet): Promise<SheetRow[]> {
  files += 1;
  const path = join(folder, `${files}`);
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  try {
    const found: SheetRow[] = [];
    const reading = readRows(fd, await detectKind(fd, name), 100_000, choose);
    for await (const piece of reading.pieces) found.push(...piece);
    return found;
  } finally {
    closeSync(fd);
  }
}

const cellsOf = async (content: string | Buffer, name?: string) => (await read(content, name)).cells;
const refusal = (content: string | Buffer, name?: string, maxRows?: number) =>
  read(content, name, maxRows).then(
    () => 'read',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe('a CSV file', () => {
  it.each([',', ';', '\t', '|'])('is read with the separator that its header has: %j', async (separator) => {
    const text = [
      ['Amount', 'Name'],
      ['1', `"a${separator}b"`],
    ]
      .map((row) => row.join(separator))
      .join('\n');
    expect(await cellsOf(text)).toEqual([
      ['Amount', 'Name'],
      ['1', `a${separator}b`],
    ]);
  });

  it.each([',', ';', '\t'])(
    'is read with the separator that its lines agree on, below titles: %j',
    async (separator) => {
      const rows = [
        ['Acme Ltd, Lagos; payroll, November'],
        ['Amount', 'Bank', 'Name'],
        ['1', 'GTB', 'Ada'],
        ['2', 'UBA', 'Bo'],
      ];
      rows.push(['3', 'FCMB', 'Chi']);
      const text = rows.map((row) => row.join(separator)).join('\n');
      expect((await cellsOf(text)).slice(1)).toEqual(rows.slice(1));
    },
  );

  it('takes the separator that its first line names', async () => {
    for (const end of ['\r\n', '\n', '\r'])
      expect(await cellsOf(['sep=;', 'a,x;b', '1;2', ''].join(end))).toEqual([
        ['a,x', 'b'],
        ['1', '2'],
      ]);
  });

  it('ends its rows with any line end, and counts them as a spreadsheet does', async () => {
    const { cells, rows, notes } = await read('a,b\r\n1,"two\nlines"\n\n , \r3,4\r\n\r\n');
    expect(cells).toEqual([
      ['a', 'b'],
      ['1', 'two\nlines'],
      ['3', '4'],
    ]);
    expect(rows).toEqual([1, 2, 5]);
    expect(notes.emptyRows).toBe(2);
  });

  it('is the same in every encoding that spreadsheets write', async () => {
    const text = 'Name,Amount\nÀdùké,1\n';
    const utf16be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    const expected = [
      ['Name', 'Amount'],
      ['Àdùké', '1'],
    ];
    expect(await cellsOf(text)).toEqual(expected);
    expect(await cellsOf(`\ufeff${text}`)).toEqual(expected);
    expect(await cellsOf(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(expected);
    expect(await cellsOf(utf16be)).toEqual(expected);
    const old = await read(Buffer.from(text, 'latin1'));
    expect(old.cells).toEqual(expected);
    expect(old.notes.notes).toEqual([{ kind: 'NOT_UTF8' }]);
  });

  it('has a cell that is the error of a spreadsheet as a fault, and a text that only begins so as it stands', async () => {
    const [row] = await readAll(Buffer.from('#N/A,# 5,#REF!, #div/0! ,######,#,N/A\n'), 'list.csv');
    expect(row?.cells).toEqual(['', '# 5', '', '', '', '#', 'N/A']);
    expect(row?.faults?.map(({ column, kind, text }) => [column, kind, text])).toEqual([
      [0, 'ERROR', '#N/A'],
      [2, 'ERROR', '#REF!'],
      [3, 'ERROR', '#div/0!'],
      [4, 'ERROR', '######'],
    ]);
  });

  it('keeps quotation marks that stand inside of a text, and text markers as they are', async () => {
    const rows = await cellsOf('a,b,c\n="0123",5" pipe,"=""0044"""\n');
    expect(rows[1]).toEqual(['="0123"', '5" pipe', '="0044"']);
  });

  it.each([
    ['"Nov salary\nMusa,UBA,0123456786,600,"Nov, salary"\n', 3],
    ['"Nov salary\nMusa,UBA,0123456786,600,"Nov"\n', 3],
    // As above, of the row above.
    ['"\nMusa,UBA,0123456786,600,"\n', 3],
    ['12"\r\nMusa,UBA,0123456786,"1,600,x\r\nObi,UBA,0123456787,700,12"\r\n', 4],
  ])('is refused where a mark that is not closed makes rows a text: %j', async (text, row) => {
    const rows = 'Name,Bank,NUBAN,Amount,Being\n"Ada, B",GTB,0123456785,400,"two\nlines, ""here"""\n';
    expect(await cellsOf(rows)).toHaveLength(2);
    const refused = await refusal(`${rows}Eze,GTB,0123456784,500,${text}`, 'list.csv');
    expect(refused).toMatch(`FILE_DAMAGED: A quotation mark in row ${row} may not be closed`);
  });

  it('gives back every table that was written as CSV', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '7', 'é', '₦', '='), maxLength: 8 });
    const table = fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell, cell), { minLength: 1, maxLength: 75 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const all = [['one', 'two', 'three'], ...rows];
        const found = await cellsOf(stringify(all, { quoted: true }));
        const cut = (row: string[]) => row.slice(0, row.findLastIndex((one) => one.trim() !== '') + 1);
        expect(found).toEqual(all.map(cut));
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ['one quoted word a line', '"a"\n', /^FILE_TOO_MANY_ROWS/],
    ['quotation marks around line ends', '"\n"', /^FILE_DAMAGED: Row 1 is longer than 100 KB/],
    ['words in quotation marks that never end', '"a\n"', /^FILE_DAMAGED: Row 1 is longer than 100 KB/],
  ])('of nothing but %s is not looked through again and again for its separator', async (_, unit, says) => {
    // Much more than could be looked through with each piece of it within the time of a test.
    const content = Buffer.alloc(40 * 1024 * 1024, unit);
    expect(await refusal(content, 'list.csv', 1_000)).toMatch(says);
  });

  it('of blank lines and a table far below them is read, and one of blank lines alone is empty', async () => {
    const blank = '\n'.repeat(50_000);
    expect(await cellsOf(`${blank}a;b\n1;2\n`)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    const blanks = blank.repeat(20);
    expect(await refusal(blanks)).toBe('FILE_EMPTY: The file is empty.');
    expect(await cellsOf(`${blanks}a,b\n1,2\n`)).toHaveLength(2);
  });

  it('is read in pieces, and no further once the reader of them stops', async () => {
    const path = join(folder, 'long.csv');
    writeFileSync(path, `a,b\n${'1,2\n'.repeat(50_000)}`);
    const fd = openSync(path, 'r');
    const reading = readRows(fd, 'CSV', 100_000);
    const sizes: number[] = [];
    for await (const piece of reading.pieces) {
      sizes.push(piece.length);
      if (sizes.length === 5) break;
    }
    expect(sizes).toEqual(new Array(5).fill(PIECE_ROWS));
    // Ended with the loop: the file may be closed and the place is free for the next one.
    closeSync(fd);
    expect((await read('a\n1\n')).cells).toHaveLength(2);
  });
});

describe('a workbook', () => {
  it('of a real program is read with its numbers as a person sees them', async () => {
    const file = await workbookOf([
      ['Amount', 'Account Number', 'Narration'],
      [1500, '0123456785', 'Rent'],
      [15e3, 123456785, null],
      [0.1 + 0.2, 2348012345678, true],
    ]);
    expect(await cellsOf(file, 'list.xlsx')).toEqual([
      ['Amount', 'Account Number', 'Narration'],
      ['1500', '0123456785', 'Rent'],
      ['15000', '123456785'],
      ['0.3', '2348012345678', 'TRUE'],
    ]);
  });

  it('has its texts shared, rich or in the cell, and its rows where they say they are', async () => {
    const file = rawWorkbook({
      texts: '<si><t>Amount</t></si><si><r><t>Account </t></r><r><t>No</t></r><rPh><t>aid</t></rPh></si>',
      sheet:
        '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c></row>' +
        '<row r="5"><c r="A5"><v>1.5E4</v></c><c t="inlineStr"><is><t>0123</t></is></c></row>',
    });
    const { cells, rows, notes } = await read(file, 'list.xlsx');
    expect(cells).toEqual([
      ['Amount', 'Account No'],
      ['15000', '0123'],
    ]);
    expect(rows).toEqual([2, 5]);
    expect(notes.emptyRows).toBe(3);
  });

  it('is read from its first sheet that can be seen and has rows; what is left out is said', async () => {
    const file = zipOf([
      ...workbookParts(
        '<sheet name="Secret" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Empty" sheetId="2" r:id="rId2"/>' +
          '<sheet name="Pay" sheetId="3" r:id="rId3"/>',
      ),
      { name: 'xl/worksheets/sheet1.xml', content: sheetXml(inlineRow(1, ['secret'])) },
      { name: 'xl/worksheets/sheet2.xml', content: sheetXml('') },
      {
        name: 'xl/worksheets/sheet3.xml',
        content: sheetXml(inlineRow(1, ['pay']).replace('<row ', '<row hidden="1" ')),
      },
    ]);
    const { cells, notes } = await read(file, 'list.xlsx');
    expect(cells).toEqual([['pay']]);
    expect(notes.notes).toEqual([
      { kind: 'HIDDEN_ROWS', rows: 1 },
      { kind: 'OTHER_SHEETS', sheet: 'Pay' },
    ]);
  });

  it('has the stored results of its formulas; an error, or a result that is not stored, is a fault of its cell', async () => {
    const cells = [
      '<c r="A1"><f>B1*2</f><v>4.5</v></c><c r="B1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>',
      '<c r="C1" t="str"><f>IF(1,"","")</f><v></v></c><c r="D1"><f>A1+1</f></c><c r="E1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c r="F1" t="e"><v>#N/A</v></c><c r="G1"><f>B9</f><v/></c><c r="H1"><v>7</v></c>',
    ];
    const reading = await readAll(rawWorkbook({ sheet: `<row r="1">${cells.join('')}</row>` }), 'list.xlsx');
    expect(reading).toEqual([
      {
        row: 1,
        cells: ['4.5', 'ab', '', '', '', '', '', '7'],
        formulas: [0, 1, 3, 4, 6],
        faults: [
          { column: 3, kind: 'NOT_CALCULATED', text: '' },
          { column: 4, kind: 'ERROR', text: '#DIV/0!' },
          { column: 5, kind: 'ERROR', text: '#N/A' },
          { column: 6, kind: 'NOT_CALCULATED', text: '' },
        ],
      },
    ]);
  });

  it('is read from the sheet and behind the row that are chosen among the beginnings of all that can be seen', async () => {
    const rows = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => inlineRow(at + 1, [name, `${at + 1}`])).join('');
    const file = zipOf([
      ...workbookParts(
        '<sheet name="One" sheetId="1" r:id="rId1"/><sheet name="Two" sheetId="2" r:id="rId2"/>' +
          '<sheet name="Broken" sheetId="3" r:id="rId3"/>',
      ),
      { name: 'xl/worksheets/sheet1.xml', content: sheetXml(rows('one', 3)) },
      { name: 'xl/worksheets/sheet2.xml', content: sheetXml(rows('two', 200)) },
      { name: 'xl/worksheets/sheet3.xml', content: sheetXml('<row r="5"/><row r="1"/>') },
    ]);
    const seen: [string, number][] = [];
    const found = await readAll(file, 'list.xlsx', (heads) => {
      for (const { name, rows: head } of heads) seen.push([name, head.length]);
      return { sheet: 1, after: 198 };
    });
    expect(seen).toEqual([
      ['One', 3],
      ['Two', HEAD_ROWS],
      ['Broken', 0],
    ]);
    expect(found.map(({ cells }) => cells)).toEqual([
      ['two', '199'],
      ['two', '200'],
    ]);
  });

  it('has dates, and digits in a format of zeros, as a person sees them, and what shows as ##### is a fault', async () => {
    const formats = [
      '<numFmt numFmtId="164" formatCode="[$-409]d\\-mmm\\-yyyy;@"/><numFmt numFmtId="165" formatCode="0000000000"/>',
      '<numFmt numFmtId="166" formatCode="_-[$₦-46A]* #,##0.00_-;[Red]\\-#,##0.00"/>',
      '<numFmt numFmtId="167" formatCode="&quot;paid day&quot; 0"/><numFmt numFmtId="168" formatCode="h:mm"/>',
    ];
    const used = [0, 17, 164, 165, 166, 167, 168, 14].map((id) => `<xf numFmtId="${id}"/>`).join('');
    const styles = `<?xml version="1.0"?><styleSheet><numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${used}</cellXfs><dxfs><xf numFmtId="14"/></dxfs></styleSheet>`;
    const shown = async (cells: [style: number, value: string][]) => {
      const inner = cells.map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`).join('');
      const more = [{ name: 'xl/styles.xml', content: styles }];
      return (await readAll(rawWorkbook({ sheet: `<row r="1">${inner}</row>`, more }), 'list.xlsx'))[0];
    };
    const values = ['46327', '46327', '46353.5', '12345678', '46327.5', '7', '0.5'];
    expect((await shown(values.map((value, style) => [style, value])))?.cells).toEqual([
      '46327',
      'November 2026',
      '27 November 2026',
      '0012345678',
      '46327.5',
      '7',
      '0.5',
    ]);
    expect(
      await shown([
        [7, '5000000'],
        [7, '46327'],
      ]),
    ).toMatchObject({
      cells: ['', '1 November 2026'],
      faults: [{ column: 0, kind: 'ERROR', text: '#####' }],
    });
  });

  it.each([
    // What programs in other languages call General has letters of dates in it.
    ['Standard', '46327.5'],
    ['Est&#225;ndar', '46327.5'],
    ['Standardowy', '46327.5'],
    ['General;-General', '46327.5'],
    ['[$NGN] #,##0.00', '46327.5'],
    ['&quot;₦&quot;#,##0.00_);[Red]\\(&quot;Dr &quot;#,##0.00\\)', '46327.5'],
    // What is shown is a hundred times as much, and no amount.
    ['0.00%', '4632750%'],
    ['#,##0.00;[Red]-#,##0.00;', '46327.5'],
    ['[&gt;100]0;;', '46327.5'],
    ['[h]:mm:ss', '46327.5'],
    ['yyyy-mm-dd hh:mm:ss.000', '1 November 2026'],
    ['yyyy\\-mm\\-dd\\Thh:mm:ss.0', '1 November 2026'],
    ['yyyy-mm-dd hh:mm:ss UTC', '1 November 2026'],
    ['yyyymmdd', '1 November 2026'],
    ['[$-411]yyyy年m月d日', '1 November 2026'],
    ['NNNNMMMM DD, YYYY', '1 November 2026'],
  ])('has a number in the format %s as %s', async (code, shown) => {
    const content = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;
    const file = rawWorkbook({
      sheet: '<row r="1"><c><v>46327.5</v></c></row>',
      more: [{ name: 'xl/styles.xml', content }],
    });
    expect(await cellsOf(file, 'list.xlsx')).toEqual([[shown]]);
  });

  it('has an amount that is shown in another currency, or with digits of its format, with these, so that it is none of naira', async () => {
    const shown = Object.entries({
      '[$$-409]#,##0.00': '$ 1500',
      '#,##0.00\\ [$€-407];[Red]\\-#,##0.00\\ [$€-407]': '€ 1500',
      '[$USD] #,##0.00': 'USD 1500',
      '_(&quot;$&quot;* #,##0.00_)': '$ 1500',
      '[>=1000][$US$-409]#,##0': 'US$ 1500',
      '\\£#,##0.00': '£ 1500',
      '&quot;GHS &quot;#,##0.00': 'GHS 1500',
      '[$₦-470]#,##0.00;[Red]-[$₦-470]#,##0.00': '1500',
      '[$-409]#,##0.00&quot; NGN&quot;': '1500',
      '#,##0&quot; DAYS PAID&quot;': '1500',
      // 1500 stands for a thousand times as much.
      '#,##0&quot;,000&quot;': '1500 ,000',
    });
    const formats = shown.map(([code], at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`);
    const xfs = shown.map((_, at) => `<xf numFmtId="${164 + at}"/>`);
    const content = `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`;
    const cells = shown.map((_, at) => `<c s="${at}"><v>1500</v></c>`);
    const more = [{ name: 'xl/styles.xml', content }];
    const file = rawWorkbook({ sheet: `<row r="1">${cells.join('')}</row>`, more });
    expect(await cellsOf(file, 'list.xlsx')).toEqual([shown.map(([, text]) => text)]);
  });

  it('has nothing of a number that its cell hides, so that nobody pays what nobody sees', async () => {
    const codes = [';;;', '0;;', '0;-0;', ';-0'].map(
      (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`,
    );
    const xfs = [164, 165, 166, 167, 9].map((id) => `<xf numFmtId="${id}"/>`);
    const content = `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`;
    const row = (value: string) => [0, 1, 2, 3, 4].map((at) => `<c s="${at}"><v>${value}</v></c>`).join('');
    const sheet = ['1500', '0', '-1'].map((value, at) => `<row r="${at + 1}">${row(value)}</row>`).join('');
    expect(await cellsOf(rawWorkbook({ sheet, more: [{ name: 'xl/styles.xml', content }] }), 'list.xlsx')).toEqual([
      ['', '1500', '1500', '', '150000%'],
      ['', '', '', '', '0%'],
      ['', '', '-1', '-1', '-100%'],
    ]);
  });

  it('has a date that is written as one as a person sees it, as its cell shows dates', async () => {
    const content = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="17"/></cellXfs></styleSheet>';
    const dates = ['2026-11-27T00:00:00', '2026-11-27', '2026-11-27T09:30:00.000Z', '2026-02-30', 'T09:30:00'];
    const cells = dates.map((date) => `<c t="d"><v>${date}</v></c>`).join('');
    const sheet = `<row r="1">${cells}<c t="d" s="1"><v>2026-11-27</v></c></row>`;
    const file = rawWorkbook({ sheet, more: [{ name: 'xl/styles.xml', content }] });
    const day = '27 November 2026';
    expect(await cellsOf(file, 'list.xlsx')).toEqual([[day, day, day, '2026-02-30', 'T09:30:00', 'November 2026']]);
  });

  it('has digits that are raised or struck out apart from those beside them, so that no other number is read', async () => {
    const runs = (...parts: [look: string, text: string][]) =>
      parts.map(([look, text]) => `<r>${look === '' ? '' : `<rPr>${look}</rPr>`}<t>${text}</t></r>`).join('');
    const raised = '<vertAlign val="superscript"/>';
    const texts = [
      runs(['', '50000'], [raised, '1']),
      runs(['<strike/>', '50'], ['', '45000']),
      runs(['', '1'], [raised, 'st'], ['', ' quarter']),
      runs(['<strike val="0"/><vertAlign val="baseline"/>', '150'], ['', '000']),
      '<t>7</t>',
    ];
    const shown = ['50000^1', '~50~45000', '1st quarter', '150000', '7'];
    const shared = shown.map((_, at) => `<c t="s"><v>${at}</v></c>`).join('');
    const inline = texts.map((text) => `<c t="inlineStr"><is>${text}</is></c>`).join('');
    const file = rawWorkbook({
      sheet: `<row r="1">${shared}</row><row r="2">${inline}</row>`,
      texts: texts.map((text) => `<si>${text}</si>`).join(''),
    });
    expect(await cellsOf(file, 'list.xlsx')).toEqual([shown, shown]);
  });

  it('has a cell that is struck out as a fault, and no result of a formula that is to be calculated when it is opened', async () => {
    const fonts = '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts>';
    const xfs =
      '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs>';
    const more = [{ name: 'xl/styles.xml', content: `<styleSheet>${fonts}${xfs}</styleSheet>` }];
    const struck = '<row r="1"><c s="1"><v>1500</v></c><c s="1"/><c s="2"><v>7</v></c></row>';
    expect(await readAll(rawWorkbook({ sheet: struck, more }), 'list.xlsx')).toEqual([
      { row: 1, cells: ['', '', '7'], faults: [{ column: 0, kind: 'STRUCK_OUT', text: '' }] },
    ]);
    const formula = '<row r="1"><c><f>2*75</f><v>1500</v></c><c t="str"><f>"a"</f><v>0</v></c><c><v>7</v></c></row>';
    const calculated = (attributes: string) =>
      readAll(
        rawWorkbook({
          sheet: formula,
          sheets: `<sheet name="One" sheetId="1" r:id="rId1"/></sheets><calcPr ${attributes}/><sheets>`,
        }),
        'list.xlsx',
      );
    expect((await calculated('fullCalcOnLoad="0"'))[0]).toMatchObject({ cells: ['1500', '0', '7'] });
    const kind = 'NOT_CALCULATED';
    expect((await calculated('fullCalcOnLoad="1"'))[0]).toMatchObject({
      cells: ['', '', '7'],
      faults: [
        { column: 0, kind },
        { column: 1, kind },
      ],
    });
  });

  it('has its line ends where its XML had to write them as _x000D_, and no other character for that', async () => {
    const texts = '<si><t>Ada_x000D_\nObi _x005F_x000D_ _x0000_ _xD83D_</t></si>';
    const sheet = '<row r="1"><c t="s"><v>0</v></c><c t="inlineStr"><is><t>A_x000d_</t></is></c></row>';
    expect(await cellsOf(rawWorkbook({ texts, sheet }), 'list.xlsx')).toEqual([
      ['Ada\r\nObi _x000D_ _x0000_ _xD83D_', 'A\r'],
    ]);
  });

  it('has hidden rows counted where something stands in them', async () => {
    const filled = inlineRow(1, ['a']).replace('<row ', '<row hidden="1" ');
    const sheet = `${filled}<row r="2" hidden="1"/><row r="3" hidden="true"><c r="A3" s="1"/></row>`;
    const { notes } = await read(rawWorkbook({ sheet }), 'list.xlsx');
    expect(notes.notes).toEqual([{ kind: 'HIDDEN_ROWS', rows: 1 }]);
  });

  it('may name its elements with a prefix', async () => {
    const sheet =
      '<?xml version="1.0"?><x:worksheet xmlns:x="u"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    expect(await cellsOf(rawWorkbook({ sheet }), 'list.xlsx')).toEqual([['7']]);
  });

  it.each([
    ['<row r="1"><c r="A1" t="s"><v>3</v></c></row>', /Cell A1 refers to a text/],
    ['<row r="2"/><row r="1"><c r="A1"><v>1</v></c></row>', /not in order/],
    ['<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>', /not in order/],
    ['<row r="1"><c r="A1"><v>12x</v></c></row>', /number that cannot be read/],
    ['<row r="1"><c r="A1"><v>1</c></row>', /XML is broken/],
    ['<row r="1"><c r="A1" t="inlineStr"><is><t>&nope;</t></is></c></row>', /XML is broken/],
  ])('is refused where a cell or its XML is not to be trusted: %s', async (sheet, message) => {
    expect(await refusal(rawWorkbook({ sheet }), 'list.xlsx')).toMatch(message);
  });
});

describe('a number in a cell', () => {
  it.each([
    ['123456785', '123456785'],
    ['1500', '1500'],
    ['1.5E4', '15000'],
    ['1.234567850E9', '1234567850'],
    ['1500.0000000000002', '1500'],
    ['1500.0000001', '1500'],
    ['1499.9999999999998', '1500'],
    ['0.30000000000000004', '0.3'],
    ['1500.5', '1500.5'],
    ['-5', '-5'],
    ['-0.0000001', '0'],
    ['1e21', '1000000000000000000000'],
    ['.5', '0.5'],
  ])('%s is seen as %s', (stored, seen) => expect(numberText(stored)).toBe(seen));

  it.each(['', 'NaN', 'Infinity', '1e999', '0x10', '1_000', '1,000'])('is none: %j', (text) => {
    expect(numberText(text)).toBeUndefined();
  });

  it('of whole naira up to fifteen digits is seen as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (value) => {
        expect(numberText(String(value))).toBe(String(value));
        expect(numberText(value.toExponential())).toBe(String(value === 0 ? 0 : value));
      }),
    );
  });
});

describe('a file that we write', () => {
  it('has a row of its own for each record, whatever line ends are in its texts', async () => {
    const texts = ['a\nb', 'c\rd', 'e\r\nf', '"g"\n'];
    const { cells } = await read(csvLines<string>([['A', (text) => text]], texts));
    expect(cells).toEqual(texts.map((text) => [text]));
  });

  it('has amounts below zero as numbers, which a sheet adds up, and what may be a formula as text', async () => {
    const cells = ['-1234.50', '-5', '-1+1', '-5.', '--5', '=1', '+1', '@A1'];
    const written = csvLines([['Cell', (cell: string) => cell]], cells);
    expect(written.trimEnd().split('\r\n')).toEqual(['-1234.50', '-5', "'-1+1", "'-5.", "'--5", "'=1", "'+1", "'@A1"]);
    // A sheet of a country that separates by semicolons begins a cell behind each, whatever the file says.
    const split = csvLines(
      [['Cell', (cell: string) => cell]],
      ['x;=1+1', 'a;b; ;@A1;-5', '5;6 - 7', 'x;"=1', 'a\n=1;'],
    );
    expect(split.trimEnd().split('\r\n')).toEqual(["x;'=1+1", "a;b; ;'@A1;'-5", '5;6 - 7', `"x;'""=1"`, `"a\n'=1;"`]);
    // Where people type wide signs, these begin a formula as well.
    const wide = csvLines([['Cell', (cell: string) => cell]], ['＝1', 'x;＝1', 'x;＋1;－1', 'x; ＠A1', '5；6＝11']);
    expect(wide.trimEnd().split('\r\n')).toEqual(["'＝1", "x;'＝1", "x;'＋1;'－1", "x; '＠A1", '5；6＝11']);
    const within = csvLines([['Cell', (cell: string) => cell]], ['a; =1', 'a\n =1']);
    expect(within.trimEnd().split('\r\n')).toEqual(["a; '=1", `"a\n '=1"`]);
    // Nor do spaces before it make it a text everywhere; and the name of a column may be a merchant's.
    const spaced = csvLines([['Cell', (cell: string) => cell]], [' =1+1', '  a=1', ' "=1']);
    expect(spaced.trimEnd().split('\r\n')).toEqual([" '=1+1", '  a=1', `" '""=1"`]);
    expect(csvHeader([['Pay;=1+1', () => '']])).toBe("\ufeffPay;'=1+1\r\n");
    // In a column of digits nothing but digits is in a formula, and that says no more than that they are text.
    const digits = csvLines(
      [['A', (text: string) => text, 'DIGITS']],
      ['0012', '12-A', '', '"&A1&"', '=1', '1\n2', '-5'],
    );
    expect(digits.slice(0, -2).split('\r\n')).toEqual(['"=""0012"""', '12-A', '', '"""&A1&"""', "'=1", '"1\n2"', '-5']);
    // What a person corrects in a list of ours, and uploads again, is the same text.
    const texts = ['x;=1+1', 'a;b;@A1;-5', 'x;"=1', '=2;+3', 'a; =1', 'x;＝1; ＋2'];
    const columns = [
      ['A', (text: string) => text],
      ['B', () => 'b'],
    ] as const;
    const [, ...again] = await cellsOf(csvHeader(columns) + csvLines(columns, texts));
    expect(again.map(([cell = '']) => cleanText(cell, 'narration', []))).toEqual(texts);
    const amounts = { gross_minor: 0n, quoted_minor: 0n, kept_of_quoted_minor: 0n, kept_minor: 1_250n, fee_minor: 0n };
    const margin: MarginRow = {
      day: '2026-11-20',
      rail: 'a',
      channel: 'CARD',
      payments: 1,
      differing: 0,
      ...amounts,
    };
    expect(marginsCsv([margin])).toMatch(/,-12\.50\n$/);
  });
});

describe('a column', () => {
  it('has the name that a spreadsheet gives it', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
    for (let column = 0; column < 2_000; column += 1) expect(columnOf(`${columnName(column)}7`)).toBe(column);
    expect(columnOf('7A')).toBeUndefined();
  });
});

describe('the thread that reads a file', () => {
  it('loads what its kind of file needs once it knows which one it is: starting it costs more than reading most lists', () => {
    const thread = new URL('../../src/platform/spreadsheet/reader-thread.ts', import.meta.url);
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
      await import('${thread.href}');`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    expect(loaded).toContain('/spreadsheet/reader-thread.ts');
    expect(loaded).not.toMatch(/node_modules|read-(csv|list|xlsx)/);
  });
});
