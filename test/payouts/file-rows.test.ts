import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapColumns } from '../../src/batch-files/map-columns.ts';
import { createBankFinder } from '../../src/batches/index.ts';
import { readAmount } from '../../src/batches/item-text.ts';
import { HEADER, inlineRow, rawWorkbook, workbookOf } from '../support/files.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from './payout-fixture.ts';
import { sendFile } from './uploaded.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const send = (merchant: Merchant, content: string | Buffer, name?: string) =>
  sendFile(fixture, merchant, content, {}, {}, name);

interface ItemSeen {
  position: number;
  amount: number;
  bankCode: string;
  accountNumber: string;
  givenName: string | null;
  narration: string;
  phoneNumber: string | null;
  isValid: boolean;
  reason: string | null;
  warnings: string[];
  givenAmount: string | null;
  problems: { code: string; field: string | null; params: object; message: string; severity: string }[];
}

async function itemsOf(merchant: Merchant, reference: string): Promise<ItemSeen[]> {
  const reply = await merchant.call('GET', `/payout/bulk/${reference}/item?size=200`);
  return reply.body.data.records;
}

async function itemsFrom(
  merchant: Merchant,
  lines: readonly string[],
  header = `${HEADER},Phone`,
): Promise<ItemSeen[]> {
  const reply = await send(merchant, [header, ...lines].join('\n'));
  expect(reply.body).toMatchObject({ status: true });
  return itemsOf(merchant, reply.body.data.batchReference);
}

describe('the header of a file', () => {
  const SPELLED: [found: string, field: string][] = [
    ['amount', 'amount'],
    ['AMT', 'amount'],
    ['Amount (NGN)', 'amount'],
    ['Amount(₦)', 'amount'],
    [' value ', 'amount'],
    ['Net_Pay', 'amount'],
    ['Account Number', 'accountNumber'],
    ['acct no.', 'accountNumber'],
    ['A/C No', 'accountNumber'],
    ['ACCOUNT-NO', 'accountNumber'],
    ['NUBAN', 'accountNumber'],
    ['Beneficiary Account', 'accountNumber'],
    ['bank_code', 'bankCode'],
    ['Sort Code', 'bankCode'],
    ['Bank', 'bankName'],
    ['BANK NAME', 'bankName'],
    ['Beneficiary Bank', 'bankName'],
    ['Account Name', 'accountName'],
    ['Beneficiary', 'accountName'],
    ['Name', 'accountName'],
    ['Narration', 'narration'],
    ['Remarks', 'narration'],
    ['Description', 'narration'],
    ['Reference', 'narration'],
    ['Purpose of Payment', 'narration'],
    ['Phone', 'phoneNumber'],
    ['Mobile No.', 'phoneNumber'],
    ['GSM', 'phoneNumber'],
  ];
  const NEEDED: Record<string, string> = {
    amount: 'Amount',
    accountNumber: 'NUBAN',
    bankCode: 'Bank Code',
    narration: 'Narration',
  };

  it.each(SPELLED)('may call a column "%s"', (spelled, field) => {
    const others = Object.entries(NEEDED).filter(([name]) => name !== field);
    const labels = [...others.map(([, name]) => name), spelled.trim()];
    const { columns, warnings } = mapColumns({ header: { row: 1, labels } });
    expect(columns.get(field as 'amount')).toBe(others.length);
    expect(warnings).toEqual([]);
  });

  it('names no amount where it names another currency, and is asked about', () => {
    for (const spelled of ['Amount ($)', 'Net Pay (£)', 'Amount €']) {
      const { columns, problems } = mapColumns({ header: { row: 1, labels: [spelled, 'NUBAN', 'Bank', 'Narration'] } });
      expect(columns.has('amount')).toBe(false);
      expect(problems.map(({ params }) => params)).toEqual([{ column: 'Amount' }]);
    }
  });

  it('says which columns are missing and which were found', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await send(merchant, 'Amount,Full Name,Colour\n1,Ada,red\n');
    expect([reply.status, reply.body.code]).toEqual([400, 'FILE_HEADER_WRONG']);
    expect(reply.body.message).toBe(
      'The header must name the columns. Missing: Account Number, Narration, Bank Code or Bank Name. ' +
        'Found: "Amount", "Full Name", "Colour".',
    );
    expect(reply.body.problems.map(({ code, params }: { code: string; params: object }) => [code, params])).toEqual(
      ['Account Number', 'Narration', 'Bank Code or Bank Name'].map((column) => ['COLUMN_MISSING', { column }]),
    );
  });

  it('is refused where two columns would be the same field', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await send(merchant, `${HEADER},Remarks\n`);
    expect(reply.body.message).toMatch(/both be the Narration: "Narration" \(column E\) and "Remarks" \(column F\)/);
  });

  it('may have columns that nobody asks for, and the answer names them', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await send(merchant, 'S/N,Amount,Bank,NUBAN,Narration,Colour\n1,5,GTBank,0123456785,Rent,red\n');
    const message = 'These columns were not used: "S/N", "Colour".';
    expect(reply.body.data.warnings).toEqual([message]);
    const params = { names: ['S/N', 'Colour'] };
    expect(reply.body.data.problems).toEqual([{ code: 'COLUMNS_NOT_USED', field: null, params, message }]);
  });
});

