import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  confirmDisputeProposal,
  proposeDisputeEnd,
  readDisputeCase,
  readWaitingProposals,
} from '../../src/dispute-proposals/index.ts';
import { noteLookedInto, readDisputeQueue, saidIn, takeFreed } from '../../src/disputes/index.ts';
import { listRequest } from '../../src/platform/lists/list.ts';
import { codeOf } from '../collections/suspense-fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { createDisputeFixture, type DisputeFixture } from './fixture.ts';

let t: DisputeFixture;
beforeAll(async () => {
  t = await createDisputeFixture();
});
afterAll(async () => {
  const broken = await brokenChecks(t.database);
  expect(broken.map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

const NOTE = 'The provider wrote on 20 November, ticket 4711';
const WORDS = 'resolved, resolution partially-accepted';

/** One that was contested, and of which the provider says what nobody understands. */
async function mumbled() {
  const payee = await t.payee();
  const dispute = await t.dispute(await t.pay(payee, 80_00n), 80_00n);
  t.script.disputes.end(dispute.providerDisputeId, 'evidence_sent');
  await t.hear(dispute);
  t.script.disputes.mumble(dispute.providerDisputeId, WORDS);
  await t.hear(dispute);
  const row = await t.find(dispute.providerDisputeId);
  return { payee, dispute, disputeId: row.id };
}

type Payee = Awaited<ReturnType<DisputeFixture['payee']>>;
const caseOf = ({ tenant }: Payee, disputeId: string) => readDisputeCase(t.deps, tenant, disputeId);
const proposeEnd = ({ tenant }: Payee, disputeId: string, outcome: 'WON' | 'LOST') =>
  proposeDisputeEnd(t.deps, { tenant, disputeId, outcome, source: 'RAIL_SUPPORT', note: NOTE, personId: t.people.ada });
const confirm = ({ tenant }: Payee, proposed: { proposalId: string; digest: string }) =>
  confirmDisputeProposal(t.deps, { tenant, ...proposed, personId: t.people.bola });
const look = ({ tenant }: Payee, disputeId: string) =>
  noteLookedInto(t.deps, { tenant, disputeId, note: NOTE, personId: t.people.ada });
const wonAndLost = async () => {
  const payee = await t.payee();
  const dispute = await t.dispute(await t.pay(payee, 50_00n), 50_00n);
  await t.end(dispute, 'won');
  return { payee, dispute, row: await t.end(dispute, 'lost') };
};
const queued = async () =>
  (await readDisputeQueue(t.database, 'LIVE', listRequest({}))).rows.map(({ id, operator_reason }) => [
    id,
    operator_reason,
  ]);

describe('a dispute of which its provider says what is not listed', () => {
  it('moves nothing, shows the words once, and is put before the operator', async () => {
    const { payee, dispute, disputeId } = await mumbled();
    await t.hear(dispute);
    t.clock.advance(2 * 60 * 60_000);
    await t.work();
    const { row, evidence, isDecidedByPeople } = await caseOf(payee, disputeId);
    expect(row).toMatchObject({ status: 'EVIDENCE_SENT', operator_reason: 'STATE_NOT_LISTED', held_minor: 80_00n });
    expect(evidence.map(saidIn)).toEqual([null, null, WORDS]);
    expect(isDecidedByPeople).toBe(true);
    expect(row.check_at).not.toBeNull();
    expect(t.alarms).toContain('DISPUTE_STATE_NOT_LISTED');
    expect(await queued()).toContainEqual([disputeId, 'STATE_NOT_LISTED']);
    t.script.disputes.mumble(dispute.providerDisputeId, 'resolved, resolution withdrawn');
    await t.hear(dispute);
    expect((await caseOf(payee, disputeId)).evidence.map(saidIn).at(-1)).toBe('resolved, resolution withdrawn');
    expect(await t.available(payee)).toBe(0n);
  });

  it('holds what another one leaves all the same, before the merchant spends it', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const [first, second] = [await t.dispute(hint, 100_00n), await t.dispute(hint, 30_00n)];
    t.script.disputes.mumble(second.providerDisputeId, WORDS);
    await t.hear(second);
    await t.end(first, 'won');
    await takeFreed(t.deps, 'LIVE');
    expect(await t.available(payee)).toBe(70_00n);
    expect(await queued()).toContainEqual([(await t.find(second.providerDisputeId)).id, 'STATE_NOT_LISTED']);
  });

  it('says as before what is odd about its amount once the provider is understood', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 50_00n), 70_00n);
    t.script.disputes.mumble(dispute.providerDisputeId, WORDS);
    await t.hear(dispute);
    t.script.disputes.end(dispute.providerDisputeId, 'evidence_sent');
    await t.hear(dispute);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ operator_reason: 'ABOVE_PAYMENT' });
  });

  it.each([
    ['WON', 80_00n],
    ['LOST', 0n],
  ] as const)('is ended by two people as %s, once, with its money', async (outcome, booked) => {
    const { payee, disputeId } = await mumbled();
    const proposed = await proposeEnd(payee, disputeId, outcome);
    expect(
      await codeOf(confirmDisputeProposal(t.deps, { tenant: payee.tenant, ...proposed, personId: t.people.ada })),
    ).toBe('SECOND_PERSON_NEEDED');
    const both = await Promise.allSettled([confirm(payee, proposed), confirm(payee, proposed)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { row } = await caseOf(payee, disputeId);
    expect(row).toMatchObject({ status: outcome, operator_reason: null });
    expect(await payee.balance()).toBe(booked);
    expect(await queued()).not.toContainEqual([disputeId, expect.anything()]);
  });

  it('is ended by its provider again as soon as it says what is understood, and then by nobody else', async () => {
    const { payee, dispute, disputeId } = await mumbled();
    const proposed = await proposeEnd(payee, disputeId, 'LOST');
    t.script.disputes.end(dispute.providerDisputeId, 'evidence_sent');
    await t.hear(dispute);
    expect((await caseOf(payee, disputeId)).row).toMatchObject({ status: 'EVIDENCE_SENT', operator_reason: null });
    expect(await codeOf(confirm(payee, proposed))).toBe('DISPUTE_ASKED_OF_PROVIDER');
    expect(await codeOf(proposeEnd(payee, disputeId, 'WON'))).toBe('DISPUTE_ASKED_OF_PROVIDER');
    await t.end(dispute, 'won');
    expect(await codeOf(confirm(payee, proposed))).toBe('DISPUTE_NOT_OPEN');
    expect(await t.available(payee)).toBe(80_00n);
    expect((await readWaitingProposals(t.database, listRequest({}))).rows).toHaveLength(1);
  });
});

