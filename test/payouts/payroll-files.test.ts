import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/batch-files/column-names.ts';
import { reasonToLeaveOut } from '../../src/batch-files/left-out.ts';
import { findRememberedFields, lastColumns } from '../../src/batch-files/map-columns.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { csvOf, formOf, HEADER, upload } from '../support/files.ts';
import { PAYROLL_FILES, type PayrollFile, workbookWith } from '../support/payroll-files.ts';
import { dispatchOf, expectCountersToBeTrue, lookAtBatches } from './batch-fixture.ts';
import { createPayoutFixture, items, type Merchant, type PayoutFixture } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

interface Sent {
  name: string;
  content: string | Buffer;
}

async function preview(merchant: Merchant, file: Sent, fields: Record<string, string> = {}) {
  const form = formOf([file], fields);
  const answer = await fixture.server.inject({
    method: 'POST',
    url: '/payout/bulk/preview',
    headers: { authorization: `Bearer ${merchant.secretKey}`, ...form.headers },
    payload: form.payload,
  });
  const body = JSON.parse(answer.body);
  return { status: answer.statusCode, body, data: body.data };
}

const create = (merchant: Merchant, file: Sent, fields: Record<string, string> = {}, headers = {}) =>
  upload(fixture.server, merchant.secretKey, file, fields, headers);

const codes = (problems: { code: string }[]) => problems.map(({ code }) => code);

interface Item {
  position: number;
  amount: number;
  bankCode: string;
  accountNumber: string;
  isValid: boolean;
}

async function itemsOf(merchant: Merchant, reference: string): Promise<Item[]> {
  return (await merchant.call('GET', `/payout/bulk/${reference}/item?size=200`)).body.data.records;
}

/** What there is of a merchant that an upload could have left. */
async function kept(merchant: Merchant): Promise<number> {
  const tables = ['batches', 'batch_items', 'batch_uploads', 'file_mappings', 'events'];
  const counts = await Promise.all(
    tables.map((table) =>
      fixture.database.pool.query(`select count(*)::int as n from ${table} where merchant_id = $1`, [
        merchant.merchantId,
      ]),
    ),
  );
  return counts.reduce((sum, { rows }) => sum + rows[0].n, 0);
}

const plain = ({ position, amount, bankCode, accountNumber, isValid }: Item) => [
  position,
  amount,
  bankCode,
  accountNumber,
  isValid,
];

describe('a payroll as people have it', () => {
  it.each(PAYROLL_FILES)('is imported, or explained at once: $what', async (file: PayrollFile) => {
    const merchant = await fixture.addMerchant();
    const before = await kept(merchant);
    const first = await preview(merchant, file);
    expect(codes(first.data.problems), JSON.stringify(first.body)).toEqual(file.asks);
    expect(first.data.isReady).toBe(file.asks.length === 0);
    if (file.asks.length > 0) {
      const refused = await create(merchant, file);
      expect([refused.status, refused.body.code]).toEqual([
        400,
        expect.stringMatching(/^FILE_(HEADER_WRONG|MAPPING_NEEDED|SHEET_UNCLEAR)$/),
      ]);
      expect(codes(refused.body.problems)).toEqual(file.asks);
    }

    const settled = file.settled === undefined ? first : await preview(merchant, file, file.settled);
    expect(await kept(merchant), 'nothing is stored by looking').toBe(before);
    expect([settled.data.isReady, settled.data.problems]).toEqual([true, []]);
    const { understood, rowProblems } = settled.data;
    const wrong = rowProblems.filter(({ severity }: { severity: string }) => severity === 'ERROR');
    expect(Object.fromEntries(wrong.map(({ code, rows }: { code: string; rows: number[] }) => [code, rows]))).toEqual(
      file.wrong ?? {},
    );
    const leftOut = understood.leftOut.map(({ row, reason }: { row: number; reason: string }) => [row, reason]);
    expect(Object.fromEntries(leftOut)).toEqual(file.leftOut ?? {});
    expect(understood.rowsRead).toBe(file.items.length);
    if (file.formulas !== undefined) expect(understood.formulas).toBe(file.formulas);

    const made = await create(merchant, file, file.settled);
    expect(made.body, made.text).toMatchObject({ status: true, data: { itemCount: file.items.length } });
    const columns = understood.columns.map((column: object) => ({ ...column, samples: [] }));
    expect(made.body.data.understood, 'and what stands in the cells is not reported').toEqual({
      ...understood,
      columns,
    });
    await lookAtBatches(fixture.deps);
    const found = await itemsOf(merchant, made.body.data.batchReference);
    expect(found.map(plain)).toEqual(file.items);
    const shown = settled.data.rows.map((row: { row: number; amount: number | null }) => [row.row, row.amount ?? 0]);
    expect(shown).toEqual(file.items.slice(0, 5).map(([row, amount]) => [row, amount]));
    expect(settled.data.validRows).toBe(file.items.filter((item) => item[4]).length);
  });
});

