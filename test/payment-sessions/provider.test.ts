import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeCredit } from '../../src/collections/index.ts';
import { openDueSessions } from '../../src/payment-sessions/ask-provider.ts';
import { cancelSession } from '../../src/payment-sessions/end-session.ts';
import { openSession } from '../../src/payment-sessions/open-session.ts';
import { findPaymentSession, listDueOpenings } from '../../src/payment-sessions/queries.ts';
import { requireSession } from '../../src/payment-sessions/read-sessions.ts';
import type { Statement } from '../../src/platform/db/statement.ts';
import type { OpenOneTimeAnswer } from '../../src/rails/index.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
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
beforeEach(() => {
  fixture.script.nextOneTime.length = 0;
});

const MINUTE_MS = 60_000;
const answered = () => ({ code: '00', reason: null, message: 'Done', at: fixture.clock.now() });
const unknown = async (): Promise<OpenOneTimeAnswer> => ({ ...answered(), outcome: 'unknown' });

/** A ledger whose commit of this number fails, as where the process dies before it. */
function failingAt(place: number) {
  const { ledger } = fixture.deps;
  let commits = 0;
  return {
    ...ledger,
    commit: (movement: Parameters<typeof ledger.commit>[0]) => {
      commits += 1;
      return commits === place ? Promise.reject(new Error('killed')) : ledger.commit(movement);
    },
  };
}

