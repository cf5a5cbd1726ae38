import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  createPaystackRail,
  createRailCaller,
  differencesOf,
  type Rail,
  type RailCaller,
  type SendRequest,
} from '../../src/rails/index.ts';
import { describeRail } from './conformance.ts';
import { newReference, type RailHarness, REPORTED } from './harness.ts';
import {
  ACCOUNTS,
  type PaystackBehaviour,
  type PaystackServer,
  SECRET_KEY,
  SESSION_ID,
  startPaystackServer,
} from './providers/paystack-server.ts';
import { setFalseFacts } from './providers/stand-in.ts';
import { newTenant } from './sandbox-support.ts';

const CLOSED = 'http://127.0.0.1:9';
const WRONG_KEY = 'sk_test_ffffffffffffffffffffffffffffffff';

const account = (accountNumber: string) => ({ bankCode: '058', accountNumber });

function railAt(baseUrl: string, secretKey = SECRET_KEY): Rail {
  return createPaystackRail({ credentials: { secretKey }, baseUrl, clock: systemClock });
}

async function harnessOf(behaviour: PaystackBehaviour): Promise<RailHarness> {
  const server = await startPaystackServer(behaviour);
  return {
    rail: railAt(server.baseUrl),
    tenant: newTenant(),
    accounts: {
      plain: account(ACCOUNTS.plain),
      nameNotFound: account(ACCOUNTS.nameNotFound),
      definiteFailure: account(ACCOUNTS.failed),
      unansweredExecuted: account(ACCOUNTS.unansweredExecuted),
      unansweredLost: account(ACCOUNTS.unansweredLost),
      pending: account(ACCOUNTS.pending),
      unlistedCode: account(ACCOUNTS.unlisted),
    },
    executions: async (railReference) => (server.transfers.get(railReference)?.status === 'success' ? 1 : 0),
    misreport: (falseFacts) => setFalseFacts(server.falseFacts, falseFacts),
    webhook: server.providerWebhook,
    settlementFile: ({ railReference, amountMinor, currency }) => ({
      text: `transfer_code,reference,amount,currency,status,transferred_at\nTRF_1,${railReference},${amountMinor},${currency},success,2026-11-20T09:30:00.000Z\n`,
      amountsInKobo: true,
    }),
    provider: {
      breakNext: server.breakNext,
      unreachable: railAt(CLOSED),
      wrongKey: railAt(server.baseUrl, WRONG_KEY),
      signed: (rawBody) => server.signed(rawBody),
      amountOf: async (railReference) => server.transfers.get(railReference)?.amountMinor,
    },
    close: server.close,
  };
}

describeRail('paystack (transfers end later)', () => harnessOf({ endsLater: true }), {
  concludesLater: true,
  reports: REPORTED.paystack,
  overHttp: { prepares: true, webhooksSign: 'bytes' },
});

