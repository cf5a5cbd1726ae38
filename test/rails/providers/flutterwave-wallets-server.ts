import { decimalText } from '../../../src/money/index.ts';
import { createDisputeBooks, type DisputeBooks, disputeStage, handleFlutterwaveDispute } from './dispute-servers.ts';
import {
  createFlutterwavePaymentsServer,
  type FlutterwavePayments,
  ok,
  refusal,
} from './flutterwave-payments-server.ts';
import { createFlutterwaveSettlementsServer } from './flutterwave-settlements-server.ts';
import { createRefundBooks, type RefundBooks } from './refund-books.ts';
import { handleFlutterwaveRefund, refundStage } from './refund-servers.ts';
import type { SettlementBooks } from './settlement-books.ts';
import type { Handled, Seen, Stage } from './stand-in.ts';
import { type AccountRow, type CreditRow, createWalletBooks, madeWrong, type WalletBooks } from './wallet-books.ts';

export interface FlutterwaveWallets {
  books: WalletBooks;
  /** A second request with the same `tx_ref`: opens another account, or answers with the first. Nothing documents which. */
  opening: { again: 'another' | 'first' };
  pages: { size: number };
  handle(seen: Seen): Handled | undefined;
  chargeCompleted(credit: CreditRow, changes?: { amountMinor?: bigint }): Buffer;
  payments: FlutterwavePayments;
  settlements: SettlementBooks;
  refunds: RefundBooks;
  disputes: DisputeBooks;
}

const STATUSES: Readonly<Record<CreditRow['status'], string>> = {
  confirmed: 'successful',
  pending: 'pending',
  failed: 'failed',
  reversed: 'reversed',
  unlisted: 'gone_fishing',
  unpaid: 'pending',
};
const PAYMENT_TYPES = { BANK_TRANSFER: 'bank_transfer', CARD: 'card', USSD: 'ussd' } as const;
const DAY_MS = 86_400_000;

/** Static accounts, of which each credit carries the same `tx_ref`, and transactions in naira with decimals. */
export function createFlutterwaveWalletsServer(): FlutterwaveWallets {
  const books = createWalletBooks('SANDBOX');
  const opening: FlutterwaveWallets['opening'] = { again: 'another' };
  const pages = { size: 10 };
  const payments = createFlutterwavePaymentsServer(books);
  const settlements = createFlutterwaveSettlementsServer();
  const refunds = createRefundBooks((id) => books.credits.find((credit) => String(credit.id) === id)?.amountMinor);
  const disputes = createDisputeBooks('SANDBOX');

  function handle(seen: Seen): Handled | undefined {
    const { method, path, query, body } = seen;
    const [, , noun = '', id = '', verb = ''] = path.split('/').map(decodeURIComponent);
    switch (`${method} ${noun}${id === '' ? '' : '/:id'}${verb === '' ? '' : `/${verb}`}`) {
      case 'POST virtual-account-numbers':
        return open(body);
      case 'POST virtual-account-numbers/:id':
        return setStatus(id, body);
      case 'GET transactions':
        return list(query);
      case 'GET transactions/:id/verify':
        return verify(books.credits.find((one) => String(one.id) === id));
      case 'GET transactions/:id':
        return id === 'verify_by_reference' ? verify(payments.newestOf(query.get('tx_ref') ?? '')) : undefined;
      default:
        return (
          settlements.handle(seen) ??
          payments.handle(seen) ??
          handleFlutterwaveRefund(refunds, seen) ??
          handleFlutterwaveDispute(disputes, seen)
        );
    }
  }

  function open(body: Record<string, unknown>): Handled {
    if (!/^\d{11}$/.test(String(body['bvn']))) return refusal(400, 'BVN is required for static account number');
    switch (books.openings.shift()) {
      case 'refused':
        return refusal(400, 'Invalid bvn passed');
      case 'unlisted':
        return refusal(400, 'The bank is closed on full moons');
      default:
    }
    const reference = String(body['tx_ref']);
    const known = books.accounts.find((one) => one.reference === reference && one.isOpen);
    const account =
      known !== undefined && opening.again === 'first'
        ? known
        : books.open(reference, `CollinX ${String(body['narration'])}`);
    return ok('Virtual account created', accountView(account));
  }

  function setStatus(orderRef: string, body: Record<string, unknown>): Handled {
    const account = books.accounts.find((one) => orderRefOf(one) === orderRef);
    if (account === undefined || body['status'] !== 'inactive') return refusal(400, 'Invalid order_ref or status');
    if (!account.isOpen) return refusal(400, 'Virtual account is already inactive');
    account.isOpen = false;
    return ok('Virtual account updated', { response_code: '00', response_message: 'Virtual account deactivated' });
  }

  function verify(row: CreditRow | undefined): Handled {
    const credit = books.found(row);
    if (credit === undefined) return refusal(400, 'No transaction was found for this id');
    const { meta_data: meta, ...document } = creditView(credit);
    return ok(
      'Transaction fetched successfully',
      madeWrong(books, { ...document, meta }, { unreadableAmount: 12.345 }),
    );
  }

  /** Whole days, the last one included. */
  function list(query: URLSearchParams): Handled {
    const from = Date.parse(query.get('from') ?? '');
    const until = Date.parse(query.get('to') ?? '') + DAY_MS;
    const rows = books.credits.filter(({ at }) => at.getTime() >= from && at.getTime() < until).toReversed();
    const page = Number(query.get('page'));
    const data = rows.slice((page - 1) * pages.size, page * pages.size).map(listView);
    const page_info = { total: rows.length, current_page: page, total_pages: Math.ceil(rows.length / pages.size) };
    return { status: 200, body: { status: 'success', message: 'Transactions fetched', meta: { page_info }, data } };
  }

  return {
    books,
    opening,
    pages,
    handle,
    payments,
    settlements: settlements.books,
    refunds,
    disputes,
    chargeCompleted(credit, { amountMinor = credit.amountMinor } = {}) {
      const { meta_data, ...data } = creditView({ ...credit, amountMinor });
      const event = { event: 'charge.completed', data, meta_data, 'event.type': 'BANK_TRANSFER_TRANSACTION' };
      return Buffer.from(JSON.stringify(event));
    },
  };
}

