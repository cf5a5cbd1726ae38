import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  confirmDisputeProposal,
  countDisputeProposalsFor,
  proposeDispute,
  proposeDisputeEnd,
  readDisputeCase,
  readWaitingProposals,
  rejectDisputeProposal,
} from '../../src/dispute-proposals/index.ts';
import { findNotedDispute } from '../../src/disputes/directory-queries.ts';
import type { DisputeDeps } from '../../src/disputes/index.ts';
import { noteDispute } from '../../src/disputes/take-dispute.ts';
import { newId } from '../../src/platform/ids.ts';
import { listRequest } from '../../src/platform/lists/list.ts';
import type { CreditHint } from '../../src/rails/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createDisputeFixture, type DisputeFixture } from './fixture.ts';

type Payee = Awaited<ReturnType<DisputeFixture['payee']>>;

let t: DisputeFixture;
/** As every process sees it: the provider has no interface for disputes. */
let deps: DisputeDeps;
const people = { ada: '', bola: '', chidi: '' };

beforeAll(async () => {
  t = await createDisputeFixture();
  deps = unasked(t.deps);
  for (const name of Object.keys(people) as (keyof typeof people)[]) {
    people[name] = await addPerson(t.base, { kind: 'OPERATOR', email: `${name}@desk.example` });
  }
});
afterAll(async () => {
  const broken = await brokenChecks(t.database);
  expect(broken.map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

function unasked(given: DisputeDeps): DisputeDeps {
  const findRail: DisputeDeps['rails']['findRail'] = async (mode, name) => {
    const rail = await given.rails.findRail(mode, name);
    return rail && ({ ...rail, wallets: { ...rail.wallets, disputes: undefined } } as typeof rail);
  };
  return { ...given, rails: { ...given.rails, findRail } };
}

const NOTE = 'The provider wrote on 20 November, ticket 4711';
let numbers = 0;
const nextNumber = () => {
  numbers += 1;
  return `CB-${numbers}`;
};

/** Somebody pays 1,000 naira. */
async function paid(): Promise<{ payee: Payee; hint: CreditHint; paymentId: string }> {
  const payee = await t.payee();
  const hint = await t.pay(payee, 100_000n);
  const found = 'select id from inbound_payments where provider_transaction_id = $1';
  const { rows } = await t.database.pool.query(found, [hint.providerTransactionId]);
  return { payee, hint, paymentId: rows[0].id };
}

interface Given {
  providerDisputeId?: string;
  amountMinor?: bigint;
  personId?: string;
  rail?: string;
  dueAt?: Date | null;
}

const propose = ({ tenant }: Payee, paymentId: string, given: Given = {}, by: DisputeDeps = deps) =>
  proposeDispute(by, {
    tenant,
    rail: RAIL,
    paymentId,
    providerDisputeId: nextNumber(),
    amountMinor: 60_000n,
    category: 'CHARGEBACK',
    message: 'I did not get it',
    dueAt: new Date(t.clock.now().getTime() + 48 * 3_600_000),
    source: 'RAIL_SUPPORT',
    note: NOTE,
    personId: people.ada,
    ...given,
  });

const confirm = (
  { tenant }: Payee,
  proposed: { proposalId: string; digest: string },
  personId = people.bola,
  by: DisputeDeps = deps,
) => confirmDisputeProposal(by, { tenant, ...proposed, personId });

const proposeEnd = ({ tenant }: Payee, disputeId: string, outcome: 'WON' | 'LOST', personId = people.ada) =>
  proposeDisputeEnd(deps, { tenant, disputeId, outcome, source: 'BANK_LETTER', note: NOTE, personId });

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const caseOf = ({ tenant }: Payee, disputeId: string) => readDisputeCase(deps, tenant, disputeId);

/** One that two people entered. */
async function opened(given: Given = {}) {
  const at = await paid();
  const { disputeId } = await confirm(at.payee, await propose(at.payee, at.paymentId, given));
  return { ...at, disputeId };
}

describe('a dispute of a provider that cannot be asked', () => {
  it('holds the amount once two people have entered it, and nothing before', async () => {
    const { payee, paymentId } = await paid();
    const email = `owner-${newId()}@shop.example`;
    await t.owner(payee, email);
    const before = await t.available(payee);
    const proposed = await propose(payee, paymentId);
    expect(await t.available(payee)).toBe(before);
    const { disputeId, action } = await confirm(payee, proposed);
    expect(action).toBe('OPEN');
    expect(await t.available(payee)).toBe(before - 60_000n);
    const found = await caseOf(payee, disputeId);
    expect(found).toMatchObject({
      isDecidedByPeople: true,
      row: { source: 'OPERATOR', status: 'OPEN', held_minor: 60_000n, check_at: null },
      evidence: [{ source: 'OPERATOR', state: 'open' }],
      proposals: [{ status: 'CONFIRMED', proposed_by: people.ada, decided_by: people.bola }],
    });
    expect(await t.mails(email)).toHaveLength(1);
  });

  it('is released where two people say that it was won, and taken where they say that it was lost', async () => {
    const won = await opened();
    const before = await t.available(won.payee);
    expect(await confirm(won.payee, await proposeEnd(won.payee, won.disputeId, 'WON'))).toMatchObject({
      action: 'WON',
    });
    expect(await t.available(won.payee)).toBe(before + 60_000n);
    const lost = await opened();
    const left = await t.available(lost.payee);
    await confirm(lost.payee, await proposeEnd(lost.payee, lost.disputeId, 'LOST'));
    expect(await t.available(lost.payee)).toBe(left);
    expect((await caseOf(lost.payee, lost.disputeId)).row).toMatchObject({ status: 'LOST', taken_minor: 60_000n });
    expect(await codeOf(proposeEnd(lost.payee, lost.disputeId, 'WON'))).toBe('DISPUTE_NOT_OPEN');
  });

  it('is taken after all where two people say that one that was won is lost', async () => {
    const { payee, disputeId } = await opened();
    await confirm(payee, await proposeEnd(payee, disputeId, 'WON'));
    const before = await t.available(payee);
    await confirm(payee, await proposeEnd(payee, disputeId, 'LOST'));
    expect(await t.available(payee)).toBe(before - 60_000n);
    expect((await caseOf(payee, disputeId)).row).toMatchObject({ status: 'LOST', taken_minor: 60_000n });
    expect(await codeOf(proposeEnd(payee, disputeId, 'WON'))).toBe('DISPUTE_NOT_OPEN');
  });

  it('is entered and ended by two, of whom the second confirms what was shown', async () => {
    const { payee, paymentId } = await paid();
    const proposed = await propose(payee, paymentId);
    expect(await codeOf(confirm(payee, proposed, people.ada))).toBe('SECOND_PERSON_NEEDED');
    expect(await codeOf(confirm(payee, { ...proposed, digest: 'f'.repeat(64) }))).toBe('DISPUTE_PROPOSAL_ALTERED');
    expect(await codeOf(confirm(await t.payee(), proposed))).toBe('DISPUTE_PROPOSAL_NOT_FOUND');
    const { disputeId } = await confirm(payee, proposed);
    expect(await codeOf(confirm(payee, proposed))).toBe('DISPUTE_PROPOSAL_DECIDED');
    const end = await proposeEnd(payee, disputeId, 'LOST', people.bola);
    expect(await codeOf(confirm(payee, end, people.bola))).toBe('SECOND_PERSON_NEEDED');
    const rejection = { tenant: payee.tenant, proposalId: end.proposalId, reason: 'Another one', personId: people.ada };
    await rejectDisputeProposal(deps, rejection);
    expect(await codeOf(rejectDisputeProposal(deps, rejection))).toBe('DISPUTE_PROPOSAL_DECIDED');
    expect(await codeOf(confirm(payee, end, people.chidi))).toBe('DISPUTE_PROPOSAL_DECIDED');
    expect((await caseOf(payee, disputeId)).row.status).toBe('OPEN');
  });

  it('is not entered where any part of the proposal was altered behind the service, who made it among them', async () => {
    const { payee, paymentId } = await paid();
    const other = await paid();
    const proposed = await propose(payee, paymentId);
    const altered = {
      action: 'LOST',
      dispute_id: newId(),
      payment_id: other.paymentId,
      rail: 'another',
      provider_dispute_id: nextNumber(),
      amount_minor: 60_001,
      category: 'FRAUD',
      message: null,
      due_at: null,
      source: 'OTHER',
      note: 'Nobody wrote that',
      proposed_by: people.chidi,
      proposed_at: new Date(0),
      digest: 'f'.repeat(64),
    };
    const set = async (column: string, value: unknown) => {
      const sql = `update dispute_proposals o set ${column} = $2 from dispute_proposals before
                    where o.id = $1 and before.merchant_id = o.merchant_id and before.id = o.id returning before.${column} as value`;
      return (await t.database.pool.query(sql, [proposed.proposalId, value])).rows[0].value as unknown;
    };
    for (const [column, value] of Object.entries(altered)) {
      const before = await set(column, value);
      expect([column, await codeOf(confirm(payee, proposed))]).toEqual([column, 'DISPUTE_PROPOSAL_ALTERED']);
      await set(column, before);
    }
    expect(await codeOf(confirm(payee, proposed))).toBe('ok');
  });

  it('is not entered where the provider is asked, for another account than the payment’s, or twice', async () => {
    const { payee, paymentId } = await paid();
    expect(await codeOf(propose(payee, paymentId, {}, t.deps))).toBe('DISPUTE_ASKED_OF_PROVIDER');
    expect(await codeOf(propose(payee, paymentId, { rail: 'another' }))).toBe('VALIDATION_FAILED');
    expect(await codeOf(propose(payee, newId()))).toBe('INBOUND_PAYMENT_NOT_FOUND');
    const { disputeId } = await opened({ providerDisputeId: 'CB-once' });
    expect(disputeId).not.toBe('');
    expect(await codeOf(propose(payee, paymentId, { providerDisputeId: 'CB-once' }))).toBe('DISPUTE_ALREADY_OPEN');
    await propose(payee, paymentId, { providerDisputeId: 'CB-waits' });
    expect(await codeOf(propose(payee, paymentId, { providerDisputeId: 'CB-waits' }))).toBe('DISPUTE_ALREADY_PROPOSED');
    const { rows } = await readWaitingProposals(t.database, listRequest({ size: 50 }));
    expect(rows.filter(({ provider_dispute_id }) => provider_dispute_id === 'CB-waits')).toHaveLength(1);
  });

  it('is counted among what waits for others, and not for who proposed it', async () => {
    const { payee, paymentId } = await paid();
    const waiting = () =>
      Promise.all([people.ada, people.bola].map((person) => countDisputeProposalsFor(t.database, person)));
    const [own = 0, of = 0] = await waiting();
    const proposed = await propose(payee, paymentId);
    expect(await waiting()).toEqual([own, of + 1]);
    await confirm(payee, proposed);
    expect(await waiting()).toEqual([own, of]);
  });

  it('is not entered under a number that leads to a dispute of another payment since it was proposed', async () => {
    const [first, second] = [await paid(), await paid()];
    const providerDisputeId = 'CB-of-two';
    const proposed = await propose(first.payee, first.paymentId, { providerDisputeId });
    await confirm(second.payee, await propose(second.payee, second.paymentId, { providerDisputeId }));
    expect(await codeOf(confirm(first.payee, proposed))).toBe('DISPUTE_ALREADY_OPEN');
    expect(await t.available(first.payee)).toBe(100_000n);
    // What was noted of the other one stays as it is.
    const [noted] = await t.database.query(findNotedDispute, [RAIL, providerDisputeId]);
    expect(noted).toMatchObject({ merchant_id: second.payee.merchantId, payment_id: second.paymentId });
    expect(noted?.reported).toContain(second.hint.providerTransactionId);
    expect(await codeOf(propose(first.payee, first.paymentId, { providerDisputeId }))).toBe('DISPUTE_ALREADY_OPEN');
  });

  it('is entered where the provider is asked, too, of a payment that went back by itself, which is then taken', async () => {
    const { payee, hint, paymentId } = await paid();
    const whole = { amountMinor: 100_000n, providerDisputeId: 'went back, ticket 5' };
    expect(await codeOf(propose(payee, paymentId, whole, t.deps))).toBe('DISPUTE_ASKED_OF_PROVIDER');
    const credit = t.script.credits.get(hint.providerTransactionId ?? '');
    if (credit !== undefined) credit.outcome = 'reversed';
    await t.takeWebhook({ ...hint, isReversal: true });
    const { disputeId } = await confirm(payee, await propose(payee, paymentId, whole, t.deps), people.bola, t.deps);
    expect(await t.available(payee)).toBe(0n);
    const said = { source: 'RAIL_SUPPORT', note: NOTE, personId: people.ada, outcome: 'LOST' } as const;
    const end = await proposeDisputeEnd(t.deps, { tenant: payee.tenant, disputeId, ...said });
    await confirm(payee, end, people.bola, t.deps);
    expect(await payee.balance()).toBe(0n);
  });

  it('is opened once, whoever of many confirms at once, and ended once', async () => {
    const { payee, paymentId } = await paid();
    const before = await t.available(payee);
    const proposed = await propose(payee, paymentId);
    const all = (shown: typeof proposed) =>
      Promise.all(
        Array.from({ length: 8 }, (_, at) => {
          const personId = at % 2 === 0 ? people.bola : people.chidi;
          return codeOf(confirm(payee, shown, personId, unasked(t.another())));
        }),
      );
    const codes = await all(proposed);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['ok', 'DISPUTE_PROPOSAL_DECIDED']));
    expect(await t.available(payee)).toBe(before - 60_000n);
    const { rows } = await t.database.pool.query('select id from disputes where payment_id = $1', [paymentId]);
    const ends = await all(await proposeEnd(payee, rows[0].id, 'WON'));
    expect(ends.filter((code) => code === 'ok')).toHaveLength(1);
    expect(await t.available(payee)).toBe(before);
  });

  it('has one open proposal for its number, whoever of many proposes at once', async () => {
    const { payee, paymentId } = await paid();
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(propose(payee, paymentId, { providerDisputeId: 'CB-many' }))),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['ok', 'DISPUTE_ALREADY_PROPOSED']));
  });

  it('takes no more than is left of its payment, beside another dispute', async () => {
    const { payee, paymentId } = await opened({ amountMinor: 70_000n });
    const { disputeId } = await confirm(payee, await propose(payee, paymentId, { amountMinor: 70_000n }));
    expect((await caseOf(payee, disputeId)).row).toMatchObject({
      amount_minor: 70_000n,
      disputed_minor: 30_000n,
      operator_reason: 'TAKEN_BACK_BEFORE',
    });
  });

  it('is opened by repeating the confirmation whose process died after it was noted', async () => {
    const { payee, paymentId } = await paid();
    const proposed = await propose(payee, paymentId, { providerDisputeId: 'CB-died' });
    const dying: DisputeDeps = {
      ...deps,
      ledger: { ...deps.ledger, commit: () => Promise.reject(new Error('killed')) },
    };
    expect(await codeOf(confirm(payee, proposed, people.bola, dying))).toBe('Error: killed');
    const { disputeId } = await confirm(payee, proposed, people.chidi);
    expect((await t.find('CB-died')).id).toBe(disputeId);
  });

  it('keeps its id where its first confirmation died, was rejected, and is proposed again', async () => {
    const { payee, hint, paymentId } = await paid();
    const providerTransactionId = hint.providerTransactionId ?? '';
    const noted = await noteDispute(deps, {
      rail: RAIL,
      mode: 'LIVE',
      source: 'OPERATOR',
      dispute: {
        ...t.script.disputes.open({ providerTransactionId, amountMinor: 1n }),
        providerDisputeId: 'CB-again',
      },
      merchantId: payee.merchantId,
      paymentId,
    });
    const proposed = await propose(payee, paymentId, { providerDisputeId: 'CB-again' });
    expect((await confirm(payee, proposed)).disputeId).toBe(noted?.dispute_id);
    const other = await paid();
    expect(await codeOf(propose(other.payee, other.paymentId, { providerDisputeId: 'CB-again' }))).toBe(
      'DISPUTE_ALREADY_OPEN',
    );
  });

  it('leaves a debt where the wallet has nothing left, which later money pays', async () => {
    const { payee, paymentId } = await paid();
    await t.drain(payee);
    const { disputeId } = await confirm(payee, await propose(payee, paymentId));
    await confirm(payee, await proposeEnd(payee, disputeId, 'LOST'));
    expect((await caseOf(payee, disputeId)).row).toMatchObject({ loss_minor: 60_000n, taken_minor: 0n });
    await t.pay(payee, 100_000n);
    await t.repay();
    expect((await caseOf(payee, disputeId)).row).toMatchObject({ repaid_minor: 60_000n });
  });
});
