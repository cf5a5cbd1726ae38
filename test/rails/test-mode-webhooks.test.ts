import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPayout, type PayoutRecord } from '../../src/payouts/index.ts';
import { railReferenceOf } from '../../src/payouts/rails.ts';
import { success } from '../../src/platform/answer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  createFlutterwaveRail,
  createMonnifyRail,
  createPaystackRail,
  createRailCaller,
  type ProviderWebhookRequest,
  type Rail,
} from '../../src/rails/index.ts';
import { addPayouts, createPayoutFixture, type Merchant, type PayoutFixture } from '../payouts/payout-fixture.ts';
import { codeOf } from '../reconciliation/files.ts';
import type { WebhookFacts } from './harness.ts';
import * as flutterwave from './providers/flutterwave-server.ts';
import * as monnify from './providers/monnify-server.ts';
import * as paystack from './providers/paystack-server.ts';
import type { StandIn } from './providers/stand-in.ts';

type Signing = StandIn & { providerWebhook(facts: WebhookFacts): ProviderWebhookRequest };

/** An account of each mode at one provider: the stand-in signs as the test account does. */
interface Provider {
  server: Signing;
  test: Rail;
  live: Rail;
  /** The same body, signed with the live account's secret. */
  signedLive(rawBody: Buffer): ProviderWebhookRequest;
  /** What the live account's address answers to what the test account signed. */
  refused: 401 | 200;
}

const clock = systemClock;
const LIVE_SECRET = 'ZYXWVUTSRQPONMLKJIHGFEDCBA987654';

const PROVIDERS = {
  async paystack(): Promise<Provider> {
    const server = await paystack.startPaystackServer({ endsLater: true });
    const liveKey = `sk_live_${'7f'.repeat(20)}`;
    const rail = (name: string, secretKey: string) =>
      createPaystackRail({ name, credentials: { secretKey }, baseUrl: server.baseUrl, clock });
    return {
      server,
      test: rail('paystack-test', paystack.SECRET_KEY),
      live: rail('paystack-live', liveKey),
      signedLive: (rawBody) => server.signed(rawBody, liveKey),
      refused: 401,
    };
  },
  async monnify(): Promise<Provider> {
    const server = await monnify.startMonnifyServer();
    const walletAccountNumber = monnify.WALLET;
    const test = { apiKey: monnify.API_KEY, secretKey: monnify.SECRET_KEY, walletAccountNumber };
    const live = { apiKey: 'MK_PROD_0123456789', secretKey: LIVE_SECRET, walletAccountNumber };
    const rail = (name: string, credentials: typeof test) =>
      createMonnifyRail({ name, credentials, baseUrl: server.baseUrl, clock });
    return {
      server,
      test: rail('monnify-test', test),
      live: rail('monnify-live', live),
      signedLive: (rawBody) => server.signed(rawBody, LIVE_SECRET),
      refused: 401,
    };
  },
  /** The worst case: its hash is no signature, and its owner chose one for both modes. */
  async flutterwave(): Promise<Provider> {
    const server = await flutterwave.startFlutterwaveServer();
    const rail = (name: string, secretKey: string) =>
      createFlutterwaveRail({
        name,
        credentials: { secretKey, secretHash: flutterwave.SECRET_HASH },
        baseUrl: server.baseUrl,
        clock,
      });
    return {
      server,
      test: rail('flutterwave-test', flutterwave.SECRET_KEY),
      live: rail('flutterwave-live', 'FLWSECK-0123456789abcdef0123456789abcdef-X'),
      signedLive: (rawBody) => server.signed(rawBody),
      refused: 200,
    };
  },
};

let account = 3_200_000_000;

