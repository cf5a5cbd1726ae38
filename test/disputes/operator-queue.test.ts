import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countDisputesToLookAt, readDisputeQueue } from '../../src/disputes/index.ts';
import { listRequest } from '../../src/platform/lists/list.ts';
import { createDisputeFixture, type DisputeFixture } from './fixture.ts';

let t: DisputeFixture;
beforeAll(async () => {
  t = await createDisputeFixture();
});
afterAll(() => t.close());

const queued = async (): Promise<string[]> => {
  const { rows } = await readDisputeQueue(t.database, undefined, listRequest({ size: 100 }));
  return rows.map(({ provider_dispute_id }) => provider_dispute_id);
};
const counted = async (): Promise<number> => (await countDisputesToLookAt(t.database, t.clock.now())).disputes;

describe('the queue of disputes of the operator', () => {
  it('leaves out a dispute that has ended, however it had to be looked at while it ran', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const before = await counted();
    await t.dispute(hint, 100_00n);
    const taken = await t.dispute(hint, 1n);
    expect(await t.find(taken.providerDisputeId)).toMatchObject({ operator_reason: 'TAKEN_BACK_BEFORE' });
    expect(await queued()).toContain(taken.providerDisputeId);
    expect(await counted()).toBe(before + 1);

    await t.end(taken, 'lost');
    expect(await t.find(taken.providerDisputeId)).toMatchObject({ operator_reason: 'TAKEN_BACK_BEFORE' });
    expect(await queued()).not.toContain(taken.providerDisputeId);
    expect(await counted()).toBe(before);
  });

  it.each([
    ['lost', 'won'],
    ['won', 'lost'],
  ] as const)('keeps and counts one that has ended %s and that its provider then calls %s', async (end, then) => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 50_00n), 50_00n);
    const before = await counted();
    await t.end(dispute, end);
    expect(await queued()).not.toContain(dispute.providerDisputeId);
    await t.end(dispute, then);
    expect(await queued()).toContain(dispute.providerDisputeId);
    expect(await counted()).toBe(before + 1);
  });
});