describe('a row of a list', () => {
  const labels = ['Name', 'Bank', 'NUBAN', 'Amount', 'Remarks'];
  const fields: Field[] = ['accountName', 'bankName', 'accountNumber', 'amount', 'narration'];
  const columns = new Map(fields.map((field, column) => [field, column]));
  const text = fc.constantFrom(
    '',
    'Total',
    'Grand Total:',
    'Prepared by: A',
    'NB: urgent',
    'Ada Obi',
    'GTB',
    '5,000',
    'x',
  );
  const reasonOf = (cells: string[]) => reasonToLeaveOut({ row: 9, cells }, columns, { row: 1, labels });

  it('that has an account number is never left out, whatever else stands in it', () => {
    const account = fc.constantFrom('0123456785', '123456785', "'0123456785", '0123 456 785', '1.23457E+09', '12345.0');
    fc.assert(
      fc.property(text, text, account, text, text, (name, bank, number, amount, remark) => {
        expect(reasonOf([name, bank, number, amount, remark])).toBeUndefined();
      }),
    );
  });

  it('that has somebody’s name, a bank and an amount is left out as a total alone, and then to be looked at', () => {
    fc.assert(
      fc.property(text, (remark) => {
        const found = reasonOf(['Ada Obi', 'GTB', '', '5,000', remark]);
        if (found !== undefined) expect(found).toEqual({ reason: 'TOTAL', couldBePayment: true });
      }),
    );
  });
});

const LIST: Sent = { name: 'list.csv', content: csvOf(3) };

