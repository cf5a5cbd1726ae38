import { createHmac, randomUUID } from 'node:crypto';
import type { ProviderWebhookRequest } from '../../../src/rails/index.ts';
import type { FalseFacts, WebhookFacts } from '../harness.ts';
import { createPaystackWalletsServer, type PaystackWallets, paystackWalletStage } from './paystack-wallets-server.ts';
import { type Handled, type ProviderResponse, type Seen, type Stage, type StandIn, startStandIn } from './stand-in.ts';

export const SECRET_KEY = 'sk_test_0123456789abcdef0123456789abcdef';
export const LIVE_SECRET_KEY = 'sk_live_0123456789abcdef0123456789abcdef';
export const SESSION_ID = '110006200324071331002061586801';

/** What becomes of a transfer to an account; any other account is paid at once. */
export const ACCOUNTS = {
  plain: '0123456785',
  nameNotFound: '0000000404',
  failed: '0000000400',
  /** Executed, and no answer. */
  unansweredExecuted: '0000000201',
  /** Never seen, and no answer. */
  unansweredLost: '0000000202',
  pending: '0000000203',
  unlisted: '0000000299',
  otp: '0000000210',
  reversed: '0000000211',
  abandoned: '0000000212',
  blocked: '0000000213',
  rejected: '0000000214',
  received: '0000000215',
  queued: '0000000216',
} as const;

const STATUSES: Readonly<Record<string, string>> = {
  [ACCOUNTS.failed]: 'failed',
  [ACCOUNTS.pending]: 'pending',
  [ACCOUNTS.unlisted]: 'gone_fishing',
  [ACCOUNTS.otp]: 'otp',
  [ACCOUNTS.reversed]: 'reversed',
  [ACCOUNTS.abandoned]: 'abandoned',
  [ACCOUNTS.blocked]: 'blocked',
  [ACCOUNTS.rejected]: 'rejected',
  [ACCOUNTS.received]: 'received',
  [ACCOUNTS.queued]: 'queued',
};

interface Recipient {
  code: string;
  accountNumber: string;
  bankCode: string;
  name: string;
}

export interface Transfer {
  id: number;
  reference: string;
  amountMinor: bigint;
  currency: string;
  recipient: Recipient;
  status: string;
  reason: string;
}

export interface PaystackServer extends StandIn {
  transfers: Map<string, Transfer>;
  /** `validating`: while above zero, that many queries find nothing, as while a transfer is being validated. */
  books: { balanceMinor: bigint; validating: number };
  falseFacts: FalseFacts;
  providerWebhook(facts: WebhookFacts): ProviderWebhookRequest;
  signed(rawBody: Buffer, secretKey?: string): ProviderWebhookRequest;
  wallets: PaystackWallets;
}

export interface PaystackBehaviour {
  /** As with live keys: a transfer is pending at first, and has ended when it is asked about. */
  endsLater?: boolean;
  /** Takes live keys alone, and opens accounts at any bank. */
  isLive?: boolean;
}