describe('the paystack rail', () => {
  let server: PaystackServer;
  let rail: Rail;
  let caller: RailCaller;
  const tenant: Tenant = newTenant();

  beforeAll(async () => {
    server = await startPaystackServer();
    rail = railAt(server.baseUrl);
    caller = createRailCaller(rail, { limits: { breakerCalls: 1_000 } });
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  const payment = (accountNumber: string = ACCOUNTS.plain, changes: Partial<SendRequest> = {}): SendRequest => ({
    tenant,
    railReference: newReference(),
    amountMinor: 500_000n,
    currency: 'NGN',
    accountName: 'ADAEZE OBI',
    narration: 'Rent,\n  November',
    ...account(accountNumber),
    ...changes,
  });
  const query = (request: SendRequest) => caller.query(request);
  const paths = () => server.requests.map(({ method, path }) => `${method} ${path.replace(/verify\/.*/, 'verify')}`);

  it('notes the recipient, then asks for the transfer in kobo under our reference, and shows the key to each', async () => {
    const request = payment();
    expect(await caller.send(request)).toMatchObject({ outcome: 'succeeded', code: 'success', sessionId: SESSION_ID });
    expect(paths()).toEqual(['POST /transferrecipient', 'POST /transfer']);
    expect(server.requests[0]?.body).toEqual({
      type: 'nuban',
      name: 'ADAEZE OBI',
      account_number: ACCOUNTS.plain,
      bank_code: '058',
      currency: 'NGN',
    });
    expect(server.requests[1]?.body).toMatchObject({
      source: 'balance',
      amount: 500_000,
      currency: 'NGN',
      reference: request.railReference,
      reason: 'Rent, November',
    });
    for (const { headers } of server.requests) expect(headers.authorization).toBe(`Bearer ${SECRET_KEY}`);
  });

  it.each([
    ['success', ACCOUNTS.plain, 'succeeded', null],
    ['failed', ACCOUNTS.failed, 'failed', 'RAIL_REFUSED'],
    ['reversed', ACCOUNTS.reversed, 'reversed', 'RAIL_REVERSED'],
    ['abandoned', ACCOUNTS.abandoned, 'failed', 'RAIL_OTP_EXPIRED'],
    ['blocked', ACCOUNTS.blocked, 'failed', 'RAIL_APPROVAL_MISSING'],
    ['rejected', ACCOUNTS.rejected, 'failed', 'RAIL_APPROVAL_REFUSED'],
    ['otp', ACCOUNTS.otp, 'unknown', 'RAIL_OTP_REQUIRED'],
    ['pending', ACCOUNTS.pending, 'unknown', 'RAIL_PENDING'],
    ['received', ACCOUNTS.received, 'unknown', 'RAIL_PENDING'],
    ['queued', ACCOUNTS.queued, 'unknown', 'RAIL_PENDING'],
    ['gone_fishing', ACCOUNTS.unlisted, 'unknown', 'RAIL_CODE_UNKNOWN'],
  ])('reads the status %s the same when sent and when queried', async (code, accountNumber, outcome, reason) => {
    const request = payment(accountNumber);
    expect(await caller.send(request)).toMatchObject({ outcome, reason, code });
    expect(await query(request)).toMatchObject({ outcome, reason, code });
  });

  it('tells the operator to switch OTP off where Paystack waits for one', async () => {
    expect((await caller.send(payment(ACCOUNTS.otp))).message).toMatch(/switch .*off/);
  });

  it('takes a duplicate reference for the transfer that it made before, and says what became of that one', async () => {
    const request = payment(ACCOUNTS.failed);
    await caller.send(request);
    expect(await caller.send(request)).toMatchObject({ outcome: 'failed', code: 'failed' });
    expect(paths().slice(-2)).toEqual(['POST /transfer', 'GET /transfer/verify']);
  });

  it('calls a duplicate reference unknown where the query has no answer', async () => {
    const request = payment();
    await caller.send(request);
    server.breakNext('query', 'http-500');
    expect(await caller.send(request)).toMatchObject({
      outcome: 'unknown',
      reason: 'RAIL_DUPLICATE',
      code: 'duplicate_transfer_reference',
    });
  });

  it('never takes the end of a transfer to another account for its own', async () => {
    const request = payment();
    await caller.send(request);
    const other = { ...request, accountNumber: '0000000018' };
    const { reported } = await caller.send(other);
    expect(differencesOf(other, reported)).toEqual(['accountNumber']);
  });

  const poor = 'Your balance is not enough to fulfil this request';
  const refused = (message: string, code?: string) => ({ status: 400, body: { status: false, message, code } });

  it.each([
    ['a balance too low', refused(poor), 'RAIL_FUNDS_INSUFFICIENT'],
    ['the same by code', refused('Anything', 'insufficient_balance'), 'RAIL_FUNDS_INSUFFICIENT'],
    ['a recipient refused', refused('Recipient specified is invalid', 'invalid_transfer_recipient'), 'ACCOUNT_INVALID'],
    [
      'transfers not enabled',
      refused('You cannot initiate third party payouts as a starter business'),
      'SENDER_NOT_PERMITTED',
    ],
  ])('fails a payout for %s once Paystack knows no transfer under its reference', async (_what, response, reason) => {
    const request = payment();
    server.answerNext('send', response);
    expect(await caller.send(request)).toMatchObject({ outcome: 'failed', reason, sent: true });
    expect(paths().at(-1)).toBe('GET /transfer/verify');
    expect(server.transfers.has(request.railReference)).toBe(false);
  });

  it('believes no refusal while an earlier send of the same payout is there: its end counts', async () => {
    const request = payment();
    server.breakNext('send', 'reset', { executed: true });
    expect((await caller.send(request)).outcome).toBe('unknown');
    server.answerNext('send', refused(poor));
    expect(await caller.send(request)).toMatchObject({ outcome: 'succeeded', code: 'success' });
  });

  it('believes no refusal where the query has no answer', async () => {
    server.answerNext('send', refused(poor));
    server.breakNext('query', 'http-502-html');
    expect(await caller.send(payment())).toMatchObject({ outcome: 'unknown', reason: 'RAIL_FUNDS_INSUFFICIENT' });
  });

  it('believes a listed refusal with no other HTTP status than 400', async () => {
    for (const status of [200, 402, 422, 500]) {
      server.answerNext('send', { ...refused(poor, 'insufficient_balance'), status });
      expect((await caller.send(payment())).outcome).toBe('unknown');
    }
  });

  it('calls a refusal that is not listed unknown, and keeps its code', async () => {
    server.answerNext('send', refused('Something new', 'brand_new_rule'));
    expect(await caller.send(payment())).toMatchObject({ outcome: 'unknown', code: 'brand_new_rule', sent: true });
  });

  it.each([
    ['reference', 'railReference', undefined],
    ['amount', 'amountMinor', undefined],
    ['amount', 'amountMinor', 1.5],
    ['amount', 'amountMinor', '500000'],
    ['currency', 'currency', undefined],
  ])('reports a success without a %s that can be read as one about nothing of ours', async (field, fact, value) => {
    const request = payment();
    const whole = { reference: request.railReference, amount: 500_000, currency: 'NGN', status: 'success' };
    const response = { status: 200, body: { status: true, message: 'ok', data: { ...whole, [field]: value } } };
    for (const stage of ['send', 'query'] as const) {
      server.answerNext(stage, response);
      const { reported } = await (stage === 'send' ? caller.send(request) : query(request));
      expect(differencesOf(request, reported)).toEqual([fact]);
    }
  });

  it('says not found while a transfer is being validated, and asks for patience before that is believed', async () => {
    const request = payment();
    server.books.validating = 1;
    await caller.send(request);
    expect(await query(request)).toMatchObject({ outcome: 'not_found', reason: 'RAIL_RECORD_NOT_FOUND' });
    expect((await query(request)).outcome).toBe('succeeded');
    expect(rail.notFoundAfterMs).toBe(300_000);
  });

  it('does not take any 404 for a transfer not found', async () => {
    for (const body of [{ status: false, message: 'Invalid Endpoint' }, '<html>404</html>', '']) {
      server.answerNext('query', { status: 404, body });
      expect((await query(payment())).outcome).toBe('unknown');
    }
  });

  it('asks for no transfer when the recipient was refused, and says why nothing was sent', async () => {
    server.answerNext('prepare', refused('Name is required', 'missing_params'));
    expect(await caller.send(payment())).toMatchObject({
      outcome: 'unknown',
      sent: false,
      code: null,
      message: expect.stringContaining('(missing_params)'),
    });
    expect(paths()).toEqual(['POST /transferrecipient']);
  });

  it('fails a payout to a bank that Paystack does not know, when no transfer is there', async () => {
    server.answerNext('prepare', refused('Invalid bank code', 'invalid_bank_code'));
    expect(await caller.send(payment())).toMatchObject({ outcome: 'failed', reason: 'BANK_CODE_UNKNOWN' });
    expect(paths()).toEqual(['POST /transferrecipient', 'GET /transfer/verify']);
  });

  it('lets no test key pay live money, and no live key pay for a sandbox', async () => {
    const live = payment(ACCOUNTS.plain, { tenant: { ...tenant, mode: 'LIVE' } });
    expect(await caller.send(live)).toMatchObject({ outcome: 'unknown', sent: false, reason: 'RAIL_MODE_MISMATCH' });
    const liveRail = createRailCaller(railAt(server.baseUrl, SECRET_KEY.replace('test', 'live')));
    expect(await liveRail.send(payment())).toMatchObject({ sent: false, reason: 'RAIL_MODE_MISMATCH' });
    expect(server.requests).toEqual([]);
  });

  it.each(['short', 'UPPERCASE-IS-NOT-TAKEN', 'x'.repeat(51), 'with a space in between'])(
    'sends nothing under a reference that Paystack would refuse: %s',
    async (railReference) => {
      expect(await caller.send(payment(ACCOUNTS.plain, { railReference }))).toMatchObject({ sent: false });
      expect(server.requests).toEqual([]);
    },
  );

  it('names banks by the codes that Paystack has for them', async () => {
    await caller.send(payment(ACCOUNTS.plain, { bankCode: '000027' }));
    expect(server.requests[0]?.body.bank_code).toBe('00103');
    const back = await caller.query(payment(ACCOUNTS.plain, { railReference: server.requests[1]?.body.reference }));
    expect(back.reported.bankCode).toBe('000027');
    await caller.nameEnquiry({ tenant, bankCode: '060001', accountNumber: ACCOUNTS.plain });
    expect(server.requests.at(-1)?.query.get('bank_code')).toBe('559');
  });

  it("lets the operator's codes go ahead of the built-in ones", async () => {
    const credentials = { secretKey: SECRET_KEY, bankCodes: { '058': '999' } };
    const own = createPaystackRail({ credentials, baseUrl: server.baseUrl, clock: systemClock });
    const request = payment();
    const ownCaller = createRailCaller(own);
    expect((await ownCaller.send(request)).outcome).toBe('succeeded');
    expect(server.requests[0]?.body.bank_code).toBe('999');
    expect(await ownCaller.send(request)).toMatchObject({ outcome: 'succeeded', reported: { bankCode: '058' } });
  });

  it('does not believe a name for another account than the one asked about', async () => {
    const data = { account_number: '0000000018', account_name: 'SOMEBODY ELSE' };
    server.answerNext('nameEnquiry', { status: 200, body: { status: true, message: 'ok', data } });
    const answer = await caller.nameEnquiry({ tenant, ...account(ACCOUNTS.plain) });
    expect(answer).toMatchObject({ outcome: 'unknown', accountName: null });
  });

  it('never follows a redirect', async () => {
    server.breakNext('send', 'redirect');
    await caller.send(payment());
    expect(server.requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it('takes no webhook of events about anything but transfers', async () => {
    const rawBody = Buffer.from(JSON.stringify({ event: 'charge.success', data: { reference: 'x' } }));
    expect(await rail.verifyWebhook(server.signed(rawBody))).toEqual([]);
  });

  it('believes no webhook whose event and transfer say different things', async () => {
    const facts = { railReference: newReference(), amountMinor: 500n, outcome: 'failed' as const };
    const body = JSON.parse(server.providerWebhook(facts).rawBody.toString());
    const rawBody = Buffer.from(JSON.stringify({ ...body, event: 'transfer.success' }));
    const [providerWebhook] = await rail.verifyWebhook(server.signed(rawBody));
    expect(providerWebhook?.answer).toMatchObject({ outcome: 'unknown', reason: 'PROVIDER_WEBHOOK_UNCLEAR' });
  });

  it('refuses a webhook signed with another key', async () => {
    const { rawBody } = server.providerWebhook({
      railReference: newReference(),
      amountMinor: 500n,
      outcome: 'succeeded',
    });
    await expect(rail.verifyWebhook(server.signed(rawBody, WRONG_KEY))).rejects.toMatchObject({
      code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
    });
  });
});
