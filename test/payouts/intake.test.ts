import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBatch, keepRows } from '../../src/batch-files/create-batch.ts';
import { mapColumns } from '../../src/batch-files/map-columns.ts';
import { createBankFinder, type GivenRow } from '../../src/batch-files/read-row.ts';
import { beginUpload, sweepUploads, uploadKey } from '../../src/batch-files/uploads.ts';
import { readAmount } from '../../src/batches/item-text.ts';
import { success } from '../../src/platform/answer.ts';
import { csvOf, formOf, HEADER, upload, workbookOf } from '../support/files.ts';
import { createPayoutFixture, items, type Merchant, type PayoutFixture } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const HOUR_MS = 60 * 60 * 1000;

const send = (merchant: Merchant, content: string | Buffer, fields = {}, headers = {}, name = 'list.csv') =>
  upload(fixture.server, merchant.secretKey, { name, content }, fields, headers);

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

/** What there is of a merchant's uploads and batches, seen or not. */
async function kept(merchant: Merchant) {
  const count = async (table: string) => {
    const { rows } = await fixture.database.pool.query(
      `select count(*)::int as n from ${table} where merchant_id = $1`,
      [merchant.merchantId],
    );
    return rows[0].n as number;
  };
  return { batches: await count('batches'), items: await count('batch_items'), uploads: await count('batch_uploads') };
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
      /Row 7 has 6 cells and the header 5/,
      /amount is missing/,
      undefined,
      undefined,
    ];
    for (const [at, text] of told.entries()) {
      if (text !== undefined) expect(found[at]?.warnings[0]).toMatch(text);
      expect(found[at]?.reason).not.toBeNull();
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
      expect([said('ERROR').join(' ') || null, said('WARNING')]).toEqual([reason, warnings]);
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

  it('keeps the number that the sheet gives it; empty rows are skipped and counted', async () => {
    const merchant = await fixture.addMerchant();
    const file = await workbookOf([
      ['Amount', 'Bank', 'Account No', 'Narration'],
      [1500, '058', '0123456785', 'Rent'],
      [null, null, null, null],
      [1.5e4, 'Zenith', 123456785, 'Rent'],
    ]);
    const reply = await send(merchant, file, {}, {}, 'list.xlsx');
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

  it.each(['1500.505', '0.001', '1.500', '15.000', '1.000', '12,500.125'])(
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
  ])('given as "%s" and "%s" is %s', async (code, name, expected) => {
    const find = await createBankFinder(fixture.deps.banks);
    expect((await find(code, name)).code).toBe(expected);
  });

  it('whose name and code are of two banks is told, and the code counts', async () => {
    const find = await createBankFinder(fixture.deps.banks);
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

describe('an upload', () => {
  it('is refused whole where it is not the list that its sender means', async () => {
    const merchant = await fixture.addMerchant();
    const count = await send(merchant, csvOf(3), { controlCount: '4' });
    expect([count.status, count.body.code]).toEqual([422, 'BATCH_CONTROL_MISMATCH']);
    expect(count.body.message).toBe('The control count says 4, the rows come to 3. Nothing was kept of them.');
    const total = await send(merchant, `${HEADER}\n1000.50,058,0123456785,A,b\nx,058,0123456785,A,b\n`, {
      controlTotal: '1000',
    });
    expect(total.body.message).toMatch(/total says ₦1,000.00, the rows come to ₦1,000.50/);
    expect(total.body.problems).toEqual([
      {
        code: 'CONTROL_TOTAL_DIFFERS',
        field: 'controlTotal',
        params: { statedMinor: '100000', foundMinor: '100050' },
        message: total.body.message,
      },
    ]);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
    const right = await send(merchant, csvOf(3), { controlCount: '3', controlTotal: '3003', purpose: 'SALARY' });
    expect(right.body).toMatchObject({ status: true, data: { purpose: 'SALARY', itemCount: 3 } });
    const json = await merchant.call('POST', '/payout/bulk', { items: items(2), controlTotal: 2_000.5 });
    expect([json.status, json.body.code]).toEqual([422, 'BATCH_CONTROL_MISMATCH']);
  });

  it('of the same file under the same key makes one batch, and of another file is refused', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'november' };
    const first = await send(merchant, csvOf(5), {}, key);
    const again = await send(merchant, csvOf(5), {}, key);
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([200, 'true', first.text]);
    for (const [content, fields] of [
      [csvOf(6), {}],
      [csvOf(5), { purpose: 'SALARY' }],
    ] as const) {
      const other = await send(merchant, content, fields, key);
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await kept(merchant)).toEqual({ batches: 1, items: 5, uploads: 0 });
  });

  it('sent ten times at once under one key makes one batch with one set of items', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'double-click' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(merchant, csvOf(1_500), {}, key)));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await kept(merchant)).toEqual({ batches: 1, items: 1_500, uploads: 0 });
  });

  it('says which field of the form is wrong', async () => {
    const merchant = await fixture.addMerchant();
    const wrong: [fields: Record<string, string>, field: string][] = [
      [{ purpose: 'FUN' }, 'purpose'],
      [{ controlCount: '1.5' }, 'controlCount'],
      [{ controlTotal: '1,5' }, 'controlTotal'],
      [{ colour: 'red' }, 'colour'],
      [{ file: 'text' }, 'file'],
    ];
    for (const [fields, field] of wrong) {
      const reply = await send(merchant, csvOf(1), fields);
      expect([reply.status, reply.body.errors?.[0].field]).toEqual([400, field]);
    }
    const elsewhere = await upload(fixture.server, merchant.secretKey, {
      name: 'a.csv',
      content: csvOf(1),
      field: 'list',
    });
    expect(elsewhere.body.errors[0].field).toBe('list');
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('belongs to its merchant: nobody else sees it', async () => {
    const [merchant, stranger] = await Promise.all([fixture.addMerchant(), fixture.addMerchant()]);
    const reply = await send(merchant, csvOf(2));
    const seen = await stranger.call('GET', `/payout/bulk/${reply.body.data.batchReference}/item`);
    expect(seen.status).toBe(404);
  });
});

