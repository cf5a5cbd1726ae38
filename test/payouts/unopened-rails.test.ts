import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readOutcomeQueue } from '../../src/outcomes/read-outcomes.ts';
import { PUT_OFF_MS } from '../../src/payout-delivery/lease-payouts.ts';
import { addRail, createRailDirectory, listRailAccounts, type RailDirectory } from '../../src/rail-accounts/index.ts';
import { sealCredentials } from '../../src/rail-accounts/providers.ts';
import { type PaystackServer, SECRET_KEY, startPaystackServer } from '../rails/providers/paystack-server.ts';
import { dispatchOf, summaryOf, validatedBatch } from './batch-fixture.ts';
import { createPayoutFixture, executed, items, type Merchant, type PayoutFixture, payment } from './payout-fixture.ts';

/** Longer than the directory remembers. */
const KNOWN_MS = 3_000;

let provider: PaystackServer;
let fixture: PayoutFixture;
let rails: RailDirectory;
let merchant: Merchant;

beforeAll(async () => {
  provider = await startPaystackServer();
  fixture = await createPayoutFixture({ rails: (made) => (rails = createRailDirectory(made)) });
  const credentials = JSON.stringify({ secretKey: SECRET_KEY });
  const account = { name: 'bank', provider: 'paystack', mode: 'SANDBOX' as const, credentials };
  const how = { baseUrl: provider.baseUrl, openToMerchants: true, replace: false, check: false };
  await addRail(fixture, { ...account, ...how });
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

beforeEach(async () => {
  await correct();
  merchant = await fixture.addMerchant();
});

/** As after a change by hand, or where the key is another one. */
async function spoil(): Promise<void> {
  await fixture.database.pool.query(`update rail_accounts set sealed_credentials = reverse(sealed_credentials)`);
  fixture.clock.advance(KNOWN_MS);
}

async function correct(): Promise<void> {
  const credentials = JSON.stringify({ secretKey: SECRET_KEY });
  const account = { name: 'bank', provider: 'paystack', mode: 'SANDBOX' as const, credentials };
  const how = { baseUrl: provider.baseUrl, openToMerchants: true, replace: true, check: false };
  await addRail(fixture, { ...account, ...how });
  // It is tried again a minute or five after it failed last.
  fixture.clock.advance(KNOWN_MS);
}

async function choose(first: string, second?: string): Promise<void> {
  await fixture.database.pool.query(
    `insert into tenant_rails (merchant_id, mode, first_rail, second_rail, chosen_by, chosen_at)
     values ($1, 'SANDBOX', $2, $3, 'MERCHANT', now())
     on conflict (merchant_id, mode) do update set first_rail = $2, second_rail = $3`,
    [merchant.merchantId, first, second ?? null],
  );
  fixture.clock.advance(KNOWN_MS);
}

async function pay(fields: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await merchant.call('POST', '/payout/single', payment(fields));
  expect([status, body.code]).toEqual([200, undefined]);
  return body.data.transactionId;
}

const shown = async (id: string) => (await merchant.call('GET', `/transaction/${id}`)).body.data;
const evidenceOf = async (id: string) => (await merchant.call('GET', `/transaction/${id}/evidence`)).body.data;
const sentOf = (id: string) =>
  provider.requests.filter(({ path, body }) => path === '/transfer' && body.reference === id.replaceAll('-', ''));

describe('a payout whose rail does not open', () => {
  it('is not sent, waits with a reason, and is sent once, soon after the account was corrected', async () => {
    await choose('bank');
    const id = await pay();
    await spoil();
    for (let looks = 0; looks < 5; looks += 1) {
      await fixture.worker.runOnce();
      fixture.clock.advance(PUT_OFF_MS);
    }
    expect(await shown(id)).toMatchObject({ status: 'QUEUED', reason: 'RAIL_UNAVAILABLE', conclusive: false });
    // It asked nobody, so there is no attempt.
    expect((await evidenceOf(id)).attempts).toEqual([]);
    await correct();
    fixture.clock.advance(PUT_OFF_MS);
    await fixture.worker.runOnce();
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect(await shown(id)).toMatchObject({ status: 'SUCCESS', reason: null });
    expect(sentOf(id)).toHaveLength(1);
    const { rows } = await fixture.database.pool.query(
      `select type, data::json->>'reason' as reason from events where merchant_id = $1 and type like 'payout.%' order by sequence`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([
      { type: 'payout.queued', reason: null },
      { type: 'payout.processing', reason: null },
      { type: 'payout.succeeded', reason: null },
    ]);
  });

  it('goes to the second rail, as the first was certainly never asked, and the evidence says so', async () => {
    await choose('bank', 'sandbox');
    const id = await pay();
    await spoil();
    await fixture.worker.runOnce();
    expect(await shown(id)).toMatchObject({ status: 'SUCCESS' });
    expect(sentOf(id)).toEqual([]);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
    expect((await evidenceOf(id)).attempts).toMatchObject([
      { kind: 'SEND', rail: 'bank', outcome: 'unknown', reason: 'RAIL_UNAVAILABLE' },
      { kind: 'SEND', rail: 'sandbox', outcome: 'succeeded' },
    ]);
  });

  it('stays with it where it may have been asked, is never sent by another, and comes before the operator in time', async () => {
    await choose('bank', 'sandbox');
    const id = await pay();
    provider.breakNext('send', 'http-500');
    await fixture.worker.runOnce();
    expect(await shown(id)).toMatchObject({ status: 'PROCESSING', reason: 'OUTCOME_UNKNOWN' });
    await spoil();
    for (let hours = 0; hours < 26; hours += 1) {
      fixture.clock.advance(3_600_000);
      await fixture.worker.runOnce();
    }
    expect(await shown(id)).toMatchObject({ status: 'PROCESSING', reason: 'OUTCOME_UNKNOWN' });
    expect(await executed(fixture, merchant.tenant)).toEqual([]);
    const { rows: queue } = await readOutcomeQueue(fixture.database, 'OPERATOR', { page: 1, size: 100 });
    const queued = queue.filter(({ payout }) => payout.id === id);
    expect(queued).toMatchObject([{ payout: { operator_reason: 'UNKNOWN_TOO_LONG' } }]);
    const requeried = await merchant.call('POST', '/transaction/requery', { transactionId: id });
    expect([requeried.status, requeried.body.data.status]).toEqual([200, 'PROCESSING']);
  });

  it('of a batch waits with the others, whose chunks are expanded as ever, and the batch ends when it was corrected', async () => {
    await choose('sandbox');
    const reference = await validatedBatch(fixture, merchant, items(510));
    await choose('bank');
    expect((await dispatchOf(merchant, reference)).status).toBe(200);
    await spoil();
    await fixture.worker.runOnce();
    fixture.clock.advance(PUT_OFF_MS);
    await fixture.worker.runOnce();
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'DISPATCHING' });
    const { rows } = await fixture.database.pool.query(
      'select status, reason, count(*)::int from transactions where merchant_id = $1 and batch_id is not null group by 1, 2',
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ status: 'QUEUED', reason: 'RAIL_UNAVAILABLE', count: 510 }]);
    await choose('sandbox');
    await correct();
    fixture.clock.advance(PUT_OFF_MS);
    await fixture.worker.runOnce();
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'COMPLETED', payouts: { succeeded: 510 } });
  });
});

