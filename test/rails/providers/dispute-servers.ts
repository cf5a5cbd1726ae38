import type { DisputeState } from '../../../src/rails/index.ts';
import type { Handled, Seen } from './stand-in.ts';

/** A dispute in the books of a stand-in. */
export interface StandInDispute {
  id: number;
  transactionId: number;
  amountMinor: bigint;
  state: DisputeState | 'silence' | 'unlisted';
  openedAt: Date;
  answers: number;
}

const HOUR_MS = 3_600_000;
const PAYSTACK: Readonly<Record<StandInDispute['state'], [status: string, resolution: string | null]>> = {
  open: ['awaiting-merchant-feedback', null],
  evidence_sent: ['awaiting-bank-feedback', null],
  won: ['resolved', 'declined'],
  accepted: ['resolved', 'merchant-accepted'],
  lost: ['resolved', 'bank-decided'],
  silence: ['resolved', 'auto-accepted'],
  unlisted: ['gone_fishing', null],
};
const FLUTTERWAVE: Readonly<Record<StandInDispute['state'], string>> = {
  open: 'initiated',
  evidence_sent: 'declined',
  won: 'won',
  accepted: 'accepted',
  lost: 'lost',
  silence: 'lost',
  unlisted: 'gone_fishing',
};

export interface DisputeBooks {
  all: StandInDispute[];
  /** Bytes that were put to addresses that it gave. */
  uploads: Map<string, string>;
  open(facts: { amountMinor: bigint; transactionId: string }): StandInDispute;
  of(id: string): StandInDispute;
}

export function createDisputeBooks(): DisputeBooks {
  const books: DisputeBooks = {
    all: [],
    uploads: new Map(),
    open({ amountMinor, transactionId }) {
      const id = 358_950 + books.all.length;
      const made = { id, transactionId: Number(transactionId), amountMinor, openedAt: new Date(), answers: 0 };
      books.all.push({ ...made, state: 'open' });
      return books.of(String(id));
    },
    of(id) {
      const found = books.all.find((one) => String(one.id) === id);
      if (found === undefined) throw new Error(`no dispute ${id}`);
      return found;
    },
  };
  return books;
}

const ok = (data: unknown): Handled => ({ status: 200, body: { status: true, message: 'Dispute retrieved', data } });
const no = (status: number, message: string): Handled => ({ status, body: { status: false, message } });

export function paystackDisputeView(dispute: StandInDispute, domain: 'test' | 'live' = 'test') {
  const [status, resolution] = PAYSTACK[dispute.state];
  return {
    id: dispute.id,
    refund_amount: Number(dispute.amountMinor),
    currency: 'NGN',
    status,
    resolution,
    domain,
    transaction: { id: dispute.transactionId, domain, reference: 'ref', amount: Number(dispute.amountMinor) },
    category: 'chargeback',
    dueAt: new Date(dispute.openedAt.getTime() + 16 * HOUR_MS).toISOString(),
    createdAt: dispute.openedAt.toISOString(),
    messages: [{ sender: 'ada@example.com', body: 'I did not get it', createdAt: dispute.openedAt.toISOString() }],
  };
}

/** Disputes as Paystack documents them. @param baseUrl of this stand-in, for the address of an upload */
export function handlePaystackDispute(
  books: DisputeBooks,
  seen: Seen,
  baseUrl: () => string,
  domain: 'test' | 'live' = 'test',
): Handled | undefined {
  const view = (dispute: StandInDispute) => paystackDisputeView(dispute, domain);
  const [, noun = '', id = '', last = ''] = seen.path.split('/');
  if (noun === 'upload' && seen.method === 'PUT') {
    books.uploads.set(id, seen.text);
    return { status: 200, body: '' };
  }
  if (noun !== 'dispute') return undefined;
  if (id === '') {
    const data = seen.query.get('page') === '1' ? books.all.map(view) : [];
    return { status: 200, body: { status: true, data, meta: { total: data.length, pageCount: 1 } } };
  }
  const dispute = books.all.find((one) => String(one.id) === id);
  if (dispute === undefined) return no(404, 'Dispute not found');
  if (seen.method === 'GET' && last === '') return ok(view(dispute));
  if (last === 'upload_url') return ok({ signedUrl: `${baseUrl()}/upload/${id}`, fileName: `${id}-kept.pdf` });
  if (last === 'evidence') {
    const { customer_email, customer_name, customer_phone, service_details } = seen.body ?? {};
    const isWhole = [customer_email, customer_name, customer_phone, service_details].every(Boolean);
    return isWhole ? ok({ id: 21 }) : no(400, 'customer_email is required');
  }
  if (last !== 'resolve' || seen.method !== 'PUT') return no(404, 'Not here');
  if (dispute.state !== 'open') return no(400, 'Dispute is already resolved');
  dispute.state = seen.body['resolution'] === 'merchant-accepted' ? 'accepted' : 'evidence_sent';
  dispute.answers += 1;
  return ok(view(dispute));
}

export function flutterwaveDisputeView(dispute: StandInDispute) {
  const history = dispute.state === 'silence' ? [{ action: 'lost', description: 'No merchant response' }] : [];
  return {
    id: dispute.id,
    transaction_id: dispute.transactionId,
    amount: Number(dispute.amountMinor) / 100,
    currency: 'NGN',
    status: FLUTTERWAVE[dispute.state],
    stage: 'new',
    comment: 'Service not rendered',
    due_date: new Date(dispute.openedAt.getTime() + 48 * HOUR_MS).toISOString(),
    created_at: dispute.openedAt.toISOString(),
    meta: { history },
  };
}

/** Chargebacks as Flutterwave documents them. */
export function handleFlutterwaveDispute(books: DisputeBooks, seen: Seen): Handled | undefined {
  const [, , noun = '', id = ''] = seen.path.split('/');
  if (noun !== 'chargebacks') return undefined;
  const success = (data: unknown, meta?: object): Handled => ({
    status: 200,
    body: { status: 'success', message: 'Chargebacks', data, ...(meta && { meta }) },
  });
  const error = (status: number, message: string): Handled => ({
    status,
    body: { status: 'error', message, data: null },
  });
  if (id === '')
    return success(books.all.map(flutterwaveDisputeView), { page_info: { total_pages: 1, current_page: 1 } });
  const dispute = books.all.find((one) => String(one.id) === id);
  if (dispute === undefined) return error(404, 'Chargeback not found');
  if (seen.method === 'GET') return success(flutterwaveDisputeView(dispute));
  if (dispute.state !== 'open') return error(400, 'Chargeback already resolved');
  dispute.state = seen.body['action'] === 'accept' ? 'accepted' : 'evidence_sent';
  dispute.answers += 1;
  return success(null);
}
