import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRulesNow } from '../../src/approvals/approval-rules.ts';
import type { ApprovalDeps } from '../../src/approvals/decide-approval.ts';
import { approvalDeps, expireApprovals, followRules } from '../../src/approvals/index.ts';
import { switchApprovalsOff } from '../../src/approvals/rules-subject.ts';
import { createContainer } from '../../src/container.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { payoutSubjects } from '../../src/routes.ts';
import { type Business, business, createTestApp, type TestApp, waitingPayout } from './approval-fixture.ts';

const POISONED = 20;
/** Of each of them, before those of the others: more in all than one run looks at. */
const APPROVALS_OF_EACH = 15;
const DAYS_30 = 30 * 24 * 60 * 60_000;

let t: TestApp;
let deps: ApprovalDeps;
let healthy: Business[];
beforeAll(async () => {
  t = await createTestApp();
  const container = createContainer({ ...t, logger: createLogger('silent') });
  const beneficiary = { show: () => Promise.reject(new Error('none here')) } as never;
  deps = approvalDeps(container, { ...payoutSubjects(container), BENEFICIARY: beneficiary });
  healthy = [];
  for (let at = 0; at < 5; at += 1) healthy.push(await business(t));
});
afterAll(() => t.close());

async function poisonedMerchants(): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < POISONED; at += 1) ids.push((await t.addMerchant({ name: `Poisoned ${at}` })).merchantId);
  return ids;
}

describe('approvals that cannot be ended', () => {
  it('of 20 merchants, each with more than are looked at, keep none of the others’ from running out', async () => {
    const waiting = await Promise.all(healthy.map(({ maker }) => waitingPayout(maker.call)));
    const [template] = waiting;
    for (const merchantId of await poisonedMerchants()) {
      // Of payouts that are not there, and older than all others.
      await t.database.pool.query(
        `insert into approvals
         select (jsonb_populate_record(a, jsonb_build_object('merchant_id', $2::uuid, 'id', gen_random_uuid(),
           'subject_id', gen_random_uuid(), 'expires_at', a.expires_at - interval '10 days'))).*
           from approvals a cross join generate_series(1, $3) where a.id = $1`,
        [template?.approvalId, merchantId, APPROVALS_OF_EACH],
      );
    }
    t.clock.advance(DAYS_30);
    const ended = [];
    for (let runs = 0; runs < 2; runs += 1) ended.push(await expireApprovals(deps, 'SANDBOX'));
    expect(ended).toEqual([healthy.length, 0]);
    const { rows } = await t.database.pool.query('select distinct status from approvals where id = any($1::uuid[])', [
      waiting.map(({ approvalId }) => approvalId),
    ]);
    expect(rows).toEqual([{ status: 'EXPIRED' }]);
  });
});

describe('rules of approval that cannot be read', () => {
  it('of 20 merchants keep none of the others’ from following in the other mode, nor from being switched off', async () => {
    const ids = await poisonedMerchants();
    // Before all others in the order in which they are looked at, and behind in the other mode.
    for (const [at, merchantId] of ids.entries()) {
      await t.database.pool.query(
        `insert into approval_rules (merchant_id, mode, version, id, is_enabled, tiers, made_at)
         values ($1, 'SANDBOX', 1, gen_random_uuid(), true, '{"half": ', now())`,
        [at % 2 ? merchantId : `00000000-0000-7000-8000-0000000000${10 + at}`],
      );
    }
    const [one, other] = healthy as [Business, Business];
    for (const shop of [one, other]) {
      const { merchantId } = shop.merchant;
      await t.database.pool.query(`delete from approval_rules where merchant_id = $1 and mode = 'LIVE'`, [merchantId]);
      await t.database.pool.query(
        `delete from unique_keys where merchant_id = $1 and mode = 'LIVE' and scope like 'APPROVAL_RULES%'`,
        [merchantId],
      );
    }
    expect(await followRules(deps as never, 'LIVE')).toBe(2);
    const { merchantId } = one.merchant;
    expect((await readRulesNow(t.database, { merchantId, mode: 'LIVE' })).isEnabled).toBe(true);
    await switchApprovalsOff(
      { ...t, ...t.app },
      { merchantId: other.merchant.merchantId, operator: 'root', reason: 'approvers left' },
    );
    const rules = { merchantId: other.merchant.merchantId, mode: 'LIVE' } as const;
    expect((await readRulesNow(t.database, rules)).isEnabled).toBe(false);
  });
});
