import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmOutcome } from '../../src/outcomes/confirm-outcome.ts';
import { proposeOutcome, rejectProposal } from '../../src/outcomes/propose-outcome.ts';
import type { ProposedOutcome } from '../../src/outcomes/queries.ts';
import { readOutcomeQueue } from '../../src/outcomes/read-outcomes.ts';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { findPayout, type PayoutDeps, type PayoutRecord } from '../../src/payouts/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { NOTHING_REPORTED, type RailAnswer } from '../../src/rails/index.ts';
import { inBetween } from '../support/in-between.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createPayoutFixture, executed, type Merchant, type PayoutFixture, payment } from './payout-fixture.ts';
import { bankAnswer } from './sandbox-bank.ts';
import { UNKNOWN } from './scripted-rail.ts';

let fixture: PayoutFixture;
const people = { ada: '', bola: '', chidi: '' };
beforeAll(async () => {
  fixture = await createPayoutFixture();
  for (const name of Object.keys(people) as (keyof typeof people)[]) {
    people[name] = await addPerson(fixture.deps, { kind: 'OPERATOR', email: `${name}@bank.example` });
  }
});
afterAll(() => fixture.close());

/** The connection breaks at the rail, which executed it: nobody hears of it. */
const SILENT = { 'x-sandbox-scenario': 'error-executed' };
const NOTE = 'Letter of 20 November from the bank, signed by the head of operations';

async function payoutOf({ tenant }: Merchant, id: string): Promise<PayoutRecord> {
  const [payout] = await fixture.database.query(findPayout, [tenant.merchantId, tenant.mode, id]);
  return payout as PayoutRecord;
}

/** A payout that was sent and whose outcome nobody knows. */
async function openPayout(merchant: Merchant, amount = 1_000): Promise<PayoutRecord> {
  const reply = await merchant.call('POST', '/payout/single', payment({ amount, allowDuplicate: true }), SILENT);
  expect(reply.body, JSON.stringify(reply.body)).toMatchObject({ status: true });
  await fixture.worker.runOnce();
  const payout = await payoutOf(merchant, reply.body.data.transactionId);
  expect(payout).toMatchObject({ status: 'PROCESSING', reason: 'OUTCOME_UNKNOWN' });
  return payout;
}

function propose(
  merchant: Merchant,
  payout: PayoutRecord,
  outcome: ProposedOutcome,
  personId = people.ada,
  note = NOTE,
) {
  const proposal = {
    tenant: merchant.tenant,
    payoutId: payout.id,
    outcome,
    source: 'BANK_LETTER' as const,
    note,
    personId,
  };
  return proposeOutcome(fixture.deps, proposal);
}

type Proposed = Awaited<ReturnType<typeof propose>>;

const confirm = ({ tenant }: Merchant, proposed: Proposed, personId = people.bola, deps: PayoutDeps = fixture.deps) =>
  confirmOutcome(deps, { tenant, ...proposed, personId });

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

function railSays(outcome: RailAnswer['outcome'], code: string | null = null): RailAnswer {
  const at = fixture.clock.now();
  return { outcome, code, reason: null, message: 'said', sessionId: null, at, reported: NOTHING_REPORTED };
}

async function proposalsOf(merchant: Merchant) {
  const { rows } = await fixture.database.pool.query(
    'select id, status, reason, proposed_by, decided_by from outcome_proposals where merchant_id = $1 order by id',
    [merchant.merchantId],
  );
  return rows;
}

const broken = () => brokenChecks(fixture.database);

