import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRulesNow } from '../../src/approvals/approval-rules.ts';
import { followRules } from '../../src/approvals/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { moved } from '../support/moved.ts';
import { atTerminal, terminalEntries } from '../support/terminal.ts';
import { rowsOf } from '../support/world.ts';
import {
  approve,
  type Business,
  balanceOf,
  business,
  codeOf,
  createTestApp,
  payment,
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
  // One test takes a version of the rules out behind the service, and it is made anew.
  const report = await verifyBooks(t.database);
  const broken = report.checks.filter(({ ok }) => !ok);
  expect(broken).toMatchObject([{ name: 'rules-of-approval-are-reported-as-they-are' }]);
  await t.close();
});

const switchOff = ({ merchant }: Pick<Business, 'merchant'>, reason = 'approvers left, owner called') =>
  atTerminal(t, 'switch-approvals-off', '--merchant', merchant.merchantId, '--reason', reason);
const rulesOf = async (shop: Business) => (await shop.byKey('GET', '/approval/rules')).body.data;
const change = (shop: Business, body: object, headers = {}) =>
  shop.owner.call('PATCH', '/approval/rules', body, headers);
const inBothModes = ({ merchant: { merchantId } }: Business) =>
  Promise.all((['LIVE', 'SANDBOX'] as const).map((mode) => readRulesNow(t.database, { merchantId, mode })));