describe('the provider of a session', () => {
  it('that does not answer is asked again under the same reference, and opens it then', async () => {
    fixture.script.nextOneTime.push(unknown);
    const { read, reference, tenant, sessionId } = await openedSession(fixture);
    expect(await read()).toMatchObject({ status: 'OPENING', conclusive: false, accounts: [] });
    fixture.clock.advance(6_000);
    expect(await openDueSessions(fixture.deps, 'LIVE')).toBe(1);
    expect(await read()).toMatchObject({ status: 'OPEN' });
    expect(fixture.script.oneTime.has(reference)).toBe(true);
    await cancelSession(fixture.deps, tenant, sessionId);
  });

  it('that refuses makes it fail, and the reason is reported', async () => {
    fixture.script.nextOneTime.push(async () => ({
      ...answered(),
      outcome: 'refused',
      reason: 'AMOUNT_TOO_SMALL',
      message: 'At least ₦100',
    }));
    const { read, events } = await openedSession(fixture);
    expect(await read()).toMatchObject({ status: 'FAILED', reason: 'AMOUNT_TOO_SMALL', message: 'At least ₦100' });
    expect(await events()).toEqual(['created', 'failed']);
  });

  it('that never answers in its time makes it fail', async () => {
    fixture.script.nextOneTime.push(unknown);
    const { read } = await openedSession(fixture);
    fixture.clock.advance(31 * MINUTE_MS);
    await openDueSessions(fixture.deps, 'LIVE');
    expect(await read()).toMatchObject({ status: 'FAILED', reason: 'NOT_OPENED_IN_TIME' });
  });

  it('is asked for no more sessions of a public key in a minute than its merchant allows, also of many at once', async () => {
    const { tenant } = await fixture.addMerchant();
    await fixture.database.pool.query(
      `insert into collection_settings (merchant_id, mode, public_keys, allowed_origins, allowed_return_hosts,
                                        max_amount_minor, sessions_per_minute, updated_at)
       values ($1, $2, true, 'https://shop.example', '', 1000000, 3, now())`,
      [tenant.merchantId, tenant.mode],
    );
    const before = fixture.script.opens;
    const opened = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        openSession(fixture.deps, asked(tenant, { openedBy: 'PUBLIC_KEY', origin: 'https://shop.example' })),
      ),
    );
    const refused = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(Array(7).fill('PAYMENT_SESSIONS_TOO_MANY'));
    expect(fixture.script.opens - before).toBe(3);
  });

  it('is asked by a worker where the process died before it asked', async () => {
    const merchant = await fixture.addMerchant();
    const { deps } = fixture;
    let found = 0;
    const dying = {
      ...deps,
      rails: {
        ...deps.rails,
        findRail: (...asked: Parameters<typeof deps.rails.findRail>) => {
          found += 1;
          return found === 1 ? deps.rails.findRail(...asked) : Promise.reject(new Error('killed'));
        },
      },
    };
    const { row } = await openSession(dying, asked(merchant.tenant));
    expect(row.status).toBe('OPENING');
    expect(await openDueSessions(deps, 'LIVE')).toBe(0);
    fixture.clock.advance(61_000);
    expect(await openDueSessions(deps, 'LIVE')).toBe(1);
    expect((await requireSession(deps, merchant.tenant, row.id)).row.status).toBe('OPEN');
  });

  it('gives the same account after a crash between its answer and our commit', async () => {
    const merchant = await fixture.addMerchant();
    const { deps } = fixture;
    const { row } = await openSession({ ...deps, ledger: failingAt(2) }, asked(merchant.tenant));
    expect(row.status).toBe('OPENING');
    const [given] = fixture.script.oneTime.get(row.id.replaceAll('-', '')) ?? [];
    // Somebody pays it before anybody here knows of it: the number is reserved already.
    const hint = fixture.script.receive({ accountNumber: given?.accountNumber ?? '', amountMinor: 30_00n });
    expect(await fixture.takeWebhook(hint)).toEqual(['CREDITED']);
    fixture.clock.advance(61_000);
    expect(await openDueSessions(deps, 'LIVE')).toBe(1);
    const { rows } = await fixture.database.pool.query(
      `select s.status, s.received_minor, a.account_number from payment_sessions s
         join payment_session_accounts a on a.merchant_id = s.merchant_id and a.session_id = s.id where s.id = $1`,
      [row.id],
    );
    expect(rows).toEqual([{ status: 'PARTIALLY_PAID', received_minor: 30_00n, account_number: given?.accountNumber }]);
  });

  it('opens one that was paid in part before: it is reported once as opened and once as partly paid', async () => {
    const { base, clock, database, deps, script } = fixture;
    const paidBefore = await openedSession(fixture, {}, { ...deps, ledger: failingAt(2) });
    const [given] = script.oneTime.get(paidBefore.reference) ?? [];
    await fixture.takeWebhook(script.receive({ accountNumber: given?.accountNumber ?? '', amountMinor: 30_00n }));
    expect(await paidBefore.events()).toEqual(['created', 'payment_received']);
    clock.advance(61_000);
    const other = base.open(4);
    const container = fixture.another(other);
    await Promise.all([openDueSessions(deps, 'LIVE'), openDueSessions(container, 'LIVE')]);
    await openDueSessions(deps, 'LIVE');
    expect(await paidBefore.events()).toEqual(['created', 'payment_received', 'opened', 'partially_paid']);
    const { rows } = await database.pool.query(
      `select data::json ->> 'status' as status, data::json ->> 'received' as received, data::json ->> 'version' as version
         from events where subject_id = $1 and type in ('payment_session.opened', 'payment_session.partially_paid')`,
      [paidBefore.sessionId],
    );
    expect(rows).toEqual([1, 2].map(() => ({ status: 'PARTIALLY_PAID', received: '30', version: '3' })));
    await container.ledger.drain();
    await other.close();
  });

  it('is asked by one worker while a payment is booked: the payment leaves its lease as it is', async () => {
    const { clock, database, deps, script } = fixture;
    const { reference, sessionId } = await openedSession(fixture, {}, { ...deps, ledger: failingAt(2) });
    const [given] = script.oneTime.get(reference) ?? [];
    const lease = new Date(clock.now().getTime() + 90_000);
    const leasing = {
      ...deps.ledger,
      commit: async (movement: Parameters<typeof deps.ledger.commit>[0]) => {
        await database.pool.query('update payment_sessions set due_at = $2 where id = $1', [sessionId, lease]);
        return deps.ledger.commit(movement);
      },
    };
    const hint = script.receive({ accountNumber: given?.accountNumber ?? '', amountMinor: 30_00n });
    const taken = await takeCredit({ ...deps, ledger: leasing }, fixture.creditRail, hint, { source: 'WEBHOOK' });
    expect(taken).toBe('CREDITED');
    const { rows } = await database.pool.query('select due_at from payment_sessions where id = $1', [sessionId]);
    expect(rows).toEqual([{ due_at: lease }]);
  });

  it('is asked by one of two workers', async () => {
    fixture.script.nextOneTime.push(unknown);
    await openedSession(fixture);
    fixture.clock.advance(6_000);
    const before = fixture.script.opens;
    const ended = await Promise.all([
      openDueSessions(fixture.deps, 'LIVE'),
      openDueSessions(fixture.another(), 'LIVE'),
    ]);
    expect(ended.sort()).toEqual([0, 1]);
    expect(fixture.script.opens - before).toBe(1);
  });

  it('is not asked by a worker that reads the lease of another as the moment at which the session is due', async () => {
    const { clock, deps, script } = fixture;
    script.nextOneTime.push(unknown);
    const { sessionId, tenant } = await openedSession(fixture);
    clock.advance(6_000);
    const { query } = deps.database;
    // As Citus lists it: found as due, and read when another worker has it.
    const queryLate = async (asked: Statement<unknown>, values: readonly unknown[]) =>
      asked === listDueOpenings
        ? query(findPaymentSession, [tenant.merchantId, tenant.mode, sessionId])
        : query(asked, values);
    const late = { ...fixture.another(), database: { ...deps.database, query: queryLate } as typeof deps.database };
    let askedLate: number | undefined;
    script.nextOneTime.push(async () => {
      askedLate = await openDueSessions(late, 'LIVE');
      return unknown();
    });
    const before = script.opens;
    await openDueSessions(deps, 'LIVE');
    expect(script.opens - before).toBe(1);
    expect(askedLate).toBe(0);
    await cancelSession(deps, tenant, sessionId);
  });

  it('may give the number of an older session again: from then on it is the newer one’s', async () => {
    const first = await openedSession(fixture);
    await cancelSession(fixture.deps, first.tenant, first.sessionId);
    fixture.script.nextOneTime.push(async () => ({
      ...answered(),
      outcome: 'opened',
      accounts: [{ bankCode: '035', bankName: 'Wema Bank', accountNumber: first.accountNumber, accountName: 'ADA' }],
      providerReference: 'given again',
      expiresAt: null,
      payableMinor: 100_00n,
      ussdCode: null,
    }));
    const second = await openedSession(fixture);
    expect(second.accountNumber).toBe(first.accountNumber);
    await second.pay(100_00n);
    expect(await second.read()).toMatchObject({ status: 'PAID' });
    expect(await first.balance()).toBe(0n);
  });

  it('that names a number of a wallet is an alarm; the payer pays to the others, and it fails where there is no other', async () => {
    await fixture.addMerchant();
    await openDueAccounts(fixture.deps, 'LIVE');
    const [taken] = [...fixture.script.accounts.values()].at(-1) ?? [];
    if (taken === undefined) throw new Error('no account was opened');
    const free = { bankCode: null, bankName: 'Titan', accountNumber: '9000000028', accountName: 'ADA' };
    for (const accounts of [[taken, free], [taken]]) {
      fixture.script.nextOneTime.push(async () => ({
        ...answered(),
        outcome: 'opened',
        accounts,
        providerReference: `of ${accounts.length}`,
        expiresAt: null,
        payableMinor: 100_00n,
        ussdCode: null,
      }));
    }
    fixture.alarms.length = 0;
    const { read, pay, balance } = await openedSession(fixture);
    expect(fixture.alarms).toEqual(['ACCOUNT_NUMBER_TAKEN']);
    expect((await read()).accounts.map(({ accountNumber }) => accountNumber)).toEqual([free.accountNumber]);
    await pay(100_00n);
    expect([(await read()).status, await balance()]).toEqual(['PAID', 100_00n]);
    const none = await openedSession(fixture);
    expect(await none.read()).toMatchObject({ status: 'FAILED', reason: 'ACCOUNT_NUMBER_TAKEN', accounts: [] });
  });

  it('that closes it later, or asks the payer for less, changes neither its end nor its amount', async () => {
    const expiresAt = new Date(fixture.clock.now().getTime() + 300 * MINUTE_MS);
    fixture.script.nextOneTime.push(async () => ({
      ...answered(),
      outcome: 'opened',
      accounts: [{ bankCode: null, bankName: 'Titan', accountNumber: '9000000037', accountName: 'ADA' }],
      providerReference: 'later and less',
      expiresAt,
      payableMinor: 90_00n,
      ussdCode: null,
    }));
    const { read, pay } = await openedSession(fixture);
    const { createdAt, expiresAt: end, amountToPay } = await read();
    expect([Date.parse(end) - Date.parse(createdAt), amountToPay]).toEqual([30 * MINUTE_MS, 100]);
    await pay(90_00n);
    expect(await read()).toMatchObject({ status: 'PARTIALLY_PAID', outstanding: 10 });
  });

  it('that closes it earlier ends it earlier, and one that adds its fee has the payer send more than it reports', async () => {
    const expiresAt = new Date(fixture.clock.now().getTime() + 20 * MINUTE_MS);
    fixture.script.nextOneTime.push(async () => ({
      ...answered(),
      outcome: 'opened',
      accounts: [{ bankCode: null, bankName: 'Titan', accountNumber: '9000000019', accountName: 'ADA' }],
      providerReference: 'with a fee',
      expiresAt,
      payableMinor: 101_50n,
      ussdCode: null,
    }));
    const { read, pay } = await openedSession(fixture);
    expect(await read()).toMatchObject({ amount: 100, amountToPay: 101.5, expiresAt: expiresAt.toISOString() });
    await pay(60_00n);
    expect(await read()).toMatchObject({ status: 'PARTIALLY_PAID', outstanding: 41.5 });
    await pay(40_00n);
    expect(await read()).toMatchObject({ status: 'PAID', outstanding: 0, excess: 0 });
  });

  it('has a page of its own, whose payments are found by our reference', async () => {
    const page = await openedSession(fixture, {
      channels: ['HOSTED', 'CARD'],
      mayTakeCards: true,
      returnUrl: 'https://shop.example/thanks',
    });
    expect(await page.read()).toMatchObject({ status: 'OPEN', pageUrl: `https://pay.example/${page.reference}` });
    const hint = fixture.script.receive({ accountNumber: '', amountMinor: 100_00n });
    const received = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, accountNumber: null, accountReference: page.reference };
    expect(await fixture.takeWebhook({ ...hint, accountNumber: null })).toEqual(['CREDITED']);
    expect(await page.read()).toMatchObject({ status: 'PAID' });
  });

  it('that sends other amounts back by itself is asked for the exact amount only', async () => {
    const { tenant } = await fixture.addMerchant();
    const terms = fixture.script.provider.capabilities.oneTimeAccount;
    if (terms === undefined) throw new Error('it gives account numbers');
    Object.assign(terms, { otherAmounts: 'REFUSES' });
    for (const amountRule of ['AT_LEAST', 'ANY'] as const) {
      await expect(openSession(fixture.deps, asked(tenant, { amountRule }))).rejects.toMatchObject({
        code: 'AMOUNT_RULE_NOT_OFFERED',
      });
    }
    expect(await openSession(fixture.deps, asked(tenant))).toMatchObject({ row: { status: 'OPEN' } });
    Object.assign(terms, { otherAmounts: 'TAKES' });
  });

  it('takes no card for a merchant without the service, and no page without a way back', async () => {
    const { tenant } = await fixture.addMerchant();
    await expect(openSession(fixture.deps, asked(tenant, { channels: ['CARD'] }))).rejects.toMatchObject({
      code: 'CHANNEL_NOT_OFFERED',
    });
    await expect(openSession(fixture.deps, asked(tenant, { channels: ['HOSTED'] }))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});
