import { afterAll, beforeAll, expect, it } from 'vitest';
import { repayDebts } from '../../src/disputes/index.ts';
import { containerOf, createTestBase, type TestBase } from '../support/base.ts';

let base: TestBase;
beforeAll(async () => {
  base = await createTestBase();
});
afterAll(() => base.close());

it('what merchants without money owe costs a run one look, however many disputes they owe for', async () => {
  const { merchantId } = await base.addMerchant({ mode: 'LIVE' });
  await base.database.pool.query(
    `insert into disputes (merchant_id, mode, id, payment_id, rail, provider_dispute_id, source, status, category, amount_minor,
       disputed_minor, held_minor, taken_minor, loss_minor, repaid_minor, currency, receivable_id, version, checks, opened_at,
       updated_at, ended_at)
     select $1, 'LIVE', gen_random_uuid(), gen_random_uuid(), 'r', 'd' || g, 'PROVIDER', 'LOST', 'CHARGEBACK', 1000, 1000, 0, 0,
       1000, 0, 'NGN', gen_random_uuid(), 1, 0, now(), now(), now() from generate_series(1, 500) g`,
    [merchantId],
  );
  const container = containerOf(base);
  let looks = 0;
  const counting = <T extends object>(of: T): T =>
    new Proxy(of, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          looks += 1;
          return value.apply(target, given);
        };
      },
    });
  const { database, ledger } = container;
  expect(await repayDebts({ ...container, database: counting(database), ledger: counting(ledger) }, 'LIVE')).toBe(0);
  expect(looks).toBe(1);
  await ledger.drain();
});
