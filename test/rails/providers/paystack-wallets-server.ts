import type { Mode } from '../../../src/platform/tenant.ts';
import { createDisputeBooks, type DisputeBooks, disputeStage, handlePaystackDispute } from './dispute-servers.ts';
import { createPaystackPaymentsServer, ok, type PaystackPayments, refusal } from './paystack-payments-server.ts';
import { createPaystackSettlementsServer } from './paystack-settlements-server.ts';
import { createRefundBooks, type RefundBooks } from './refund-books.ts';
import { handlePaystackRefund, refundStage } from './refund-servers.ts';
import type { SettlementBooks } from './settlement-books.ts';
import type { Handled, Seen, Stage } from './stand-in.ts';
import { type AccountRow, type CreditRow, createWalletBooks, madeWrong, type WalletBooks } from './wallet-books.ts';

interface Customer {
  id: number;
  code: string;
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  reference: string;
}

export interface PaystackWallets {
  books: WalletBooks;
  customers: Map<string, Customer>;
  /** The size of a page that is given whatever is asked for; as asked where it is undefined. */
  pages: { size: number | undefined };
  handle(seen: Seen): Handled | undefined;
  chargeSuccess(credit: CreditRow, changes?: { amountMinor?: bigint }): Buffer;
  payments: PaystackPayments;
  settlements: SettlementBooks;
  refunds: RefundBooks;
  disputes: DisputeBooks;
}

const STATUSES: Readonly<Record<CreditRow['status'], string>> = {
  confirmed: 'success',
  pending: 'processing',
  failed: 'failed',
  reversed: 'reversed',
  unlisted: 'gone_fishing',
  unpaid: 'abandoned',
};
const CHANNELS = { BANK_TRANSFER: 'bank_transfer', CARD: 'card', USSD: 'ussd' } as const;

/** Customers by their e-mail address, one dedicated account each, and the transactions of what is paid to those. */
export function createPaystackWalletsServer(mode: Mode = 'SANDBOX'): PaystackWallets {
  const books = createWalletBooks(mode);
  const customers = new Map<string, Customer>();
  const pages: PaystackWallets['pages'] = { size: undefined };
  const payments = createPaystackPaymentsServer(books);
  const settlements = createPaystackSettlementsServer(mode);
  const refunds = createRefundBooks((id) => books.credits.find((credit) => String(credit.id) === id)?.amountMinor);
  const disputes = createDisputeBooks(mode);
  const byCode = (code: unknown) => [...customers.values()].find((one) => one.code === code);
  const accountOf = (customer: Customer) =>
    books.accounts.find((one) => one.reference === customer.reference && one.isOpen);

  function handle(seen: Seen): Handled | undefined {
    const { method, path, query, body } = seen;
    const [, noun = '', id = '', last = ''] = path.split('/').map(decodeURIComponent);
    switch (`${method} ${noun}${id === '' ? '' : '/:id'}`) {
      case 'POST customer':
        return makeCustomer(body);
      case 'GET customer/:id':
        return showCustomer(customers.get(id.toLowerCase()));
      case 'POST dedicated_account':
        return assign(body);
      case 'GET dedicated_account/:id':
      case 'DELETE dedicated_account/:id':
        return account(method, id);
      case 'GET transaction':
        return list(query);
      case 'GET transaction/:id':
        return show(id === 'verify' ? byReference(last) : books.credits.find((one) => String(one.id) === id));
      default:
        return (
          settlements.handle(seen) ??
          payments.handle(seen) ??
          handlePaystackRefund(refunds, seen) ??
          handlePaystackDispute(disputes, seen)
        );
    }
  }

  function makeCustomer(body: Record<string, string>): Handled {
    const email = (body['email'] ?? '').toLowerCase();
    const reference = /\+([0-9a-f]{32})@/.exec(email)?.[1] ?? email;
    const known = customers.get(email);
    const customer = known ?? {
      id: 7_454_289 + customers.size,
      code: `CUS_${customers.size.toString(36).padStart(15, 'x')}`,
      email,
      firstName: body['first_name'] ?? '',
      lastName: body['last_name'] ?? '',
      phone: body['phone'] ?? '',
      reference,
    };
    customers.set(email, customer);
    return ok('Customer created', customerView(customer));
  }

  function showCustomer(customer: Customer | undefined): Handled {
    if (customer === undefined) return refusal(404, 'Customer not found', 'customer_not_found');
    const held = accountOf(customer);
    const { bank, ...view } = held === undefined ? { bank: undefined } : accountView(held);
    const provider = bank && { id: 1, provider_slug: bank.slug, bank_id: bank.id, bank_name: bank.name };
    const dedicated_account = held === undefined ? null : { ...view, provider };
    return ok('Customer retrieved', { ...customerView(customer), transactions: [], dedicated_account });
  }

  function assign(body: Record<string, string>): Handled {
    const customer = byCode(body['customer']);
    if (customer === undefined) return refusal(400, 'Customer specified is invalid');
    if (mode === 'SANDBOX' && body['preferred_bank'] !== 'test-bank')
      return refusal(400, 'Invalid bank for a test key');
    if (customer.phone === '' || customer.lastName === '') return refusal(400, 'Customer phone number is required');
    switch (books.openings.shift()) {
      case 'pending':
        return { status: 200, body: { status: true, message: 'Assign dedicated account in progress' } };
      case 'refused':
        return refusal(400, 'Dedicated NUBAN is not available for your business', 'feature_unavailable');
      case 'unlisted':
        return refusal(400, 'The bank is closed on full moons');
      default:
    }
    if (accountOf(customer) !== undefined) return refusal(400, 'Customer already has a dedicated account');
    const opened = books.open(customer.reference, `KAROKART / ${customer.firstName} ${customer.lastName}`);
    return ok('NUBAN successfully created', { ...accountView(opened), customer: customerView(customer) });
  }

  function account(method: string, id: string): Handled {
    const found = books.accounts.find((one) => String(one.id) === id);
    if (found === undefined) return refusal(404, 'Dedicated account not found');
    if (method === 'GET') return ok('Customer retrieved', accountView(found));
    if (!found.isOpen) return refusal(400, 'Dedicated account is not assigned');
    found.isOpen = false;
    return ok('Managed Account Successfully Unassigned', accountView(found));
  }

  const byReference = (reference: string) => books.credits.find((one) => referenceOf(one) === reference);

  function show(row: CreditRow | undefined): Handled {
    const credit = books.found(row);
    if (credit === undefined) return refusal(404, 'Transaction not found', 'transaction_not_found');
    return ok('Verification successful', madeWrong(books, creditView(credit), { unreadableAmount: '12.5' }));
  }

  function list(query: URLSearchParams): Handled {
    const [from, to] = [new Date(query.get('from') ?? ''), new Date(query.get('to') ?? '')];
    const rows = books.credits
      .filter(({ at }) => at >= from && at <= to)
      .map(creditView)
      .filter(({ status }) => status === query.get('status'))
      .toReversed();
    const perPage = pages.size ?? Number(query.get('perPage'));
    const page = Number(query.get('page'));
    const data = rows.slice((page - 1) * perPage, page * perPage);
    const meta = { total: rows.length, skipped: 0, perPage, page, pageCount: Math.ceil(rows.length / perPage) };
    return { status: 200, body: { status: true, message: 'Transactions retrieved', data, meta } };
  }

  return {
    books,
    customers,
    pages,
    handle,
    payments,
    settlements: settlements.books,
    refunds,
    disputes,
    chargeSuccess(credit, { amountMinor = credit.amountMinor } = {}) {
      const data = { ...creditView({ ...credit, amountMinor }), status: 'success' };
      return Buffer.from(JSON.stringify({ event: 'charge.success', data }));
    },
  };
}

