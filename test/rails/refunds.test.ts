import { createHmac } from 'node:crypto';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createFlutterwaveRail,
  createMonnifyRail,
  createPaystackRail,
  type ProviderWebhookRequest,
} from '../../src/rails/index.ts';
import { paystackSignature } from './dispute-conformance.ts';
import { createPaystackRefundsServer } from './providers/paystack-refunds-server.ts';
import { SECRET_KEY } from './providers/paystack-server.ts';
import { type Handled, type Seen, startStandIn } from './providers/stand-in.ts';
import { type BookedRefund, describeRefunds, type RefundHarness } from './refund-conformance.ts';

type Handle = (seen: Seen, refunds: BookedRefund[]) => Handled;

async function standIn(handle: Handle) {
  const refunds: BookedRefund[] = [];
  return {
    refunds,
    server: await startStandIn(
      () => undefined,
      (seen) => handle(seen, refunds),
    ),
  };
}

const REFERENCE = /[0-9a-f]{32}/;
const add = (refunds: BookedRefund[], status: string, reference: string, amountMinor: bigint): BookedRefund => {
  const refund = { id: String(900 + refunds.length), reference, amountMinor, status };
  refunds.push(refund);
  return refund;
};
const signedWith = (secret: string, header: string, body: object): ProviderWebhookRequest => {
  const rawBody = Buffer.from(JSON.stringify(body));
  return { headers: { [header]: createHmac('sha512', secret).update(rawBody).digest('hex') }, rawBody };
};
const naira = (minor: bigint): number => Number(minor) / 100;

const paystack = async (): Promise<RefundHarness> => {
  const { made, handle, report } = createPaystackRefundsServer();
  const notHere: Handled = { status: 404, body: { status: false, message: 'Not here' } };
  const server = await startStandIn(
    () => undefined,
    (seen) => handle(seen) ?? notHere,
  );
  return {
    refunds: made,
    server,
    rail: createPaystackRail({ credentials: { secretKey: SECRET_KEY }, baseUrl: server.baseUrl, clock: systemClock }),
    words: { succeeded: 'processed', failed: 'failed', pending: 'processing' },
    webhook: (refund) => {
      const rawBody = report(refund, 'ps4711');
      return { headers: paystackSignature(SECRET_KEY, rawBody), rawBody };
    },
  };
};

const HASH = 'a hash that only we and they know';
const flutterwave = async (): Promise<RefundHarness> => {
  const viewOf = ({ id, reference, amountMinor, status }: BookedRefund) => ({
    id: Number(id),
    tx_id: 4711,
    amount_refunded: naira(amountMinor),
    comments: `${reference} Order 7`,
    status,
  });
  const { refunds, server } = await standIn(({ method, path, query, body, text }, book) => {
    const said = (data: unknown): Handled => ({ status: 200, body: { status: 'success', message: 'Done', data } });
    if (method === 'POST') {
      if (path.includes('full-moon')) return { status: 400, body: { status: 'error', message: 'Not on full moons' } };
      const kobo = BigInt(Math.round(Number(/"amount":([\d.]+)/.exec(text)?.[1]) * 100));
      return said(viewOf(add(book, 'pending', REFERENCE.exec(body.comments)?.[0] ?? '', kobo)));
    }
    if (path === '/v3/refunds') return said(query.get('page') === '1' ? book.map(viewOf) : []);
    const found = book.find(({ id }) => path === `/v3/refunds/${id}`);
    return found === undefined ? { status: 404, body: { status: 'error', message: 'No' } } : said(viewOf(found));
  });
  const credentials = { secretKey: `FLWSECK_TEST-${'a'.repeat(32)}-X`, secretHash: HASH };
  return {
    refunds,
    server,
    rail: createFlutterwaveRail({ credentials, baseUrl: server.baseUrl, clock: systemClock }),
    words: { succeeded: 'completed', failed: 'failed', pending: 'pending' },
    webhook: ({ id }) => ({
      headers: { 'verif-hash': HASH },
      rawBody: Buffer.from(JSON.stringify({ event: 'refund.completed', data: { id: Number(id), tx_id: 4711 } })),
    }),
  };
};

const MONNIFY_SECRET = 'a secret of sixteen characters or more';
const monnify = async (): Promise<RefundHarness> => {
  const viewOf = ({ reference, amountMinor, status }: BookedRefund) => ({
    refundReference: reference,
    transactionReference: '4711',
    refundAmount: naira(amountMinor),
    refundStatus: status,
  });
  const { refunds, server } = await standIn(({ method, path, body, text }, book) => {
    const said = (responseBody: unknown): Handled => ({
      status: 200,
      body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
    });
    const refused = (responseCode: string): Handled => ({
      status: 422,
      body: { requestSuccessful: false, responseMessage: 'No', responseCode },
    });
    if (path === '/api/v1/auth/login') return said({ accessToken: 'token', expiresIn: 3_600 });
    if (method === 'POST') {
      if (body.transactionReference === 'full-moon') return refused('R11');
      const kobo = BigInt(Math.round(Number(/"refundAmount":([\d.]+)/.exec(text)?.[1]) * 100));
      return said(viewOf(add(book, 'IN_PROGRESS', body.refundReference, kobo)));
    }
    const found = book.find(({ reference }) => path.endsWith(`/${reference}`));
    return found === undefined ? refused('R7') : said(viewOf(found));
  });
  const credentials = {
    apiKey: 'MK_TEST_REFUNDS123',
    secretKey: MONNIFY_SECRET,
    walletAccountNumber: '0123456789',
    contractCode: '4934121693',
  };
  return {
    refunds,
    server,
    rail: createMonnifyRail({ credentials, baseUrl: server.baseUrl, clock: systemClock }),
    words: { succeeded: 'COMPLETED', failed: 'FAILED', pending: 'IN_PROGRESS' },
    webhook: ({ reference }) =>
      signedWith(MONNIFY_SECRET, 'monnify-signature', {
        eventType: 'SUCCESSFUL_REFUND',
        eventData: { refundReference: reference, transactionReference: '4711', refundStatus: 'COMPLETED' },
      }),
  };
};

describeRefunds('Paystack', paystack);
describeRefunds('Flutterwave', flutterwave);
describeRefunds('Monnify', monnify);
