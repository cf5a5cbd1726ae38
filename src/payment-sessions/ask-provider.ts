import { write } from '../platform/db/statement.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { OpenOneTimeAnswer, OpenOneTimeRequest, OpenPageAnswer, ReceivingAccount } from '../rails/index.ts';
import { commitChange } from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import {
  insertSessionAccounts,
  leasePaymentSession,
  listDueOpenings,
  type SessionAccountRow,
  type SessionRow,
  updateSessionWaiting,
} from './queries.ts';

/** Asked for at once, by one process and mode. */
const AT_ONCE = 8;
/** Longer than a call to a provider may take. */
export const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const NO_DESCRIPTION = 'Payment';

type Answer = OpenOneTimeAnswer | OpenPageAnswer;
type Opened = Extract<Answer, { outcome: 'opened' }>;

/**
 * Asks providers for the sessions that are due, of one mode. A session is leased before the provider is asked, and carries
 * our reference: whoever asks again, after a crash too, gets the same account.
 * @returns how many were opened or refused.
 */
export async function openDueSessions(deps: SessionDeps, mode: Mode): Promise<number> {
  const now = deps.clock.now();
  const due = await deps.database.query(listDueOpenings, [mode, now, AT_ONCE]);
  const failures = deps.jobs.failuresOf('payment sessions');
  const ended = await Promise.all(
    due.map((row) =>
      openOne(deps, row).catch((error: unknown) => {
        // The lease runs out: it is asked for again, under the same reference.
        const merchantId = row.merchant_id;
        failures.failed(row.id, error, { message: 'a payment session could not be opened', mode, merchantId });
        return false;
      }),
    ),
  );
  return ended.filter(Boolean).length;
}

async function openOne(deps: SessionDeps, row: SessionRow): Promise<boolean> {
  const now = deps.clock.now();
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  const key = [row.merchant_id, row.mode, row.id];
  const leased = await deps.database.query(leasePaymentSession, [...key, row.due_at, leaseEndsAt]);
  if (leased.length === 0) return false;
  if (row.expires_at <= now) {
    return fail(deps, row, { reason: 'NOT_OPENED_IN_TIME', message: 'The provider did not answer in time' });
  }
  return askLeased(deps, { ...row, due_at: leaseEndsAt });
}

/**
 * Asks the provider for a session that the caller has leased: its `due_at` is the lease.
 * @returns whether it was opened or refused; otherwise it is due again soon.
 */
export async function askLeased(deps: SessionDeps, row: SessionRow, signal?: AbortSignal): Promise<boolean> {
  const answer = await ask(deps, row, signal);
  if (answer?.outcome === 'opened') return opened(deps, row, answer);
  if (answer?.outcome === 'refused') {
    return fail(deps, row, { reason: answer.reason ?? 'SESSION_REFUSED', message: answer.message });
  }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.attempts, 20), LONGEST_PAUSE_MS);
  const again = new Date(deps.clock.now().getTime() + pause);
  await deps.database.query(updateSessionWaiting, [row.merchant_id, row.mode, row.id, row.due_at, again]);
  return false;
}

/** Our reference of a session, at its provider. */
export const referenceOf = ({ id }: Pick<SessionRow, 'id'>): string => id.replaceAll('-', '');

/** Undefined where the provider account cannot be used now. */
async function ask(deps: SessionDeps, row: SessionRow, signal: AbortSignal | undefined): Promise<Answer | undefined> {
  const rail = await deps.rails.findRail(row.mode, row.rail);
  if (rail?.wallets === undefined) return undefined;
  const asked: Omit<OpenOneTimeRequest, 'expiresAt'> = {
    tenant: tenantOf(row),
    reference: referenceOf(row),
    payer: { name: row.customer_name, email: row.customer_email, phoneNumber: row.customer_phone },
    amountMinor: row.payable_minor,
    description: row.description ?? NO_DESCRIPTION,
  };
  if (row.opens === 'PAGE') {
    const channels = pageChannelsOf(row);
    return rail.wallets.openPage({ ...asked, channels, returnUrl: row.return_url ?? '' }, signal);
  }
  const { minExpiryMs = 0, maxExpiryMs = Number.POSITIVE_INFINITY } = rail.wallets.capabilities.oneTimeAccount ?? {};
  const now = deps.clock.now().getTime();
  const left = Math.min(Math.max(row.expires_at.getTime() - now, minExpiryMs), maxExpiryMs);
  return rail.wallets.openOneTimeAccount({ ...asked, expiresAt: new Date(now + left) }, signal);
}

