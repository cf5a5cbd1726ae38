import { sheetXml, workbookParts, zipOf } from './files.ts';

/** A cell of a workbook: text or number as it is, a formula with or without its stored result, an error, or with another look. */
export type WorkbookCell =
  | string
  | number
  | null
  | { formula: string; result?: string | number }
  | { error: string }
  | { struck: string | number }
  | { text: string; raised: string };

export interface WorkbookSheet {
  name: string;
  /** An empty list is an empty row; `null` is none at all. */
  rows: readonly (readonly WorkbookCell[])[];
  merged?: readonly string[];
  hidden?: boolean;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function cellXml(cell: WorkbookCell, reference: string): string {
  if (cell === null) return `<c r="${reference}" s="1"/>`;
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  if ('struck' in cell) return cellXml(cell.struck, reference).replace('<c ', '<c s="2" ');
  if ('raised' in cell) {
    const raised = `<r><rPr><vertAlign val="superscript"/></rPr><t>${cell.raised}</t></r>`;
    return `<c r="${reference}" t="inlineStr"><is><r><t>${cell.text}</t></r>${raised}</is></c>`;
  }
  if ('error' in cell) return `<c r="${reference}" t="e"><v>${cell.error}</v></c>`;
  const { formula, result } = cell;
  if (result === undefined) return `<c r="${reference}"><f>${escaped(formula)}</f></c>`;
  const type = typeof result === 'string' ? ' t="str"' : '';
  return `<c r="${reference}"${type}><f>${escaped(formula)}</f><v>${escaped(String(result))}</v></c>`;
}

function rowsXml(rows: WorkbookSheet['rows']): string {
  return rows
    .map((cells, at) => {
      const inner = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${at + 1}`));
      return `<row r="${at + 1}" spans="1:9">${inner.join('')}</row>`;
    })
    .join('');
}

/** A workbook as an accountant leaves it: merged titles, formulas, hidden sheets. */
export function workbookWith(sheets: readonly WorkbookSheet[]): Buffer {
  const named = sheets.map(
    ({ name, hidden }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden === true ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
  );
  const parts = sheets.map(({ rows, merged = [] }, at) => {
    const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    const tail = merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${merges}</mergeCells>`;
    return {
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: sheetXml(rowsXml(rows)).replace('</sheetData>', `</sheetData>${tail}`),
    };
  });
  const fonts = '<fonts><font/><font><strike/></font></fonts>';
  const content = `<styleSheet>${fonts}<cellXfs><xf/><xf/><xf fontId="1"/></cellXfs></styleSheet>`;
  return zipOf([...workbookParts(named.join(''), sheets.length), ...parts, { name: 'xl/styles.xml', content }]);
}

/** What an item has to be: its row, amount, bank, account, and whether it can be paid. */
export type ExpectedItem = [row: number, amount: number, bankCode: string, accountNumber: string, isValid: boolean];

export interface PayrollFile {
  what: string;
  name: string;
  content: string | Buffer;
  /** What the preview asks to be settled, by code; nothing where the file is understood at once. */
  asks: readonly string[];
  /** How that is settled, as fields of the form. */
  settled?: Record<string, string>;
  items: readonly ExpectedItem[];
  /** What is said of rows that cannot be paid, by code and row. */
  wrong?: Readonly<Record<string, readonly number[]>>;
  /** Rows that are left out, by row, and why. */
  leftOut?: Readonly<Record<number, string>>;
  formulas?: number;
}

const NARRATION = { defaults: JSON.stringify({ narration: 'November salary' }) };
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

/** Payrolls as people have them, made by hand to be nasty. */
export const PAYROLL_FILES: readonly PayrollFile[] = [
  {
    what: 'titles over the header, merged cells, a total by formula and signatures under the table',
    name: 'ACME NOV PAYROLL.xlsx',
    content: workbookWith([
      {
        name: 'Sheet1',
        merged: ['A1:E1', 'A2:E2'],
        rows: [
          ['ACME FOODS NIGERIA LIMITED'],
          ['STAFF SALARY SCHEDULE FOR THE MONTH OF NOVEMBER, 2026'],
          [],
          ['S/N', 'Staff Name', 'Bank', 'A/C No', 'Net Pay (₦)'],
          [1, 'Ada Obi', 'GTBank', '0123456785', 150_000],
          [2, 'Musa Bello', 'UBA', '0123456786', 62_500.5],
          [3, 'Ngozi Udoh', 'Zenith Bank Plc', 123_456_787, 40_000],
          [null, 'TOTAL', null, null, { formula: 'SUM(E5:E7)', result: 252_500.5 }],
          [],
          ['Prepared by: Chidi Okafor (Accountant)', null, null, 'Sign: ____________'],
          ['Approved by: Mrs. F. Balogun (MD)', null, null, 'Date: 27/11/2026'],
        ],
      },
    ]),
    asks: ['COLUMN_MISSING'],
    settled: NARRATION,
    items: [
      [5, 150_000, '058', '0123456785', true],
      [6, 62_500.5, '033', '0123456786', true],
      [7, 40_000, '057', '0123456787', true],
    ],
    leftOut: { 1: 'TITLE', 2: 'TITLE', 8: 'TOTAL', 9: 'EMPTY', 10: 'SIGNATURE', 11: 'SIGNATURE' },
    formulas: 0,
  },
  {
    what: 'gross beside net pay, both by formula',
    name: 'payroll register.xlsx',
    content: workbookWith([
      {
        name: 'Register',
        rows: [
          ['Employee Name', 'Bank Name', 'NUBAN', 'Basic', 'Gross Pay', 'PAYE', 'Net Pay', 'Remarks'],
          ...[1, 2].map((at) => [
            at === 1 ? 'Ada Obi' : 'Emeka Eze',
            'Access Bank',
            `012345678${4 + at}`,
            100_000 * at,
            { formula: `D${at + 1}*1.5`, result: 150_000 * at },
            { formula: `E${at + 1}*0.07`, result: 10_500.000000000002 * at },
            { formula: `ROUND(E${at + 1}-F${at + 1},2)`, result: 139_500.25 * at },
            'Nov salary',
          ]),
          ['Grand Total', null, null, 300_000, 450_000, 31_500, { formula: 'SUM(G2:G3)', result: 418_500.75 }],
        ],
      },
    ]),
    asks: ['COLUMN_TWICE'],
    settled: { mapping: JSON.stringify({ 'Net Pay': 'amount' }) },
    items: [
      [2, 139_500.25, '044', '0123456785', true],
      [3, 279_000.5, '044', '0123456786', true],
    ],
    leftOut: { 4: 'TOTAL' },
    formulas: 2,
  },
  {
    what: 'two months in two sheets, and an old one hidden',
    name: 'salaries 2026.xlsx',
    content: workbookWith(
      ['October', 'November', 'Sept'].map((name, at) => ({
        name,
        hidden: name === 'Sept',
        rows: [
          [name.toUpperCase()],
          ['Name', 'Bank', 'Account Number', 'Amount', 'Narration'],
          ['Ada Obi', 'FCMB', '0123456785', 1_000 * (at + 1), `${name} salary`],
        ],
      })),
    ),
    asks: ['SHEET_UNCLEAR'],
    settled: { sheet: 'november' },
    items: [[3, 2_000, '214', '0123456785', true]],
    leftOut: { 1: 'TITLE' },
  },
  {
    what: 'semicolons behind a byte order mark, and amounts as people write them',
    name: 'wages.csv',
    content:
      '\ufeffBeneficiary;Bank;Account Number;Take Home;Narration\r\n' +
      'Ada Obi;GTB;0123456785;₦12,500.50;Wages\r\n' +
      'Musa Bello;Wema;0123456786;12500/=;Wages\r\n' +
      'Emeka Eze;Fidelity;0123456787;N15,000.00;Wages\r\n' +
      'Tunde Sani;UBA;0123456788;NGN 9 750;Wages\r\n' +
      'Bola Ade;UBA;0123456789;1.500,00;Wages\r\n',
    asks: [],
    items: [
      [2, 12_500.5, '058', '0123456785', true],
      [3, 12_500, '035', '0123456786', true],
      [4, 15_000, '070', '0123456787', true],
      [5, 9_750, '033', '0123456788', true],
      [6, 0, '033', '0123456789', false],
    ],
    wrong: { AMOUNT_UNREADABLE: [6] },
  },
  {
    what: 'UTF-16 with tabs, as an old Excel saves "Unicode text", with titles',
    name: 'unicode.csv',
    content: utf16(
      'Adire & Sons\r\nPayroll\r\nStaff Name\tBank\tNUBAN\tAmount (₦)\tPayment Remark\r\n' +
        'Àdùké Òjó\tStanbic IBTC\t0123456785\t"85,000.75"\tNov\r\nṢadé Akin\tUnion Bank\t0123456786\t20000\tNov\r\n',
    ),
    asks: [],
    items: [
      [4, 85_000.75, '221', '0123456785', true],
      [5, 20_000, '032', '0123456786', true],
    ],
    leftOut: { 1: 'TITLE', 2: 'TITLE' },
  },
  {
    what: 'Windows-1252, and account numbers without their leading zeros',
    name: 'drivers.csv',
    content: Buffer.from(
      'DRIVER NAME,BANKERS,ACCOUNT NO,SALARY,PHONE NO\nJosé Àyò,GTBank,123456785,45000,8030000000\nBàyo,Access,23456786,45000,\n',
      'latin1',
    ),
    asks: ['COLUMN_MISSING'],
    settled: NARRATION,
    items: [
      [2, 45_000, '058', '0123456785', true],
      [3, 45_000, '044', '23456786', false],
    ],
    wrong: { ACCOUNT_NUMBER_NOT_TEN_DIGITS: [3] },
  },
  {
    what: 'account numbers as floats and in scientific notation, sort codes of nine digits as numbers',
    name: 'contractors.xlsx',
    content: workbookWith([
      {
        name: 'Pay',
        rows: [
          ['Contractor', 'Sort Code', 'Account Number', 'Amount', 'Being'],
          ['Ada Obi', 58_152_052, 123_456_785, 30_000, 'Invoice 7'],
          ['Musa Bello', '044150149', '123456786.0', 30_000.05, 'Invoice 8'],
          ['Emeka Eze', 57, 1.234567875e9, 30_000.1, 'Invoice 9'],
          ['Bola Ade', '058', '1.23457E+09', 10_000, 'Invoice 10'],
        ],
      },
    ]),
    asks: [],
    items: [
      [2, 30_000, '058', '0123456785', true],
      [3, 30_000.05, '044', '0123456786', true],
      [4, 30_000.1, '057', '1234567875', true],
      [5, 10_000, '058', '1.23457E+09', false],
    ],
    wrong: { ACCOUNT_NUMBER_CUT_SHORT: [5] },
  },
  {
    what: 'banks as they are spelled in a hurry',
    name: 'cleaners.csv',
    content:
      'Names,Name of Bank,Acct No,Amt,Details\n' +
      'Ada Obi,Zenit Bank,0123456785,5000,Nov\nMusa Bello,Acess Bank,0123456786,5000,Nov\n' +
      'Emeka Eze,Garanty Trust,0123456787,5000,Nov\nTunde Sani,ALAT,0123456788,5000,Nov\n' +
      'Bola Ade,Bank of Nowhere,0123456789,5000,Nov\nNgozi Udoh,G.T. Bank,0123456790,5000,Nov\n',
    asks: [],
    items: [
      [2, 5_000, '057', '0123456785', true],
      [3, 5_000, 'Acess Bank', '0123456786', false],
      [4, 5_000, 'Garanty Trust', '0123456787', false],
      [5, 5_000, 'ALAT', '0123456788', false],
      [6, 5_000, 'Bank of Nowhere', '0123456789', false],
      [7, 5_000, '058', '0123456790', true],
    ],
    wrong: { BANK_NAME_AMBIGUOUS: [3, 4, 5], BANK_NAME_NOT_FOUND: [6] },
  },
  {
    what: 'formulas that were never calculated, an error, and a third of a sum',
    name: 'commission.xlsx',
    content: workbookWith([
      {
        name: 'Commission',
        rows: [
          ['Payee', 'Bank', 'Account No', 'Amount Payable', 'Narration', 'Check'],
          ['Ada Obi', 'GTB', '0123456785', { formula: 'B9*2', result: 20_000.499999999996 }, 'Q3', { error: '#REF!' }],
          ['Musa Bello', 'GTB', '0123456786', { formula: 'B9*2' }, 'Q3'],
          ['Emeka Eze', 'GTB', { error: '#N/A' }, 15_000, 'Q3'],
          ['Tunde Sani', 'GTB', '0123456788', { formula: '100000/3', result: 33_333.333333333336 }, 'Q3'],
        ],
      },
    ]),
    asks: [],
    items: [
      [2, 20_000.5, '058', '0123456785', true],
      [3, 0, '058', '0123456786', false],
      [4, 15_000, '058', '', false],
      [5, 0, '058', '0123456788', false],
    ],
    wrong: { CELL_NOT_CALCULATED: [3], CELL_SHOWS_ERROR: [4], AMOUNT_TOO_PRECISE: [5] },
    formulas: 2,
  },
  {
    what: 'somebody struck out, a sum struck out with the next one beside it, and the mark of a footnote behind a sum',
    name: 'corrected by hand.xlsx',
    content: workbookWith([
      {
        name: 'Pay',
        rows: [
          ['Payee', 'Bank', 'Account No', 'Amount Payable', 'Narration', 'New'],
          ['Ada Obi', 'GTB', '0123456785', 20_000, 'Q3'],
          [{ struck: 'Musa Bello' }, { struck: 'GTB' }, { struck: '0123456786' }, { struck: 20_000 }, { struck: 'Q3' }],
          ['Emeka Eze', 'GTB', '0123456787', { struck: 15_000 }, 'Q3', 12_000],
          ['Tunde Sani', 'GTB', '0123456788', { text: '50000', raised: '1' }, 'Q3'],
          ['Bola Ade', 'GTB', '0123456789', 20_000, { text: '1', raised: 'st quarter' }, { struck: 25_000 }],
        ],
      },
    ]),
    asks: [],
    items: [
      [2, 20_000, '058', '0123456785', true],
      [3, 0, '', '', false],
      [4, 0, '058', '0123456787', false],
      [5, 0, '058', '0123456788', false],
      [6, 20_000, '058', '0123456789', true],
    ],
    // The fields are groups of their own; this is the narration's.
    wrong: { CELL_STRUCK_OUT: [3], AMOUNT_UNREADABLE: [5] },
  },
  {
    what: 'departments with subtotals, the header on every page, notes, dates, empty rows and somebody without an account',
    name: 'all departments.csv',
    content: [
      'ACME,,,,,',
      '',
      'S/N,Name,Bank,Account Number,Net Salary,Date',
      ',ADMIN,,,,',
      '1,Ada Obi,GTB,0123456785,"150,000.00",30/11/2026',
      '2,Musa Bello,UBA,0123456786,"62,500.00",30/11/2026',
      ',Sub-Total,,,"212,500.00",',
      'S/N,Name,Bank,Account Number,Net Salary,Date',
      ',OPERATIONS,,,,',
      '3,Emeka Eze,GTB,,"40,000.00",30/11/2026',
      '4,Total Okoro,GTB,0123456788,"30,000.00",30/11/2026',
      ',Sub Total:,,,"70,000.00",',
      ',,,,"282,500.00",',
      ',GRAND TOTAL,,,"282,500.00",',
      '',
      '"NB: please pay before noon, thanks",,,,,',
      ',,,,,',
      'Checked by,,,Authorised Signatory,,',
      ',,,,,',
      ',,,,,',
    ].join('\r\n'),
    asks: ['COLUMN_MISSING'],
    settled: NARRATION,
    items: [
      [5, 150_000, '058', '0123456785', true],
      [6, 62_500, '033', '0123456786', true],
      [10, 40_000, '058', '', false],
      [11, 30_000, '058', '0123456788', true],
    ],
    leftOut: {
      1: 'TITLE',
      4: 'NOTE',
      7: 'TOTAL',
      8: 'HEADER_REPEATED',
      9: 'NOTE',
      12: 'TOTAL',
      13: 'SUM',
      14: 'TOTAL',
      15: 'EMPTY',
      16: 'NOTE',
      17: 'EMPTY',
      18: 'SIGNATURE',
    },
    wrong: { ACCOUNT_NUMBER_NOT_TEN_DIGITS: [10] },
  },
  {
    what: 'a header over two rows with cells merged downwards and across',
    name: 'two storeys.xlsx',
    content: workbookWith([
      {
        name: 'List',
        merged: ['A2:A3', 'B2:D2', 'E2:E3'],
        rows: [
          ['PAYMENT SCHEDULE'],
          ['Staff Name', 'Bank details', null, null, 'Remarks'],
          [null, 'Bank', 'A/C Number', 'Net Pay', null],
          ['Ada Obi', 'Kuda MFB', '0123456785', 10_000, 'Nov'],
          ['Musa Bello', 'First Bank', '0123456786', 20_000, 'Nov'],
          [null, null, null, { formula: 'SUM(D4:D5)', result: 30_000 }],
          [null, null, null, null, null],
        ],
      },
    ]),
    asks: [],
    items: [
      [4, 10_000, '50211', '0123456785', true],
      [5, 20_000, '011', '0123456786', true],
    ],
    leftOut: { 1: 'TITLE', 2: 'TITLE', 6: 'SUM' },
    formulas: 0,
  },
  {
    what: 'columns that nobody could guess, beside a summary sheet',
    name: 'from the old system.xlsx',
    content: workbookWith([
      {
        name: 'Summary',
        rows: [
          ['Department', 'Heads', 'Amount'],
          ['Ops', 2, 30_000],
        ],
      },
      {
        name: 'Export',
        rows: [
          ['EMP_REF', 'EMP_FULLNAME', 'FIN_INST', 'FIN_ACCT', 'PMT_VAL'],
          ['E-001', 'Ada Obi', '058', '0123456785', 10_000.01],
          ['E-002', 'Musa Bello', '044', '0123456786', 19_999.99],
        ],
      },
    ]),
    asks: ['HEADER_NOT_FOUND'],
    settled: {
      sheet: '2',
      mapping: JSON.stringify({ EMP_FULLNAME: 'accountName', C: 'bankCode', FIN_ACCT: 'accountNumber', E: 'amount' }),
      ...NARRATION,
    },
    items: [
      [2, 10_000.01, '058', '0123456785', true],
      [3, 19_999.99, '044', '0123456786', true],
    ],
  },
];
