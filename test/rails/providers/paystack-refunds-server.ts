import type { BookedRefund } from '../refund-conformance.ts';
import type { Handled, Seen } from './stand-in.ts';

export interface PaystackRefund extends BookedRefund {
  transaction: number;
}

export interface PaystackRefunds {
  made: PaystackRefund[];
  handle(seen: Pick<Seen, 'method' | 'path' | 'body'>): Handled | undefined;
  /** The body of the webhook about one. @param transactionReference Paystack's own of the payment */
  report(refund: BookedRefund, transactionReference: string): Buffer;
}

const REFERENCE = /[0-9a-f]{32}/;
const FIRST_ID = 900;

/** POST /refund, GET /refund/:id and GET /refund, which lists all: a refund is pending until somebody changes its status. */
export function createPaystackRefundsServer(): PaystackRefunds {
  const made: PaystackRefund[] = [];
  const said = (data: unknown): Handled => ({ status: 200, body: { status: true, message: 'Done', data } });
  const refused = (status: number, message: string): Handled => ({ status, body: { status: false, message } });
  const viewOf = ({ id, transaction, reference, amountMinor, status }: PaystackRefund) => ({
    id: Number(id),
    transaction,
    amount: Number(amountMinor),
    currency: 'NGN',
    merchant_note: `${reference} Order 7`,
    status,
  });

  function make(body: Seen['body']): Handled {
    if (body.transaction === 'full-moon') return refused(400, 'Not on full moons');
    const transaction = Number(body.transaction);
    const reference = REFERENCE.exec(body.merchant_note)?.[0] ?? '';
    const amountMinor = BigInt(body.amount);
    const refund = { id: String(FIRST_ID + made.length), transaction, reference, amountMinor, status: 'pending' };
    made.push(refund);
    return said({ ...viewOf(refund), transaction: { id: transaction } });
  }

  return {
    made,
    handle({ method, path, body }) {
      if (method === 'POST' && path === '/refund') return make(body);
      if (path === '/refund') return said(made.map(viewOf));
      if (!path.startsWith('/refund/')) return undefined;
      const found = made.find(({ id }) => path === `/refund/${id}`);
      return found === undefined ? refused(404, 'No') : said(viewOf(found));
    },
    report({ amountMinor, status }, transactionReference) {
      const amount = String(amountMinor);
      const data = { transaction_reference: transactionReference, refund_reference: null, amount };
      return Buffer.from(JSON.stringify({ event: `refund.${status}`, data }));
    },
  };
}
