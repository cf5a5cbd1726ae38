import type { CollectionDeps } from '../collections/index.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { ReserveNumber } from '../wallets/index.ts';
import type { FindWalletProvider } from './choose-provider.ts';

/** The dependencies of payment sessions: those of taking credits, and the pepper behind client secrets. */
export interface SessionDeps extends CollectionDeps {
  secrets: Secrets;
  reserveNumber: ReserveNumber;
  walletProviders: FindWalletProvider;
}
