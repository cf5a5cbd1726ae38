import { createHmac, randomUUID } from 'node:crypto';
import type { ProviderWebhookRequest } from '../../../src/rails/index.ts';
import type { FalseFacts, WebhookFacts } from '../harness.ts';
import { ok, refusal } from './monnify-envelope.ts';
import { createMonnifyWalletsServer, type MonnifyWallets, monnifyWalletStage } from './monnify-wallets-server.ts';
import { type Handled, type ProviderResponse, type Seen, type Stage, type StandIn, startStandIn } from './stand-in.ts';

export { refusal };

export const API_KEY = 'MK_TEST_0123456789';
export const SECRET_KEY = '0123456789ABCDEFGHIJKLMNOPQRSTUV';
export const WALLET = '8016472829';
export const SESSION_ID = '090405210317032336726272971260';
const TOKEN_SECONDS = 3_600;

/** What becomes of a transfer to an account; any other account is paid. */
export const ACCOUNTS = {
  plain: '2085096393',
  nameNotFound: '0000000404',
  failed: '0000000400',
  /** Executed, and no answer. */
  unansweredExecuted: '0000000201',
  /** Never seen, and no answer. */
  unansweredLost: '0000000202',
  pending: '0000000203',
  unlisted: '0000000299',
} as const;

export interface MonnifyTransferRow {
  reference: string;
  transactionReference: string;
  accountNumber: string;
  bankCode: string;
  amountMinor: bigint;
  currency: string;
  narration: string;
  status: string;
  description: string;
}

export interface MonnifyServer extends StandIn {
  transfers: Map<string, MonnifyTransferRow>;
  books: {
    balanceMinor: bigint;
    /** In place of the balance: documented as text, seen as a number. */
    balanceShown?: unknown;
    /** While above zero, that many queries find nothing. */
    validating: number;
    /** What every new reference is refused with. */
    refusal: { status: number; code: string; message: string } | undefined;
    /** The status that a transfer to the plain account gets. */
    ending: { status: string; description: string } | undefined;
    /** D07: the same amount to the same account, whatever the reference, looked at before the reference is. */
    duplicateWindow: boolean;
  };
  /** The other role of the account. */
  wallets: MonnifyWallets;
  falseFacts: FalseFacts;
  logins(): number;
  /** As after a restart over there: no token is good any more. */
  forgetTokens(): void;
  executions(reference: string): number;
  providerWebhook(facts: WebhookFacts): ProviderWebhookRequest;
  signed(rawBody: Buffer, secretKey?: string): ProviderWebhookRequest;
}

