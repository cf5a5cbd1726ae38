import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/app.ts';
import {
  approve,
  type Business,
  business,
  codeOf,
  createTestApp,
  expectBooksRight,
  type Person,
  personOf,
  reject,
  statusOf,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const remove = (by: Person, whom: Person) => by.call('DELETE', `/member/${whom.personId}`);
const demote = (by: Person, whom: Person, role = 'VIEWER') => by.call('PATCH', `/member/${whom.personId}`, { role });
const decidersOf = async (shop: Business) => (await shop.byKey('GET', '/approval/rules')).body.data.deciders;
const told = (reply: Reply) => [codeOf(reply), reply.body.message];
const TWO_OF_THREE = [{ fromAmount: 0, approvals: 2 }];

describe('whoever is needed to decide about approvals', () => {
  it('is neither removed nor given a role that cannot decide, while approvals are on', async () => {
    const shop = await business(t, TWO_OF_THREE);
    for (const reply of [await remove(shop.owner, shop.ann), await demote(shop.owner, shop.ann)]) {
      expect(told(reply)).toEqual([
        '422 APPROVERS_MISSING',
        'The approval rules need 3 people who can decide, and only 2 would be left. Make somebody else an approver first, or change the approval rules.',
      ]);
    }
    const second = await personOf(t, shop.merchant, 'OWNER');
    expect(codeOf(await remove(shop.owner, shop.owner))).toBe('DONE');
    expect(codeOf(await remove(second, second))).toBe('422 LAST_OWNER');
    expect(await decidersOf(shop)).toBe(3);
    expect(codeOf(await approve(shop.ann, { approvalId: shop.ann.personId, digest: '0'.repeat(64) }))).toBe(
      '404 APPROVAL_NOT_FOUND',
    );
  });

  it('counts no more for what waits once they have left or may decide no more, and says so before: it is rejected and asked for anew', async () => {
    const shop = await business(t, TWO_OF_THREE);
    const carol = await personOf(t, shop.merchant, 'APPROVER', 'Carol');
    const ways: ((who: Person) => Promise<Reply>)[] = [
      (who) => demote(shop.owner, who),
      (who) => remove(shop.owner, who),
    ];
    for (const leaves of ways) {
      const gone = await personOf(t, shop.merchant, 'APPROVER', 'Dele');
      const payout = await waitingPayout(shop.byKey);
      expect(codeOf(await approve(gone, payout))).toBe('DONE');
      expect(codeOf(await leaves(gone))).toBe('DONE');
      for (const who of [shop.ben, carol]) {
        const { message } = (await approve(who, payout)).body;
        expect(codeOf(await approve(who, payout))).toBe('409 APPROVER_LEFT');
        const [listed] = (await who.call('GET', '/approval?inbox=TO_DECIDE')).body.data.records;
        const one = (await who.call('GET', `/approval/${payout.approvalId}`)).body.data;
        for (const shown of [listed, one])
          expect(shown).toMatchObject({ mayDecide: true, mayApprove: false, whyNot: message });
      }
      expect(codeOf(await reject(carol, payout))).toBe('DONE');
      expect(await statusOf(shop.byKey, payout.transactionId)).toBe('CANCELLED');
      const anew = await waitingPayout(shop.byKey);
      const asked = (await carol.call('GET', `/approval/${anew.approvalId}`)).body.data;
      expect(asked).toMatchObject({ mayDecide: true, mayApprove: true, whyNot: null });
      for (const who of [shop.ben, carol]) expect(codeOf(await approve(who, anew))).toBe('DONE');
      expect(await statusOf(shop.byKey, anew.transactionId)).toBe('QUEUED');
    }
  });

  it('may go once somebody else can decide, or the rules ask less, or approvals are off; others may go at any time', async () => {
    const shop = await business(t, TWO_OF_THREE);
    expect(codeOf(await demote(shop.owner, shop.ann, 'ADMIN'))).toBe('DONE');
    expect(codeOf(await remove(shop.owner, shop.maker))).toBe('DONE');
    const carol = await personOf(t, shop.merchant, 'APPROVER');
    expect(codeOf(await remove(shop.owner, shop.ann))).toBe('DONE');
    expect(codeOf(await remove(shop.owner, shop.ben))).toBe('422 APPROVERS_MISSING');
    const waits = await shop.owner.call('PATCH', '/approval/rules', { rules: [{ fromAmount: 0, approvals: 1 }] });
    const { approvalId } = waits.body.data;
    const { digest } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
    for (const who of [shop.ben, carol]) expect(codeOf(await approve(who, { approvalId, digest }))).toBe('DONE');
    expect(codeOf(await remove(shop.owner, shop.ben))).toBe('DONE');
    expect(codeOf(await remove(shop.owner, carol))).toBe('422 APPROVERS_MISSING');
    const off = await business(t, []);
    for (const whom of [off.ann, off.ben]) expect(codeOf(await remove(off.owner, whom))).toBe('DONE');
  });

  it('stays in number when two are removed, or removed and demoted, at the same moment', async () => {
    for (const second of [remove, demote]) {
      const shop = await business(t);
      const replies = await Promise.all([
        remove(shop.owner, shop.ann),
        second(shop.owner, shop.ben),
        remove(shop.ann, shop.ann),
      ]);
      expect(replies.slice(0, 2).map(codeOf).sort()).toEqual(['422 APPROVERS_MISSING', 'DONE']);
      expect(await decidersOf(shop)).toBe(2);
    }
  });

  it('is asked for again when stricter rules get their last approval: somebody may have left since', async () => {
    const shop = await business(t);
    const waits = await shop.owner.call('PATCH', '/approval/rules', { rules: TWO_OF_THREE });
    const { approvalId } = waits.body.data;
    const { digest } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
    expect(codeOf(await remove(shop.owner, shop.ben))).toBe('DONE');
    expect(codeOf(await approve(shop.ann, { approvalId, digest }))).toBe('422 APPROVERS_MISSING');
    expect((await shop.byKey('GET', `/approval/${approvalId}`)).body.data).toMatchObject({
      status: 'PENDING',
      given: 0,
    });
    await personOf(t, shop.merchant, 'APPROVER');
    expect(codeOf(await approve(shop.ann, { approvalId, digest }))).toBe('DONE');
    expect((await shop.byKey('GET', '/approval/rules')).body.data.rules).toEqual(TWO_OF_THREE);
  });
});
