import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { createSandboxRail, type ProviderWebhookRequest } from '../../src/rails/index.ts';
import { reportOf } from '../payouts/scripted-rail.ts';
import { openTestDatabase } from '../support/database.ts';
import { accountOf, newTenant, openRail, paymentTo, SECRET, SIGNAL } from './sandbox-support.ts';
import { WALLET_BANK } from './sandbox-wallet-support.ts';

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

describe('the webhooks of the sandbox rail', () => {
  async function play(scenario: string, ...steps: number[]) {
    const opened = openRail(database);
    const tenant = newTenant();
    const request = paymentTo(tenant, accountOf(scenario));
    await opened.rail.send(request, SIGNAL);
    const counts: number[] = [await opened.rail.deliverDueWebhooks(tenant)];
    for (const seconds of steps) {
      opened.forward(seconds);
      counts.push(await opened.rail.deliverDueWebhooks(tenant));
    }
    return { ...opened, tenant, request, counts, webhooks: await opened.read() };
  }

  it('report a pending transfer once it has ended, and once only', async () => {
    const { counts, webhooks, request } = await play('pending-then-success', 4, 1, 1);
    expect(counts).toEqual([0, 0, 1, 0]);
    expect(webhooks[0]).toMatchObject({
      railReference: request.railReference,
      tenant: request.tenant,
      answer: { outcome: 'succeeded', code: '00', reported: reportOf(request) },
    });
  });

  it('report a failure and a late reversal', async () => {
    expect((await play('pending-then-failed', 5)).webhooks.map((one) => one.answer.outcome)).toEqual(['failed']);
    const reversal = await play('late-reversal', 9, 1);
    expect(reversal.webhooks.map((one) => one.answer.outcome)).toEqual(['succeeded', 'reversed']);
    expect(reversal.webhooks[1]?.answer).toMatchObject({ code: 'RV', reason: 'RAIL_REVERSED' });
  });

  it('come three times with one id, out of order, or a minute late where the scenario says so', async () => {
    const duplicate = await play('duplicate-webhook', 5, 60);
    expect(duplicate.counts).toEqual([0, 3, 0]);
    expect(new Set(duplicate.webhooks.map((one) => one.providerWebhookId)).size).toBe(1);

    const outOfOrder = await play('out-of-order-webhooks', 5, 1);
    expect(outOfOrder.webhooks.map((one) => one.answer.outcome)).toEqual(['succeeded', 'unknown']);

    expect((await play('delayed-webhook', 5, 54, 1)).counts).toEqual([0, 0, 0, 1]);
  });

  it('come before the answer to the send where the scenario says so', async () => {
    const { rail, taken, read } = openRail(database);
    const answer = rail.send(paymentTo(newTenant(), accountOf('early-webhook')), SIGNAL).then(() => taken.length);
    expect(await answer).toBe(1);
    expect((await read())[0]?.answer.outcome).toBe('succeeded');
  });

  it('of many sends at one moment come once each: no send delivers those of the others', async () => {
    const { rail, taken } = openRail(database);
    const tenant = newTenant();
    const sends = Array.from({ length: 12 }, () => rail.send(paymentTo(tenant, accountOf('early-webhook')), SIGNAL));
    expect((await Promise.all(sends)).map(({ outcome }) => outcome)).toEqual(Array(12).fill('succeeded'));
    expect(taken).toHaveLength(12);
    expect(await rail.deliverDueWebhooks(tenant)).toBe(0);
  });

  it('carry another amount than was sent where the scenario says so', async () => {
    const { webhooks, request } = await play('wrong-amount-webhook', 5);
    expect(webhooks[0]?.answer.reported.amountMinor).toBe(request.amountMinor + 1n);
  });

  it('stay due until they are taken', async () => {
    let refusing = true;
    const deliver = async () => {
      if (refusing) throw new Error('503');
    };
    const { rail, forward } = openRail(database, { providerWebhooks: { secret: SECRET, deliver } });
    const tenant = newTenant();
    await rail.send(paymentTo(tenant, accountOf('pending-then-success')), SIGNAL);
    forward(5);
    expect(await rail.deliverDueWebhooks(tenant)).toBe(0);
    refusing = false;
    expect(await rail.deliverDueWebhooks(tenant)).toBe(1);
    expect(await rail.deliverDueWebhooks(tenant)).toBe(0);
  });

  it('move on with the faster of two processes, and never back', async () => {
    let calls = 0;
    const deliver = async () => {
      calls += 1;
      if (calls === 1) {
        // While the first process waits for its answer another one delivers everything.
        await rail.deliverDueWebhooks(tenant);
        await rail.deliverDueWebhooks(tenant);
      }
    };
    const { rail, forward } = openRail(database, { providerWebhooks: { secret: SECRET, deliver } });
    const tenant = newTenant();
    await rail.send(paymentTo(tenant, accountOf('late-reversal')), SIGNAL);
    forward(10);
    await rail.deliverDueWebhooks(tenant);
    expect(await rail.deliverDueWebhooks(tenant)).toBe(0);
    expect(calls).toBe(3);
  });

  it('are opened once, whichever roles of the account read them', async () => {
    const { rail, taken } = openRail(database, { walletBank: WALLET_BANK });
    await rail.send(paymentTo(newTenant(), accountOf('early-webhook')), SIGNAL);
    const [{ headers, rawBody }] = taken as [ProviderWebhookRequest];
    let opened = 0;
    const request = {
      headers,
      get rawBody() {
        opened += 1;
        return rawBody;
      },
    };
    expect(await rail.verifyWebhook(request)).toHaveLength(1);
    const before = opened;
    expect(await rail.wallets?.readCreditWebhook(request)).toEqual([]);
    expect(await rail.wallets?.disputes?.readDisputeWebhook(request)).toEqual([]);
    expect(await rail.wallets?.settlements?.readNotice?.(request)).toEqual([]);
    expect(opened).toBe(before);
  });

  it('are refused when altered, signed with another secret, replayed after five minutes or unsigned', async () => {
    const { rail, taken, forward } = await play('pending-then-success', 5);
    const [providerWebhook] = taken as [ProviderWebhookRequest];
    const refused = { code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' };
    const altered = Buffer.from(providerWebhook.rawBody.toString().replace('"5000"', '"9000"'));
    await expect(rail.verifyWebhook({ ...providerWebhook, rawBody: altered })).rejects.toMatchObject(refused);
    await expect(rail.verifyWebhook({ ...providerWebhook, headers: {} })).rejects.toMatchObject(refused);
    const other = openRail(database, { providerWebhooks: { secret: 'another', deliver: async () => undefined } });
    await expect(other.rail.verifyWebhook(providerWebhook)).rejects.toMatchObject(refused);
    const without = createSandboxRail({ database });
    await expect(without.verifyWebhook(providerWebhook)).rejects.toMatchObject(refused);
    forward(301);
    await expect(rail.verifyWebhook(providerWebhook)).rejects.toMatchObject(refused);
  });

  it('are refused as malformed when the signature is right and the content is not', async () => {
    const { rail, clock, taken } = await play('pending-then-success', 5);
    const timestamp = String(clock.at.getTime() / 1_000);
    const good = JSON.parse(taken[0]?.rawBody.toString() ?? '') as Record<string, unknown>;
    const bad = [
      '',
      '{',
      'null',
      { ...good, mode: 'LIVE' },
      { ...good, amountMinor: 50 },
      { ...good, merchantId: 'x' },
    ];
    for (const body of bad) {
      const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const signature = createHmac('sha256', SECRET).update(`${timestamp}.`).update(rawBody).digest('hex');
      const headers = { 'x-sandbox-rail-timestamp': timestamp, 'x-sandbox-rail-signature': signature };
      await expect(rail.verifyWebhook({ headers, rawBody })).rejects.toMatchObject({
        code: 'PROVIDER_WEBHOOK_MALFORMED',
      });
    }
  });
});