describe('a row of a file', () => {
  it('is corrected where only one thing can be meant, and says what was corrected', async () => {
    const merchant = await fixture.addMerchant();
    const [first, second, third, fourth] = await itemsFrom(merchant, [
      '"₦1,500.00",44,123456785,Ada,Rent,8012345678',
      '1500,058,="0123456785",Ada,Rent,+234 801 234 5678',
      "1500,058,'0123456785,Ada,Rent,",
      `1500.00,gtbank, 0123\u00a0456785 ,Ad\u200ba,"Re\nnt",`,
    ]);
    expect(first).toMatchObject({
      position: 2,
      amount: 1500,
      bankCode: '044',
      accountNumber: '0123456785',
      phoneNumber: '08012345678',
      warnings: [
        'The amount "₦1,500.00" was read as 1500.',
        'The bank code 44 was read as 044: its leading zero was missing.',
        'The account number "123456785" was read as 0123456785: its leading zero was missing.',
        'The phone number "8012345678" was read as 08012345678: its leading zero was missing.',
      ],
    });
    // A marker that says "this is text" is no fault.
    expect(second).toMatchObject({ accountNumber: '0123456785', phoneNumber: '+2348012345678' });
    expect(second?.warnings).toEqual([]);
    expect(third).toMatchObject({ position: 4, accountNumber: '0123456785', phoneNumber: null });
    expect(third?.warnings).toEqual([]);
    expect(fourth).toMatchObject({
      bankCode: '058',
      accountNumber: '0123456785',
      givenName: 'Ada',
      narration: 'Re nt',
    });
    expect(fourth?.warnings).toEqual([
      'The account number "0123 456785" was read as 0123456785.',
      'Invisible characters were taken out of the narration.',
      'Invisible characters were taken out of the name.',
    ]);
  });

  it('that cannot be paid is kept, is found invalid, and says why', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await send(
      merchant,
      [
        HEADER,
        '1500.505,058,0123456785,Ada,Rent',
        'a lot,058,0123456785,Ada,Rent',
        '1500,First,0123456785,Ada,Rent',
        '1500,Bank of Nowhere,0123456785,Ada,Rent',
        '1500,058,1.23457E+09,Ada,Rent',
        '1,500,058,0123456785,Ada,Rent',
        ',058,0123456785,Ada,Rent',
        '1500,058,12345678,Ada,Rent',
        '-5,058,0123456785,Ada,',
      ].join('\n'),
    );
    await fixture.worker.runOnce();
    const found = await itemsOf(merchant, reply.body.data.batchReference);
    expect(found.map((item) => item.isValid)).toEqual(found.map(() => false));
    expect(found.map((item) => item.amount)).toEqual([0, 0, 1500, 1500, 1500, 0, 0, 1500, -5]);
    const told = [
      /"1500.505" has more than two decimals/,
      /"a lot" is not a number of naira/,
      /"First" could be First Bank of Nigeria \(011\) or First City Monument Bank \(214\)/,
      /no bank called "Bank of Nowhere"/,
      /"1.23457E\+09" was cut short/,
      undefined,
      /amount is missing/,
      undefined,
      undefined,
    ];
    for (const [at, text] of told.entries()) {
      // What the reason says is no warning besides.
      if (text !== undefined) expect(found[at]?.warnings[0] ?? found[at]?.reason).toMatch(text);
      expect(found[at]?.reason).not.toBeNull();
    }
    expect(found[5]?.reason).toMatch(/^Row 7 has 6 cells and the header 5/);
  });

  it('whose cells have moved is never paid a part of its amount: not as it reads, and not downloaded and sent again', async () => {
    const merchant = await fixture.addMerchant();
    const header = 'Name,Bank,Account Number,Amount,Narration,Dept';
    const lines = ['Ada,058,0123456785,150,000,November salary,Sales', 'Obi,058,0123456786,1,250,November salary,'];
    const sent = await send(merchant, [header, ...lines].join('\n'));
    for (let file = sent, times = 1; ; times += 1) {
      const reference = file.body.data.batchReference;
      await fixture.worker.runOnce();
      const found = await itemsOf(merchant, reference);
      expect(found.map(({ isValid, amount }) => [isValid, amount])).toEqual([
        [false, 0],
        [false, 0],
      ]);
      expect(found[0]?.givenAmount).toBe('Ada · 058 · 0123456785 · 150 · 000 · November salary · Sales');
      const { body } = await merchant.call('GET', `/payout/bulk/${reference}/problem`);
      const suggested = body.data.groups.map(({ suggestion }: { suggestion: object | null }) => suggestion);
      expect(suggested).toEqual(suggested.map(() => null));
      if (times === 2) return;
      expect(found.map(({ problems }) => problems.map(({ code, severity }) => [code, severity]))).toEqual([
        [['ROW_TOO_LONG', 'ERROR']],
        [['ROW_TOO_LONG', 'ERROR']],
      ]);
      const rejected = await fixture.server.inject({
        method: 'GET',
        url: `/payout/bulk/${reference}/rejected.csv`,
        headers: { authorization: `Bearer ${merchant.secretKey}` },
      });
      file = await send(merchant, rejected.body);
    }
  });

  it('in which an amount may have been cut at its comma is not paid a part of it, however many cells it has', async () => {
    const merchant = await fixture.addMerchant();
    const taken = async (file: string[] | Buffer, fields = {}) => {
      const content = Buffer.isBuffer(file) ? file : file.join('\n');
      const reply = await sendFile(fixture, merchant, content, fields);
      expect(reply.body).toMatchObject({ status: true });
      const items = await itemsOf(merchant, reply.body.data.batchReference);
      return items.map(({ amount, problems }) => [amount, ...problems.map(({ code }) => code)]);
    };
    const cut = [0, 'AMOUNT_MAY_BE_CUT'];
    expect(
      await taken([
        'Name,Bank,Account Number,Amount,Narration,Dept',
        'Ada,058,0123456785,150,000',
        'Obi,058,0123456785,150,000,Salary',
        'Ngozi,058,0123456785,1,500,000',
        'Musa,058,0123456785,₦150,000.50,Sales',
        'Bola,058,0123456785,500,200 bags,',
        'Tunde,058,0123456785,1500,101,Sales',
      ]),
    ).toEqual([cut, cut, cut, cut, [500], [1_500]]);
    const defaults = { defaults: JSON.stringify({ narration: 'Salary' }) };
    const unused = ['Name,Bank,Account Number,Amount,Grade,Dept'];
    unused.push('Ada,058,0123456785,150,000,Sales', 'Obi,058,0123456785,150,250', 'Musa,058,0123456785,150,101,Ops');
    expect(await taken(unused, defaults)).toEqual([cut, cut, [150]]);
    const mapping = JSON.stringify({ A: 'accountName', B: 'bankName', C: 'accountNumber', D: 'amount' });
    expect(await taken(['Ada,058,0123456785,150,500'], { ...defaults, mapping, headerRow: '0' })).toEqual([cut]);
    const workbook = await workbookOf([
      ['Name', 'Bank', 'Account Number', 'Amount', 'Narration'],
      ['Ada', '058', '0123456785', 150, 0, 'Salary'],
      ['Obi', '058', '0123456785', 150, 'Salary', 0],
      ['Musa', '058', '0123456785', 1500, 7],
    ]);
    expect(await taken(workbook)).toEqual([cut, [150], [1_500]]);
  });

  it('that names another currency beside its amount is not paid that many naira', async () => {
    const merchant = await fixture.addMerchant();
    const lines = ['USD,1500', 'NGN,1500', ',1500', '$,1500', 'Naira,1500', 'USD,'].map(
      (line) => `${line},058,0123456785,Rent`,
    );
    const reply = await send(merchant, ['Currency,Amount,Bank,NUBAN,Narration', ...lines].join('\n'));
    const found = await itemsOf(merchant, reply.body.data.batchReference);
    expect(found.map(({ amount, givenAmount }) => [amount, givenAmount])).toEqual([
      [0, 'USD 1500'],
      [1_500, null],
      [1_500, null],
      [0, '$ 1500'],
      [1_500, null],
      [0, ''],
    ]);
    expect(found[0]?.problems.map(({ code }) => code)).toEqual(['AMOUNT_UNREADABLE']);
    expect(reply.body.data.problems.map(({ code }: { code: string }) => code)).not.toContain('COLUMNS_NOT_USED');
  });

  it('with two sums below each other in one cell is not paid the number that they would make in one line', async () => {
    const merchant = await fixture.addMerchant();
    const lines = ['"500\n200",058,0123456785,Ada,Rent', '"1,500\n",058,0123456786,Ada,Rent'];
    const [two, one] = await itemsFrom(merchant, lines, HEADER);
    expect(two).toMatchObject({ amount: 0, givenAmount: '500 · 200' });
    expect(two?.problems.map(({ code }) => code)).toContain('AMOUNT_UNREADABLE');
    expect(one).toMatchObject({ amount: 1_500, givenAmount: null });
  });

  it('with a cell that shows an error is in no group that can be accepted', async () => {
    const merchant = await fixture.addMerchant();
    const rows = [
      '100,058,0123456785,Chukwuemeka Adeyemi,One',
      '9999999999999.99,058,0123456785,Omar,Two',
      '#REF!,058,0123456785,,Three',
      '100,23,0123456785,,Four',
      '100,058,0123 456 785,,Five',
    ];
    const reply = await send(merchant, [HEADER, ...rows].join('\n'), 'list.csv');
    await fixture.worker.runOnce();
    const { body } = await merchant.call('GET', `/payout/bulk/${reply.body.data.batchReference}/problem`);
    const groups = body.data.groups.filter(({ code }: { code: string }) => code === 'CELL_SHOWS_ERROR');
    expect(groups).toMatchObject([{ severity: 'ERROR', count: 1, actions: ['LEAVE_OUT'] }]);
  });

  it('with a cell that shows an error is not paid until that cell is corrected, as its preview says, whichever way it is sent', async () => {
    const merchant = await fixture.addMerchant();
    const rows = [HEADER.split(','), ['1500', '058', '0123456785', '#N/A', 'Rent']];
    const workbook = rawWorkbook({
      sheet:
        inlineRow(1, rows[0] as string[]) +
        inlineRow(2, rows[1] as string[]).replace(/<c r="D2".*?<\/c>/, '<c r="D2" t="e"><v>#N/A</v></c>'),
    });
    for (const [name, content] of [
      ['list.xlsx', workbook],
      ['list.csv', rows.join('\n')],
    ] as const) {
      const reply = await send(merchant, content, name);
      const reference = reply.body.data.batchReference;
      await fixture.worker.runOnce();
      const [item] = await itemsOf(merchant, reference);
      expect(item).toMatchObject({ isValid: false, givenName: null, warnings: [] });
      expect(item?.problems).toMatchObject([{ code: 'CELL_SHOWS_ERROR', field: 'accountName', severity: 'ERROR' }]);
      const rejected = await fixture.server.inject({
        method: 'GET',
        url: `/payout/bulk/${reference}/rejected.csv`,
        headers: { authorization: `Bearer ${merchant.secretKey}` },
      });
      expect(rejected.body).toContain(',#N/A,Rent,');
      const { id } = item as unknown as { id: string };
      const change = (fields: object) =>
        merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: id, ...fields });
      const other = await change({ accountNumber: '0123456786', amount: 1501 });
      expect(other.body.data.item.isValid, 'another cell says nothing of the name').toBe(false);
      expect((await change({ accountName: 'Ada' })).body.data.item.isValid).toBe(true);
    }
  });

  it('says what is wrong as data too, by code and field, whatever its cells read like', async () => {
    const merchant = await fixture.addMerchant();
    const lines = [
      HEADER,
      '"5""0",058,0123456785,Ada,Rent',
      '1500,The account number must be 10 digits.,0123456785,Ada,Rent',
      '"₦1,500",058,0123456785,Ada,Rent',
    ];
    const reply = await send(merchant, lines.join('\n'));
    await fixture.worker.runOnce();
    const [first, second, third] = await itemsOf(merchant, reply.body.data.batchReference);
    expect(first).toMatchObject({ amount: 0, givenAmount: '5"0', isValid: false });
    expect(first?.problems).toEqual([
      {
        code: 'AMOUNT_NOT_WHOLE_NAIRA',
        field: 'amount',
        params: { given: '5"0' },
        message: 'The amount "5"0" cannot be paid as it is written.',
        severity: 'ERROR',
      },
      expect.objectContaining({ code: 'AMOUNT_UNREADABLE', field: 'amount', severity: 'WARNING' }),
    ]);
    expect(second?.problems.map(({ code, field, severity }) => [code, field, severity])).toEqual([
      ['BANK_NOT_FOUND', 'bankCode', 'ERROR'],
      ['BANK_NAME_NOT_FOUND', 'bankCode', 'WARNING'],
    ]);
    expect(third).toMatchObject({ givenAmount: null, isValid: true, reason: null });
    for (const { reason, warnings, problems } of [first, second, third] as ItemSeen[]) {
      const said = (kind: string) => problems.filter((one) => one.severity === kind).map(({ message }) => message);
      const besides = said('WARNING').filter((message) => !said('ERROR').includes(message));
      expect([said('ERROR').join(' ') || null, besides]).toEqual([reason, warnings]);
    }
  });

  it('that repeats the bank, account and amount of one before says so once it is looked at, however they are written', async () => {
    const merchant = await fixture.addMerchant();
    const lines = [
      '5,058,0123456785,Ada,a',
      '5,044,0123456785,Ada,b',
      '6,058,0123456785,Ada,c',
      '₦5.00,000013,123456785,Ada,d',
    ];
    const reply = await send(merchant, [HEADER, ...lines].join('\n'));
    await fixture.worker.runOnce();
    const found = await itemsOf(merchant, reply.body.data.batchReference);
    const said = found.map(({ warnings }) => warnings.filter((text) => text.startsWith('Repeats')));
    expect(said).toEqual([[], [], [], ['Repeats row 2: the same bank, account and amount.']]);
  });

  it('may have cells in a hidden column: the answer names it where it is read', async () => {
    const merchant = await fixture.addMerchant();
    const columns =
      '<cols><col min="1" max="1" hidden="1"/><col min="3" max="3"/><col min="6" max="16384" hidden="true"/></cols>';
    const rows = [
      [...HEADER.split(','), 'Dept'],
      ['1500', '058', '0123456785', 'Ada', 'Rent', 'Ops'],
    ];
    const sheet = `<?xml version="1.0"?><worksheet>${columns}<sheetData>${rows.map((cells, at) => inlineRow(at + 1, cells)).join('')}</sheetData></worksheet>`;
    const { body } = await send(merchant, rawWorkbook({ sheet }), 'list.xlsx');
    expect(body.data.warnings).toEqual([
      'A hidden column of the sheet was read too: "Amount" (column A).',
      'This column was not used: "Dept".',
    ]);
  });

  it('keeps the number that the sheet gives it; empty rows are skipped and counted', async () => {
    const merchant = await fixture.addMerchant();
    const file = await workbookOf([
      ['Amount', 'Bank', 'Account No', 'Narration'],
      [1500, '058', '0123456785', 'Rent'],
      [null, null, null, null],
      [1.5e4, 'Zenith', 123456785, 'Rent'],
    ]);
    const reply = await send(merchant, file, 'list.xlsx');
    expect(reply.body.data).toMatchObject({ source: 'XLSX', fileName: 'list.xlsx', itemCount: 2 });
    expect(reply.body.data.warnings).toContain('1 empty row was skipped.');
    const found = await itemsOf(merchant, reply.body.data.batchReference);
    expect(
      found.map(({ position, amount, bankCode, accountNumber }) => [position, amount, bankCode, accountNumber]),
    ).toEqual([
      [2, 1500, '058', '0123456785'],
      [4, 15_000, '057', '0123456785'],
    ]);
  });
});

