import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { providerFormat } from '../../src/provider-settlements/read-line.ts';
import { readMoment } from '../../src/reconciliation/file-moment.ts';
import { hashFile, readFile } from '../../src/reconciliation/read-file.ts';
import { payoutFormat, type SettlementLine } from '../../src/reconciliation/read-line.ts';
import { codeOf, collected, openText } from './files.ts';

const OURS = '0193a4b27c117d2e9f005f3a1c2b4d6e';

async function linesOf(text: string, amountsInKobo = false): Promise<SettlementLine[]> {
  const open = openText(text);
  return (
    await collected(readFile(open, { hash: await hashFile(open), format: payoutFormat({ amountsInKobo }) }))
  ).flat();
}

const only = async (text: string, amountsInKobo = false) => (await linesOf(text, amountsInKobo))[0];

describe('a settlement file', () => {
  it.each([
    // The field names that Paystack documents for a transfer.
    [
      'paystack',
      `transfer_code,reference,amount,currency,status,transferred_at\nTRF_1,${OURS},1500.50,NGN,success,2026-11-20T09:30:00.000Z`,
    ],
    // Flutterwave's.
    [
      'flutterwave',
      `id,account_number,reference,currency,amount,fee,status,complete_message,created_at\n7,0690000040,${OURS},NGN,1500.5,10.75,SUCCESSFUL,Successful,2026-11-20T09:30:00.000Z`,
    ],
    // Monnify's: its own reference stands beside ours.
    [
      'monnify',
      `transactionReference,reference,sessionId,amount,transactionStatus,createdOn\nMFDS1,${OURS},090405261120093000000000000001,"1,500.50",SUCCESS,2026-11-20T09:30:00.000+0000`,
    ],
    [
      'a bank statement',
      `STATEMENT OF ACCOUNT\nAccount,0123456789\n\nTransaction Date;Reference;Debit;Credit\n20/11/2026 10:30;${OURS.toUpperCase()};1,500.50;`,
    ],
    [
      'tabs and a byte order mark',
      `\ufeffReference\tAmount (₦)\tDate\tStatus\n'0193a4b2-7c11-7d2e-9f00-5f3a1c2b4d6e\t₦1,500.50\t20-Nov-2026 10:30\tPaid`,
    ],
    [
      'kobo by the column’s name',
      `Reference,Amount (kobo),Date,Status\n${OURS},150050,"Nov 20, 2026 10:30 AM",Completed`,
    ],
    [
      'semicolons below a title with more commas',
      `Transfers of Ada, Bola, Chidi and Sons, Lagos, Nigeria, on 20 November\nReference;"Amount";Date;Status\n${OURS};1,500.50;20/11/2026 10:30;Paid`,
    ],
    [
      'tabs beside narrations full of commas',
      `Reference\tAmount\tDate\tStatus\tNarration\n${OURS}\t1,500.50\t20/11/2026 10:30\tPaid\trice, beans, yam, oil, salt, fish, soap`,
    ],
    ['carriage returns', `Reference,Amount,Date,Status\r\n${OURS},1500.50,2026-11-20 10:30:00,successful\r\n`],
  ])('of %s is understood', async (_name, text) => {
    expect(await only(text)).toMatchObject({
      reference: OURS,
      amountMinor: 150_050n,
      currency: 'NGN',
      kind: 'PAID',
      occurredAt: { at: new Date('2026-11-20T09:30:00Z'), wholeDay: false },
      problem: null,
    });
  });

  it('counts kobo in a plain amount column only where an option says so', async () => {
    const text = `reference,amount,date,status\n${OURS},150050,2026-11-20,success`;
    expect([(await only(text))?.amountMinor, (await only(text, true))?.amountMinor]).toEqual([15_005_000n, 150_050n]);
  });

  it.each([
    ['success', '', 'PAID'],
    ['Successful', 'debit', 'PAID'],
    ['success', 'CREDIT', 'REVERSED'],
    ['Reversed', '', 'REVERSED'],
    ['failed', 'DR', 'FAILED'],
    ['', 'CR', 'REVERSED'],
    ['', 'DR', 'PAID'],
    ['pending', '', 'UNCLEAR'],
    ['otp', '', 'UNCLEAR'],
    ['success?', 'x', 'PAID'],
    ['not successful', '', 'UNCLEAR'],
    ['unsuccessful', '', 'UNCLEAR'],
  ])('says with status "%s" and type "%s" that a transfer is %s', async (status, type, kind) => {
    const text = `reference,amount,date,status,type\n${OURS},1,2026-11-20,${status},${type}`;
    expect((await only(text))?.kind).toBe(kind);
  });

  it('reads nothing of a line of a statement that names both sides, or takes a credit back', async () => {
    const rows = ['100,50', ',-100', ',(100)', '-100,', '-100,0.00'].map((sides) => `${OURS},${sides},2026-11-20`);
    const lines = await linesOf(['reference,debit,credit,date', ...rows].join('\n'));
    expect(lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['UNCLEAR', null],
      ['UNCLEAR', null],
      ['UNCLEAR', null],
      ['PAID', 10_000n],
      ['PAID', 10_000n],
    ]);
  });

  it('tells payments from returns by the side of a statement', async () => {
    const lines = await linesOf(
      `reference,debit,credit,date\n${OURS},100,,2026-11-20\n${OURS},,100.00,2026-11-21\n${OURS},0.00,100,2026-11-21`,
    );
    expect(lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['PAID', 10_000n],
      ['REVERSED', 10_000n],
      ['REVERSED', 10_000n],
    ]);
  });

  it.each([
    ['its amount', `${OURS},,1.234,2026-11-20,success,NGN`],
    ['its amount', `${OURS},,1e3,2026-11-20,success,NGN`],
    ['its amount', `${OURS},,"1500,50",2026-11-20,success,NGN`],
    ['its date', `${OURS},,10,2026-02-31,success,NGN`],
    ['neither a reference nor', `,,10,2026-11-20,success,NGN`],
  ])('keeps a line that cannot be compared, and says that it is %s', async (why, row) => {
    const line = await only(`reference,session id,amount,date,status,currency\n${row}`);
    expect(line?.problem).toContain(why);
  });

  it('keeps the currency, the account and the bank that a line names, for the comparison', async () => {
    const header = 'reference,amount,date,status,currency,destination account number,destination bank code';
    const line = await only(`${header}\n${OURS},10,2026-11-20,success,ghs,'0123456785,058`);
    expect(line).toMatchObject({ currency: 'GHS', accountNumber: '0123456785', bankCode: '058', problem: null });
  });

  it('names lines as the file has them', async () => {
    const lines = await linesOf(
      `Account,1\n\nreference,amount,date,status\na,1,2026-11-20,paid\n\nb,1,2026-11-20,paid`,
    );
    expect(lines.map(({ reference, lineNumber }) => [reference, lineNumber])).toEqual([
      ['a', 4],
      ['b', 6],
    ]);
  });
});

