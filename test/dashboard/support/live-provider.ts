import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { addRail, setDefaultRails } from '../../../src/rail-accounts/index.ts';
import { setWalletProvider } from '../../../src/virtual-accounts/index.ts';
import { paystackDisputeView, type StandInDispute } from '../../rails/providers/dispute-servers.ts';
import { LIVE_SECRET_KEY, type PaystackServer, startPaystackServer } from '../../rails/providers/paystack-server.ts';
import type { StandInRefund } from '../../rails/providers/refund-books.ts';
import type { NewMerchant } from './new-merchant.ts';
import { signInOverHttp } from './session.ts';
import type { Walk } from './walk.ts';

export const LIVE_RAIL = 'paystack-live';

export interface LiveProvider {
  readonly server: PaystackServer;
  /** A webhook as the provider sends it: signed, and twice. */
  report(body: Buffer): Promise<void>;
}

/** What the operator does at the terminal: an account at a provider in both of its roles. Call it at the top of a file. */
export function prepareLiveProvider(walk: Walk): LiveProvider {
  let server: PaystackServer;

  beforeAll(async () => {
    server = await startPaystackServer({ isLive: true });
    const deps = { database: walk.runtime.database, secrets: walk.runtime.secrets, clock: systemClock };
    await addRail(deps, {
      name: LIVE_RAIL,
      provider: 'paystack',
      mode: 'LIVE',
      credentials: JSON.stringify({ secretKey: LIVE_SECRET_KEY }),
      baseUrl: server.baseUrl,
      openToMerchants: false,
      replace: false,
      check: true,
    });
    await setDefaultRails(deps, { mode: 'LIVE', first: LIVE_RAIL, second: null });
    await setWalletProvider(deps, { mode: 'LIVE', name: LIVE_RAIL, preferredBank: null });
  });
  afterAll(() => server.close());

  return {
    get server() {
      return server;
    },
    async report(rawBody) {
      const { headers } = server.signed(rawBody);
      const signature = headers['x-paystack-signature'] ?? '';
      for (let copy = 0; copy < 2; copy += 1) {
        const answer = await fetch(`${walk.baseUrl}/rail/live/${LIVE_RAIL}/webhook`, {
          method: 'POST',
          headers: { 'x-paystack-signature': signature },
          body: new Uint8Array(rawBody),
        });
        expect(answer.status).toBe(200);
      }
    },
  };
}

/** @param reference of the payment at the provider */
export function refundWebhook({ amountMinor }: StandInRefund, reference: string): Buffer {
  const data = { transaction_reference: reference, refund_reference: null, amount: String(amountMinor) };
  return Buffer.from(JSON.stringify({ event: 'refund.processed', data }));
}

export const disputeWebhook = (event: 'create' | 'resolve', dispute: StandInDispute): Buffer =>
  Buffer.from(JSON.stringify({ event: `charge.dispute.${event}`, data: paystackDisputeView(dispute, 'LIVE') }));

/** Submitted by the merchant, approved by the operator, and given what it may use beside payouts. */
export async function approve(
  walk: Walk,
  { merchantId, session }: NewMerchant,
  services: readonly string[] = ['COLLECTION'],
): Promise<void> {
  expect((await session.ask('POST', '/onboarding/submit', {})).status).toBe(200);
  const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
  expect((await operator.ask('POST', `/operator/merchant/${merchantId}/approve`)).status).toBe(200);
  for (const key of services) {
    const service = { key, enabled: true };
    expect((await operator.ask('POST', `/operator/merchant/${merchantId}/service`, service)).status, key).toBe(200);
  }
}

/** The newest account number that the worker has asked the provider for. @param count how many there are then */
export async function newestNumber(walk: Walk, { merchantId }: NewMerchant, count = 1): Promise<string> {
  // What is opened as a page has our reference in its place.
  const find = async () => {
    const { rows } = await walk.runtime.database.pool.query<{ account_number: string }>(
      `select account_number from receiving_numbers
        where merchant_id = $1 and account_number ~ '^\\d{10}$' order by opened_at desc`,
      [merchantId],
    );
    return rows.map(({ account_number }) => account_number);
  };
  await expect.poll(async () => (await find()).length, { timeout: 15_000 }).toBe(count);
  return (await find())[0] ?? '';
}
