import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';

let t: TestApp;
let ada: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  ada = await signedInOperator(t);
});
afterAll(() => t.close());

const PERIOD = 'firstDay=2020-01-01&lastDay=2100-01-01';
const file = () => ada.call('GET', `/operator/large-transaction.csv?mode=SANDBOX&${PERIOD}`);

async function pay(accountNumber: string, amount: number, scenario = 'success'): Promise<void> {
  const payment = {
    bankCode: '058',
    accountNumber,
    amount,
    narration: 'Rent',
    pin: t.merchant.pin,
    allowDuplicate: true,
  };
  const headers = { ...bearer(t.merchant.secretKey), 'x-sandbox-scenario': scenario };
  const reply = await t.call('POST', '/payout/single', payment, headers);
  if (reply.status !== 200) throw new Error(reply.text);
}

describe('the list of large transactions', () => {
  it('needs a threshold, and has exactly what is at or above it, with who paid whom', async () => {
    expect((await file()).body.code).toBe('REPORT_THRESHOLD_NOT_FOUND');
    const threshold = { individual: 1_000, corporate: 2_000, reason: 'The law of 2022, section 11' };
    expect((await ada.call('POST', '/operator/report-threshold', threshold)).status).toBe(200);
    await pay('0123456785', 1_999.99);
    await pay('0123456785', 2_000);
    await t.app.worker.runOnce();
    const rows: Record<string, string>[] = parse((await file()).text, { columns: true, bom: true });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      Direction: 'OUT',
      Amount: '2000.00',
      Threshold: '2000.00',
      'Payee Account Number': '="0123456785"',
    });
    expect(rows[0]?.['Session ID']).not.toBe('');
    const { rows: noted } = await t.database.pool.query(
      `select count(*)::int as count from audit_entries where action like '%large-transaction%' and outcome = 'DONE'`,
    );
    expect(noted[0].count).toBeGreaterThan(0);
  });

  it('has a payout that came back later, and goes by the threshold that was in force when it was paid', async () => {
    await pay('0123456785', 2_500, 'late-reversal');
    await t.app.worker.runOnce();
    await t.call('POST', '/sandbox/clock/advance', { seconds: 60 }, bearer(t.merchant.secretKey));
    await t.app.worker.runOnce();
    const { rows: returned } = await t.database.pool.query(
      `select count(*)::int as count from transactions where status = 'REVERSED'`,
    );
    expect(returned).toEqual([{ count: 1 }]);
    t.clock.advance(60_000);
    const lower = { individual: 500, corporate: 500, reason: 'The law of 2027, section 11' };
    expect((await ada.call('POST', '/operator/report-threshold', lower)).status).toBe(200);
    await pay('0123456785', 600);
    await t.app.worker.runOnce();
    const rows: Record<string, string>[] = parse((await file()).text, { columns: true, bom: true });
    expect(rows.map(({ Amount, Threshold }) => [Amount, Threshold])).toEqual([
      ['2000.00', '2000.00'],
      ['2500.00', '2000.00'],
      ['600.00', '500.00'],
    ]);
  });
});
