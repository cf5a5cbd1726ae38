import { requireAccountOwner } from '../bank-directory/index.ts';
import type { Banks } from '../banks/index.ts';
import { notifyOwners } from '../mail/index.ts';
import {
  bvnColumns,
  changeMerchantDetails,
  changeMerchantStatus,
  createMerchant,
  enableServices,
  internationalNumber,
  lockMerchant,
  type NewMerchant,
  requireMerchant,
  type ServiceKey,
} from '../merchants/index.ts';
import { type Clock, lagosClock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import { openMerchantWallets, type WalletBank } from '../wallets/index.ts';
import { atField, bankUnknown, onboardingIncomplete, onboardingUnchanged } from './errors.ts';
import { upsertOnboarding } from './queries.ts';
import { changesAccount, factsOf, hasNews, noteReview, readReviewState, requireOpen } from './review-state.ts';
import type { BasicDetails, BusinessDetails, DirectorDetails, SettlementAccount } from './schemas.ts';
import type { Changes } from './steps.ts';

/**
 * Keeps what was given of a step; what was left out stays. Before the first approval it is in force at once. What an
 * accepted merchant gives is kept beside the profile until the operator accepts it.
 * @throws AppError 404 `MERCHANT_NOT_FOUND`; 409 `ONBOARDING_WAITING`, `ONBOARDING_CLOSED`; 503 where it is not known
 *   whether it was saved.
 */
export async function saveStep(
  deps: { database: Database; clock: Clock },
  merchantId: string,
  saved: Changes,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    requireOpen(merchant);
    const state = await readReviewState(tx, merchant);
    const now = deps.clock.now();
    if (merchant.status === 'ACTIVE') {
      const changes: Changes = {
        merchant: differing({ ...state.changes.merchant, ...saved.merchant }, merchant),
        details: differing({ ...state.changes.details, ...saved.details }, state.details),
      };
      await tx.query(upsertOnboarding, [merchantId, state.details, changes, now]);
      return;
    }
    await changeMerchantDetails(tx, merchantId, saved.merchant);
    await tx.query(upsertOnboarding, [merchantId, { ...state.details, ...saved.details }, {}, now]);
    await noteReview(tx, await lockMerchant(tx, merchantId));
  });
}

/** What is in force already is no change, and what is put back is none any more. */
function differing<T extends object>(wanted: T, inForce: Partial<Record<keyof T, unknown>>): T {
  const entries = Object.entries(wanted).filter(([name, value]) => (inForce[name as keyof T] ?? '') !== value);
  return Object.fromEntries(entries) as T;
}

/**
 * Puts the details before the operator; they are locked until it has decided. An accepted merchant submits what it wants
 * changed, and goes on as it is meanwhile.
 * @param input.actor who submits, for the history.
 * @throws AppError 422 `ONBOARDING_INCOMPLETE` naming what is missing; 409 `ONBOARDING_WAITING` for a second submission,
 *   `ONBOARDING_CLOSED`, `ONBOARDING_UNCHANGED`.
 */
export async function submitOnboarding(
  deps: { database: Database; secrets: Secrets; clock: Clock },
  input: { merchantId: string; actor: string },
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    requireOpen(merchant);
    const state = await readReviewState(tx, merchant);
    if (state.steps.some(({ done }) => !done)) {
      throw onboardingIncomplete(state.steps.flatMap(({ problems }) => problems));
    }
    if (merchant.status === 'ACTIVE' && !hasNews(state)) throw onboardingUnchanged();
    const action = merchant.status === 'ACTIVE' ? 'submit-changes' : 'submit';
    const facts = factsOf(state);
    await changeMerchantStatus({ queries: tx, clock: deps.clock }, action, { ...input, facts });
    if (merchant.status !== 'ACTIVE' || !changesAccount(state)) return;
    const { settlementAccountNumber: number, settlementBankName: bank } = state.given.details;
    const on = { queries: tx, secrets: deps.secrets, clock: deps.clock };
    await notifyOwners(on, merchant.id, (businessName) => ({
      subject: `Another settlement account of ${businessName} is under review`,
      paragraphs: [
        `${input.actor} asked on ${lagosClock(deps.clock.now())} Lagos time that collections of ${businessName} go to the account ${number} at ${bank}.`,
        'Two of the operator\u2019s people look at it, and for a while after that nothing is settled. If nobody of your business was to change it, contact the operator now.',
      ],
    }));
  });
}

/** What a business can try at once; the operator switches on the rest. */
const FIRST_SERVICES: readonly ServiceKey[] = ['PAYOUT', 'BRANCH', 'CHILD_ACCOUNT'];

/**
 * A business as it signs up: `PENDING`, with wallets in both modes and the services to try the sandbox with. All of it
 * commits with the caller's transaction.
 * @throws AppError 400 naming the field that is wrong.
 */
export async function openMerchant(
  deps: { secrets: Secrets; clock: Clock; walletBank: WalletBank },
  tx: Tx,
  profile: NewMerchant,
): Promise<{ merchantId: string }> {
  const queries = { queries: tx, clock: deps.clock };
  const { merchantId } = await createMerchant({ ...queries, secrets: deps.secrets }, profile);
  const merchant = { id: merchantId, businessName: profile.businessName };
  await openMerchantWallets(tx, deps.walletBank, merchant, deps.clock.now());
  await enableServices(queries, { merchantId, services: FIRST_SERVICES });
  return { merchantId };
}

