import { expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { settleAtBank } from '../../src/sandbox/settle-at-bank.ts';
import { clockOf } from '../support/clock.ts';

it('one merchant that has the sandbox bank settle again and again keeps one connection busy, and another merchant is next', async () => {
  const looked: string[] = [];
  const waiting: (() => void)[] = [];
  const database = {
    async query({ name }: { name: string }, [merchantId]: [string]) {
      if (name !== 'count-sandbox-settlements') return [];
      looked.push(merchantId);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [{ settlements: 0 }];
    },
  } as unknown as Database;
  const deps = { database, ledger: {} as Ledger, clock: clockOf(() => new Date()) };
  const settle = (merchantId: string) =>
    settleAtBank(deps, {
      tenant: { merchantId, mode: 'SANDBOX' },
      scenario: undefined,
      idempotency: undefined,
    }).catch((error: { code: string }) => error.code);
  const refused: unknown[] = [];
  for (let at = 0; at < 20; at += 1) void settle('hostile').then((code) => refused.push(code));
  await expect.poll(() => refused).toEqual(new Array(16).fill('SANDBOX_NOTHING_TO_SETTLE'));
  const other = settle('other');
  expect(looked).toEqual(['hostile']);
  waiting.shift()?.();
  await expect.poll(() => waiting).toHaveLength(1);
  expect(looked).toEqual(['hostile', 'other']);
  waiting.shift()?.();
  expect(await other).toBe('SANDBOX_NOTHING_TO_SETTLE');
});
