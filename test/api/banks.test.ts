import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { misfits, PAGE } from './shape.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

describe('GET /bank', () => {
  it('lists the active banks to a secret and to a public key', async () => {
    for (const key of [t.merchant.secretKey, t.merchant.publicKey]) {
      const { status, body } = await t.call('GET', '/bank', undefined, { authorization: `Bearer ${key}` });
      expect(status).toBe(200);
      expect(misfits(body.data, PAGE)).toEqual([]);
      expect(body.data.records).toHaveLength(body.data.totalRecords);
      const bank = { code: 'digits', name: 'text', shortName: 'text', nipCode: 'textOrNull', kind: 'text' } as const;
      expect(misfits(body.data.records[0], bank)).toEqual([]);
    }
  });

  it('searches names and codes', async () => {
    const found = async (search: string) =>
      (await t.call('GET', `/bank?search=${search}`)).body.data.records.map((bank: { code: string }) => bank.code);
    expect(await found('aCCess')).toContain('044');
    expect(await found('058')).toContain('058');
    expect(await found('no-such-bank')).toEqual([]);
  });

  it('pages on request', async () => {
    const { data } = (await t.call('GET', '/bank?size=10&page=2')).body;
    expect(data.records).toHaveLength(10);
    expect(data.totalPages).toBe(Math.ceil(data.totalRecords / 10));
  });
});

describe('POST /bank/resolve', () => {
  const resolve = (body: Record<string, unknown>, headers?: Record<string, string>) =>
    t.call('POST', '/bank/resolve', { bankCode: '058', accountNumber: '0000999901', ...body }, headers);

  it('gives the name that the bank has', async () => {
    const { status, body } = await resolve({});
    expect(status).toBe(200);
    const account = {
      accountName: 'text',
      accountNumber: 'digits',
      bankCode: 'digits',
      bankName: 'text',
      warning: 'textOrNull',
    } as const;
    expect(misfits(body.data, account)).toEqual([]);
    expect(body.data.warning).toBeNull();
  });

  it('warns of a number that does not look like one of the bank, and still asks', async () => {
    const { status, body } = await resolve({ accountNumber: '0000999902' });
    expect(status).toBe(200);
    expect(body.data.warning).toContain('does not look like');
  });

  it('says when the bank has no such account', async () => {
    const { status, body } = await resolve({ accountNumber: '0009999904' });
    expect([status, body.code]).toEqual([422, 'ACCOUNT_NOT_FOUND']);
  });

  it('does not call an account missing when the bank did not answer', async () => {
    const { status, body, headers } = await resolve({ accountNumber: '0005999906' });
    expect([status, body.code]).toEqual([503, 'NAME_ENQUIRY_UNAVAILABLE']);
    expect(headers['retry-after']).toBeDefined();
  });

  it('lets a header choose what the sandbox bank does', async () => {
    const { body } = await resolve({}, { 'x-sandbox-scenario': 'name-not-found' });
    expect(body.code).toBe('ACCOUNT_NOT_FOUND');
    expect((await resolve({}, { 'x-sandbox-scenario': 'nonsense' })).status).toBe(400);
  });

  it('replays the answer of one idempotency key', async () => {
    const key = { 'idempotency-key': 'resolve-1' };
    const first = await resolve({}, key);
    const again = await resolve({}, key);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  });

  it.each([
    [{ bankCode: '998' }, 422, 'BANK_NOT_FOUND'],
    [{ bankCode: '030' }, 422, 'BANK_NOT_FOUND'],
    [{ bankCode: 58 }, 400, 'VALIDATION_FAILED'],
    [{ accountNumber: '123' }, 400, 'VALIDATION_FAILED'],
    [{ accountNumber: 1234567890 }, 400, 'VALIDATION_FAILED'],
    [{ pin: '4826' }, 400, 'VALIDATION_FAILED'],
  ])('refuses %j', async (body, status, code) => {
    const answer = await resolve(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('is not for public keys', async () => {
    expect((await resolve({}, { authorization: `Bearer ${t.merchant.publicKey}` })).status).toBe(403);
  });
});
