import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { takeProviderWebhook, takeProviderWebhooks } from '../../src/payout-delivery/provider-webhooks.ts';
import { findPayout, type PayoutRecord } from '../../src/payouts/index.ts';
import { sentTransferOf } from '../../src/payouts/rails.ts';
import type { Alarm } from '../../src/platform/alarm.ts';
import { databaseAway } from '../../src/platform/errors.ts';
import { createRequestLimits } from '../../src/platform/http/request-limits.ts';
import { createServer } from '../../src/platform/http/server.ts';
import type { Logger } from '../../src/platform/logger.ts';
import { providerWebhookRoutes } from '../../src/rail-accounts/routes.ts';
import { NotSentError, type ProviderWebhook, type ReportedFacts } from '../../src/rails/index.ts';
import { clockOf } from '../support/clock.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  withOutcomesTaken,
} from './payout-fixture.ts';
import { answerOf, DECLINED, PAID, reportOf, scriptedRail, UNKNOWN } from './scripted-rail.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

async function payoutOf(merchant: Merchant, id: string): Promise<PayoutRecord> {
  const [payout] = await fixture.database.query(findPayout, [merchant.merchantId, 'SANDBOX', id]);
  return payout!;
}

/** Sent, and pending at the rail. */
async function pending(merchant: Merchant): Promise<PayoutRecord> {
  const reply = await merchant.call('POST', '/payout/single', payment({ accountNumber: '0001999934' }));
  await fixture.worker.runOnce();
  const payout = await payoutOf(merchant, reply.body.data.transactionId);
  expect(payout.status).toBe('PROCESSING');
  return payout;
}

async function webhooksOf(payout: PayoutRecord): Promise<[outcome: string, reason: string | null][]> {
  const { rows } = await fixture.database.pool.query(
    `select outcome, reason from payout_attempts where payout_id = $1 and kind = 'PROVIDER_WEBHOOK' order by id`,
    [payout.id],
  );
  return rows.map((row) => [row.outcome, row.reason]);
}

const providerWebhook = (payout: PayoutRecord, said = PAID, more: Partial<ProviderWebhook> = {}): ProviderWebhook => ({
  providerWebhookId: 'n-1',
  railReference: payout.rail_reference,
  tenant: { merchantId: payout.merchant_id, mode: payout.mode },
  answer: answerOf(said, reportOf(sentTransferOf(payout))),
  ...more,
});

