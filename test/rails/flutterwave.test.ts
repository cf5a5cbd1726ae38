import { Value } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decimalText } from '../../src/money/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createFlutterwaveRail,
  differencesOf,
  FlutterwaveCredentials,
  type RailCaller,
  type SendRequest,
  UNREADABLE,
} from '../../src/rails/index.ts';
import { createHurriedCaller } from '../support/hurried-caller.ts';
import { describeRail } from './conformance.ts';
import { newReference, type RailHarness, REPORTED } from './harness.ts';
import {
  ACCOUNTS,
  type FlutterwaveServer,
  refusal,
  SECRET_HASH,
  SECRET_KEY,
  startFlutterwaveServer,
} from './providers/flutterwave-server.ts';
import { setFalseFacts } from './providers/stand-in.ts';

const TENANT = { merchantId: '01890000-0000-7000-8000-000000000001', mode: 'SANDBOX' } as const;
const LIVE = { ...TENANT, mode: 'LIVE' } as const;
const CREDENTIALS = { secretKey: SECRET_KEY, secretHash: SECRET_HASH };
const SIGNAL = new AbortController().signal;

describeRail('Flutterwave', makeHarness, {
  concludesLater: true,
  reports: REPORTED.flutterwave,
  overHttp: { webhooksSign: 'nothing' },
});

async function makeHarness(): Promise<RailHarness> {
  const server = await startFlutterwaveServer();
  const { baseUrl } = server;
  const at = (accountNumber: string) => ({ bankCode: '044', accountNumber });
  return {
    rail: createFlutterwaveRail({ credentials: CREDENTIALS, baseUrl, clock: systemClock }),
    tenant: TENANT,
    accounts: {
      plain: at(ACCOUNTS.plain),
      nameNotFound: at(ACCOUNTS.nameNotFound),
      definiteFailure: at(ACCOUNTS.failed),
      unansweredExecuted: at(ACCOUNTS.unansweredExecuted),
      unansweredLost: at(ACCOUNTS.unansweredLost),
      pending: at(ACCOUNTS.pending),
      unlistedCode: at(ACCOUNTS.unlisted),
    },
    executions: async (reference) => server.executions(reference),
    misreport: (falseFacts) => setFalseFacts(server.falseFacts, falseFacts),
    webhook: server.providerWebhook,
    settlementFile: ({ railReference, amountMinor, currency, accountNumber }) => ({
      text: `id,account_number,reference,currency,amount,fee,status,created_at\n7,${accountNumber},${railReference},${currency},${decimalText(amountMinor)},10.75,SUCCESSFUL,2026-11-20T09:30:00.000Z\n`,
      amountsInKobo: false,
    }),
    provider: {
      breakNext: server.breakNext,
      unreachable: createFlutterwaveRail({
        credentials: CREDENTIALS,
        baseUrl: 'http://127.0.0.1:1',
        clock: systemClock,
      }),
      wrongKey: createFlutterwaveRail({
        credentials: { ...CREDENTIALS, secretKey: 'FLWSECK_TEST-not-this-key' },
        baseUrl,
        clock: systemClock,
      }),
      signed: server.signed,
      amountOf: async (reference) => server.transfers.get(reference)?.amountMinor,
    },
    close: server.close,
  };
}

let server: FlutterwaveServer;
let caller: RailCaller;

beforeEach(async () => {
  server = await startFlutterwaveServer();
  caller = callerWith(CREDENTIALS);
});
afterEach(() => server.close());

function callerWith(credentials: FlutterwaveCredentials): RailCaller {
  return createHurriedCaller(
    createFlutterwaveRail({ credentials, baseUrl: server.baseUrl, name: 'flw-main', clock: systemClock }),
    { isUnanswered: ({ accountNumber }) => accountNumber === ACCOUNTS.unansweredExecuted, abandonAfterMs: 1_000 },
  );
}

