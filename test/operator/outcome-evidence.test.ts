import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  ada = checked(t.app, await signedInOperator(t));
  bola = checked(t.app, await signedInOperator(t));
});
afterAll(() => t.close());

const NOTE = 'Ticket 4711: never credited, they cancelled it';

/** Pays into silence: sent once, and asked about as often as wanted with the same answer. */
async function payIntoSilence(merchant: TestMerchant, asked: number): Promise<string> {
  const payee = { bankCode: '058', accountNumber: '0123999934', narration: 'Invoice 1042', amount: 1_000 };
  const key = bearer(merchant.secretKey);
  const paid = await t.call('POST', '/payout/single', { ...payee, pin: merchant.pin }, key);
  expect(paid.status).toBe(200);
  await t.app.worker.runOnce();
  const { transactionId } = paid.body.data;
  for (let time = 0; time < asked; time += 1) await t.call('POST', '/transaction/requery', { transactionId }, key);
  return transactionId;
}

const evidenceOf = (person: TestPerson, { merchantId }: { merchantId: string }, payoutId: string, mode = 'SANDBOX') =>
  person.call('GET', `/operator/outcome/${payoutId}/evidence?merchantId=${merchantId}&mode=${mode}`);

describe('the evidence of a payout that nobody knows the outcome of', () => {
  it('says whom it was to reach and every word about it, the same answer again and again as one', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await payIntoSilence(merchant, 3);
    const { body } = await evidenceOf(ada, merchant, payoutId);
    expect(body.data).toMatchObject({
      payoutId,
      status: 'PROCESSING',
      payee: { accountNumber: '0123999934', bankCode: '058' },
      narration: 'Invoice 1042',
      said: [
        { kind: 'SEND', rail: 'sandbox', times: 1, isAnswered: true, outcome: 'unknown', code: '09' },
        { kind: 'QUERY', rail: 'sandbox', times: 3, isAnswered: true, outcome: 'unknown', code: '09' },
      ],
      proposals: [],
      outcomes: ['SUCCEEDED', 'FAILED', 'REVERSED'],
      proposal: null,
      isOvertaken: false,
    });
    expect(body.data.said[0].sessionId).toMatch(/^\d{30}$/);
    expect(body.data.nextAskAt).not.toBeNull();
  });

  it('has what one person proposed as another may confirm it, and what may be said of its end then', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await payIntoSilence(merchant, 1);
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    const said = { ...tenant, payoutId, source: 'RAIL_SUPPORT', note: NOTE };
    await ada.call('POST', '/operator/outcome/propose', { ...said, outcome: 'SUCCEEDED' });
    expect((await evidenceOf(ada, merchant, payoutId)).body.data.proposal).toMatchObject({ isMine: true, note: NOTE });
    const { proposal } = (await evidenceOf(bola, merchant, payoutId)).body.data;
    expect(proposal).toMatchObject({ outcome: 'SUCCEEDED', isMine: false, proposedBy: { email: ada.email } });
    const { proposalId, digest } = proposal;
    const confirmed = await bola.call('POST', '/operator/outcome/confirm', { ...tenant, proposalId, digest });
    expect(confirmed.status).toBe(200);
    expect((await evidenceOf(ada, merchant, payoutId)).body.data).toMatchObject({
      status: 'SUCCESS',
      outcomes: ['REVERSED'],
      proposal: null,
    });
    await ada.call('POST', '/operator/outcome/propose', { ...said, outcome: 'REVERSED' });
    const again = (await evidenceOf(bola, merchant, payoutId)).body.data.proposal;
    await bola.call('POST', '/operator/outcome/confirm', {
      ...tenant,
      proposalId: again.proposalId,
      digest: again.digest,
    });
    expect((await evidenceOf(ada, merchant, payoutId)).body.data).toMatchObject({ status: 'REVERSED', outcomes: [] });
  });

  it('keeps what was proposed before, by whom and why it was turned down', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await payIntoSilence(merchant, 1);
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    const said = { ...tenant, payoutId, outcome: 'FAILED', source: 'RAIL_SUPPORT', note: NOTE };
    const { proposalId } = (await ada.call('POST', '/operator/outcome/propose', said)).body.data;
    const reason = 'The ticket is about another transfer';
    await bola.call('POST', '/operator/outcome/reject', { ...tenant, proposalId, reason });
    await bola.call('POST', '/operator/outcome/propose', { ...said, outcome: 'SUCCEEDED' });
    const { body } = await evidenceOf(ada, merchant, payoutId);
    expect(body.data.proposals).toMatchObject([
      { outcome: 'SUCCEEDED', status: 'PENDING', proposedBy: bola.email, decidedBy: null, reason: null },
      { outcome: 'FAILED', status: 'REJECTED', proposedBy: ada.email, decidedBy: bola.email, reason, note: NOTE },
    ]);
  });

  it('warns anyone who would confirm what a later word has overtaken, and the confirmation is refused', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await payIntoSilence(merchant, 1);
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
    const said = { ...tenant, payoutId, outcome: 'FAILED', source: 'OTHER', note: NOTE };
    const { data: proposed } = (await ada.call('POST', '/operator/outcome/propose', said)).body;
    expect((await evidenceOf(bola, merchant, payoutId)).body.data.isOvertaken).toBe(false);
    await t.database.pool.query(
      `insert into payout_attempts (merchant_id, mode, payout_id, id, rail, kind, started_at, ended_at, outcome, code)
       values ($1, 'SANDBOX', $2, $3, 'sandbox', 'PROVIDER_WEBHOOK', now(), now(), 'unknown', '99')`,
      [merchant.merchantId, payoutId, newId()],
    );
    const { body } = await evidenceOf(bola, merchant, payoutId);
    expect(body.data.isOvertaken).toBe(true);
    expect(body.data.said.at(-1)).toMatchObject({ kind: 'PROVIDER_WEBHOOK', code: '99' });
    const confirmed = await bola.call('POST', '/operator/outcome/confirm', { ...tenant, ...proposed });
    expect(confirmed.body.code).toBe('OUTCOME_PROPOSAL_STALE');
    expect((await evidenceOf(bola, merchant, payoutId)).body.data.proposals).toMatchObject([{ status: 'STALE' }]);
  });

  it('is of one merchant in one mode', async () => {
    const merchant = await t.addMerchant();
    const payoutId = await payIntoSilence(merchant, 0);
    for (const reply of [
      await evidenceOf(ada, t.merchant, payoutId),
      await evidenceOf(ada, merchant, payoutId, 'LIVE'),
      await evidenceOf(ada, merchant, newId()),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'PAYOUT_NOT_FOUND']);
    }
    expect((await ada.call('GET', `/operator/outcome/${payoutId}/evidence`)).status).toBe(400);
  });
});
