import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollCredits, retryOpenCredits } from '../../src/collections/index.ts';
import { keepOpenCredit } from '../../src/collections/open-credits.ts';
import { takeCredit } from '../../src/collections/take-credit.ts';
import { readInboundPayments } from '../../src/collections/views.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import type { CreditHint } from '../../src/rails/index.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
import { readWalletAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { brokenChecks } from '../support/proof.ts';
import { type CollectionFixture, createCollectionFixture } from './fixture.ts';

let fixture: CollectionFixture;

beforeAll(async () => {
  fixture = await createCollectionFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});
beforeEach(() => {
  fixture.alarms.length = 0;
});

/** A live merchant whose wallet has account numbers. */
async function payee() {
  const merchant = await fixture.addMerchant();
  await openDueAccounts(fixture.deps, 'LIVE');
  const { accounts } = await readWalletAccounts(fixture.deps, merchant.tenant, merchant.wallet.id);
  const [account] = accounts;
  if (account === undefined) throw new Error('no account was opened');
  const payments = async () => (await readInboundPayments(fixture, merchant.tenant, {}, { page: 1, size: 50 })).records;
  return { ...merchant, accountNumber: account.accountNumber, payments };
}

/** As a provider closes them, behind our back or by our request. */
async function closeAccounts(merchantId: string) {
  const at = fixture.clock.now();
  for (const sql of [
    `update virtual_accounts set status = 'CLOSED', updated_at = $2, closed_at = $2 where merchant_id = $1`,
    'update virtual_account_numbers set closed_at = $2 where merchant_id = $1',
    'update receiving_numbers set closed_at = $2 where merchant_id = $1',
    `insert into state_changes (merchant_id, mode, subject, subject_id, id, from_state, to_state, created_at)
     select merchant_id, mode, 'virtual_account', id, gen_random_uuid(), 'OPEN', 'CLOSED', $2 from virtual_accounts
      where merchant_id = $1`,
  ]) {
    await fixture.database.pool.query(sql, [merchantId, at]);
  }
}

/** A provider that lists a credit late lists it at the time when it was paid. @returns what shows it. */
function hideCredit({ providerTransactionId }: CreditHint, shown: () => void): () => void {
  const { credits } = fixture.script;
  const credit = credits.get(providerTransactionId ?? '');
  if (credit === undefined) throw new Error('nothing was received');
  credits.delete(providerTransactionId ?? '');
  return () => {
    credits.set(providerTransactionId ?? '', credit);
    shown();
  };
}

const openCredit = async ({ providerTransactionId }: CreditHint) => {
  const { rows } = await fixture.database.pool.query('select * from open_credits where credit_key = $1', [
    `id:${providerTransactionId}`,
  ]);
  return rows[0];
};

describe('a transfer to an account number of a wallet', () => {
  it('is in the wallet, whole, once the provider confirmed it', async () => {
    const { accountNumber, balance, payments, tenant } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 123_456n });
    expect(await fixture.takeWebhook(hint)).toEqual(['CREDITED']);
    expect(await balance()).toBe(123_456n);
    expect(await payments()).toMatchObject([
      { status: 'CREDITED', amount: 1234.56, payer: { name: 'CHIDI OKAFOR' }, narration: 'Rent', accountNumber },
    ]);
    const { rows } = await fixture.database.pool.query(
      'select type from events where merchant_id = $1 and mode = $2 order by sequence desc limit 2',
      [tenant.merchantId, tenant.mode],
    );
    expect(rows.map(({ type }) => type)).toEqual(['inbound_payment.credited', 'transaction.succeeded']);
  });

  it('is found by our reference where the provider does not say to which number it was paid', async () => {
    const { accountNumber, balance, payments } = await payee();
    const [reference] = [...fixture.script.accounts].find(([, accounts]) =>
      accounts.some((account) => account.accountNumber === accountNumber),
    ) ?? [''];
    const hint = fixture.script.receive({ accountNumber, amountMinor: 5_00n });
    const received = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, accountNumber: null, accountReference: reference };
    expect(await fixture.takeWebhook(hint)).toEqual(['CREDITED']);
    expect(await balance()).toBe(5_00n);
    expect(await payments()).toMatchObject([{ status: 'CREDITED', amount: 5 }]);
  });

  it('is one posting of a hundred copies that come to four processes at once, by webhook and by list', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 50_000n });
    const processes = Array.from({ length: 4 }, () => {
      const database = fixture.base.open(4);
      return { database, deps: fixture.another(database) };
    });
    const copies = Array.from({ length: 100 }, (_, at) => {
      const { deps } = processes[at % 4] as (typeof processes)[number];
      return takeCredit(deps, fixture.creditRail, hint, { source: at % 3 === 0 ? 'POLL' : 'WEBHOOK' });
    });
    const taken = await Promise.all(copies);
    expect(taken.filter((result) => result === 'CREDITED')).toHaveLength(1);
    expect(taken.filter((result) => result === 'ALREADY_TAKEN')).toHaveLength(99);
    expect(await balance()).toBe(50_000n);
    for (const { database, deps } of processes) {
      await deps.ledger.drain();
      await database.close();
    }
  });

  it('is credited with what the provider confirms, not with what its webhook says', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 100_00n });
    await fixture.takeWebhook({ ...hint, amountMinor: 1_000_000_00n });
    expect(await balance()).toBe(100_00n);
  });

  it('moves nothing where the provider knows of no such transfer, whoever signed the webhook', async () => {
    const { accountNumber, balance } = await payee();
    const invented = {
      providerTransactionId: 'invented',
      providerReference: null,
      sessionId: null,
      accountNumber,
      amountMinor: 5n,
    };
    expect(await fixture.takeWebhook(invented)).toEqual(['OPEN']);
    expect(await balance()).toBe(0n);
    expect(await openCredit(invented)).toMatchObject({ status: 'WAITING' });
  });

  it('waits while the provider has no answer, and is credited once it has', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 7_00n });
    const said = { code: null, reason: 'RAIL_PENDING', message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextAnswers.set(hint.providerTransactionId ?? '', [
      async () => ({ ...said, outcome: 'pending' }),
      () => Promise.reject(new Error('socket hang up')),
      async () => ({ ...said, outcome: 'not_found' }),
    ]);
    expect(await fixture.takeWebhook(hint)).toEqual(['OPEN']);
    for (const [pauseMs, after] of [
      [11_000, 0n],
      [31_000, 0n],
      [61_000, 7_00n],
    ] as const) {
      expect(await balance()).toBe(0n);
      fixture.clock.advance(pauseMs);
      await retryOpenCredits(fixture.deps, 'LIVE');
      expect(await balance()).toBe(after);
    }
    expect(await openCredit(hint)).toMatchObject({ status: 'DONE', due_at: null });
  });

  it('of one provider is asked about however many of another one, which is down, have waited for longer', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 9_00n });
    for (let at = 0; at < 40; at += 1) {
      const reported = { ...hint, providerTransactionId: `down-${at}` };
      const kept = { rail: 'down', mode: 'LIVE', source: 'WEBHOOK', code: null, hint: reported } as const;
      await keepOpenCredit(fixture.deps, { ...kept, status: 'WAITING', reason: 'PROVIDER_UNAVAILABLE' });
    }
    fixture.clock.advance(1_000);
    const said = { code: null, reason: 'RAIL_PENDING', message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextAnswers.set(hint.providerTransactionId ?? '', [async () => ({ ...said, outcome: 'pending' })]);
    expect(await fixture.takeWebhook(hint)).toEqual(['OPEN']);
    fixture.clock.advance(15_000);
    expect(await retryOpenCredits(fixture.deps, 'LIVE')).toBe(16);
    expect(await balance()).toBe(9_00n);
    // The proof would ask where that account is.
    await fixture.database.pool.query(`delete from open_credits where rail = 'down'`);
  });

  it('that waited is done with where another webhook brought it into the books meanwhile', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 8_00n });
    const said = { code: null, reason: 'RAIL_PENDING', message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextAnswers.set(hint.providerTransactionId ?? '', [async () => ({ ...said, outcome: 'pending' })]);
    expect(await fixture.takeWebhook(hint)).toEqual(['OPEN']);
    expect(await fixture.takeWebhook(hint)).toEqual(['CREDITED']);
    fixture.clock.advance(11_000);
    await retryOpenCredits(fixture.deps, 'LIVE');
    expect(await openCredit(hint)).toMatchObject({ status: 'DONE', due_at: null });
    expect(await balance()).toBe(8_00n);
  });

  it('is credited whatever its payer wrote, and is read by the proof', async () => {
    const { accountNumber, balance, payments } = await payee();
    const narration = 'Rent\u0000 \ud800for\u202e \u00e9e\u0301';
    const hint = fixture.script.receive({ accountNumber, amountMinor: 6_00n, narration, payerName: ' \u0000' });
    expect(await fixture.takeWebhook(hint)).toEqual(['CREDITED']);
    expect(await balance()).toBe(6_00n);
    expect(await payments()).toMatchObject([{ narration: 'Rent for \u00e9\u00e9', payer: { name: null } }]);
  });

  it('is before the operator when nobody confirms it for three days', async () => {
    const { accountNumber } = await payee();
    const lost = {
      providerTransactionId: 'lost',
      providerReference: null,
      sessionId: null,
      accountNumber,
      amountMinor: 5n,
    };
    await fixture.takeWebhook(lost);
    for (let hours = 0; hours < 66; hours += 3) {
      fixture.clock.advance(3 * 3_600_000);
      await fixture.takeWebhook(lost);
      await retryOpenCredits(fixture.deps, 'LIVE');
    }
    expect(await openCredit(lost)).toMatchObject({ status: 'WAITING' });
    fixture.clock.advance(7 * 3_600_000);
    await retryOpenCredits(fixture.deps, 'LIVE');
    expect(await openCredit(lost)).toMatchObject({ status: 'UNCONFIRMED', due_at: null });
    await fixture.takeWebhook(lost);
    expect(await openCredit(lost)).toMatchObject({ status: 'UNCONFIRMED', due_at: null });
  });

  it('is asked about less and less often, however many copies of its webhook come', async () => {
    const { accountNumber } = await payee();
    const ids = { providerTransactionId: 'copied', providerReference: null, sessionId: null };
    const copied = { ...ids, accountNumber, amountMinor: 5n };
    for (let copy = 0; copy < 30; copy += 1) await fixture.takeWebhook(copied);
    const { attempts, due_at: due } = await openCredit(copied);
    expect(attempts).toBe(1);
    fixture.clock.advance(10_000);
    await retryOpenCredits(fixture.deps, 'LIVE');
    const retried = await openCredit(copied);
    expect(retried.attempts).toBe(2);
    const later = retried.due_at.getTime() - due.getTime();
    expect(later).toBeGreaterThanOrEqual(30_000);
    expect(later).toBeLessThan(60_000);
  });

  it('that the provider calls failed moves nothing and is asked about no more', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 9n });
    const credit = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (credit !== undefined) credit.outcome = 'failed';
    expect(await fixture.takeWebhook(hint)).toEqual(['FAILED']);
    expect(await balance()).toBe(0n);
    expect(await openCredit(hint)).toMatchObject({ status: 'FAILED', due_at: null });
  });

  it('is held in suspense for a merchant that is suspended, and nothing of it can be spent', async () => {
    const { accountNumber, balance, merchantId, payments } = await payee();
    const { database, clock } = fixture;
    await changeMerchantStatus({ queries: database, clock }, 'suspend', { merchantId, actor: 'test', reason: 'Fraud' });
    fixture.clock.advance(2_000);
    const hint = fixture.script.receive({ accountNumber, amountMinor: 40_00n });
    expect(await fixture.takeWebhook(hint)).toEqual(['HELD']);
    expect(await balance()).toBe(0n);
    expect(await payments()).toMatchObject([{ status: 'SUSPENSE', reason: 'MERCHANT_SUSPENDED', amount: 40 }]);
  });

  it('to a number that is nobody’s waits for a person, and comes to its wallet where the number is opened later', async () => {
    const hint = fixture.script.receive({ accountNumber: '1234567890', amountMinor: 3_00n });
    expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
    expect(await openCredit(hint)).toMatchObject({ status: 'NO_OWNER', reason: 'ACCOUNT_NUMBER_UNKNOWN' });
  });

  it('that waited and comes again by a webhook that is confirmed is before nobody any more', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 8_00n });
    const said = { code: null, reason: null, message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextAnswers.set(hint.providerTransactionId ?? '', [async () => ({ ...said, outcome: 'not_found' })]);
    expect(await fixture.takeWebhook(hint)).toEqual(['OPEN']);
    expect(await fixture.takeWebhook(hint)).toEqual(['CREDITED']);
    expect(await balance()).toBe(8_00n);
    expect(await openCredit(hint)).toMatchObject({ status: 'DONE' });
  });

  it('of play money never becomes live money: an alarm, and nothing moves', async () => {
    const { accountNumber, balance } = await payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 3_00n, mode: 'SANDBOX' });
    expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
    expect(fixture.alarms).toEqual(['CREDIT_MODE_MISMATCH']);
    expect(await balance()).toBe(0n);
  });

  it.each([
    ['of another currency', { currency: 'USD' }, 'CURRENCY_NOT_SUPPORTED'],
    ['of nothing', { amountMinor: 0n }, 'AMOUNT_NOT_POSITIVE'],
    ['of less than nothing', { amountMinor: -3_00n }, 'AMOUNT_NOT_POSITIVE'],
    ['that is another one than was asked about', { providerTransactionId: 'another' }, 'OTHER_TRANSACTION'],
  ])(
    '%s, as its provider confirms it, is before people with an alarm, and nothing moves',
    async (_what, said, reason) => {
      const { accountNumber, balance, payments } = await payee();
      const hint = fixture.script.receive({ accountNumber, amountMinor: 3_00n });
      const received = fixture.script.credits.get(hint.providerTransactionId ?? '');
      if (received === undefined) throw new Error('nothing was received');
      received.credit = { ...received.credit, ...said };
      expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
      expect(await openCredit(hint)).toMatchObject({ status: 'CONTRADICTED', reason });
      expect(fixture.alarms).toEqual([`CREDIT_${reason}`]);
      expect(await balance()).toBe(0n);
      expect(await payments()).toEqual([]);
      fixture.script.credits.delete(hint.providerTransactionId ?? '');
    },
  );

  it('with the session id of another transfer is not credited beside it', async () => {
    const { accountNumber, balance } = await payee();
    const first = fixture.script.receive({ accountNumber, amountMinor: 11_00n });
    await fixture.takeWebhook(first);
    const second = fixture.script.receive({ accountNumber, amountMinor: 11_00n, sessionId: first.sessionId });
    expect(await fixture.takeWebhook(second)).toEqual(['TO_DECIDE']);
    expect(fixture.alarms).toEqual(['CREDIT_SESSION_ID_TAKEN']);
    expect(await balance()).toBe(11_00n);
    await pollCredits(fixture.deps, 'LIVE');
    expect(fixture.alarms).toEqual(['CREDIT_SESSION_ID_TAKEN']);
  });

  it('whose session id became known after another transfer was booked with it is before people, and is not lost', async () => {
    const { accountNumber, balance } = await payee();
    const first = fixture.script.receive({ accountNumber, amountMinor: 13_00n, sessionId: null });
    const credit = fixture.script.credits.get(first.providerTransactionId ?? '');
    if (credit === undefined) throw new Error('nothing was received');
    const dying = {
      ...fixture.deps,
      ledger: { ...fixture.deps.ledger, commit: () => Promise.reject(new Error('killed')) },
    };
    const hint = { source: 'WEBHOOK' } as const;
    await expect(takeCredit(dying, fixture.creditRail, first, hint)).rejects.toThrow('killed');
    const second = fixture.script.receive({ accountNumber, amountMinor: 13_00n });
    expect(await fixture.takeWebhook(second)).toEqual(['CREDITED']);
    credit.credit = { ...credit.credit, sessionId: second.sessionId };
    expect(await fixture.takeWebhook(first)).toEqual(['TO_DECIDE']);
    expect(await openCredit(first)).toMatchObject({ status: 'CONTRADICTED', reason: 'SESSION_ID_TAKEN' });
    expect(await balance()).toBe(13_00n);
  });

  it('to which its payer added under the same id is before people with what was added, and is not credited twice', async () => {
    const { accountNumber, balance } = await payee();
    const first = fixture.script.receive({ accountNumber, amountMinor: 20_00n });
    expect(await fixture.takeWebhook(first)).toEqual(['CREDITED']);
    const received = fixture.script.credits.get(first.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, amountMinor: 50_00n };
    const grown = { ...first, amountMinor: 50_00n };
    expect(await fixture.takeWebhook(grown)).toEqual(['TO_DECIDE']);
    await pollCredits(fixture.deps, 'LIVE');
    expect(await openCredit(first)).toMatchObject({ status: 'CONTRADICTED', reason: 'AMOUNT_CHANGED' });
    expect(fixture.alarms).toEqual(['CREDIT_AMOUNT_CHANGED']);
    // A copy of the first report takes it from nobody.
    await fixture.takeWebhook(first);
    await pollCredits(fixture.deps, 'LIVE');
    expect(await openCredit(first)).toMatchObject({ status: 'CONTRADICTED', reason: 'AMOUNT_CHANGED' });
    expect(await balance()).toBe(20_00n);
  });

  it('of which its provider says less than was booked is before people, and is not credited twice', async () => {
    const { accountNumber, balance } = await payee();
    const first = fixture.script.receive({ accountNumber, amountMinor: 50_00n });
    expect(await fixture.takeWebhook(first)).toEqual(['CREDITED']);
    const received = fixture.script.credits.get(first.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, amountMinor: 20_00n };
    expect(await fixture.takeWebhook({ ...first, amountMinor: 20_00n })).toEqual(['TO_DECIDE']);
    expect(await openCredit(first)).toMatchObject({ status: 'CONTRADICTED', reason: 'AMOUNT_CHANGED' });
    expect(fixture.alarms).toEqual(['CREDIT_AMOUNT_CHANGED']);
    expect(await balance()).toBe(50_00n);
  });

  it('that waited before it was booked is before people too where its payer adds to it', async () => {
    const { accountNumber, balance } = await payee();
    const first = fixture.script.receive({ accountNumber, amountMinor: 20_00n });
    const said = { code: null, reason: null, message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextAnswers.set(first.providerTransactionId ?? '', [
      async () => ({ ...said, outcome: 'not_found' }),
    ]);
    expect(await fixture.takeWebhook(first)).toEqual(['OPEN']);
    expect(await fixture.takeWebhook(first)).toEqual(['CREDITED']);
    expect(await openCredit(first)).toMatchObject({ status: 'DONE' });
    const received = fixture.script.credits.get(first.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, amountMinor: 50_00n };
    await pollCredits(fixture.deps, 'LIVE');
    expect(await openCredit(first)).toMatchObject({ status: 'CONTRADICTED', reason: 'AMOUNT_CHANGED' });
    expect(fixture.alarms).toEqual(['CREDIT_AMOUNT_CHANGED']);
    expect(await balance()).toBe(20_00n);
  });

  it('that was booked stays its first wallet’s, also when the provider gives the number to somebody else', async () => {
    const first = await payee();
    const hint = fixture.script.receive({ accountNumber: first.accountNumber, amountMinor: 21_00n });
    await fixture.takeWebhook(hint);
    await closeAccounts(first.merchantId);
    const said = { code: '00', reason: null, message: 'Done', at: fixture.clock.now() };
    const given = { bankCode: '035', bankName: 'Wema Bank', accountName: 'OTHER', accountNumber: first.accountNumber };
    fixture.script.nextOpen.push(async () => ({
      ...said,
      outcome: 'opened',
      accounts: [given],
      providerAccountId: 'given again',
    }));
    const second = await payee();
    expect(second.accountNumber).toBe(first.accountNumber);
    expect(await fixture.takeWebhook(hint)).toEqual(['ALREADY_TAKEN']);
    const later = fixture.script.receive({ accountNumber: first.accountNumber, amountMinor: 1_00n });
    await fixture.takeWebhook(later);
    expect([await first.balance(), await second.balance()]).toEqual([21_00n, 1_00n]);
  });
});

