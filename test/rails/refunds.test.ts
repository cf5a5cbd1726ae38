import { createHmac, randomUUID } from 'node:crypto';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createFlutterwaveRail,
  createMonnifyRail,
  createPaystackRail,
  createSandboxRail,
  type ProviderWebhookRequest,
  type Rail,
} from '../../src/rails/index.ts';
import { findSandboxRefund } from '../../src/rails/sandbox/refund-queries.ts';
import { openTestDatabase } from '../support/database.ts';
import { CREDENTIALS } from './monnify-support.ts';
import {
  SECRET_KEY as FLUTTERWAVE_KEY,
  SECRET_HASH as HASH,
  startFlutterwaveServer,
} from './providers/flutterwave-server.ts';
import { CONTRACT } from './providers/monnify-payments-server.ts';
import { startMonnifyServer } from './providers/monnify-server.ts';
import { SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';
import type { RefundBooks, StandInRefund } from './providers/refund-books.ts';
import type { StandIn } from './providers/stand-in.ts';
import { describeRefunds, type RefundHarness } from './refund-conformance.ts';
import { newTenant, SECRET } from './sandbox-support.ts';
import { WALLET_BANK } from './sandbox-wallet-support.ts';

const NOWHERE = 'http://127.0.0.1:9';

interface Provider {
  start(): Promise<StandIn & { wallets: { refunds: RefundBooks } }>;
  rail(baseUrl: string): Rail;
  secrets: readonly string[];
  webhook(row: StandInRefund): object;
  other: object;
  sign(body: object, secret?: string): ProviderWebhookRequest;
}

async function over({ start, rail, secrets, webhook, other, sign }: Provider): Promise<RefundHarness> {
  const server = await start();
  const books = server.wallets.refunds;
  const rows = (reference: string) => books.rows.filter((row) => row.reference === reference);
  const only = (reference: string): StandInRefund => {
    const [row] = rows(reference);
    if (row === undefined) throw new Error('it is not in the book');
    return row;
  };
  let payments = 4_710;
  return {
    rail: rail(server.baseUrl),
    tenant: newTenant(),
    async payment() {
      payments += 1;
      return String(payments);
    },
    play(what) {
      books.next = what;
      return {};
    },
    booked: async (reference) => rows(reference).map(({ amountMinor }) => amountMinor),
    accountOf: (reference) => only(reference).account,
    webhooks: {
      of: (reference) => sign(webhook(only(reference))),
      forged(reference) {
        const { rawBody } = sign(webhook(only(reference)));
        return [{ headers: {}, rawBody }, sign(webhook(only(reference)), 'a secret of somebody else')];
      },
      other: () => sign(other),
    },
    provider: { server, unreachable: rail(NOWHERE), secrets },
    close: server.close,
  };
}

const hmac =
  (header: string, ours: string) =>
  (body: object, secret: string = ours) => {
    const rawBody = Buffer.from(JSON.stringify(body));
    return { headers: { [header]: createHmac('sha512', secret).update(rawBody).digest('hex') }, rawBody };
  };

const paystack: Provider = {
  start: () => startPaystackServer(),
  rail: (baseUrl) => createPaystackRail({ credentials: { secretKey: SECRET_KEY }, baseUrl, clock: systemClock }),
  secrets: [SECRET_KEY],
  webhook: ({ amountMinor }) => ({
    event: 'refund.processed',
    data: { transaction_reference: 'ps4711', refund_reference: null, amount: String(amountMinor) },
  }),
  other: { event: 'charge.success', data: { id: 4711 } },
  sign: hmac('x-paystack-signature', SECRET_KEY),
};

const flutterwave: Provider = {
  start: () => startFlutterwaveServer(),
  rail: (baseUrl) =>
    createFlutterwaveRail({
      credentials: { secretKey: FLUTTERWAVE_KEY, secretHash: HASH },
      baseUrl,
      clock: systemClock,
    }),
  secrets: [FLUTTERWAVE_KEY, HASH],
  webhook: ({ id, transactionId }) => ({
    event: 'refund.completed',
    data: { id: Number(id), tx_id: Number(transactionId) },
  }),
  other: { event: 'charge.completed', data: { id: 4711 } },
  sign: (body, secret = HASH) => ({
    headers: { 'verif-hash': secret },
    rawBody: Buffer.from(JSON.stringify(body)),
  }),
};

const MONNIFY = { ...CREDENTIALS, contractCode: CONTRACT };
const monnify: Provider = {
  start: () => startMonnifyServer(),
  rail: (baseUrl) => createMonnifyRail({ credentials: MONNIFY, baseUrl, clock: systemClock }),
  secrets: [
    MONNIFY.secretKey,
    MONNIFY.apiKey,
    Buffer.from(`${MONNIFY.apiKey}:${MONNIFY.secretKey}`).toString('base64'),
  ],
  webhook: ({ reference, transactionId }) => ({
    eventType: 'SUCCESSFUL_REFUND',
    eventData: { refundReference: reference, transactionReference: transactionId, refundStatus: 'COMPLETED' },
  }),
  other: { eventType: 'SETTLEMENT', eventData: { amount: '7' } },
  sign: hmac('monnify-signature', MONNIFY.secretKey),
};

/** The built-in bank, with books of its own. */
async function sandbox(): Promise<RefundHarness> {
  const { database, drop } = await openTestDatabase();
  const providerWebhooks = { secret: SECRET, deliver: async () => undefined };
  const rail = createSandboxRail({ database, clock: systemClock, providerWebhooks, walletBank: WALLET_BANK });
  const tenant = newTenant();
  return {
    rail,
    tenant,
    async payment() {
      const accountNumber = String(9_000_000_000 + Number(BigInt(`0x${randomUUID().slice(0, 6)}`)));
      const [made] = await rail.receiveCredit({ tenant, accountNumber, amountMinor: 1_000_000n });
      if (made === undefined) throw new Error('one credit was made');
      return made.id;
    },
    play: (what) => ({ scenario: what === 'processed' ? 'refund-success' : `refund-${what}` }),
    async booked(reference) {
      const rows = await database.query(findSandboxRefund, [tenant.merchantId, tenant.mode, reference]);
      return rows.filter(({ received_at }) => received_at !== null).map(({ amount_minor }) => amount_minor);
    },
    close: drop,
  };
}

describeRefunds('Paystack', () => over(paystack), { wantsAccounts: true, overHttp: true });
describeRefunds('Flutterwave', () => over(flutterwave), { wantsAccounts: false, overHttp: true });
describeRefunds('Monnify', () => over(monnify), { wantsAccounts: true, overHttp: true });
describeRefunds('the sandbox', sandbox, { wantsAccounts: true });
