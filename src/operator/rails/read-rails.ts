import type { Mode } from '../../platform/tenant.ts';
import { listRailAccounts } from '../../rail-accounts/index.ts';
import { readFloatStanding } from '../../reconciliation/index.ts';
import type { OperatorDeps } from '../deps.ts';
import { defaultView, railView } from './views.ts';

const MODES: readonly Mode[] = ['SANDBOX', 'LIVE'];

/** Every rail with its standing and its health, the built-in one first, and the defaults of both modes. */
export async function readRails(deps: OperatorDeps) {
  const { database, rails } = deps;
  const [named, accounts, checks] = await Promise.all([
    rails.listNamed(),
    listRailAccounts(deps),
    readFloatStanding(database),
  ]);
  // An account that was added a moment ago is not in the directory's memory yet.
  const fresh = accounts
    .filter(({ name }) => !named.some((rail) => rail.name === name))
    .map((account) => ({ ...account, circuit: null }));
  const records = [...named, ...fresh].map((rail) =>
    railView({
      rail,
      account: accounts.find(({ name }) => name === rail.name),
      lastCheck: checks.find((check) => check.rails === rail.name && check.mode === rail.mode),
    }),
  );
  return { records, defaults: MODES.map((mode) => defaultView(mode, accounts)) };
}
