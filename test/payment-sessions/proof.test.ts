import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDueSessions } from '../../src/payment-sessions/ask-provider.ts';
import { type CollectionFixture, createCollectionFixture } from '../collections/fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { openedSession } from './support.ts';

const NUMBER = '9000000027';
let fixture: CollectionFixture;
let ids: { paid: string; partly: string; open: string };

beforeAll(async () => {
  fixture = await createCollectionFixture();
  const [paid, partly, open] = [
    await openedSession(fixture),
    await openedSession(fixture),
    await openedSession(fixture),
  ];
  await paid.pay(100_00n);
  await partly.pay(40_00n);
  ids = { paid: paid.sessionId, partly: partly.sessionId, open: open.sessionId };
  expect(await brokenChecks(fixture.database)).toEqual([]);
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

/** The checks that fail in books in which somebody wrote past the ledger; then they are as before. */
async function foundAfter(table: string, sql: string): Promise<string[]> {
  const { pool } = fixture.database;
  await pool.query(`create table kept as select * from ${table}`);
  await pool.query(sql);
  const found = (await brokenChecks(fixture.database)).map(({ name }) => name);
  await pool.query(`delete from ${table}`);
  await pool.query(`insert into ${table} select * from kept`);
  await pool.query('drop table kept');
  return found;
}

describe('the proof of the books', () => {
  it.each([
    ['a session paid by nothing', `update payment_sessions set status = 'PAID', paid_at = now() where id = :open`],
    ['a paid session whose state is OPEN', `update payment_sessions set status = 'OPEN' where id = :paid`],
    ['more received than came', 'update payment_sessions set received_minor = received_minor + 1 where id = :partly'],
    [
      'less to pay than was asked',
      'update payment_sessions set amount_minor = 1, payable_minor = 1 where id = :partly',
    ],
    ['a reference that was changed', `update payment_sessions set reference = 'OTHER' where id = :open`],
    ['a version that nobody took', 'update payment_sessions set version = 9 where id = :open'],
    [
      'a session of another wallet',
      `update payment_sessions set wallet_id = '${crypto.randomUUID()}' where id = :paid`,
    ],
    ['a session at another provider', `update payment_sessions set rail = 'sandbox' where id = :open`],
    ['a session that is gone', 'delete from payment_sessions where id = :paid'],
    ['a rule that was changed', `update payment_sessions set amount_rule = 'ANY' where id = :partly`],
  ])('finds %s', async (_what, sql) => {
    const put = sql.replaceAll(/:(\w+)/g, (_all, name: keyof typeof ids) => `'${ids[name]}'`);
    expect(await foundAfter('payment_sessions', put)).not.toEqual([]);
  });

  it.each([
    ['a payment that is not counted', 'delete from payment_session_payments where session_id = :partly'],
    ['a payment of another amount', 'update payment_session_payments set amount_minor = 1 where session_id = :partly'],
    [
      'a payment of another session',
      'update payment_session_payments set session_id = :open where session_id = :partly',
    ],
    ['a note that nobody made', `update payment_session_payments set note = 'LATE' where session_id = :paid`],
    ['a payment at another version', 'update payment_session_payments set version = 7 where session_id = :paid'],
    ['a payment at another time', 'update payment_session_payments set received_at = now() where session_id = :paid'],
  ])('finds %s', async (_what, sql) => {
    const put = sql.replaceAll(/:(\w+)/g, (_all, name: keyof typeof ids) => `'${ids[name]}'`);
    expect(await foundAfter('payment_session_payments', put)).not.toEqual([]);
  });

  it.each([
    ['a number that leads nowhere', 'delete from receiving_numbers where virtual_account_id = :open'],
    [
      'a number that leads to another wallet',
      `update receiving_numbers set wallet_id = '${crypto.randomUUID()}' where virtual_account_id = :open`,
    ],
  ])('finds %s', async (_what, sql) => {
    const put = sql.replaceAll(/:(\w+)/g, (_all, name: keyof typeof ids) => `'${ids[name]}'`);
    expect(await foundAfter('receiving_numbers', put)).toEqual(['numbers-of-sessions-lead-to-them']);
  });

  it('finds a session that shows another number than its own', async () => {
    const sql = `update payment_session_accounts set account_number = '1111111111' where session_id = '${ids.open}'`;
    expect(await foundAfter('payment_session_accounts', sql)).toContain('numbers-of-sessions-lead-to-them');
    const gone = `delete from payment_session_accounts where session_id = '${ids.open}'`;
    expect(await foundAfter('payment_session_accounts', gone)).toContain('numbers-of-sessions-lead-to-them');
  });

  it('finds a session, paid in part while it was being opened, that was reported as opened alone', async () => {
    const { deps, script, database } = fixture;
    script.nextOneTime.push(async () => ({
      ...{ code: '00', reason: null, message: 'Done', at: fixture.clock.now() },
      outcome: 'unknown',
    }));
    const { reference, sessionId, ...merchant } = await openedSession(fixture);
    await database.pool.query(
      `insert into receiving_numbers (rail, account_number, virtual_account_id, merchant_id, mode, wallet_id, opened_at)
       values ('scripted-bank', $1, $2, $3, 'LIVE', $4, now())`,
      [NUMBER, sessionId, merchant.merchantId, merchant.wallet.id],
    );
    script.oneTime.set(reference, [
      { bankCode: '035', bankName: 'Wema Bank', accountNumber: NUMBER, accountName: 'ADA' },
    ]);
    await fixture.takeWebhook(script.receive({ accountNumber: NUMBER, amountMinor: 30_00n }));
    fixture.clock.advance(6_000);
    expect(await openDueSessions(deps, 'LIVE')).toBe(1);
    expect(await brokenChecks(database)).toEqual([]);
    const partly = `type = 'payment_session.partially_paid' and subject_id = '${sessionId}'`;
    const other = `update event_rows set type = 'payment_session.opened' where ${partly}`;
    expect(await foundAfter('event_rows', other)).toContain('sessions-are-reported-as-they-are');
    const gone = `delete from event_rows where ${partly}`;
    expect(await foundAfter('event_rows', gone)).toContain('sessions-are-reported-as-they-are');
  });

  it('finds a step that no session takes', async () => {
    const sql = `update state_changes set from_state = 'PAID', to_state = 'OPEN' where subject_id = '${ids.open}'`;
    expect(await foundAfter('state_changes', sql)).toContain('steps-are-allowed');
  });
});
