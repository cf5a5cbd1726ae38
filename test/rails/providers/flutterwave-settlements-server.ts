import { decimalText } from '../../../src/money/index.ts';
import { ok, refusal } from './flutterwave-payments-server.ts';
import {
  createSettlementBooks,
  feesOf,
  grossOf,
  lumpOf,
  pageOf,
  type SettlementRow,
  takenOf,
} from './settlement-books.ts';
import type { Handled, Seen } from './stand-in.ts';

const STATUSES = { paid: 'completed', open: 'pending', failed: 'failed', unlisted: 'gone_fishing' } as const;
const DAY_MS = 86_400_000;
const naira = (minor: bigint) => Number(decimalText(minor));

/** GET /v3/settlements and GET /v3/settlements/:id, in naira; what is taken is two sums with the ids of what for. */
export function createFlutterwaveSettlementsServer() {
  const books = createSettlementBooks(41_497);

  const view = (row: SettlementRow) => ({
    id: Number(row.id),
    account_id: 73_362,
    due_date: row.at.toISOString(),
    processed_date: row.status === 'paid' ? row.at.toISOString() : null,
    status: STATUSES[row.status],
    currency: 'NGN',
    gross_amount: naira(grossOf(row)),
    app_fee: naira(feesOf(row)),
    merchant_fee: 0,
    chargeback: naira(takenOf(row.chargebacks)),
    refund: naira(takenOf(row.refunds)),
    stampduty_charge: 0,
    net_amount: row.unreadable === 'sum' ? 0.001 : naira(lumpOf(row)),
    transaction_count: row.payments.length,
    refund_meta: row.refunds.map(({ id }) => id),
    chargeback_meta: JSON.stringify(row.chargebacks.map(({ id }) => id)),
    meta: row.payments.map(({ id }) => id),
  });

  return {
    books,
    handle({ method, path, query }: Pick<Seen, 'method' | 'path' | 'query'>): Handled | undefined {
      const [, , noun = '', id = ''] = path.split('/').map(decodeURIComponent);
      if (method !== 'GET' || noun !== 'settlements') return undefined;
      if (id === '') {
        const from = Date.parse(query.get('from') ?? '');
        const until = Date.parse(query.get('to') ?? '') + DAY_MS;
        const rows = books.rows.filter(({ at }) => at.getTime() >= from && at.getTime() < until).toReversed();
        const page = Number(query.get('page'));
        const page_info = { total: rows.length, total_pages: Math.ceil(rows.length / books.pageSize) };
        const data = pageOf(rows, page, books.pageSize).map(view);
        return { status: 200, body: { status: 'success', message: 'Settlements fetched', meta: { page_info }, data } };
      }
      const row = books.rows.find((one) => one.id === id);
      if (row === undefined) return refusal(404, 'No settlement was found');
      const transactions = row.payments.map((payment) => ({
        id: payment.id,
        tx_ref: `r${payment.id}`,
        charged_amount: row.unreadable === 'payments' ? 7.005 : naira(payment.grossMinor),
        app_fee: naira(payment.feeMinor),
        merchant_fee: 0,
        stampduty_charge: 0,
        settlement_amount: naira(payment.grossMinor - payment.feeMinor),
        status: 'successful',
        transaction_date: row.at.toISOString().slice(0, 10),
        currency: 'NGN',
      }));
      return ok('Settlement fetched', { ...view(row), transactions });
    },
  };
}
