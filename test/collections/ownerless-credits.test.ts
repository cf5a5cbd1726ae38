import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isReversedByProvider, openCreditDigest, retryOpenCredits } from '../../src/collections/index.ts';
import { takeCredit } from '../../src/collections/take-credit.ts';
import {
  askAgain,
  closeCreditProposal,
  confirmForCredit,
  countSuspenseToDecide,
  proposeForCredit,
} from '../../src/suspense/index.ts';
import { asSomebodyElse } from '../support/one-connection.ts';
import { brokenChecks } from '../support/proof.ts';
import { codeOf, createSuspenseFixture, keyOf, type SuspenseFixture } from './suspense-fixture.ts';

/** What PostgreSQL says to `nowait` where another transaction has the row. */
const LOCK_NOT_AVAILABLE = '55P03';

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

describe('a credit without an owner', () => {
  it('is booked as any other once two people said whose it is, and never again', async () => {
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const attribution = { action: 'ATTRIBUTE', accountNumber: owner.wallet.accountNumber } as const;
    expect(await fixture.decideCredit(credit, attribution)).toEqual({ result: 'CREDITED' });
    expect(await owner.balance()).toBe(30_00n);
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE', due_at: null });
    expect(await fixture.takeWebhook(credit.hint)).toEqual(['ALREADY_TAKEN']);
    expect(await codeOf(fixture.decideCredit(credit, attribution))).toBe('SUSPENSE_ACTION_NOT_POSSIBLE');
    expect(await owner.balance()).toBe(30_00n);
    const [payment] = await fixture.paymentsOf(owner);
    expect(payment).toMatchObject({ status: 'CREDITED', amount: 30, accountNumber: '1234567890' });
  });

  it('is attributed by the number at a provider that its merchant is shown', async () => {
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const { accountNumber } = owner;
    expect(await fixture.decideCredit(credit, { action: 'ATTRIBUTE', accountNumber })).toEqual({ result: 'CREDITED' });
    expect(await owner.balance()).toBe(30_00n);
  });

  it('stays out of a wallet of the other mode, of a wallet that is none, and of an action that is not its', async () => {
    const credit = await fixture.ownerlessCredit();
    const play = await fixture.base.addMerchant({ mode: 'SANDBOX' });
    const { wallet } = await fixture.deps.wallets.requireTenantAccounts(play.tenant);
    const refused = (action: 'ATTRIBUTE' | 'DISMISS' | 'RETURN', accountNumber?: string) =>
      codeOf(fixture.decideCredit(credit, { action, accountNumber }));
    expect(await refused('ATTRIBUTE', wallet.accountNumber)).toBe('WALLET_NOT_FOUND');
    expect(await refused('ATTRIBUTE', '0000000000')).toBe('WALLET_NOT_FOUND');
    expect(await refused('ATTRIBUTE')).toBe('VALIDATION_FAILED');
    expect(await refused('RETURN', wallet.accountNumber)).toBe('VALIDATION_FAILED');
    expect(await refused('DISMISS')).toBe('SUSPENSE_ACTION_NOT_POSSIBLE');
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'NO_OWNER' });
  });

  it('that went back to its payer is never credited, also where its number is opened later', async () => {
    const owner = await fixture.payee();
    const other = await fixture.ownerlessCredit();
    expect(await fixture.decideCredit(other, { action: 'RETURN' })).toEqual({ result: 'RETURNED' });
    const received = fixture.script.credits.get(other.hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, accountNumber: owner.accountNumber };
    expect(await fixture.takeWebhook({ ...other.hint, accountNumber: owner.accountNumber })).toEqual(['ALREADY_TAKEN']);
    expect(await takeCredit(fixture.deps, fixture.creditRail, other.hint, { source: 'POLL' })).toBe('ALREADY_TAKEN');
    expect(await owner.balance()).toBe(0n);
    expect(await fixture.openCredit(other)).toMatchObject({ status: 'RETURNED' });
  });

  it('whose number was opened after it was proposed is booked once, there, and is not attributed elsewhere', async () => {
    const { deps, people, terms } = fixture;
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const other = await fixture.payee();
    const proposal = { ...terms, ...keyOf(credit.hint), action: 'ATTRIBUTE' } as const;
    const shown = await proposeForCredit(deps, { ...proposal, accountNumber: other.wallet.accountNumber });
    const received = fixture.script.credits.get(credit.hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.credit = { ...received.credit, accountNumber: owner.accountNumber };
    expect(await fixture.takeWebhook(credit.hint)).toEqual(['CREDITED']);
    const code = await codeOf(confirmForCredit(deps, { ...shown, personId: people.bola }));
    expect(['CREDIT_HAS_OWNER', 'SUSPENSE_PROPOSAL_STALE']).toContain(code);
    expect([await owner.balance(), await other.balance()]).toEqual([30_00n, 0n]);
    expect(await askAgain(deps, { ...keyOf(credit.hint), personId: people.ada })).toBeUndefined();
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE' });
    expect(await countSuspenseToDecide(fixture.database, people.bola)).toMatchObject({ proposals: 0 });
  });

  it('of a suspended merchant is held, and needs two people once more', async () => {
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    await fixture.status(owner.merchantId, 'suspend');
    const attribution = { action: 'ATTRIBUTE', accountNumber: owner.wallet.accountNumber } as const;
    expect(await fixture.decideCredit(credit, attribution)).toEqual({ result: 'HELD' });
    expect(await owner.balance()).toBe(0n);
    const [payment] = await fixture.paymentsOf(owner);
    expect(payment).toMatchObject({ status: 'SUSPENSE', reason: 'MERCHANT_SUSPENDED' });
    await fixture.status(owner.merchantId, 'reinstate');
    const held = { tenant: owner.tenant, paymentId: payment?.paymentId ?? '' };
    expect(await fixture.decidePayment(held, { action: 'ATTRIBUTE' })).toMatchObject({ status: 'CREDITED' });
    expect(await owner.balance()).toBe(30_00n);
  });

  it('is not attributed where the provider does not confirm it now, or confirms another amount or transfer', async () => {
    const { deps, people, terms } = fixture;
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const proposal = { ...terms, ...keyOf(credit.hint), action: 'ATTRIBUTE' } as const;
    const shown = await proposeForCredit(deps, { ...proposal, accountNumber: owner.wallet.accountNumber });
    const received = fixture.script.credits.get(credit.hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    const confirm = () => codeOf(confirmForCredit(deps, { ...shown, personId: people.bola }));
    received.outcome = 'pending';
    expect(await confirm()).toBe('CREDIT_NOT_CONFIRMED');
    received.outcome = 'confirmed';
    received.credit = { ...received.credit, amountMinor: 31_00n };
    expect(await confirm()).toBe('CREDIT_NOT_CONFIRMED');
    const providerTransactionId = received.credit.providerTransactionId;
    received.credit = { ...received.credit, amountMinor: 30_00n, providerTransactionId: 'another-transfer' };
    expect(await confirm()).toBe('CREDIT_NOT_CONFIRMED');
    expect(await owner.balance()).toBe(0n);
    received.credit = { ...received.credit, providerTransactionId };
    expect(await confirm()).toBe('DONE');
    expect(await owner.balance()).toBe(30_00n);
  });

  it('that was decided and not booked, because its process died, is booked once by the person who confirms again', async () => {
    const { deps, people, terms } = fixture;
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const proposal = { ...terms, ...keyOf(credit.hint), action: 'ATTRIBUTE' } as const;
    const shown = await proposeForCredit(deps, { ...proposal, accountNumber: owner.wallet.accountNumber });
    const dying = { ...deps, ledger: { ...deps.ledger, commit: () => Promise.reject(new Error('killed')) } };
    await expect(confirmForCredit(dying, { ...shown, personId: people.bola })).rejects.toThrow('killed');
    expect(await owner.balance()).toBe(0n);
    const again = () => codeOf(confirmForCredit(deps, { ...shown, personId: people.bola }));
    expect(await Promise.all([again(), again(), again()])).toContain('DONE');
    expect(await owner.balance()).toBe(30_00n);
    expect(await again()).toBe('SUSPENSE_PROPOSAL_DECIDED');
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE' });
  });

  it('that was decided and not booked is booked by the next question, also when nobody confirms again', async () => {
    const { deps, people, terms } = fixture;
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const proposal = { ...terms, ...keyOf(credit.hint), action: 'ATTRIBUTE' } as const;
    const shown = await proposeForCredit(deps, { ...proposal, accountNumber: owner.wallet.accountNumber });
    const dying = { ...deps, ledger: { ...deps.ledger, commit: () => Promise.reject(new Error('killed')) } };
    await expect(confirmForCredit(dying, { ...shown, personId: people.bola })).rejects.toThrow('killed');
    fixture.clock.advance(1_000);
    await retryOpenCredits(deps, 'LIVE');
    expect(await owner.balance()).toBe(30_00n);
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE' });
  });

  it('that was attributed days after it came is asked about again, where the provider does not answer at once', async () => {
    const { deps, people, script } = fixture;
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const proposal = { ...fixture.terms, ...keyOf(credit.hint), action: 'ATTRIBUTE' } as const;
    fixture.clock.advance(4 * 24 * 3_600_000);
    const shown = await proposeForCredit(deps, { ...proposal, accountNumber: owner.wallet.accountNumber });
    const dying = { ...deps, ledger: { ...deps.ledger, commit: () => Promise.reject(new Error('killed')) } };
    await expect(confirmForCredit(dying, { ...shown, personId: people.bola })).rejects.toThrow('killed');
    const said = { code: null, reason: null, message: 'Wait', at: fixture.clock.now() };
    script.nextAnswers.set(credit.hint.providerTransactionId ?? '', [async () => ({ ...said, outcome: 'unknown' })]);
    await retryOpenCredits(deps, 'LIVE');
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'WAITING' });
    fixture.clock.advance(7 * 3_600_000);
    await retryOpenCredits(deps, 'LIVE');
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE' });
    expect(await owner.balance()).toBe(30_00n);
  });

  it('that was booked by a process that died before it said so is ended without a second posting', async () => {
    const { deps, people, terms } = fixture;
    const credit = await fixture.ownerlessCredit();
    const owner = await fixture.payee();
    const proposal = { ...terms, ...keyOf(credit.hint), action: 'ATTRIBUTE' } as const;
    const shown = await proposeForCredit(deps, { ...proposal, accountNumber: owner.wallet.accountNumber });
    const commit: typeof deps.ledger.commit = async (movement) => {
      await deps.ledger.commit(movement);
      throw new Error('killed');
    };
    const dying = { ...deps, ledger: { ...deps.ledger, commit } };
    await expect(confirmForCredit(dying, { ...shown, personId: people.bola })).rejects.toThrow('killed');
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'WAITING' });
    expect(await confirmForCredit(deps, { ...shown, personId: people.chidi })).toEqual({ result: 'CREDITED' });
    expect(await owner.balance()).toBe(30_00n);
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE' });
  });

  it('that two processes confirm, one to attribute and one to return it, comes to one of the two ends', async () => {
    const { people, terms } = fixture;
    const database = fixture.base.open(4);
    const there = fixture.another(database);
    const here = fixture.deps;
    const owner = await fixture.payee();
    let credited = 0n;
    for (let round = 0; round < 10; round += 1) {
      const credit = await fixture.ownerlessCredit();
      const proposal = { ...terms, ...keyOf(credit.hint) } as const;
      const shown = await proposeForCredit(here, {
        ...proposal,
        action: 'ATTRIBUTE',
        accountNumber: owner.wallet.accountNumber,
      });
      const close = { proposalId: shown.proposalId, status: 'REJECTED', reason: 'It goes back' } as const;
      const [, , returned] = await Promise.all([
        codeOf(confirmForCredit(here, { ...shown, personId: people.bola })),
        codeOf(confirmForCredit(there, { ...shown, personId: people.chidi })),
        closeCreditProposal(there, { ...close, personId: people.bola }).then(
          async () => {
            const back = await proposeForCredit(there, { ...proposal, action: 'RETURN' });
            return codeOf(confirmForCredit(there, { ...back, personId: people.chidi }));
          },
          () => 'REFUSED',
        ),
      ]);
      if (returned !== 'DONE') credited += 30_00n;
      expect(await owner.balance()).toBe(credited);
      const expected = returned === 'DONE' ? 'RETURNED' : 'DONE';
      expect(await fixture.openCredit(credit)).toMatchObject({ status: expected });
    }
    await there.ledger.drain();
    await database.close();
  });

  it('about which more became known since makes its proposal stale', async () => {
    const { deps, people, terms, database } = fixture;
    const credit = await fixture.ownerlessCredit();
    const shown = await proposeForCredit(deps, { ...terms, ...keyOf(credit.hint), action: 'RETURN' });
    await database.pool.query(`update open_credits set reason = 'LOOKED_INTO' where credit_key = $1`, [
      credit.creditKey,
    ]);
    const confirm = () => codeOf(confirmForCredit(deps, { ...shown, personId: people.bola }));
    expect(await confirm()).toBe('SUSPENSE_PROPOSAL_STALE');
    expect(await confirm()).toBe('SUSPENSE_PROPOSAL_DECIDED');
    expect(await fixture.decideCredit(credit, { action: 'RETURN' })).toEqual({ result: 'RETURNED' });
  });

  it('about which more became known while it was being confirmed makes its proposal stale, and nothing is decided', async () => {
    const { deps, people, terms, database } = fixture;
    const credit = await fixture.ownerlessCredit();
    const shown = await proposeForCredit(deps, { ...terms, ...keyOf(credit.hint), action: 'RETURN' });
    const transaction: typeof database.transaction = async (work, options) => {
      const sql = `update open_credits set reason = 'LOOKED_INTO' where credit_key = $1`;
      await database.pool.query(sql, [credit.creditKey]);
      return database.transaction(work, options);
    };
    const overtaken = { ...deps, database: { ...deps.database, transaction } };
    const confirmed = codeOf(confirmForCredit(overtaken, { ...shown, personId: people.bola }));
    expect(await confirmed).toBe('SUSPENSE_PROPOSAL_STALE');
    expect(await fixture.decideCredit(credit, { action: 'RETURN' })).toEqual({ result: 'RETURNED' });
  });

  it('is as it was confirmed until its decision is kept: what becomes known meanwhile waits for it', async () => {
    const { deps, people, terms, database } = fixture;
    const credit = await fixture.ownerlessCredit();
    const shown = await proposeForCredit(deps, { ...terms, ...keyOf(credit.hint), action: 'RETURN' });
    const tries: string[] = [];
    const learn = async () => {
      const sql = `select from open_credits where credit_key = $1 for update nowait`;
      tries.push(
        await database.pool.query(sql, [credit.creditKey]).then(
          () => 'DONE',
          ({ code }) => code,
        ),
      );
    };
    const transaction: typeof database.transaction = (work, options) =>
      database.transaction(
        (tx) =>
          work({
            ...tx,
            async query(statement, values) {
              const rows = await tx.query(statement, values);
              if (statement.name === 'update-open-credit-proposal-confirmed') await asSomebodyElse(learn);
              return rows;
            },
          }),
        options,
      );
    const watched = { ...deps, database: { ...deps.database, transaction } };
    expect(await confirmForCredit(watched, { ...shown, personId: people.bola })).toEqual({ result: 'RETURNED' });
    expect(tries).toEqual([LOCK_NOT_AVAILABLE]);
  });

  it('has an owner where another report of the same transfer was decided, and is not even proposed', async () => {
    const { deps, people, terms } = fixture;
    const sessionId = '000013261120101010000000777001';
    const [first, second] = [
      await fixture.ownerlessCredit({ sessionId }),
      await fixture.ownerlessCredit({ sessionId }),
    ];
    expect(await fixture.openCredit(second)).toMatchObject({ status: 'NO_OWNER', session_id: sessionId });
    expect(await fixture.decideCredit(first, { action: 'RETURN' })).toEqual({ result: 'RETURNED' });
    const proposal = { ...terms, ...keyOf(second.hint), action: 'RETURN' } as const;
    expect(await codeOf(proposeForCredit(deps, proposal))).toBe('CREDIT_HAS_OWNER');
    expect(await countSuspenseToDecide(fixture.database, people.bola)).toMatchObject({ proposals: 0 });
  });

  it('is decided as it was shown, by two people', async () => {
    const { deps, people, terms, database } = fixture;
    const credit = await fixture.ownerlessCredit();
    const shown = await proposeForCredit(deps, { ...terms, ...keyOf(credit.hint), action: 'RETURN' });
    const confirm = (personId: string, digest = shown.digest) =>
      codeOf(confirmForCredit(deps, { ...shown, digest, personId }));
    expect(await confirm(people.ada)).toBe('SECOND_PERSON_NEEDED');
    expect(await confirm(people.bola, '0'.repeat(64))).toBe('SUSPENSE_PROPOSAL_ALTERED');
    const note = 'update open_credit_proposals set note = $2 where id = $1';
    await database.pool.query(note, [shown.proposalId, 'Nobody said anything of it']);
    expect(await confirm(people.bola)).toBe('SUSPENSE_PROPOSAL_ALTERED');
    expect(fixture.alarms).toEqual(['SUSPENSE_PROPOSAL_ALTERED']);
    await database.pool.query(note, [shown.proposalId, terms.note]);
    expect(await confirm(people.bola)).toBe('DONE');
  });
});

