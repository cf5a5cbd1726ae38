import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rules } from '../../src/approvals/approval-rules.ts';
import type { Movement } from '../../src/ledger/index.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  approve,
  balanceOf,
  business,
  codeOf,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  sends,
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

const tally = (codes: string[]) =>
  Object.fromEntries([...new Set(codes)].sort().map((code) => [code, codes.filter((one) => one === code).length]));

describe('people who decide at the same moment', () => {
  it('count each when two are needed, also under idempotency keys', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    for (let round = 0; round < 5; round += 1) {
      const payout = await waitingPayout(shop.byKey);
      const replies = await Promise.all(
        [shop.ann, shop.ben].map((who, at) => approve(who, payout, { 'idempotency-key': `race-${round}-${at}` })),
      );
      expect(replies.map(codeOf)).toEqual(['DONE', 'DONE']);
      expect(new Set(replies.map(({ body }) => body.data.given))).toEqual(new Set([1, 2]));
      expect(await statusOf(shop.byKey, payout.transactionId)).toBe('QUEUED');
    }
  });

  it('release a payout once when one is needed', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.byKey);
    const codes = (await Promise.all([shop.ann, shop.ben, shop.owner].map((who) => approve(who, payout)))).map(codeOf);
    expect(tally(codes)).toEqual({ '409 APPROVAL_CLOSED': 2, DONE: 1 });
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(1);
  });

  it('count once each however often they click', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const payout = await waitingPayout(shop.byKey);
    const codes = (await Promise.all(Array.from({ length: 10 }, () => approve(shop.ann, payout)))).map(codeOf);
    expect(tally(codes)).toEqual({ '409 ALREADY_DECIDED': 9, DONE: 1 });
    expect((await shop.byKey('GET', `/approval/${payout.approvalId}`)).body.data).toMatchObject({ given: 1 });
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('PENDING_APPROVAL');
  });

  it('and who withdraws, rejects or lets it run out have a serial outcome', async () => {
    for (const other of ['withdraw', 'reject', 'expire'] as const) {
      const shop = await business(t);
      const before = await balanceOf(shop);
      const payout = await waitingPayout(shop.maker.call);
      const another = {
        withdraw: () => shop.maker.call('POST', `/approval/${payout.approvalId}/withdraw`, {}),
        reject: () => reject(shop.ben, payout),
        expire: async () => {
          const moved = await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 7 * 86_400 + 1 });
          await t.app.worker.runOnce();
          return moved;
        },
      }[other];
      const [approved] = await Promise.all([approve(shop.ann, payout), another()]);
      await t.app.worker.runOnce();
      const status = await statusOf(shop.byKey, payout.transactionId);
      if (codeOf(approved) === 'DONE') {
        expect([other, status]).toEqual([other, 'SUCCESS']);
      } else {
        expect([codeOf(approved), status]).toEqual(['409 APPROVAL_CLOSED', 'CANCELLED']);
        expect(await balanceOf(shop)).toEqual(before);
        expect(await sends(t, shop.merchant)).toBe(0);
      }
    }
  });
});

describe('a repeated request', () => {
  it('gets the first answer under its key, and decides nothing twice', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.byKey);
    const key = { 'idempotency-key': 'decided' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => approve(shop.ann, payout, key)));
    expect(replies.map(codeOf)).toEqual(Array(10).fill('DONE'));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const rejected = await shop.ben.call('POST', `/approval/${payout.approvalId}/reject`, { note: 'No' }, key);
    expect(codeOf(rejected)).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  it('of another person under the same key is refused, and counts under another', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const payout = await waitingPayout(shop.byKey);
    const key = { 'idempotency-key': 'both' };
    expect(codeOf(await approve(shop.ann, payout, key))).toBe('DONE');
    expect(codeOf(await approve(shop.ben, payout, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('PENDING_APPROVAL');
    expect(codeOf(await approve(shop.ben, payout, { 'idempotency-key': 'bens' }))).toBe('DONE');
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('QUEUED');
  });

  it('whose process died behind the commit gets what was decided, and nothing happens again', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.byKey);
    const { ledger } = t.app;
    const { commit } = ledger;
    // The movement commits, and its answer never arrives.
    ledger.commit = async (movement: Movement) => {
      await commit(movement);
      ledger.commit = commit;
      throw new Error('killed');
    };
    const key = { 'idempotency-key': 'crashed' };
    const lost = await approve(shop.ann, payout, key).finally(() => {
      ledger.commit = commit;
    });
    if (lost.status === 200) return expect.fail('the crash did not happen');
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('QUEUED');
    const again = await approve(shop.ann, payout, key);
    expect([codeOf(again), again.body.data.status]).toEqual(['DONE', 'APPROVED']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(1);
  });
});