describe('how a file is to be read', () => {
  const odd = (rows = 1) =>
    `Whom,Where,Which,What\n${Array.from({ length: rows }, (_, at) => `Ada,GTB,012345678${at},${1_000 + at}`).join('\n')}\n`;
  const SETTLED = {
    mapping: JSON.stringify({ Whom: 'accountName', B: 'bankName', which: 'accountNumber', What: 'amount' }),
    defaults: JSON.stringify({ narration: 'Pay' }),
  };
  const ODD: Sent = { name: 'odd.csv', content: odd() };

  it('is remembered by the header for the next file, says so, and gives way to what is said anew', async () => {
    const merchant = await fixture.addMerchant();
    const first = await create(merchant, ODD, SETTLED);
    expect(first.body.data.understood).toMatchObject({ mappingFrom: 'GIVEN', headerRow: 1 });
    const again: Sent = { name: 'december.csv', content: `Title\n${odd(2).replace('Whom', ' WHOM ')}` };
    const next = await preview(merchant, again, { defaults: SETTLED.defaults });
    expect(next.data).toMatchObject({ isReady: true, understood: { mappingFrom: 'REMEMBERED', headerRow: 2 } });
    expect(next.data.understood.mapping).toEqual({
      A: 'accountName',
      B: 'bankName',
      C: 'accountNumber',
      D: 'amount',
    });
    const other = await create(merchant, again, {
      mapping: JSON.stringify({ D: null, A: 'narration' }),
    });
    expect(other.body.code).toBe('FILE_HEADER_WRONG');
    expect(codes(other.body.problems)).toEqual(['COLUMN_MISSING']);
    const listed = await preview(merchant, LIST);
    expect(listed.data.understood.mappingFrom).toBe('GUESSED');
  });

  it('is nobody else’s: another merchant with the same header is asked, and so is the other mode', async () => {
    const [merchant, stranger] = await Promise.all([fixture.addMerchant(), fixture.addMerchant()]);
    await create(merchant, ODD, SETTLED);
    const seen = await preview(stranger, ODD, { defaults: SETTLED.defaults });
    expect(seen.data).toMatchObject({ isReady: false, understood: { headerRow: null, mappingFrom: null } });
    expect(codes(seen.data.problems)).toEqual(['HEADER_NOT_FOUND']);
    const { rows } = await fixture.database.pool.query(
      'select merchant_id, mode, shape from file_mappings where merchant_id = any($1::uuid[])',
      [[merchant.merchantId, stranger.merchantId]],
    );
    const { merchantId } = merchant;
    const [{ shape }] = rows;
    expect(rows).toEqual([{ merchant_id: merchantId, mode: 'SANDBOX', shape }]);
    const knownIn = async (mode: Mode) => [
      (await findRememberedFields(fixture.database, { merchantId, mode }, [shape])).size,
      (await lastColumns(fixture.database, { merchantId, mode })) !== undefined,
    ];
    expect([await knownIn('SANDBOX'), await knownIn('LIVE')]).toEqual([
      [1, true],
      [0, false],
    ]);
  });

  it('is remembered of fifty headers, and the one that was used longest ago leaves', async () => {
    const merchant = await fixture.addMerchant();
    const named = (at: number): Sent => ({
      name: 'list.csv',
      content: `${HEADER},Extra ${at}\n5,058,0123456785,Ada,Rent,x\n`,
    });
    for (let at = 0; at < 3; at += 1) {
      fixture.clock.advance(1_000);
      expect((await create(merchant, named(at))).status).toBe(200);
    }
    fixture.clock.advance(60_000);
    // Forty-seven more, each used a second after the one before.
    await fixture.database.pool.query(
      `insert into file_mappings (merchant_id, mode, shape, columns, used_at)
       select merchant_id, mode, rpad(n::text, 43, '-'), columns, used_at + n * interval '1 second'
         from file_mappings cross join generate_series(1, 47) as n
        where merchant_id = $1
        order by used_at desc limit 47`,
      [merchant.merchantId],
    );
    // One of the other mode, older than all of them, which counts for nothing here.
    await fixture.database.pool.query(
      `insert into file_mappings (merchant_id, mode, shape, columns, used_at)
       select merchant_id, 'LIVE', shape, columns, used_at - interval '1 day'
         from file_mappings where merchant_id = $1 order by used_at limit 1`,
      [merchant.merchantId],
    );
    await create(merchant, named(0));
    fixture.clock.advance(1_000);
    await create(merchant, named(50));
    const from = async (at: number) => (await preview(merchant, named(at))).data.understood.mappingFrom;
    expect([await from(0), await from(1), await from(2), await from(50)]).toEqual([
      'REMEMBERED',
      'GUESSED',
      'REMEMBERED',
      'REMEMBERED',
    ]);
    const { rows } = await fixture.database.pool.query(
      'select mode, count(*)::int as n from file_mappings where merchant_id = $1 group by mode order by mode',
      [merchant.merchantId],
    );
    expect(rows).toEqual([
      { mode: 'LIVE', n: 1 },
      { mode: 'SANDBOX', n: 50 },
    ]);
  });

  it('is part of what an idempotency key stands for', async () => {
    const merchant = await fixture.addMerchant();
    const key = { 'idempotency-key': 'odd' };
    const first = await create(merchant, ODD, SETTLED, key);
    expect((await create(merchant, ODD, SETTLED, key)).text).toBe(first.text);
    const other = await create(merchant, ODD, { ...SETTLED, defaults: JSON.stringify({ narration: 'Bonus' }) }, key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('is refused by its field where it says nothing that can be meant', async () => {
    const merchant = await fixture.addMerchant();
    const wrong: [fields: Record<string, string>, field: string][] = [
      [{ mapping: '{' }, 'mapping'],
      [{ mapping: '{}' }, 'mapping'],
      [{ mapping: '{"A":"colour"}' }, 'mapping.A'],
      [{ mapping: '{"A":"amount","B":"amount"}' }, 'mapping'],
      [{ defaults: '{"amount":"5"}' }, 'defaults.amount'],
      [{ headerRow: 'one' }, 'headerRow'],
      [{ includeRows: '[0]' }, 'includeRows.0'],
      [{ sheet: '' }, 'sheet'],
    ];
    for (const [fields, field] of wrong) {
      for (const send of [preview, create]) {
        const reply = await send(merchant, LIST, fields);
        expect([fields, reply.status, reply.body.errors?.[0].field]).toEqual([fields, 400, field]);
      }
    }
    const unknown = await preview(merchant, LIST, { mapping: '{"Colour":"amount"}' });
    expect(codes(unknown.data.problems)).toContain('MAPPING_COLUMN_UNKNOWN');
    const sheet = await preview(
      merchant,
      { name: 'a.xlsx', content: workbookWith([{ name: 'A', rows: [['x']] }]) },
      {
        sheet: 'B',
      },
    );
    expect(codes(sheet.data.problems)).toEqual(['SHEET_NOT_FOUND']);
  });

  it('above the header that is taken is named as one to look at, where it would be a payment below it', async () => {
    const merchant = await fixture.addMerchant();
    const lines = [
      'Managers,Head office,,,,',
      'Name,Bank,NUBAN,Amount,Remarks',
      'Ada Obi,GTB,0123456785,5000,Pay',
      'Name,Bank,NUBAN,Amount,Remarks,Phone',
      'Musa Bello,GTB,0123456786,6000,Pay,',
    ];
    const { data } = await preview(merchant, { name: 'two.csv', content: lines.join('\n') });
    expect(data.understood.rowsRead).toBe(1);
    expect(data.understood.leftOut).toMatchObject([
      { row: 1, reason: 'TITLE', couldBePayment: false },
      { row: 2, reason: 'TITLE', couldBePayment: false },
      { row: 3, reason: 'TITLE', couldBePayment: true },
    ]);
    const made = await create(merchant, { name: 'two.csv', content: lines.join('\n') }, { includeRows: '[3]' });
    expect(made.body.data.understood).toMatchObject({ rowsRead: 2, leftOutRows: 2, total: 11_000 });
    const found = await itemsOf(merchant, made.body.data.batchReference);
    expect(found.map(({ position, accountNumber }) => [position, accountNumber])).toEqual([
      [3, '0123456785'],
      [5, '0123456786'],
    ]);
  });

  it('below a second header is not read by the first: a list whose columns change is refused', async () => {
    const merchant = await fixture.addMerchant();
    const first = ['Name,Bank,NUBAN,Net Pay,Remarks,Loan', 'Ada Obi,GTB,0123456785,5000,Pay,100'];
    const send = async (header: string, row = 'Musa Bello,GTB,0123456786,9000,Pay,6000') =>
      create(merchant, { name: 'two.csv', content: [...first, 'Teachers', header, row].join('\n') });
    for (const header of [
      'Name,Bank,NUBAN,Gross Pay,Remarks,Net Pay',
      'Name,Bank,NUBAN,Basic,Remarks,Net Pay',
      'Name,Bank,NUBAN,,Remarks,Net Pay',
      'Staff Name,Account No,Bank,Net Pay,Remarks,Loan',
    ]) {
      const { status, body } = await send(header);
      expect([header, status, body.code]).toEqual([header, 400, 'FILE_HEADER_WRONG']);
      expect(body.problems).toMatchObject([{ code: 'HEADER_CHANGES', params: { row: 4 } }]);
    }
    for (const header of [first[0] as string, 'Employee,Bankers,Account No,Net Salary,Narration,Advance']) {
      expect((await send(header)).body).toMatchObject({ status: true });
    }
    const content = [...first, 'Name,Bank,NUBAN,Gross Pay,Remarks,Net Pay'].join('\n');
    const { data } = await preview(merchant, { name: 'two.csv', content });
    expect([data.isReady, codes(data.problems)]).toEqual([false, ['HEADER_CHANGES']]);
  });

  it('may do without a header, and takes a row that was left out back', async () => {
    const merchant = await fixture.addMerchant();
    const file: Sent = {
      name: 'bare.csv',
      content: 'Ada,GTB,0123456785,100\nTotal Ltd,GTB,,250.50\nTotal,,,350.50\n',
    };
    const fields = {
      headerRow: '0',
      mapping: JSON.stringify({ A: 'accountName', B: 'bankName', C: 'accountNumber', D: 'amount' }),
      defaults: JSON.stringify({ narration: 'Pay' }),
    };
    const seen = await preview(merchant, file, fields);
    expect(seen.data.understood.leftOut).toEqual([
      { row: 2, reason: 'TOTAL', text: 'Total Ltd · GTB · 250.50', couldBePayment: true },
      { row: 3, reason: 'TOTAL', text: 'Total · 350.50', couldBePayment: false },
    ]);
    const made = await create(merchant, file, { ...fields, includeRows: '[2]' });
    expect(made.body.data.understood).toMatchObject({ rowsRead: 2, leftOutRows: 1, total: 350.5 });
    expect(made.body.data.warnings).toContain('1 row was left out, because it is no payment: row 3 "Total · 350.50".');
  });
});

describe('a preview', () => {
  it('of a JSON list, short or long, says what is wrong with its rows and makes nothing', async () => {
    const merchant = await fixture.addMerchant();
    const before = await kept(merchant);
    for (const count of [3, 2_000]) {
      const rows = items(count, { narration: 'A narration that makes the body longer than it has to be' });
      const reply = await merchant.call('POST', '/payout/bulk/preview', {
        items: [...rows, { amount: -1.5, bankCode: '9', accountNumber: '1', narration: '' }],
        controlCount: 7,
      });
      expect(reply.body.data).toMatchObject({ understood: null, isReady: false, validRows: count });
      expect(codes(reply.body.data.problems)).toEqual(['CONTROL_COUNT_DIFFERS']);
      expect(codes(reply.body.data.rowProblems).sort()).toEqual([
        'ACCOUNT_NUMBER_NOT_TEN_DIGITS',
        'AMOUNT_NOT_POSITIVE',
        'BANK_NOT_FOUND',
        'NARRATION_MISSING',
      ]);
    }
    expect(await kept(merchant)).toBe(before);
  });

  it('of 2,000 rows counts them all and names twenty of each kind', async () => {
    const merchant = await fixture.addMerchant();
    const lines = Array.from({ length: 2_000 }, (_, at) => `Total,,,x${at},,`);
    const long = await preview(merchant, { name: 'long.csv', content: csvOf(2_000) });
    expect(long.data).toMatchObject({ isReady: true, validRows: 2_000, understood: { rowsRead: 2_000 } });
    const totals = await preview(merchant, {
      name: 'totals.csv',
      content: `${HEADER}\n${lines.join('\n')}\n`,
    });
    expect(totals.data.understood.leftOutRows).toBe(2_000);
    expect(totals.data.understood.leftOut).toHaveLength(100);
    expect(codes(totals.data.problems)).toEqual(['NO_PAYMENTS']);
    const bad = await preview(merchant, {
      name: 'bad.csv',
      content: `${HEADER}\n${'x,Nowhere,123456,A,\n'.repeat(1_000)}`,
    });
    expect(
      bad.data.rowProblems.every(
        ({ count, rows }: { count: number; rows: number[] }) => count === 1_000 && rows.length === 20,
      ),
    ).toBe(true);
  });
});

describe('an amount with kobo', () => {
  it('is kept to the kobo from the list to the result, however it is sent, and finer ones are refused', async () => {
    const merchant = await fixture.addMerchant();
    const row = { bankCode: '058', narration: 'Kobo' };
    const rows = [0.01, 1_500.5, 0.1 + 0.7, 1_234.56].map((amount, at) => ({
      ...row,
      amount: Number(amount.toFixed(2)),
      accountNumber: `012345678${at}`,
    }));
    const made = await merchant.call('POST', '/payout/bulk', { items: rows, controlTotal: 2_735.87 });
    expect(made.status, made.text).toBe(200);
    await lookAtBatches(fixture.deps);
    const reference = made.body.data.batchReference;
    const summary = (await merchant.call('GET', `/payout/bulk/${reference}`)).body.data;
    expect(summary.totals.amount).toBe(2_735.87);
    const [first] = await itemsOf(merchant, reference);
    const id = (first as unknown as { id: string }).id;
    const patched = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: id, amount: 99.99 });
    expect(patched.body.data.item.amount).toBe(99.99);
    for (const amount of [1.005, 0.001, -2.505]) {
      const finer = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: id, amount });
      expect([finer.status, finer.body.errors[0]]).toEqual([
        400,
        { field: 'amount', message: 'must have at most two decimals' },
      ]);
    }
    const finer = await merchant.call('POST', '/payout/bulk', { items: [...rows, { ...rows[0], amount: 1.005 }] });
    expect([finer.status, finer.body.errors[0].field]).toEqual([400, 'items.4.amount']);

    const before = await merchant.balance();
    const quoted = (await merchant.call('GET', `/payout/bulk/${reference}`)).body.data;
    expect(quoted.totals.amount).toBe(2_835.85);
    const dispatched = await dispatchOf(merchant, reference, { digest: quoted.digest });
    expect(dispatched.status, dispatched.text).toBe(200);
    await fixture.worker.runOnce();
    const ended = (await merchant.call('GET', `/payout/bulk/${reference}`)).body.data;
    expect([ended.status, ended.totals]).toEqual(['COMPLETED', quoted.totals]);
    const left = before.bookedMinor - (await merchant.balance()).bookedMinor;
    expect(left).toBe(BigInt(Math.round(quoted.totals.total * 100)));
    const result = await fixture.server.inject({
      url: `/payout/bulk/${reference}/result.csv`,
      headers: { authorization: `Bearer ${merchant.secretKey}` },
    });
    const amounts = result.body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);
    expect(amounts).toEqual(['99.99', '1500.50', '0.80', '1234.56']);
    await expectCountersToBeTrue(fixture);
  });
});

