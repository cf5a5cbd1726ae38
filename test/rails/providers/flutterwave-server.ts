import type { ProviderWebhookRequest } from '../../../src/rails/index.ts';
import type { FalseFacts, WebhookFacts } from '../harness.ts';
import {
  createFlutterwaveWalletsServer,
  type FlutterwaveWallets,
  flutterwaveWalletStage,
} from './flutterwave-wallets-server.ts';
import { type Handled, type ProviderResponse, type Seen, type Stage, type StandIn, startStandIn } from './stand-in.ts';

export const SECRET_KEY = 'FLWSECK_TEST-0123456789abcdef0123456789abcdef-X';
export const SECRET_HASH = 'a-secret-hash-of-the-dashboard';

/** What becomes of a transfer to an account; any other account is paid. */
export const ACCOUNTS = {
  plain: '0690000031',
  nameNotFound: '0000000404',
  failed: '0000000400',
  /** Executed, and no answer. */
  unansweredExecuted: '0000000201',
  /** Never seen, and no answer. */
  unansweredLost: '0000000202',
  pending: '0000000203',
  unlisted: '0000000299',
  approval: '0000000210',
  reversed: '0000000211',
} as const;

export interface FlutterwaveTransferRow {
  id: number;
  reference: string;
  accountNumber: string;
  bankCode: string;
  amountMinor: bigint;
  currency: string;
  narration: string;
  status: string;
  completeMessage: string;
  requiresApproval: boolean;
  reversed: boolean;
}

export interface FlutterwaveServer extends StandIn {
  transfers: Map<string, FlutterwaveTransferRow>;
  /** `validating`: while above zero, that many lists are empty. `refusal`: what every new reference is refused with. */
  books: { balanceMinor: bigint; balanceText?: string; validating: number; refusal: string | undefined };
  /** How the list answers: to its filter, without it, or with every line twice. */
  lists: { how: 'filtered' | 'unfiltered' | 'doubled' };
  falseFacts: FalseFacts;
  executions(reference: string): number;
  providerWebhook(facts: WebhookFacts): ProviderWebhookRequest;
  /** The webhook about a transfer as it stands in the books. */
  webhookOf(reference: string, changes?: Record<string, unknown>): ProviderWebhookRequest;
  signed(rawBody: Buffer, hash?: string): ProviderWebhookRequest;
  wallets: FlutterwaveWallets;
}

/**
 * Stands in for api.flutterwave.com, version 3: a transfer is NEW in the answer to the send and has ended by the time
 * it is asked about; errors are an envelope with `status: "error"` and no code.
 */
export async function startFlutterwaveServer(): Promise<FlutterwaveServer> {
  const transfers = new Map<string, FlutterwaveTransferRow>();
  const books: FlutterwaveServer['books'] = { balanceMinor: 900_000_000_000_000n, validating: 0, refusal: undefined };
  const lists: FlutterwaveServer['lists'] = { how: 'filtered' };
  const falseFacts: FalseFacts = {};
  const wallets = createFlutterwaveWalletsServer();
  const view = (row: FlutterwaveTransferRow) => viewOf({ ...row, ...falseFacts });

  function handle(seen: Seen): Handled {
    if (seen.headers.authorization !== `Bearer ${SECRET_KEY}`) return refusal(401, 'Authorization required');
    switch (`${seen.method} ${seen.path}`) {
      case 'POST /v3/accounts/resolve':
        return resolve(seen);
      case 'POST /v3/transfers':
        return transfer(seen);
      case 'GET /v3/transfers':
        return list(seen.query.get('reference') ?? '');
      case 'GET /v3/balances/NGN':
        return raw(
          `{"status":"success","message":"Wallet balance fetched","data":{"currency":"NGN",` +
            `"available_balance":${books.balanceText ?? naira(books.balanceMinor)},"ledger_balance":253125.82}}`,
        );
      default:
        return wallets.handle(seen) ?? refusal(404, 'Cannot find the route');
    }
  }

  function resolve({ body }: Seen): Handled {
    const account_number = body.account_number;
    if (account_number === ACCOUNTS.nameNotFound) {
      return refusal(400, 'Sorry, recipient account could not be validated. Please try again');
    }
    return ok('Account details fetched', { account_number, account_name: 'Pastor Bright' });
  }

  function transfer({ body, text }: Seen): Handled {
    if (transfers.has(body.reference)) return refusal(400, 'A transfer has this reference already');
    if (books.refusal !== undefined) return refusal(400, books.refusal);
    const amountMinor = amountIn(text);
    if (amountMinor === undefined) return refusal(400, 'amount must be a number');
    if (body.account_number === ACCOUNTS.unansweredLost) return 'no answer';
    const made: FlutterwaveTransferRow = {
      id: 396_432 + transfers.size,
      reference: body.reference,
      accountNumber: body.account_number,
      bankCode: body.account_bank,
      amountMinor,
      currency: body.currency,
      narration: body.narration,
      status: 'NEW',
      completeMessage: '',
      requiresApproval: body.account_number === ACCOUNTS.approval,
      reversed: false,
    };
    transfers.set(made.reference, made);
    const answer = ok('Transfer Queued Successfully', view(made));
    Object.assign(made, END[made.accountNumber] ?? PAID);
    if (made.status === 'SUCCESSFUL') books.balanceMinor -= amountMinor;
    return made.accountNumber === ACCOUNTS.unansweredExecuted ? 'no answer' : answer;
  }

  function list(reference: string): Handled {
    const all = [...transfers.values()];
    let rows = lists.how === 'unfiltered' ? all.slice(0, 10) : all.filter((row) => row.reference === reference);
    if (lists.how === 'doubled') rows = rows.flatMap((row) => [row, { ...row, id: row.id + 1 }]);
    if (books.validating > 0) {
      books.validating -= 1;
      rows = [];
    }
    const page_info = { total: rows.length, current_page: 1, total_pages: 1 };
    return { status: 200, body: { ...envelope('Transfers fetched', rows.map(view)), meta: { page_info } } };
  }

  const signed = (rawBody: Buffer, hash = SECRET_HASH): ProviderWebhookRequest => ({
    headers: { 'content-type': 'application/json', 'verif-hash': hash },
    rawBody,
  });
  const webhook = (data: object) =>
    signed(Buffer.from(JSON.stringify({ event: 'transfer.completed', 'event.type': 'Transfer', data })));
  return {
    ...(await startStandIn(stageOf, handle)),
    transfers,
    books,
    lists,
    falseFacts,
    executions: (reference) => (transfers.get(reference)?.status === 'SUCCESSFUL' ? 1 : 0),
    signed,
    wallets,
    providerWebhook: (facts) => webhook(view(rowOf(facts))),
    webhookOf(reference, changes = {}) {
      const row = transfers.get(reference);
      if (row === undefined) throw new Error(`no transfer ${reference}`);
      return webhook({ ...view(row), ...changes });
    },
  };
}