/** A director of a company has to be of age. */
const MIN_AGE_YEARS = 18;
const MAX_AGE_YEARS = 120;

export function basicChanges(body: BasicDetails): Changes {
  return {
    merchant: present({
      business_name: body.businessName?.trim(),
      business_type: body.businessType,
      business_category: body.businessCategory?.trim(),
      email: body.email?.trim().toLowerCase(),
      phone_number: body.phoneNumber === undefined ? undefined : internationalNumber(body.phoneNumber),
    }),
    details: {},
  };
}

export function businessChanges(body: BusinessDetails): Changes {
  return {
    merchant: present({
      registration_number:
        body.registrationNumber === undefined ? undefined : registrationNumber(body.registrationNumber),
      address: body.address?.trim(),
      city: body.city?.trim(),
      state: body.state?.trim(),
      country: body.country?.trim(),
      postal_code: body.postalCode?.trim(),
    }),
    details: {},
  };
}

/** As it is written most: `RC: 1234567` is `RC1234567`, and the `CAC/IT/NO 12345` of older certificates `IT12345`. */
function registrationNumber(given: string): string {
  return given
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^CAC(?=[A-Z])/, '')
    .replace(/^([A-Z]{2,3})NO(?=\d)/, '$1');
}

/** The BVN is sealed here, before anything keeps it. The empty text leaves the one that was given before. */
export function directorChanges(
  deps: { secrets: Secrets; clock: Clock },
  merchantId: string,
  body: DirectorDetails,
): Changes {
  const { bvn, directorDateOfBirth: born } = body;
  if (born !== undefined && born !== '') checkAge(born, deps.clock.now());
  const sealed = bvn === undefined || bvn === '' ? {} : bvnColumns(deps.secrets, merchantId, bvn);
  return {
    merchant: { ...present({ director_date_of_birth: born }), ...sealed },
    details: present({
      directorFirstName: body.directorFirstName?.trim(),
      directorLastName: body.directorLastName?.trim(),
    }),
  };
}

/** JavaScript reads 30 February as 2 March. */
function checkAge(born: string, now: Date): void {
  const day = new Date(`${born}T00:00:00Z`);
  if (day.toJSON()?.slice(0, 10) !== born) throw invalidField('directorDateOfBirth', 'must be a date, YYYY-MM-DD');
  const birthday = (years: number) => {
    const at = new Date(day);
    at.setUTCFullYear(at.getUTCFullYear() + years);
    return at;
  };
  if (birthday(MIN_AGE_YEARS) > now)
    throw invalidField('directorDateOfBirth', `must be of somebody who is ${MIN_AGE_YEARS} or older`);
  if (birthday(MAX_AGE_YEARS) < now) throw invalidField('directorDateOfBirth', 'must be of somebody who is alive');
}

/** Without what was left out. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

export interface SettlementDeps {
  database: Database;
  clock: Clock;
  banks: Banks;
  rails: { listRails(tenant: Tenant): Promise<readonly RailCaller[]> };
}

/** `PARTIAL`: bank or number is still to come. `UNVERIFIED`: no bank said whose account it is. */
export type Verification = 'VERIFIED' | 'UNVERIFIED' | 'PARTIAL';

/**
 * Keeps the account that settlements go to, with the name that its bank gives, asked in the mode of the person. Where no
 * bank can be asked it is kept unverified, which the operator sees.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, each at its field; as `saveStep`.
 */
export async function saveSettlementAccount(
  deps: SettlementDeps,
  tenant: Tenant,
  body: SettlementAccount,
): Promise<Verification> {
  const merchant = await requireMerchant(deps.database, tenant.merchantId);
  requireOpen(merchant);
  const { details } = (await readReviewState(deps.database, merchant)).given;
  const bankCode = body.bankCode ?? details.settlementBankCode ?? '';
  const accountNumber = body.accountNumber ?? details.settlementAccountNumber ?? '';
  const bankName = bankCode === '' ? '' : await requireBankName(deps.banks, bankCode);
  const isWhole = bankCode !== '' && accountNumber !== '';
  const accountName = isWhole ? await askBank(deps, tenant, bankCode, accountNumber) : undefined;
  const account = {
    settlementBankCode: bankCode,
    settlementBankName: bankName,
    settlementAccountNumber: accountNumber,
    settlementAccountName: accountName ?? '',
    settlementVerifiedIn: accountName === undefined ? '' : tenant.mode,
  };
  await saveStep(deps, tenant.merchantId, { merchant: {}, details: account });
  if (!isWhole) return 'PARTIAL';
  return accountName === undefined ? 'UNVERIFIED' : 'VERIFIED';
}

async function requireBankName(banks: Banks, bankCode: string): Promise<string> {
  const bank = await banks.findBank(bankCode);
  if (bank === undefined || !bank.active) throw bankUnknown(bankCode);
  return bank.name;
}

/** Undefined where nobody could say, which does not mean that there is no such account. */
async function askBank(
  deps: SettlementDeps,
  tenant: Tenant,
  bankCode: string,
  accountNumber: string,
): Promise<string | undefined> {
  try {
    const [rail] = await deps.rails.listRails(tenant);
    if (rail === undefined) return undefined;
    const question = { tenant, bankCode, accountNumber, scenario: undefined };
    return (await requireAccountOwner({ banks: deps.banks, rail }, question)).accountName;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === 'unavailable') return undefined;
    throw error.code === 'ACCOUNT_NOT_FOUND' ? atField(error, 'accountNumber') : error;
  }
}
