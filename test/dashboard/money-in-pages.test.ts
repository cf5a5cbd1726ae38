import { describe, expect, it } from 'vitest';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();
const PAGE = '/dashboard/operator/money-in';

/** A wallet of the demo waits for its account number at a provider that does not answer. */
async function requestAccount(): Promise<void> {
  await walk.runtime.database.pool.query(
    `insert into virtual_accounts (merchant_id, mode, id, wallet_id, rail, status, reason, message, attempts, due_at,
                                   requested_at, updated_at)
     select merchant_id, mode, gen_random_uuid(), id, 'a-bank', 'REQUESTED', 'RAIL_UNREACHABLE',
            'The provider is not reachable', 4, now() + interval '20 minutes', now() - interval '1 hour', now()
       from wallets where mode = 'SANDBOX' limit 1`,
  );
}

describe('the pages of money in', () => {
  it('give the list as a file, and say what each provider owes for each merchant', async () => {
    const page = await walk.openAs(walk.demo.operator, { at: PAGE });
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saving).suggestedFilename()).toMatch(/^money-in-\d{4}-\d\d-\d\d\.csv$/);
    await page.getByRole('link', { name: 'Owed by providers' }).click();
    await page.getByText('What each provider account owes for each merchant').waitFor();
    await expectAccessible(page);
  });
});

describe('an account number that is not open', () => {
  it('is shown with why, and the provider is asked again at once', async () => {
    await requestAccount();
    const page = await walk.openAs(walk.demo.operator, { at: PAGE });
    await page.getByRole('link', { name: 'Account numbers' }).click();
    await page.getByText('The provider is not reachable').waitFor();
    await page.getByText('Not opened yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The provider is asked now.').waitFor();
  });
});
