import type { WalletTotal } from '../../ledger/index.ts';
import type { PayoutLimitRow } from '../../limits/index.ts';
import type { MerchantRow, RegisteredRow, StatusChangeRow } from '../../merchants/index.ts';
import { toNumber } from '../../money/index.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { Wallet } from '../../wallets/index.ts';
import type { MerchantPersonRow } from '../staff/queries.ts';

export function registeredView(row: RegisteredRow) {
  return {
    merchantId: row.id,
    businessName: row.business_name,
    email: row.email,
    phoneNumber: row.phone_number,
    status: row.status,
    reviewStatus: row.review_status,
    submittedAt: row.submitted_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

export function profileView(row: MerchantRow) {
  return {
    businessType: row.business_type,
    businessCategory: row.business_category,
    registrationNumber: row.registration_number,
    email: row.email,
    phoneNumber: row.phone_number,
    address: row.address,
    city: row.city,
    state: row.state,
    country: row.country,
    postalCode: row.postal_code,
    directorDateOfBirth: row.director_date_of_birth,
    bvn: row.bvn_masked,
    owner: {
      firstName: row.owner_first_name,
      lastName: row.owner_last_name,
      email: row.owner_email,
      phoneNumber: row.owner_phone_number,
    },
    isMakerCheckerEnabled: row.is_maker_checker_enabled,
    kycCompletedFields: row.kyc_completed_fields,
    sandboxWebhookURL: row.sandbox_webhook_url,
    productionWebhookURL: row.production_webhook_url,
  };
}

export function statusChangeView(row: StatusChangeRow) {
  return {
    changeId: row.id,
    action: row.action,
    fromStatus: row.from_status,
    toStatus: row.to_status,
    actor: row.actor,
    reason: row.reason,
    at: row.created_at.toISOString(),
  };
}

export function walletView(mode: Mode, wallet: Wallet, { wallet: balance, subaccounts }: WalletTotal) {
  return {
    mode,
    walletId: wallet.id,
    accountNumber: wallet.accountNumber,
    bankName: wallet.bankName,
    bookedBalance: toNumber(balance.bookedMinor),
    availableBalance: toNumber(balance.availableMinor),
    subaccounts: subaccounts.accounts,
    subaccountBalance: toNumber(subaccounts.bookedMinor),
  };
}

const naira = (minor: bigint | null | undefined) => (minor === null || minor === undefined ? null : toNumber(minor));

export function limitInForceView(mode: Mode, row: PayoutLimitRow | undefined) {
  return {
    mode,
    perPayout: naira(row?.perPayoutMinor),
    perDay: naira(row?.perDayMinor),
    duplicateWindowSeconds: row?.duplicateWindowSeconds ?? 0,
    isOwn: row !== undefined && row.merchantId !== null,
  };
}

export function personView(row: MerchantPersonRow) {
  return {
    personId: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    status: row.disabled_at === null ? 'ACTIVE' : 'DISABLED',
    secondFactor: row.second_factor,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
