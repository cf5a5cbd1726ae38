import { type Clock, MINUTE_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { providerWebhookSignatureInvalid } from '../errors.ts';
import { isOurReference, NO_KEY, saidOf } from '../wallet-answers.ts';
import type {
  ConfirmedCredit,
  CreditAnswer,
  CreditKey,
  CreditListRequest,
  CreditPage,
  OpenAccountAnswer,
  OpenAccountRequest,
  OpenedOneTime,
  OpenOneTimeRequest,
  OpenPageAnswer,
  OpenPageRequest,
  PaymentChannel,
  WalletProvider,
} from '../wallet-provider.ts';
import { digitsOf, tenantOfCredit } from './credits.ts';
import { createSandboxDisputes } from './disputes.ts';
import { nextCursor, PAGE_LINES, startOfPage } from './pages.ts';
import { creditStatusAt, storedPayerScenario } from './payer-scenarios.ts';
import {
  type CreditRow,
  findNewestSandboxCredit,
  findSandboxCredit,
  listSandboxCredits,
  updateSandboxCreditQueried,
} from './queries.ts';
import { createSandboxRefunds } from './sandbox-refunds.ts';
import { requireSandbox } from './scenarios.ts';
import { createSandboxSettlements } from './settlements.ts';
import { readSandboxCreditWebhook } from './webhooks.ts';

/** How its page takes payments. */
const PAGE_CHANNELS: readonly PaymentChannel[] = ['CARD', 'BANK_TRANSFER'];
/** Lines on one page of the list. */
const SERIAL_DIGITS = 9;
/** A payer's browser is shown it: it is nobody's name. */
const ONE_TIME_NAME = 'Sandbox Checkout';

/** The bank at which the sandbox's wallets have their numbers. */
export interface SandboxWalletBank {
  code: string;
  name: string;
  /** The last digit of an account number there; undefined where the bank's code has none. */
  checkDigit(bankCode: string, serial: string): string | undefined;
}

/** The address of the page on which a payer of a sandbox pays, as on one of a provider's. */
export type SandboxPage = (tenant: Tenant, reference: string) => string;

interface Deps {
  database: Database;
  clock: Clock;
  bank: SandboxWalletBank;
  /** Where its page for one payment is, by our reference; undefined: it has none. */
  pageOf: SandboxPage | undefined;
  /** Without it no webhook is believed. */
  secret: string | undefined;
  /** What stands before every call: a pause, and whether the caller is still there. */
  begin(signal: AbortSignal): Promise<void>;
  /** That pause is more than none: then there is no account without a call. */
  isSlow: boolean;
}

/**
 * The built-in bank as one at which wallets have account numbers. Accounts need no book: a number follows from our
 * reference. Credits are what its simulated payers paid, in `sandbox_credits`; an id of a credit names the merchant, so a
 * query is one look by its key.
 */
export function createSandboxWallets(deps: Deps): WalletProvider {
  const { pageOf } = deps;
  return {
    capabilities: {
      needs: [],
      takesNin: false,
      closesAccounts: true,
      severalBanks: false,
      queriesBySessionId: false,
      oneTimeAccount: { otherAmounts: 'TAKES', minExpiryMs: 15 * MINUTE_MS, maxExpiryMs: 8 * 60 * MINUTE_MS },
      ...(pageOf !== undefined && { hostedPage: { channels: PAGE_CHANNELS } }),
    },
    async openAccount(request, signal) {
      requireSandbox(request.tenant);
      await deps.begin(signal);
      return openAccount(deps, request);
    },
    async closeAccount(request, signal) {
      requireSandbox(request.tenant);
      await deps.begin(signal);
      return { outcome: 'closed', code: 'CLOSED', reason: null, message: 'Account closed', at: deps.clock.now() };
    },
    async openOneTimeAccount(request, signal) {
      requireSandbox(request.tenant);
      await deps.begin(signal);
      return openOneTimeAccount(deps, request);
    },
    ...(!deps.isSlow && {
      oneTimeAccountOf(request: OpenOneTimeRequest) {
        requireSandbox(request.tenant);
        return openOneTimeAccount(deps, request);
      },
    }),
    ...(pageOf !== undefined && {
      async openPage(request: OpenPageRequest, signal: AbortSignal) {
        requireSandbox(request.tenant);
        await deps.begin(signal);
        return openPage(deps, pageOf, request);
      },
    }),
    async queryCredit(key, signal) {
      await deps.begin(signal);
      return queryCredit(deps, key);
    },
    async listCredits(request, signal) {
      await deps.begin(signal);
      return listCredits(deps, request);
    },
    refunds: createSandboxRefunds(deps),
    async readCreditWebhook(request) {
      if (deps.secret === undefined) throw providerWebhookSignatureInvalid();
      return readSandboxCreditWebhook(deps.secret, request, deps.clock.now());
    },
    disputes: createSandboxDisputes(deps),
    settlements: createSandboxSettlements(deps),
  };
}

function numberOf({ bank }: Deps, reference: string): string {
  const serial = digitsOf(`account/${reference}`, SERIAL_DIGITS);
  return `${serial}${bank.checkDigit(bank.code, serial) ?? '0'}`;
}

function openAccount(deps: Deps, { reference, holder }: OpenAccountRequest): OpenAccountAnswer {
  const { bank, clock } = deps;
  const accountNumber = numberOf(deps, reference);
  return {
    outcome: 'opened',
    accounts: [{ bankCode: bank.code, bankName: bank.name, accountNumber, accountName: holder.name }],
    providerAccountId: reference,
    code: 'OPENED',
    reason: null,
    message: 'Account opened',
    at: clock.now(),
  };
}

/** It takes whatever is paid to the number, and for ever: what an expiry means is decided above. */
function openOneTimeAccount(deps: Deps, { reference, amountMinor, expiresAt }: OpenOneTimeRequest): OpenedOneTime {
  const { bank, clock } = deps;
  const accountNumber = numberOf(deps, reference);
  return {
    outcome: 'opened',
    accounts: [{ bankCode: bank.code, bankName: bank.name, accountNumber, accountName: ONE_TIME_NAME }],
    providerReference: reference,
    expiresAt,
    payableMinor: amountMinor,
    ussdCode: null,
    code: 'OPENED',
    reason: null,
    message: 'Account opened',
    at: clock.now(),
  };
}

/** The page follows from our reference, so that asking twice shows the same; it takes whatever is paid there, and for ever. */
function openPage({ clock }: Deps, pageOf: SandboxPage, { tenant, reference }: OpenPageRequest): OpenPageAnswer {
  return {
    outcome: 'opened',
    url: pageOf(tenant, reference),
    providerReference: reference,
    expiresAt: null,
    code: 'OPENED',
    reason: null,
    message: 'Page opened',
    at: clock.now(),
  };
}

async function queryCredit(deps: Deps, key: CreditKey): Promise<CreditAnswer> {
  const { database, clock } = deps;
  const at = clock.now();
  const providerTransactionId = key.providerTransactionId ?? (await findNewest(deps, key.ourReference));
  if (providerTransactionId === undefined) return readStatus('NOT_FOUND', undefined, at);
  if (providerTransactionId === null) return { outcome: 'unknown', ...saidOf(NO_KEY, null, at) };
  const tenant = tenantOfCredit(providerTransactionId);
  const row = tenant && (await findForQuery(database, tenant, providerTransactionId));
  if (row === undefined) return readStatus('NOT_FOUND', undefined, at);
  return readStatus(creditStatusAt(storedPayerScenario(row.scenario), row, at), row, at);
}

/** What was paid last by our reference: to its number or on its page; null where nothing is known that could be looked for. */
async function findNewest(deps: Deps, ourReference: string | null | undefined): Promise<string | null | undefined> {
  if (ourReference === null || ourReference === undefined) return null;
  const [row] = await deps.database.query(findNewestSandboxCredit, [[numberOf(deps, ourReference), ourReference]]);
  return row?.id;
}

/** With this query counted, where a scenario counts them. */
async function findForQuery(database: Database, tenant: Tenant, id: string): Promise<CreditRow | undefined> {
  const key = [tenant.merchantId, tenant.mode, id];
  const [row] = await database.query(findSandboxCredit, key);
  if (row === undefined || storedPayerScenario(row.scenario).first?.queries === undefined) return row;
  const [counted] = await database.query(updateSandboxCreditQueried, key);
  return counted ?? row;
}

/** What a status of the simulated bank means; one that is not listed is unknown. */
function readStatus(status: string, row: CreditRow | undefined, at: Date): CreditAnswer {
  const said = (reason: string | null, message: string) => saidOf({ reason, message }, status, at);
  if (row !== undefined && status === 'SUCCESS') {
    return { outcome: 'confirmed', credit: creditOf(row), ...said(null, 'Paid') };
  }
  if (row !== undefined && status === 'REVERSED') {
    return { outcome: 'reversed', credit: creditOf(row), ...said('RAIL_REVERSED', 'The money went back') };
  }
  switch (status) {
    case 'FAILED':
      return { outcome: 'failed', ...said('RAIL_REFUSED', 'The transfer failed') };
    case 'PENDING':
      return { outcome: 'pending', ...said('RAIL_PENDING', 'The transfer is in progress') };
    case 'NOT_FOUND':
      return { outcome: 'not_found', ...said('RAIL_RECORD_NOT_FOUND', 'No such credit') };
    default:
      return { outcome: 'unknown', ...said('RAIL_CODE_UNKNOWN', `An unknown status (${status})`) };
  }
}

/** On a page it has our reference in place of a number; a card has no session of the interbank network. */
function creditOf(row: CreditRow): ConfirmedCredit {
  const isOnPage = isOurReference(row.account_number);
  return {
    providerTransactionId: row.id,
    providerReference: null,
    sessionId: sessionIdOf(row),
    accountNumber: isOnPage ? null : row.account_number,
    ...(isOnPage && { accountReference: row.account_number }),
    channel: row.channel,
    amountMinor: row.amount_minor,
    currency: row.currency,
    providerFeeMinor: 0n,
    mode: row.mode,
    paidAt: row.paid_at,
    payerName: row.payer_name,
    payerAccountNumber: row.payer_account_number,
    payerBankName: row.payer_bank_name,
    narration: row.narration,
  };
}

const sessionIdOf = ({ channel, session_id }: CreditRow): string | null => (channel === 'CARD' ? null : session_id);

/** By time. A page may have fewer lines than the books: it leaves out what has not succeeded. */
async function listCredits({ database, clock }: Deps, { from, to, cursor }: CreditListRequest): Promise<CreditPage> {
  const now = clock.now();
  const after = startOfPage({ from, cursor });
  const rows = await database.query(listSandboxCredits, [from, to, after.at, after.id, PAGE_LINES]);
  const succeeded = rows.filter((row) => creditStatusAt(storedPayerScenario(row.scenario), row, now) === 'SUCCESS');
  return {
    credits: succeeded.map((row) => ({
      providerTransactionId: row.id,
      providerReference: null,
      sessionId: sessionIdOf(row),
      amountMinor: row.amount_minor,
      accountNumber: row.account_number,
    })),
    unreadable: [],
    next: nextCursor(rows, (row) => row.paid_at),
  };
}
