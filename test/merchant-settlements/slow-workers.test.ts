import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { concludeSettlement } from '../../src/merchant-settlements/conclude-settlement.ts';
import type { SettlementDeps } from '../../src/merchant-settlements/deps.ts';
import { followSettlements, settleDue } from '../../src/merchant-settlements/due-settlements.ts';
import { trySettlementAgain } from '../../src/merchant-settlements/make-settlement.ts';
import { findSettlement, leaseSettlement, type SettlementRow } from '../../src/merchant-settlements/queries.ts';
import { checkPause } from '../../src/merchant-settlements/why-paused.ts';
import { applyOutcome } from '../../src/payout-delivery/index.ts';
import { findPayout, type PayoutRecord } from '../../src/payouts/index.ts';
import { type Mode, tenantKey } from '../../src/platform/tenant.ts';
import { NOTHING_REPORTED } from '../../src/rails/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { containerOf, TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';
import { ACCOUNT, DAY_SECONDS, type Settling, settling } from './fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  // Of what comes back here the sandbox bank knows nothing: a test says it in its place.
  const broken = (await brokenChecks(t.database)).filter(({ name }) => name !== 'the-sandbox-rail-has-the-same-book');
  expect(broken).toEqual([]);
  await t.close();
});

const FAILING = { bankCode: '058', accountNumber: '0009999911' };

async function made(shop: Settling) {
  await shop.set({ schedule: 'OFF' });
  await shop.pay(5_000);
  const { settlementId } = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
  const key = [shop.merchant.merchantId, 'SANDBOX'];
  return {
    settlementId,
    read: async () => (await t.database.query(findSettlement, [...key, settlementId]))[0] as SettlementRow,
    readPayout: async (id: string) => (await t.database.query(findPayout, [...key, id]))[0] as PayoutRecord,
  };
}

/** Another worker notes that the bank refused it, and the account is put right. */
async function refusedAndPutRight(shop: Settling, read: () => Promise<SettlementRow>): Promise<void> {
  await shop.advance(60);
  expect(await read()).toMatchObject({ status: 'FAILED', attempts: 1 });
  await shop.owner.refresh();
  expect((await shop.owner.call('PATCH', '/onboarding/settlement-account', ACCOUNT)).status).toBe(200);
}

/** The bank returns the money of a payout that it had paid. */
async function comesBack(deps: SettlementDeps, payout: PayoutRecord): Promise<void> {
  const answer = {
    outcome: 'reversed',
    code: null,
    reason: 'RAIL_REVERSED',
    message: 'back',
    sessionId: null,
    at: t.clock.now(),
    reported: NOTHING_REPORTED,
  };
  await applyOutcome(deps, payout, answer as never, { kind: 'PROVIDER_WEBHOOK' });
}