describe('a credit that nobody confirmed, or that was contradicted,', () => {
  it('is dismissed by two people, and nothing is booked', async () => {
    const { accountNumber, balance } = await fixture.payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 3_00n, mode: 'SANDBOX' });
    expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
    const credit = keyOf(hint);
    expect(await codeOf(fixture.decideCredit(credit, { action: 'RETURN' }))).toBe('SUSPENSE_ACTION_NOT_POSSIBLE');
    expect(await fixture.decideCredit(credit, { action: 'DISMISS' })).toEqual({ result: 'DISMISSED' });
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DISMISSED', due_at: null });
    expect(await balance()).toBe(0n);
    expect(await fixture.takeWebhook(hint)).toEqual(['TO_DECIDE']);
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DISMISSED' });
    expect(await balance()).toBe(0n);
  });

  it.each([
    ['dismissed', true],
    ['left alone', false],
  ])(
    'whose other amount was %s is before people again when its money went back, and no refund of it is sent',
    async (_how, isDismissed) => {
      const { database, script, alarms } = fixture;
      const { accountNumber, balance } = await fixture.payee();
      const hint = script.receive({ accountNumber, amountMinor: 100_00n });
      await fixture.takeWebhook(hint);
      const received = script.credits.get(hint.providerTransactionId ?? '');
      if (received === undefined) throw new Error('nothing was received');
      received.credit = { ...received.credit, amountMinor: 150_00n };
      const more = { ...hint, amountMinor: 150_00n };
      expect(await fixture.takeWebhook(more)).toEqual(['TO_DECIDE']);
      const credit = keyOf(hint);
      expect(await fixture.openCredit(credit)).toMatchObject({ status: 'CONTRADICTED', reason: 'AMOUNT_CHANGED' });
      if (isDismissed) await fixture.decideCredit(credit, { action: 'DISMISS' });
      received.outcome = 'reversed';
      alarms.length = 0;
      expect(await fixture.takeWebhook(more)).toEqual(['TO_DECIDE']);
      expect(await fixture.openCredit(credit)).toMatchObject({ status: 'CONTRADICTED', reason: 'REVERSED' });
      expect(alarms).toEqual(['CREDIT_REVERSED']);
      expect(await brokenChecks(database)).toEqual([]);
      const payment = { rail: credit.rail, provider_transaction_id: hint.providerTransactionId ?? '' };
      expect(await isReversedByProvider(database, payment)).toBe(true);
      await fixture.decideCredit(credit, { action: 'DISMISS' });
      expect(await fixture.takeWebhook(more)).toEqual(['TO_DECIDE']);
      expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DISMISSED' });
      expect(await balance()).toBe(100_00n);
    },
  );

  it('is asked about again when one person says so, and is credited where the provider confirms it by now', async () => {
    const { deps, people, database } = fixture;
    const { accountNumber, balance, merchantId } = await fixture.payee();
    const hint = fixture.script.receive({ accountNumber, amountMinor: 6_00n });
    const received = fixture.script.credits.get(hint.providerTransactionId ?? '');
    if (received === undefined) throw new Error('nothing was received');
    received.outcome = 'unknown';
    await fixture.takeWebhook(hint);
    const credit = keyOf(hint);
    for (const set of [
      `status = 'UNCONFIRMED', due_at = null, attempts = 18`,
      `digest = ${openCreditDigest('open_credits')}`,
    ]) {
      await database.pool.query(`update open_credits set ${set} where credit_key = $1`, [credit.creditKey]);
    }
    const ask = { ...credit, personId: people.ada };
    expect(await codeOf(askAgain(deps, { ...ask, personId: merchantId }))).toBe('OPERATOR_NOT_FOUND');
    expect(await askAgain(deps, ask)).toBe('TO_DECIDE');
    received.outcome = 'confirmed';
    expect(await askAgain(deps, ask)).toBe('CREDITED');
    expect(await balance()).toBe(6_00n);
    expect(await askAgain(deps, ask)).toBeUndefined();
    expect(await fixture.openCredit(credit)).toMatchObject({ status: 'DONE' });
  });
});
