import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeCredit } from '../../src/collections/index.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import { checkSession } from '../../src/payment-sessions/ask-provider.ts';
import { cancelSession, expireSessions } from '../../src/payment-sessions/end-session.ts';
import { openSession } from '../../src/payment-sessions/open-session.ts';
import { readSessions } from '../../src/payment-sessions/read-sessions.ts';
import { listRequest } from '../../src/platform/lists/list.ts';
import { type CollectionFixture, createCollectionFixture } from '../collections/fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { asked, openedSession } from './support.ts';

let fixture: CollectionFixture;

beforeAll(async () => {
  fixture = await createCollectionFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

const MINUTE_MS = 60_000;

describe('a payment session', () => {
  it('is open at once with an account number of its own, and paid by exactly its amount', async () => {
    const { read, pay, balance, events, accountNumber } = await openedSession(fixture);
    expect(await read()).toMatchObject({
      status: 'OPEN',
      amount: 100,
      outstanding: 100,
      payable: true,
      accounts: [{ accountNumber, bankName: 'Wema Bank' }],
      ussdCode: '*737*1#',
      version: 2,
    });
    expect(await pay(100_00n)).toEqual(['CREDITED']);
    expect(await balance()).toBe(100_00n);
    expect(await read()).toMatchObject({
      status: 'PAID',
      conclusive: true,
      received: 100,
      outstanding: 0,
      excess: 0,
      accounts: [],
      ussdCode: null,
      payments: [{ amount: 100, status: 'CREDITED', note: null }],
    });
    expect(await events()).toEqual(['created', 'opened', 'paid']);
  });

  it('keeps what was too little, shows what is outstanding, and is paid by the rest', async () => {
    const { read, pay, balance, events } = await openedSession(fixture);
    await pay(40_00n);
    expect(await read()).toMatchObject({ status: 'PARTIALLY_PAID', received: 40, outstanding: 60, payable: true });
    await pay(60_00n);
    expect(await balance()).toBe(100_00n);
    expect(await read()).toMatchObject({ status: 'PAID', payments: [{ note: 'SHORT' }, { note: null }] });
    expect(await events()).toEqual(['created', 'opened', 'partially_paid', 'paid']);
  });

  it('is paid by too much, and reports by how much', async () => {
    const { read, pay, balance, tenant, sessionId } = await openedSession(fixture);
    await pay(150_50n);
    expect(await balance()).toBe(150_50n);
    expect(await read()).toMatchObject({ status: 'PAID', excess: 50.5, payments: [{ note: 'OVERPAID' }] });
    const { rows } = await fixture.database.pool.query(
      `select data::json as data from events where merchant_id = $1 and subject_id = $2 and type = 'payment_session.paid'`,
      [tenant.merchantId, sessionId],
    );
    expect(rows[0].data).toMatchObject({ excess: 50.5, payment: { note: 'OVERPAID', amount: 150.5 } });
  });

  it('with AT_LEAST is paid by more without anything odd, and not by less', async () => {
    const { read, pay } = await openedSession(fixture, { amountRule: 'AT_LEAST' });
    await pay(99_99n);
    expect(await read()).toMatchObject({ status: 'PARTIALLY_PAID', payments: [{ note: null }] });
    await pay(5_00n);
    expect(await read()).toMatchObject({ status: 'PAID', excess: 4.99, payments: [{ note: null }, { note: null }] });
  });

  it('with ANY is paid by whatever comes first', async () => {
    const { read, pay } = await openedSession(fixture, { amountRule: 'ANY' });
    await pay(1n);
    expect(await read()).toMatchObject({ status: 'PAID', received: 0.01, outstanding: 0, payments: [{ note: null }] });
  });

  it('that is paid takes a second payment as one of its own, and stays as it is', async () => {
    const { read, pay, balance, events } = await openedSession(fixture);
    await pay(100_00n);
    await pay(100_00n);
    expect(await balance()).toBe(200_00n);
    expect(await read()).toMatchObject({
      status: 'PAID',
      received: 200,
      excess: 100,
      payments: [{ note: null }, { note: 'SECOND_PAYMENT' }],
    });
    expect((await events()).at(-1)).toBe('payment_received');
  });

  it('that expired credits money that comes later, as late, and stays expired', async () => {
    const { read, pay, balance, events } = await openedSession(fixture);
    fixture.clock.advance(31 * MINUTE_MS);
    expect(await expireSessions(fixture.deps, 'LIVE')).toBe(1);
    expect(await read()).toMatchObject({ status: 'EXPIRED', conclusive: true, accounts: [] });
    await pay(100_00n);
    expect(await balance()).toBe(100_00n);
    expect(await read()).toMatchObject({ status: 'EXPIRED', received: 100, payments: [{ note: 'LATE' }] });
    expect(await events()).toEqual(['created', 'opened', 'expired', 'payment_received']);
  });

  it('that was cancelled stays so, whatever is paid, and a paid one cannot be cancelled', async () => {
    const { read, pay, balance, tenant, sessionId } = await openedSession(fixture);
    await cancelSession(fixture.deps, tenant, sessionId);
    await cancelSession(fixture.deps, tenant, sessionId);
    await pay(100_00n);
    expect(await balance()).toBe(100_00n);
    expect(await read()).toMatchObject({ status: 'CANCELLED', version: 4, payments: [{ note: 'LATE' }] });
    const paid = await openedSession(fixture);
    await paid.pay(100_00n);
    await expect(cancelSession(fixture.deps, paid.tenant, paid.sessionId)).rejects.toMatchObject({
      code: 'PAYMENT_SESSION_ENDED',
    });
  });

  it('is not expired before its time, and one that was paid never is', async () => {
    const open = await openedSession(fixture);
    const paid = await openedSession(fixture);
    await paid.pay(100_00n);
    fixture.clock.advance(29 * MINUTE_MS);
    await expireSessions(fixture.deps, 'LIVE');
    expect(await open.read()).toMatchObject({ status: 'OPEN' });
    fixture.clock.advance(2 * MINUTE_MS);
    await expireSessions(fixture.deps, 'LIVE');
    expect(await open.read()).toMatchObject({ status: 'EXPIRED' });
    expect(await paid.read()).toMatchObject({ status: 'PAID' });
  });

  it('of a suspended merchant is paid by what came, which is held and in no wallet, and says so', async () => {
    const { read, pay, balance, merchantId } = await openedSession(fixture);
    const { database, clock } = fixture;
    const reported = `select data::json #>> '{payment,status}' as status from events
      where merchant_id = $1 and type = 'payment_session.paid'`;
    await changeMerchantStatus({ queries: database, clock }, 'suspend', { merchantId, actor: 'test', reason: 'Fraud' });
    clock.advance(2_000);
    expect(await pay(100_00n)).toEqual(['HELD']);
    expect(await balance()).toBe(0n);
    expect(await read()).toMatchObject({ status: 'PAID', received: 100, payments: [{ status: 'SUSPENSE' }] });
    expect((await database.pool.query(reported, [merchantId])).rows).toEqual([{ status: 'SUSPENSE' }]);
  });

  it('credits no wallet of another merchant', async () => {
    const other = await fixture.addMerchant();
    const merchant = await fixture.addMerchant();
    await expect(
      openSession(fixture.deps, asked(merchant.tenant, { walletId: other.wallet.id })),
    ).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});

describe('a reference of the merchant’s own', () => {
  it('gives the same session for the same content, and is refused for another', async () => {
    const { tenant } = await fixture.addMerchant();
    const first = await openSession(fixture.deps, asked(tenant, { reference: 'ORDER-1' }));
    const again = await openSession(fixture.deps, asked(tenant, { reference: 'ORDER-1' }));
    expect(again.row.id).toBe(first.row.id);
    await expect(
      openSession(fixture.deps, asked(tenant, { reference: 'ORDER-1', amountMinor: 1n })),
    ).rejects.toMatchObject({ code: 'PAYMENT_SESSION_REFERENCE_TAKEN' });
  });

  it('is not taken by anybody who has its public key, who may have opened a session with it before', async () => {
    const { tenant } = await fixture.addMerchant();
    const { deps, database } = fixture;
    await database.pool.query(
      `insert into collection_settings (merchant_id, mode, public_keys, allowed_origins, allowed_return_hosts,
                                        max_amount_minor, sessions_per_minute, updated_at)
       values ($1, $2, true, 'https://shop.example', '', 1000000, 1000, now())`,
      [tenant.merchantId, tenant.mode],
    );
    const attacker = { openedBy: 'PUBLIC_KEY', origin: 'https://shop.example', amountMinor: 1n } as const;
    for (let order = 1; order <= 5; order += 1) {
      await openSession(deps, asked(tenant, { ...attacker, reference: `ORDER-${order}` }));
    }
    for (let order = 1; order <= 5; order += 1) {
      const { row } = await openSession(deps, asked(tenant, { reference: `ORDER-${order}` }));
      expect(row).toMatchObject({ opened_by: 'SECRET_KEY', amount_minor: 100_00n, reference: `ORDER-${order}` });
      const again = await openSession(deps, asked(tenant, { reference: `ORDER-${order}` }));
      expect(again.row.id).toBe(row.id);
      const found = async (openedBy?: 'PUBLIC_KEY' | 'SECRET_KEY') => {
        const filter = { reference: `ORDER-${order}`, openedBy };
        const { records } = await readSessions({ database }, tenant, filter, listRequest({}));
        return records.map(({ sessionId, unpricedByServer }) => [sessionId === row.id, unpricedByServer]);
      };
      expect(await found()).toEqual([[true, false]]);
      expect(await found('SECRET_KEY')).toEqual([[true, false]]);
      expect(await found('PUBLIC_KEY')).toEqual([[false, true]]);
    }
    await expect(
      openSession(deps, asked(tenant, { ...attacker, amountMinor: 2n, reference: 'ORDER-1' })),
    ).rejects.toMatchObject({ code: 'PAYMENT_SESSION_REFERENCE_TAKEN' });
  });

  it('of a public key alone is not found where the merchant’s own are looked for', async () => {
    const { tenant } = await fixture.addMerchant();
    const { database } = fixture;
    await openSession(fixture.deps, asked(tenant, { reference: 'OWN' }));
    const found = (reference: string, openedBy?: 'PUBLIC_KEY') =>
      readSessions({ database }, tenant, { reference, openedBy }, listRequest({}));
    expect((await found('OWN', 'PUBLIC_KEY')).records).toEqual([]);
    expect((await found('OWN')).records).toHaveLength(1);
  });

  it('opens one session of twenty that are asked for at once in two processes', async () => {
    const { tenant } = await fixture.addMerchant();
    const database = fixture.base.open(4);
    const other = fixture.another(database);
    const before = fixture.script.opens;
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        openSession(at % 2 === 0 ? fixture.deps : other, asked(tenant, { reference: 'ORDER-2' })),
      ),
    );
    expect(new Set(opened.map(({ row }) => row.id)).size).toBe(1);
    expect(fixture.script.opens - before).toBe(1);
    await other.ledger.drain();
    await database.close();
  });
});

describe('payments at once', () => {
  it('are all counted, each once, of fifty that come to two processes for one session', async () => {
    const { accountNumber, balance, read, sessionId } = await openedSession(fixture);
    const database = fixture.base.open(4);
    const other = fixture.another(database);
    const hints = Array.from({ length: 50 }, () => fixture.script.receive({ accountNumber, amountMinor: 3_00n }));
    const taken = await Promise.all(
      hints.flatMap((hint, at) => [
        takeCredit(at % 2 === 0 ? fixture.deps : other, fixture.creditRail, hint, { source: 'WEBHOOK' }),
        takeCredit(at % 2 === 0 ? other : fixture.deps, fixture.creditRail, hint, { source: 'POLL' }),
      ]),
    );
    expect(taken.filter((result) => result === 'CREDITED')).toHaveLength(50);
    expect(await balance()).toBe(150_00n);
    const session = await read();
    // 33 payments of 3 are 99; the next makes 102, and sixteen more come to a session that is paid.
    expect(session).toMatchObject({ status: 'PAID', received: 150, excess: 50, version: 52 });
    const notes = session.payments.map(({ note }) => note);
    expect(notes.filter((note) => note === 'SHORT')).toHaveLength(33);
    expect(notes.filter((note) => note === 'OVERPAID')).toHaveLength(1);
    expect(notes.filter((note) => note === 'SECOND_PAYMENT')).toHaveLength(16);
    const { rows } = await fixture.database.pool.query(
      `select to_state, count(*)::int as count from state_changes where subject_id = $1 group by 1 order by 1`,
      [sessionId],
    );
    expect(rows).toEqual([
      { to_state: 'OPEN', count: 1 },
      { to_state: 'PAID', count: 1 },
      { to_state: 'PARTIALLY_PAID', count: 1 },
    ]);
    await other.ledger.drain();
    await database.close();
  });

  it('are all counted of more than anybody would try again for', async () => {
    const { accountNumber, read } = await openedSession(fixture);
    const hints = Array.from({ length: 150 }, () => fixture.script.receive({ accountNumber, amountMinor: 1_00n }));
    const taken = await Promise.all(
      hints.map((hint) => takeCredit(fixture.deps, fixture.creditRail, hint, { source: 'WEBHOOK' })),
    );
    expect(new Set(taken)).toEqual(new Set(['CREDITED']));
    expect(await read()).toMatchObject({ status: 'PAID', received: 150, version: 152 });
  });

  it('and an expiry at the same moment leave one end, and the money in the wallet', async () => {
    const sessions = [];
    for (let at = 0; at < 10; at += 1) sessions.push(await openedSession(fixture));
    fixture.clock.advance(31 * MINUTE_MS);
    await Promise.all([
      expireSessions(fixture.deps, 'LIVE'),
      expireSessions(fixture.another(), 'LIVE'),
      ...sessions.map(({ pay }) => pay(100_00n)),
    ]);
    for (const { read, balance } of sessions) {
      const { status, payments } = await read();
      expect(await balance()).toBe(100_00n);
      expect([status, payments[0]?.note]).toEqual(status === 'PAID' ? ['PAID', null] : ['EXPIRED', 'LATE']);
    }
  });
});

describe('a payer who reports that the money was sent', () => {
  it('has the provider asked, whose answer is booked without any webhook', async () => {
    const { accountNumber, balance, tenant, sessionId } = await openedSession(fixture);
    fixture.script.receive({ accountNumber, amountMinor: 100_00n });
    const { found, session } = await checkSession(fixture.deps, tenant, sessionId);
    expect(found).toBe(true);
    expect(session.row.status).toBe('PAID');
    expect(await balance()).toBe(100_00n);
  });

  it('before it was sent changes nothing, and leaves nothing for people to look into', async () => {
    const { read, tenant, sessionId } = await openedSession(fixture);
    const count = async () => (await fixture.database.pool.query('select count(*)::int as n from open_credits')).rows;
    const before = await count();
    expect(await checkSession(fixture.deps, tenant, sessionId)).toMatchObject({ found: false });
    expect(await read()).toMatchObject({ status: 'OPEN', received: 0 });
    expect(await count()).toEqual(before);
  });

  it('has it asked once in ten seconds, however often and in whichever process', async () => {
    const { tenant, sessionId } = await openedSession(fixture);
    const before = fixture.script.queries;
    const other = fixture.another();
    const checks = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => checkSession(at % 2 === 0 ? fixture.deps : other, tenant, sessionId)),
    );
    expect(checks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(fixture.script.queries - before).toBe(1);
    await expect(checkSession(fixture.deps, tenant, sessionId)).rejects.toMatchObject({
      code: 'PAYMENT_SESSION_CHECKED_LATELY',
    });
    fixture.clock.advance(10_000);
    expect(await checkSession(fixture.deps, tenant, sessionId)).toMatchObject({ found: false });
  });

  it('is asked when a clock that was ahead is put right, although it was asked by it', async () => {
    const { tenant, sessionId } = await openedSession(fixture);
    fixture.clock.advance(10 * 60_000);
    await checkSession(fixture.deps, tenant, sessionId);
    fixture.clock.advance(-10 * 60_000);
    expect(await checkSession(fixture.deps, tenant, sessionId)).toMatchObject({ found: false });
  });
});