export function paystackWalletStage(seen: Seen): Stage | undefined {
  const { method, path } = seen;
  const back = refundStage(seen) ?? disputeStage(seen);
  if (back !== undefined) return back;
  if (path.startsWith('/customer')) return 'prepareAccount';
  if (path === '/dedicated_account') return 'openAccount';
  if (path.startsWith('/dedicated_account/')) return method === 'DELETE' ? 'closeAccount' : undefined;
  if (path.startsWith('/charge')) return path === '/charge' ? 'openOneTime' : 'findOpening';
  if (path === '/transaction/initialize') return 'openPage';
  if (path === '/settlement') return 'listSettlements';
  if (path.startsWith('/settlement/')) return 'readSettlement';
  if (path === '/transaction') return 'listCredits';
  return path.startsWith('/transaction/') ? 'queryCredit' : undefined;
}

function customerView(customer: Customer) {
  return {
    id: customer.id,
    email: customer.email,
    customer_code: customer.code,
    first_name: customer.firstName,
    last_name: customer.lastName,
    phone: customer.phone,
    metadata: { reference: customer.reference },
    risk_action: 'default',
  };
}

function accountView({ id, accountNumber, accountName, isOpen }: AccountRow) {
  return {
    bank: { name: 'Test Bank', id: 24, slug: 'test-bank' },
    account_name: accountName,
    account_number: accountNumber,
    assigned: isOpen,
    currency: 'NGN',
    metadata: null,
    active: true,
    id,
    created_at: '2026-11-20T09:00:00.000Z',
  };
}

/** All the shapes that samples of one field have, by turns. */
const METADATA = ['', 0, null, { custom_fields: [] }];

/** Ours of what was opened for one payment; else Paystack's own, another one for each transfer. */
const referenceOf = (credit: CreditRow) => (credit.opened === undefined ? credit.reference : credit.accountReference);

function creditView(credit: CreditRow) {
  const { id, opened } = credit;
  const channel = opened === undefined ? 'dedicated_nuban' : CHANNELS[credit.channel];
  const isPaid = credit.status !== 'unpaid';
  const sent = credit.amountMinor + credit.feeOnTopMinor;
  return {
    id,
    domain: credit.mode === 'LIVE' ? 'live' : 'test',
    status: STATUSES[credit.status],
    reference: referenceOf(credit),
    amount: id % 2 === 0 ? Number(sent) : String(sent),
    requested_amount: Number(credit.amountMinor),
    message: null,
    gateway_response: isPaid ? 'Approved' : 'The transaction was not completed',
    paid_at: isPaid ? credit.at.toISOString() : null,
    created_at: credit.at.toISOString(),
    channel,
    currency: credit.currency,
    metadata: opened?.metadata ?? METADATA[id % METADATA.length],
    fees: isPaid ? Number(credit.feeOnTopMinor || credit.amountMinor / 100n) : null,
    fees_split: null,
    authorization: isPaid ? authorizationView(credit, channel) : {},
    customer: { email: 'another@one.com', customer_code: 'CUS_1eq06yu8efl8u63' },
  };
}

function authorizationView(credit: CreditRow, channel: string) {
  if (channel === 'card') return { channel, bin: '408408', last4: '4081', brand: 'visa', bank: 'TEST BANK' };
  const receiver = { receiver_bank_account_number: credit.accountNumber, receiver_bank: 'Test Bank' };
  return {
    channel,
    card_type: 'transfer',
    brand: 'Managed Account',
    reusable: false,
    sender_country: 'NG',
    sender_bank: credit.payerBankName,
    sender_bank_account_number: credit.payerAccountNumber,
    sender_name: credit.payerName,
    narration: credit.narration,
    ...(channel === 'dedicated_nuban' && receiver),
  };
}
