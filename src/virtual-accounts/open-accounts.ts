import type { Ledger, Movement } from '../ledger/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';
import type { AccountHolder, OpenAccountAnswer, ReceivingAccount } from '../rails/index.ts';
import {
  insertVirtualAccountNumbers,
  leaseVirtualAccount,
  listDueVirtualAccounts,
  type ReserveNumber,
  updateVirtualAccountsEnded,
  updateVirtualAccountWaiting,
  type VirtualAccountNumberRow,
  type VirtualAccountRow,
  virtualAccountStates,
  type WalletDirectory,
} from '../wallets/index.ts';
import { closeAtProvider, type NotClosed } from './close-account.ts';
import { virtualAccountEnded } from './errors.ts';
import { customerHolder, merchantHolder, missingOf, openIdentity } from './holder.ts';
import { virtualAccountView } from './read-accounts.ts';

export interface OpenAccountsDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  rails: RailDirectory;
  reserveNumber: ReserveNumber;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  onAlarm: OnAlarm | undefined;
  jobs: JobMonitor;
}

/** Asked for at once, by one process and mode. */
const AT_ONCE = 8;
/** Longer than a call to a provider may take. */
const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

/**
 * Asks providers to open the accounts that are due, of one mode, and to close those that are closed here. A request is
 * leased before the provider is asked, and carries our reference: a repeated request gets the same account.
 * @returns how many are done with.
 */
export async function openDueAccounts(deps: OpenAccountsDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const failures = deps.jobs.failuresOf('virtual-accounts.open');
  const due = await deps.database.query(listDueVirtualAccounts, [mode, now, AT_ONCE, failures.backingOffKeys()]);
  const ended = await Promise.all(
    due.map(async (row) => {
      try {
        const isEnded = await openOne(deps, row);
        failures.succeeded(row.id);
        return isEnded;
      } catch (error) {
        // The lease runs out: the provider is asked again, under the same reference.
        failures.failed(row.id, error, {
          message: `an account could not be ${row.status === 'CLOSED' ? 'closed' : 'opened'}`,
          mode,
          merchantId: row.merchant_id,
        });
        return false;
      }
    }),
  );
  return ended.filter(Boolean).length;
}

async function openOne(deps: OpenAccountsDeps, row: VirtualAccountRow): Promise<boolean> {
  const { database, clock } = deps;
  const now = clock.now();
  // What cannot even be asked for is looked at less often each time.
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS + pauseAfter(row.attempts));
  const key = [row.merchant_id, row.mode, row.id];
  const leased = await database.query(leaseVirtualAccount, [...key, row.due_at, leaseEndsAt, now]);
  if (leased.length === 0) return false;
  const asked = row.status === 'CLOSED' ? await closeAtProvider(deps, row, leaseEndsAt) : await askToOpen(deps, row);
  if (asked === undefined) return true;
  const again = new Date(clock.now().getTime() + pauseAfter(row.attempts));
  const waiting = [...key, leaseEndsAt, again, asked.reason, asked.message, clock.now(), row.status];
  await database.query(updateVirtualAccountWaiting, waiting);
  return false;
}

/** @returns why it is to be asked for again; undefined once it is open or refused. */
async function askToOpen(deps: OpenAccountsDeps, row: VirtualAccountRow): Promise<NotClosed | undefined> {
  const tenant = tenantOf(row);
  const asked = await ask(deps, tenant, row);
  if ('outcome' in asked && asked.outcome === 'opened') {
    await opened(deps, tenant, row, asked);
    return undefined;
  }
  if ('outcome' in asked && asked.outcome === 'refused') {
    await end(deps, tenant, row, { to: 'FAILED', reason: asked.reason ?? 'ACCOUNT_REFUSED', message: asked.message });
    return undefined;
  }
  return asked;
}

const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS);

/** Why nobody could be asked. */
interface NotAsked {
  reason: string;
  message: string;
}

async function ask(
  deps: OpenAccountsDeps,
  tenant: Tenant,
  row: VirtualAccountRow,
): Promise<OpenAccountAnswer | NotAsked> {
  const rail = await deps.rails.findRail(tenant.mode, row.rail);
  if (rail?.wallets === undefined) {
    return { reason: 'PROVIDER_UNAVAILABLE', message: 'The provider account cannot be used for account numbers now' };
  }
  const merchant = await requireMerchant(deps.database, tenant.merchantId);
  if (tenant.mode === 'LIVE' && merchant.status !== 'ACTIVE') {
    return { reason: 'MERCHANT_NOT_ACTIVE', message: 'The account number is opened once the merchant is approved' };
  }
  const { holder, lacks } = await holderOf(deps, tenant, { row, merchant });
  const missing = missingOf(holder, rail.wallets.capabilities);
  if (missing.length > 0) {
    const message = lacks(missing.join(' and '));
    return { outcome: 'refused', reason: 'KYC_MISSING', code: null, message, at: deps.clock.now() };
  }
  const reference = row.id.replaceAll('-', '');
  return rail.wallets.openAccount({ tenant, reference, holder, preferredBank: row.preferred_bank });
}

