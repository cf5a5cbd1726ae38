import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';
import { CHECKS_OF_BANK_SETTLEMENTS, childOf, settling, work } from './fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
  const shop = await settling(t);
  await shop.set({ schedule: 'OFF', keepInWallet: 500 });
  for (const amount of [4_000, 3_000]) {
    await shop.pay(amount);
    await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
  }
  const store = await childOf(shop, 'Ikeja');
  await store.set({ keepInWallet: 300 });
  await store.pay(6_000);
  const asked = { walletId: store.walletId, pin: TEST_PIN };
  await shop.must('POST', '/collection/settlement', asked, { 'idempotency-key': randomUUID() });
  await work(t);
});
afterAll(() => t.close());

const first = `(select id from merchant_settlements where number = 1)`;
const WRONG: readonly { what: string; sql: string; broken: (typeof CHECKS_OF_BANK_SETTLEMENTS)[number] }[] = [
  {
    what: 'a settlement that leaves an entry out',
    sql: `update merchant_settlements set after_sequence = after_sequence + 1 where number = 2`,
    broken: 'settlements-to-banks-follow-each-other',
  },
  {
    what: 'a settlement that is gone',
    sql: `delete from merchant_settlements where number = 1`,
    broken: 'settlements-to-banks-follow-each-other',
  },
  {
    what: 'a rest that was carried twice',
    sql: `update merchant_settlements set carried_in_minor = carried_in_minor + 1 where number = 2`,
    broken: 'settlements-to-banks-follow-each-other',
  },
  {
    what: 'another opening balance than the wallet had',
    sql: `update merchant_settlements set opening_minor = opening_minor + 1 where number = 1`,
    broken: 'settlements-to-banks-follow-each-other',
  },
  {
    what: 'a report that says more than was collected',
    sql: `update merchant_settlements set net_minor = net_minor + 1 where number = 1`,
    broken: 'settlements-to-banks-are-what-was-collected',
  },
  {
    what: 'lines that are not those of the books',
    sql: `update merchant_settlements set sums = replace(sums, '400000', '400001') where number = 1`,
    broken: 'settlements-to-banks-are-what-was-collected',
  },
  {
    what: 'a payment that was altered after it was settled',
    sql: `update transfers set amount_minor = amount_minor - 1 where code = 'COLLECTION' and amount_minor = 400000`,
    broken: 'settlements-to-banks-are-what-was-collected',
  },
  {
    what: 'a rest of what was due that no later settlement has',
    sql: `update merchant_settlements set carried_out_minor = carried_out_minor - 1 where number = 2`,
    broken: 'settlements-to-banks-carry-what-they-leave',
  },
  {
    what: 'a second payout of one settlement while the first one stands',
    sql: `insert into merchant_settlement_payouts select merchant_id, mode, gen_random_uuid(), settlement_id, 2, created_at
            from merchant_settlement_payouts where settlement_id = ${first}`,
    broken: 'settlements-to-banks-are-paid-once',
  },
  {
    what: 'a payout that calls itself a settlement and is none',
    sql: `delete from merchant_settlement_payouts where settlement_id = ${first}`,
    broken: 'settlements-to-banks-are-paid-once',
  },
  {
    what: 'a settlement that is said to be paid and failed',
    sql: `update merchant_settlements set status = 'FAILED', reason = 'NONE', due_at = now() where number = 1`,
    broken: 'settlements-to-banks-are-paid-once',
  },
  {
    what: 'a settlement of live money to an account that nobody accepted',
    sql: `with shops as (select distinct merchant_id from merchant_settlements)
          insert into merchant_status_changes (merchant_id, id, action, from_status, to_status, actor, created_at, facts)
          select merchant_id, gen_random_uuid(), 'approve', 'PENDING', 'ACTIVE', 'ada', '2020-01-01',
                 '{"steps": {"SETTLEMENT_ACCOUNT": {"bankCode": "058", "accountNumber": "9999999999"}}}' from shops`,
    broken: 'settlements-go-to-the-reviewed-account',
  },
  {
    what: 'a settlement that was reported with another amount',
    sql: `update event_rows set data = replace(data, '"amount":3', '"amount":4') where type = 'merchant_settlement.paid'`,
    broken: 'settlements-to-banks-are-reported-as-they-are',
  },
  {
    what: 'a settlement whose end was not reported',
    sql: `delete from event_rows where type = 'merchant_settlement.paid'`,
    broken: 'settlements-to-banks-are-reported-as-they-are',
  },
  {
    what: 'settings that the merchant never made',
    sql: `update merchant_settlement_settings set keep_minor = 0`,
    broken: 'terms-of-settlements-are-what-was-made',
  },
  {
    what: 'a settlement of a store that begins somewhere else than its wallet',
    sql: `update wallet_settlement_states set first_sequence = first_sequence + 1`,
    broken: 'settlements-to-banks-follow-each-other',
  },
  {
    what: 'a store that is settled without anybody having said so',
    sql: `delete from wallet_settlement_settings`,
    broken: 'terms-of-settlements-are-what-was-made',
  },
  {
    what: 'another amount that stays in a store than an owner said',
    sql: `update wallet_settlement_settings set keep_minor = 0`,
    broken: 'terms-of-settlements-are-what-was-made',
  },
  {
    what: 'a store that is said not to be settled, which its settings say',
    sql: `update wallet_settlement_states set is_settled = false`,
    broken: 'terms-of-settlements-are-what-was-made',
  },
  {
    what: 'terms that nobody of the operator set',
    sql: `update merchant_settlement_rules set cooling_off_seconds = 0`,
    broken: 'terms-of-settlements-are-what-was-made',
  },
];

describe('the proof of settlements to banks', () => {
  it('finds nothing wrong in right books, of a settlement that was asked for with a key among them', async () => {
    expect(await brokenChecks(t.database)).toEqual([]);
  });

  it('has each of its checks broken by one of these', () => {
    const broken: string[] = WRONG.map((wrong) => wrong.broken);
    expect(CHECKS_OF_BANK_SETTLEMENTS.filter((name) => !broken.includes(name))).toEqual([]);
  });

  it.each(WRONG)('finds $what', async ({ sql, broken }) => {
    expect(brokenIn(await verifyAfter(t.database, [sql]))).toContain(broken);
  });
});
