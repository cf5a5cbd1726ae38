import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import { moved } from '../support/moved.ts';
import { brokenChecks } from '../support/proof.ts';
import { CHECKS_OF_SETTLEMENTS, createSettlementFixture, csvOf, type SettlementFixture } from './fixture.ts';

let fixture: SettlementFixture;

beforeAll(async () => {
  fixture = await createSettlementFixture();
  const merchant = await fixture.payee();
  await fixture.settle([await fixture.pay(merchant, 100_00n)]);
  await fixture.rule('ON_SETTLEMENT', merchant.merchantId);
  await fixture.settle([await fixture.pay(merchant, 200_00n)], { fee: '12.00', net: '188.00' });
  await fixture.pay(merchant, 300_00n);
  const id = await fixture.record(csvOf([{ id: 'nobody', gross: '1', fee: '0' }]), {
    lumpMinor: 5n,
    cutOff: new Date(fixture.clock.now().getTime() + 1_000),
  });
  await fixture.apply(id, { note: 'Their mail of 20 November says why' });
});
afterAll(() => fixture.close());

const released = `(select payment_id from collection_settlements where gross_minor = 20000)`;
const waiting = `(select id from inbound_payments where status = 'PENDING_SETTLEMENT')`;
const WRONG: readonly { what: string; sql: string; broken: string }[] = [
  {
    what: 'a settlement of another amount than was posted',
    sql: `update collection_settlements set gross_minor = gross_minor + 1 where payment_id = ${released}`,
    broken: 'payments-in-are-settled-once',
  },
  {
    what: 'a settlement with another fee than was posted',
    sql: `update collection_settlements set fee_minor = fee_minor - 1 where payment_id = ${released}`,
    broken: 'pending-collections-and-provider-cost-are-what-they-say',
  },
  {
    what: 'a posting of a settlement that nobody made',
    sql: `delete from collection_settlements where payment_id = ${released}`,
    broken: 'payments-in-are-settled-once',
  },
  {
    what: 'a posting of a settlement that was altered',
    sql: `update transfers set amount_minor = amount_minor + 1 where code = 'PROVIDER_FEE'`,
    broken: 'payments-in-are-settled-once',
  },
  {
    what: 'a payment that was settled by a line of another payment',
    sql: `update collection_settlements set line_id = (select min(id::text)::uuid from provider_settlement_lines)`,
    broken: 'settled-payments-have-their-line',
  },
  {
    what: 'a settlement that is done and a line of it that was never posted',
    sql: `update provider_settlement_lines set result = 'MATCHED' where result = 'MISSING_HERE'`,
    broken: 'settled-payments-have-their-line',
  },
  {
    what: 'a payment that was released before its settlement',
    sql: `update collection_settlements set settled_at = ${moved('settled_at', '1 second')} where payment_id = ${released}`,
    broken: 'payments-are-released-by-their-settlement',
  },
  {
    what: 'a payment that waits and reads as credited',
    sql: `update inbound_payments set status = 'CREDITED' where id = ${waiting}`,
    broken: 'pending-collections-and-provider-cost-are-what-they-say',
  },
  {
    what: 'a payment that waits where the rule did not say so',
    sql: `update availability_rules set effective_from = ${moved('effective_from', '10 years')}`,
    broken: 'payments-wait-where-the-rules-say',
  },
  {
    what: 'a rule that was written by nobody',
    sql: `update availability_rules set source = 'nobody'`,
    broken: 'payments-wait-where-the-rules-say',
  },
  {
    what: 'a settlement whose lump sum was altered',
    sql: `update provider_settlements set lump_minor = lump_minor + 1`,
    broken: 'settlements-are-applied-by-two',
  },
  {
    what: 'a settlement that was applied by who imported it',
    sql: `update provider_settlements set decided_by = '${'0'.repeat(8)}-0000-0000-0000-000000000000'`,
    broken: 'settlements-are-applied-by-two',
  },
  {
    what: 'a line that was altered',
    sql: `update provider_settlement_lines set fee_minor = fee_minor + 1 where payment_id = ${released}`,
    broken: 'lines-of-settlements-are-what-was-compared',
  },
  {
    what: 'a settlement that was not reported',
    sql: `delete from event_rows where type = 'collection.settled' and (data::json ->> 'paymentId')::uuid = ${released}`,
    broken: 'settled-payments-are-reported',
  },
  {
    what: 'what the provider still owes, settled in the books alone',
    sql: `insert into collection_settlements (merchant_id, mode, payment_id, id, settlement_id, line_id, gross_minor, fee_minor, settled_at)
          select p.merchant_id, p.mode, p.id, p.id, s.settlement_id, s.line_id, p.amount_minor, 0, s.settled_at
            from inbound_payments p, (select * from collection_settlements limit 1) s where p.id = ${waiting}`,
    broken: 'receivables-are-what-providers-owe',
  },
];

describe('the proof of settlements', () => {
  it('finds nothing wrong in right books', async () => {
    expect(await brokenChecks(fixture.database)).toEqual([]);
  });

  it('has each of its checks about settlements broken by one of these', () => {
    const broken = WRONG.map((wrong) => wrong.broken);
    expect(CHECKS_OF_SETTLEMENTS.filter((name) => !broken.includes(name))).toEqual([]);
  });

  it.each(WRONG)('finds $what', async ({ sql, broken }) => {
    expect(brokenIn(await verifyAfter(fixture.database, [sql]))).toContain(broken);
  });
});