export function flutterwaveWalletStage(seen: Seen): Stage | undefined {
  const { path } = seen;
  const back = refundStage(seen) ?? disputeStage(seen);
  if (back !== undefined) return back;
  if (path === '/v3/virtual-account-numbers') return 'openAccount';
  if (path.startsWith('/v3/virtual-account-numbers/')) return 'closeAccount';
  if (path === '/v3/charges') return 'openOneTime';
  if (path === '/v3/payments') return 'openPage';
  if (path === '/v3/transactions/verify_by_reference') return 'findOpening';
  if (path === '/v3/settlements') return 'listSettlements';
  if (path.startsWith('/v3/settlements/')) return 'readSettlement';
  if (path === '/v3/transactions') return 'listCredits';
  return path.startsWith('/v3/transactions/') ? 'queryCredit' : undefined;
}

const orderRefOf = ({ id }: AccountRow) => `URF_1613406439309_${id}`;

function accountView(account: AccountRow) {
  return {
    response_code: '02',
    response_message: 'Transaction in progress',
    flw_ref: `FLW-${account.id}`,
    order_ref: orderRefOf(account),
    account_number: account.accountNumber,
    frequency: 'N/A',
    bank_name: 'WEMA BANK',
    created_at: '2026-11-20 16:27:22',
    expiry_date: 'N/A',
    note: `Please make a bank transfer to ${account.accountName}`,
    amount: null,
  };
}

function creditView(credit: CreditRow) {
  const amount = Number(decimalText(credit.amountMinor));
  return {
    id: credit.id,
    tx_ref: credit.accountReference,
    flw_ref: credit.reference,
    device_fingerprint: 'N/A',
    amount,
    currency: credit.currency,
    charged_amount: Number(decimalText(credit.amountMinor + credit.feeOnTopMinor)),
    app_fee: Number(decimalText(credit.feeOnTopMinor || (credit.amountMinor * 14n) / 1_000n)),
    merchant_fee: 0,
    processor_response: 'success',
    auth_model: 'AUTH',
    narration: credit.narration,
    status: STATUSES[credit.status],
    payment_type: PAYMENT_TYPES[credit.channel],
    created_at: credit.at.toISOString(),
    account_id: 2_508_309,
    customer: { id: 2_571_514, name: 'Ada', email: 'ada@example.com' },
    meta_data: {
      originatoraccountnumber: credit.payerAccountNumber,
      originatorname: credit.payerName,
      bankname: credit.payerBankName,
      originatoramount: 'N/A',
    },
  };
}

/** In lists the ids are text, and nothing says who paid. */
function listView(credit: CreditRow) {
  const { meta_data: _meta, id, ...row } = creditView(credit);
  return { ...row, id: String(id) };
}
