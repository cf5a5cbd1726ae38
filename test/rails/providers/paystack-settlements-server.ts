import type { Mode } from '../../../src/platform/tenant.ts';
import { refusal } from './paystack-payments-server.ts';
import { createSettlementBooks, feesOf, grossOf, lumpOf, pageOf, type SettlementRow } from './settlement-books.ts';
import type { Handled, Seen } from './stand-in.ts';

const STATUSES = { paid: 'success', open: 'processing', failed: 'failed', unlisted: 'gone_fishing' } as const;

/** GET /settlement and GET /settlement/:id/transactions, in kobo. */
export function createPaystackSettlementsServer(mode: Mode) {
  const books = createSettlementBooks(3_090_024);
  const domain = mode === 'LIVE' ? 'live' : 'test';

  const view = (row: SettlementRow) => {
    const deductions = [
      ...row.refunds.map(({ id, amountMinor }) => ({ id, type: 'refund', amount: Number(amountMinor) })),
      ...row.chargebacks.map(({ id, amountMinor }) => ({ id, type: 'chargeback', amount: Number(amountMinor) })),
    ];
    return {
      id: Number(row.id),
      domain,
      status: STATUSES[row.status],
      currency: 'NGN',
      integration: 463_433,
      total_amount: row.unreadable === 'sum' ? 'a lot' : Number(grossOf(row) - feesOf(row)),
      effective_amount: row.unreadable === 'sum' ? 'a lot' : Number(lumpOf(row)),
      total_fees: Number(feesOf(row)),
      total_processed: Number(grossOf(row)),
      deductions: deductions.length === 0 || row.otherMinor > 0n ? null : deductions,
      settlement_date: row.at.toISOString(),
      settled_by: null,
      createdAt: row.at.toISOString(),
    };
  };

  function listed(rows: readonly unknown[], query: URLSearchParams): Handled {
    const page = Number(query.get('page'));
    const meta = { total: rows.length, page, pageCount: Math.ceil(rows.length / books.pageSize) };
    const data = pageOf(rows, page, books.pageSize);
    return { status: 200, body: { status: true, message: 'Settlements retrieved', data, meta } };
  }

  return {
    books,
    handle({ method, path, query }: Pick<Seen, 'method' | 'path' | 'query'>): Handled | undefined {
      const [, noun = '', id = '', what = ''] = path.split('/').map(decodeURIComponent);
      if (method !== 'GET' || noun !== 'settlement') return undefined;
      if (id === '') {
        const [from, to] = [query.get('from'), query.get('to')];
        const rows = books.rows.filter(
          ({ at }) => (from === null || at >= new Date(from)) && (to === null || at <= new Date(to)),
        );
        return listed(rows.toReversed().map(view), query);
      }
      const row = books.rows.find((one) => one.id === id);
      if (row === undefined || what !== 'transactions') return refusal(404, 'Settlement not found');
      return listed(
        row.payments.map((payment) => ({
          id: payment.id,
          domain,
          status: 'success',
          reference: `r${payment.id}`,
          amount: row.unreadable === 'payments' ? '7.5' : Number(payment.grossMinor),
          requested_amount: row.unreadable === 'payments' ? '7.5' : Number(payment.grossMinor),
          fees: Number(payment.feeMinor),
          currency: 'NGN',
          channel: 'dedicated_nuban',
          paid_at: row.at.toISOString(),
        })),
        query,
      );
    },
  };
}
