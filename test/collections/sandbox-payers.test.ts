import { afterAll, expect, it } from 'vitest';
import { pollCredits, retryOpenCredits } from '../../src/collections/index.ts';
import type { PayerScenarioName } from '../../src/rails/index.ts';
import { payAccount } from '../../src/sandbox/pay-account.ts';
import { containerOf, createTestBase, TEST_PIN } from '../support/base.ts';
import { brokenChecks } from '../support/proof.ts';

const base = await createTestBase();
const container = containerOf(base);
afterAll(() => base.close());

const HOUR_MS = 3_600_000;
const AMOUNT = 150_050n;

/** What a worker does, again and again while hours pass. */
async function work(): Promise<void> {
  await container.sandbox.deliverAllDueWebhooks(container.jobs);
  await retryOpenCredits(container, 'SANDBOX');
  await pollCredits(container, 'SANDBOX');
}

async function paidBy(scenario: PayerScenarioName) {
  const profile = { businessName: 'Adire & Co', email: 'hello@adire.example', bvn: '22212345901' };
  const made = await base.addMerchant({ mode: 'SANDBOX', approved: true, profile, pin: TEST_PIN });
  const tenant = { merchantId: made.merchantId, mode: 'SANDBOX' } as const;
  const { wallet } = await container.wallets.requireTenantAccounts(tenant);
  const before = await container.ledger.readBalance(tenant, wallet.id);
  const { accountNumber } = wallet;
  await payAccount(container, { tenant, accountNumber, amountMinor: AMOUNT, scenario, idempotency: undefined });
  return async () => (await container.ledger.readBalance(tenant, wallet.id)).bookedMinor - before.bookedMinor;
}

it.each([
  ['paid', AMOUNT],
  ['never_notified', AMOUNT],
  ['notified_twice', AMOUNT],
  ['notified_late', AMOUNT],
  ['pending_first', AMOUNT],
  ['not_found_first', AMOUNT],
  ['wrong_amount_in_webhook', AMOUNT],
  ['out_of_order', AMOUNT],
  ['failed', 0n],
  ['forged', 0n],
] as const)('%s: the wallet has %d kobo in the end, however often the worker looks', async (scenario, expected) => {
  const credited = await paidBy(scenario);
  for (let hours = 0; hours < 4; hours += 1) {
    await work();
    base.clock.advance(HOUR_MS);
  }
  expect(await credited()).toBe(expected);
  expect(await brokenChecks(base.database)).toEqual([]);
});

it('reversed: what arrived is in the wallet at once, and the books still add up once the bank says that it went back', async () => {
  const credited = await paidBy('reversed');
  await work();
  expect(await credited()).toBe(AMOUNT);
  base.clock.advance(HOUR_MS);
  await work();
  expect(await brokenChecks(base.database)).toEqual([]);
});
