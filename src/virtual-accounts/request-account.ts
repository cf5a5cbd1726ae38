import { type CustomerRow, requireCustomer } from '../customers/index.ts';
import type { CommitResult, IdempotencyKey, Ledger, Movement } from '../ledger/index.ts';
import { internationalNumber } from '../merchants/index.ts';
import { requireOperator } from '../people/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { rowsFor, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { WalletCapabilities } from '../rails/index.ts';
import {
  eraseVirtualAccountIdentities,
  findDefaultWalletProvider,
  findLatestVirtualAccount,
  insertVirtualAccounts,
  requestVirtualAccounts,
  requireWalletId,
  updateVirtualAccountDue,
  type VirtualAccountRow,
  type WalletDirectory,
  type WalletProviderRow,
} from '../wallets/index.ts';
import {
  accountRequestedMeanwhile,
  customerDetailsMissing,
  virtualAccountEnded,
  walletProviderNotSet,
} from './errors.ts';
import { customerHolder, type Identity, missingFields, NO_IDENTITY, openIdentity, sealIdentity } from './holder.ts';
import { readNumbersOf, requireAccount, virtualAccountView } from './read-accounts.ts';

export interface RequestAccountDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  rails: RailDirectory;
  secrets: Secrets;
  clock: Clock;
}

export interface AccountAsked {
  tenant: Tenant;
  /** Undefined: the main wallet. */
  walletId: string | undefined;
  /** For whom; undefined: for the wallet itself. */
  customer: { id: string; identity: Identity } | undefined;
  idempotency: IdempotencyKey | undefined;
}

/** Of unique keys: one request after each that ended, for one wallet or customer at one provider account. */
const REQUEST_SCOPE = 'VIRTUAL_ACCOUNT';
/** Others who ask for the same account at the same moment; each costs one attempt at most. */
const MAX_ATTEMPTS = 10;
/** The bank that is built in: for customers of a sandbox without a provider. */
const SANDBOX_BANK = 'sandbox';

/**
 * Asks the provider of the mode for an account number: of a wallet, for example after what was missing was given, or of a
 * customer, whose payments go to the wallet. Who has one there, or waits for one, gets that one again, also where ten ask
 * at once. It is opened by a worker.
 * @throws AppError 404 `WALLET_NOT_FOUND`, `CUSTOMER_NOT_FOUND`; 422 `WALLET_PROVIDER_NOT_SET`, `CUSTOMER_DETAILS_MISSING`
 */
