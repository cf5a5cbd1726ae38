import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { type Listener, listen } from './listener.ts';

/** The service as its pages meet it: over HTTP, with the one reader that looks once a second. */
let t: TestApp;
let baseUrl: string;
let merchant: TestMerchant;
let owner: TestPerson;
const open: Listener[] = [];

beforeAll(async () => {
  t = await createTestApp();
  baseUrl = await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  merchant = await t.addMerchant();
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
});
afterAll(async () => {
  for (const one of open) one.close();
  await t.close();
});

async function hear(person: TestPerson | undefined, options: Parameters<typeof listen>[2] = {}): Promise<Listener> {
  const listener = await listen(baseUrl, person, options);
  open.push(listener);
  return listener;
}

async function ready(
  person: TestPerson,
  options: Parameters<typeof listen>[2] = {},
): Promise<Listener & { at: string }> {
  const listener = await hear(person, options);
  expect(listener.status).toBe(200);
  const first = await listener.next();
  expect(first?.event).toBe('ready');
  return { ...listener, at: first?.id ?? '' };
}

const fund = (of: TestMerchant) =>
  t.call('POST', '/sandbox/wallet/fund', { walletId: of.walletId, amount: 5 }, bearerOf(of));

describe('GET /stream', () => {
  it('tells an open page what changed, by topic and without any amount', async () => {
    const page = await ready(owner);
    expect(page.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await fund(merchant);
    const heard = await page.next();
    expect(heard).toMatchObject({
      event: 'change',
      data: { topics: expect.arrayContaining(['balances', 'transactions']) },
    });
    expect(heard?.id).not.toBe(page.at);
    page.close();
  });

  it('tells nothing of another merchant, nor of the other mode', async () => {
    const other = await t.addMerchant();
    const live = await ready(owner, { mode: 'LIVE' });
    const page = await ready(owner);
    await fund(other);
    await t.call('POST', '/branch/store', { name: 'Yaba' }, bearerOf(merchant));
    const heard = await page.next();
    expect(heard?.data.topics).toContain('stores');
    expect(heard?.data.topics).not.toContain('transactions');
    await t.call('POST', '/subaccount', { name: 'Ends it' }, bearerOf(merchant));
    await page.next();
    // The live page has heard nothing in all these looks: the next thing that it hears is the end.
    await owner.call('DELETE', '/session');
    expect(await live.next()).toMatchObject({ event: 'end', data: { reason: 'SESSION_ENDED' } });
    owner = await signedInMember(t, merchant.merchantId, 'OWNER');
    page.close();
  });

  it('brings what was missed to a page that says where it had come to, and everything to one that says nonsense', async () => {
    const page = await ready(owner);
    page.close();
    await t.call('POST', '/branch/store', { name: 'Surulere' }, bearerOf(merchant));
    const again = await ready(owner, { lastEventId: page.at });
    const missed = await again.next();
    expect(missed?.data.topics).toEqual(expect.arrayContaining(['stores']));
    expect(missed?.data.topics).not.toContain('approvals');
    const lost = await ready(owner, { lastEventId: 'LIVE.999999' });
    expect((await lost.next())?.data.topics).toEqual(expect.arrayContaining(['stores', 'approvals', 'batches']));
    again.close();
    lost.close();
  });

  it('ends when the session does, wherever it was ended, and when the role changes', async () => {
    const viewer = await signedInMember(t, merchant.merchantId, 'VIEWER');
    const page = await ready(viewer);
    await owner.refresh();
    const changed = await owner.call('PATCH', `/member/${viewer.personId}`, { role: 'DEVELOPER' });
    expect(changed.status, changed.text).toBe(200);
    expect(await page.next()).toMatchObject({ event: 'end', data: { reason: 'RIGHTS_CHANGED' } });
    expect(await page.next()).toBeUndefined();
    const after = await ready(viewer);
    const removed = await owner.call('DELETE', `/member/${viewer.personId}`);
    expect(removed.status, removed.text).toBe(200);
    expect(await after.next()).toMatchObject({ event: 'end', data: { reason: 'SESSION_ENDED' } });
    expect((await hear(viewer)).status).toBe(401);
  });

  it('is for people of a merchant: no key, no operator, nobody', async () => {
    const operator = await signedInOperator(t);
    expect((await hear(operator)).status).toBe(403);
    const byKey = await t.call('GET', '/stream', undefined, bearerOf(merchant));
    expect([byKey.status, byKey.body.code]).toEqual([403, 'PERSON_REQUIRED']);
    expect((await hear(undefined)).status).toBe(401);
  });

  it('takes so many pages of one person, and another once one is closed', async () => {
    const busy = await signedInMember(t, merchant.merchantId, 'MAKER');
    const pages = await Promise.all(Array.from({ length: 8 }, () => ready(busy)));
    const refused = await hear(busy);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    for (const page of pages) page.close();
    await expect.poll(async () => (await hear(busy)).status, { timeout: 10_000 }).toBe(200);
  });

  it('does not keep a session alive: a page that is only open ends with it', async () => {
    const left = await signedInMember(t, merchant.merchantId, 'VIEWER');
    const page = await ready(left);
    t.clock.advance(31 * 60_000);
    expect(await page.next()).toMatchObject({ event: 'end', data: { reason: 'SESSION_ENDED' } });
  });
});

describe('a service that stops', () => {
  it('ends the open pages and does not wait for them', async () => {
    const own = await createTestApp();
    const at = await own.app.server.listen({ port: 0, host: '127.0.0.1' });
    const person = await signedInMember(own, own.merchant.merchantId, 'OWNER');
    const page = await listen(at, person);
    expect((await page.next())?.event).toBe('ready');
    const silent = await listen(at, person);
    expect(silent.status).toBe(200);
    const stopped = own.close();
    expect(await page.next()).toMatchObject({ event: 'end', data: { reason: 'STOPPING' } });
    await stopped;
  });
});
