import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRulesNow, type Tier } from '../../src/approvals/approval-rules.ts';
import { newRulesParts } from '../../src/approvals/follow-rules.ts';
import { followRules } from '../../src/approvals/index.ts';
import { success } from '../../src/platform/answer.ts';
import { newId } from '../../src/platform/ids.ts';
import { type InBetween, inBetween } from '../support/in-between.ts';
import { brokenChecks } from '../support/proof.ts';
import { type Business, business, createTestApp, type TestApp } from './approval-fixture.ts';

let t: TestApp;
let between: InBetween;
beforeAll(async () => {
  t = await createTestApp({}, (database) => {
    between = inBetween(database);
    return between.database;
  });
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const OFF_WITH_A_TIER = { isMakerCheckerEnabled: false, rules: [{ fromAmount: 100, approvals: 1 }] };
const change = (shop: Business, body: object, mode: string) =>
  shop.owner.call('PATCH', '/approval/rules', body, { 'x-mode': mode });
const modesOf = ({ merchant: { merchantId } }: Business) =>
  Promise.all((['LIVE', 'SANDBOX'] as const).map((mode) => readRulesNow(t.database, { merchantId, mode })));

/** Meanwhile somebody else acts, once, behind the statement of this name that has this number. */
async function meanwhile(
  name: string,
  number: number,
  act: () => Promise<unknown>,
  made: () => ReturnType<typeof change>,
) {
  let seen = 0;
  const { result } = await between.during(async (statement) => {
    if (statement !== name) return;
    seen += 1;
    if (seen === number) await act();
  }, made);
  expect(seen).toBeGreaterThanOrEqual(number);
  return result;
}

/** Rules of live mode, whose process died before the sandbox followed. */
async function switchedOnInLive({ merchant: { merchantId }, owner }: Business, tiers: readonly Tier[]): Promise<void> {
  const tenant = { merchantId, mode: 'LIVE' } as const;
  const at = t.clock.now();
  const rules = { version: 1, id: newId(), isEnabled: true, tiers };
  const parts = newRulesParts(tenant, rules, { at, madeBy: owner.personId, approvalId: null });
  await t.app.ledger.commit({
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    ...parts,
    answer: success('Success'),
  });
}

const ONE: Tier[] = [{ fromMinor: 0n, approvals: 1 }];
const TWO: Tier[] = [{ fromMinor: 0n, approvals: 2 }];

describe('approvals that are switched on while somebody else changes their rules', () => {
  it('bind that change, though it was asked about while they were off', async () => {
    const shop = await business(t, []);
    const switchOn = async () => {
      const on = await change(shop, { isMakerCheckerEnabled: true }, 'SANDBOX');
      expect(on.body.data).toMatchObject({ isMakerCheckerEnabled: true, approvalId: null });
    };
    const result = await meanwhile('find-approval-rules-in-force', 1, switchOn, () =>
      change(shop, OFF_WITH_A_TIER, 'SANDBOX'),
    );
    expect(result.body.data).toMatchObject({ isMakerCheckerEnabled: true, approvalId: expect.any(String) });
    expect(await modesOf(shop)).toMatchObject([{ isEnabled: true }, { isEnabled: true }]);
  });

  it('bind it in the other mode as well, before that mode has followed', async () => {
    const shop = await business(t, []);
    let changed: Awaited<ReturnType<typeof change>> | undefined;
    const changeMeanwhile = async () => {
      changed = await change(shop, OFF_WITH_A_TIER, 'SANDBOX');
    };
    // The second time is behind the commit.
    await meanwhile('list-approval-rules-behind-of-merchant', 2, changeMeanwhile, () =>
      change(shop, { isMakerCheckerEnabled: true }, 'LIVE'),
    );
    expect(changed?.body.data).toMatchObject({ isMakerCheckerEnabled: true, approvalId: expect.any(String) });
    expect(await modesOf(shop)).toMatchObject([{ isEnabled: true }, { isEnabled: true }]);
  });

  it.each([
    ['switched off again', OFF_WITH_A_TIER],
    ['loosened', { isMakerCheckerEnabled: true, rules: [{ fromAmount: 100, approvals: 1 }] }],
  ])('are not %s by one in the other mode that knew nothing of it', async (_how, body) => {
    const shop = await business(t, []);
    const switchOn = () => switchedOnInLive(shop, TWO);
    const result = await meanwhile('find-approval-rules-in-force', 2, switchOn, () => change(shop, body, 'SANDBOX'));
    expect(result.status).toBe(200);
    const [live, sandbox] = await modesOf(shop);
    expect(live).toMatchObject({ isEnabled: true, tiers: TWO });
    expect(sandbox).toMatchObject({ id: live?.id, isEnabled: true, tiers: TWO });
  });

  it('are those of whoever was first, where two switch them on at one moment, one in each mode', async () => {
    const shop = await business(t, []);
    const first = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 2 }] };
    const switchOn = () => switchedOnInLive(shop, ONE);
    // Behind the last statement before the commit: the version of the sandbox has its id by then.
    await meanwhile('count-api-keys-without-maker', 1, switchOn, () => change(shop, first, 'SANDBOX'));
    const [live, sandbox] = await modesOf(shop);
    expect(sandbox).toMatchObject({ isEnabled: true, tiers: TWO });
    expect(live).toMatchObject({ id: sandbox?.id, tiers: TWO });
    expect(await followRules({ ...t, ...t.app }, 'LIVE')).toBe(0);
    expect(await modesOf(shop)).toEqual([live, sandbox]);
  });
});
