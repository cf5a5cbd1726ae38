import type { PaymentHarness } from '../wallet-harness.ts';
import type { Handled, ProviderResponse, Seen } from './stand-in.ts';
import type { CreditRow, WalletBooks } from './wallet-books.ts';

const MINUTE_MS = 60_000;
const LEAST_KOBO = 10_000n;

interface Opened {
  kind: 'account' | 'page';
  reference: string;
  amountMinor: bigint;
  accountNumber: string;
  expiresAt: Date;
  transaction: CreditRow;
}

export interface PaystackPayments {
  opened: Opened[];
  /** Whether GET /charge shows the account of a charge again: nothing documents that it does. */
  again: { isShown: boolean };
  handle(seen: Pick<Seen, 'method' | 'path' | 'text' | 'body'>): Handled | undefined;
  /** @returns the transaction, and the webhook's body where Paystack sends the money back */
  transfer(...given: Parameters<PaymentHarness['transfer']>): { credit: CreditRow; rejected?: Buffer };
  payPage(...given: Parameters<PaymentHarness['payPage']>): CreditRow;
}

/** One transaction for each reference, for ever: accounts that take one amount until they expire, and pages. */
export function createPaystackPaymentsServer(books: WalletBooks): PaystackPayments {
  const opened: Opened[] = [];
  const again = { isShown: true };

  function handle({ method, path, text, body }: Parameters<PaystackPayments['handle']>[0]): Handled | undefined {
    const [, noun = '', id = ''] = path.split('/').map(decodeURIComponent);
    if (method === 'POST' && (path === '/charge' || path === '/transaction/initialize')) {
      const kind = noun === 'charge' ? 'account' : 'page';
      const how = books.openings.shift();
      if (how === 'unlisted') return refusal(400, 'The bank is closed on full moons');
      if (how === 'refused') return refusal(400, 'No active channel', 'no_active_channel');
      return open(kind, BigInt(/"amount":(\d+)[,}]/.exec(text)?.[1] ?? '-1'), body, how === 'pending');
    }
    return method === 'GET' && noun === 'charge' ? find(id) : undefined;
  }

  // biome-ignore lint/suspicious/noExplicitAny: providers take documents of every shape
  function open(kind: Opened['kind'], amountMinor: bigint, body: any, isPending: boolean): Handled {
    const { reference } = body;
    if (!/^[\w.=-]+$/.test(reference) || !/@/.test(body.email)) return refusal(400, 'Invalid email or reference');
    if (opened.some((one) => one.reference === reference)) {
      return refusal(400, 'Duplicate Transaction Reference', 'duplicate_reference');
    }
    if (kind === 'account' && amountMinor < LEAST_KOBO) return refusal(400, 'The minimum amount is NGN 100');
    const accountNumber = kind === 'account' ? String(1_260_257_501 + opened.length) : '';
    const made = {
      kind,
      reference,
      amountMinor,
      accountNumber,
      expiresAt: clamped(body.bank_transfer?.account_expires_at),
      transaction: books.add(reference, {
        accountNumber,
        amountMinor,
        status: kind === 'account' ? 'pending' : 'unpaid',
        channel: kind === 'account' ? 'BANK_TRANSFER' : 'CARD',
        opened: { kind, metadata: body.metadata },
      }),
    };
    opened.push(made);
    if (kind === 'account') return ok('Charge attempted', isPending ? { reference, status: 'pending' } : view(made));
    const access_code = `3ni8kdavz${opened.length}`;
    const authorization_url = `https://checkout.paystack.com/${access_code}`;
    return ok('Authorization URL created', { authorization_url, access_code, reference });
  }

  function find(reference: string): Handled {
    const found = opened.find((one) => one.reference === reference);
    if (found === undefined) return refusal(404, 'Transaction reference not found');
    const { amountMinor } = found;
    const bare = {
      reference,
      amount: Number(amountMinor),
      currency: 'NGN',
      domain: 'test',
      status: 'pending_bank_transfer',
    };
    return ok('Reference check successful', again.isShown ? view(found) : bare);
  }

  return {
    opened,
    again,
    handle,
    transfer(accountNumber, { amountMinor, at = new Date() }) {
      const payment = opened.find((one) => one.accountNumber === accountNumber);
      if (payment === undefined) throw new Error(`nobody has the account ${accountNumber}`);
      const { transaction: first, reference } = payment;
      const isSecond = first.status === 'confirmed';
      if (!isSecond && amountMinor === payment.amountMinor && at <= payment.expiresAt) {
        return { credit: Object.assign(first, { status: 'confirmed', at }) };
      }
      const credit = isSecond ? books.add(reference, { accountNumber, amountMinor }) : first;
      Object.assign(credit, { status: 'failed', at });
      const bank_transfer = {
        amount: String(amountMinor),
        message: 'incorrect amount sent',
        message_type: 'INCORRECT_AMOUNT',
        transaction_id: String(credit.id),
      };
      const data = { bank_transfer, customer: { email: 'another@one.com', domain: 'test', id: 138_492_368 } };
      return { credit, rejected: Buffer.from(JSON.stringify({ event: 'bank.transfer.rejected', data })) };
    },
    payPage(reference, { channel, isDeclined }) {
      const page = opened.find((one) => one.kind === 'page' && one.reference === reference);
      if (page === undefined) throw new Error(`nobody has a page of ${reference}`);
      const status = isDeclined === true ? 'failed' : 'confirmed';
      return Object.assign(page.transaction, { channel, status, at: new Date() });
    },
  };
}

/** Silently: into 15 minutes to 8 hours from now. */
function clamped(asked: unknown): Date {
  const now = Date.now();
  const wanted = typeof asked === 'string' ? Date.parse(asked) : now + 480 * MINUTE_MS;
  return new Date(Math.min(Math.max(wanted, now + 15 * MINUTE_MS), now + 480 * MINUTE_MS));
}

function view({ reference, accountNumber, expiresAt }: Opened) {
  return {
    reference,
    status: 'pending_bank_transfer',
    display_text: 'Please make a transfer to the account specified',
    account_name: 'TEST-MANAGED-ACCOUNT',
    account_number: accountNumber,
    bank: { slug: 'test-bank', name: 'Test Bank', id: 24 },
    account_expires_at: expiresAt.toISOString(),
  };
}

export function ok(message: string, data: unknown): ProviderResponse {
  return { status: 200, body: { status: true, message, data } };
}

export function refusal(status: number, message: string, code?: string): ProviderResponse {
  return { status, body: { status: false, message, type: 'validation_error', ...(code && { code }) } };
}
