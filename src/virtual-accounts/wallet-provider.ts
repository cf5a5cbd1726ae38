import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { rowsFor, type Statement } from '../platform/db/statement.ts';
import { NIL_ID, newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { inHalves } from '../platform/jobs/take-turns.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { requireWalletProvider } from '../rail-accounts/index.ts';
import {
  findDefaultWalletProvider,
  listWalletsWithoutAccount,
  requestVirtualAccounts,
  updateDefaultWalletProvider,
  type WalletProviderRow,
} from '../wallets/index.ts';

interface WalletProviderDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

/**
 * At which provider account the wallets of a mode get their account numbers. New wallets ask it from now on, and those
 * that are there soon after; numbers at another provider stay as they are.
 * @throws AppError `RAIL_NOT_FOUND`, `RAIL_NOT_ACTIVE`, `WALLET_PROVIDER_UNABLE`, `RAIL_CREDENTIALS_UNREADABLE`
 */
export async function setWalletProvider(
  deps: WalletProviderDeps,
  { mode, name, preferredBank }: { mode: Mode; name: string; preferredBank: string | null },
): Promise<void> {
  await requireWalletProvider(deps, mode, name);
  await deps.database.query(updateDefaultWalletProvider, [mode, name, preferredBank, deps.clock.now()]);
}

export async function readWalletProvider(
  { database }: Pick<WalletProviderDeps, 'database'>,
  mode: Mode,
): Promise<WalletProviderRow | undefined> {
  const [found] = await database.query(findDefaultWalletProvider, [mode]);
  return found;
}

/** Wallets that one run looks at. */
const PAGE = 1_000;
const PAGES = 5;

interface RequestMissingDeps {
  database: Database;
  clock: Clock;
  jobs: JobMonitor;
}

/**
 * Requests accounts for wallets that have none at the provider of their mode: those from before it was chosen. Goes round
 * through all wallets, a few thousand a run, and remembers where it is. A wallet for which nothing can be requested keeps none
 * of the others from it.
 * @returns how many were requested, by each run
 */
export function createRequestMissing(deps: RequestMissingDeps, mode: Mode): () => Promise<number> {
  let after = { merchant_id: NIL_ID, wallet_id: NIL_ID };
  return async () => {
    const [provider] = await deps.database.query(findDefaultWalletProvider, [mode]);
    if (provider === undefined) return 0;
    let requested = 0;
    for (let page = 0; page < PAGES; page += 1) {
      const at = [mode, provider.rail, PAGE, after.merchant_id, after.wallet_id];
      const found = await deps.database.query(listWalletsWithoutAccount, at);
      requested += await requestEach(
        deps,
        { mode, provider },
        found.filter(({ is_missing }) => is_missing),
      );
      const last = found.at(-1);
      const isOver = last === undefined || last.looked_at < PAGE;
      after = isOver ? { merchant_id: NIL_ID, wallet_id: NIL_ID } : last;
      if (isOver) break;
    }
    return requested;
  };
}

type WithoutAccount = typeof listWalletsWithoutAccount extends Statement<infer Row> ? Row : never;

async function requestEach(
  { database, clock, jobs }: RequestMissingDeps,
  { mode, provider }: { mode: Mode; provider: WalletProviderRow },
  missing: readonly WithoutAccount[],
): Promise<number> {
  const failures = jobs.failuresOf('virtual-accounts.request');
  const requested_at = clock.now();
  const rowOf = ({ merchant_id, wallet_id }: WithoutAccount) => ({
    merchant_id,
    mode,
    id: newId(),
    wallet_id,
    ...provider,
    requested_at,
  });
  let requested = 0;
  await inHalves(
    missing,
    async (some) => {
      await database.run(...rowsFor(requestVirtualAccounts, some.map(rowOf)));
      requested += some.length;
      for (const { wallet_id } of some) failures.succeeded(wallet_id);
    },
    ({ merchant_id: merchantId, wallet_id: walletId }, error) =>
      failures.failed(walletId, error, { message: 'an account could not be requested', mode, merchantId, walletId }),
  );
  return requested;
}
