import type { Clock } from '../platform/clock.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { merchantStatusConflict, serviceUnknown } from './errors.ts';
import { requireMerchant } from './find-merchant.ts';
import {
  type DecidedFacts,
  deleteMerchantService,
  insertMerchantService,
  type MerchantRow,
  updateMerchantDetails,
  updateMerchantReview,
  updateMerchantStatus,
} from './queries.ts';
import { isServiceKey, MERCHANT_TRANSITIONS, type MerchantAction } from './services.ts';

/** What the review asks for and the profile keeps. The empty text takes a postal code or a date away. */
export type MerchantDetails = Partial<
  Pick<
    MerchantRow,
    | 'business_name'
    | 'business_type'
    | 'business_category'
    | 'registration_number'
    | 'email'
    | 'phone_number'
    | 'address'
    | 'city'
    | 'state'
    | 'country'
    | 'bvn_masked'
  > & { postal_code: string; director_date_of_birth: string; bvn_sealed: string }
>;

/** Puts new details in force. Takes values that were checked, under the merchant's lock. */
export async function changeMerchantDetails(tx: Tx, merchantId: string, details: MerchantDetails): Promise<void> {
  if (Object.keys(details).length === 0) return;
  await tx.query(updateMerchantDetails, [merchantId, JSON.stringify(details)]);
}

/** What is complete of the review, and where the registration documents are, as the Merchant object lists them. */
export async function noteMerchantReview(
  tx: Tx,
  merchantId: string,
  review: { kycCompletedFields: readonly string[]; cacDocuments: readonly string[] },
): Promise<void> {
  await tx.query(updateMerchantReview, [merchantId, review.kycCompletedFields, review.cacDocuments]);
}

interface StatusChange {
  merchantId: string;
  /** Who decided, for the history. */
  actor: string;
  reason?: string | undefined;
  /** What was submitted or decided on; left out where no details were looked at. */
  facts?: DecidedFacts | undefined;
}

/**
 * Moves a merchant along `MERCHANT_TRANSITIONS` and leaves a history row.
 * @throws AppError `MERCHANT_NOT_FOUND`, or `MERCHANT_STATUS_CONFLICT` from any other state, and for a second submission
 *   while one waits.
 */
export async function changeMerchantStatus(
  deps: { queries: Queries; clock: Clock },
  action: MerchantAction,
  input: StatusChange,
): Promise<void> {
  const { from, to, review, submission } = MERCHANT_TRANSITIONS[action];
  const moved = await deps.queries.query(updateMerchantStatus, [
    input.merchantId,
    from,
    to,
    review,
    newId(),
    action,
    input.actor,
    input.reason ?? null,
    deps.clock.now(),
    submission,
    input.facts ?? null,
  ]);
  if (moved.length > 0) return;
  const merchant = await requireMerchant(deps.queries, input.merchantId);
  throw merchantStatusConflict(action, merchant.status);
}

/** The operator accepts the merchant: it may move money. */
export function approveMerchant(deps: { queries: Queries; clock: Clock }, input: StatusChange): Promise<void> {
  return changeMerchantStatus(deps, 'approve', input);
}

interface ServiceChoice {
  merchantId: string;
  service: string;
}

/** Switching on what is on changes nothing. @throws AppError `SERVICE_UNKNOWN` or `MERCHANT_NOT_FOUND`. */
export async function enableService(deps: { queries: Queries; clock: Clock }, input: ServiceChoice): Promise<void> {
  await checkChoice(deps.queries, input);
  await deps.queries.query(insertMerchantService, [input.merchantId, input.service, deps.clock.now()]);
}

/** What was begun goes on; new requests are refused. @throws AppError as `enableService`. */
export async function disableService(deps: { queries: Queries }, input: ServiceChoice): Promise<void> {
  await checkChoice(deps.queries, input);
  await deps.queries.query(deleteMerchantService, [input.merchantId, input.service]);
}

async function checkChoice(queries: Queries, { merchantId, service }: ServiceChoice): Promise<void> {
  if (!isServiceKey(service)) throw serviceUnknown(service);
  await requireMerchant(queries, merchantId);
}
