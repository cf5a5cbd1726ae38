import type { Ledger } from '../ledger/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Logger } from '../platform/logger.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import type { CreditDirectory } from './note-credits.ts';
import type { FindReceivable } from './receivables.ts';

/** What taking credits needs. */
export interface CollectionDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  rails: RailDirectory;
  credits: CreditDirectory;
  receivables: FindReceivable;
  isSuspended: (merchantId: string) => Promise<boolean>;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
  onAlarm: OnAlarm | undefined;
}