describe('the poller', () => {
  it('finds all that no webhook reported, on every page of the window, and each once', async () => {
    const { accountNumber, balance } = await payee();
    await pollCredits(fixture.deps, 'LIVE');
    for (let at = 0; at < 130; at += 1) fixture.script.receive({ accountNumber, amountMinor: 1_00n });
    fixture.clock.advance(60_000);
    const other = fixture.another();
    await Promise.all([pollCredits(fixture.deps, 'LIVE'), pollCredits(other, 'LIVE')]);
    expect(await balance()).toBe(130_00n);
    fixture.clock.advance(60_000);
    const before = fixture.script.queries;
    await pollCredits(fixture.deps, 'LIVE');
    expect(await balance()).toBe(130_00n);
    expect(fixture.script.queries).toBeLessThan(before + 10);
  });

  it('reads a window again from its beginning where its process died in the middle', async () => {
    const { accountNumber, balance } = await payee();
    await pollCredits(fixture.deps, 'LIVE');
    for (let at = 0; at < 60; at += 1) fixture.script.receive({ accountNumber, amountMinor: 1_00n });
    fixture.clock.advance(60_000);
    const dying = fixture.another();
    const listCredits = fixture.script.provider.listCredits.bind(fixture.script.provider);
    let pages = 0;
    fixture.script.provider.listCredits = (request, signal) => {
      pages += 1;
      return pages === 2 ? Promise.reject(new Error('killed')) : listCredits(request, signal);
    };
    await pollCredits(dying, 'LIVE');
    expect(await balance()).toBeLessThan(60_00n);
    fixture.script.provider.listCredits = listCredits;
    fixture.clock.advance(3 * 60_000);
    await pollCredits(fixture.deps, 'LIVE');
    expect(await balance()).toBe(60_00n);
  });

  it('finds all of a day on which no webhook comes, each within its window, also what is listed half an hour late', async () => {
    const { accountNumber, balance } = await payee();
    await pollCredits(fixture.deps, 'LIVE');
    let paid = 0n;
    let shown = 0n;
    const held = new Map<number, () => void>();
    for (let minute = 0; minute < 24 * 60; minute += 6) {
      fixture.clock.advance(6 * 60_000);
      held.get(minute)?.();
      if (minute % 7 === 0 && minute < 23 * 60) {
        const amountMinor = BigInt(1_00 + minute);
        const hint = fixture.script.receive({ accountNumber, amountMinor });
        paid += amountMinor;
        const show = () => (shown += amountMinor);
        if (minute % 5 === 0) held.set(minute + 30, hideCredit(hint, show));
        else show();
      }
      await pollCredits(fixture.deps, 'LIVE');
      if (minute % 60 === 0) expect(await balance()).toBe(shown);
    }
    expect(await balance()).toBe(paid);
  });

  it('takes the rest of a list of which a line cannot be read, and reports that line as an alarm', async () => {
    const { accountNumber, balance } = await payee();
    await pollCredits(fixture.deps, 'LIVE');
    fixture.script.receive({ accountNumber, amountMinor: 7_00n });
    fixture.clock.advance(60_000);
    const listCredits = fixture.script.provider.listCredits.bind(fixture.script.provider);
    fixture.script.provider.listCredits = async (request, signal) => ({
      ...(await listCredits(request, signal)),
      unreadable: ['one', 'two'],
    });
    await pollCredits(fixture.deps, 'LIVE');
    fixture.script.provider.listCredits = listCredits;
    expect(await balance()).toBe(7_00n);
    expect(fixture.alarms.filter((alarm) => alarm === 'CREDIT_LINE_UNREADABLE')).toHaveLength(1);
  });

  it('gives up a list whose last page comes again and again, and goes on with it the next time', async () => {
    const { accountNumber, balance } = await payee();
    await pollCredits(fixture.deps, 'LIVE');
    fixture.script.receive({ accountNumber, amountMinor: 9_00n });
    fixture.clock.advance(60_000);
    const listCredits = fixture.script.provider.listCredits.bind(fixture.script.provider);
    fixture.script.provider.listCredits = async (request, signal) => ({
      ...(await listCredits({ ...request, cursor: null }, signal)),
      next: '2',
    });
    await pollCredits(fixture.deps, 'LIVE');
    fixture.script.provider.listCredits = listCredits;
    expect(await balance()).toBe(9_00n);
    fixture.clock.advance(10 * 60_000);
    const before = fixture.script.pages;
    await pollCredits(fixture.deps, 'LIVE');
    expect(fixture.script.pages).toBeGreaterThan(before);
  });

  it('looks once a day at the last three days, for what a provider listed much later', async () => {
    const { accountNumber, balance } = await payee();
    await pollCredits(fixture.deps, 'LIVE');
    const hint = fixture.script.receive({ accountNumber, amountMinor: 5_00n });
    const late = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (late !== undefined) late.listedAt = new Date(fixture.clock.now().getTime() - 30 * 3_600_000);
    fixture.clock.advance(60_000);
    await pollCredits(fixture.deps, 'LIVE');
    expect(await balance()).toBe(0n);
    fixture.clock.advance(24 * 3_600_000);
    await pollCredits(fixture.deps, 'LIVE');
    expect(await balance()).toBe(5_00n);
  });

  it('looks at the last three days also where it did so by a clock that was ahead, which was put right', async () => {
    const { accountNumber, balance } = await payee();
    fixture.clock.advance(365 * 24 * 3_600_000);
    await pollCredits(fixture.deps, 'LIVE');
    fixture.clock.advance(-365 * 24 * 3_600_000);
    const hint = fixture.script.receive({ accountNumber, amountMinor: 5_00n });
    const late = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (late !== undefined) late.listedAt = new Date(fixture.clock.now().getTime() - 30 * 3_600_000);
    await pollCredits(fixture.deps, 'LIVE');
    expect(await balance()).toBe(5_00n);
  });
});
