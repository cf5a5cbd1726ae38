import { listBooks, rebuildTotals } from '../ledger/index.ts';
import { correctRailTotals, rebuildDirectory } from '../payout-directory/index.ts';
import { runAlone } from '../platform/db/alone.ts';
import { rebuildIndexes } from '../search/index.ts';
import { type AdminDeps, type Command, UsageError } from './command.ts';

/** Any number that nobody else uses for a lock of this kind. */
const LOCK = 4_207_117;

/** Commands that make derived data anew from the tables that it is made of. */
export const rebuildCommands: readonly Command[] = [
  {
    name: 'rebuild-search',
    audit: 'SETTINGS',
    about: 'empty the index of the search and have the workers fill it again from the tables',
    options: { merchant: { type: 'string', about: 'id of one merchant; all without it' } },
    async run(deps, options) {
      const merchantId = options.maybeId('merchant');
      const begun = await rebuildIndexes(deps, merchantId);
      for (const tenant of begun) deps.print(`${tenant.merchantId}\t${tenant.mode}`);
      if (begun.length === 0) deps.warn('There is no index yet: a worker makes it.');
      else
        deps.warn(
          'The workers fill these, within six minutes where there are more than 500 merchants. Until then searches find less, and say so.',
        );
    },
  },
  {
    name: 'rebuild-totals',
    audit: 'SETTINGS',
    about: 'make totals of days, statements and rails, and the directory of payouts, anew from the books',
    options: { merchant: { type: 'string', about: 'id of one merchant; all without it' } },
    async run(deps, options) {
      const merchantId = options.maybeId('merchant');
      const done = await runAlone(deps.database, LOCK, () => rebuild(deps, merchantId));
      if (done === undefined) throw new UsageError('Another process does this. Wait until it has ended.');
    },
  },
];

async function rebuild(deps: AdminDeps, merchantId: string | undefined): Promise<true> {
  for (const tenant of await listBooks(deps, merchantId)) {
    await rebuildTotals(deps, tenant);
    await rebuildDirectory(deps.database, tenant);
    deps.print(`${tenant.merchantId}\t${tenant.mode}`);
  }
  // Its rows are of all merchants together.
  const wrong = await correctRailTotals(deps.database);
  deps.warn(
    `It is done. Of the totals of rails ${wrong} ${wrong === 1 ? 'was' : 'were'} wrong. npm run verify says whether all agree now.`,
  );
  return true;
}
