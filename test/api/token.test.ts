import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { misfits } from './shape.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const token = (body: unknown, key = t.merchant.secretKey) =>
  t.call('POST', '/auth/token', body, { authorization: `Bearer ${key}` });

describe('POST /auth/token', () => {
  it('turns a secret key into a token that works in its place', async () => {
    const { status, body } = await token({});
    expect(status).toBe(200);
    expect(misfits(body.data, { accessToken: 'text', tokenType: 'text', expiresIn: 'integer', scope: 'text' })).toEqual(
      [],
    );
    const bearer = { authorization: `Bearer ${body.data.accessToken}` };
    expect((await t.call('GET', '/wallet/merchant', undefined, bearer)).status).toBe(200);
  });

  it('gives the scopes that were asked for, and no others', async () => {
    const { data } = (await token({ scopes: ['wallet:read'] })).body;
    expect(data.scope).toBe('wallet:read');
    const bearer = { authorization: `Bearer ${data.accessToken}` };
    expect((await t.call('GET', '/wallet/merchant', undefined, bearer)).status).toBe(200);
    const refused = await t.call('GET', '/transaction', undefined, bearer);
    expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_NOT_GRANTED']);
  });

  it('expires', async () => {
    const { data } = (await token({})).body;
    t.clock.advance((data.expiresIn + 1) * 1000);
    const late = await t.call('GET', '/wallet/merchant', undefined, { authorization: `Bearer ${data.accessToken}` });
    expect([late.status, late.body.code]).toEqual([401, 'TOKEN_EXPIRED']);
  });

  it('makes no token from a public key, nor from a token', async () => {
    const fromToken = (await token({})).body.data.accessToken;
    for (const key of [t.merchant.publicKey, fromToken]) {
      const { status, body } = await token({}, key);
      expect([status, body.code]).toEqual([403, 'KEY_TYPE_NOT_ALLOWED']);
    }
  });

  it('keeps no token under an idempotency key', async () => {
    const headers = { 'idempotency-key': 'token-1' };
    const { data } = (await t.call('POST', '/auth/token', {}, headers)).body;
    const { rows } = await t.database.pool.query('select answer_body from idempotency_keys');
    expect(rows.map((row: { answer_body: string }) => row.answer_body).join()).not.toContain(data.accessToken);
  });

  it.each([{ scopes: [] }, { scopes: ['everything'] }, { scopes: 'wallet:read' }, { ttl: 1 }])(
    'refuses %j',
    async (body) => {
      expect((await token(body)).status).toBe(400);
    },
  );
});