export async function requestAccount(deps: RequestAccountDeps, asked: AccountAsked): Promise<CommitResult> {
  const request = await requestOf(deps, asked);
  const { walletId, provider, person } = request;
  const { merchantId, mode } = asked.tenant;
  for (let attempt = 1; ; attempt += 1) {
    const place = [merchantId, mode, walletId, provider.rail, person?.id ?? null];
    const [latest] = await deps.database.query(findLatestVirtualAccount, place);
    if (latest?.status === 'REQUESTED' || latest?.status === 'OPEN') return again(deps, asked, latest);
    const row = rowOf(asked.tenant, request, deps.clock.now());
    if (latest === undefined && person === undefined) {
      // As the job does that asks for those who have none: it may be asking just now.
      await deps.database.run(...rowsFor(requestVirtualAccounts, [row]));
      continue;
    }
    requireDetails(row, request);
    try {
      return await deps.ledger.commit(movementOf(deps, asked, { ...request, row, latest }));
    } catch (error) {
      const isRace = error instanceof AppError && error.code === accountRequestedMeanwhile().code;
      if (!isRace || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

interface Request {
  walletId: string;
  person: CustomerRow | undefined;
  identity: Identity;
  provider: WalletProviderRow;
  /** Undefined: the provider account cannot be used now, and nobody knows what it needs. */
  terms: WalletCapabilities | undefined;
}

async function requestOf(deps: RequestAccountDeps, asked: AccountAsked): Promise<Request> {
  const { tenant, customer } = asked;
  const walletId = await requireWalletId(deps.wallets, tenant, asked.walletId);
  const person = customer && (await requireCustomer(deps.database, tenant, customer.id));
  const provider = await providerOf(deps, tenant.mode, person !== undefined);
  const terms = (await deps.rails.findRail(tenant.mode, provider.rail))?.wallets?.capabilities;
  return { walletId, person, identity: customer?.identity ?? NO_IDENTITY, provider, terms };
}

/** No more of a customer is passed on than the provider needs. @throws AppError `VALIDATION_FAILED` for a phone number */
function rowOf(
  { merchantId, mode }: Tenant,
  { walletId, person, provider, terms }: Request,
  at: Date,
): VirtualAccountRow {
  const needsPhone = terms?.needs.includes('PHONE') ?? true;
  const phone = needsPhone ? (person?.phone_number ?? null) : null;
  return {
    merchant_id: merchantId,
    mode,
    id: newId(),
    wallet_id: walletId,
    ...provider,
    status: 'REQUESTED',
    reason: null,
    message: null,
    provider_account_id: null,
    attempts: 0,
    due_at: at,
    requested_at: at,
    updated_at: at,
    customer_id: person?.id ?? null,
    holder_name: person?.name ?? null,
    holder_email: person?.email ?? null,
    holder_phone: phone === null ? null : internationalNumber(phone),
    identity_sealed: null,
    closed_at: null,
  };
}

/** @throws AppError 422 `CUSTOMER_DETAILS_MISSING`: at once, before a provider is asked in vain. */
function requireDetails(row: VirtualAccountRow, { identity, terms }: Request): void {
  const holder = customerHolder(row, () => identity);
  if (holder === undefined || terms === undefined) return;
  const fields = missingFields(holder, terms);
  if (fields.length > 0) throw customerDetailsMissing(fields);
}

async function providerOf(
  { database }: RequestAccountDeps,
  mode: Mode,
  forCustomer: boolean,
): Promise<WalletProviderRow> {
  const [provider] = await database.query(findDefaultWalletProvider, [mode]);
  if (provider !== undefined) return provider;
  if (forCustomer && mode === 'SANDBOX') return { rail: SANDBOX_BANK, preferred_bank: null };
  throw walletProviderNotSet();
}

/** The one that there is. */
async function again(
  { database, ledger }: RequestAccountDeps,
  { tenant, idempotency }: AccountAsked,
  row: VirtualAccountRow,
): Promise<CommitResult> {
  const numbers = await readNumbersOf(database, tenant, [row]);
  const opening = row.status === 'OPEN' ? 'The account number is open' : OPENING;
  const answer = success(opening, virtualAccountView(row, numbers.get(row.id) ?? []));
  return idempotency === undefined || idempotency.key === null
    ? { answer, replayed: false }
    : ledger.remember(tenant, idempotency, answer);
}

const OPENING = 'The account number is being opened';

function movementOf(
  { secrets }: RequestAccountDeps,
  { tenant, idempotency }: AccountAsked,
  { row, identity, terms, latest }: Request & { row: VirtualAccountRow; latest: VirtualAccountRow | undefined },
): Movement {
  const { merchant_id, mode, wallet_id, customer_id, rail } = row;
  const kept: VirtualAccountRow = { ...row, identity_sealed: sealIdentity(secrets, row, { identity, terms }) };
  const owner = `${wallet_id}/${customer_id ?? '-'}/${rail}`;
  return {
    tenant,
    id: row.id,
    occurredAt: row.requested_at.toISOString(),
    idempotency,
    uniqueKeys: [{ scope: REQUEST_SCOPE, value: `${owner}/${latest?.id ?? '-'}`, refusal: accountRequestedMeanwhile }],
    writes: [
      write(insertVirtualAccounts, kept),
      ...(latest?.identity_sealed == null
        ? []
        : [write(eraseVirtualAccountIdentities, { merchant_id, mode, id: latest.id })]),
    ],
    events: [
      { id: newId(), type: 'virtual_account.requested', subjectId: row.id, data: jsonOf(virtualAccountView(kept, [])) },
    ],
    answer: { message: OPENING },
  };
}

/**
 * Asks again for what a provider refused, at the provider account of the mode, with the BVN or NIN that was given then.
 * @throws AppError as `requestAccount`
 */
function requestAgain(deps: RequestAccountDeps, tenant: Tenant, refused: VirtualAccountRow): Promise<CommitResult> {
  const { customer_id: id, wallet_id: walletId } = refused;
  const customer = id === null ? undefined : { id, identity: openIdentity(deps.secrets, refused) };
  return requestAccount(deps, { tenant, walletId, customer, idempotency: undefined });
}

/** `ASKED_NOW`: the provider is asked at once, under the same reference. `REQUESTED`: the wallet has a new request. */
export type RetryResult = 'ASKED_NOW' | 'REQUESTED';

/**
 * One of the operator's people has a provider asked again for an account number that is not open. A request that waits
 * is sent at once, under its reference, so that the number is opened once. For one that was refused, a new request is
 * made at the provider account of the mode, with the customer's BVN or NIN that was given before.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`; 404 `VIRTUAL_ACCOUNT_NOT_FOUND`; 409 `VIRTUAL_ACCOUNT_ENDED` where it is open or
 *   closed by now; 422 `WALLET_PROVIDER_NOT_SET`,
 *   `CUSTOMER_DETAILS_MISSING`; 503 of the ledger.
 */
export async function retryAccount(
  deps: RequestAccountDeps,
  { tenant, virtualAccountId, personId }: { tenant: Tenant; virtualAccountId: string; personId: string },
): Promise<RetryResult> {
  await requireOperator(deps.database, personId);
  const account = await requireAccount(deps.database, tenant, virtualAccountId);
  switch (account.status) {
    case 'REQUESTED':
      await deps.database.query(updateVirtualAccountDue, [
        tenant.merchantId,
        tenant.mode,
        virtualAccountId,
        deps.clock.now(),
      ]);
      return 'ASKED_NOW';
    case 'FAILED':
      await requestAgain(deps, tenant, account);
      return 'REQUESTED';
    case 'OPEN':
    case 'CLOSED':
      throw virtualAccountEnded(account.status);
  }
}
