import type { PinGuard } from '../access/index.ts';
import type { CollectionDeps } from '../collections/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import type { ProviderSettlementDeps } from '../provider-settlements/index.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';

/** Whose uploads these are, beside those of the merchants. */
export const OPERATOR = 'operator';

/** What the operator's operations stand on: the same commands as the terminal's, with the same needs. */
export interface OperatorDeps
  extends PayoutDeps,
    Pick<CollectionDeps, 'credits' | 'collectionAccounts' | 'availability' | 'findReserve' | 'creditHooks'> {
  pinGuard: PinGuard;
  rails: RailDirectory;
  deductionOwners: ProviderSettlementDeps['deductionOwners'];
  onAlarm: CollectionDeps['onAlarm'];
}