describe('a poisoned settlement file', () => {
  it.each([
    ['an empty file', '', 'SETTLEMENT_HEADER_UNKNOWN'],
    ['no header', `${OURS},100,2026-11-20,success\n`.repeat(30), 'SETTLEMENT_HEADER_UNKNOWN'],
    ['a header that names no amount', `reference,date,status\n${OURS},2026-11-20,success`, 'SETTLEMENT_HEADER_UNKNOWN'],
    [
      'an unclosed quote',
      `reference,amount,date,status\n"${OURS},100,2026-11-20,success`,
      'SETTLEMENT_FILE_UNREADABLE',
    ],
    [
      'a line of a megabyte',
      `reference,amount,date,status\n${'x'.repeat(1_000_000)},1,2026-11-20,paid`,
      'SETTLEMENT_FILE_UNREADABLE',
    ],
    ['a spreadsheet under the wrong name', 'PK\u0003\u0004\u0000\u0000', 'SETTLEMENT_FILE_UNREADABLE'],
    ['a picture under the wrong name', '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR', 'SETTLEMENT_FILE_UNREADABLE'],
  ])('with %s is refused in words', async (_name, text, code) => {
    expect(await codeOf(linesOf(text))).toBe(code);
  });

  it.each([
    ['a line feed among carriage returns', '\r\n', '\n'],
    ['a carriage return among line feeds', '\n', '\r'],
    ['a pair of them among line feeds', '\n', '\r\n'],
  ])('has every line also where %s ends one, as in two files that were put together', async (_name, usual, odd) => {
    const text = [
      'reference,amount,date,status,note',
      `a,1,2026-11-20,paid,x${odd}b,2,2026-11-20,paid,y`,
      'c,3,2026-11-20,paid,z',
    ];
    const lines = await linesOf(text.join(usual));
    expect(lines.map(({ lineNumber, reference, amountMinor }) => [lineNumber, reference, amountMinor])).toEqual([
      [2, 'a', 1_00n],
      [3, 'b', 2_00n],
      [4, 'c', 3_00n],
    ]);
  });

  it.each([['a line of separators alone', `reference,amount,date,status\n${','.repeat(70_000)}`]])(
    'with %s is refused',
    async (_name, text) => {
      expect(await codeOf(linesOf(text))).toBe('SETTLEMENT_FILE_UNREADABLE');
    },
  );

  it('with a NUL in a cell, which no database keeps, is refused', async () => {
    const text = `\ufeffreference,amount,date,status\nx\u0000,1,2026-11-20,paid`;
    const open = () => Readable.from([Buffer.from(text, 'utf16le')]);
    const format = payoutFormat({ amountsInKobo: false });
    expect(await codeOf(collected(readFile(open, { hash: await hashFile(open), format })))).toBe(
      'SETTLEMENT_FILE_UNREADABLE',
    );
  });

  it('takes no comma for one between thousands that is none, since 7,50 is not 750', async () => {
    const amountOf = async (amount: string, inKobo = false) =>
      (await only(`reference;amount;date;status\n${OURS};"${amount}";2026-11-20;paid`, inKobo))?.amountMinor;
    for (const amount of ['7,50', '1500,50', '1,500,50', '1.500,50', '1,2345', ',500']) {
      expect(await amountOf(amount), amount).toBeNull();
    }
    expect(await amountOf('150,05', true)).toBeNull();
    expect(await amountOf('150,050', true)).toBe(150_050n);
    expect(await amountOf('₦9,999,999,999,999.99')).toBe(999_999_999_999_999n);
  });

  it('ends nothing by a word that only the language knows', async () => {
    expect(await only(`reference,amount,date,status\n${OURS},1,2026-11-20,constructor`)).toMatchObject({
      kind: 'UNCLEAR',
    });
  });

  it('that is a workbook gets what to do with it, and shows nothing of its bytes', async () => {
    await expect(linesOf('PK\u0003\u0004\u0000\u0000mimetype')).rejects.toThrow(/Save it as CSV there/);
    await expect(linesOf('PK\u0003\u0004\u0000\u0000mimetype')).rejects.not.toThrow(/mimetype/);
  });

  it('of more than half a million lines is refused without being kept in memory', async () => {
    const row = Buffer.from('1\n'.repeat(1_000));
    const open = () =>
      Readable.from(
        (function* () {
          yield Buffer.from('reference\n');
          for (let thousand = 0; thousand < 501; thousand += 1) yield row;
        })(),
      );
    // What is in the lines counts for nothing here.
    const format = { needed: [], readHeader: () => ({}), readLine: () => null };
    let taken = 0;
    const drain = async () => {
      for await (const piece of readFile(open, { hash: '', format })) taken += piece.length;
    };
    expect(await codeOf(drain())).toBe('SETTLEMENT_FILE_TOO_LONG');
    expect(taken).toBe(500_000);
  });

  it('that changes while it is read is refused', async () => {
    const texts = [
      'reference,amount,date,status\na,1,2026-11-20,paid',
      'reference,amount,date,status\na,2,2026-11-20,paid',
    ];
    const hash = await hashFile(openText(texts[0] as string));
    const read = collected(
      readFile(openText(texts[1] as string), { hash, format: payoutFormat({ amountsInKobo: false }) }),
    );
    expect(await codeOf(read)).toBe('SETTLEMENT_FILE_CHANGED');
  });
});