describe('a template', () => {
  const get = (merchant: Merchant, kind: string) =>
    fixture.server.inject({
      url: `/payout/bulk/template.${kind}`,
      headers: { authorization: `Bearer ${merchant.secretKey}` },
    });

  it('has the columns of the last file, and what is filled in under them is understood', async () => {
    const merchant = await fixture.addMerchant();
    expect((await get(merchant, 'csv')).body).toBe(
      '\ufeffAccount Name,Bank Name,Account Number,Amount,Narration,Phone Number\r\n',
    );
    await create(
      merchant,
      { name: 'a.csv', content: 'Staff,"=Bank",NUBAN,Take Home,Dept\nAda,GTB,0123456785,5,Ops\n' },
      {
        defaults: JSON.stringify({ narration: 'Pay' }),
      },
    );
    const csv = (await get(merchant, 'csv')).body;
    expect(csv).toBe("\ufeffStaff,'=Bank,NUBAN,Take Home,Dept\r\n");
    const filled = await preview(merchant, { name: 'b.csv', content: `${csv}Ada,GTB,0123456785,5.50,Ops\r\n` });
    expect(filled.data.understood.mappingFrom).toBe('REMEMBERED');
    const workbook = (await get(merchant, 'xlsx')).rawPayload;
    const empty = await preview(merchant, { name: 'c.xlsx', content: workbook });
    expect([empty.status, empty.body.code]).toEqual([400, 'FILE_EMPTY']);
  });
});