describe('a dispute whose end its provider contradicts', () => {
  const lostAndWon = async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 50_00n), 50_00n);
    await t.end(dispute, 'lost');
    return { payee, dispute, row: await t.end(dispute, 'won') };
  };

  it('leaves the queue once its provider says the same again', async () => {
    const { dispute, row } = await lostAndWon();
    expect(await queued()).toContainEqual([row.id, 'WON_AFTER_END']);
    expect(await t.end(dispute, 'lost')).toMatchObject({ status: 'LOST', operator_reason: null });
    expect(await queued()).not.toContainEqual([row.id, expect.anything()]);
    expect(await t.end(dispute, 'won')).toMatchObject({ operator_reason: 'WON_AFTER_END' });
  });

  it('leaves it once somebody has noted what was found out, for as long as the provider keeps its word', async () => {
    const { payee, dispute, row } = await lostAndWon();
    await look(payee, row.id);
    const noted = { operator_reason: null, looked_note: NOTE, looked_by: t.people.ada };
    expect(await t.find(dispute.providerDisputeId)).toMatchObject(noted);
    expect(await t.end(dispute, 'won')).toMatchObject(noted);
    expect(await codeOf(look(payee, row.id))).toBe('DISPUTE_NOT_CONTRADICTED');
    expect(await payee.balance()).toBe(0n);
  });

  it('is over with what was to be looked at while it ran', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 50_00n), 70_00n);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ operator_reason: 'ABOVE_PAYMENT' });
    expect(await t.end(dispute, 'lost')).toMatchObject({ operator_reason: null });
    await t.end(dispute, 'won');
    expect(await t.end(dispute, 'lost')).toMatchObject({ operator_reason: null });
  });

  it('is shown anew where the provider changes its word once more after somebody looked', async () => {
    const { payee, dispute, row } = await wonAndLost();
    await look(payee, row.id);
    expect(await t.end(dispute, 'won')).toMatchObject({ operator_reason: null });
    expect(await t.end(dispute, 'lost')).toMatchObject({ operator_reason: 'LOST_AFTER_END' });
  });

  it('takes what another one leaves where its provider says lost again after somebody looked', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const [first, second] = [await t.dispute(hint, 100_00n), await t.dispute(hint, 30_00n)];
    await t.end(second, 'lost');
    await look(payee, (await t.end(second, 'won')).id);
    await t.end(first, 'won');
    expect(await takeFreed(t.deps, 'LIVE')).toBe(0);
    await t.end(second, 'lost');
    await takeFreed(t.deps, 'LIVE');
    expect(await t.find(second.providerDisputeId)).toMatchObject({ loss_minor: 30_00n, operator_reason: null });
  });

  it('is shown where the provider says that it runs again, until it says how that ended', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 50_00n), 50_00n);
    const { id } = await t.end(dispute, 'won');
    t.script.disputes.end(dispute.providerDisputeId, 'open');
    await t.hear(dispute);
    await t.hear(dispute);
    expect(await queued()).toContainEqual([id, 'REOPENED']);
    expect(t.alarms.filter((alarm) => alarm === 'DISPUTE_REOPENED')).toHaveLength(1);
    expect(await codeOf(proposeEnd(payee, id, 'LOST'))).toBe('DISPUTE_NOT_OPEN');
    expect(await t.end(dispute, 'won')).toMatchObject({ status: 'WON', operator_reason: null });
    expect(await t.available(payee)).toBe(50_00n);
  });
});