describe('an outcome that two people decide', () => {
  it.each([
    ['SUCCEEDED', 'SUCCESS', 101_075n],
    ['FAILED', 'FAILED', 0n],
    // Back before anybody knew that it was paid.
    ['REVERSED', 'FAILED', 0n],
  ] as const)(
    'as %s ends the payout as %s, with its books, its event and its evidence',
    async (outcome, status, gone) => {
      const merchant = await fixture.addMerchant();
      const payout = await openPayout(merchant);
      const proposed = await propose(merchant, payout, outcome);
      expect((await payoutOf(merchant, payout.id)).status).toBe('PROCESSING');
      expect(await confirm(merchant, proposed)).toEqual({ payoutId: payout.id, outcome });
      expect(await payoutOf(merchant, payout.id)).toMatchObject({ status, due_at: null });
      const { bookedMinor, availableMinor } = await merchant.balance();
      expect([1_000_000_000n - bookedMinor, bookedMinor - availableMinor]).toEqual([gone, 0n]);
      expect(await proposalsOf(merchant)).toMatchObject([
        { status: 'CONFIRMED', proposed_by: people.ada, decided_by: people.bola },
      ]);
      const { rows } = await fixture.database.pool.query(
        `select kind, outcome, message from payout_attempts where payout_id = $1 order by id desc limit 1`,
        [payout.id],
      );
      expect(rows).toEqual([{ kind: 'OPERATOR', outcome: outcome.toLowerCase(), message: `BANK_LETTER: ${NOTE}` }]);
      const events = await fixture.database.pool.query(
        'select type from events where subject_id = $1 order by sequence',
        [payout.id],
      );
      expect(events.rows.at(-1).type).toBe(status === 'SUCCESS' ? 'payout.succeeded' : 'payout.failed');
    },
  );

  it('as REVERSED returns the money of a success', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    await applyOutcome(fixture.deps, payout, railSays('succeeded'), { kind: 'PROVIDER_WEBHOOK' });
    const proposed = await propose(merchant, payout, 'REVERSED');
    await confirm(merchant, proposed);
    expect((await payoutOf(merchant, payout.id)).status).toBe('REVERSED');
    expect((await merchant.balance()).bookedMinor).toBe(1_000_000_000n);
  });

  it('is not taken up by a worker any more', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'FAILED');
    await confirm(merchant, proposed);
    fixture.clock.advance(48 * 3_600_000);
    await fixture.worker.runOnce();
    expect((await payoutOf(merchant, payout.id)).status).toBe('FAILED');
  });
});