/** Stands in for sandbox.monnify.com: login, single disbursements, account validation, wallet balance. */
export async function startMonnifyServer(): Promise<MonnifyServer> {
  const transfers = new Map<string, MonnifyTransferRow>();
  const tokens = new Set<string>();
  const wallets = createMonnifyWalletsServer();
  let logins = 0;
  const falseFacts: FalseFacts = {};
  const asReported = (row: MonnifyTransferRow): MonnifyTransferRow => ({ ...row, ...falseFacts });
  const books: MonnifyServer['books'] = {
    balanceMinor: 900_000_000_000_000n,
    validating: 0,
    refusal: undefined,
    ending: undefined,
    duplicateWindow: false,
  };

  function handle(seen: Seen): Handled {
    if (seen.path === '/api/v1/auth/login') return logIn(seen);
    if (!tokens.has(seen.headers.authorization ?? '')) return UNAUTHORISED;
    switch (`${seen.method} ${seen.path}`) {
      case 'GET /api/v1/disbursements/account/validate':
        return validate(seen);
      case 'POST /api/v2/disbursements/single':
        return transfer(seen);
      case 'GET /api/v2/disbursements/single/summary':
        return summary(seen.query.get('reference') ?? '');
      case 'GET /api/v2/disbursements/wallet-balance':
        if (seen.query.get('accountNumber') !== WALLET) return refusal(404, '99', 'Unknown wallet');
        return ok({
          availableBalance: books.balanceShown ?? naira(books.balanceMinor).toFixed(2),
          ledgerBalance: '80000000.00',
        });
      default:
        return (
          wallets.handle(seen) ?? {
            status: 404,
            body: { timestamp: '2026-11-20T09:00:00', status: 404, error: 'Not Found' },
          }
        );
    }
  }

  function logIn({ headers }: Seen): Handled {
    logins += 1;
    const expected = Buffer.from(`${API_KEY}:${SECRET_KEY}`).toString('base64');
    if (headers.authorization !== `Basic ${expected}`) return refusal(401, '99', 'Invalid client credentials');
    const accessToken = randomUUID();
    tokens.add(`Bearer ${accessToken}`);
    return ok({ accessToken, expiresIn: TOKEN_SECONDS });
  }

  function validate({ query }: Seen): Handled {
    const accountNumber = query.get('accountNumber') ?? '';
    if (accountNumber === ACCOUNTS.nameNotFound) return refusal(404, '99', 'Invalid account details supplied');
    return ok({ accountNumber, accountName: 'MARVELOUS BENJI', bankCode: query.get('bankCode') });
  }

  function transfer({ body, text }: Seen): Handled {
    const amountMinor = amountIn(text);
    if (amountMinor === undefined) return refusal(400, 'D01', 'Invalid amount');
    if (!body.destinationAccountName) return refusal(400, '99', 'destinationAccountName is required');
    if (body.sourceAccountNumber !== WALLET) return refusal(400, 'D01', 'Supplied account number is not yours');
    const sameMoney = [...transfers.values()].some(
      (row) => row.accountNumber === body.destinationAccountNumber && row.amountMinor === amountMinor,
    );
    if (books.duplicateWindow && sameMoney) return refusal(400, 'D07', 'Duplicate request');
    if (transfers.has(body.reference)) return refusal(400, 'D05', 'Supplied reference already exists!');
    if (books.refusal !== undefined) {
      return refusal(books.refusal.status, books.refusal.code, books.refusal.message);
    }
    if (body.destinationAccountNumber === ACCOUNTS.unansweredLost) return 'no answer';
    const made: MonnifyTransferRow = {
      reference: body.reference,
      transactionReference: `MFDS|20261120|${String(transfers.size).padStart(6, '0')}`,
      accountNumber: body.destinationAccountNumber,
      bankCode: body.destinationBankCode,
      amountMinor,
      currency: body.currency,
      narration: body.narration,
      ...(END[body.destinationAccountNumber] ?? books.ending ?? PAID),
    };
    transfers.set(made.reference, made);
    if (PAYING.has(made.status)) books.balanceMinor -= amountMinor;
    return made.accountNumber === ACCOUNTS.unansweredExecuted ? 'no answer' : ok(sentView(asReported(made)));
  }

  function summary(reference: string): Handled {
    const found = transfers.get(reference);
    if (found === undefined || books.validating > 0) {
      books.validating = Math.max(books.validating - 1, 0);
      return refusal(404, 'D02', 'Could not find disbursement transaction for given reference');
    }
    return ok(summaryView(asReported(found)));
  }

  const signed = (rawBody: Buffer, secretKey = SECRET_KEY): ProviderWebhookRequest => ({
    headers: {
      'content-type': 'application/json',
      'monnify-signature': createHmac('sha512', secretKey).update(rawBody).digest('hex'),
    },
    rawBody,
  });
  return {
    ...(await startStandIn(stageOf, handle)),
    transfers,
    books,
    wallets,
    falseFacts,
    logins: () => logins,
    forgetTokens: () => tokens.clear(),
    executions: (reference) => (PAYING.has(transfers.get(reference)?.status ?? '') ? 1 : 0),
    signed,
    providerWebhook: (facts) => signed(Buffer.from(JSON.stringify(webhookOf(facts, falseFacts)))),
  };
}

type End = Pick<MonnifyTransferRow, 'status' | 'description'>;

