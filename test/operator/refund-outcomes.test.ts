import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Container, createContainer } from '../../src/container.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { terminalOf } from '../support/terminal.ts';
import { bearer, payIn, rowsOf } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let container: Container;
let ada: TestPerson;
let bola: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  const { config, database, secrets, clock } = t;
  container = createContainer({ config, database, secrets, clock, logger: createLogger('silent') });
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
});
afterAll(async () => {
  await container.ledger.drain();
  await t.close();
});

const NOTE = 'Ticket 4711: they looked it up in their books';

/** A refund that was sent and asked about, and whose bank says "pending" for ever. */
async function silentRefund(merchant: TestMerchant = t.merchant, amount = 500) {
  const key = bearer(merchant.secretKey);
  const paymentId = await payIn(t, merchant, 1_000);
  const body = { pin: merchant.pin, amount, note: 'Order 12' };
  const silent = { ...key, 'x-sandbox-scenario': 'refund-pending-forever' };
  const asked = await t.call('POST', `/collection/payment/${paymentId}/refund`, body, silent);
  expect(asked.status, asked.text).toBe(200);
  for (let time = 0; time < 2; time += 1) {
    await t.app.worker.runOnce();
    t.clock.advance(10_000);
  }
  const { refundId } = asked.body.data;
  const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
  const read = async () => (await t.call('GET', `/collection/refund/${refundId}`, undefined, key)).body.data.refund;
  const of = (person: TestPerson) =>
    person.call('GET', `/operator/refund/${refundId}?merchantId=${tenant.merchantId}&mode=SANDBOX`);
  const propose = (person: TestPerson, outcome = 'FAILED', more: object = {}) =>
    person.call('POST', '/operator/refund/propose', {
      ...{ ...tenant, refundId, outcome, source: 'RAIL_SUPPORT', note: NOTE, ...more },
    });
  return { refundId, paymentId, tenant, read, of, propose };
}

describe('a refund whose outcome nobody knows, over HTTP', () => {
  it('is proposed by one person and confirmed by another, who gave the password anew, by the digest that was shown', async () => {
    const { refundId, paymentId, tenant, read, of, propose } = await silentRefund();
    const { takenBack } = (await ada.call('GET', `/operator/inbound-payment/${paymentId}`)).body.data;
    expect(takenBack).toMatchObject([{ kind: 'REFUND', id: refundId, status: 'PROCESSING', amount: 500 }]);
    const proposed = await propose(ada);
    expect(proposed.status, proposed.text).toBe(200);
    const { proposalId, digest } = proposed.body.data;
    const mine = (await of(ada)).body.data;
    expect(mine).toMatchObject({
      refund: { refundId, status: 'PROCESSING', proposal: { proposalId, isMine: true, note: NOTE } },
      payment: { amount: 1_000, status: 'CREDITED' },
      note: 'Order 12',
      isOvertaken: false,
    });
    expect(mine.said.map(({ kind }: { kind: string }) => kind)).toEqual(['SEND', 'QUERY']);
    const confirm = (person: TestPerson, more: object = {}) =>
      person.call('POST', '/operator/refund/confirm', { ...tenant, proposalId, digest, ...more });
    await ada.refresh();
    expect((await confirm(ada)).body.code).toBe('SECOND_PERSON_NEEDED');
    t.clock.advance(11 * 60_000);
    expect((await confirm(bola)).body.code).toBe('STEP_UP_REQUIRED');
    await bola.refresh();
    expect((await confirm(bola, { digest: 'a'.repeat(64) })).body.code).toBe('OUTCOME_PROPOSAL_ALTERED');
    expect((await read()).status).toBe('PROCESSING');
    expect((await confirm(bola)).body.data).toEqual({ refundId, outcome: 'FAILED' });
    expect(await read()).toMatchObject({ status: 'FAILED', reason: 'OPERATOR_DECIDED_FAILED' });
    expect((await confirm(bola)).body.code).toBe('OUTCOME_PROPOSAL_DECIDED');
    expect((await of(bola)).body.data.proposals).toMatchObject([{ status: 'CONFIRMED', decidedBy: bola.email }]);
  });

  it('is in the lists as long as it waits, and is turned down with a reason that is kept', async () => {
    const { refundId, tenant, of, propose } = await silentRefund();
    const ids = async (query: string) =>
      (await bola.call('GET', `/operator/refund?${query}`)).body.data.records.map(
        (one: { refundId: string }) => one.refundId,
      );
    const before = (await bola.call('GET', '/operator/overview')).body.data;
    const ownBefore = (await ada.call('GET', '/operator/overview')).body.data;
    expect(await ids('isProposed=true')).not.toContain(refundId);
    const { proposalId } = (await propose(ada)).body.data;
    expect(await ids('isProposed=true')).toEqual([refundId]);
    expect((await ids(`merchantId=${tenant.merchantId}&status=PROCESSING`))[0]).toBe(refundId);
    expect(await ids('needsDecision=true')).not.toContain(refundId);
    await rowsOf(
      t.connectionString,
      "update refunds set operator_reason = 'UNKNOWN_TOO_LONG', operator_since = now() where id = $1 returning id",
      [refundId],
    );
    expect(await ids('needsDecision=true')).toContain(refundId);
    const now = (await bola.call('GET', '/operator/overview')).body.data;
    expect(now.unknownRefunds).toBe(before.unknownRefunds + 1);
    expect(now.refundProposalsForMe).toBe(before.refundProposalsForMe + 1);
    // Her own waits for somebody else.
    const own = (await ada.call('GET', '/operator/overview')).body.data;
    expect(own.refundProposalsForMe).toBe(ownBefore.refundProposalsForMe);
    const reject = { ...tenant, proposalId, reason: 'It is about another refund' };
    expect((await bola.call('POST', '/operator/refund/reject', reject)).status).toBe(200);
    expect(await ids('isProposed=true')).toEqual([]);
    expect((await of(ada)).body.data.proposals).toMatchObject([{ status: 'REJECTED', reason: reject.reason }]);
  });

  it('is nobody else’s to see or decide, and what is not there is not found', async () => {
    const { refundId, tenant, of, propose } = await silentRefund();
    const member = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    expect((await of(member)).status).toBe(403);
    expect((await propose(member)).status).toBe(403);
    const elsewhere = await ada.call('GET', `/operator/refund/${refundId}?merchantId=${tenant.merchantId}&mode=LIVE`);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'REFUND_NOT_FOUND']);
    expect((await propose(ada, 'FAILED', { refundId: newId() })).body.code).toBe('REFUND_NOT_FOUND');
    expect((await propose(ada, 'REVERSED')).body.code).toBe('VALIDATION_FAILED');
  });
});