describe('switching approvals on', () => {
  it('binds every payout that commits after it, whatever a process remembers', async () => {
    for (const headers of [{}, { 'idempotency-key': 'stale' }] as Record<string, string>[]) {
      const shop = await business(t, []);
      const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' as const };
      const stale = await t.app.approvalRules.read(tenant);
      expect(stale.isEnabled).toBe(false);
      const on = await shop.owner.call('PATCH', '/approval/rules', { isMakerCheckerEnabled: true });
      expect(on.status, on.text).toBe(200);
      t.app.approvalRules.forget(tenant);
      remember(tenant, stale);
      expect((await t.app.approvalRules.read(tenant)).isEnabled).toBe(false);
      const reply = await shop.byKey('POST', '/payout/single', payment(), headers);
      expect(reply.body.data, reply.text).toMatchObject({ status: 'PENDING_APPROVAL' });
    }
  });

  it('binds a dispatch, a schedule and a beneficiary that commit after it as well', async () => {
    const shop = await business(t, []);
    const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' as const };
    const account = { bankCode: '058', accountNumber: '0123456785' };
    const made = await shop.byKey('POST', '/payout/bulk', {
      items: [{ ...account, amount: 2_000, narration: 'Rent' }],
    });
    await t.app.worker.runOnce();
    const stale = await t.app.approvalRules.read(tenant);
    const on = await shop.owner.call('PATCH', '/approval/rules', { isMakerCheckerEnabled: true });
    expect(on.status, on.text).toBe(200);
    const { pin, ...asked } = payment({ scheduledFor: new Date(t.clock.now().getTime() + 600_000).toISOString() });
    const ways: [path: string, body: object][] = [
      ['/payout/bulk/dispatch', { pin, batchReference: made.body.data.batchReference }],
      ['/payout/single/schedule', { pin, ...asked }],
      ['/beneficiary', account],
    ];
    for (const [path, body] of ways) {
      t.app.approvalRules.forget(tenant);
      remember(tenant, stale);
      expect((await t.app.approvalRules.read(tenant)).isEnabled).toBe(false);
      const reply = await shop.byKey('POST', path, body);
      expect([path, reply.body.data?.status], reply.text).toEqual([path, 'PENDING_APPROVAL']);
    }
  });

  /** Puts old rules back into the memory of this process. */
  function remember(tenant: Tenant, rules: Rules): void {
    const { query } = t.database;
    t.database.query = (async () => [
      {
        is_maker_checker_enabled: rules.isEnabled,
        version: rules.version === 0 ? null : rules.version,
        id: rules.id,
        is_enabled: rules.isEnabled,
        tiers: JSON.stringify(rules.tiers.map(({ fromMinor, approvals }) => ({ from: String(fromMinor), approvals }))),
      },
    ]) as unknown as typeof query;
    void t.app.approvalRules.read(tenant);
    t.database.query = query;
  }

  it('at the same moment as many payouts leaves each either sent before it or waiting after it', async () => {
    const shop = await business(t, []);
    const [on, ...replies] = await Promise.all([
      shop.owner.call('PATCH', '/approval/rules', { isMakerCheckerEnabled: true }),
      ...Array.from({ length: 20 }, () => shop.byKey('POST', '/payout/single', payment())),
    ]);
    expect(on?.status).toBe(200);
    for (const { body } of replies) expect(['QUEUED', 'PENDING_APPROVAL']).toContain(body.data.status);
    expect((await shop.byKey('POST', '/payout/single', payment())).body.data.status).toBe('PENDING_APPROVAL');
  });
});