/** In whose name the account is opened, and how it is said what that one lacks. */
async function holderOf(
  { wallets, secrets }: OpenAccountsDeps,
  tenant: Tenant,
  { row, merchant }: { row: VirtualAccountRow; merchant: Awaited<ReturnType<typeof requireMerchant>> },
): Promise<{ holder: AccountHolder; lacks: (what: string) => string }> {
  const customer = customerHolder(row, () => openIdentity(secrets, row));
  if (customer !== undefined) {
    return { holder: customer, lacks: (what) => `The provider needs ${what} of the customer` };
  }
  const wallet = await wallets.findWallet(tenant, row.wallet_id);
  if (wallet === undefined) throw new Error(`${row.wallet_id} is no wallet`);
  const { wallet: main } = await wallets.requireTenantAccounts(tenant);
  const mayShare = wallet.id === main.id || merchant.enable_same_bvn_or_phone_number_for_wallet_creation;
  const holder = merchantHolder(secrets, merchant, { name: wallet.accountName, mayShare });
  return {
    holder,
    lacks: (what) =>
      mayShare
        ? `The provider needs ${what} of the merchant`
        : `The provider needs ${what}, and the merchant's own is not used for this wallet unless the operator allows it`,
  };
}

/** The numbers are reserved in the directory first: a payment may come before the wallet shows them. */
async function opened(
  deps: OpenAccountsDeps,
  tenant: Tenant,
  row: VirtualAccountRow,
  answer: Extract<OpenAccountAnswer, { outcome: 'opened' }>,
): Promise<void> {
  const at = deps.clock.now();
  const accounts: ReceivingAccount[] = [];
  const place = { rail: row.rail, virtual_account_id: row.id, wallet_id: row.wallet_id, opened_at: at };
  for (const account of answer.accounts) {
    const wanted = {
      ...place,
      account_number: account.accountNumber,
      merchant_id: tenant.merchantId,
      mode: tenant.mode,
    };
    if (await deps.reserveNumber(wanted)) accounts.push(account);
    else {
      deps.logger.error(
        { rail: row.rail, virtualAccountId: row.id, accountNumber: account.accountNumber },
        'a provider gave a number that another wallet has',
      );
      deps.onAlarm?.({ alarm: 'ACCOUNT_NUMBER_TAKEN', mode: tenant.mode, rail: row.rail });
    }
  }
  if (accounts.length === 0) {
    const message = 'The provider gave no number that is free';
    await end(deps, tenant, row, { to: 'FAILED', reason: 'ACCOUNT_NUMBER_TAKEN', message });
    return;
  }
  const { providerAccountId } = answer;
  await end(deps, tenant, row, { to: 'OPEN', reason: null, message: null, providerAccountId, accounts });
}

interface Ended {
  to: 'OPEN' | 'FAILED';
  reason: string | null;
  message: string | null;
  providerAccountId?: string;
  accounts?: readonly ReceivingAccount[];
}

/** One movement: the state, the numbers, and the event. Of two workers the second finds it ended. */
async function end(deps: OpenAccountsDeps, tenant: Tenant, row: VirtualAccountRow, ended: Ended): Promise<void> {
  const { merchantId: merchant_id, mode } = tenant;
  const at = deps.clock.now();
  const numbers: VirtualAccountNumberRow[] = (ended.accounts ?? []).map((account) => ({
    merchant_id,
    mode,
    wallet_id: row.wallet_id,
    virtual_account_id: row.id,
    account_number: account.accountNumber,
    bank_code: account.bankCode,
    bank_name: account.bankName,
    account_name: account.accountName,
    opened_at: at,
    closed_at: null,
  }));
  const { message, reason, providerAccountId: provider_account_id = null } = ended;
  const now: VirtualAccountRow = { ...row, status: ended.to, reason, message, updated_at: at };
  const movement: Movement = {
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    transitions: [
      {
        machine: virtualAccountStates,
        id: row.id,
        from: ['REQUESTED'],
        to: ended.to,
        reason,
        refusal: virtualAccountEnded,
      },
    ],
    writes: [
      write(updateVirtualAccountsEnded, { merchant_id, mode, id: row.id, message, provider_account_id }),
      ...numbers.map((number) => write(insertVirtualAccountNumbers, number)),
    ],
    events: [
      {
        id: newId(),
        type: ended.to === 'OPEN' ? 'virtual_account.opened' : 'virtual_account.failed',
        subjectId: row.id,
        data: jsonOf(virtualAccountView(now, numbers)),
      },
    ],
    answer: { message: 'Success' },
  };
  await deps.ledger.commit(movement);
}
