import { listBooks, rebuildTotals } from '../ledger/index.ts';
import { correctRailTotals, rebuildDirectory } from '../payout-directory/index.ts';
import { runAlone } from '../platform/db/alone.ts';
import { type AdminDeps, type Command, UsageError } from './command.ts';

/** Any number that nobody else uses for a lock of this kind. */
const LOCK = 4_207_117;

export const totalsCommands: readonly Command[] = [
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
  deps.warn(`It is done. Of the totals of rails ${wrong} were wrong. npm run verify says whether all agree now.`);
  return true;
}
