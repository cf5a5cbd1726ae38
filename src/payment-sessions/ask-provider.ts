import { findCreditRail, isBookedNow, takeCredit } from '../collections/index.ts';
import { write } from '../platform/db/statement.ts';
import { unavailable } from '../platform/errors.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import type {
  OpenedOneTime,
  OpenOneTimeAnswer,
  OpenOneTimeRequest,
  OpenPageAnswer,
  ReceivingAccount,
  WalletCaller,
} from '../rails/index.ts';
import { commitChange, type ReadSession, type SessionChange } from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import { type DueJob, runDueSessions } from './end-session.ts';
import { sessionCheckedLately } from './errors.ts';
import {
  insertSessionAccounts,
  leasePaymentSession,
  listDueOpenings,
  type SessionAccountRow,
  type SessionRow,
  updateSessionChecked,
  updateSessionWaiting,
} from './queries.ts';
import { requireSession } from './read-sessions.ts';

const OPENINGS: DueJob = {
  name: 'payment-sessions.open',
  message: 'a payment session could not be opened',
  due: listDueOpenings,
  ofMerchant: 8,
  ofAll: 32,
};
/** Longer than a call to a provider may take. */
export const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const NO_DESCRIPTION = 'Payment';

type Answer = OpenOneTimeAnswer | OpenPageAnswer;
export type Opened = Extract<Answer, { outcome: 'opened' }>;

/**
 * Asks providers for the sessions that are due, of one mode. A session is leased before the provider is asked, and
 * carries our reference: a repeated request, after a crash or a failure too, gets the same account.
 * @returns how many were opened or refused.
 */
export function openDueSessions(deps: SessionDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  return runDueSessions(deps, mode, { ...OPENINGS, stopped }, (row) => openOne(deps, row));
}

async function openOne(deps: SessionDeps, { merchant_id, mode, id, due_at }: SessionRow): Promise<boolean> {
  const now = deps.clock.now();
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  const [row] = await deps.database.query(leasePaymentSession, [merchant_id, mode, id, due_at, leaseEndsAt, now]);
  if (row === undefined) return false;
  if (row.expires_at <= now) {
    const why = { reason: 'NOT_OPENED_IN_TIME', message: 'The provider did not answer in time' };
    return (await fail(deps, row, why)) !== undefined;
  }
  return (await askLeased(deps, row)) !== undefined;
}

/**
 * Asks the provider for a session that is being opened and that the caller has leased: its `due_at` is the lease.
 * @returns the session where it was opened or refused; otherwise it is due again soon.
 */
export async function askLeased(
  deps: SessionDeps,
  row: SessionRow,
  signal?: AbortSignal,
): Promise<ReadSession | undefined> {
  const answer = await ask(deps, row, signal);
  if (answer?.outcome === 'opened') return applyOpened(deps, row, answer);
  if (answer?.outcome === 'refused') {
    return fail(deps, row, { reason: answer.reason ?? 'SESSION_REFUSED', message: answer.message });
  }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.attempts, 20), LONGEST_PAUSE_MS);
  const again = new Date(deps.clock.now().getTime() + pause);
  await deps.database.query(updateSessionWaiting, [row.merchant_id, row.mode, row.id, row.due_at, again]);
  return undefined;
}

/** The reference that we give the provider for a session. */
const referenceOf = ({ id }: Pick<SessionRow, 'id'>): string => id.replaceAll('-', '');

/** Asks the provider. Undefined where the provider account cannot be used now. */
async function ask(deps: SessionDeps, row: SessionRow, signal: AbortSignal | undefined): Promise<Answer | undefined> {
  const rail = await deps.rails.findRail(row.mode, row.rail);
  if (rail?.wallets === undefined) return undefined;
  if (row.opens === 'PAGE') {
    const channels = pageChannelsOf(row);
    return rail.wallets.openPage({ ...requestOf(row), channels, returnUrl: row.return_url ?? '' }, signal);
  }
  return rail.wallets.openOneTimeAccount(oneTimeRequestOf(row, rail.wallets, deps.clock.now()), signal);
}

function requestOf(row: SessionRow): Omit<OpenOneTimeRequest, 'expiresAt'> {
  return {
    tenant: tenantOf(row),
    reference: referenceOf(row),
    payer: { name: row.customer_name, email: row.customer_email, phoneNumber: row.customer_phone },
    amountMinor: row.payable_minor,
    description: row.description ?? NO_DESCRIPTION,
  };
}

function oneTimeRequestOf(row: SessionRow, { capabilities }: WalletCaller, at: Date): OpenOneTimeRequest {
  const { minExpiryMs = 0, maxExpiryMs = Number.POSITIVE_INFINITY } = capabilities.oneTimeAccount ?? {};
  const now = at.getTime();
  const left = Math.min(Math.max(row.expires_at.getTime() - now, minExpiryMs), maxExpiryMs);
  return { ...requestOf(row), expiresAt: new Date(now + left) };
}

/** The account of a session where it follows from the session; undefined where the provider has to be asked. */
export function knownAccountOf(row: SessionRow, wallets: WalletCaller, at: Date): OpenedOneTime | undefined {
  return row.opens === 'PAGE' ? undefined : wallets.oneTimeAccountOf(oneTimeRequestOf(row, wallets, at));
}

function pageChannelsOf({ page_channels }: SessionRow) {
  const named = page_channels.split(' ');
  return (['BANK_TRANSFER', 'CARD', 'USSD'] as const).filter((channel) => named.includes(channel));
}

/**
 * Keeps the accounts of an answer. Their numbers are reserved in the directory first, because a payment may come before
 * the session shows them.
 */