function pageChannelsOf({ page_channels }: SessionRow) {
  const named = page_channels.split(' ');
  return (['BANK_TRANSFER', 'CARD', 'USSD'] as const).filter((channel) => named.includes(channel));
}

export const tenantOf = ({ merchant_id, mode }: Pick<SessionRow, 'merchant_id' | 'mode'>): Tenant => ({
  merchantId: merchant_id,
  mode,
});

/** The numbers are reserved in the directory first: a payment may come before the session shows them. */
async function opened(deps: SessionDeps, row: SessionRow, answer: Opened): Promise<boolean> {
  const at = deps.clock.now();
  const offered = 'accounts' in answer ? answer.accounts : [];
  const reserved = await Promise.all(offered.map((account) => reserve(deps, row, account.accountNumber, at)));
  const accounts = offered.filter((_, place) => reserved[place]);
  const isPage = 'url' in answer;
  // What is paid on a page of the provider's carries our reference, and no number of ours.
  if (isPage) await reserve(deps, row, referenceOf(row), at);
  if (!isPage && accounts.length === 0) {
    const message = 'The provider gave no number that is free';
    return fail(deps, row, { reason: 'ACCOUNT_NUMBER_TAKEN', message });
  }
  return keepOpened(deps, row, { answer, accounts, at });
}

/** @returns false where the number is a wallet's. */
function reserve({ reserveNumber }: SessionDeps, row: SessionRow, account_number: string, at: Date): Promise<boolean> {
  const { rail, merchant_id, mode, wallet_id } = row;
  return reserveNumber({
    rail,
    account_number,
    virtual_account_id: row.id,
    merchant_id,
    mode,
    wallet_id,
    opened_at: at,
  });
}

interface OpenedNow {
  answer: Opened;
  accounts: readonly ReceivingAccount[];
  at: Date;
}

async function keepOpened(deps: SessionDeps, row: SessionRow, { answer, accounts, at }: OpenedNow): Promise<boolean> {
  const rows = accounts.map((account) => accountRow(row, account, at));
  const { expiresAt } = answer;
  const ends = expiresAt !== null && expiresAt < row.expires_at ? expiresAt : row.expires_at;
  return commitChange(deps, tenantOf(row), row.id, ({ row: now }) => {
    if (now.status !== 'OPENING') return undefined;
    const payable = 'payableMinor' in answer ? answer.payableMinor : now.payable_minor;
    return {
      at,
      to: now.received_minor > 0n ? 'PARTIALLY_PAID' : 'OPEN',
      fields: {
        message: null,
        payable_minor: payable > now.payable_minor ? payable : now.payable_minor,
        provider_reference: answer.providerReference,
        ussd_code: 'ussdCode' in answer ? answer.ussdCode : null,
        page_url: 'url' in answer ? answer.url : null,
        expires_at: ends,
        due_at: ends,
        opened_at: at,
      },
      accounts: rows,
      writes: rows.map((account) => write(insertSessionAccounts, account)),
      event: 'payment_session.opened',
    };
  });
}

function accountRow(row: SessionRow, account: ReceivingAccount, opened_at: Date): SessionAccountRow {
  return {
    merchant_id: row.merchant_id,
    mode: row.mode,
    session_id: row.id,
    account_number: account.accountNumber,
    bank_code: account.bankCode,
    bank_name: account.bankName,
    account_name: account.accountName,
    opened_at,
  };
}

function fail(
  deps: SessionDeps,
  row: SessionRow,
  { reason, message }: { reason: string; message: string },
): Promise<boolean> {
  const at = deps.clock.now();
  return commitChange(deps, tenantOf(row), row.id, ({ row: now }) =>
    now.status === 'OPENING'
      ? { at, to: 'FAILED', reason, fields: { message }, event: 'payment_session.failed' }
      : undefined,
  );
}