/** Stands in for api.paystack.co: recipients, transfers and a balance, with the answers that its documentation shows. */
export async function startPaystackServer(behaviour: PaystackBehaviour = {}): Promise<PaystackServer> {
  const recipients = new Map<string, Recipient>();
  const transfers = new Map<string, Transfer>();
  const books = { balanceMinor: 1_000_000_000_000_000n, validating: 0 };
  const falseFacts: FalseFacts = {};
  const ownKey = behaviour.isLive === true ? LIVE_SECRET_KEY : SECRET_KEY;
  const wallets = createPaystackWalletsServer(behaviour.isLive === true ? 'LIVE' : 'SANDBOX');

  function handle(seen: Seen): Handled {
    // A signed address: it asks for no key.
    if (seen.path.startsWith('/upload/')) return wallets.handle(seen) ?? refusal(404, 'Invalid Endpoint');
    if (seen.headers.authorization !== `Bearer ${ownKey}`) return refusal(401, 'Invalid key');
    const route = `${seen.method} ${seen.path.replace(/^(\/transfer\/verify)\/.*/, '$1')}`;
    switch (route) {
      case 'GET /bank/resolve':
        return resolve(seen);
      case 'POST /transferrecipient':
        return noteRecipient(seen);
      case 'POST /transfer':
        return transfer(seen);
      case 'GET /transfer/verify':
        return verify(decodeURIComponent(seen.path.split('/')[3] ?? ''));
      case 'GET /balance':
        return ok('Balances retrieved', [
          { currency: 'GHS', balance: 100 },
          { currency: 'NGN', balance: Number(books.balanceMinor) },
        ]);
      default:
        return wallets.handle(seen) ?? refusal(404, 'Invalid Endpoint');
    }
  }

  function resolve({ query }: Seen): Handled {
    const account_number = query.get('account_number') ?? '';
    if (account_number === ACCOUNTS.nameNotFound) {
      return refusal(422, 'Could not resolve account name. Check parameters or try again.', 'invalid_params');
    }
    return ok('Account number resolved', { account_number, account_name: 'ADAEZE OBI' });
  }

  function noteRecipient({ body }: Seen): Handled {
    const known = [...recipients.values()].find(
      (each) => each.accountNumber === body.account_number && each.bankCode === body.bank_code,
    );
    const recipient = known ?? {
      code: `RCP_${randomUUID().slice(0, 15)}`,
      accountNumber: body.account_number,
      bankCode: body.bank_code,
      name: body.name,
    };
    recipients.set(recipient.code, recipient);
    return { ...ok('Transfer recipient created successfully', recipientView(recipient)), status: 201 };
  }

  function transfer({ body, text }: Seen): Handled {
    if (transfers.has(body.reference)) {
      const message = 'Please provide a unique reference. Reference already exists on a transfer';
      return refusal(400, message, 'duplicate_transfer_reference');
    }
    if (!/^[a-z0-9_-]{16,50}$/.test(body.reference)) return refusal(400, 'Reference contains illegal characters');
    const recipient = recipients.get(body.recipient);
    if (recipient === undefined) return refusal(400, 'Recipient specified is invalid', 'invalid_transfer_recipient');
    // The digits as they came: JSON.parse would round what is longer than 15.
    const amountMinor = BigInt(/"amount":(\d+)[,}]/.exec(text)?.[1] ?? '-1');
    if (amountMinor > books.balanceMinor) return refusal(400, 'Your balance is not enough to fulfil this request');
    if (recipient.accountNumber === ACCOUNTS.unansweredLost) return 'no answer';
    const status = STATUSES[recipient.accountNumber] ?? 'success';
    const made: Transfer = {
      id: 860_000_000 + transfers.size,
      reference: body.reference,
      amountMinor,
      currency: body.currency,
      recipient,
      status: behaviour.endsLater === true ? 'pending' : status,
      reason: body.reason,
    };
    transfers.set(made.reference, made);
    if (status === 'success') books.balanceMinor -= amountMinor;
    const answer = ok('Transfer has been queued', { ...transferView(asReported(made)), recipient: 56824902 });
    made.status = status;
    return recipient.accountNumber === ACCOUNTS.unansweredExecuted ? 'no answer' : answer;
  }

  function verify(reference: string): Handled {
    const found = transfers.get(reference);
    if (found === undefined || books.validating > 0) {
      books.validating = Math.max(books.validating - 1, 0);
      return refusal(404, 'Transfer not found');
    }
    return ok('Transfer retrieved', transferView(asReported(found)));
  }

  const asReported = (transfer: Transfer): Transfer => {
    const { accountNumber, ...facts } = falseFacts;
    const recipient = accountNumber === undefined ? transfer.recipient : { ...transfer.recipient, accountNumber };
    return { ...transfer, ...facts, recipient };
  };

  const standIn = await startStandIn(stageOf, handle);
  const signed = (rawBody: Buffer, secretKey = ownKey): ProviderWebhookRequest => ({
    headers: {
      'content-type': 'application/json',
      'x-paystack-signature': createHmac('sha512', secretKey).update(rawBody).digest('hex'),
    },
    rawBody,
  });
  return {
    ...standIn,
    books,
    falseFacts,
    transfers,
    signed,
    wallets,
    providerWebhook: (facts) => signed(Buffer.from(JSON.stringify(webhookOf(facts, asReported)))),
  };
}

function stageOf(seen: Seen): Stage | undefined {
  const { path } = seen;
  if (path === '/bank/resolve') return 'nameEnquiry';
  if (path === '/transferrecipient') return 'prepare';
  if (path === '/transfer') return 'send';
  if (path.startsWith('/transfer/verify/')) return 'query';
  return path === '/balance' ? 'balance' : paystackWalletStage(seen);
}

function ok(message: string, data: unknown): ProviderResponse {
  return { status: 200, body: { status: true, message, data } };
}

function refusal(status: number, message: string, code?: string): ProviderResponse {
  const more = code === undefined ? {} : { type: 'validation_error', code, meta: { nextStep: 'Try again' } };
  return { status, body: { status: false, message, ...more } };
}

function recipientView(recipient: Recipient) {
  return {
    active: true,
    currency: 'NGN',
    name: recipient.name,
    recipient_code: recipient.code,
    type: 'nuban',
    details: {
      authorization_code: null,
      account_number: recipient.accountNumber,
      account_name: recipient.name,
      bank_code: recipient.bankCode,
      bank_name: 'A Bank',
    },
  };
}

function transferView(transfer: Transfer) {
  const isDone = transfer.status === 'success' || transfer.status === 'reversed';
  return {
    amount: Number(transfer.amountMinor),
    currency: transfer.currency,
    domain: 'test',
    failures: null,
    id: transfer.id,
    integration: 463433,
    reason: transfer.reason,
    reference: transfer.reference,
    source: 'balance',
    source_details: null,
    status: transfer.status,
    titan_code: null,
    transfer_code: `TRF_${transfer.id}`,
    recipient: recipientView(transfer.recipient),
    session: isDone ? { provider: 'nip', id: SESSION_ID } : { provider: null, id: null },
    gateway_response: null,
  };
}

function webhookOf(
  { railReference, amountMinor, outcome, account }: WebhookFacts,
  asReported: (made: Transfer) => Transfer,
) {
  const status = outcome === 'succeeded' ? 'success' : outcome;
  const transfer: Transfer = {
    id: Number.parseInt(railReference.slice(0, 8), 16),
    reference: railReference,
    amountMinor,
    currency: 'NGN',
    recipient: {
      code: 'RCP_x',
      name: 'ADAEZE OBI',
      ...(account ?? { accountNumber: ACCOUNTS.plain, bankCode: '058' }),
    },
    status,
    reason: 'conformance',
  };
  return { event: `transfer.${status}`, data: transferView(asReported(transfer)) };
}
