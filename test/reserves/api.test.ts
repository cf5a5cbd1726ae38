import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { atTerminal } from '../support/terminal.ts';
import { rowsOf } from '../support/world.ts';

let t: TestApp;
let ada: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  ada = await signedInOperator(t);
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const MADE_UP = '00000000-0000-4000-8000-000000000001';
const work = () => t.app.worker.runOnce();
const DAY_SECONDS = 24 * 3_600;
/** What a merchant of a test begins with. */
const FUNDED = 1_000_000;

/** A rule of the sandbox that is in force when this returns. */
async function keep(terms: object) {
  await ada.refresh();
  const rule = { merchantId: null, mode: 'SANDBOX', channel: 'CARD', rateBasisPoints: 1_000, days: 30, ...terms };
  const set = await ada.call('POST', '/operator/reserve/rule', { ...rule, reason: 'Chargebacks' });
  expect(set.status, set.text).toBe(200);
  t.clock.advance(3 * 60_000);
  return set.body.data;
}

async function paidByCard(merchant: TestMerchant, amount: number) {
  const as = bearerOf(merchant);
  const session = await t.call(
    'POST',
    '/collection/session',
    {
      amount,
      customer: { name: 'Ada Obi', email: 'ada@example.com' },
      channels: ['CARD'],
      returnUrl: 'https://shop.example/paid',
    },
    as,
  );
  const accountNumber = session.body.data.sessionId.replaceAll('-', '');
  await t.call('POST', '/sandbox/collection/pay', { accountNumber, channel: 'CARD', amount }, as);
  await work();
}

describe('GET /collection/reserve', () => {
  it('says what is kept of the merchant alone and when it comes back; the sandbox’s clock brings it', async () => {
    const merchant = await t.addMerchant({ name: 'Card shop' });
    const other = await t.addMerchant({ name: 'Other shop' });
    const get = async (path: string, who = merchant) => (await t.call('GET', path, undefined, bearerOf(who))).body.data;
    const rule = await keep({});
    expect(rule).toMatchObject({ channel: 'CARD', rateBasisPoints: 1_000, days: 30, businessName: null });
    await paidByCard(merchant, 1_000);
    await paidByCard(merchant, 500);
    const kept = await get('/collection/reserve');
    expect(kept).toMatchObject({ amount: 150, payments: 2, releases: [{ amount: 150, payments: 2 }] });
    expect(await get('/collection/reserve', other)).toMatchObject({ amount: 0, payments: 0, releases: [] });
    const each = (await get('/collection/reserve/payment?status=KEPT')).records;
    expect(each.map(({ amount, releasedAt }: { amount: number; releasedAt: null }) => [amount, releasedAt])).toEqual(
      expect.arrayContaining([
        [100, null],
        [50, null],
      ]),
    );
    expect((await get('/collection/reserve/payment', other)).records).toEqual([]);
    const file = await t.call(
      'GET',
      '/collection/reserve/payment.csv?columns=amount,paymentId',
      undefined,
      bearerOf(merchant),
    );
    expect(file.text.trim().split('\r\n')).toHaveLength(3);
    expect((await get('/wallet/merchant')).wallet).toMatchObject({
      bookedBalance: FUNDED + 1_350,
      availableBalance: FUNDED + 1_350,
    });

    await t.call('POST', '/sandbox/clock/advance', { seconds: 31 * DAY_SECONDS }, bearerOf(merchant));
    await work();
    expect(await get('/collection/reserve')).toMatchObject({ amount: 0, releases: [] });
    expect((await get('/wallet/merchant')).wallet).toMatchObject({ bookedBalance: FUNDED + 1_500 });
    const { records } = await get('/transaction?category=RESERVE_RELEASE');
    expect(records).toMatchObject([{ amount: 150, narration: 'Reserve of 2 payments released', status: 'SUCCESS' }]);
    const { walletId } = merchant;
    const statement = await get(`/wallet/${walletId}/statement`);
    expect(
      statement.records.slice(0, 5).map(({ code, amount }: { code: string; amount: number }) => [code, amount]),
    ).toEqual([
      ['RESERVE_RELEASE', 150],
      ['RESERVE', 50],
      ['COLLECTION', 500],
      ['RESERVE', 100],
      ['COLLECTION', 1_000],
    ]);
  });

  it('comes back when its own merchant moves the sandbox’s clock, not another, and is then no longer kept to the operator', async () => {
    const [merchant, other] = [await t.addMerchant({ name: 'Moves' }), await t.addMerchant({ name: 'Waits' })];
    for (const each of [merchant, other]) await paidByCard(each, 400);
    const keptOf = async ({ merchantId }: TestMerchant) => {
      const { records } = (await ada.call('GET', '/operator/reserve')).body.data;
      return records.filter((one: { merchantId: string }) => one.merchantId === merchantId);
    };
    await t.call('POST', '/sandbox/clock/advance', { seconds: 31 * DAY_SECONDS }, bearerOf(merchant));
    await work();
    expect(await keptOf(merchant)).toEqual([]);
    expect(await keptOf(other)).toMatchObject([{ amount: 40, payments: 1 }]);
    await paidByCard(merchant, 100);
    expect(await keptOf(merchant)).toMatchObject([{ amount: 10, payments: 1 }]);
  });

  it('finds payments by their channel, in the list, the totals and the file', async () => {
    const merchant = await t.addMerchant({ name: 'Both ways' });
    const as = bearerOf(merchant);
    await paidByCard(merchant, 70);
    const { accounts } = (await t.call('GET', `/wallet/${merchant.walletId}/account`, undefined, as)).body.data;
    await t.call('POST', '/sandbox/collection/pay', { accountNumber: accounts[0].accountNumber, amount: 30 }, as);
    await work();
    const listed = async (channel: string) => {
      const { body } = await t.call('GET', `/collection/payment?channel=${channel}`, undefined, as);
      return body.data.records.map(({ amount, channel: how, reserve }: Record<string, unknown>) => [
        amount,
        how,
        reserve,
      ]);
    };
    expect(await listed('CARD')).toEqual([[70, 'CARD', 7]]);
    expect(await listed('BANK_TRANSFER')).toEqual([[30, 'BANK_TRANSFER', 0]]);
    expect(await listed('USSD')).toEqual([]);
    const csv = await t.call(
      'GET',
      '/collection/payment.csv?channel=CARD&columns=amount,reserve,channel',
      undefined,
      as,
    );
    expect(csv.text.replace('\uFEFF', '').trim().split('\r\n')).toEqual(['Amount,Reserve,Channel', '70.00,7.00,CARD']);
  });
});