describe('a batch whose rail does not open', () => {
  it('is abandoned after ten minutes like one of a rail that is silent, with words for who has to correct it', async () => {
    await choose('bank');
    const made = await merchant.call('POST', '/payout/bulk', { items: items(3) });
    await spoil();
    for (let minutes = 0; minutes < 12; minutes += 1) {
      await fixture.worker.runOnce();
      fixture.clock.advance(60_000);
    }
    const reference = made.body.data.batchReference;
    expect(await summaryOf(merchant, reference)).toMatchObject({ status: 'NEEDS_FIX', counts: { invalid: 3 } });
  });
});

describe('where a rail does not open', () => {
  it('nothing new is accepted for it, with a code that says why, and everything else answers', async () => {
    await choose('bank');
    await spoil();
    const refused = await merchant.call('POST', '/payout/single', payment());
    expect([refused.status, refused.body.code]).toEqual([503, 'RAIL_CREDENTIALS_UNREADABLE']);
    const providerWebhook = await fixture.server.inject({
      method: 'POST',
      url: '/rail/sandbox/bank/webhook',
      payload: Buffer.from('{}'),
      headers: { 'content-type': 'application/json' },
    });
    // To be sent again.
    expect([providerWebhook.statusCode, providerWebhook.json().code]).toEqual([503, 'RAIL_CREDENTIALS_UNREADABLE']);
    const other = await fixture.addMerchant();
    expect((await other.call('POST', '/payout/single', payment())).status).toBe(200);
    expect((await merchant.call('GET', '/payout/single/schedule')).status).toBe(200);
  });

  it('the operator sees which, whatever keeps it from opening', async () => {
    const elsewhere = { name: 'bank', provider: 'paystack', mode: 'SANDBOX' as const, base_url: 'http://bank.example' };
    const sealed = sealCredentials(fixture.secrets, elsewhere, JSON.stringify({ secretKey: SECRET_KEY }));
    const { rows } = await fixture.database.pool.query('select * from rail_accounts');
    const [right] = rows;
    const asItWas = [right.provider, right.base_url, right.sealed_credentials];
    const set = async (values: unknown[]) => {
      await fixture.database.pool.query(
        'update rail_accounts set provider = $1, base_url = $2, sealed_credentials = $3',
        values,
      );
      // Longer than one that did not open is left alone.
      fixture.clock.advance(5 * 60_000);
    };
    const sandbox = { name: 'sandbox', opens: true };
    for (const damage of [
      // Credentials that are not those, an adapter that this version does not have, and one that does not take its row.
      [right.provider, right.base_url, 'what nobody sealed'],
      ['gtbank', right.base_url, right.sealed_credentials],
      [right.provider, elsewhere.base_url, sealed],
    ]) {
      await set(damage);
      expect(await rails.listNamed()).toMatchObject([sandbox, { name: 'bank', opens: false, circuit: 'open' }]);
      expect(rails.railHealth()).toMatchObject([sandbox, { name: 'bank', opens: false }]);
      expect(await listRailAccounts({ ...fixture.deps, secrets: fixture.secrets })).toMatchObject([{ opens: false }]);
      await set(asItWas);
      expect(await rails.listNamed()).toMatchObject([sandbox, { name: 'bank', opens: true }]);
    }
  });
});