describe('a dispute that was won and that its provider calls lost later', () => {
  it('is taken by two people also after one of them noted what was found out, and not once the provider says won again', async () => {
    const { payee, dispute, row } = await wonAndLost();
    const proposed = await proposeEnd(payee, row.id, 'LOST');
    await look(payee, row.id);
    expect((await caseOf(payee, row.id)).outcomes).toEqual(['LOST']);
    await confirm(payee, proposed);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ status: 'LOST', taken_minor: 50_00n });
    const other = await wonAndLost();
    await look(other.payee, other.row.id);
    await t.end(other.dispute, 'won');
    expect(await codeOf(proposeEnd(other.payee, other.row.id, 'LOST'))).toBe('DISPUTE_NOT_OPEN');
  });

  it('is taken once two people say so, of what the wallet has, and the rest is owed', async () => {
    const { payee, dispute, row } = await wonAndLost();
    expect((await caseOf(payee, row.id)).outcomes).toEqual(['LOST']);
    expect(await codeOf(proposeEnd(payee, row.id, 'WON'))).toBe('DISPUTE_NOT_OPEN');
    await t.drain(payee);
    await t.pay(payee, 20_00n);
    const proposed = await proposeEnd(payee, row.id, 'LOST');
    expect(await payee.balance()).toBe(20_00n);
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => confirm(payee, proposed)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const taken = { status: 'LOST', disputed_minor: 50_00n, taken_minor: 20_00n, loss_minor: 30_00n };
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ ...taken, operator_reason: null });
    expect(await payee.balance()).toBe(0n);
    expect(await queued()).not.toContainEqual([row.id, expect.anything()]);
    expect((await caseOf(payee, row.id)).outcomes).toEqual([]);
    await t.hear(dispute);
    await t.pay(payee, 40_00n);
    await t.repay();
    expect(await payee.balance()).toBe(10_00n);
  });

  it('takes no more than its provider wants in the end and other disputes of the payment leave', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const first = await t.dispute(hint, 100_00n);
    await t.end(first, 'won');
    const second = await t.dispute(hint, 60_00n);
    t.script.disputes.all.set(first.providerDisputeId, { ...first, amountMinor: 70_00n });
    const { id } = await t.end(first, 'lost');
    await confirm(payee, await proposeEnd(payee, id, 'LOST'));
    const short = { amount_minor: 70_00n, taken_minor: 40_00n, operator_reason: 'TAKEN_BACK_BEFORE' };
    expect(await t.find(first.providerDisputeId)).toMatchObject(short);
    expect(await t.available(payee)).toBe(0n);
    await t.end(second, 'won');
    await takeFreed(t.deps, 'LIVE');
    await t.repay();
    expect(await t.find(first.providerDisputeId)).toMatchObject({ loss_minor: 30_00n, repaid_minor: 30_00n });
    expect(await payee.balance()).toBe(30_00n);
  });

  it('is not taken where its provider says won again before the second of the two confirms', async () => {
    const { payee, dispute, row } = await wonAndLost();
    const proposed = await proposeEnd(payee, row.id, 'LOST');
    await t.end(dispute, 'won');
    expect(await codeOf(confirm(payee, proposed))).toBe('DISPUTE_NOT_OPEN');
    expect(await payee.balance()).toBe(50_00n);
  });
});