async function applyOpened(deps: SessionDeps, row: SessionRow, answer: Opened): Promise<ReadSession | undefined> {
  const at = deps.clock.now();
  const offered = 'accounts' in answer ? answer.accounts : [];
  const reserved = await Promise.all(offered.map((account) => reserve(deps, row, account.accountNumber, at)));
  const accounts = offered.filter((_, place) => reserved[place]);
  for (const { accountNumber } of offered.filter((_, place) => !reserved[place])) alarmTaken(deps, row, accountNumber);
  const isPage = 'url' in answer;
  // A payment on the provider's own page carries our reference, and no account number of ours.
  if (isPage) await reserve(deps, row, referenceOf(row), at);
  if (!isPage && accounts.length === 0) {
    const message = 'The provider gave no number that is free';
    return fail(deps, row, { reason: 'ACCOUNT_NUMBER_TAKEN', message });
  }
  return keepOpened(deps, row, { answer, accounts, at });
}

function alarmTaken({ logger, onAlarm }: SessionDeps, { id, mode, rail }: SessionRow, accountNumber: string): void {
  logger.error({ rail, sessionId: id, accountNumber }, 'a provider gave a number that another wallet has');
  onAlarm?.({ alarm: 'ACCOUNT_NUMBER_TAKEN', mode, rail });
}

/**
 * Reserves a number in the directory.
 * @returns false where the number is a wallet's.
 */
function reserve({ reserveNumber }: SessionDeps, row: SessionRow, account_number: string, at: Date): Promise<boolean> {
  return reserveNumber(numberOf(row, account_number, at));
}

/** The entry of the directory for a number of a session. */
export function numberOf({ rail, id, merchant_id, mode, wallet_id }: SessionRow, account_number: string, at: Date) {
  return { rail, account_number, virtual_account_id: id, merchant_id, mode, wallet_id, opened_at: at };
}

interface OpenedNow {
  answer: Opened;
  accounts: readonly ReceivingAccount[];
  at: Date;
}

function keepOpened(deps: SessionDeps, row: SessionRow, opened: OpenedNow): Promise<ReadSession | undefined> {
  return changeOpening(deps, row, (now) => openedChange(now, opened));
}

/** The change that makes a session payable that is being opened. */
export function openedChange(now: SessionRow, { answer, accounts, at }: OpenedNow): SessionChange {
  const rows = accounts.map((account) => accountRow(now, account, at));
  const { expiresAt } = answer;
  const payable = 'payableMinor' in answer ? answer.payableMinor : now.payable_minor;
  const isPartlyPaid = now.received_minor > 0n;
  return {
    at,
    to: isPartlyPaid ? 'PARTIALLY_PAID' : 'OPEN',
    fields: {
      message: null,
      payable_minor: payable > now.payable_minor ? payable : now.payable_minor,
      provider_reference: answer.providerReference,
      ussd_code: 'ussdCode' in answer ? answer.ussdCode : null,
      page_url: 'url' in answer ? answer.url : null,
      expires_at: expiresAt !== null && expiresAt < now.expires_at ? expiresAt : now.expires_at,
      opened_at: at,
    },
    accounts: rows,
    writes: rows.map((account) => write(insertSessionAccounts, account)),
    events: isPartlyPaid ? ['payment_session.opened', 'payment_session.partially_paid'] : ['payment_session.opened'],
  };
}

/** Changes a session while it is being opened; later nothing is changed. It has no accounts until then. */
function changeOpening(
  deps: SessionDeps,
  row: SessionRow,
  plan: (now: SessionRow) => SessionChange,
): Promise<ReadSession | undefined> {
  return commitChange(
    deps,
    { tenant: tenantOf(row), sessionId: row.id },
    ({ row: now }) => (now.status === 'OPENING' ? plan(now) : undefined),
    { row, accounts: [] },
  );
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
): Promise<ReadSession | undefined> {
  const at = deps.clock.now();
  return changeOpening(deps, row, () => ({
    at,
    to: 'FAILED',
    reason,
    fields: { message },
    events: ['payment_session.failed'],
  }));
}

/** For all callers together, the provider is asked about one session no more often than this. */
const CHECK_EVERY_MS = 10_000;

interface CheckedSession {
  /** The provider confirmed a payment just now. */
  found: boolean;
  session: ReadSession;
}

/**
 * "I have sent the money": asks the provider now, by our reference, and books what it confirms. A session that is paid, or
 * not open yet, is answered as it is.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `PAYMENT_SESSION_CHECKED_LATELY`, `SERVICE_UNAVAILABLE`
 */
export async function checkSession(deps: SessionDeps, tenant: Tenant, sessionId: string): Promise<CheckedSession> {
  const session = await requireSession(deps, tenant, sessionId);
  const { row } = session;
  if (row.status === 'PAID' || row.opened_at === null) return { found: false, session };
  await takeTurn(deps, tenant, sessionId);
  const rail = await findCreditRail(deps.rails, tenant.mode, row.rail);
  if (rail === undefined) throw unavailable('The provider cannot be asked at the moment. Please try again shortly.');
  const hint = {
    providerTransactionId: null,
    providerReference: null,
    sessionId: null,
    ourReference: referenceOf(row),
    amountMinor: null,
    accountNumber: null,
  };
  const taken = await takeCredit(deps, rail, hint, { source: 'CHECK' });
  return { found: isBookedNow(taken), session: await requireSession(deps, tenant, sessionId) };
}

async function takeTurn({ database, clock }: SessionDeps, { merchantId, mode }: Tenant, id: string): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - CHECK_EVERY_MS);
  const mine = await database.query(updateSessionChecked, [merchantId, mode, id, now, before]);
  if (mine.length === 0) throw sessionCheckedLately(CHECK_EVERY_MS / 1_000);
}
