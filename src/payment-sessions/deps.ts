import type { CollectionDeps } from '../collections/index.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { ReserveNumber } from '../wallets/index.ts';

/** What payment sessions need: what taking credits needs, and the pepper behind client secrets. */
export interface SessionDeps extends CollectionDeps {
  secrets: Secrets;
  reserveNumber: ReserveNumber;
}