type End = Pick<FlutterwaveTransferRow, 'status' | 'completeMessage'> & { reversed?: true };

const PAID: End = { status: 'SUCCESSFUL', completeMessage: 'Transaction was successful' };
const END: Readonly<Record<string, End>> = {
  [ACCOUNTS.failed]: { status: 'FAILED', completeMessage: 'DISBURSE FAILED: Invalid account number' },
  [ACCOUNTS.pending]: { status: 'PENDING', completeMessage: '' },
  [ACCOUNTS.approval]: { status: 'PENDING', completeMessage: '' },
  [ACCOUNTS.unlisted]: { status: 'GONE_FISHING', completeMessage: '' },
  [ACCOUNTS.reversed]: { ...PAID, reversed: true },
};

function stageOf(seen: Seen): Stage | undefined {
  const { method, path } = seen;
  if (path === '/v3/accounts/resolve') return 'nameEnquiry';
  if (path === '/v3/transfers') return method === 'POST' ? 'send' : 'query';
  return path.startsWith('/v3/balances/') ? 'balance' : flutterwaveWalletStage(seen);
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

function viewOf(row: FlutterwaveTransferRow) {
  return {
    id: row.id,
    account_number: row.accountNumber,
    bank_code: row.bankCode,
    full_name: 'Pastor Bright',
    created_at: '2026-11-20T09:00:00.000Z',
    currency: row.currency,
    debit_currency: row.currency,
    amount: naira(row.amountMinor),
    fee: 26.875,
    status: row.status,
    reference: row.reference,
    meta: null,
    narration: row.narration,
    approver: null,
    complete_message: row.completeMessage,
    requires_approval: row.requiresApproval ? 1 : 0,
    is_approved: row.requiresApproval ? 0 : 1,
    bank_name: 'ACCESS BANK NIGERIA',
    ...(row.reversed ? { reversal: { initial_status: 'SUCCESSFUL', reconciliation_status: 'REVERSED' } } : {}),
  };
}

function rowOf({ railReference, amountMinor, outcome, account }: WebhookFacts): FlutterwaveTransferRow {
  return {
    id: Number.parseInt(railReference.slice(0, 8), 16),
    reference: railReference,
    ...(account ?? { accountNumber: ACCOUNTS.plain, bankCode: '044' }),
    amountMinor,
    currency: 'NGN',
    narration: 'conformance',
    status: outcome === 'failed' ? 'FAILED' : 'SUCCESSFUL',
    completeMessage: '',
    requiresApproval: false,
    reversed: outcome === 'reversed',
  };
}

function envelope(message: string, data: unknown) {
  return { status: 'success', message, data };
}

function ok(message: string, data: unknown): ProviderResponse {
  return { status: 200, body: envelope(message, data) };
}

function raw(body: string): ProviderResponse {
  return { status: 200, body };
}

export function refusal(status: number, message: string): ProviderResponse {
  return { status, body: { status: 'error', message, data: null } };
}
