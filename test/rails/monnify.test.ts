import { Value } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decimalText } from '../../src/money/index.ts';
import { createMonnifyRail, differencesOf, MonnifyCredentials, type SendRequest } from '../../src/rails/index.ts';
import { describeRail } from './conformance.ts';
import { type RailHarness, REPORTED } from './harness.ts';
import {
  CREDENTIALS,
  HOUR_MS,
  type MonnifyFixture,
  movedClock,
  openMonnify,
  payment,
  TENANT,
} from './monnify-support.ts';
import { ACCOUNTS, refusal, SESSION_ID, startMonnifyServer, WALLET } from './providers/monnify-server.ts';
import { setFalseFacts } from './providers/stand-in.ts';

describeRail('Monnify', makeHarness, {
  reports: REPORTED.monnify,
  overHttp: { prepares: true, webhooksSign: 'bytes' },
});

async function makeHarness(): Promise<RailHarness> {
  const server = await startMonnifyServer();
  const { baseUrl } = server;
  const clock = movedClock();
  const at = (accountNumber: string) => ({ bankCode: '057', accountNumber });
  const railWith = (changes: Partial<MonnifyCredentials>, address = baseUrl) =>
    createMonnifyRail({ credentials: { ...CREDENTIALS, ...changes }, baseUrl: address, clock });
  return {
    rail: railWith({}),
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
    settlementFile: ({ railReference, amountMinor, accountNumber, bankCode }) => ({
      text: `reference,amount,fee,destinationAccountNumber,destinationBankCode,status,createdOn\n${railReference},${decimalText(amountMinor)},8,${accountNumber},${bankCode},SUCCESS,2026-11-20T09:30:00.000Z\n`,
      amountsInKobo: false,
    }),
    provider: {
      breakNext(stage, how, options) {
        // A login comes only when the token of the hour before has run out.
        if (stage === 'prepare') clock.move(HOUR_MS);
        server.breakNext(stage, how, options);
        // One 401 is answered with a new login: the second is the one that stays.
        if (stage !== 'prepare' && how === 'unauthorized') server.breakNext(stage, how);
      },
      unreachable: railWith({}, 'http://127.0.0.1:1'),
      wrongKey: railWith({ secretKey: 'NOT-THE-SECRET-OF-THIS-KEY' }),
      signed: server.signed,
      amountOf: async (reference) => server.transfers.get(reference)?.amountMinor,
    },
    close: server.close,
  };
}

let fixture: MonnifyFixture;

beforeEach(async () => {
  fixture = await openMonnify();
});
afterEach(() => fixture.server.close());

const query = (request: SendRequest) => fixture.caller.query(request);
const sends = () => fixture.server.requests.filter((seen) => seen.path.endsWith('/disbursements/single'));