describe('a webhook', () => {
  it('ends the payout that it is about, and leaves its row in the evidence', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pending(merchant);
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(payout))).toBe('APPLIED');
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', due_at: null });
    const { body } = await merchant.call('GET', `/transaction/${payout.id}/evidence`);
    expect(body.data.attempts.at(-1)).toMatchObject({
      kind: 'PROVIDER_WEBHOOK',
      rail: 'sandbox',
      outcome: 'succeeded',
    });
  });

  it('that comes twice, late, or out of order changes nothing more', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pending(merchant);
    const taken = [];
    for (const said of [UNKNOWN, PAID, PAID, UNKNOWN]) {
      taken.push(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(payout, said)));
    }
    expect(taken).toEqual(['OPEN', 'APPLIED', 'ALREADY_APPLIED', 'ALREADY_APPLIED']);
    expect(await webhooksOf(payout)).toHaveLength(4);
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', operator_reason: null });
  });

  it('of another amount or currency is never applied, and kept with what it reported', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pending(merchant);
    const wrong: Partial<ReportedFacts>[] = [{ amountMinor: payout.amount_minor + 1n }, { currency: 'USD' }];
    for (const facts of wrong) {
      const answer = answerOf(PAID, { ...reportOf(sentTransferOf(payout)), ...facts });
      expect(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(payout, PAID, { answer }))).toBe(
        'OPEN',
      );
    }
    expect(await payoutOf(merchant, payout.id)).toMatchObject({
      status: 'PROCESSING',
      operator_reason: 'RAIL_ANSWER_MISMATCH',
    });
    expect(await webhooksOf(payout)).toEqual([
      ['unknown', 'RAIL_ANSWER_MISMATCH'],
      ['unknown', 'RAIL_ANSWER_MISMATCH'],
    ]);
    const { attempts } = (await merchant.call('GET', `/transaction/${payout.id}/evidence`)).body.data;
    expect(attempts.slice(-2)).toMatchObject([
      {
        message: 'The rail says succeeded of another transfer: amount ₦1,000.01, and ₦1,000.00 was sent',
        reported: { reference: payout.rail_reference, amount: '1000.01', currency: 'NGN' },
      },
      { reported: { amount: '1000.00', currency: 'USD', accountNumber: '0001999934', bankCode: '058' } },
    ]);
  });

  it('about a reference of nobody, of another merchant, or of a payout that was not sent, changes nothing', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pending(merchant);
    const other = (await fixture.addMerchant()).tenant;
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(payout, PAID, { tenant: other }))).toBe(
      'UNKNOWN_REFERENCE',
    );
    expect(
      await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(payout, PAID, { railReference: 'x' })),
    ).toBe('UNKNOWN_REFERENCE');
    const scheduledFor = new Date(fixture.clock.now().getTime() + 3_600_000).toISOString();
    const later = await merchant.call(
      'POST',
      '/payout/single/schedule',
      payment({ scheduledFor, allowDuplicate: true }),
    );
    const schedule = await payoutOf(merchant, later.body.data.transactionId);
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(schedule))).toBe('REFUSED');
    expect((await payoutOf(merchant, schedule.id)).status).toBe('SCHEDULED');
    expect((await payoutOf(merchant, payout.id)).status).toBe('PROCESSING');
  });

  it('that contradicts what was believed leaves it so, puts it before the operator, and is an alarm', async () => {
    const merchant = await fixture.addMerchant();
    for (const [believed, told, status] of [
      [PAID, DECLINED, 'SUCCESS'],
      [DECLINED, PAID, 'FAILED'],
    ] as const) {
      const payout = await pending(merchant);
      const alarms: Alarm[] = [];
      const deps = { ...fixture.deps, onAlarm: (alarm: Alarm) => void alarms.push(alarm) };
      await takeProviderWebhook(deps, 'sandbox', providerWebhook(payout, believed));
      expect(alarms).toEqual([]);
      expect(await takeProviderWebhook(deps, 'sandbox', providerWebhook(payout, told))).toBe('ALREADY_APPLIED');
      expect(alarms).toEqual([{ alarm: 'RAIL_CONTRADICTS', mode: 'SANDBOX', rail: 'sandbox' }]);
      expect(await payoutOf(merchant, payout.id)).toMatchObject({ status, operator_reason: 'RAIL_CONTRADICTS' });
    }
  });

  it('that a process whose clock is an hour behind takes puts a payout before the operator, and the proof finds nothing wrong with it', async () => {
    const merchant = await fixture.addMerchant();
    const behind = { ...fixture.deps, clock: clockOf(() => new Date(fixture.clock.now().getTime() - 3_600_000)) };
    const paid = await pending(merchant);
    await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(paid, PAID));
    await takeProviderWebhook(behind, 'sandbox', providerWebhook(paid, DECLINED));
    const disbelieved = await pending(merchant);
    const answer = answerOf(PAID, { ...reportOf(sentTransferOf(disbelieved)), amountMinor: 1n });
    await takeProviderWebhook(behind, 'sandbox', providerWebhook(disbelieved, PAID, { answer }));
    for (const [{ id }, reason] of [
      [paid, 'RAIL_CONTRADICTS'],
      [disbelieved, 'RAIL_ANSWER_MISMATCH'],
    ] as const)
      expect((await payoutOf(merchant, id)).operator_reason).toBe(reason);
    // The webhooks of these tests are none of the sandbox rail's own, which other checks find.
    const broken = (await brokenChecks(fixture.database)).map(({ name }) => name);
    expect(broken).not.toContain('the-operator-is-asked-about-what-is-open');
  });

  it('of money that came back returns it, also where the success was not known yet', async () => {
    const merchant = await fixture.addMerchant();
    const returned = { outcome: 'reversed', reason: 'RAIL_REVERSED' } as const;
    const known = await pending(merchant);
    await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(known));
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(known, returned))).toBe('APPLIED');
    expect((await payoutOf(merchant, known.id)).status).toBe('REVERSED');
    const unknown = await pending(merchant);
    expect(await takeProviderWebhook(fixture.deps, 'sandbox', providerWebhook(unknown, returned))).toBe('APPLIED');
    expect((await payoutOf(merchant, unknown.id)).status).toBe('FAILED');
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n, availableMinor: 1_000_000_000n });
  });

  it('and a requery, a send and an operator at the same moment end it once, in whatever order', async () => {
    const merchant = await fixture.addMerchant();
    const other = await fixture.otherProcess();
    for (const outcome of [PAID, DECLINED]) {
      for (let round = 0; round < 5; round += 1) {
        const payout = await pending(merchant);
        const word = answerOf(outcome);
        const sources = [
          () => applyOutcome(fixture.deps, payout, word, { kind: 'PROVIDER_WEBHOOK' }),
          () => applyOutcome(other.deps, payout, word, { kind: 'OPERATOR', note: 'letter' }),
          () => takeProviderWebhook(other.deps, 'sandbox', providerWebhook(payout, outcome)),
          () => applyOutcome(fixture.deps, payout, answerOf(UNKNOWN), { kind: 'PROVIDER_WEBHOOK' }),
          () => applyOutcome(other.deps, payout, word, { kind: 'SETTLEMENT' }),
        ];
        const turned = [...sources.slice(round), ...sources.slice(0, round)];
        const applied = await Promise.all(turned.map((apply) => apply()));
        expect(applied.filter((one) => one === 'APPLIED')).toHaveLength(1);
        const { rows } = await fixture.database.pool.query(
          `select count(*)::int as posted from transfers where transaction_id = $1 and kind in ('POST', 'VOID')`,
          [payout.id],
        );
        const { rows: holds } = await fixture.database.pool.query(
          `select count(*)::int as made from transfers where transaction_id = $1 and kind = 'PENDING'`,
          [payout.id],
        );
        expect(rows[0].posted).toBe(holds[0].made);
      }
    }
    await other.close();
  });

  it('of a reversal, sent while the success is on its way to the books, is not lost', async () => {
    const merchant = await fixture.addMerchant();
    const payout = await pending(merchant);
    const returned = answerOf({ outcome: 'reversed', reason: 'RAIL_REVERSED' });
    await applyOutcome(fixture.deps, payout, answerOf(PAID), { kind: 'PROVIDER_WEBHOOK' });
    // Read before the success was committed: it would void holds that are posted by now.
    expect(await applyOutcome(fixture.deps, payout, returned, { kind: 'PROVIDER_WEBHOOK' })).toBe('APPLIED');
    expect((await payoutOf(merchant, payout.id)).status).toBe('REVERSED');
  });
});