describe('a worker that is slow to note how a payout of a settlement ended', () => {
  it('says nothing of the payout that was made since: the bank is paid once', async () => {
    const shop = await settling(t, FAILING);
    const deps = containerOf(t as never);
    const { settlementId, read } = await made(shop);
    const seen = await read();
    await refusedAndPutRight(shop, read);
    await shop.must('POST', '/collection/settlement', { pin: TEST_PIN, settlementId });
    expect(await concludeSettlement(deps as never, seen)).toBe(false);
    expect(await read()).toMatchObject({ status: 'PROCESSING', attempts: 2 });
    for (let days = 0; days < 3; days += 1) await shop.advance(DAY_SECONDS);
    expect(await read()).toMatchObject({ status: 'PAID', attempts: 2 });
  });

  it('says nothing of a payout that is made at the same moment either', async () => {
    const shop = await settling(t, FAILING);
    const deps = containerOf(t as never) as unknown as SettlementDeps;
    const { settlementId, read } = await made(shop);
    const seen = await read();
    await refusedAndPutRight(shop, read);
    const { commit } = deps.ledger;
    // What it notes goes to the books together with the next payout, behind it.
    const waits = Promise.withResolvers<void>();
    let note = () => undefined as unknown;
    const noted: typeof commit = async (movement) => {
      const result = Promise.withResolvers<Awaited<ReturnType<typeof commit>>>();
      note = () => commit(movement).then(result.resolve, result.reject);
      waits.resolve();
      return result.promise;
    };
    const late = concludeSettlement({ ...deps, ledger: { ...deps.ledger, commit: noted } }, seen);
    await waits.promise;
    const both: typeof commit = (movement) => {
      const done = commit(movement);
      note();
      return done;
    };
    const check = await checkPause(deps, { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' });
    if (check.paused !== null) throw new Error(check.paused);
    const together = { ...deps, ledger: { ...deps.ledger, commit: both } };
    await trySettlementAgain(together, await read(), { account: check.account });
    expect(await late).toBe(false);
    expect(await read()).toMatchObject({ status: 'PROCESSING', attempts: 2 });
    for (let days = 0; days < 3; days += 1) await shop.advance(DAY_SECONDS);
    expect(await read()).toMatchObject({ id: settlementId, status: 'PAID', attempts: 2 });
  });

  it('leaves a settlement due whose payout came back before the note that it was paid', async () => {
    const shop = await settling(t);
    const deps = containerOf(t as never) as unknown as SettlementDeps;
    const { read, readPayout } = await made(shop);
    await createPayoutWorker(deps).runOnce();
    const { status, payout_id } = await read();
    expect([status, (await readPayout(payout_id)).status]).toEqual(['PROCESSING', 'SUCCESS']);
    let isBack = false;
    const slow: SettlementDeps = {
      ...deps,
      ledger: {
        ...deps.ledger,
        async commit(movement) {
          if (!isBack) {
            isBack = true;
            await comesBack(deps, await readPayout(payout_id));
          }
          return deps.ledger.commit(movement);
        },
      },
    };
    await followSettlements(slow, 'SANDBOX');
    expect(isBack).toBe(true);
    for (let days = 0; days < 4; days += 1) await shop.advance(DAY_SECONDS);
    expect(await read()).toMatchObject({ status: 'PAID', attempts: 2 });
    expect(await shop.balance()).toEqual({ booked: 0, available: 0 });
  });

  it('leaves a settlement due whose payout ended while it saw that it was under way', async () => {
    const shop = await settling(t);
    const deps = containerOf(t as never) as unknown as SettlementDeps;
    const { settlementId, read } = await made(shop);
    await t.database.pool.query('update merchant_settlements set due_at = created_at where id = $1', [settlementId]);
    let hasEnded = false;
    const slow: SettlementDeps = {
      ...deps,
      database: {
        ...deps.database,
        async run(...asked: Parameters<SettlementDeps['database']['run']>) {
          if (!hasEnded) {
            hasEnded = true;
            await createPayoutWorker(deps).runOnce();
          }
          return deps.database.run(...asked);
        },
      },
    };
    await followSettlements(slow, 'SANDBOX');
    expect(hasEnded).toBe(true);
    await shop.advance(60);
    expect(await read()).toMatchObject({ status: 'PAID', due_at: null });
  });
});

describe('the jobs of settlements', () => {
  it('take what is due of their own mode alone, leave what failed in it alone for a while, and what another has leased', async () => {
    const shop = await settling(t);
    const { deps } = shop;
    await shop.set({ schedule: 'INSTANT' });
    await shop.pay(5_000);
    await shop.must('POST', '/sandbox/clock/advance', { seconds: 301 });
    const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' } as const;
    const failed = (job: string, key: string) =>
      deps.jobs.failuresOf(job).failed(key, new Error('no'), { message: 'no' });
    expect(await settleDue(deps, 'LIVE')).toBe(0);
    failed('merchant-settlements.make', tenantKey(tenant));
    const listed: unknown[] = [];
    const database: typeof deps.database = {
      ...deps.database,
      async query(...asked: Parameters<typeof deps.database.query>) {
        const rows = await deps.database.query(...asked);
        if (asked[0].name.startsWith('list-due-')) listed.push(...rows);
        return rows as never;
      },
    };
    await settleDue({ ...deps, database }, 'SANDBOX');
    expect(listed).not.toContainEqual(expect.objectContaining({ merchant_id: tenant.merchantId }));
    expect(await shop.settlements()).toEqual([]);
    deps.jobs.failuresOf('merchant-settlements.make').succeeded(tenantKey(tenant));
    failed('merchant-settlements.make', tenantKey({ ...tenant, mode: 'LIVE' }));
    await settleDue(deps, 'SANDBOX');
    const [{ settlementId, status }] = await shop.settlements();
    expect(status).toBe('PROCESSING');
    await createPayoutWorker(deps).runOnce();
    const follow = async (mode: Mode) => {
      await followSettlements(deps, mode);
      return (await shop.settlements())[0].status;
    };
    expect(await follow('LIVE')).toBe('PROCESSING');
    const key = [tenant.merchantId, 'SANDBOX', settlementId];
    const [seen] = await t.database.query(findSettlement, key);
    const earlier = new Date(t.clock.now().getTime() - 1_000_000);
    expect(await t.database.query(leaseSettlement, [...key, earlier, t.clock.now()])).toEqual([]);
    expect((await t.database.query(findSettlement, key))[0]?.due_at).toEqual(seen?.due_at);
    failed('merchant-settlements.follow', settlementId);
    expect(await follow('SANDBOX')).toBe('PROCESSING');
    deps.jobs.failuresOf('merchant-settlements.follow').succeeded(settlementId);
    expect(await follow('SANDBOX')).toBe('PAID');
  });
});

describe('a worker in the midst of a turn', () => {
  it('settles nothing by settings that others have replaced meanwhile, and leaves the next turn as they say', async () => {
    const shop = await settling(t);
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    const deps = containerOf(t as never) as unknown as SettlementDeps;
    let isSaved = false;
    const slow: SettlementDeps = {
      ...deps,
      fees: {
        ...deps.fees,
        async listRules() {
          if (!isSaved) {
            isSaved = true;
            await shop.set({ schedule: 'INSTANT', keepInWallet: 2_000 });
          }
          return deps.fees.listRules();
        },
      },
    };
    for (let days = 0; days < 5 && !isSaved; days += 1) {
      await shop.must('POST', '/sandbox/clock/advance', { seconds: DAY_SECONDS });
      await settleDue(slow, 'SANDBOX');
    }
    expect(isSaved).toBe(true);
    expect(await shop.settlements()).toEqual([]);
    const { nextAt } = await shop.must('GET', '/collection/settlement/settings');
    expect(new Date(nextAt).getTime() - t.clock.now().getTime()).toBeLessThan(DAY_SECONDS * 500);
    await shop.advance(DAY_SECONDS);
    expect((await shop.settlements())[0]).toMatchObject({ trigger: 'INSTANT', total: 3_000 });
  });
});