const PAYING: ReadonlySet<string> = new Set(['SUCCESS', 'COMPLETED']);
const PAID: End = { status: 'SUCCESS', description: 'Approved or completed successfully' };
const END: Readonly<Record<string, End>> = {
  [ACCOUNTS.failed]: { status: 'FAILED', description: 'Dormant beneficiary account' },
  [ACCOUNTS.pending]: { status: 'PENDING', description: '' },
  [ACCOUNTS.unlisted]: { status: 'GONE_FISHING', description: '' },
};

const UNAUTHORISED: ProviderResponse = {
  status: 401,
  body: { error: 'invalid_token', error_description: 'Access token expired' },
};

function stageOf(seen: Seen): Stage | undefined {
  switch (seen.path) {
    case '/api/v1/auth/login':
      return 'prepare';
    case '/api/v1/disbursements/account/validate':
      return 'nameEnquiry';
    case '/api/v2/disbursements/single':
      return 'send';
    case '/api/v2/disbursements/single/summary':
      return 'query';
    case '/api/v2/disbursements/wallet-balance':
      return 'balance';
    default:
      return monnifyWalletStage(seen);
  }
}

/** The digits as they came, read without a float: at most two decimals, as the provider books them. */
function amountIn(text: string): bigint | undefined {
  const match = /"amount":(\d+)(?:\.(\d{1,2}))?[,}]/.exec(text);
  return match === null ? undefined : BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}

function naira(amountMinor: bigint): number {
  const digits = amountMinor.toString().padStart(3, '0');
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** The answer to a send has no text that says why. */
function sentView(row: MonnifyTransferRow) {
  return {
    amount: naira(row.amountMinor),
    reference: row.reference,
    status: row.status,
    dateCreated: '2026-11-20T09:00:00.000+0000',
    totalFee: 0,
    ...(PAYING.has(row.status) ? { sessionId: SESSION_ID } : {}),
    destinationAccountName: 'MARVELOUS BENJI',
    destinationBankName: 'Zenith bank',
    destinationAccountNumber: row.accountNumber,
    destinationBankCode: row.bankCode,
  };
}

function summaryView(row: MonnifyTransferRow) {
  return {
    ...sentView(row),
    narration: row.narration,
    currency: row.currency,
    fee: 8,
    twoFaEnabled: false,
    transactionDescription: row.description,
    transactionReference: row.transactionReference,
    createdOn: '2026-11-20T09:00:00.000+0000',
    sourceAccountNumber: WALLET,
  };
}

const EVENTS = {
  succeeded: { eventType: 'SUCCESSFUL_DISBURSEMENT', status: 'SUCCESS', description: 'Approved' },
  failed: { eventType: 'FAILED_DISBURSEMENT', status: 'FAILED', description: 'Dormant beneficiary account' },
  reversed: { eventType: 'REVERSED_DISBURSEMENT', status: 'REVERSED', description: '' },
} as const;

export function webhookOf({ railReference, amountMinor, outcome, account }: WebhookFacts, falseFacts: FalseFacts = {}) {
  const { eventType, status, description } = EVENTS[outcome];
  return {
    eventType,
    eventData: {
      amount: naira(falseFacts.amountMinor ?? amountMinor),
      transactionReference: `MFDS|20261120|${railReference.slice(0, 8)}`,
      fee: 8,
      transactionDescription: description,
      destinationAccountNumber: falseFacts.accountNumber ?? account?.accountNumber ?? ACCOUNTS.plain,
      sessionId: outcome === 'failed' ? '' : SESSION_ID,
      createdOn: '20/11/2026 9:00:00 AM',
      destinationAccountName: 'MARVELOUS BENJI',
      reference: falseFacts.reference ?? railReference,
      destinationBankCode: account?.bankCode ?? '057',
      completedOn: '20/11/2026 9:00:06 AM',
      narration: 'conformance',
      currency: falseFacts.currency ?? 'NGN',
      destinationBankName: 'Zenith bank',
      status,
    },
  };
}
