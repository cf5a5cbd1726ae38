import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proposeForPayment } from '../../src/suspense/index.ts';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import { brokenChecks } from '../support/proof.ts';
import { CHECKS_OF_SUSPENSE, createSuspenseFixture, type SuspenseFixture } from './suspense-fixture.ts';

let fixture: SuspenseFixture;

beforeAll(async () => {
  fixture = await createSuspenseFixture();
  for (const action of ['ATTRIBUTE', 'RETURN', 'KEEP'] as const) {
    await fixture.decidePayment(await fixture.heldPayment(), { action });
  }
  const { tenant, paymentId } = await fixture.heldPayment();
  await proposeForPayment(fixture.deps, { ...fixture.terms, tenant, paymentId, action: 'KEEP' });
  const { wallet } = await fixture.payee();
  const attribution = { action: 'ATTRIBUTE', accountNumber: wallet.accountNumber } as const;
  await fixture.decideCredit(await fixture.ownerlessCredit(), attribution);
  await fixture.decideCredit(await fixture.ownerlessCredit(), { action: 'RETURN' });
});
afterAll(() => fixture.close());

/** A payment that ended so. */
const payment = (status: string) => `(select id from inbound_payments where status = '${status}' order by id limit 1)`;
/** What is wrong where, and which check says so: others may say more. */
const WRONG: readonly { what: string; sql: string; broken: string }[] = [
  {
    what: 'a payment that reads as kept and was returned',
    sql: `update inbound_payments set status = 'KEPT' where id = ${payment('RETURNED')}`,
    broken: 'suspense-ends-as-two-people-decided',
  },
  {
    what: 'a payment that was kept and waits again',
    sql: `update inbound_payments set status = 'SUSPENSE', reason = 'MERCHANT_SUSPENDED' where id = ${payment('KEPT')}`,
    broken: 'suspense-is-what-waits',
  },
  {
    what: 'a payment that reads as returned, and waits',
    sql: `update inbound_payments set status = 'RETURNED' where id = ${payment('SUSPENSE')}`,
    broken: 'receivables-are-what-providers-owe',
  },
  {
    what: 'a payment that nobody took out of suspense, and is not there',
    sql: `update inbound_payments set status = 'KEPT', reason = null where id = ${payment('SUSPENSE')}`,
    broken: 'suspense-ends-as-two-people-decided',
  },
  {
    what: 'a payment that was reported as held for good',
    sql: `update event_rows set data = replace(data, '"conclusive":false', '"conclusive":true')
           where type = 'inbound_payment.held' and subject_id = ${payment('SUSPENSE')}`,
    broken: 'payments-in-are-reported-as-they-are',
  },
  {
    what: 'a payment that left suspense by nobody’s decision',
    sql: `delete from suspense_proposals where payment_id = ${payment('RETURNED')}`,
    broken: 'suspense-ends-as-two-people-decided',
  },
  {
    what: 'a payment that left suspense by a proposal that waits',
    sql: `update suspense_proposals set status = 'PENDING', decided_by = null, decided_at = null, updated_at = proposed_at
           where payment_id = ${payment('KEPT')}`,
    broken: 'suspense-is-decided-by-two',
  },
  {
    what: 'a payment that is in another wallet than two people said',
    sql: `update inbound_payments set attributed_wallet_id = '${crypto.randomUUID()}'
           where id = (select payment_id from suspense_proposals where action = 'ATTRIBUTE')`,
    broken: 'suspense-ends-as-two-people-decided',
  },
  {
    what: 'a posting out of suspense of another amount',
    sql: `update transfers set amount_minor = amount_minor + 1 where code = 'SUSPENSE_KEPT'`,
    broken: 'suspense-ends-as-two-people-decided',
  },
  {
    what: 'a proposal whose note was written again',
    sql: `update suspense_proposals set note = 'Nobody said so' where status = 'CONFIRMED' and action = 'KEEP'`,
    broken: 'suspense-is-decided-by-two',
  },
  {
    what: 'a proposal that one person alone decided',
    sql: `alter table suspense_proposals drop constraint suspense_proposals_two_people;
          update suspense_proposals set decided_by = proposed_by where status = 'CONFIRMED' and action = 'KEEP'`,
    broken: 'suspense-is-decided-by-two',
  },
  {
    what: 'a proposal about a credit that names another wallet',
    sql: `update open_credit_proposals set wallet_id = '${crypto.randomUUID()}' where action = 'ATTRIBUTE'`,
    broken: 'suspense-is-decided-by-two',
  },
  {
    what: 'a credit that leads to another wallet than two people said',
    sql: `update credit_directory set wallet_id = '${crypto.randomUUID()}' where (rail, provider_transaction_id) in
            (select rail, provider_transaction_id from open_credit_proposals where action = 'ATTRIBUTE')`,
    broken: 'credits-without-an-owner-end-as-decided',
  },
  {
    what: 'a returned credit that leads somewhere again, and may be credited',
    sql: `delete from credit_directory where merchant_id is null`,
    broken: 'credits-without-an-owner-end-as-decided',
  },
  {
    what: 'a credit that was returned without two people',
    sql: `delete from open_credit_proposals where action = 'RETURN'`,
    broken: 'credits-without-an-owner-end-as-decided',
  },
  {
    what: 'a credit that reads as dismissed and was returned',
    sql: `update open_credits set status = 'DISMISSED' where status = 'RETURNED'`,
    broken: 'credits-without-an-owner-end-as-decided',
  },
  {
    what: 'a key of a payment that left suspense is free again',
    sql: `delete from unique_keys where scope = 'SUSPENSE_END' and value = ${payment('RETURNED')}::text`,
    broken: 'names-are-taken-by-what-has-them',
  },
];

describe('the proof', () => {
  it('finds nothing wrong where two people decided', async () => {
    expect((await brokenChecks(fixture.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  });

  it('has each of its checks about suspense broken by one of these', () => {
    const broken = WRONG.map((wrong) => wrong.broken);
    expect(CHECKS_OF_SUSPENSE.filter((name) => !broken.includes(name))).toEqual([]);
  });

  it.each(WRONG)('finds $what', async ({ sql, broken }) => {
    expect(brokenIn(await verifyAfter(fixture.database, sql.split(';')))).toContain(broken);
  });
});
