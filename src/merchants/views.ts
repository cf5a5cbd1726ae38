import type { MerchantRow, ServiceRow } from './queries.ts';
import type { MerchantView, MerchantWalletView } from './schemas.ts';

/** The Merchant object of the interface; `wallet` comes from the module `wallets`, in naira. */
export function merchantView(
  row: MerchantRow,
  services: readonly ServiceRow[],
  wallet: MerchantWalletView,
): MerchantView {
  return {
    id: row.id,
    logo: row.logo,
    city: row.city,
    state: row.state,
    address: row.address,
    country: row.country,
    postalCode: row.postal_code,
    email: row.email,
    phoneNumber: row.phone_number,
    status: row.status,
    initialStatus: row.initial_status,
    reviewStatus: row.review_status,
    businessName: row.business_name,
    businessType: row.business_type,
    businessCategory: row.business_category,
    registrationNumber: row.registration_number,
    directorDateOfBirth: row.director_date_of_birth ?? '',
    bvn: row.bvn_masked,
    consentForm: row.consent_form,
    agencyNetworkConsentForm: row.agency_network_consent_form,
    ownerDetails: row.owner_details,
    cacDocuments: row.cac_documents,
    autoSettlement: row.auto_settlement,
    autoInstantSettlement: row.auto_instant_settlement,
    isRefundEnabled: row.is_refund_enabled,
    isMakerCheckerEnabled: row.is_maker_checker_enabled,
    isConsentFormApproved: row.is_consent_form_approved,
    isAgencyNetworkConsentFormApproved: row.is_agency_network_consent_form_approved,
    enableSameBVNOrPhoneNumberForWalletCreation: row.enable_same_bvn_or_phone_number_for_wallet_creation,
    sandboxWebhookURL: row.sandbox_webhook_url,
    productionWebhookURL: row.production_webhook_url,
    createdAt: row.created_at.toISOString(),
    owner: {
      id: row.owner_id,
      email: row.owner_email,
      firstName: row.owner_first_name,
      lastName: row.owner_last_name,
      phoneNumber: row.owner_phone_number,
    },
    kycCompletedFields: row.kyc_completed_fields,
    wallet,
    merchantEnabledServices: services.map(({ id, name, key, description }) => ({ id, name, key, description })),
  };
}
