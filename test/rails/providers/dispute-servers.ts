import type { Mode } from '../../../src/platform/tenant.ts';
import type { DisputeState } from '../../../src/rails/index.ts';
import type { Handled, Seen, Stage } from './stand-in.ts';

/** A dispute in the books of a stand-in. */
export interface StandInDispute {
  id: number;
  transactionId: number;
  amountMinor: bigint;
  state: DisputeState | 'silence' | 'unlisted';
  openedAt: Date;
  answers: number;
  /** What it was answered with: the words, and the name of the file. */
  said: { words: string; file: string | null } | undefined;
  /** One fact of it is not as it should be. */
  wrong: 'amount' | 'transaction' | 'another' | undefined;
}

/** The next answer of a merchant is executed or lost, and gets no answer; a query that hangs. */
export type DisputeSilence = 'answer-executed' | 'answer-lost' | 'query';

const PAGE_LINES = 3;
const onPage = (rows: readonly StandInDispute[], page: string | null): StandInDispute[] =>
  rows.toReversed().slice((Number(page) - 1) * PAGE_LINES, Number(page) * PAGE_LINES);
const pagesOf = (rows: readonly StandInDispute[]): number => Math.ceil(rows.length / PAGE_LINES);

/** Which calls can be spoilt. */
export function disputeStage({ method, path }: Seen): Stage | undefined {
  if (!/dispute|chargebacks/.test(path)) return undefined;
  if (method === 'PUT') return 'answerDispute';
  if (method !== 'GET' || path.endsWith('/upload_url')) return undefined;
  return /(dispute|chargebacks)$/.test(path) ? 'listDisputes' : 'queryDispute';
}

const HOUR_MS = 3_600_000;
const PAYSTACK: Readonly<Record<StandInDispute['state'], [status: string, resolution: string | null]>> = {
  open: ['awaiting-merchant-feedback', null],
  evidence_sent: ['awaiting-bank-feedback', null],
  won: ['resolved', 'declined'],
  accepted: ['resolved', 'merchant-accepted'],
  // The transaction is reversed too.
  lost: ['resolved', 'declined'],
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
  mode: Mode;
  all: StandInDispute[];
  /** Bytes that were put to addresses that it gave. */
  uploads: Map<string, string>;
  silence: DisputeSilence | undefined;
  open(facts: { amountMinor: bigint; transactionId: string }): StandInDispute;
  of(id: string): StandInDispute;
}

