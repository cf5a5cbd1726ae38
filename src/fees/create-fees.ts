import { cacheOne } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { FeeRule } from './fee-rule.ts';
import { listFeeRules } from './queries.ts';
import { type CollectionCharges, type CollectionInput, quoteCollection, quoteOnTop } from './quote-collection.ts';
import { type PayoutInput, type Quote, quotePayout } from './quote-payout.ts';

/** A rule that an operator adds reaches every process within this. Rules dated ahead need no reload at all. */
const RULES_MAX_AGE_MS = 60_000;

export interface Fees {
  /**
   * What one payout costs its sender; `at` is now unless given.
   * @throws AppError as `quotePayout`, and `SERVICE_UNAVAILABLE` when the rules cannot be read.
   */
  quotePayout(input: Omit<PayoutInput, 'at'> & { at?: Date | undefined }): Promise<Quote>;
  /**
   * What the operator takes of a payment in.
   * @throws AppError as `quoteCollection`, and `SERVICE_UNAVAILABLE` when the rules cannot be read.
   */
  quoteCollection(input: CollectionInput): Promise<CollectionCharges>;
  /**
   * What a customer who bears the charges pays beyond the amount.
   * @throws AppError as `quoteOnTop`, and `SERVICE_UNAVAILABLE` when the rules cannot be read.
   */
  quoteOnTop(input: CollectionInput): Promise<CollectionCharges>;
  /** The rules themselves: a batch reads them once, then prices each item with the pure `quotePayout`. */
  listRules(): Promise<readonly FeeRule[]>;
}

export function createFees({ database, clock }: { database: Database; clock: Clock }): Fees {
  const listRules = cacheOne(clock, RULES_MAX_AGE_MS, () => database.query(listFeeRules));
  return {
    listRules,
    quotePayout: async (input) => quotePayout(await listRules(), { ...input, at: input.at ?? clock.now() }),
    quoteCollection: async (input) => quoteCollection(await listRules(), input),
    quoteOnTop: async (input) => quoteOnTop(await listRules(), input),
  };
}
