import type { Clock } from '../platform/clock.ts';
import type { Database, Queries, Tx } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { merchantStatusConflict, serviceUnknown } from './errors.ts';
import { requireMerchant } from './find-merchant.ts';
import {
  type DecidedFacts,
  deleteMerchantService,
  insertMerchantServices,
  insertStatusChange,
  type MerchantRow,
  updateContactsShared,
  updateMakerChecker,
  updateMerchantDetails,
  updateMerchantProfiles,
  updateMerchantReview,
  updateMerchantStatus,
  updateRefundsEnabled,
} from './queries.ts';
import { isServiceKey, MERCHANT_TRANSITIONS, type MerchantAction } from './services.ts';

/** The details of a review that the profile keeps. The empty text takes a postal code or a date away. */
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

/** Puts new details in force. The caller has checked them and holds the merchant's lock. */
export async function changeMerchantDetails(tx: Tx, merchantId: string, details: MerchantDetails): Promise<void> {
  if (Object.keys(details).length === 0) return;
  const { director_date_of_birth: born } = details;
  await tx.query(updateMerchantDetails, [merchantId, JSON.stringify(details), born !== undefined, born || null]);
}

/**
 * Notes which steps of the review are complete, and where the registration documents are, as the Merchant object lists
 * them.
 */
export async function noteMerchantReview(
  tx: Tx,
  merchantId: string,
  review: { kycCompletedFields: readonly string[]; cacDocuments: readonly string[] },
): Promise<void> {
  await tx.query(updateMerchantReview, [merchantId, review.kycCompletedFields, review.cacDocuments]);
}

interface StatusChange {
  merchantId: string;
  /** The person who decided, for the history. */
  actor: string;
  reason?: string | undefined;
  /** The facts that were submitted or decided on. Left out where no details were looked at. */
  facts?: DecidedFacts | undefined;
}

interface StatusDeps {
  /** An open transaction. With a database the change has its own. */
  queries: Database | Tx;
  clock: Clock;
}

/**
 * Moves a merchant along `MERCHANT_TRANSITIONS` and leaves a history row.
 * @throws AppError `MERCHANT_NOT_FOUND`, or `MERCHANT_STATUS_CONFLICT` from any other state, and for a second submission
 *   while one waits.
 */
export async function changeMerchantStatus(
  deps: StatusDeps,
  action: MerchantAction,
  input: StatusChange,
): Promise<void> {
  const { from, to, review, submission } = MERCHANT_TRANSITIONS[action];
  const { merchantId, actor, reason = null, facts = null } = input;
  const now = deps.clock.now();
  const move = async (tx: Tx) => {
    const moved = await tx.query(updateMerchantStatus, [merchantId, from, to, review, now, submission]);
    if (moved.length === 0) return false;
    await tx.query(insertStatusChange, [merchantId, newId(), action, from, to, actor, reason, now, facts]);
    return true;
  };
  const { queries } = deps;
  if (await ('transaction' in queries ? queries.transaction(move) : move(queries))) return;
  const merchant = await requireMerchant(deps.queries, input.merchantId);
  throw merchantStatusConflict(action, merchant.status);
}

/** The operator accepts the merchant: it may move money. */
export function approveMerchant(deps: StatusDeps, input: StatusChange): Promise<void> {
  return changeMerchantStatus(deps, 'approve', input);
}

interface ServiceChoice {
  merchantId: string;
  service: string;
}

/**
 * Switches services on, all of them or none. Switching on what is on changes nothing.
 * @throws AppError `SERVICE_UNKNOWN` or `MERCHANT_NOT_FOUND`.
 */
export async function enableServices(
  { queries, clock }: { queries: Queries; clock: Clock },
  { merchantId, services }: { merchantId: string; services: readonly string[] },
): Promise<void> {
  await checkChoice(queries, merchantId, services);
  await queries.query(insertMerchantServices, [merchantId, services, clock.now()]);
}

/** @throws AppError as `enableServices`. */
export function enableService(
  deps: { queries: Queries; clock: Clock },
  { merchantId, service }: ServiceChoice,
): Promise<void> {
  return enableServices(deps, { merchantId, services: [service] });
}