describe('a proposal is refused', () => {
  it('to be confirmed by who made it, or to be decided at all by nobody’s or a merchant’s person', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'SUCCEEDED');
    const email = `${merchant.merchantId}@shop.example`;
    const memberId = await addPerson(fixture.deps, {
      kind: 'MEMBER',
      role: 'OWNER',
      merchantId: merchant.merchantId,
      email,
    });
    expect(await codeOf(confirm(merchant, proposed, people.ada))).toBe('SECOND_PERSON_NEEDED');
    expect(await codeOf(confirm(merchant, proposed, memberId))).toBe('OPERATOR_NOT_FOUND');
    expect(await codeOf(confirm(merchant, proposed, newId()))).toBe('OPERATOR_NOT_FOUND');
    expect(await codeOf(propose(merchant, payout, 'SUCCEEDED', memberId))).toBe('OPERATOR_NOT_FOUND');
    for (const personId of [memberId, newId()]) {
      const rejection = { tenant: merchant.tenant, proposalId: proposed.proposalId, personId, reason: 'Not ours' };
      expect(await codeOf(rejectProposal(fixture.deps, rejection))).toBe('OPERATOR_NOT_FOUND');
    }
    expect(await proposalsOf(merchant)).toMatchObject([{ status: 'PENDING', decided_by: null }]);
    expect((await payoutOf(merchant, payout.id)).status).toBe('PROCESSING');
    // Not even around the code.
    const around = fixture.database.pool.query(
      `update outcome_proposals set status = 'CONFIRMED', decided_by = proposed_by where id = $1`,
      [proposed.proposalId],
    );
    await expect(around).rejects.toThrow('outcome_proposals_two_people');
  });

  it('without a note that says what was seen, for what has not been sent, and for what has an end', async () => {
    const merchant = await fixture.addMerchant();
    const queued = await merchant.call('POST', '/payout/single', payment());
    const early = await payoutOf(merchant, queued.body.data.transactionId);
    expect(await codeOf(propose(merchant, early, 'FAILED'))).toBe('PAYOUT_NOT_UNDECIDED');
    await fixture.worker.runOnce();
    expect(await codeOf(propose(merchant, early, 'FAILED'))).toBe('PAYOUT_NOT_UNDECIDED');
    expect(await codeOf(propose(merchant, { ...early, id: newId() }, 'FAILED'))).toBe('PAYOUT_NOT_FOUND');
    const payout = await openPayout(merchant);
    expect(await codeOf(propose(merchant, payout, 'FAILED', people.ada, '  long enough  '))).toBe('ok');
    expect(await codeOf(propose(merchant, payout, 'FAILED', people.ada, '  short  '))).toBe('VALIDATION_FAILED');
  });

  it('while another is open, and taken after that one was rejected; all are kept', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const first = await propose(merchant, payout, 'SUCCEEDED');
    const codes = await Promise.all(
      [people.bola, people.chidi].map((who) => codeOf(propose(merchant, payout, 'FAILED', who))),
    );
    expect(codes).toEqual(['OUTCOME_ALREADY_PROPOSED', 'OUTCOME_ALREADY_PROPOSED']);
    const rejection = { tenant: merchant.tenant, proposalId: first.proposalId, personId: people.ada };
    expect(await codeOf(rejectProposal(fixture.deps, { ...rejection, reason: ' ' }))).toBe('VALIDATION_FAILED');
    await rejectProposal(fixture.deps, { ...rejection, reason: 'The letter was about another payout' });
    expect(await codeOf(rejectProposal(fixture.deps, { ...rejection, reason: 'again' }))).toBe(
      'OUTCOME_PROPOSAL_DECIDED',
    );
    expect(await codeOf(confirm(merchant, first))).toBe('OUTCOME_PROPOSAL_DECIDED');
    const second = await propose(merchant, payout, 'FAILED', people.bola);
    await confirm(merchant, second, people.chidi);
    expect((await proposalsOf(merchant)).map(({ status }) => status)).toEqual(['REJECTED', 'CONFIRMED']);
  });

  it('of another merchant', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'FAILED');
    const stranger = await fixture.addMerchant(0);
    expect(await codeOf(confirm(stranger, proposed))).toBe('OUTCOME_PROPOSAL_NOT_FOUND');
    const rejection = {
      tenant: stranger.tenant,
      proposalId: proposed.proposalId,
      personId: people.bola,
      reason: 'not ours',
    };
    expect(await codeOf(rejectProposal(fixture.deps, rejection))).toBe('OUTCOME_PROPOSAL_NOT_FOUND');
  });

  it('where any part of it was altered behind the service, who proposed it among them', async () => {
    const merchant = await fixture.addMerchant();
    const [payout, other] = [await openPayout(merchant), await openPayout(merchant, 2_000)];
    const proposed = await propose(merchant, payout, 'FAILED');
    const altered = {
      payout_id: other.id,
      outcome: 'SUCCEEDED',
      source: 'OTHER',
      note: 'Nobody said that',
      facts_digest: 'f'.repeat(64),
      proposed_by: people.chidi,
      proposed_at: new Date(0),
      digest: 'f'.repeat(64),
    };
    const set = async (column: string, value: unknown) => {
      const sql = `update outcome_proposals o set ${column} = $2 from outcome_proposals before
                    where o.id = $1 and before.merchant_id = o.merchant_id and before.id = o.id returning before.${column} as value`;
      return (await fixture.database.pool.query(sql, [proposed.proposalId, value])).rows[0].value as unknown;
    };
    for (const [column, value] of Object.entries(altered)) {
      const before = await set(column, value);
      expect([column, await codeOf(confirm(merchant, proposed))]).toEqual([column, 'OUTCOME_PROPOSAL_ALTERED']);
      await set(column, before);
    }
    await confirm(merchant, proposed);
    expect((await payoutOf(merchant, payout.id)).status).toBe('FAILED');
    await confirm(merchant, await propose(merchant, other, 'SUCCEEDED'));
  });

  it('once more became known about the payout, and the stale one makes room for another', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'FAILED');
    await applyOutcome(fixture.deps, payout, railSays('unknown', '09'), { kind: 'PROVIDER_WEBHOOK' });
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_STALE');
    expect(await codeOf(confirm(merchant, proposed))).toBe('OUTCOME_PROPOSAL_DECIDED');
    const again = await propose(merchant, payout, 'FAILED');
    // The same word once more says nothing new.
    await applyOutcome(fixture.deps, payout, railSays('unknown', '09'), { kind: 'PROVIDER_WEBHOOK' });
    await applyOutcome(fixture.deps, payout, railSays('unknown'), { kind: 'PROVIDER_WEBHOOK' });
    await confirm(merchant, again);
    expect((await proposalsOf(merchant)).map(({ status }) => status)).toEqual(['STALE', 'CONFIRMED']);
  });

  it('where the rail’s word comes just as it is confirmed, and the payout is left to workers as it was', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'FAILED');
    const { due_at: dueAt } = await payoutOf(merchant, payout.id);
    const { database, during } = inBetween(fixture.database);
    const speak = async (statement: string) => {
      if (statement === 'update-payout-in-hand')
        await applyOutcome(fixture.deps, payout, railSays('unknown', '09'), { kind: 'PROVIDER_WEBHOOK' });
    };
    const { result, names } = await during(speak, () =>
      codeOf(confirm(merchant, proposed, people.bola, { ...fixture.deps, database })),
    );
    expect(names).toContain('update-payout-in-hand');
    expect(result).toBe('OUTCOME_PROPOSAL_STALE');
    const { rows } = await fixture.database.pool.query('select lease_id, due_at from payouts where id = $1', [
      payout.id,
    ]);
    expect(rows).toEqual([{ lease_id: null, due_at: dueAt }]);
    expect((await payoutOf(merchant, payout.id)).status).toBe('PROCESSING');
  });

  it('while a worker has the payout in hand, and taken when the worker is long dead', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'FAILED');
    const until = new Date(fixture.clock.now().getTime() + 30_000);
    await fixture.database.pool.query('update payouts set lease_id = $2, due_at = $3 where id = $1', [
      payout.id,
      newId(),
      until,
    ]);
    expect(await codeOf(confirm(merchant, proposed))).toBe('PAYOUT_IN_HAND');
    fixture.clock.advance(60_000);
    expect(await codeOf(confirm(merchant, proposed))).toBe('PAYOUT_IN_HAND');
    fixture.clock.advance(60_000);
    expect(await codeOf(confirm(merchant, proposed))).toBe('ok');
  });
});