describe('a rail that does not say whose transfer its webhook is about', () => {
  it('finds the payout by the reference, which was written down before the rail heard of it', async () => {
    const rail = scriptedRail('first');
    rail.send = UNKNOWN;
    const own = await createPayoutFixture({ rails: railsOf(rail.caller) });
    const merchant = await own.addMerchant();
    const { body } = await merchant.call('POST', '/payout/single', payment());
    await own.worker.runOnce();
    const [payout] = await own.database.query(findPayout, [merchant.merchantId, 'SANDBOX', body.data.transactionId]);
    expect(await takeProviderWebhook(own.deps, 'second', rail.providerWebhook(payout!, PAID))).toBe(
      'UNKNOWN_REFERENCE',
    );
    expect(await takeProviderWebhook(own.deps, 'first', rail.providerWebhook(payout!, PAID))).toBe('APPLIED');
    await own.close();
  });

  it('costs nothing where the rail says so: the sandbox’s references are in no directory', async () => {
    const { rows } = await fixture.database.pool.query('select count(*)::int as kept from rail_references');
    expect(rows[0].kept).toBe(0);
  });
});

describe('the sandbox’s own webhooks', () => {
  it('reach the books through the worker: a late reversal is heard of by itself, in sandbox time', async () => {
    const merchant = await fixture.addMerchant();
    const { body } = await merchant.call('POST', '/payout/single', payment({ accountNumber: '0001999935' }));
    const id = body.data.transactionId;
    await fixture.worker.runOnce();
    expect((await payoutOf(merchant, id)).status).toBe('SUCCESS');
    await merchant.call('POST', '/sandbox/clock/advance', { seconds: 9 });
    await fixture.worker.runOnce();
    expect((await payoutOf(merchant, id)).status).toBe('SUCCESS');
    await merchant.call('POST', '/sandbox/clock/advance', { seconds: 1 });
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, id)).toMatchObject({ status: 'REVERSED', reason: 'RAIL_REVERSED' });
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n, availableMinor: 1_000_000_000n });
  });

  it('follow the sandbox clock, and so does the requery: "after 5 s" is after 5 s of it', async () => {
    const merchant = await fixture.addMerchant();
    const { body } = await merchant.call('POST', '/payout/single', payment({ accountNumber: '0001999931' }));
    await fixture.worker.runOnce();
    await merchant.call('POST', '/sandbox/clock/advance', { seconds: 5 });
    await fixture.worker.runOnce();
    expect((await payoutOf(merchant, body.data.transactionId)).status).toBe('SUCCESS');
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });
});

