import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operationsOf, sampleRequest } from '../support/operations.ts';
import { bearer, issueKey, knownOf, rowsOf } from '../support/world.ts';
import {
  type Business,
  business,
  type Call,
  callWith,
  createTestApp,
  expectBooksRight,
  sends,
  type TestApp,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

/** By every way in that can make money leave: what it answers with while approvals are on. */
const WAITS: Record<string, string> = {
  'POST /payout/single': 'PENDING_APPROVAL',
  'POST /payout/single/schedule': 'PENDING_APPROVAL',
  'POST /payout/bulk/dispatch': 'PENDING_APPROVAL',
};
const DAY = 86_400;

/** A key of the owner's, a token from it, and the owner. */
async function waysOf(shop: Business): Promise<Record<string, Call>> {
  const { keyId, key } = await issueKey(t, shop.merchant.merchantId, 'SANDBOX');
  await t.database.pool.query('update api_keys set created_by = $2 where id = $1', [keyId, shop.owner.personId]);
  const byKey = callWith(t, bearer(key));
  const token = (await byKey('POST', '/auth/token', {})).body.data.accessToken;
  return { key: byKey, token: callWith(t, bearer(token)), session: shop.owner.call };
}

const changing = (): Operation[] => operationsOf(t.app).filter(({ method }) => method !== 'GET');

describe('with approvals on, no way in sends anything', () => {
  it.each(['key', 'token', 'session'])('by %s, whatever operation is tried', async (way) => {
    const shop = await business(t);
    const by = (await waysOf(shop))[way] as Call;
    const known = await knownOf(t, shop.merchant);
    await t.app.worker.runOnce();
    const answered = new Map<string, string>();
    for (const operation of changing()) {
      const { method, url, body } = sampleRequest(operation, known);
      const reply = await by(method, url, body);
      if (reply.status === 200 && operation.name in WAITS) answered.set(operation.name, reply.body.data.status);
    }
    expect(Object.fromEntries(answered)).toEqual(WAITS);
    for (const days of [1, 3, 4]) {
      await shop.byKey('POST', '/sandbox/clock/advance', { seconds: days * DAY });
      await t.app.worker.runOnce();
    }
    expect(await sends(t, shop.merchant)).toBe(0);
    const left = await rowsOf<{ id: string }>(
      t.connectionString,
      `select id from transactions where merchant_id = $1 and category = 'PAYOUT'
          and status not in ('PENDING_APPROVAL', 'CANCELLED')`,
      [shop.merchant.merchantId],
    );
    expect(left).toEqual([]);
  });

  it('and nobody who made it by any of them may approve it', async () => {
    const shop = await business(t);
    const ways = await waysOf(shop);
    for (const [way, by] of Object.entries(ways)) {
      const asked = changing().filter(({ name }) => name in WAITS);
      expect(asked).toHaveLength(Object.keys(WAITS).length);
      const known = Object.assign({}, ...(await Promise.all(asked.map((one) => knownOf(t, shop.merchant, one)))));
      await t.app.worker.runOnce();
      for (const operation of asked) {
        const { name } = operation;
        const { method, url, body } = sampleRequest(operation, known);
        const { approvalId } = (await by(method, url, body)).body.data;
        const { digest } = (await by('GET', `/approval/${approvalId}`)).body.data;
        const self = await shop.owner.call('POST', `/approval/${approvalId}/approve`, { digest });
        expect([way, name, self.body.code]).toEqual([way, name, 'SELF_APPROVAL']);
        for (const key of [ways['key'], ways['token']] as Call[]) {
          const asked = await key('POST', `/approval/${approvalId}/approve`, { digest });
          expect([way, name, asked.body.code]).toEqual([way, name, 'PERSON_REQUIRED']);
        }
      }
    }
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(0);
  });
});