describe('switching approvals off at the operator’s terminal', () => {
  it('holds in both modes at once: what is made from then on needs nobody', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const { exit, printed, warned } = await switchOff(shop);
    expect([exit, printed], warned.join()).toEqual([0, ['approvals are off']]);
    const [live, sandbox] = await inBothModes(shop);
    expect(live).toMatchObject({ isEnabled: false, version: 2 });
    expect(sandbox).toEqual(live);
    expect(await followRules({ ...t, ...t.app }, 'SANDBOX')).toBe(0);
    expect((await shop.byKey('POST', '/payout/single', payment())).body.data.status).toBe('QUEUED');
    expect((await shop.byKey('GET', '/merchant/info')).body.data.isMakerCheckerEnabled).toBe(false);
    // The rules are there for the day when they are switched on again.
    const on = await change(shop, { isMakerCheckerEnabled: true });
    expect(on.body.data).toMatchObject({ isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 2 }] });
  });

  it('says who and why in the history, in an event of each mode, in the audit log and to the owners', async () => {
    const shop = await business(t);
    const { merchantId } = shop.merchant;
    await switchOff(shop, 'Ann and Ben have left');
    const history = await rowsOf(
      t.connectionString,
      `select mode, is_enabled, operator, reason, made_by from approval_rules
        where merchant_id = $1 and version = 2 order by mode`,
      [merchantId],
    );
    const row = { is_enabled: false, operator: 'root', reason: 'Ann and Ben have left', made_by: null };
    expect(history).toEqual([
      { mode: 'LIVE', ...row },
      { mode: 'SANDBOX', ...row },
    ]);
    const events = await rowsOf<{ mode: string; data: string }>(
      t.connectionString,
      `select mode, data::text as data from events where merchant_id = $1 and type = 'approval.rules_changed'
        order by sequence desc`,
      [merchantId],
    );
    const told = events.map(({ mode, data }) => ({ mode, ...(JSON.parse(data) as object) }));
    for (const mode of ['LIVE', 'SANDBOX']) {
      expect(told.filter((event) => event.mode === mode)).toMatchObject([
        { isMakerCheckerEnabled: false, version: 2, reason: 'Ann and Ben have left' },
        { isMakerCheckerEnabled: true, version: 1, reason: null },
      ]);
    }
    expect(await terminalEntries(t, merchantId)).toMatchObject(
      ['ASKED', 'DONE'].map((outcome) => ({
        action: 'admin switch-approvals-off',
        outcome,
        actor_name: 'root',
        subject: JSON.stringify({ merchant: merchantId, reason: 'Ann and Ben have left' }),
      })),
    );
    const mails = await rowsOf<{ recipient: string }>(
      t.connectionString,
      `select m::text as recipient from mails m where m::text like $1`,
      [`%${shop.owner.personId}@adire.example%`],
    );
    expect(mails).toHaveLength(1);
  });

  it('lets nothing go that waits: it needs what it needed, and can be approved, rejected or taken back', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const [approved, rejected, withdrawn] = [
      await waitingPayout(shop.maker.call),
      await waitingPayout(shop.byKey),
      await waitingPayout(shop.owner.call),
    ];
    const held = await balanceOf(shop);
    const { warned } = await switchOff(shop);
    expect(warned.join()).toContain('SANDBOX: 3 still wait');
    expect(await balanceOf(shop)).toEqual(held);
    for (const { transactionId } of [approved, rejected, withdrawn]) {
      expect(await statusOf(shop.byKey, transactionId)).toBe('PENDING_APPROVAL');
    }
    expect(codeOf(await approve(shop.maker, approved))).toBe('403 PERMISSION_NOT_GRANTED');
    expect((await approve(shop.ann, approved)).body.data).toMatchObject({ status: 'PENDING', needed: 2, given: 1 });
    expect((await approve(shop.ben, approved)).body.data).toMatchObject({ status: 'APPROVED' });
    expect(await statusOf(shop.byKey, approved.transactionId)).toBe('QUEUED');
    expect(codeOf(await reject(shop.ann, rejected))).toBe('DONE');
    expect(codeOf(await approve(shop.owner, withdrawn))).toBe('403 SELF_APPROVAL');
    expect(codeOf(await shop.owner.call('POST', `/approval/${withdrawn.approvalId}/withdraw`, {}))).toBe('DONE');
    const { booked, available } = await balanceOf(shop);
    expect(available).toBeGreaterThan(held.available);
    expect(booked).toBe(held.booked);
  });

  it('makes a waiting change of the rules void in either mode, so that the owners may change them again', async () => {
    for (const mode of ['SANDBOX', 'LIVE']) {
      const shop = await business(t);
      const asked = await change(shop, { rules: [{ fromAmount: 10, approvals: 1 }] }, { 'x-mode': mode });
      const { approvalId } = asked.body.data;
      expect(approvalId).toEqual(expect.any(String));
      expect((await switchOff(shop)).exit).toBe(0);
      const { data } = (await shop.owner.call('GET', `/approval/${approvalId}`, undefined, { 'x-mode': mode })).body;
      expect(data).toMatchObject({ status: 'VOID', reason: 'APPROVALS_SWITCHED_OFF' });
      const again = await change(shop, { isMakerCheckerEnabled: true }, { 'x-mode': mode });
      expect(again.body.data, again.text).toMatchObject({ isMakerCheckerEnabled: true, approvalId: null });
    }
  });

  it('is refused where approvals are off, for nobody’s merchant, and without a reason', async () => {
    const shop = await business(t, []);
    for (const [given, words] of [
      [() => switchOff(shop), 'APPROVAL_RULES_UNCHANGED'],
      [() => switchOff({ merchant: { ...shop.merchant, merchantId: newId() } }), 'MERCHANT_NOT_FOUND'],
      [() => switchOff(shop, '  '), '--reason'],
    ] as const) {
      const { exit, warned } = await given();
      expect([exit, warned.join()]).toEqual([1, expect.stringContaining(words)]);
    }
    expect((await rulesOf(shop)).version).toBe(0);
  });

  it('works where the merchant came with approvals on and nobody has ever changed them', async () => {
    const shop = await business(t, []);
    const { merchantId } = shop.merchant;
    await t.database.pool.query('update merchants set is_maker_checker_enabled = true where id = $1', [merchantId]);
    expect((await switchOff(shop)).exit).toBe(0);
    expect(await inBothModes(shop)).toMatchObject([
      { isEnabled: false, version: 1 },
      { isEnabled: false, version: 1 },
    ]);
  });

  it('is one change, also when it comes twice at once, or died between the modes', async () => {
    const shop = await business(t);
    const exits = (await Promise.all([switchOff(shop), switchOff(shop)])).map(({ exit }) => exit);
    expect(exits).toContain(0);
    const [live, sandbox] = await inBothModes(shop);
    expect([live?.isEnabled, sandbox?.isEnabled]).toEqual([false, false]);

    const other = await business(t);
    const { merchantId } = other.merchant;
    await switchOff(other);
    // As if it had died before the sandbox.
    await t.database.pool.query(
      `delete from approval_rules where merchant_id = $1 and mode = 'SANDBOX' and version = 2`,
      [merchantId],
    );
    await t.database.pool.query(
      `delete from unique_keys where merchant_id = $1 and mode = 'SANDBOX' and scope = 'APPROVAL_RULES_VERSION' and value = '2'`,
      [merchantId],
    );
    await followRules({ ...t, ...t.app }, 'SANDBOX');
    const [row] = await rowsOf(
      t.connectionString,
      `select is_enabled, operator, reason from approval_rules where merchant_id = $1 and mode = 'SANDBOX' and version = 2`,
      [merchantId],
    );
    expect(row).toMatchObject({ is_enabled: false, operator: 'root', reason: 'approvers left, owner called' });
  });

  it('and payouts at the same moment have a serial outcome: each waits or goes, by the rules that it met', async () => {
    const shop = await business(t);
    const payouts = Array.from({ length: 12 }, () => shop.byKey('POST', '/payout/single', payment({ amount: 10 })));
    const [off, ...replies] = await Promise.all([switchOff(shop), ...payouts]);
    expect(off.exit).toBe(0);
    for (const { body, text } of replies) expect(['QUEUED', 'PENDING_APPROVAL'], text).toContain(body.data?.status);
    // What a payout leaves that was asked for before the switch, and commits after it: the proof finds nothing wrong in it.
    const noted = await rowsOf(
      t.connectionString,
      `update reservations set reserved_at = ${moved('reserved_at', '-1 second')} where merchant_id = $1 and scope = 'APPROVAL_RULES' returning 1`,
      [shop.merchant.merchantId],
    );
    expect(noted).toHaveLength(2);
  });
});
