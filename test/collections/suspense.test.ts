import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  closePaymentProposal,
  confirmForPayment,
  proposeForPayment,
  readReceivables,
  readSuspense,
} from '../../src/suspense/index.ts';
import { brokenChecks } from '../support/proof.ts';
import { codeOf, createSuspenseFixture, type SuspenseFixture } from './suspense-fixture.ts';

let fixture: SuspenseFixture;

beforeAll(async () => {
  fixture = await createSuspenseFixture();
});
afterAll(async () => {
  expect((await brokenChecks(fixture.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await fixture.close();
});
beforeEach(() => {
  fixture.alarms.length = 0;
});

const FIRST = { page: 1, size: 200 };

describe('a payment in suspense', () => {
  it('is in the wallet once another person confirmed what one proposed, as a transaction with the payment’s id', async () => {
    const held = await fixture.heldPayment();
    expect(await fixture.decidePayment(held, { action: 'ATTRIBUTE' })).toMatchObject({ status: 'CREDITED' });
    expect(await held.balance()).toBe(40_00n);
    expect(await fixture.paymentsOf(held)).toMatchObject([
      { status: 'CREDITED', reason: null, walletId: held.wallet.id, creditedWalletId: held.wallet.id },
    ]);
    const { rows } = await fixture.database.pool.query(
      `select t.code, x.category, x.status from transfers t
         left join transactions x on x.merchant_id = t.merchant_id and x.mode = t.mode and x.id = t.transaction_id
        where t.merchant_id = $1 and t.transaction_id = $2 order by t.created_at`,
      [held.merchantId, held.paymentId],
    );
    expect(rows.map(({ code }) => code)).toEqual(['COLLECTION_SUSPENSE', 'COLLECTION']);
    expect(rows[1]).toMatchObject({ category: 'COLLECTION', status: 'SUCCESS' });
    expect(await fixture.eventsOf(held, held.paymentId)).toEqual([
      'inbound_payment.held',
      'transaction.succeeded',
      'inbound_payment.credited',
    ]);
  });

  it('may be returned: the provider owes it no more, and no wallet has it', async () => {
    const held = await fixture.heldPayment({ isReinstated: false });
    expect(await fixture.decidePayment(held, { action: 'RETURN' })).toMatchObject({ status: 'RETURNED' });
    expect(await held.balance()).toBe(0n);
    expect(await fixture.paymentsOf(held)).toMatchObject([{ status: 'RETURNED', creditedWalletId: null }]);
    expect(await fixture.eventsOf(held, held.paymentId)).toContain('inbound_payment.returned');
    const { rows } = await readReceivables(fixture, FIRST);
    expect(rows.filter(({ merchant_id }) => merchant_id === held.merchantId)).toEqual([]);
  });

  it('may be kept: the operator’s income has it, and no wallet', async () => {
    const held = await fixture.heldPayment();
    expect(await fixture.decidePayment(held, { action: 'KEEP' })).toMatchObject({ status: 'KEPT' });
    expect(await held.balance()).toBe(0n);
    expect(await fixture.eventsOf(held, held.paymentId)).toContain('inbound_payment.kept');
    const { rows } = await readReceivables(fixture, FIRST);
    expect(rows.find(({ merchant_id }) => merchant_id === held.merchantId)).toMatchObject({
      total_minor: 40_00n,
      today_minor: 40_00n,
      older_minor: 0n,
    });
  });

  it('is decided by two people: not by the person who proposed it, nor by anybody who is no operator', async () => {
    const { deps, people, terms } = fixture;
    const held = await fixture.heldPayment();
    const { tenant, paymentId } = held;
    const shown = await proposeForPayment(deps, { ...terms, tenant, paymentId, action: 'KEEP' });
    const confirm = (personId: string) => codeOf(confirmForPayment(deps, { tenant, ...shown, personId }));
    expect(await confirm(people.ada)).toBe('SECOND_PERSON_NEEDED');
    expect(await confirm(held.merchantId)).toBe('OPERATOR_NOT_FOUND');
    expect(await fixture.paymentsOf(held)).toMatchObject([{ status: 'SUSPENSE' }]);
    const close = (status: 'REJECTED' | 'WITHDRAWN', personId: string) =>
      codeOf(closePaymentProposal(deps, { tenant, proposalId: shown.proposalId, status, reason: 'No', personId }));
    expect(await close('REJECTED', people.ada)).toBe('SECOND_PERSON_NEEDED');
    expect(await close('WITHDRAWN', people.bola)).toBe('NOT_THE_MAKER');
    expect(await close('WITHDRAWN', people.ada)).toBe('DONE');
    expect(await confirm(people.bola)).toBe('SUSPENSE_PROPOSAL_DECIDED');
    expect(await close('REJECTED', people.bola)).toBe('SUSPENSE_PROPOSAL_DECIDED');
    expect(await fixture.decidePayment(held, { action: 'RETURN' })).toMatchObject({ status: 'RETURNED' });
    expect(await codeOf(fixture.decidePayment(held, { action: 'RETURN' }))).toBe('PAYMENT_NOT_IN_SUSPENSE');
  });

  it('has one proposal at a time, with a note that says something', async () => {
    const { deps, terms } = fixture;
    const { tenant, paymentId } = await fixture.heldPayment();
    const propose = (more: object = {}) =>
      codeOf(proposeForPayment(deps, { ...terms, tenant, paymentId, action: 'KEEP', ...more }));
    expect(await propose({ note: 'too short' })).toBe('VALIDATION_FAILED');
    expect(await propose({ personId: tenant.merchantId })).toBe('OPERATOR_NOT_FOUND');
    expect(await propose({ paymentId: tenant.merchantId })).toBe('INBOUND_PAYMENT_NOT_FOUND');
    expect(await propose({ tenant: { ...tenant, mode: 'SANDBOX' } })).toBe('INBOUND_PAYMENT_NOT_FOUND');
    const twice = await Promise.all([propose(), propose()]);
    expect(twice.sort()).toEqual(['DONE', 'SUSPENSE_ALREADY_PROPOSED']);
  });

  it('goes to a wallet of its own merchant, in its own mode, and to no other', async () => {
    const held = await fixture.heldPayment();
    const other = await fixture.payee();
    const { tenant } = held;
    const sandbox = await fixture.deps.wallets.requireTenantAccounts({ ...tenant, mode: 'SANDBOX' });
    const refused = (more: { walletId?: string; accountNumber?: string }) =>
      codeOf(fixture.decidePayment(held, { action: 'ATTRIBUTE', ...more }));
    expect(await refused({ walletId: other.wallet.id })).toBe('WALLET_NOT_FOUND');
    expect(await refused({ accountNumber: other.wallet.accountNumber })).toBe('WALLET_NOT_FOUND');
    expect(await refused({ walletId: sandbox.wallet.id })).toBe('WALLET_NOT_FOUND');
    expect(await codeOf(fixture.decidePayment(held, { action: 'KEEP', walletId: held.wallet.id }))).toBe(
      'VALIDATION_FAILED',
    );
    expect(await other.balance()).toBe(0n);
    const own = { action: 'ATTRIBUTE', accountNumber: held.wallet.accountNumber } as const;
    expect(await fixture.decidePayment(held, own)).toMatchObject({ status: 'CREDITED' });
    expect(await held.balance()).toBe(40_00n);
  });

  it('is not attributed while its merchant is suspended, also where that happens after it was proposed', async () => {
    const { deps, people, terms } = fixture;
    const held = await fixture.heldPayment();
    const { tenant, paymentId, merchantId } = held;
    const shown = await proposeForPayment(deps, { ...terms, tenant, paymentId, action: 'ATTRIBUTE' });
    await fixture.status(merchantId, 'suspend');
    const confirm = () => codeOf(confirmForPayment(deps, { tenant, ...shown, personId: people.bola }));
    expect(await confirm()).toBe('MERCHANT_STILL_SUSPENDED');
    expect(await held.balance()).toBe(0n);
    await fixture.status(merchantId, 'reinstate');
    expect(await confirm()).toBe('DONE');
    expect(await held.balance()).toBe(40_00n);
  });

  it('that a suspended merchant still has is listed when it is reinstated, and needs two people all the same', async () => {
    const held = await fixture.heldPayment();
    const { rows } = await readSuspense(fixture.database, { merchantId: held.merchantId }, FIRST);
    expect(rows).toMatchObject([{ money: { payment_id: held.paymentId, reason: 'MERCHANT_SUSPENDED' } }]);
    expect(await held.balance()).toBe(0n);
  });

  it('that its provider says went back by itself is returned, and nobody gets it, also where that was proposed before', async () => {
    const held = await fixture.heldPayment();
    const { tenant, paymentId } = held;
    const proposed = await proposeForPayment(fixture.deps, {
      ...fixture.terms,
      tenant,
      paymentId,
      action: 'ATTRIBUTE',
    });
    const credit = fixture.script.credits.get(held.hint.providerTransactionId ?? '');
    if (credit !== undefined) credit.outcome = 'reversed';
    await fixture.takeWebhook({ ...held.hint, isReversal: true });
    const personId = fixture.people.bola;
    const no = 'SUSPENSE_ACTION_NOT_POSSIBLE';
    expect(await codeOf(confirmForPayment(fixture.deps, { tenant, ...proposed, personId }))).toBe(no);
    const taken = { tenant, proposalId: proposed.proposalId, status: 'WITHDRAWN', reason: 'It went back' } as const;
    await closePaymentProposal(fixture.deps, { ...taken, personId: fixture.people.ada });
    expect(await codeOf(fixture.decidePayment(held, { action: 'KEEP' }))).toBe(no);
    expect(await fixture.decidePayment(held, { action: 'RETURN' })).toMatchObject({ status: 'RETURNED' });
    expect(await held.balance()).toBe(0n);
  });

  it('is decided as it was shown: with another digest, or altered since, nothing moves', async () => {
    const { deps, people, terms, database } = fixture;
    const held = await fixture.heldPayment();
    const { tenant, paymentId } = held;
    const shown = await proposeForPayment(deps, { ...terms, tenant, paymentId, action: 'RETURN' });
    const confirm = (digest: string) =>
      codeOf(confirmForPayment(deps, { tenant, ...shown, digest, personId: people.bola }));
    expect(await confirm('0'.repeat(64))).toBe('SUSPENSE_PROPOSAL_ALTERED');
    expect(fixture.alarms).toEqual([]);
    await database.pool.query(`update suspense_proposals set action = 'KEEP' where id = $1`, [shown.proposalId]);
    expect(await confirm(shown.digest)).toBe('SUSPENSE_PROPOSAL_ALTERED');
    expect(fixture.alarms).toEqual(['SUSPENSE_PROPOSAL_ALTERED']);
    expect(await fixture.paymentsOf(held)).toMatchObject([{ status: 'SUSPENSE' }]);
    await database.pool.query(`update suspense_proposals set action = 'RETURN' where id = $1`, [shown.proposalId]);
  });

  it('whose facts changed makes its proposal stale, and may be proposed anew', async () => {
    const { deps, people, terms, database } = fixture;
    const held = await fixture.heldPayment();
    const { tenant, paymentId } = held;
    const shown = await proposeForPayment(deps, { ...terms, tenant, paymentId, action: 'RETURN' });
    await database.pool.query(`update inbound_payments set reason = 'LOOKED_INTO' where id = $1`, [paymentId]);
    const confirm = () => codeOf(confirmForPayment(deps, { tenant, ...shown, personId: people.bola }));
    expect(await confirm()).toBe('SUSPENSE_PROPOSAL_STALE');
    expect(await confirm()).toBe('SUSPENSE_PROPOSAL_DECIDED');
    expect(await fixture.decidePayment(held, { action: 'RETURN' })).toMatchObject({ status: 'RETURNED' });
  });

  it('that two confirm at once in two processes, while a third withdraws it, is credited once or not at all', async () => {
    const { people, terms } = fixture;
    const database = fixture.base.open(4);
    const there = fixture.another(database);
    const here = fixture.deps;
    for (let round = 0; round < 10; round += 1) {
      const held = await fixture.heldPayment();
      const { tenant, paymentId } = held;
      const shown = await proposeForPayment(here, { ...terms, tenant, paymentId, action: 'ATTRIBUTE' });
      const withdrawal = { tenant, proposalId: shown.proposalId, status: 'WITHDRAWN', reason: 'No' } as const;
      const codes = await Promise.all([
        codeOf(confirmForPayment(here, { tenant, ...shown, personId: people.bola })),
        codeOf(confirmForPayment(there, { tenant, ...shown, personId: people.chidi })),
        ...(round % 2 === 0 ? [] : [codeOf(closePaymentProposal(there, { ...withdrawal, personId: people.ada }))]),
      ]);
      expect(codes.filter((code) => code === 'DONE')).toHaveLength(1);
      const isWithdrawn = codes[2] === 'DONE';
      expect(await held.balance()).toBe(isWithdrawn ? 0n : 40_00n);
    }
    await there.ledger.drain();
    await database.close();
  });
});

describe('the queue', () => {
  it('has both kinds, what waits longest first, each with its proposal, until it is decided', async () => {
    const { deps, terms, database } = fixture;
    const held = await fixture.heldPayment();
    fixture.clock.advance(60_000);
    const credit = await fixture.ownerlessCredit();
    const { tenant, paymentId } = held;
    const { proposalId } = await proposeForPayment(deps, { ...terms, tenant, paymentId, action: 'KEEP' });
    const { rows } = await readSuspense(database, {}, FIRST);
    const since = rows.map(({ money }) => money.since.getTime());
    expect(since).toEqual([...since].sort((one, other) => one - other));
    expect(rows.slice(-2)).toMatchObject([
      { money: { kind: 'PAYMENT', payment_id: paymentId, amount_minor: 40_00n }, proposal: { id: proposalId } },
      { money: { kind: 'CREDIT', credit_key: credit.creditKey, amount_minor: 30_00n, payer_name: 'CHIDI OKAFOR' } },
    ]);
    await fixture.decideCredit(credit, { action: 'RETURN' });
    const later = await readSuspense(database, {}, FIRST);
    expect(later.rows.map(({ money }) => money.credit_key)).not.toContain(credit.creditKey);
  });
});