function payment(changes: Partial<SendRequest> = {}): SendRequest {
  return {
    tenant: TENANT,
    railReference: newReference(),
    amountMinor: 1_234_505n,
    currency: 'NGN',
    bankCode: '044',
    accountNumber: ACCOUNTS.plain,
    accountName: 'ADAEZE OBI',
    narration: 'Salary',
    ...changes,
  };
}

const query = (request: SendRequest) => caller.query(request);
const verify = (request: Parameters<RailCaller['verifyWebhook']>[0]) => caller.verifyWebhook(request);

describe('a transfer by Flutterwave', () => {
  it('is asked for in decimal naira with our reference, and is open until a query shows its end', async () => {
    const request = payment({ narration: `  Salary\n${'x'.repeat(150)}` });
    expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_PENDING', code: 'NEW' });
    const [sent] = server.requests;
    expect(sent?.text).toContain('"amount":12345.05,');
    expect(sent?.body).toMatchObject({
      account_bank: '044',
      account_number: ACCOUNTS.plain,
      currency: 'NGN',
      debit_currency: 'NGN',
      beneficiary_name: 'ADAEZE OBI',
      reference: request.railReference,
    });
    expect(sent?.body.narration).toHaveLength(100);
    const paid = { outcome: 'succeeded', code: 'SUCCESSFUL', reason: null, sessionId: expect.stringMatching(/^\d+$/) };
    expect(await query(request)).toMatchObject(paid);
  });

  it.each([
    [ACCOUNTS.pending, { outcome: 'unknown', code: 'PENDING', reason: 'RAIL_PENDING' }],
    [ACCOUNTS.approval, { outcome: 'unknown', code: 'PENDING', reason: 'RAIL_APPROVAL_MISSING' }],
    [ACCOUNTS.unlisted, { outcome: 'unknown', code: 'GONE_FISHING', reason: 'RAIL_CODE_UNKNOWN' }],
    [ACCOUNTS.failed, { outcome: 'failed', code: 'FAILED', reason: 'ACCOUNT_INVALID' }],
    [ACCOUNTS.reversed, { outcome: 'reversed', code: 'SUCCESSFUL', reason: 'RAIL_REVERSED' }],
  ])('to %s ends as its status says, and only as a listed status says', async (accountNumber, expected) => {
    const request = payment({ accountNumber });
    await caller.send(request);
    expect(await query(request)).toMatchObject(expected);
  });

  it.each([
    ['DISBURSE FAILED: Insufficient funds in customer wallet', 'RAIL_FUNDS_INSUFFICIENT'],
    ['DISBURSE FAILED: You can only spend NGN 100.00 at once', 'LIMIT_EXCEEDED'],
    ['DISBURSE FAILED: wallet currently restricted. please contact administrator', 'SENDER_NOT_PERMITTED'],
    ['DISBURSE FAILED: A fatal error occured while proccesing your request.', 'RAIL_REFUSED'],
    ['', 'RAIL_REFUSED'],
  ])('that FAILED with "%s" has failed, and says %s', async (completeMessage, reason) => {
    const request = payment();
    await caller.send(request);
    Object.assign(server.transfers.get(request.railReference) ?? {}, { status: 'FAILED', completeMessage });
    expect(await query(request)).toMatchObject({ outcome: 'failed', code: 'FAILED', reason });
  });

  it('that FAILED because of a timeout is open: the message contradicts the status', async () => {
    const request = payment();
    await caller.send(request);
    const row = server.transfers.get(request.railReference);
    for (const completeMessage of ['DISBURSE FAILED: Request timed out', 'Transaction still pending', 'In Progress']) {
      Object.assign(row ?? {}, { status: 'FAILED', completeMessage });
      expect(await query(request)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_FAILURE_UNCLEAR' });
    }
  });

  it('is not found while the provider still validates it, and is found afterwards', async () => {
    const request = payment();
    await caller.send(request);
    server.books.validating = 1;
    expect(await query(request)).toMatchObject({ outcome: 'not_found', reason: 'RAIL_RECORD_NOT_FOUND' });
    expect((await query(request)).outcome).toBe('succeeded');
  });

  it('is unknown where the list leaves our filter aside, or has the reference twice', async () => {
    const request = payment();
    await caller.send(request);
    server.lists.how = 'doubled';
    expect(await query(request)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
    server.lists.how = 'unfiltered';
    const other = payment();
    expect(differencesOf(other, (await query(other)).reported)).toEqual(['railReference']);
    await caller.send(payment());
    expect(await query(other)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
    expect((await query(request)).outcome).toBe('succeeded');
  });

  it('is unknown where the path is gone: a 404 is not an empty list', async () => {
    server.answerNext('query', refusal(404, 'Cannot find the route'));
    expect(await query(payment())).toMatchObject({ outcome: 'unknown', code: 'HTTP_404' });
  });

  it.each([
    ['amount', 'amountMinor', undefined],
    ['amount', 'amountMinor', 26.875],
    ['currency', 'currency', undefined],
    ['account_number', 'accountNumber', null],
  ])('without a %s that can be read is about nothing of ours', async (field, fact, value) => {
    const request = payment();
    await caller.send(request);
    const shown = { id: 1, reference: request.railReference, status: 'SUCCESSFUL', amount: 12_345.05, currency: 'NGN' };
    const data = { ...shown, account_number: request.accountNumber, [field]: value };
    server.answerNext('query', { status: 200, body: { status: 'success', message: '', data: [data] } });
    const { reported } = await query(request);
    expect(differencesOf(request, reported)).toEqual([fact]);
  });

  it('to a wallet or a microfinance bank is sent under the code of the provider, or the one of the account', async () => {
    await caller.send(payment({ bankCode: '999992' }));
    await callerWith({ ...CREDENTIALS, bankCodes: { '999992': '305' } }).send(payment({ bankCode: '999992' }));
    expect(server.requests.map((seen) => seen.body.account_bank)).toEqual(['100004', '305']);
    const [first] = [...server.transfers.values()];
    const asked = await caller.query(payment({ bankCode: '999992', railReference: first!.reference }));
    expect(asked.reported.bankCode).toBe('999992');
  });
});

describe('a refusal by Flutterwave', () => {
  it('ends a payout where its text is listed and the provider has no such transfer', async () => {
    for (const [message, reason] of [
      ['Insufficient balance', 'RAIL_FUNDS_INSUFFICIENT'],
      ['Invalid account_number', 'ACCOUNT_INVALID'],
      ['Unknown bank code', 'BANK_CODE_UNKNOWN'],
    ]) {
      server.books.refusal = message;
      expect(await caller.send(payment())).toMatchObject({ outcome: 'failed', code: 'HTTP_400', reason });
    }
  });

  it('ends nothing where the transfer is there, sent before: its own state is the answer', async () => {
    const request = payment({ accountNumber: ACCOUNTS.unansweredExecuted });
    expect((await caller.send(request)).outcome).toBe('unknown');
    server.answerNext('send', refusal(400, 'Insufficient balance'));
    expect(await caller.send(request)).toMatchObject({ outcome: 'succeeded', code: 'SUCCESSFUL' });
    expect(server.executions(request.railReference)).toBe(1);
  });

  it('ends nothing where its text is not listed, or the query after it does not answer', async () => {
    server.books.refusal = 'Please enable IP Whitelisting to access this service';
    expect(await caller.send(payment())).toMatchObject({ outcome: 'unknown', reason: 'RAIL_REFUSAL_UNLISTED' });
    server.books.refusal = 'Insufficient balance';
    for (const how of ['reset', 'http-502-html', 'error-in-200', 'truncated-json'] as const) {
      server.breakNext('query', how);
      const answer = await caller.send(payment());
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_REFUSAL_UNCONFIRMED', sent: true });
    }
  });

  it('ends nothing where it is a page and no sentence, whatever that begins with, and is read at once', async () => {
    for (const page of [`Insufficient balance ${'name '.repeat(200_000)}`, 'account '.repeat(120_000)]) {
      server.books.refusal = page;
      expect(await caller.send(payment())).toMatchObject({ outcome: 'unknown', reason: 'RAIL_REFUSAL_UNLISTED' });
    }
  });

  it('of another status than 400 ends nothing, and one of the key or the pace says whose it is', async () => {
    for (const [status, reason] of [
      [401, 'RAIL_CREDENTIALS_REFUSED'],
      [403, 'RAIL_CREDENTIALS_REFUSED'],
      [429, 'RAIL_RATE_LIMITED'],
      [404, 'RAIL_REFUSAL_UNLISTED'],
      [409, 'RAIL_REFUSAL_UNLISTED'],
      [422, 'RAIL_REFUSAL_UNLISTED'],
      [500, 'RAIL_MALFUNCTION'],
      [503, 'RAIL_MALFUNCTION'],
    ] as const) {
      server.answerNext('send', refusal(status, 'Insufficient balance'));
      expect(await caller.send(payment())).toMatchObject({
        outcome: 'unknown',
        code: `HTTP_${status}`,
        reason,
        sent: true,
      });
    }
  });
});

describe('a webhook of Flutterwave', () => {
  async function sentTo(accountNumber: string): Promise<SendRequest> {
    const request = payment({ accountNumber });
    await caller.send(request);
    return request;
  }

  it('makes the rail ask, and what the provider answers is the answer', async () => {
    const { railReference } = await sentTo(ACCOUNTS.plain);
    const [providerWebhook] = await verify(server.webhookOf(railReference));
    expect(providerWebhook).toMatchObject({
      railReference,
      tenant: null,
      answer: { outcome: 'succeeded', code: 'SUCCESSFUL', reported: { amountMinor: 1_234_505n, currency: 'NGN' } },
    });
  });

  it('with a leaked secret cannot make a success of a pending transfer, nor a failure of a paid one', async () => {
    const pending = await sentTo(ACCOUNTS.pending);
    const [success] = await verify(server.webhookOf(pending.railReference, { status: 'SUCCESSFUL' }));
    expect(success?.answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_PENDING' });
    const paid = await sentTo(ACCOUNTS.plain);
    const [failure] = await verify(server.webhookOf(paid.railReference, { status: 'FAILED' }));
    expect(failure?.answer.outcome).toBe('succeeded');
  });

  it('is unknown where the provider does not confirm it', async () => {
    const { railReference } = await sentTo(ACCOUNTS.plain);
    const unconfirmed = { outcome: 'unknown', reason: 'PROVIDER_WEBHOOK_UNCONFIRMED' };
    server.books.validating = 1;
    expect((await verify(server.webhookOf(railReference)))[0]?.answer).toMatchObject(unconfirmed);
    server.breakNext('query', 'reset');
    expect((await verify(server.webhookOf(railReference)))[0]?.answer).toMatchObject(unconfirmed);
    server.breakNext('query', 'http-502-html');
    expect((await verify(server.webhookOf(railReference)))[0]?.answer.outcome).toBe('unknown');
  });

  it('that comes twice or late has the same id, and reports what is true when it comes', async () => {
    const { railReference } = await sentTo(ACCOUNTS.plain);
    const early = server.webhookOf(railReference, { status: 'PENDING' });
    const late = server.webhookOf(railReference);
    const [first] = await verify(late);
    const [again] = await verify(late);
    const [outOfOrder] = await verify(early);
    expect(again?.providerWebhookId).toBe(first?.providerWebhookId);
    expect(outOfOrder?.providerWebhookId).not.toBe(first?.providerWebhookId);
    expect(outOfOrder?.answer.outcome).toBe('succeeded');
  });

  it('that claims another transfer than the provider shows is confirmed by nobody, and says what it claimed', async () => {
    const { railReference } = await sentTo(ACCOUNTS.plain);
    for (const [changes, reported] of [
      [{ amount: 12_345.06 }, { amountMinor: 1_234_506n }],
      [{ amount: 26.875 }, { amountMinor: UNREADABLE }],
      [{ currency: 'GHS' }, { currency: 'GHS' }],
      [{ account_number: '0000000018' }, { accountNumber: '0000000018' }],
    ] as const) {
      const [providerWebhook] = await verify(server.webhookOf(railReference, changes));
      expect(providerWebhook?.answer).toMatchObject({
        outcome: 'unknown',
        reason: 'PROVIDER_WEBHOOK_UNCONFIRMED',
        reported,
      });
    }
  });

  it('without the secret hash, or with a part of it, is nobody’s', async () => {
    const { rawBody } = server.webhookOf((await sentTo(ACCOUNTS.plain)).railReference);
    const invalid = { code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' };
    for (const hash of ['', SECRET_HASH.slice(0, -1), `${SECRET_HASH} `, SECRET_HASH.toUpperCase()]) {
      await expect(verify(server.signed(rawBody, hash))).rejects.toMatchObject(invalid);
    }
    await expect(verify({ headers: {}, rawBody })).rejects.toMatchObject(invalid);
    const asked = server.requests.filter((seen) => seen.method === 'GET');
    expect(asked).toHaveLength(0);
  });

  it('about anything else is accepted and has no webhook in it; the older form has the transfer elsewhere', async () => {
    const charge = { event: 'charge.completed', data: { id: 1, status: 'successful' } };
    expect(await verify(server.signed(Buffer.from(JSON.stringify(charge))))).toEqual([]);
    const { railReference } = await sentTo(ACCOUNTS.plain);
    const { data } = JSON.parse(server.webhookOf(railReference).rawBody.toString());
    const older = server.signed(Buffer.from(JSON.stringify({ 'event.type': 'Transfer', transfer: data })));
    expect(await verify(older)).toMatchObject([{ railReference, answer: { outcome: 'succeeded' } }]);
  });
});

describe('an account at Flutterwave', () => {
  it('sends no live payout with a test key and no sandbox payout with a live one', async () => {
    const live = callerWith({ ...CREDENTIALS, secretKey: 'FLWSECK-0123456789abcdef-X' });
    for (const [rail, tenant] of [
      [caller, LIVE],
      [live, TENANT],
    ] as const) {
      const answer = await rail.send(payment({ tenant }));
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_MODE_MISMATCH', sent: false });
    }
    expect(server.requests).toHaveLength(0);
  });

  it('reports its balance down to the kobo, and none that it cannot read', async () => {
    server.books.balanceText = '2168880.509';
    expect(await caller.balance(TENANT)).toEqual({ currency: 'NGN', availableMinor: 216_888_050n });
    server.books.balanceText = '"plenty"';
    await expect(caller.balance(TENANT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('has a name of its own, and says how long its "not found" is no news', async () => {
    const rail = createFlutterwaveRail({ credentials: CREDENTIALS, name: 'flw-main', clock: systemClock });
    expect(rail).toMatchObject({ name: 'flw-main', notFoundAfterMs: 120_000 });
    expect(createFlutterwaveRail({ credentials: CREDENTIALS, clock: systemClock }).name).toBe('flutterwave');
    await expect(rail.send(payment(), AbortSignal.abort())).rejects.toThrow();
    await expect(rail.query(payment({ tenant: LIVE }), SIGNAL)).rejects.toThrow('SANDBOX');
  });

  it('takes only credentials that look like the provider’s', () => {
    expect(Value.Check(FlutterwaveCredentials, CREDENTIALS)).toBe(true);
    expect(Value.Check(FlutterwaveCredentials, { ...CREDENTIALS, bankCodes: { '999992': '305' } })).toBe(true);
    for (const change of [
      { secretKey: 'sk_live_1' },
      { secretHash: 'short' },
      { more: 1 },
      { bankCodes: { x: 'y' } },
    ]) {
      expect(Value.Check(FlutterwaveCredentials, { ...CREDENTIALS, ...change })).toBe(false);
    }
  });
});