describe('a refund whose outcome nobody knows, at the terminal', () => {
  it('is listed, proposed, turned down, and ended by two people who sign with their passwords', async () => {
    const { refundId, tenant, read } = await silentRefund();
    const admin = terminalOf(t, container);
    const of = ['--merchant', tenant.merchantId, '--mode', 'sandbox'];
    const listed = async (...more: string[]) => (await admin('list-refund-outcomes', ...more)).printed;
    expect((await listed()).filter((line) => line.includes(refundId))).toEqual([]);
    const [line] = (await listed('--all')).filter((one) => one.includes(refundId));
    expect(line).toContain('PROCESSING');
    expect(line).toContain('no proposal');
    const said = ['--refund', refundId, '--outcome', 'SUCCEEDED', '--source', 'RAIL_SUPPORT', '--note', NOTE];
    const propose = () => admin('propose-refund-outcome', ...of, ...said, '--email', ada.email);
    const first = await propose();
    expect(first.exit, first.warned.join()).toBe(0);
    const shown = async () => {
      const [at] = (await listed('--all')).filter((one) => one.includes(refundId));
      return {
        proposal: /proposal ([0-9a-f-]{36})/.exec(at ?? '')?.[1] ?? '',
        digest: /digest (\w{64})/.exec(at ?? '')?.[1] ?? '',
      };
    };
    const { proposal: turned } = await shown();
    const reject = ['--proposal', turned, '--reason', 'Another ticket', '--email', bola.email];
    expect((await admin('reject-refund-outcome', ...of, ...reject)).exit).toBe(0);
    expect((await propose()).exit).toBe(0);
    const { proposal, digest } = await shown();
    const confirm = (email: string, by = digest) =>
      admin('confirm-refund-outcome', ...of, '--proposal', proposal, '--digest', by, '--email', email);
    const alone = await confirm(ada.email);
    expect([alone.exit, alone.warned.join()]).toEqual([1, expect.stringContaining('SECOND_PERSON_NEEDED')]);
    const altered = await confirm(bola.email, 'b'.repeat(64));
    expect([altered.exit, altered.warned.join()]).toEqual([1, expect.stringContaining('OUTCOME_PROPOSAL_ALTERED')]);
    expect((await read()).status).toBe('PROCESSING');
    const done = await confirm(bola.email);
    expect([done.exit, done.printed]).toEqual([0, [`${refundId}\tSUCCEEDED`]]);
    expect((await read()).status).toBe('SUCCESS');
  });
});
