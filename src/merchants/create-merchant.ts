import { type Clock, isDay } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { insertMerchant, type MerchantRow } from './queries.ts';
import { CONTACT_EMAIL_PATTERN } from './schemas.ts';

/** The columns for a bank verification number of 11 digits. The number is never stored in any other form. */
export function bvnColumns(
  secrets: Secrets,
  merchantId: string,
  bvn: string,
): { bvn_sealed: string; bvn_masked: string } {
  return { bvn_sealed: secrets.seal(bvn, bvnContext(merchantId)), bvn_masked: maskBvn(bvn) };
}

/** The context that a sealed BVN is bound to: it opens on its own merchant's row only. */
function bvnContext(merchantId: string): string {
  return `merchants/${merchantId}/bvn_sealed`;
}

/** The number itself, for a provider that asks for it; null where the merchant gave none. Never logged, never answered. */
export function openBvn(secrets: Secrets, merchant: Pick<MerchantRow, 'id' | 'bvn_sealed'>): string | null {
  return merchant.bvn_sealed === null ? null : secrets.open(merchant.bvn_sealed, bvnContext(merchant.id));
}

/** `22212345901` as `222*****901`. */
function maskBvn(bvn: string): string {
  return `${bvn.slice(0, 3)}*****${bvn.slice(-3)}`;
}

export interface NewMerchant {
  businessName: string;
  email: string;
  /** Digits with the country prefix, `2348012345678`. */
  phoneNumber: string;
  businessType?: string;
  businessCategory?: string;
  registrationNumber?: string;
  address?: string;
  city?: string;
  state?: string;
  country?: string;
  postalCode?: string;
  /** `YYYY-MM-DD`. */
  directorDateOfBirth?: string;
  /** 11 digits; sealed before it is stored. */
  bvn?: string;
  cacDocuments?: readonly string[];
  kycCompletedFields?: readonly string[];
  isMakerCheckerEnabled?: boolean;
  sandboxWebhookUrl?: string;
  productionWebhookUrl?: string;
  /** Without it the business itself is the owner. */
  owner?: { firstName: string; lastName: string; email: string; phoneNumber: string };
}

/**
 * Creates a merchant as it applies: `PENDING`, not approved, no services. The module `wallets` opens its wallets.
 * @throws AppError 400 naming the field that is wrong.
 */
export async function createMerchant(
  deps: { queries: Queries; secrets: Secrets; clock: Clock },
  input: NewMerchant,
): Promise<{ merchantId: string }> {
  checkInput(input);
  const row = merchantRow(deps, input);
  const insert = insertMerchant(row);
  await deps.queries.query(insert.statement, insert.values);
  return { merchantId: row.id };
}

const EMAIL = new RegExp(CONTACT_EMAIL_PATTERN);
const PHONE = /^\d{7,15}$/;
/** As a profile takes them. */
const MOST_CHARACTERS = {
  businessName: 120,
  businessCategory: 80,
  registrationNumber: 80,
  address: 200,
  city: 80,
  state: 80,
} as const satisfies Partial<Record<keyof NewMerchant, number>>;

function checkInput(input: NewMerchant): void {
  if (input.businessName.trim() === '') throw invalidField('businessName', 'must not be empty');
  if (!EMAIL.test(input.email)) throw invalidField('email', 'must be an e-mail address');
  if (!PHONE.test(input.phoneNumber))
    throw invalidField('phoneNumber', 'must be 7 to 15 digits with the country prefix');
  if (input.bvn !== undefined && !/^\d{11}$/.test(input.bvn)) throw invalidField('bvn', 'must be 11 digits');
  const born = input.directorDateOfBirth;
  if (born !== undefined && !isDay(born)) {
    throw invalidField('directorDateOfBirth', 'must be a date, YYYY-MM-DD');
  }
  for (const [field, most] of Object.entries(MOST_CHARACTERS)) {
    const given = input[field as keyof typeof MOST_CHARACTERS] ?? '';
    if (given.length > most) throw invalidField(field, `must be at most ${most} characters`);
  }
}

function merchantRow(deps: { secrets: Secrets; clock: Clock }, input: NewMerchant): MerchantRow {
  const id = newId();
  const owner = input.owner ?? {
    firstName: input.businessName,
    lastName: '',
    email: input.email,
    phoneNumber: input.phoneNumber,
  };
  return {
    id,
    status: 'PENDING',
    initial_status: 'NEW',
    review_status: 'PENDING',
    business_name: input.businessName.trim(),
    business_type: input.businessType ?? 'REGISTERED',
    business_category: input.businessCategory ?? '',
    registration_number: input.registrationNumber ?? '',
    email: input.email,
    phone_number: input.phoneNumber,
    logo: null,
    address: input.address ?? '',
    city: input.city ?? '',
    state: input.state ?? '',
    country: input.country ?? 'Nigeria',
    postal_code: input.postalCode ?? null,
    director_date_of_birth: input.directorDateOfBirth ?? null,
    ...(input.bvn === undefined ? { bvn_sealed: null, bvn_masked: '' } : bvnColumns(deps.secrets, id, input.bvn)),
    consent_form: null,
    agency_network_consent_form: null,
    owner_details: null,
    cac_documents: [...(input.cacDocuments ?? [])],
    kyc_completed_fields: [...(input.kycCompletedFields ?? [])],
    auto_settlement: false,
    auto_instant_settlement: false,
    is_refund_enabled: false,
    is_maker_checker_enabled: input.isMakerCheckerEnabled ?? false,
    is_consent_form_approved: false,
    is_agency_network_consent_form_approved: false,
    enable_same_bvn_or_phone_number_for_wallet_creation: false,
    sandbox_webhook_url: input.sandboxWebhookUrl ?? '',
    production_webhook_url: input.productionWebhookUrl ?? '',
    owner_id: newId(),
    owner_email: owner.email,
    owner_first_name: owner.firstName,
    owner_last_name: owner.lastName,
    owner_phone_number: owner.phoneNumber,
    created_at: deps.clock.now(),
    submitted_at: null,
  };
}
