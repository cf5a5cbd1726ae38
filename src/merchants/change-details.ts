import type { Tx } from '../platform/db/database.ts';
import { type MerchantRow, updateMerchantDetails, updateMerchantReview } from './queries.ts';

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
