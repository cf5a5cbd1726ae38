import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import { requireWalletProvider } from '../rail-accounts/index.ts';
import {
  findDefaultWalletProvider,
  insertMissingVirtualAccounts,
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
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Requests accounts for wallets that have none at the provider of their mode: those from before it was chosen. Goes round
 * through all wallets, a few thousand a run, and remembers where it is.
 * @returns how many were requested, by each run
 */
export function createRequestMissing({ database, clock }: Pick<WalletProviderDeps, 'database' | 'clock'>, mode: Mode) {
  let after = { merchant_id: NO_ID, wallet_id: NO_ID };
  return async (): Promise<number> => {
    const [provider] = await database.query(findDefaultWalletProvider, [mode]);
    if (provider === undefined) return 0;
    let added = 0;
    for (let page = 0; page < PAGES; page += 1) {
      const at = [clock.now(), PAGE, after.merchant_id, after.wallet_id];
      const [last] = await database.query(insertMissingVirtualAccounts, [
        mode,
        provider.rail,
        provider.preferred_bank,
        ...at,
      ]);
      added += last?.added ?? 0;
      const isOver = last === undefined || last.looked_at < PAGE;
      after = isOver ? { merchant_id: NO_ID, wallet_id: NO_ID } : last;
      if (isOver) break;
    }
    return added;
  };
}
