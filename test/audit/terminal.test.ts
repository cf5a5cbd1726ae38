import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPinGuard } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { rowsOf } from '../support/world.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

async function admin(argv: string[], input = ''): Promise<number> {
  const deps: AdminDeps = {
    ...t,
    ledger: t.app.ledger,
    refunds: () => {
      throw new Error('no refunds here');
    },
    payouts: () => expect.fail('not needed here'),
    collections: () => {
      throw new Error('nothing comes in here');
    },
    peppers: { file: undefined, settingsWithNew: () => [] },
    pinGuard: createPinGuard(t),
    openWallets: async () => undefined,
    actor: 'root',
    print: () => undefined,
    warn: () => undefined,
    readInput: async () => input,
  };
  return runAdmin(argv, deps);
}

const entries = () =>
  rowsOf<{
    merchant_id: string;
    action: string;
    outcome: string;
    code: string | null;
    category: string | null;
    actor_name: string;
    whole: string;
  }>(
    t.connectionString,
    `select merchant_id, action, outcome, code, category, actor_name, e::text as whole from audit_entries e
      where actor_kind = 'SYSTEM' order by id`,
  );

describe('a command of the operator’s terminal', () => {
  it('that changes something is on record, in the log of the merchant that it changes', async () => {
    const { merchantId } = t.merchant;
    expect(await admin(['suspend-merchant', '--merchant', merchantId, '--reason', 'as asked'])).toBe(0);
    expect(await entries()).toMatchObject([
      { merchant_id: merchantId, action: 'admin suspend-merchant', outcome: 'ASKED', actor_name: 'root' },
      { merchant_id: merchantId, action: 'admin suspend-merchant', outcome: 'DONE', code: null },
    ]);
    expect((await entries())[0]?.whole).toContain('as asked');
    await admin(['reinstate-merchant', '--merchant', merchantId]);
  });

  it('that is refused is on record with the code', async () => {
    expect(await admin(['approve-merchant', '--merchant', newId()])).toBe(1);
    expect((await entries()).at(-1)).toMatchObject({ outcome: 'REFUSED', code: 'MERCHANT_NOT_FOUND' });
  });

  it('leaves no PIN, no BVN and no key in the log', async () => {
    await admin(['set-pin', '--merchant', t.merchant.merchantId, '--mode', 'SANDBOX', '--pin', '739518']);
    await admin([
      'create-merchant',
      '--name',
      'A',
      '--email',
      'a@b.example',
      '--phone',
      '2348012345678',
      '--bvn',
      '22299988877',
    ]);
    await admin(['issue-key', '--merchant', t.merchant.merchantId]);
    const whole = (await entries()).map((entry) => entry.whole).join();
    expect(whole).toContain('admin set-pin');
    expect(whole).not.toMatch(/(?<![0-9a-f])739518(?![0-9a-f])|22299988877|sk_test_/);
  });

  it('that shows somebody’s details is on record, and one that only looks at anything else is not', async () => {
    const before = (await entries()).length;
    await admin(['list-rails']);
    await admin(['list-limits']);
    expect(await entries()).toHaveLength(before);
    await admin(['list-merchants']);
    await admin(['list-keys', '--merchant', t.merchant.merchantId]);
    expect((await entries()).slice(before)).toMatchObject(
      ['list-merchants', 'list-merchants', 'list-keys', 'list-keys'].map((name) => ({
        action: `admin ${name}`,
        category: 'PERSONAL_DATA',
        actor_name: 'root',
      })),
    );
    expect((await entries()).at(-1)?.merchant_id).toBe(t.merchant.merchantId);
  });

  it('about a key or the PIN is found by its kind', async () => {
    await admin(['issue-key', '--merchant', t.merchant.merchantId]);
    expect((await entries()).at(-1)).toMatchObject({ action: 'admin issue-key', category: 'KEYS', outcome: 'DONE' });
  });
});
