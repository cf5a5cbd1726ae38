import { expect } from 'vitest';
import type { Role } from '../../src/access/index.ts';
import { keepPerson } from '../../src/people/add-operator.ts';
import { openSession } from '../../src/people/session.ts';
import { newId } from '../../src/platform/ids.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createTestApp, type Reply, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { bearer, rowsOf } from '../support/world.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export interface Person {
  personId: string;
  call: Call;
}

/** Somebody of the merchant with a session, without the cost of a password. */
export async function personOf(
  t: TestApp,
  { merchantId }: TestMerchant,
  role: Role,
  name: string = role,
): Promise<Person> {
  const { database, clock } = t;
  const personId = newId();
  await keepPerson(
    { database, clock },
    {
      kind: 'MEMBER',
      merchantId,
      role,
      personId,
      email: `${personId}@adire.example`,
      passwordHash: 'nobody signs in with it',
      firstName: name,
      lastName: '',
    },
  );
  return { personId, call: await sessionOf(t, personId) };
}

/** One more session of somebody, as on another device. */
export async function sessionOf(t: TestApp, personId: string): Promise<Call> {
  const { database, clock, secrets } = t;
  const { secret, sessionId } = await openSession(
    { queries: database, secrets, clock },
    {
      personId,
      stage: 'FULL',
      passwordGiven: true,
      visitor: { ip: '127.0.0.1', userAgent: 'test', requestId: 'test', baseUrl: 'http://127.0.0.1' },
      secretBefore: undefined,
    },
  );
  const session = {
    cookie: `__Host-manilla_session=${secret}`,
    'x-csrf-token': secrets.hmac('csrf', sessionId),
  };
  return callWith(t, session);
}

export function callWith(t: TestApp, as: Record<string, string>): Call {
  return async (method, url, body, headers = {}) => {
    const json = body === undefined ? {} : { payload: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await t.app.server.inject({ method, url, headers: { ...type, ...as, ...headers }, ...json });
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson ? JSON.parse(answer.body) : answer.body,
      text: answer.body,
    };
  };
}

export interface Business {
  merchant: TestMerchant;
  /** By the merchant's secret key, which no person made. */
  byKey: Call;
  owner: Person;
  maker: Person;
  ann: Person;
  ben: Person;
}

/** A merchant with an owner, a maker and two approvers; approvals are on, by these rules, unless there are none. */
export async function business(
  t: TestApp,
  rules: { fromAmount: number; approvals: number }[] | undefined = [{ fromAmount: 0, approvals: 1 }],
): Promise<Business> {
  const merchant = await t.addMerchant();
  const [owner, maker, ann, ben] = await Promise.all([
    personOf(t, merchant, 'OWNER'),
    personOf(t, merchant, 'MAKER', 'Musa'),
    personOf(t, merchant, 'APPROVER', 'Ann'),
    personOf(t, merchant, 'APPROVER', 'Ben'),
  ]);
  if (rules.length > 0) {
    const on = await owner.call('PATCH', '/approval/rules', { isMakerCheckerEnabled: true, rules });
    expect(on.body, on.text).toMatchObject({ status: true, data: { isMakerCheckerEnabled: true, approvalId: null } });
  }
  return { merchant, byKey: callWith(t, bearer(merchant.secretKey)), owner, maker, ann, ben };
}

export const payment = (fields: Record<string, unknown> = {}) => ({
  pin: TEST_PIN,
  amount: 1_000,
  bankCode: '058',
  accountNumber: '0123456785',
  narration: 'Rent',
  allowDuplicate: true,
  ...fields,
});

/** A payout of ₦1,000 that waits, and its approval as `who` sees it. */
export async function waitingPayout(by: Call, fields: Record<string, unknown> = {}) {
  const reply = await by('POST', '/payout/single', payment(fields));
  expect(reply.body, reply.text).toMatchObject({ status: true, data: { status: 'PENDING_APPROVAL' } });
  const { transactionId, approvalId } = reply.body.data as { transactionId: string; approvalId: string };
  const approval = (await by('GET', `/approval/${approvalId}`)).body.data;
  return { transactionId, approvalId, digest: approval.digest as string, approval };
}

export const approve = (
  who: Person,
  { approvalId, digest }: { approvalId: string; digest: string },
  headers: Record<string, string> = {},
) => who.call('POST', `/approval/${approvalId}/approve`, { digest }, headers);

export const reject = (who: Person, { approvalId }: { approvalId: string }) =>
  who.call('POST', `/approval/${approvalId}/reject`, { note: 'Not this month' });

export const codeOf = (reply: Reply): string =>
  reply.status === 200 ? 'DONE' : `${reply.status} ${(reply.body as { code?: string }).code ?? 'NONE'}`;

export async function balanceOf({ merchant, byKey }: Business): Promise<{ booked: number; available: number }> {
  const { wallet } = (await byKey('GET', '/wallet/merchant')).body.data;
  expect(wallet.id).toBe(merchant.walletId);
  return { booked: wallet.bookedBalance, available: wallet.availableBalance };
}

/** Every send that a rail has ever heard of. */
export async function sends(t: TestApp, { merchantId }: TestMerchant): Promise<number> {
  const sql = `select count(*)::int as sends from payout_attempts where merchant_id = $1 and kind = 'SEND'`;
  const [row] = await rowsOf<{ sends: number }>(t.connectionString, sql, [merchantId]);
  return row?.sends ?? 0;
}

export const statusOf = async (by: Call, transactionId: string): Promise<string> =>
  (await by('GET', `/transaction/${transactionId}`)).body.data.status;

export async function expectBooksRight(t: TestApp): Promise<void> {
  const report = await verifyBooks(t.database);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
}

export { createTestApp, type TestApp };