describe('a long JSON body', () => {
  const bodyOf = (rows: unknown[], more = {}) => JSON.stringify({ ...more, items: rows });
  const post = async (merchant: Merchant, payload: string, headers = {}) => {
    const answer = await fixture.server.inject({
      method: 'POST',
      url: '/payout/bulk',
      headers: { authorization: `Bearer ${merchant.secretKey}`, 'content-type': 'application/json', ...headers },
      payload,
    });
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) };
  };
  const LONG = 9_000;
  const long = (count = LONG) => items(count, { narration: 'A narration that makes the body longer than a mebibyte' });
  /** As many as are read as they come, and not at once. */
  const STREAMED = 1_000;

  it('becomes the same batch as a short one', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'long' };
    const text = bodyOf(long(), { purpose: 'SALARY', controlCount: LONG });
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const reply = await post(merchant, text, key);
    expect(reply.body).toMatchObject({ status: true, data: { itemCount: LONG, source: 'JSON', purpose: 'SALARY' } });
    expect((await post(merchant, text, key)).headers['idempotency-replayed']).toBe('true');
    expect((await post(merchant, `${text} `, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const page = await merchant.call('GET', `/payout/bulk/${reply.body.data.batchReference}/item?page=45&size=200`);
    expect(page.body.data.records[199]).toMatchObject({
      position: LONG,
      accountNumber: String(1_000_000_000 + LONG - 1),
    });
  });

  it('is held to everything that a short one is held to', async () => {
    const merchant = await fixture.addMerchant();
    const rows = long(STREAMED);
    expect(bodyOf(rows).length).toBeGreaterThan(64 * 1024);
    const broken: [text: string, code: string, field?: string][] = [
      [bodyOf(rows).slice(0, -2), 'JSON_MALFORMED'],
      [bodyOf([...rows, { ...rows[0], amount: '5' }]), 'VALIDATION_FAILED', `items.${STREAMED}.amount`],
      [bodyOf([...rows, { ...rows[0], extra: 5 }]), 'VALIDATION_FAILED', `items.${STREAMED}.extra`],
      [bodyOf(rows, { extra: 5 }), 'VALIDATION_FAILED', 'extra'],
      [bodyOf(rows, { purpose: 'FUN' }), 'VALIDATION_FAILED', 'purpose'],
      [JSON.stringify({ items: [], padding: 'x'.repeat(110_000) }), 'VALIDATION_FAILED', 'body'],
      [JSON.stringify({ items: 'x'.repeat(110_000) }), 'VALIDATION_FAILED', 'body'],
      [JSON.stringify(rows), 'VALIDATION_FAILED', 'body'],
      [bodyOf(rows).replace('{', '{"items":[],'), 'VALIDATION_FAILED', 'body'],
      [bodyOf(rows).replace(/\}$/, ',"\\u0069tems":[]}'), 'FIELD_REPEATED'],
      [bodyOf(rows).replace('"amount":1000', '"amount":1.0000000000000000001'), 'VALIDATION_FAILED', 'items.0.amount'],
      [bodyOf(rows).replace(/\]\}$/, ',]}'), 'JSON_MALFORMED'],
      [bodyOf(rows).replace('},{', '},,{'), 'JSON_MALFORMED'],
      [bodyOf([...rows, { ...rows[0], narration: 'x'.repeat(20_000) }]), 'VALIDATION_FAILED', `items.${STREAMED}`],
      [bodyOf([...rows, { ...rows[0], narration: '\0' }]), 'NUL_CHARACTER'],
    ];
    for (const [text, code, field] of broken) {
      const reply = await post(merchant, text);
      expect([reply.status, reply.body.code]).toEqual([400, code]);
      if (field !== undefined)
        expect(reply.body.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('takes what its items leave out from its defaults, short or long, before or behind them, and says for how many', async () => {
    const merchant = await fixture.addMerchant();
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ amount: 1_000 + at, accountNumber: String(1_000_000_000 + at) },
        ...(at % 3 === 0 ? { narration: 'Own' } : at % 3 === 1 ? { narration: '' } : {}),
        ...(at % 2 === 0 ? { bankCode: '044' } : {}),
      }));
    const defaults = { narration: 'November salary', bankCode: 'GTBank' };
    for (const count of [6, 1_500]) {
      const texts = [
        JSON.stringify({ defaults, items: rows(count) }),
        JSON.stringify({ items: rows(count), defaults }),
      ];
      expect((texts[0]?.length ?? 0) > 64 * 1024).toBe(count > 1_000);
      for (const text of texts) {
        const { body } = await post(merchant, text);
        expect(body.data.problems, JSON.stringify(body)).toMatchObject([
          { code: 'DEFAULT_USED', params: { column: 'narration', rows: (count / 3) * 2 } },
          { code: 'DEFAULT_USED', params: { column: 'bankCode', rows: count / 2 } },
        ]);
        const read = await merchant.call('GET', `/payout/bulk/${body.data.batchReference}/item?size=3`);
        const facts = read.body.data.records.map(({ bankCode, narration }: Record<string, string>) => [
          bankCode,
          narration,
        ]);
        expect(facts).toEqual([
          ['044', 'Own'],
          ['058', 'November salary'],
          ['044', 'November salary'],
        ]);
      }
      const preview = await merchant.call('POST', '/payout/bulk/preview', { items: rows(6), defaults });
      expect(preview.body.data).toMatchObject({ isReady: true, validRows: 6, notices: [{}, {}] });
      // As an empty cell of a file: kept, and not paid before it is corrected.
      const bare = await merchant.call('POST', '/payout/bulk/preview', {
        items: rows(6),
        defaults: { bankCode: '058' },
      });
      expect(bare.body.data).toMatchObject({ validRows: 2, rowProblems: [{ code: 'NARRATION_MISSING', count: 4 }] });
      const wrong = await post(merchant, JSON.stringify({ items: rows(count), defaults: { amount: 5 } }));
      expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  it('of more than 100,000 items, or 32 MiB, is refused', async () => {
    const merchant = await fixture.addMerchant();
    const item = { amount: 1, bankCode: '058', accountNumber: '0123456785', narration: 'x' };
    const many = await post(merchant, bodyOf(new Array(100_001).fill(item)));
    expect([many.status, many.body.message]).toEqual([400, 'items must have at most 100000 entries.']);
    const heavy = await post(merchant, bodyOf([{ ...item, narration: 'x'.repeat(33 * 1024 * 1024) }]));
    expect([heavy.status, heavy.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });
});

describe('an upload that does not come to its end', () => {
  const rows = (from: number, count: number): GivenRow[] =>
    Array.from({ length: count }, (_, at) => ({
      position: from + at,
      amount: '1000',
      bankCode: '058',
      bankName: '',
      accountNumber: String(1_000_000_000 + from + at),
      givenName: '',
      narration: 'x',
      phoneNumber: '',
      complaint: null,
    }));

  it('leaves nothing where it is cut off on the way', async () => {
    const merchant = await fixture.addMerchant();
    const form = formOf([{ name: 'list.csv', content: csvOf(20_000) }]);
    const answer = await fixture.server.inject({
      method: 'POST',
      url: '/payout/bulk',
      headers: { authorization: `Bearer ${merchant.secretKey}`, ...form.headers },
      payload: form.payload.subarray(0, form.payload.length / 2),
    });
    expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([400, 'UPLOAD_BROKEN']);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('is seen by nobody when its process is killed, and is swept away after an hour', async () => {
    const merchant = await fixture.addMerchant();
    const child = fork(new URL('./uploading-process.ts', import.meta.url), [], {
      env: {
        ...process.env,
        DATABASE_URL: fixture.database.pool.options.connectionString,
        MERCHANT_ID: merchant.merchantId,
        STARTED_AT: fixture.deps.clock.now().toISOString(),
      },
      execArgv: [],
    });
    await once(child, 'message');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const left = await kept(merchant);
    expect(left).toMatchObject({ batches: 0, uploads: 1 });
    expect(left.items).toBeGreaterThan(0);
    expect((await merchant.call('GET', '/payout/bulk')).body.data.totalRecords).toBe(0);
    const { rows: hidden } = await fixture.database.pool.query(
      'select id from batch_items where merchant_id = $1 limit 1',
      [merchant.merchantId],
    );
    const patched = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: hidden[0].id, amount: 5 });
    expect(patched.status).toBe(404);
    fixture.clock.advance(HOUR_MS / 2);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toEqual(left);
    fixture.clock.advance(HOUR_MS);
    await Promise.all([sweepUploads(fixture.deps, 'SANDBOX'), sweepUploads(fixture.deps, 'SANDBOX')]);
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('that was abandoned cannot become a batch any more, however late it ends', async () => {
    const merchant = await fixture.addMerchant();
    const late = async function* () {
      yield rows(1, 1_000);
      yield rows(1_001, 10);
      fixture.clock.advance(2 * HOUR_MS);
      await sweepUploads(fixture.deps, 'SANDBOX');
    };
    const made = createBatch(fixture.deps, {
      tenant: merchant.tenant,
      source: 'CSV',
      fileName: null,
      rows: { pieces: late(), warnings: () => [] },
      settings: () => ({ purpose: 'GENERAL' }),
      scenario: null,
      idempotency: undefined,
    });
    await expect(made).rejects.toMatchObject({ code: 'UPLOAD_ABANDONED' });
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('that a sweep abandoned and did not get to remove is removed by the next one', async () => {
    const merchant = await fixture.addMerchant();
    const started = await beginUpload(fixture.deps, merchant.tenant);
    await keepRows(fixture.deps, started, [rows(5, 3_000)] as unknown as AsyncIterable<GivenRow[]>);
    await fixture.deps.ledger.commit({
      tenant: merchant.tenant,
      id: started.batch_id,
      occurredAt: fixture.deps.clock.now().toISOString(),
      uniqueKeys: [uploadKey(started.batch_id)],
      answer: success('Success'),
    });
    fixture.clock.advance(2 * HOUR_MS);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toEqual({ batches: 0, items: 0, uploads: 0 });
  });

  it('of 20 merchants that cannot be removed keeps no other merchant’s from it', async () => {
    const merchant = await fixture.addMerchant();
    const pool = fixture.database.pool;
    await pool.query(`alter table unique_keys add constraint poison check (value not like 'deadbeef%') not valid`);
    const insert = `insert into batch_uploads (merchant_id, mode, batch_id, started_at) values ($1, 'SANDBOX', $2, $3)`;
    const longAgo = new Date(fixture.deps.clock.now().getTime() - 2 * HOUR_MS);
    for (let at = 0; at < 20; at += 1) {
      const { tenant } = await fixture.addMerchant();
      const batchId = `deadbeef-0000-7000-8000-0000000000${10 + at}`;
      await pool.query(insert, [tenant.merchantId, batchId, longAgo]);
    }
    await beginUpload(fixture.deps, merchant.tenant);
    fixture.clock.advance(2 * HOUR_MS);
    for (let runs = 0; runs < 2; runs += 1) await sweepUploads(fixture.deps, 'SANDBOX').catch(() => undefined);
    expect(await kept(merchant)).toMatchObject({ uploads: 0 });
    await pool.query('alter table unique_keys drop constraint poison');
    await pool.query(`delete from batch_uploads where batch_id::text like 'deadbeef%'`);
  });

  it('is not swept once it is a batch', async () => {
    const merchant = await fixture.addMerchant();
    const reply = await send(merchant, csvOf(10));
    const { id } = reply.body.data;
    // As if the row had stayed behind.
    const insert = "insert into batch_uploads (merchant_id, mode, batch_id, started_at) values ($1, 'SANDBOX', $2, $3)";
    const at = fixture.deps.clock.now();
    await fixture.database.pool.query(insert, [merchant.merchantId, id, at]);
    fixture.clock.advance(2 * HOUR_MS);
    await sweepUploads(fixture.deps, 'SANDBOX');
    expect(await kept(merchant)).toMatchObject({ batches: 1, items: 10 });
    expect((await merchant.call('GET', `/payout/bulk/${reply.body.data.batchReference}`)).status).toBe(200);
  });
});
