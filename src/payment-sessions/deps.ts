import type { CollectionDeps } from '../collections/index.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { ReserveNumber } from '../wallets/index.ts';
import type { FindWalletProvider } from './choose-provider.ts';

/** What payment sessions need: what taking credits needs, and the pepper behind client secrets. */
export interface SessionDeps extends CollectionDeps {
  secrets: Secrets;
  reserveNumber: ReserveNumber;
  walletProviders: FindWalletProvider;
}
