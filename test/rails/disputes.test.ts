import { createHmac } from 'node:crypto';
import { systemClock } from '../../src/platform/clock.ts';
import { rowsFor, statement } from '../../src/platform/db/statement.ts';
import {
  createFlutterwaveRail,
  createPaystackRail,
  createSandboxRail,
  type DisputeState,
  type ProviderWebhookRequest,
  type Rail,
} from '../../src/rails/index.ts';
import { findSandboxDispute } from '../../src/rails/sandbox/dispute-queries.ts';
import { sandboxDispute } from '../../src/rails/sandbox/disputes.ts';
import { signDisputeWebhook, signedRequest } from '../../src/rails/sandbox/webhooks.ts';
import { openTestDatabase } from '../support/database.ts';
import { type DisputeHarness, describeDisputes } from './dispute-conformance.ts';
import {
  type DisputeBooks,
  flutterwaveDisputeView,
  paystackDisputeView,
  type StandInDispute,
} from './providers/dispute-servers.ts';
import {
  SECRET_KEY as FLUTTERWAVE_KEY,
  SECRET_HASH as HASH,
  startFlutterwaveServer,
} from './providers/flutterwave-server.ts';
import { SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';
import type { StandIn } from './providers/stand-in.ts';
import { newTenant, SECRET } from './sandbox-support.ts';
import { WALLET_BANK } from './sandbox-wallet-support.ts';

const NOWHERE = 'http://127.0.0.1:9';

interface Provider {
  start(): Promise<StandIn & { wallets: { disputes: DisputeBooks } }>;
  rail(baseUrl: string): Rail;
  secrets: readonly string[];
  webhook(dispute: StandInDispute): object;
  other: object;
  sign(body: object, secret?: string): ProviderWebhookRequest;
}

async function over({ start, rail, secrets, webhook, other, sign }: Provider): Promise<DisputeHarness> {
  const server = await start();
  const books = server.wallets.disputes;
  return {
    rail: rail(server.baseUrl),
    tenant: newTenant(),
    open: async (facts) => String(books.open(facts).id),
    async setState(id, state) {
      books.of(id).state = state;
    },
    answers: async (id) => books.of(id).answers,
    webhook: (id) => sign(webhook(books.of(id))),
    forgedWebhooks(id) {
      const { rawBody } = sign(webhook(books.of(id)));
      return [{ headers: {}, rawBody }, sign(webhook(books.of(id)), 'a secret of somebody else')];
    },
    otherWebhook: () => sign(other),
    provider: {
      server,
      said: (id) => books.of(id).said,
      spoil(id, fact) {
        books.of(id).wrong = fact;
      },
      silence(what) {
        books.silence = what;
      },
      unreachable: rail(NOWHERE),
      secrets,
    },
    close: server.close,
  };
}

const paystack: Provider = {
  start: () => startPaystackServer(),
  rail: (baseUrl) => createPaystackRail({ credentials: { secretKey: SECRET_KEY }, baseUrl, clock: systemClock }),
  secrets: [SECRET_KEY],
  webhook: (dispute) => ({ event: 'charge.dispute.create', data: paystackDisputeView(dispute, 'SANDBOX') }),
  other: { event: 'charge.success', data: { id: 1 } },
  sign(body, secret = SECRET_KEY) {
    const rawBody = Buffer.from(JSON.stringify(body));
    return { headers: { 'x-paystack-signature': createHmac('sha512', secret).update(rawBody).digest('hex') }, rawBody };
  },
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
  webhook: (dispute) => ({ event: 'chargeback.created', data: flutterwaveDisputeView(dispute) }),
  other: { event: 'charge.completed', data: { id: 1 } },
  sign: (body, secret = HASH) => ({ headers: { 'verif-hash': secret }, rawBody: Buffer.from(JSON.stringify(body)) }),
};

const setAnswer = statement(
  'test-set-sandbox-dispute',
  `update sandbox_disputes set scenario = $2, answer = $3, answered_at = $4, due_at = coalesce($5, due_at) where id = $1`,
);
const LONG_AGO_MS = 2 * 60_000;

/** The built-in bank, with books of its own. */
async function sandbox(): Promise<DisputeHarness> {
  const { database, drop } = await openTestDatabase();
  const providerWebhooks = { secret: SECRET, deliver: async () => undefined };
  const rail = createSandboxRail({ database, clock: systemClock, providerWebhooks, walletBank: WALLET_BANK });
  const tenant = newTenant();
  const past = () => new Date(Date.now() - LONG_AGO_MS);
  const how = (state: DisputeState | 'silence' | 'unlisted') => {
    if (state === 'silence') return ['won', null, null, past()];
    if (state === 'accepted') return ['won', 'ACCEPT', past(), null];
    return [state === 'evidence_sent' ? 'undecided' : state, 'CONTEST', past(), null];
  };
  return {
    rail,
    tenant,
    async open({ amountMinor, transactionId: creditId }) {
      const { row, write } = sandboxDispute({ tenant, creditId, amountMinor }, systemClock.now());
      const { into, row: values } = write;
      await database.run(...rowsFor(into, [values as never]));
      return row.id;
    },
    setState: async (id, state) => void (await database.query(setAnswer, [id, ...how(state)])),
    async answers(id) {
      const [row] = await database.query(findSandboxDispute, [tenant.merchantId, tenant.mode, id]);
      return row?.answer === null ? 0 : 1;
    },
    webhook: (id) => signDisputeWebhook(SECRET, id, systemClock.now()),
    forgedWebhooks(id) {
      const { headers, rawBody } = signDisputeWebhook(SECRET, id, systemClock.now());
      return [
        { headers: {}, rawBody },
        { headers, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) },
        signDisputeWebhook('a secret of somebody else', id, systemClock.now()),
        signDisputeWebhook(SECRET, id, new Date(Date.now() - 301_000)),
      ];
    },
    otherWebhook: () => signedRequest(SECRET, { id: '1', railReference: 'a'.repeat(32) }, systemClock.now()),
    close: drop,
  };
}

describeDisputes('Paystack', () => over(paystack), { overHttp: true });
describeDisputes('Flutterwave', () => over(flutterwave), { overHttp: true });
describeDisputes('the sandbox', sandbox, {});