describe('an amount', () => {
  it.each([
    ['1500', 150_000n],
    ['1500.00', 150_000n],
    ['1,500', 150_000n],
    ['1 500', 150_000n],
    ['₦1,500.00', 150_000n],
    ['NGN 1500', 150_000n],
    ['N1,234,567', 123_456_700n],
    ['=N=1,500', 150_000n],
    ['1500 naira', 150_000n],
    ['naira 1500', 150_000n],
    ['-5', -500n],
    ['0', 0n],
    ['9999999999999', 999_999_999_999_900n],
    ['9999999999999.99', 999_999_999_999_999n],
    ['1500.5', 150_050n],
    ['₦12,500.50', 1_250_050n],
    ['#12,500.05', 1_250_005n],
    ['12500/=', 1_250_000n],
    ['N12,500.00/=', 1_250_000n],
    ['12,500/-', 1_250_000n],
    ['12,500=', 1_250_000n],
    ['N12,500/= only.', 1_250_000n],
    ['0.01', 1n],
    ['1500.000', 150_000n],
  ])('of %s is %s kobo', (text, minor) => {
    expect(readAmount(text)).toMatchObject({ amountMinor: minor, countedMinor: minor });
    expect(readAmount(text).complaint).toBeUndefined();
  });

  it.each(['1500.505', '0.001', '1.500', '15.000', '150.000', '1.000', '12,500.125'])(
    'of %s has more than two decimals, and is not rounded',
    (text) => {
      const { amountMinor, countedMinor, complaint } = readAmount(text);
      expect([amountMinor, countedMinor]).toEqual([0n, 0n]);
      expect(complaint).toEqual({ code: 'AMOUNT_TOO_PRECISE', field: 'amount', params: { given: text } });
    },
  );

  it.each([
    '1.500,00',
    '1500,00',
    '1,50',
    '15,00',
    '1.500',
    '12,34,567',
    '1e3',
    '1500 USD',
    '$5',
    '10000000000000',
    '٥',
  ])('of %s is not guessed at', (text) => {
    expect(readAmount(text)).toMatchObject({ amountMinor: 0n });
    expect(readAmount(text).complaint).toMatchObject({ field: 'amount', params: { given: text } });
  });
});

