import { createFlutterwaveDisputes } from '../../src/rails/flutterwave/disputes.ts';
import { createProviderHttp } from '../../src/rails/http.ts';
import { createPaystackDisputes } from '../../src/rails/paystack/disputes.ts';
import { type DisputeHarness, describeDisputes, paystackSignature } from './dispute-conformance.ts';
import {
  createDisputeBooks,
  flutterwaveDisputeView,
  handleFlutterwaveDispute,
  handlePaystackDispute,
  paystackDisputeView,
} from './providers/dispute-servers.ts';
import { type Handled, startStandIn } from './providers/stand-in.ts';

const SECRET = 'sk_test_a-key-of-a-test';
const NOT_HERE: Handled = { status: 404, body: { status: false, message: 'Not here' } };
const tenant = { merchantId: '01a1fb60-12c4-7000-8000-000000000001', mode: 'SANDBOX' } as const;
const clock = { now: () => new Date(), elapsedMs: () => performance.now() };

function harnessOf(books: ReturnType<typeof createDisputeBooks>) {
  return {
    tenant,
    open: async (facts: { amountMinor: bigint; transactionId: string }) => String(books.open(facts).id),
    async setState(id: string, state: Parameters<DisputeHarness['setState']>[1]) {
      books.of(id).state = state;
    },
    answers: async (id: string) => books.of(id).answers,
  };
}

describeDisputes('Paystack', async () => {
  const books = createDisputeBooks();
  let baseUrl = '';
  const server = await startStandIn(
    () => undefined,
    (seen) => handlePaystackDispute(books, seen, () => baseUrl) ?? NOT_HERE,
  );
  baseUrl = server.baseUrl;
  const http = createProviderHttp({ baseUrl });
  const webhook = (event: string, data: unknown) => {
    const rawBody = Buffer.from(JSON.stringify({ event, data }));
    return { rawBody, headers: paystackSignature(SECRET, rawBody) };
  };
  return {
    ...harnessOf(books),
    disputes: createPaystackDisputes({ http, clock, mode: 'SANDBOX', secretKey: SECRET }),
    webhook: (id) => webhook('charge.dispute.create', paystackDisputeView(books.of(id))),
    otherWebhook: () => webhook('charge.success', { id: 1 }),
    async close() {
      await http.close();
      await server.close();
    },
  };
});

describeDisputes('Flutterwave', async () => {
  const books = createDisputeBooks();
  const server = await startStandIn(
    () => undefined,
    (seen) => handleFlutterwaveDispute(books, seen) ?? NOT_HERE,
  );
  const http = createProviderHttp({ baseUrl: server.baseUrl });
  const webhook = (event: string, data: unknown) => ({
    rawBody: Buffer.from(JSON.stringify({ event, data })),
    headers: { 'verif-hash': SECRET },
  });
  return {
    ...harnessOf(books),
    disputes: createFlutterwaveDisputes({ http, clock, mode: 'SANDBOX', secretHash: SECRET }),
    webhook: (id) => webhook('chargeback.created', flutterwaveDisputeView(books.of(id))),
    otherWebhook: () => webhook('charge.completed', { id: 1 }),
    async close() {
      await http.close();
      await server.close();
    },
  };
});
