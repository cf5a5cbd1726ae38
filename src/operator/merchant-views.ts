import { type ApiKeySummary, listApiKeys, type PinGuard } from '../access/index.ts';
import type { WalletTotal } from '../ledger/index.ts';
import { limitRowAt, listLimits, type PayoutLimitRow } from '../limits/index.ts';
import {
  listMerchantStatusChanges,
  type MerchantRow,
  type RegisteredRow,
  readServiceStates,
  requireMerchant,
  type StatusChangeRow,
} from '../merchants/index.ts';
import { toNumber, toNumberIfExact, toNumberOrNull } from '../money/index.ts';
import { nameFlagsOf, readOnboarding } from '../onboarding/index.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { readRailChoice } from '../rail-accounts/index.ts';
import type { Wallet } from '../wallets/index.ts';
import type { OperatorDeps } from './deps.ts';
import { listMerchantPeople, type MerchantPersonRow } from './queries.ts';
import { screenParties } from './screening-routes.ts';

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

function profileView(row: MerchantRow) {
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

/** Which version of the facts each change was about: versions count from the first that was kept. */
function versionsOf(history: readonly StatusChangeRow[]): ReadonlyMap<string, number> {
  const digests = history.toReversed().flatMap(({ facts_digest }) => facts_digest ?? []);
  return new Map([...new Set(digests)].map((digest, at) => [digest, at + 1]));
}

function statusChangeView(row: StatusChangeRow, versions: ReadonlyMap<string, number>) {
  return {
    changeId: row.id,
    action: row.action,
    fromStatus: row.from_status,
    toStatus: row.to_status,
    actor: row.actor,
    reason: row.reason,
    at: row.created_at.toISOString(),
    version: versions.get(row.facts_digest ?? '') ?? null,
  };
}

function walletView(mode: Mode, wallet: Wallet, { wallet: balance, subaccounts }: WalletTotal) {
  return {
    mode,
    walletId: wallet.id,
    accountNumber: wallet.accountNumber,
    bankName: wallet.bankName,
    bookedBalance: toNumber(balance.bookedMinor),
    availableBalance: toNumber(balance.availableMinor),
    subaccounts: subaccounts.accounts,
    subaccountBalance: toNumberIfExact(subaccounts.bookedMinor),
  };
}

function limitInForceView(mode: Mode, row: PayoutLimitRow | undefined) {
  return {
    mode,
    perPayout: toNumberOrNull(row?.perPayoutMinor),
    perDay: toNumberOrNull(row?.perDayMinor),
    duplicateWindowSeconds: row?.duplicateWindowSeconds ?? 0,
    isOwn: row !== undefined && row.merchantId !== null,
  };
}

function personView(row: MerchantPersonRow) {
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

/** The names that a merchant gave: of the business, its director, and the person who signed up for it. */
function partiesOf(merchant: MerchantRow, steps: Awaited<ReturnType<typeof readOnboarding>>['steps']) {
  const values = steps.find(({ key }) => key === 'DIRECTOR_DETAILS')?.values ?? {};
  const nameOf = (first?: string | null, last?: string | null) => `${first ?? ''} ${last ?? ''}`.trim();
  return [
    { party: 'BUSINESS', name: merchant.business_name },
    { party: 'DIRECTOR', name: nameOf(values['directorFirstName'], values['directorLastName']) },
    { party: 'OWNER', name: nameOf(merchant.owner_first_name, merchant.owner_last_name) },
  ] as const;
}

const MODES: readonly Mode[] = ['SANDBOX', 'LIVE'];

/** Everything that the operator needs to decide about a merchant. @throws AppError `MERCHANT_NOT_FOUND`. */
export async function readMerchant(deps: OperatorDeps, merchantId: string) {
  const { database, clock, pinGuard } = deps;
  const merchant = await requireMerchant(database, merchantId);
  const [onboarding, services, history, limits, keys, people, pins, wallets, rails] = await Promise.all([
    readOnboarding(deps, merchantId),
    readServiceStates(database, merchantId),
    listMerchantStatusChanges(database, merchantId),
    listLimits(deps, merchantId),
    listApiKeys({ queries: database, clock }, merchantId),
    database.query(listMerchantPeople, [merchantId]),
    Promise.all(MODES.map((mode) => readPinState(pinGuard, { merchantId, mode }))),
    Promise.all(MODES.map((mode) => readWallet(deps, merchantId, mode))),
    Promise.all(MODES.map((mode) => readRailChoice(deps, { merchantId, mode }))),
  ]);
  const now = clock.now();
  const versions = versionsOf(history);
  return {
    ...registeredView(merchant),
    profile: profileView(merchant),
    onboarding,
    nameFlags: nameFlagsOf(onboarding.steps, {
      firstName: merchant.owner_first_name,
      lastName: merchant.owner_last_name,
    }),
    screening: await screenParties(deps.screening, partiesOf(merchant, onboarding.steps)),
    isRefundEnabled: merchant.is_refund_enabled,
    services: services.map(({ key, name, description, enabled }) => ({ key, name, description, enabled })),
    history: history.map((row) => statusChangeView(row, versions)),
    wallets,
    limits: MODES.map((mode) => limitInForceView(mode, limitRowAt(limits, { merchantId, mode }, now))),
    rails,
    keys: MODES.map((mode) => countKeys(keys, mode)),
    people: people.map(personView),
    pins,
  };
}

async function readPinState(pinGuard: PinGuard, tenant: Tenant) {
  const pin = await pinGuard.readPin(tenant);
  return { mode: tenant.mode, isSet: pin !== undefined, lockedUntil: pin?.lockedUntil?.toISOString() ?? null };
}

async function readWallet({ wallets, ledger }: OperatorDeps, merchantId: string, mode: Mode) {
  const tenant = { merchantId, mode };
  const { wallet } = await wallets.requireTenantAccounts(tenant);
  const [total] = await ledger.readWalletTotals([{ tenant, walletId: wallet.id }]);
  return walletView(mode, wallet, total as WalletTotal);
}

function countKeys(keys: readonly ApiKeySummary[], mode: Mode) {
  const active = keys.filter((key) => key.mode === mode && key.state === 'ACTIVE');
  return { mode, active: active.length, rotationDue: active.filter(({ rotationDue }) => rotationDue).length };
}