describe('a bank', () => {
  it.each([
    ['058', '', '058'],
    ['58', '', '058'],
    ['000013', '', '000013'],
    ['60001', '', '060001'],
    ['GTBank', '', '058'],
    ['', 'Guaranty Trust Bank Plc', '058'],
    ['', 'G.T.B', '058'],
    ['', 'uba', '033'],
    ['', 'ACCESS BANK NIGERIA PLC', '044'],
    ['', 'Access', '044'],
    ['', 'Access (Diamond)', '063'],
    ['', 'First Bank', '011'],
    ['', 'Kuda MFB', '50211'],
    ['', 'Wema', '035'],
    ['', 'Stanbic IBTC', '221'],
    ['', '057', '057'],
    ['9', '', '9'],
    // Left of 023 or of 000023: what the row names besides decides, or nobody.
    ['23', '', '23'],
    ['', '23', '23'],
    ['23', 'GTBank', '23'],
    ['23', 'Citibank', '023'],
    ['23', 'Providus Bank', '000023'],
  ])('given as "%s" and "%s" is %s', async (code, name, expected) => {
    const find = createBankFinder(fixture.deps.banks);
    expect((await find(code, name)).code).toBe(expected);
  });

  it('whose code lost its zeros and could be that of two banks is asked about', async () => {
    const find = createBankFinder(fixture.deps.banks);
    const candidates = ['Citibank Nigeria (023)', 'Providus Bank (101)'];
    expect((await find('23', '')).complaint).toMatchObject({ code: 'BANK_NAME_AMBIGUOUS', params: { candidates } });
  });

  it('that is called a microfinance bank is no commercial bank of the same name, nor one with that nickname', async () => {
    const find = createBankFinder(fixture.deps.banks);
    for (const name of ['Zenith MFB', 'Diamond Microfinance Bank', 'Union Micro-Finance Bank Ltd', 'Access mfb']) {
      const { code, complaint } = await find('', name);
      expect([code, complaint?.code]).toEqual([name, expect.stringMatching(/^BANK_NAME_(NOT_FOUND|AMBIGUOUS)$/)]);
    }
    // Nor is it named as what could be meant.
    expect(await find('', 'Zenith MFB')).toMatchObject({ complaint: { code: 'BANK_NAME_NOT_FOUND' } });
    expect(await find('', 'Zenth Bank')).toMatchObject({ complaint: { code: 'BANK_NAME_AMBIGUOUS' } });
    expect(await find('', 'Moniepoint MFB')).toEqual({ code: '50515' });
    expect(await find('', 'Kuda Micro Finance')).toMatchObject({ code: '50211' });
    expect(await find('', 'Opay mfb')).toEqual({ code: '999992' });
  });

  it('whose name and code are of two banks is told, and the code counts', async () => {
    const find = createBankFinder(fixture.deps.banks);
    expect(await find('058', 'Access Bank')).toEqual({
      code: '058',
      warning: {
        code: 'BANK_CODE_AND_NAME_DIFFER',
        field: 'bankCode',
        params: { bankCode: '058', given: 'Access Bank' },
      },
    });
  });
});
