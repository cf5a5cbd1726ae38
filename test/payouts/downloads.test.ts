import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEADER, upload } from '../support/files.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, PIN, untilQuiet } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

async function make(merchant: Merchant, content: string): Promise<string> {
  const reply = await upload(fixture.server, merchant.secretKey, { name: 'list.csv', content });
  expect(reply.body).toMatchObject({ status: true });
  await fixture.worker.runOnce();
  return reply.body.data.batchReference;
}

async function download(merchant: Merchant, reference: string, file: string) {
  const answer = await fixture.server.inject({
    method: 'GET',
    url: `/payout/bulk/${reference}/${file}`,
    headers: { authorization: `Bearer ${merchant.secretKey}` },
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true });

describe('the file of rejected rows', () => {
  it('has each row that cannot be paid as it was given, with the reason, and nothing that a spreadsheet would run', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await make(
      merchant,
      [
        `${HEADER},Phone`,
        '1500,058,0123456785,Ada,Rent,',
        'a lot,058,0123456785,Ada,"=HYPERLINK(""http://evil.example"")",08012345678',
        '5,First,0123456785,@Ada,+Rent,',
        '7,058,12345678,,Rent,',
      ].join('\n'),
    );
    const { status, headers, text } = await download(merchant, reference, 'rejected.csv');
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="${reference}-rejected.csv"`,
    ]);
    expect(text.startsWith('\ufeffRow,Amount,Bank Code,')).toBe(true);
    const rows = rowsOf(text);
    expect(rows.map((row) => row['Row'])).toEqual(['3', '4', '5']);
    expect(rows[0]).toMatchObject({
      Amount: 'a lot',
      'Bank Code': '="058"',
      'Account Number': '="0123456785"',
      Narration: `'=HYPERLINK("http://evil.example")`,
      'Phone Number': '="08012345678"',
      Reason: expect.stringMatching(/"a lot" cannot be paid as it is written/),
      Warnings: expect.stringMatching(/"a lot" is not a number/),
      Codes: 'AMOUNT_NOT_WHOLE_NAIRA AMOUNT_UNREADABLE',
    });
    expect(rows[1]).toMatchObject({ 'Bank Code': 'First', 'Account Name': "'@Ada", Narration: "'+Rent" });
    expect(rows[1]?.['Reason']).toMatch(/no bank called "First"/);
  });

  it('can be uploaded again as it is, and once corrected can be paid', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await make(
      merchant,
      [HEADER, 'a lot,058,0123456785,Ada,=Rent', '9,044,12345,Okafor,Rent', '-5,058,0123456785,Ada,Rent'].join('\n'),
    );
    const { text } = await download(merchant, reference, 'rejected.csv');
    const again = await make(merchant, text);
    const second = await download(merchant, again, 'rejected.csv');
    const facts = ({ Reason, Warnings, Codes, Row, ...row }: Record<string, string>) => row;
    expect(rowsOf(second.text).map(facts)).toEqual(rowsOf(text).map(facts));
    const corrected = await make(
      merchant,
      text.replace('a lot', '1500').replace('12345"', '0123456785"').replace(',-5,', ',5,'),
    );
    const summary = await merchant.call('GET', `/payout/bulk/${corrected}`);
    expect(summary.body.data).toMatchObject({ status: 'READY', counts: { valid: 3, invalid: 0 } });
    const { body } = await merchant.call('GET', `/payout/bulk/${corrected}/item`);
    expect(body.data.records[0]).toMatchObject({ amount: 1500, narration: '=Rent', accountNumber: '0123456785' });
  });
});