export function createDisputeBooks(mode: Mode): DisputeBooks {
  const books: DisputeBooks = {
    mode,
    all: [],
    uploads: new Map(),
    silence: undefined,
    open({ amountMinor, transactionId }) {
      const id = 358_950 + books.all.length;
      const made = { id, transactionId: Number(transactionId), amountMinor, openedAt: new Date(), answers: 0 };
      const blank = { said: undefined, wrong: undefined };
      books.all.push({ ...made, ...blank, state: 'open' });
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

/** The answer of a merchant, once it is good: taken, unless nobody is to know. */
function answered(books: DisputeBooks, dispute: StandInDispute, isAccepted: boolean, said: StandInDispute['said']) {
  const { silence } = books;
  books.silence = undefined;
  if (silence === 'answer-lost') return 'no answer';
  dispute.state = isAccepted ? 'accepted' : 'evidence_sent';
  dispute.answers += 1;
  dispute.said = said;
  return silence === 'answer-executed' ? 'no answer' : undefined;
}

const ok = (data: unknown): Handled => ({ status: 200, body: { status: true, message: 'Dispute retrieved', data } });
const no = (status: number, message: string): Handled => ({ status, body: { status: false, message } });

export function paystackDisputeView(dispute: StandInDispute, mode: Mode) {
  const domain = mode === 'LIVE' ? 'live' : 'test';
  const [status, resolution] = PAYSTACK[dispute.state];
  return {
    id: dispute.wrong === 'another' ? dispute.id + 1 : dispute.id,
    refund_amount: dispute.wrong === 'amount' ? '100.5' : Number(dispute.amountMinor),
    currency: 'NGN',
    status,
    resolution,
    domain,
    transaction: {
      id: dispute.wrong === 'transaction' ? null : dispute.transactionId,
      domain,
      reference: 'ref',
      status: ['lost', 'silence', 'accepted'].includes(dispute.state) ? 'reversed' : 'success',
      amount: Number(dispute.amountMinor),
    },
    category: 'chargeback',
    dueAt: new Date(dispute.openedAt.getTime() + 16 * HOUR_MS).toISOString(),
    createdAt: dispute.openedAt.toISOString(),
    messages: [{ sender: 'ada@example.com', body: 'I did not get it', createdAt: dispute.openedAt.toISOString() }],
  };
}

/** Disputes as Paystack documents them. */
export function handlePaystackDispute(books: DisputeBooks, seen: Seen): Handled | undefined {
  const view = (one: StandInDispute) => paystackDisputeView(one, books.mode);
  const [, noun = '', id = '', last = ''] = seen.path.split('/');
  if (noun === 'upload' && seen.method === 'PUT') {
    books.uploads.set(id, seen.text);
    return { status: 200, body: '' };
  }
  if (noun !== 'dispute') return undefined;
  if (id === '') {
    const data = onPage(books.all, seen.query.get('page')).map(view);
    return {
      status: 200,
      body: { status: true, data, meta: { total: books.all.length, pageCount: pagesOf(books.all) } },
    };
  }
  const dispute = books.all.find((one) => String(one.id) === id);
  if (dispute === undefined) return no(404, 'Dispute not found');
  if (seen.method === 'GET' && last === '') {
    return books.silence === 'query' ? 'no answer' : ok(view(dispute));
  }
  if (last === 'upload_url')
    return ok({ signedUrl: `http://${seen.headers.host}/upload/${id}`, fileName: `${id}-kept.pdf` });
  if (last === 'evidence') {
    const { customer_email, customer_name, customer_phone, service_details } = seen.body ?? {};
    const isWhole = [customer_email, customer_name, customer_phone, service_details].every(Boolean);
    if (!isWhole) return no(400, 'customer_email is required');
    dispute.said = { words: seen.text, file: null };
    return ok({ id: 21 });
  }
  if (last !== 'resolve' || seen.method !== 'PUT') return no(404, 'Not here');
  if (dispute.state !== 'open') return no(400, 'Dispute is already resolved');
  const { resolution, message, uploaded_filename: fileName, refund_amount: wanted, evidence } = seen.body;
  const isAccepted = resolution === 'merchant-accepted';
  if (!isAccepted && (resolution !== 'declined' || evidence !== 21)) return no(400, 'evidence is required');
  if (Number(wanted) !== (isAccepted ? Number(dispute.amountMinor) : 0)) return no(400, 'refund_amount is wrong');
  const file = fileName === `${id}-kept.pdf` ? (books.uploads.get(id) ?? null) : null;
  return (
    answered(books, dispute, isAccepted, { words: `${dispute.said?.words ?? ''}${message}`, file }) ?? ok(view(dispute))
  );
}

export function flutterwaveDisputeView(dispute: StandInDispute) {
  const history = dispute.state === 'silence' ? [{ action: 'lost', description: 'No merchant response' }] : [];
  return {
    id: dispute.wrong === 'another' ? dispute.id + 1 : dispute.id,
    transaction_id: dispute.wrong === 'transaction' ? null : dispute.transactionId,
    amount: dispute.wrong === 'amount' ? 100.005 : Number(dispute.amountMinor) / 100,
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
  if (id === '') {
    const page = seen.query.get('page');
    const info = { total_pages: pagesOf(books.all), current_page: Number(page) };
    return success(onPage(books.all, page).map(flutterwaveDisputeView), { page_info: info });
  }
  const dispute = books.all.find((one) => String(one.id) === id);
  if (dispute === undefined) return error(404, 'Chargeback not found');
  if (seen.method === 'GET') return books.silence === 'query' ? 'no answer' : success(flutterwaveDisputeView(dispute));
  if (dispute.state !== 'open') return error(400, 'Chargeback already resolved');
  const { action, comment } = seen.body;
  if (action !== 'accept' && action !== 'decline') return error(400, 'action is required');
  return answered(books, dispute, action === 'accept', { words: comment, file: null }) ?? success(null);
}