describe('POST /rail/:mode/:name/webhook', () => {
  const post = (path: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
    fixture.server.inject({ method: 'POST', url: path, payload, headers });

  it('verifies the raw bytes, whatever they say they are, and needs no key', async () => {
    const seen: Buffer[] = [];
    const deps = {
      ...fixture.deps,
      rails: railsOf({
        ...fixture.caller,
        verifyWebhook: async ({ rawBody }) => {
          seen.push(rawBody);
          return [];
        },
      }),
    };
    const server = await createServer({ logger: fixture.deps.logger, trustedProxies: [] });
    const limits = createRequestLimits({
      perKey: 0,
      perAddress: 0,
      clock: fixture.deps.clock,
      logger: fixture.deps.logger,
    });
    await server.register(providerWebhookRoutes(withOutcomesTaken(deps), limits));
    const bytes = Buffer.from('{ "a" :1,\n"b": "\u00e9" }');
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const reply = await server.inject({
        method: 'POST',
        url: '/rail/sandbox/sandbox/webhook',
        payload: bytes,
        headers: { 'content-type': type },
      });
      expect([type, reply.statusCode]).toEqual([type, 200]);
    }
    expect(seen).toEqual([bytes, bytes, bytes]);
    await server.close();
  });

  it('answers 401 to a wrong signature, 404 for a rail that there is not, 400 without a body, 413 above 1 MB', async () => {
    const json = { 'content-type': 'application/json' };
    const answers = await Promise.all([
      post('/rail/sandbox/sandbox/webhook', '{}', json),
      post('/rail/live/sandbox/webhook', '{}', json),
      post('/rail/other/sandbox/webhook', '{}', json),
      post('/rail/sandbox/nobody/webhook', '{}', json),
      post('/rail/sandbox/sandbox/webhook', ''),
      post('/rail/sandbox/sandbox/webhook', 'x'.repeat(1024 * 1024 + 1), json),
    ]);
    expect(answers.map((reply) => [reply.statusCode, reply.json().code])).toEqual([
      [401, 'PROVIDER_WEBHOOK_SIGNATURE_INVALID'],
      [404, 'RAIL_NOT_FOUND'],
      [404, 'RAIL_NOT_FOUND'],
      [404, 'RAIL_NOT_FOUND'],
      [400, 'BODY_MISSING'],
      [413, 'BODY_TOO_LARGE'],
    ]);
  });

  it('asks to be sent it again when the database is away, and has then taken what it could', async () => {
    const merchant = await fixture.addMerchant();
    const [one, other] = [await pending(merchant), await pending(merchant)];
    const caller = { ...fixture.caller, verifyWebhook: async () => [providerWebhook(one), providerWebhook(other)] };
    let calls = 0;
    const failing = {
      ...fixture.deps,
      ledger: {
        ...fixture.deps.ledger,
        commit: (movement: Parameters<typeof fixture.deps.ledger.commit>[0]) => {
          calls += 1;
          return calls === 1 ? Promise.reject(databaseAway('away')) : fixture.deps.ledger.commit(movement);
        },
      },
    };
    const request = { headers: {}, rawBody: Buffer.from('x') };
    await expect(takeProviderWebhooks(failing, caller, request)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await takeProviderWebhooks(fixture.deps, caller, request)).toEqual(['APPLIED', 'ALREADY_APPLIED']);
  });

  it('that fails since people have to put something right is a line of the log in words, with the account', async () => {
    const one = providerWebhook(await pending(await fixture.addMerchant()));
    const refused = new NotSentError('the key is refused', { reason: 'RAIL_CREDENTIALS_REFUSED' });
    const lines: Record<string, unknown>[] = [];
    const logger = { error: (line: object, msg: string) => void lines.push({ ...line, msg }) } as unknown as Logger;
    const ledger = { ...fixture.deps.ledger, commit: () => Promise.reject(refused) };
    const caller = { ...fixture.caller, verifyWebhook: async () => [one] };
    const request = { headers: {}, rawBody: Buffer.from('x') };
    const taking = takeProviderWebhooks({ ...fixture.deps, ledger, logger }, caller, request);
    await expect(taking).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(lines).toEqual([
      {
        rail: caller.name,
        providerWebhookId: one.providerWebhookId,
        reason: 'RAIL_CREDENTIALS_REFUSED',
        msg: expect.stringMatching(/^a webhook could not be taken \(account .+\): the provider refuses its key/),
      },
    ]);
  });
});