describe('the operator', () => {
  it('sees the rules and what is kept of each merchant, and sets no rule without their password or a reason', async () => {
    const merchant = await t.addMerchant({ name: 'Kept shop' });
    await paidByCard(merchant, 200);
    const { merchantId } = merchant;
    const totals = await ada.call('GET', '/operator/reserve');
    expect(totals.body.data.records).toContainEqual(
      expect.objectContaining({ merchantId, businessName: 'Kept shop', mode: 'SANDBOX', amount: 20, payments: 1 }),
    );
    const rules = await ada.call('GET', `/operator/reserve/rule?merchantId=${merchantId}`);
    expect(rules.body.data.records).toMatchObject([{ merchantId: null, channel: 'CARD' }]);
    t.clock.advance(20 * 60_000);
    const rule = { merchantId: null, mode: 'LIVE', rateBasisPoints: 100, days: 1, reason: 'Chargebacks' };
    expect((await ada.call('POST', '/operator/reserve/rule', rule)).body).toMatchObject({ code: 'STEP_UP_REQUIRED' });
    await ada.refresh();
    for (const wrong of [
      { rateBasisPoints: 10_001 },
      { days: 0 },
      { days: 731 },
      { reason: '' },
      { channel: 'CASH' },
    ]) {
      expect((await ada.call('POST', '/operator/reserve/rule', { ...rule, ...wrong })).status).toBe(400);
    }
    const unknown = { ...rule, merchantId: '0197a0e1-0000-7000-8000-000000000009' };
    expect((await ada.call('POST', '/operator/reserve/rule', unknown)).status).toBe(404);
  });

  it('sets and lists rules at the terminal, which says what is wrong with one', async () => {
    const merchant = await t.addMerchant({ name: 'By terminal' });
    const terms = ['--mode', 'SANDBOX', '--merchant', merchant.merchantId, '--reason', 'untried'];
    const set = (percent: string, days: string, ...more: string[]) =>
      atTerminal(t, 'set-reserve', ...terms, '--percent', percent, '--days', days, ...more);
    const made = await set('7.25', '14', '--channel', 'CARD');
    expect(made.printed[0]).toMatch(/^SANDBOX\t[0-9a-f-]+\tCARD\t7\.25 % for 14 days\tfrom .*Z\tuntried, /);
    for (const [percent, days] of [
      ['100.01', '1'],
      ['7,5', '1'],
      ['1', '0'],
      ['1', '731'],
      ['-1', '1'],
    ] as const) {
      expect((await set(percent, days)).exit, `${percent} ${days}`).not.toBe(0);
    }
    expect((await set('1', '1', '--channel', 'CASH')).exit).not.toBe(0);
    t.clock.advance(3 * 60_000);
    // What this process knows of the rules is a minute old at most.
    await paidByCard(merchant, 400);
    const { printed } = await atTerminal(t, 'list-reserves', '--merchant', merchant.merchantId);
    const kept = /^SANDBOX\t[0-9a-f-]+\t₦29\.00 of 1 payment\tnext on \d{4}-\d\d-\d\d$/;
    expect(printed.at(-1)).toMatch(kept);
    // Of hundreds of merchants with more.
    const others = 'select gen_random_uuid() as id from generate_series(1, 501)';
    await rowsOf(
      t.connectionString,
      `insert into reserves (merchant_id, mode, payment_id, wallet_id, rule_id, amount_minor, kept_at, release_on, due_at)
       select id, 'SANDBOX', id, id, $1, 1000000, now(), '2100-01-01', '2100-01-01' from (${others}) made`,
      [MADE_UP],
    );
    const again = await atTerminal(t, 'list-reserves', '--merchant', merchant.merchantId);
    await rowsOf(t.connectionString, 'delete from reserves where rule_id = $1', [MADE_UP]);
    expect(again.printed.at(-1)).toMatch(kept);
    const available = await atTerminal(
      t,
      'set-availability',
      ...terms,
      ...['--channel', 'CARD', '--availability', 'ON_SETTLEMENT'],
    );
    expect(available.printed[0]).toContain('\tCARD\tON_SETTLEMENT\tfrom ');
  });
});
