import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollCredits, retryOpenCredits } from '../../src/collections/index.ts';
import { type CreditRail, takeCredit } from '../../src/collections/take-credit.ts';
import type { CreditHint } from '../../src/rails/index.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
import { readWalletAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { collectionFee } from '../support/collection-fees.ts';
import { brokenChecks } from '../support/proof.ts';
import { type CollectionFixture, createCollectionFixture } from './fixture.ts';

let fixture: CollectionFixture;

beforeAll(async () => {
  fixture = await createCollectionFixture();
  await collectionFee(fixture, { flatMinor: 10n });
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

/** Where a process is killed between a webhook and its credit. */
const STEPS = [
  'before it looked whether it knows the transfer',
  'before it asked the provider',
  'when the provider had answered',
  'before it noted whose payment it is',
  'when it had noted it',
  'before the books had it',
  'when the books had it',
] as const;
type Step = (typeof STEPS)[number];
/** Of each step; `npm run test:long` has more than 200 in all. */
const KILLS = Number(process.env['CREDIT_KILLS'] ?? 9);
/** Of ₦1, a fee of ten kobo and VAT of three quarters of a kobo go off, or nothing has come. */
const NET_MINOR = 89n;

/** What a process sees that is killed at `step`: from then on nothing returns. */
function doomed(step: Step) {
  const { deps, creditRail } = fixture;
  let dead = false;
  const gone = () => new Promise<never>(() => undefined);
  const around = async <T>(before: Step, after: Step | undefined, work: () => Promise<T>): Promise<T> => {
    dead ||= before === step;
    if (dead) return gone();
    const done = await work();
    dead ||= after === step;
    return dead ? gone() : done;
  };
  const [known, asks, answered, notes, noted, books, booked] = STEPS;
  const rail: CreditRail = {
    ...creditRail,
    wallets: {
      ...creditRail.wallets,
      queryCredit: (key) => around(asks, answered, () => creditRail.wallets.queryCredit(key)),
    },
  };
  const credits = {
    findNoted: (key: Parameters<typeof deps.credits.findNoted>[0]) =>
      around(known, undefined, () => deps.credits.findNoted(key)),
    end: deps.credits.end,
    note: (credit: Parameters<typeof deps.credits.note>[0]) => around(notes, noted, () => deps.credits.note(credit)),
  };
  const ledger = {
    ...deps.ledger,
    commit: (movement: Parameters<typeof deps.ledger.commit>[0]) =>
      around(books, booked, () => deps.ledger.commit(movement)),
  };
  return {
    take: (hint: CreditHint) => takeCredit({ ...deps, credits, ledger }, rail, hint, { source: 'WEBHOOK' }),
    isDead: () => dead,
  };
}

async function payee() {
  const merchant = await fixture.addMerchant();
  await openDueAccounts(fixture.deps, 'LIVE');
  const { accounts } = await readWalletAccounts(fixture.deps, merchant.tenant, merchant.wallet.id);
  return { ...merchant, accountNumber: accounts[0]?.accountNumber ?? '' };
}

describe('a process that is killed between a webhook and its credit', () => {
  it.each(STEPS)('%s loses nothing and credits nothing twice, whoever comes after it', async (step) => {
    const { accountNumber, balance } = await payee();
    const hints: CreditHint[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const hint = fixture.script.receive({ accountNumber, amountMinor: 1_00n });
      hints.push(hint);
      const { take, isDead } = doomed(step);
      void take(hint);
      await expect.poll(isDead, { interval: 1 }).toBe(true);
    }
    // A third is sent again by the provider, a third is found by the poller, a third by both at once.
    const again = hints.filter((_, at) => at % 3 !== 1);
    const late = fixture.another();
    fixture.clock.advance(60_000);
    await Promise.all([
      ...again.map((hint) => fixture.takeWebhook(hint)),
      pollCredits(late, 'LIVE'),
      retryOpenCredits(fixture.deps, 'LIVE'),
    ]);
    expect(await balance()).toBe(BigInt(KILLS) * NET_MINOR);
    for (const hint of hints) expect(await fixture.takeWebhook(hint)).toEqual(['ALREADY_TAKEN']);
    expect(await balance()).toBe(BigInt(KILLS) * NET_MINOR);
  });
});