describe.each(['paystack', 'monnify', 'flutterwave'] as const)('a webhook that a test account of %s signed', (name) => {
  let fixture: PayoutFixture;
  let provider: Provider;
  let live: Merchant;
  let test: Merchant;

  beforeAll(async () => {
    provider = await PROVIDERS[name]();
    const callers = { SANDBOX: createRailCaller(provider.test), LIVE: createRailCaller(provider.live) };
    fixture = await createPayoutFixture({
      rails: {
        listRails: async ({ mode }) => [callers[mode]],
        findRail: async (mode, asked) => (callers[mode].name === asked ? callers[mode] : undefined),
      },
    });
    live = await fixture.addMerchant(0, 'LIVE');
    test = await fixture.addMerchant();
    await putMoneyInto(live);
  });
  afterAll(async () => {
    await fixture.close();
    await provider.server.close();
  });

  /** As money that arrived in the bank. */
  async function putMoneyInto({ tenant, walletId }: Merchant): Promise<void> {
    const { providerFloat, wallet } = await fixture.deps.wallets.requireTenantAccounts(tenant);
    expect(wallet.id).toBe(walletId);
    const way = { debitAccountId: providerFloat, creditAccountId: wallet.id };
    const id = newId();
    await fixture.deps.ledger.commit({
      tenant,
      id,
      occurredAt: fixture.clock.now().toISOString(),
      transfers: [{ kind: 'POSTED', id: newId(), ...way, amountMinor: 100_000_000n, code: 'SUBACCOUNT_CREDIT' }],
      writes: [],
      events: [{ id: newId(), type: 'transaction.succeeded', subjectId: id, data: '{}' }],
      answer: success('Success'),
    });
  }

  /** Sent by the account of its mode, and nobody knows what became of it. */
  async function open(merchant: Merchant): Promise<PayoutRecord> {
    account += 1;
    const rail = merchant === live ? `${name}-live` : `${name}-test`;
    const [id] = await addPayouts(fixture, merchant, 1, { rail, accountNumber: () => String(account) });
    provider.server.breakNext('send', 'http-500');
    await fixture.worker.runOnce();
    const payout = await payoutOf(merchant, id!);
    expect(payout.status).toBe('PROCESSING');
    return payout;
  }

  async function payoutOf({ tenant }: Merchant, id: string): Promise<PayoutRecord> {
    const [payout] = await fixture.database.query(findPayout, [tenant.merchantId, tenant.mode, id]);
    return payout!;
  }

  const webhookOf = (payout: PayoutRecord, outcome: WebhookFacts['outcome'] = 'succeeded') =>
    provider.server.providerWebhook({
      railReference: railReferenceOf(payout.id),
      amountMinor: payout.amount_minor,
      outcome,
      account: { bankCode: '058', accountNumber: payout.beneficiary_account_number },
    });

  const post = (url: string, { headers, rawBody }: ProviderWebhookRequest) =>
    fixture.server.inject({ method: 'POST', url, headers: headers as Record<string, string>, payload: rawBody });

  const standing = async (merchant: Merchant, payout: PayoutRecord) => {
    const { status, operator_reason } = await payoutOf(merchant, payout.id);
    const { bookedMinor, availableMinor } = await merchant.balance();
    return { status, operator_reason, bookedMinor, availableMinor };
  };

  it.each(['succeeded', 'failed', 'reversed'] as const)(
    'ends nothing at the live address, also where it names a live payout in every fact: %s',
    async (outcome) => {
      const payout = await open(live);
      const before = await standing(live, payout);
      for (let copies = 0; copies < 3; copies += 1) {
        const reply = await post(`/rail/live/${name}-live/webhook`, webhookOf(payout, outcome));
        expect(reply.statusCode, reply.body).toBe(provider.refused);
      }
      expect(await standing(live, payout)).toEqual(before);
    },
  );

  it('of a payout of the sandbox ends nothing at the live address, and that payout at its own', async () => {
    const payout = await open(test);
    const providerWebhook = webhookOf(payout);
    expect((await post(`/rail/live/${name}-live/webhook`, providerWebhook)).statusCode).toBe(provider.refused);
    expect((await payoutOf(test, payout.id)).status).toBe('PROCESSING');
    // Signed with the live secret it is the live account's word, which never had that payout.
    expect(
      (await post(`/rail/live/${name}-live/webhook`, provider.signedLive(providerWebhook.rawBody))).statusCode,
    ).toBe(200);
    expect((await payoutOf(test, payout.id)).status).toBe('PROCESSING');
    expect(await codeOf(fixture.worker.runOnce())).toBe('ok');
  });

  it('finds no account under the other mode’s address, however that is written', async () => {
    const payout = await open(live);
    const before = await standing(live, payout);
    for (const path of [`live/${name}-test`, `LIVE/${name}-test`, `sandbox/${name}-live`, `Sandbox/${name}-live`]) {
      expect((await post(`/rail/${path}/webhook`, webhookOf(payout))).statusCode, path).toBe(404);
    }
    // At the test account's own address it is believed, about payouts of that account alone.
    const own = await post(`/rail/sandbox/${name}-test/webhook`, webhookOf(payout));
    expect(own.statusCode).toBe(200);
    expect(await standing(live, payout)).toEqual(before);
  });
});

describe('a webhook of the built-in sandbox rail', () => {
  it('has no live address, and is about no live payout', async () => {
    const fixture = await createPayoutFixture();
    const merchant = await fixture.addMerchant(0, 'LIVE');
    const body = JSON.stringify({ merchantId: merchant.merchantId, mode: 'LIVE', railReference: newId() });
    for (const [mode, status] of [
      ['live', 404],
      ['sandbox', 401],
    ] as const) {
      const url = `/rail/${mode}/sandbox/webhook`;
      const reply = await fixture.server.inject({ method: 'POST', url, headers: JSON_TYPE, payload: body });
      expect(reply.statusCode, mode).toBe(status);
    }
    await fixture.close();
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
