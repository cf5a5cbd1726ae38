import type { PinGuard } from '../access/index.ts';
import type { CollectionDeps } from '../collections/index.ts';
import type { KnownFreezes } from '../compliance/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { takeDownload } from '../platform/exports.ts';
import type { ProviderSettlementDeps } from '../provider-settlements/index.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { RetentionDays } from '../retention/index.ts';
import type { Screening } from '../screening/index.ts';
import type { PaymentReview } from '../suspense/index.ts';

/** The owner of the operator's uploads, beside those of the merchants. */
export const OPERATOR = 'operator';

/** The dependencies of the operator's operations. They run the same commands as the terminal, with the same needs. */
export interface OperatorDeps
  extends PayoutDeps,
    Pick<
      CollectionDeps,
      'credits' | 'collectionAccounts' | 'availability' | 'findReserve' | 'creditHooks' | 'releaseHooks' | 'guardCredit'
    > {
  pinGuard: PinGuard;
  rails: RailDirectory;
  knownFreezes: KnownFreezes;
  screening: Screening;
  compliance: PaymentReview;
  deductionOwners: ProviderSettlementDeps['deductionOwners'];
  onAlarm: CollectionDeps['onAlarm'];
  retention: RetentionDays;
}

/** A place for a document among those that one of the staff has open. @throws AppError 503 `EXPORTS_BUSY` */
export const downloadOf = ({ database }: Pick<OperatorDeps, 'database'>, personId: string): (() => void) =>
  takeDownload(database, `${OPERATOR} ${personId}`);
