import type { CollectionAccounts, CreditDirectory } from '../collections/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode } from '../platform/tenant.ts';
import type { Uploads } from '../platform/uploads.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { DisputeCaller } from '../rails/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';

/** What every command about disputes needs, whatever calls it. */
export interface DisputeDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  rails: RailDirectory;
  credits: CreditDirectory;
  collectionAccounts: CollectionAccounts;
  secrets: Secrets;
  uploads: Uploads;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  onAlarm: OnAlarm | undefined;
}

/** A provider account whose disputes can be asked about. */
export interface DisputeRail {
  name: string;
  mode: Mode;
  disputes: DisputeCaller;
}

/** Undefined where the account cannot be opened, or its provider has no interface for disputes. */
export async function findDisputeRail(
  rails: RailDirectory,
  mode: Mode,
  name: string,
): Promise<DisputeRail | undefined> {
  const disputes = (await rails.findRail(mode, name))?.wallets?.disputes;
  return disputes && { name, mode, disputes };
}

/** The accounts of a mode that are enabled. */
export async function listDisputeRails(rails: RailDirectory, mode: Mode): Promise<DisputeRail[]> {
  const named = (await rails.listNamed()).filter((rail) => rail.mode === mode);
  const found = await Promise.all(named.map(({ name }) => findDisputeRail(rails, mode, name)));
  return found.filter((rail) => rail !== undefined);
}