describe('a disbursement by Monnify', () => {
  it('is asked for in decimal naira with our reference, from our wallet, to the name of the enquiry', async () => {
    const request = payment({ narration: `Salary ${'x'.repeat(150)}`, bankCode: '999992' });
    const paid = { outcome: 'succeeded', code: 'SUCCESS', reason: null, sessionId: SESSION_ID, sent: true };
    expect(await fixture.caller.send(request)).toMatchObject(paid);
    const [sent] = sends();
    expect(sent?.text).toContain('"amount":12345.05,');
    expect(sent?.body).toMatchObject({
      reference: request.railReference,
      destinationBankCode: '305',
      destinationAccountNumber: ACCOUNTS.plain,
      destinationAccountName: 'ADAEZE OBI',
      currency: 'NGN',
      sourceAccountNumber: WALLET,
    });
    expect(sent?.body.narration).toHaveLength(100);
    const asked = await query(request);
    expect(asked).toMatchObject({ outcome: 'succeeded', code: 'SUCCESS', sessionId: SESSION_ID });
    expect(asked.reported.bankCode).toBe('999992');
  });

  it.each([
    ['COMPLETED', 'succeeded', null],
    ['REVERSED', 'reversed', 'RAIL_REVERSED'],
    ['PENDING', 'unknown', 'RAIL_PENDING'],
    ['AWAITING_PROCESSING', 'unknown', 'RAIL_PENDING'],
    ['IN_PROGRESS', 'unknown', 'RAIL_PENDING'],
    ['PENDING_AUTHORIZATION', 'unknown', 'RAIL_OTP_REQUIRED'],
    ['PENDING_BATCH_AUTHORIZATION', 'unknown', 'RAIL_OTP_REQUIRED'],
    ['OTP_EMAIL_DISPATCHED', 'unknown', 'RAIL_OTP_REQUIRED'],
    ['OTP_EMAIL_DISPATCH_FAILED', 'unknown', 'RAIL_OTP_REQUIRED'],
    ['EXPIRED', 'unknown', 'RAIL_TRANSFER_EXPIRED'],
    ['success', 'unknown', 'RAIL_CODE_UNKNOWN'],
  ])('that is %s is %s', async (status, outcome, reason) => {
    fixture.server.books.ending = { status, description: '' };
    const request = payment();
    expect(await fixture.caller.send(request)).toMatchObject({ outcome, code: status, reason });
    expect(await query(request)).toMatchObject({ outcome, code: status, reason });
  });

  it('that waits for a one-time password tells the operator to have it switched off', async () => {
    fixture.server.books.ending = { status: 'PENDING_AUTHORIZATION', description: '' };
    expect((await fixture.caller.send(payment())).message).toMatch(/two-factor authentication.*switched off/);
  });

  it.each([
    ['You do not have sufficient balance to process this request.', 'RAIL_FUNDS_INSUFFICIENT'],
    ['Dormant beneficiary account', 'ACCOUNT_DORMANT'],
    ['Beneficiary account name mismatch', 'ACCOUNT_NAME_MISMATCH'],
    ['Unknown destination bank code', 'BANK_CODE_UNKNOWN'],
    ['Post No Credit restriction on beneficiary account', 'ACCOUNT_RESTRICTED'],
    ['Beneficiary account limit exceeded', 'ACCOUNT_LIMIT_EXCEEDED'],
    ['Sender not permitted to credit beneficiary', 'SENDER_NOT_PERMITTED'],
    ['Rejected by destination institution', 'DO_NOT_HONOUR'],
    ['Invalid destination account number', 'ACCOUNT_INVALID'],
    ['Something that nobody listed', 'RAIL_REFUSED'],
    ['', 'RAIL_REFUSED'],
  ])('that FAILED with "%s" has failed, and the send says %s already', async (description, reason) => {
    fixture.server.books.ending = { status: 'FAILED', description };
    const request = payment();
    expect(await fixture.caller.send(request)).toMatchObject({ outcome: 'failed', code: 'FAILED', reason });
    expect(await query(request)).toMatchObject({ outcome: 'failed', code: 'FAILED', reason });
  });

  it.each([
    ['Transaction timed out while waiting for destination bank', 'RAIL_BANK_TIMED_OUT'],
    ['Beneficiary bank not available', 'BANK_UNAVAILABLE'],
    ['Unable to complete the transaction at this time', 'BANK_UNAVAILABLE'],
    ['Delayed processing from NIP', 'RAIL_PENDING'],
    ['Transaction processing in progress', 'RAIL_PENDING'],
    ['System malfunction by destination institution', 'RAIL_MALFUNCTION'],
    ['Processor Malfunction - Transaction transmission failed', 'RAIL_MALFUNCTION'],
    ['Invalid response code from beneficiary Institution', 'RAIL_MALFUNCTION'],
  ])('that FAILED with "%s" is open: the provider says to ask again', async (description, reason) => {
    fixture.server.books.ending = { status: 'FAILED', description };
    const request = payment();
    expect(await fixture.caller.send(request)).toMatchObject({ outcome: 'unknown', reason, sent: true });
    expect(await query(request)).toMatchObject({ outcome: 'unknown', reason });
  });

  it('that FAILED without a reason has not failed before the summary says so', async () => {
    fixture.server.books.ending = { status: 'FAILED', description: '' };
    for (const how of ['reset', 'http-500', 'error-in-200'] as const) {
      fixture.server.breakNext('query', how);
      const answer = await fixture.caller.send(payment());
      expect(answer).toMatchObject({ outcome: 'unknown', code: 'FAILED', reason: 'RAIL_FAILURE_UNCLEAR', sent: true });
    }
  });

  it('is not found while the provider still validates it, and is found afterwards', async () => {
    const request = payment();
    await fixture.caller.send(request);
    fixture.server.books.validating = 1;
    expect(await query(request)).toMatchObject({ outcome: 'not_found', reason: 'RAIL_RECORD_NOT_FOUND' });
    expect((await query(request)).outcome).toBe('succeeded');
  });

  it('is unknown where the path is gone or a proxy says 404: that is not "no such transfer"', async () => {
    const gone = { timestamp: '2026-11-20T09:00:00', status: 404, error: 'Not Found', path: '/api/v2' };
    for (const body of [gone, '<html>404</html>', { requestSuccessful: false, responseCode: '99' }]) {
      fixture.server.answerNext('query', { status: 404, body });
      expect(await query(payment())).toMatchObject({ outcome: 'unknown' });
    }
    fixture.server.answerNext('query', refusal(500, 'D02', 'Could not find disbursement'));
    expect(await query(payment())).toMatchObject({ outcome: 'unknown', code: 'D02' });
  });

  it.each([
    ['amount', 'amountMinor', undefined],
    ['amount', 'amountMinor', 26.875],
    ['destinationAccountNumber', 'accountNumber', null],
  ])('without a %s that can be read is about nothing of ours', async (field, fact, value) => {
    const request = payment();
    const { railReference: reference, accountNumber: destinationAccountNumber } = request;
    const whole = { amount: 12_345.05, reference, status: 'SUCCESS', destinationAccountNumber };
    const body = { requestSuccessful: true, responseCode: '0', responseBody: { ...whole, [field]: value } };
    for (const stage of ['send', 'query'] as const) {
      fixture.server.answerNext(stage, { status: 200, body });
      const { reported } = await (stage === 'send' ? fixture.caller.send(request) : query(request));
      expect(differencesOf(request, reported)).toEqual([fact]);
    }
  });
});