describe('at the same moment', () => {
  it('two people confirm once', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'SUCCEEDED');
    const other = await fixture.otherProcess();
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        codeOf(
          confirm(
            merchant,
            proposed,
            at % 2 === 0 ? people.bola : people.chidi,
            at % 3 === 0 ? other.deps : fixture.deps,
          ),
        ),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect((await proposalsOf(merchant)).map(({ status }) => status)).toEqual(['CONFIRMED']);
    expect((await merchant.balance()).bookedMinor).toBe(1_000_000_000n - 101_075n);
    await other.close();
  });

  it.each(['confirms', 'rejects'] as const)(
    'an end is let stand by one decision: where another person %s first, nothing is kept of it',
    async (what) => {
      const merchant = await fixture.addMerchant();
      const payout = await openPayout(merchant);
      await applyOutcome(fixture.deps, payout, railSays('failed', '05'), { kind: 'PROVIDER_WEBHOOK' });
      await applyOutcome(fixture.deps, payout, railSays('succeeded', '00'), { kind: 'PROVIDER_WEBHOOK' });
      const proposed = await propose(merchant, payout, 'FAILED');
      const { proposalId } = proposed;
      const rejection = { tenant: merchant.tenant, proposalId, personId: people.chidi, reason: 'The letter is forged' };
      const decide = () =>
        what === 'confirms' ? confirm(merchant, proposed, people.chidi) : rejectProposal(fixture.deps, rejection);
      const { database, during } = inBetween(fixture.database);
      let looks = 0;
      const overtake = async (statement: string) => {
        // The last look at what is known, just before the decision.
        if (statement === 'list-outcome-facts') looks += 1;
        if (statement === 'list-outcome-facts' && looks === 2) await decide();
      };
      const { result } = await during(overtake, () =>
        codeOf(confirm(merchant, proposed, people.bola, { ...fixture.deps, database })),
      );
      expect([looks, result]).toEqual([2, 'OUTCOME_PROPOSAL_DECIDED']);
      expect(await proposalsOf(merchant)).toMatchObject([
        { status: what === 'confirms' ? 'CONFIRMED' : 'REJECTED', decided_by: people.chidi },
      ]);
      const { rows } = await fixture.database.pool.query(
        `select id from payout_attempts where payout_id = $1 and kind = 'OPERATOR'`,
        [payout.id],
      );
      const { operator_reason: reason } = await payoutOf(merchant, payout.id);
      expect([rows.length, reason]).toEqual(what === 'confirms' ? [1, null] : [0, 'RAIL_CONTRADICTS']);
      if (what === 'rejects') await confirm(merchant, await propose(merchant, payout, 'FAILED'));
    },
  );

  it.each(['before its look', 'behind its commit'] as const)(
    'an end is let stand by what was known: what its rail says at that moment, %s, is before people again',
    async (when) => {
      const merchant = await fixture.addMerchant();
      const payout = await openPayout(merchant);
      await applyOutcome(fixture.deps, payout, railSays('failed', '05'), { kind: 'PROVIDER_WEBHOOK' });
      await applyOutcome(fixture.deps, payout, railSays('succeeded', '00'), { kind: 'PROVIDER_WEBHOOK' });
      const proposed = await propose(merchant, payout, 'FAILED');
      const isBefore = when === 'before its look';
      const { database, during } = inBetween(fixture.database);
      const says = (deps = fixture.deps) =>
        applyOutcome(deps, payout, railSays('succeeded', '16'), { kind: 'PROVIDER_WEBHOOK' });
      let steps = 0;
      const { result } = isBefore
        ? await during<unknown>(
            async (statement) => {
              if (statement === 'list-outcome-facts') steps += 1;
              if (statement === 'list-outcome-facts' && steps === 2) await says();
            },
            () => codeOf(confirm(merchant, proposed, people.bola, { ...fixture.deps, database })),
          )
        : await during<unknown>(
            async (statement) => {
              if (statement !== 'update-payout-for-operator') return;
              steps += 1;
              if (steps === 1) await confirm(merchant, proposed);
            },
            () => says({ ...fixture.deps, database }),
          );
      expect(steps).toBe(2);
      expect((await payoutOf(merchant, payout.id)).operator_reason).toBe('RAIL_CONTRADICTS');
      const [{ status } = {}] = await proposalsOf(merchant);
      if (isBefore) expect([result, status]).toEqual(['OUTCOME_PROPOSAL_STALE', 'STALE']);
      else expect(status).toBe('CONFIRMED');
      await confirm(merchant, await propose(merchant, payout, 'FAILED'));
      expect((await payoutOf(merchant, payout.id)).operator_reason).toBeNull();
    },
  );

  it('a confirmation and a rejection decide once, whichever is first', async () => {
    for (let round = 0; round < 6; round += 1) {
      const merchant = await fixture.addMerchant();
      const payout = await openPayout(merchant);
      const proposed = await propose(merchant, payout, 'FAILED');
      const rejection = {
        tenant: merchant.tenant,
        proposalId: proposed.proposalId,
        personId: people.chidi,
        reason: 'The letter is forged',
      };
      const [confirmed, rejected] = await Promise.all([
        codeOf(confirm(merchant, proposed)),
        new Promise((resolve) => setTimeout(resolve, round * 3)).then(() =>
          codeOf(rejectProposal(fixture.deps, rejection)),
        ),
      ]);
      expect([confirmed, rejected].sort()).toEqual(['OUTCOME_PROPOSAL_DECIDED', 'ok']);
      const { status } = await payoutOf(merchant, payout.id);
      expect(status).toBe(confirmed === 'ok' ? 'FAILED' : 'PROCESSING');
    }
  });

  it('a confirmation and the rail’s own word end it once, whichever is first', async () => {
    let decided = 0;
    for (let round = 0; round < 12; round += 1) {
      const merchant = await fixture.addMerchant();
      const payout = await openPayout(merchant);
      const proposed = await propose(merchant, payout, 'FAILED');
      const decides = () => codeOf(confirm(merchant, proposed));
      const speaks = () =>
        applyOutcome(fixture.deps, payout, railSays('succeeded', '00'), { kind: 'PROVIDER_WEBHOOK' });
      // One after the other, either way round, and then at once.
      const first = round === 0 ? await decides() : round === 1 ? void (await speaks()) : undefined;
      const [code] = await Promise.all([
        first ?? decides(),
        round === 1 ? undefined : new Promise((resolve) => setTimeout(resolve, round)).then(speaks),
      ]);
      const { status } = await payoutOf(merchant, payout.id);
      expect(status).toBe(code === 'ok' ? 'FAILED' : 'SUCCESS');
      if (code !== 'ok') expect(code).toBe('OUTCOME_PROPOSAL_STALE');
      const { bookedMinor, availableMinor } = await merchant.balance();
      expect(bookedMinor).toBe(1_000_000_000n - (code === 'ok' ? 0n : 101_075n));
      expect(availableMinor).toBe(bookedMinor);
      expect((await proposalsOf(merchant)).map((one) => one.status)).toEqual([code === 'ok' ? 'CONFIRMED' : 'STALE']);
      if (code === 'ok') decided += 1;
    }
    expect([decided > 0, decided < 12]).toEqual([true, true]);
  });

  it('a confirmation and a worker that would send again never both happen', async () => {
    for (let round = 0; round < 5; round += 1) {
      const merchant = await fixture.addMerchant();
      // The rail was down, and the message was lost: after a minute the worker sends it again.
      const reply = await merchant.call('POST', '/payout/single', payment({ accountNumber: '0001999925' }));
      await fixture.worker.runOnce();
      fixture.clock.advance(6_000);
      await fixture.worker.runOnce();
      const payout = await payoutOf(merchant, reply.body.data.transactionId);
      const proposed = await propose(merchant, payout, 'FAILED');
      fixture.clock.advance(3_600_000);
      const confirmed = new Promise((resolve) => setTimeout(resolve, round * 2)).then(() =>
        codeOf(confirm(merchant, proposed)),
      );
      const [code] = await Promise.all([confirmed, fixture.worker.runOnce()]);
      const { status } = await payoutOf(merchant, payout.id);
      const sent = await executed(fixture, merchant.tenant);
      if (code === 'ok') expect([status, sent.length]).toEqual(['FAILED', 0]);
      else expect([status, code]).not.toContain('FAILED');
    }
  });
});

