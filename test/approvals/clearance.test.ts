import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Cleared,
  clearedByDispatch,
  clearedByRefundRule,
  clearedByReview,
  requireCleared,
  withClearance,
} from '../../src/approvals/index.ts';
import { joinParts } from '../../src/ledger/index.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { TEST_PIN } from '../support/app.ts';
import { rowsOf } from '../support/world.ts';
import { approve, type Business, business, createTestApp, type TestApp } from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const tenantOf = ({ merchant }: Business): Tenant => ({ merchantId: merchant.merchantId, mode: 'SANDBOX' });

/** A batch that is ready, and what dispatching it is answered with. */
async function madeBatch(shop: Business) {
  const item = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'Salary' };
  const { batchReference } = (await shop.byKey('POST', '/payout/bulk', { items: [item] })).body.data;
  await t.app.worker.runOnce();
  const sql = 'select id from batches where merchant_id = $1 order by id desc limit 1';
  const [batch] = await rowsOf<{ id: string }>(t.connectionString, sql, [shop.merchant.merchantId]);
  const dispatch = async () =>
    (await shop.maker.call('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference })).body.data;
  return { id: batch?.id as string, dispatch };
}

describe('the parts of a movement', () => {
  it('stand in the order in which they are given, and a list that only one part has is not copied', () => {
    const changes = ['A', 'B'];
    const uniqueKeys = [{ scope: 'S', value: 'V', refusal: () => new AppError('conflict', 'TAKEN', 'It is taken.') }];
    const joined = joinParts({ changes }, {}, { changes: [], uniqueKeys }, { changes: ['C'] });
    expect(joined.changes).toEqual(['A', 'B', 'C']);
    expect(changes).toEqual(['A', 'B']);
    expect(joined.uniqueKeys).toBe(uniqueKeys);
    expect(joined.events).toEqual([]);
  });
});

describe('a clearance', () => {
  it('is made by asking, and nothing else passes for one', async () => {
    const shop = await business(t, []);
    const tenant = tenantOf(shop);
    const { merchantId } = tenant;
    const maker = { merchantId, personId: null, name: 'Ada', via: 'API' as const, keyId: null, ip: null };
    const asked = await withClearance(
      { ...t, ...t.app },
      { tenant, kind: 'PAYOUT', amountMinor: 1n, maker },
      async (answer) => answer,
    );
    if (asked.kind === 'HELD') throw new Error('this merchant has no rules');
    expect(requireCleared(asked)).toBe(asked);

    // @ts-expect-error a copy lacks what only the original has
    const copied: Cleared = { ...asked };
    // @ts-expect-error nobody asked
    const madeUp: Cleared = { kind: 'CLEARED', rulesVersion: 1, approvalId: null, marks: [] };
    // A cast is not stopped by the compiler.
    const cast = { kind: 'CLEARED', rulesVersion: 1, approvalId: null, marks: [] } as unknown as Cleared;
    const heir = Object.create(asked) as Cleared;
    for (const forged of [copied, madeUp, cast, heir]) expect(() => requireCleared(forged)).toThrow('nobody asked');
  });

  it('stays as it was made', async () => {
    const shop = await business(t, []);
    const batch = await madeBatch(shop);
    await batch.dispatch();
    const cleared = await clearedByDispatch(t.database, tenantOf(shop), batch.id);
    expect(() => Object.assign(cleared, { approvalId: 'another' })).toThrow(TypeError);
  });
});

describe('the clearance of what a batch pays', () => {
  it('is read of its dispatch: before it and of no batch there is none', async () => {
    const [shop, other] = [await business(t, []), await business(t, [])];
    const batch = await madeBatch(shop);
    const read = (of: Business, id: string) => clearedByDispatch(t.database, tenantOf(of), id);
    await expect(read(shop, batch.id)).rejects.toThrow('no dispatch of batch');
    await batch.dispatch();
    expect(await read(shop, batch.id)).toMatchObject({ kind: 'CLEARED', approvalId: null });
    await expect(read(other, batch.id)).rejects.toThrow('no dispatch of batch');
    await expect(read(shop, shop.merchant.merchantId)).rejects.toThrow('no dispatch of batch');
  });

  it('names the approval of this batch, and there is none while that is not given, whatever the batch says', async () => {
    const shop = await business(t);
    const batch = await madeBatch(shop);
    const { approvalId } = await batch.dispatch();
    const read = () => clearedByDispatch(t.database, tenantOf(shop), batch.id);
    await expect(read()).rejects.toThrow('no dispatch of batch');
    // Written past the service: it looks dispatched, and nobody has approved it.
    const set = (at: string) => `update batches set dispatched_at = ${at} where id = $1`;
    await rowsOf(t.connectionString, set('now()'), [batch.id]);
    await expect(read()).rejects.toThrow('no dispatch of batch');
    await rowsOf(t.connectionString, set('null'), [batch.id]);

    const { digest } = (await shop.ann.call('GET', `/approval/${approvalId}`)).body.data;
    expect((await approve(shop.ann, { approvalId, digest })).status).toBe(200);
    expect(await read()).toMatchObject({ kind: 'CLEARED', approvalId });
  });
});

describe('the clearance of a settlement', () => {
  const OWN = { bankCode: '058', accountNumber: '0123456785' };
  const accept = (merchantId: string, account: object) =>
    rowsOf(
      t.connectionString,
      `insert into merchant_status_changes (merchant_id, id, action, from_status, to_status, actor, created_at, facts)
       values ($1, $2, 'accept-changes', 'ACTIVE', 'ACTIVE', 'ops@manilla.example', now(),
               jsonb_build_object('steps', jsonb_build_object('SETTLEMENT_ACCOUNT', $3::jsonb)))`,
      [merchantId, newId(), JSON.stringify(account)],
    );

  it.each<Mode>(['LIVE', 'SANDBOX'])('is for the account that was reviewed last and for no other: %s', async (mode) => {
    const { merchantId } = await t.addMerchant();
    const read = (to: typeof OWN) => clearedByReview(t.database, { merchantId, mode }, to);
    await accept(merchantId, { ...OWN, accountNumber: '0000000017' });
    await accept(merchantId, OWN);
    expect(await read(OWN)).toMatchObject({ kind: 'CLEARED', approvalId: null });
    for (const other of [{ accountNumber: '0000000017' }, { bankCode: '044' }])
      await expect(read({ ...OWN, ...other })).rejects.toThrow('no reviewed account');
  });

  it('without a review there is none but in the sandbox', async () => {
    const { merchantId } = await t.addMerchant();
    await expect(clearedByReview(t.database, { merchantId, mode: 'LIVE' }, OWN)).rejects.toThrow('no reviewed account');
    expect(await clearedByReview(t.database, { merchantId, mode: 'SANDBOX' }, OWN)).toMatchObject({ kind: 'CLEARED' });
  });
});

describe('the clearance of a refund by the merchant’s rule', () => {
  it('is for the cause and the way of the version that it names, in its mode', async () => {
    const { merchantId } = await t.addMerchant();
    const rule = (version: number, late: string, excess: string) =>
      rowsOf(
        t.connectionString,
        `insert into refund_rules (merchant_id, mode, version, id, late, excess, changed_by, changed_at, digest)
         values ($1, 'SANDBOX', $2, $3, $4, $5, 'Ada Obi', now(), '')`,
        [merchantId, version, newId(), late, excess],
      );
    await rule(1, 'OFF', 'PROVIDER');
    await rule(2, 'PAYOUT', 'OFF');
    const read = (version: number, cause: 'LATE' | 'EXCESS', way: string, mode: Mode = 'SANDBOX') =>
      clearedByRefundRule(t.database, { merchantId, mode }, { version, cause, way });
    expect(await read(1, 'EXCESS', 'PROVIDER')).toMatchObject({ kind: 'CLEARED' });
    expect(await read(2, 'LATE', 'PAYOUT')).toMatchObject({ kind: 'CLEARED' });
    const refused = [
      read(1, 'EXCESS', 'PAYOUT'),
      read(1, 'LATE', 'PROVIDER'),
      read(1, 'LATE', 'OFF'),
      read(2, 'EXCESS', 'PAYOUT'),
      read(3, 'LATE', 'PAYOUT'),
      read(2, 'LATE', 'PAYOUT', 'LIVE'),
    ];
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected');
  });
});