describe('a line of what a provider settled', () => {
  async function lineOf(gross: string, fee = '0', type = '', mode = '') {
    const open = openText(`id;gross;fee;type;mode\nA1;${gross};${fee};${type};${mode}`);
    const format = providerFormat({ amountsInKobo: false });
    return (await collected(readFile(open, { hash: await hashFile(open), format }))).flat()[0];
  }

  it.each(['-500.00', '500.00-', '500.00 -', '(500.00)', '₦-500', '-₦500', '- 500'])(
    'takes where it says %s',
    async (gross) => {
      expect(await lineOf(gross)).toMatchObject({ grossMinor: -500_00n, netMinor: -500_00n, deduction: 'OTHER' });
    },
  );

  it.each(['1-500', '(500', '500)', '₦(500)', '7,50', '2026-11-20'])('of %s has no amount', async (gross) => {
    expect(await lineOf(gross)).toMatchObject({ grossMinor: null, result: 'UNREADABLE' });
  });

  it('has no fee of 750 where it says 7,50', async () => {
    expect(await lineOf('1500', '7,50')).toMatchObject({ feeMinor: null, result: 'UNREADABLE' });
  });

  it('is of no type and no mode that only the language knows', async () => {
    expect(await lineOf('500', '0', 'constructor', 'constructor')).toMatchObject({
      deduction: null,
      lineMode: null,
      result: null,
    });
  });
});

describe('a date', () => {
  it.each([
    ['2026-11-20', '2026-11-19T23:00:00.000Z'],
    ['20/11/2026', '2026-11-19T23:00:00.000Z'],
    ['03/04/2026', '2026-04-02T23:00:00.000Z'],
    ['2026-11-20 10:30', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T10:30:15.123456+01:00', '2026-11-20T09:30:15.123Z'],
    ['2026-11-20T10:30:00Z', '2026-11-20T10:30:00.000Z'],
    ['2026-11-20T10:30:00.000+0000', '2026-11-20T10:30:00.000Z'],
    ['20 November 2026 10:30 PM', '2026-11-20T21:30:00.000Z'],
    ['Nov 20, 2026, 12:05 am', '2026-11-19T23:05:00.000Z'],
    ['Nov 20th, 2026', '2026-11-19T23:00:00.000Z'],
    ['20-NOV-2026 10:30:00 WAT', '2026-11-20T09:30:00.000Z'],
    ['20/11/26', '2026-11-19T23:00:00.000Z'],
    ['20-Nov-26 10:30', '2026-11-20T09:30:00.000Z'],
    ['31/02/2026', undefined],
    ['31/02/26', undefined],
    ['20/11/026', undefined],
    ['11/20/2026', undefined],
    ['2026-13-01', undefined],
    ['0026-11-20', undefined],
    ['20/11/0026', undefined],
    ['2026-11-20 25:00', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ])('%s is read in Lagos time unless it says another zone', (text, moment) => {
    expect(readMoment(text)?.at.toISOString()).toBe(moment);
  });
});