/**
 * Switches services off, all of them or none. What was begun goes on; new requests are refused.
 * @throws AppError as `enableServices`.
 */
export async function disableServices(
  { queries }: { queries: Queries },
  { merchantId, services }: { merchantId: string; services: readonly string[] },
): Promise<void> {
  await checkChoice(queries, merchantId, services);
  for (const service of services) await queries.query(deleteMerchantService, [merchantId, service]);
}

/** @throws AppError as `enableServices`. */
export function disableService(deps: { queries: Queries }, { merchantId, service }: ServiceChoice): Promise<void> {
  return disableServices(deps, { merchantId, services: [service] });
}

/**
 * Says whether the merchant may refund its payments in. What was accepted before goes on.
 * @throws AppError `MERCHANT_NOT_FOUND`.
 */
export async function setRefundsEnabled(
  { queries }: { queries: Queries },
  { merchantId, isEnabled }: { merchantId: string; isEnabled: boolean },
): Promise<void> {
  await requireMerchant(queries, merchantId);
  await queries.query(updateRefundsEnabled, [merchantId, isEnabled]);
}

/**
 * Says whether account numbers of the merchant's stores and subaccounts may be opened with its own BVN and phone number, which
 * some providers ask for. Numbers that are open stay open.
 * @throws AppError `MERCHANT_NOT_FOUND`.
 */
export async function setContactsShared(
  { queries }: { queries: Queries },
  { merchantId, isEnabled }: { merchantId: string; isEnabled: boolean },
): Promise<void> {
  await requireMerchant(queries, merchantId);
  await queries.query(updateContactsShared, [merchantId, isEnabled]);
}

async function checkChoice(queries: Queries, merchantId: string, services: readonly string[]): Promise<void> {
  const unknown = services.find((service) => !isServiceKey(service));
  if (unknown !== undefined) throw serviceUnknown(unknown);
  await requireMerchant(queries, merchantId);
}

/** The switch that the merchant's profile shows. The rules of approval are what counts, and write it beside them. */
export function makerCheckerWrite(merchantId: string, movementId: string, isEnabled: boolean): Write {
  return write(updateMakerChecker, { merchant_id: merchantId, id: movementId, is_enabled: isEnabled });
}

/** The values that a merchant may change about itself. Those that are left out stay. */
export interface MerchantChanges {
  /** The empty text takes the address away. */
  sandboxWebhookURL?: string;
  productionWebhookURL?: string;
  email?: string;
  phoneNumber?: string;
  address?: string;
  city?: string;
  state?: string;
  country?: string;
  /** The empty text takes it away. */
  postalCode?: string;
  logo?: string;
}

const COLUMNS = {
  sandboxWebhookURL: 'sandbox_webhook_url',
  productionWebhookURL: 'production_webhook_url',
  email: 'email',
  phoneNumber: 'phone_number',
  address: 'address',
  city: 'city',
  state: 'state',
  country: 'country',
  postalCode: 'postal_code',
  logo: 'logo',
} as const satisfies Record<keyof MerchantChanges, keyof MerchantRow>;

/** The write of a movement that changes a merchant. A schema has checked the values. */
export function merchantChangesWrite(merchantId: string, movementId: string, changes: MerchantChanges): Write {
  return write(updateMerchantProfiles, {
    merchant_id: merchantId,
    id: movementId,
    changes: JSON.stringify(columnsOf(changes)),
  });
}

/** The row as these changes leave it. */
export function withChanges(row: MerchantRow, changes: MerchantChanges): MerchantRow {
  const changed = { ...row, ...columnsOf(changes) };
  return { ...changed, postal_code: changed.postal_code || null, logo: changed.logo || null };
}

function columnsOf(changes: MerchantChanges): Partial<MerchantRow> {
  const columns = Object.entries(changes).map(([field, value]) => [COLUMNS[field as keyof MerchantChanges], value]);
  return Object.fromEntries(columns) as Partial<MerchantRow>;
}
