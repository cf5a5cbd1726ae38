import type { CollectionAccounts, FindDeductionOwner, InboundPaymentRow, ReleaseHook } from '../collections/index.ts';
import type { Fees } from '../fees/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { FindReserve } from '../reserves/index.ts';
import type { WalletDirectory } from '../wallets/index.ts';

/** What comparing, posting and resolving a provider's settlement needs. */
export interface ProviderSettlementDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  rails: RailDirectory;
  fees: Pick<Fees, 'quoteCollection'>;
  findReserve: FindReserve;
  collectionAccounts: CollectionAccounts;
  releaseHooks: readonly ReleaseHook[];
  /** The finders of refunds and disputes; the first one with an answer decides. */
  deductionOwners: readonly FindDeductionOwner[];
  compliance: {
    /** Whether a freeze that is in force holds it. */
    isPaymentFrozen(payment: InboundPaymentRow): Promise<boolean>;
  };
  clock: Clock;
}
