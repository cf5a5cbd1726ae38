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
  const look = ({ tenant }: Payee, disputeId: string) =>
    noteLookedInto(t.deps, { tenant, disputeId, note: NOTE, personId: t.people.ada });

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
  });
});
