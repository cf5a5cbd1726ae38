import { decimalText } from '../../../src/money/index.ts';
import { lagosTime } from '../../../src/platform/clock.ts';
import { ok, refusal } from './monnify-envelope.ts';
import { createSettlementBooks, lumpOf, pageOf, type SettlementRow } from './settlement-books.ts';
import type { Handled, Seen } from './stand-in.ts';

const FIND = '/api/v1/transactions/find-by-settlement-reference';
const lagos = (at: Date) => lagosTime(at).slice(0, 23).replace('T', ' ');

/** The payments of a settlement by its reference, which only its webhook says. */
export function createMonnifySettlementsServer() {
  const books = createSettlementBooks(6, (id) => `JMVD7CEU9MIT3NXQE0${id}`);
  return {
    books,
    handle({ method, path, query }: Pick<Seen, 'method' | 'path' | 'query'>): Handled | undefined {
      if (method !== 'GET' || path !== FIND) return undefined;
      const row = books.rows.find((one) => one.id === query.get('reference'));
      if (row === undefined) return refusal(404, '99', 'Could not find settlement');
      const page = Number(query.get('page'));
      const content = pageOf(row.payments, page + 1, books.pageSize).map((payment) => ({
        transactionReference: payment.id,
        paymentReference: `r${payment.id}`,
        amountPaid: row.unreadable === 'payments' ? '7.005' : decimalText(payment.grossMinor),
        settlementAmount: decimalText(payment.grossMinor - payment.feeMinor),
        paymentStatus: 'PAID',
        paidOn: lagos(row.at),
        currency: 'NGN',
        paymentMethod: 'ACCOUNT_TRANSFER',
      }));
      return ok({ content, last: (page + 1) * books.pageSize >= row.payments.length, number: page });
    },
    notice(row: SettlementRow): Buffer {
      const eventData = {
        settlementReference: row.id,
        amount: decimalText(lumpOf(row)),
        settlementTime: lagos(row.at),
        transactionsCount: row.payments.length,
        destinationAccountNumber: '6000000249',
      };
      return Buffer.from(JSON.stringify({ eventType: 'SETTLEMENT', eventData }));
    },
  };
}