describe('killed in the middle of a confirmation', () => {
  it('before the books, nothing is decided: the payout is asked about again, and can be confirmed again', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    const proposed = await propose(merchant, payout, 'SUCCEEDED');
    const dead: PayoutDeps = {
      ...fixture.deps,
      ledger: { ...fixture.deps.ledger, commit: () => new Promise(() => undefined) },
    };
    void confirm(merchant, proposed, people.bola, dead);
    await expect
      .poll(async () => (await payoutOf(merchant, payout.id)).due_at)
      .toEqual(new Date(fixture.clock.now().getTime() + 60_000));
    expect((await proposalsOf(merchant)).map(({ status }) => status)).toEqual(['PENDING']);
    fixture.clock.advance(120_000);
    expect(await codeOf(confirm(merchant, proposed, people.chidi))).toBe('ok');
    expect((await payoutOf(merchant, payout.id)).status).toBe('SUCCESS');
  });
});

describe('the operator’s queue', () => {
  it('lists what stays unknown for a day, and with all of it what is unknown now, with its open proposal', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant, 2_000);
    const mine = async (all: boolean) =>
      (await readOutcomeQueue(fixture.database, all ? 'ALL' : 'OPERATOR', { page: 1, size: 100 })).rows.filter(
        (entry) => entry.payout.id === payout.id,
      );
    expect(await mine(false)).toEqual([]);
    expect(await mine(true)).toMatchObject([
      {
        payout: { amount_minor: 200_000n, rail: 'sandbox', rail_reference: payout.rail_reference },
        proposal: undefined,
      },
    ]);
    const { sessionId } = await bankAnswer(fixture.deps, payout, UNKNOWN);
    const word = { ...railSays('unknown', '09'), sessionId };
    await applyOutcome(fixture.deps, payout, word, { kind: 'PROVIDER_WEBHOOK' });
    await applyOutcome(fixture.deps, payout, railSays('unknown'), { kind: 'PROVIDER_WEBHOOK' });
    expect(await mine(true)).toMatchObject([{ lastCode: '09', lastSessionId: sessionId }]);
    const proposed = await propose(merchant, payout, 'SUCCEEDED');
    expect(await mine(true)).toMatchObject([{ proposal: { id: proposed.proposalId, outcome: 'SUCCEEDED' } }]);
    await confirm(merchant, proposed);
    expect(await mine(true)).toEqual([]);
  });

  it('lists an end that a rail contradicts until two people let it stand', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await openPayout(merchant);
    await applyOutcome(fixture.deps, payout, railSays('failed', '05'), { kind: 'PROVIDER_WEBHOOK' });
    await applyOutcome(fixture.deps, payout, railSays('succeeded', '00'), { kind: 'PROVIDER_WEBHOOK' });
    const listed = async () =>
      (await readOutcomeQueue(fixture.database, 'OPERATOR', { page: 1, size: 100 })).rows.some(
        (entry) => entry.payout.id === payout.id,
      );
    expect(await listed()).toBe(true);
    expect(await codeOf(propose(merchant, payout, 'SUCCEEDED'))).toBe('PAYOUT_NOT_UNDECIDED');
    const proposed = await propose(merchant, payout, 'FAILED');
    await confirm(merchant, proposed);
    expect([await listed(), (await payoutOf(merchant, payout.id)).status]).toEqual([false, 'FAILED']);
    expect((await proposalsOf(merchant)).map(({ status }) => status)).toEqual(['CONFIRMED']);
  });
});

describe('after all of this', () => {
  it('the books are proven', async () => {
    expect(await broken()).toEqual([]);
  });
});