describe('a refusal by Monnify', () => {
  it.each([
    ['D01', 'Invalid amount', 'AMOUNT_INVALID'],
    ['D01', 'Unknown destination bank code', 'BANK_CODE_UNKNOWN'],
    ['D03', 'Invalid account details supplied', 'ACCOUNT_INVALID'],
    ['D04', 'Insufficient wallet balance', 'RAIL_FUNDS_INSUFFICIENT'],
  ])('with %s "%s" ends a payout that the provider does not have', async (code, message, reason) => {
    for (const status of [200, 400, 422]) {
      fixture.server.books.refusal = { status, code, message };
      expect(await fixture.caller.send(payment())).toMatchObject({ outcome: 'failed', code, reason });
    }
  });

  it.each([
    ['D01', 'Something else', 'RAIL_REFUSAL_UNLISTED'],
    ['D01', 'Transaction timed out', 'RAIL_REFUSAL_UNLISTED'],
    ['D02', 'Transaction does not exist', 'RAIL_REFUSAL_UNLISTED'],
    ['D05', 'Supplied reference already exists', 'RAIL_DUPLICATE'],
    ['D06', 'Unauthorized request', 'RAIL_CREDENTIALS_REFUSED'],
    ['D07', 'Duplicate request', 'RAIL_DUPLICATE_WINDOW'],
    ['99', 'An unexpected error occurred', 'RAIL_MALFUNCTION'],
    ['D99', 'Never seen', 'RAIL_ANSWER_UNEXPECTED'],
  ])('with %s "%s" ends nothing', async (code, message, reason) => {
    fixture.server.books.refusal = { status: 400, code, message };
    const answer = await fixture.caller.send(payment());
    expect(answer).toMatchObject({ outcome: 'unknown', code, reason, sent: true });
  });

  it('ends nothing where the transfer is there, sent before: its own state is the answer', async () => {
    const request = payment({ accountNumber: ACCOUNTS.unansweredExecuted });
    expect((await fixture.caller.send(request)).outcome).toBe('unknown');
    for (const code of ['D01', 'D03', 'D04', 'D05', 'D07']) {
      fixture.server.answerNext('send', refusal(400, code, 'Insufficient wallet balance'));
      expect(await fixture.caller.send(request)).toMatchObject({ outcome: 'succeeded', code: 'SUCCESS' });
    }
    expect(fixture.server.executions(request.railReference)).toBe(1);
  });

  it('ends nothing where the query after it does not answer, or comes from a broken server', async () => {
    fixture.server.books.refusal = { status: 400, code: 'D04', message: 'Insufficient wallet balance' };
    for (const how of ['reset', 'http-502-html', 'error-in-200', 'truncated-json'] as const) {
      fixture.server.breakNext('query', how);
      const answer = await fixture.caller.send(payment());
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_REFUSAL_UNCONFIRMED', sent: true });
    }
    fixture.server.books.refusal.status = 500;
    expect(await fixture.caller.send(payment())).toMatchObject({ outcome: 'unknown', code: 'D04' });
  });

  it('of the same amount to the same account within two minutes is no end of either payout', async () => {
    fixture.server.books.duplicateWindow = true;
    const first = payment();
    const second = payment();
    expect((await fixture.caller.send(first)).outcome).toBe('succeeded');
    expect(await fixture.caller.send(second)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE_WINDOW' });
    expect(await fixture.caller.send(first)).toMatchObject({ outcome: 'succeeded' });
    expect((await query(second)).outcome).toBe('not_found');
    fixture.server.books.duplicateWindow = false;
    expect((await fixture.caller.send(second)).outcome).toBe('succeeded');
    expect(createMonnifyRail({ credentials: CREDENTIALS, clock: fixture.clock }).notFoundAfterMs).toBeGreaterThan(
      120_000,
    );
  });
});

describe('the credentials of a Monnify account', () => {
  it('may say where bank codes differ from ours, and only as codes', () => {
    const withCodes = (bankCodes: object) => Value.Check(MonnifyCredentials, { ...CREDENTIALS, bankCodes });
    expect(withCodes({ '999992': '305' })).toBe(true);
    expect(withCodes({ x: 'y' })).toBe(false);
  });
});