describe('the file of results', () => {
  it('has every row with what became of it, before and after the dispatch', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await make(
      merchant,
      [
        HEADER,
        '20000,058,0123456785,Ada,Rent',
        // The sandbox refuses accounts that end so.
        '6000,058,0009999905,Obi,Rent',
        'x,058,0123456785,Ada,Rent',
      ].join('\n'),
    );
    const before = rowsOf((await download(merchant, reference, 'result.csv')).text);
    expect(before.map((row) => row['Status'])).toEqual(['VALID', expect.stringMatching(/VALID/), 'INVALID']);
    const sent = await merchant.call('POST', '/payout/bulk/dispatch', {
      pin: PIN,
      batchReference: reference,
      skipInvalid: true,
    });
    expect(sent.body.status).toBe(true);
    const held = rowsOf((await download(merchant, reference, 'result.csv')).text);
    expect(held[0]).toMatchObject({ Status: 'QUEUED', Fee: '' });
    await untilQuiet(fixture);
    const rows = rowsOf((await download(merchant, reference, 'result.csv')).text);
    expect(rows[0]).toMatchObject({
      Row: '2',
      Amount: '20000',
      'Account Number': '="0123456785"',
      'Account Name': 'Ada',
      'Name at the Bank': expect.stringMatching(/\w/),
      Status: 'SUCCESS',
      Fee: '25.00',
      VAT: '1.88',
      'Transaction ID': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'Session ID': expect.stringMatching(/^="\d+"$/),
      'Paid At (UTC)': expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(rows[2]).toMatchObject({ Status: 'INVALID', Fee: '', 'Transaction ID': '', 'Paid At (UTC)': '' });
    expect(rows).toHaveLength(3);
  });

  it('has charges of what was paid alone, which add up to what the page says was charged', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await make(
      merchant,
      // Of the sandbox's accounts the second is declined, the third returned once it is paid, and the fourth pending.
      [
        HEADER,
        ...['0123456785', '0009999911', '0009999935', '0006999934'].map((to) => `20000,058,${to},Ada,Rent`),
      ].join('\n'),
    );
    const sent = await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference: reference });
    expect(sent.body.status).toBe(true);
    await untilQuiet(fixture);
    fixture.clock.advance(60_000);
    await untilQuiet(fixture);
    const rows = rowsOf((await download(merchant, reference, 'result.csv')).text);
    const charges = rows.map((row) => [row['Status'], row['Fee'], row['VAT'], row['Stamp Duty']]);
    expect(charges).toEqual([
      ['SUCCESS', '25.00', '1.88', '50.00'],
      ['FAILED', '', '', ''],
      ['REVERSED', '', '', ''],
      ['PROCESSING', '', '', ''],
    ]);
    const { body } = await merchant.call('GET', `/payout/bulk/${reference}/outcome`);
    expect(body.data.wallet.net.charges).toBe(25 + 1.88 + 50);
  });

  it('goes on from page to page to the last row', async () => {
    const merchant = await fixture.addMerchant();
    const lines = Array.from({ length: 2_345 }, (_, at) => `0,058,${1_000_000_000 + at},Ada,Row ${at}`);
    const reply = await upload(fixture.server, merchant.secretKey, {
      name: 'list.csv',
      content: [HEADER, ...lines].join('\n'),
    });
    const reference = reply.body.data.batchReference;
    const rows = rowsOf((await download(merchant, reference, 'result.csv')).text);
    expect(rows.map((row) => row['Row'])).toEqual(lines.map((_, at) => String(at + 2)));
    expect(new Set(rows.map((row) => row['Status']))).toEqual(new Set(['NOT_VALIDATED']));
    expect(rowsOf((await download(merchant, reference, 'rejected.csv')).text)).toEqual([]);
  });
});

describe('a download', () => {
  it('is the owner’s alone', async () => {
    const [merchant, stranger] = await Promise.all([fixture.addMerchant(), fixture.addMerchant()]);
    const reference = await make(merchant, `${HEADER}\n5,058,0123456785,Ada,Rent\n`);
    for (const file of ['rejected.csv', 'result.csv']) {
      const reply = await download(stranger, reference, file);
      expect([reply.status, JSON.parse(reply.text).code]).toEqual([404, 'BATCH_NOT_FOUND']);
      expect((await download(merchant, reference, file)).status).toBe(200);
    }
  });
});
