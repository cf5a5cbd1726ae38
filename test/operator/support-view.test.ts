import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mailsTo } from '../people/mails.ts';
import { createTestApp, type Reply, type TestApp, type TestMerchant } from '../support/app.ts';
import { allOperationsOf, sampleRequest } from '../support/operations.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer, knownOf, rowsOf } from '../support/world.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let merchant: TestMerchant;
let owner: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  merchant = t.merchant;
  owner = checked(t.app, await signedInMember(t, merchant.merchantId, 'OWNER'));
});
afterAll(() => t.close());

const MINUTE = 60_000;
const REASON = 'You asked why a payout is unknown.';
const told = ({ status, body }: Reply) => [status, body.code];

interface Opened {
  supportViewId: string;
  token: string;
  expiresAt: string;
}

async function open(operator: TestPerson, { merchantId } = merchant, mode = 'SANDBOX'): Promise<Opened> {
  const reply = await operator.call('POST', `/operator/merchant/${merchantId}/support-view`, { mode, reason: REASON });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
}

const within = ({ token }: Pick<Opened, 'token'>) => ({ 'x-support-view': token });
const home = (operator: TestPerson, view: Pick<Opened, 'token'>, headers: Record<string, string> = {}) =>
  operator.call('GET', '/home', undefined, { ...within(view), ...headers });
const ENDED = [403, 'SUPPORT_VIEW_ENDED'];

describe('a support view', () => {
  it('shows the operator’s staff what the merchant’s own people read, and who looks at it', async () => {
    const operator = checked(t.app, await signedInOperator(t));
    const view = await open(operator);
    for (const path of [
      '/home',
      '/merchant/info',
      '/wallet/merchant',
      '/wallet/merchant/statement',
      '/transaction',
      '/payout/bulk',
      '/payout/single/schedule',
      '/beneficiary',
      '/approval',
      '/branch/store',
      '/subaccount',
      '/member',
      '/key',
      '/webhook/endpoint',
      '/webhook/delivery',
      '/event',
      '/request-log',
      '/audit',
      '/onboarding',
      '/announcement',
      '/support-view',
    ]) {
      // Requests are logged, and webhooks delivered, a moment after what caused them: between two reads, perhaps.
      await vi.waitFor(async () => {
        const [seen, own] = await Promise.all([
          operator.call('GET', path, undefined, within(view)),
          owner.call('GET', path),
        ]);
        expect([path, seen.status], seen.text).toEqual([path, 200]);
        // What names the reader, or grows with every read, differs.
        if (!['/audit', '/member', '/home', '/merchant/info'].includes(path))
          expect([path, seen.body.data]).toEqual([path, own.body.data]);
      }, 10_000);
    }
    const session = (await operator.call('GET', '/session', undefined, within(view))).body.data;
    expect(session).toMatchObject({
      person: { kind: 'OPERATOR', email: operator.email },
      merchant: { merchantId: merchant.merchantId },
      scopes: { SANDBOX: expect.arrayContaining(['wallet:read', 'payout:read']), LIVE: [] },
      supportView: { mode: 'SANDBOX', reason: REASON, expiresAt: view.expiresAt },
      mailOutbox: false,
    });
    const rights = [...session.permissions, ...session.scopes.SANDBOX];
    expect(rights.filter((right) => !right.endsWith(':read'))).toEqual([]);
    expect(rights).not.toContain('document:read');
    expect((await operator.call('GET', '/session')).body.data).toMatchObject({ merchant: null, supportView: null });
  });

  it('refuses every operation of the API document that is not a read, whoever sends it, and nothing changes', async () => {
    const operator = await signedInOperator(t);
    const view = await open(operator);
    const known = await knownOf(t, merchant);
    const writing = allOperationsOf(t.app).filter(({ method }) => method !== 'GET');
    expect(writing.length).toBeGreaterThan(100);
    const state = () =>
      rowsOf(
        t.connectionString,
        `select (select count(*) from transfers) as transfers, (select count(*) from payouts) as payouts,
                (select count(*) from api_keys) as keys, (select count(*) from people) as people,
                (select count(*) from stores) as stores,
                (select max(xmin::text::bigint) from merchants) as merchants`,
      );
    const before = await state();
    for (const operation of writing) {
      const { method, url, body } = sampleRequest(operation, known);
      const reply = await operator.call(method, url, body, within(view));
      expect([operation.name, ...told(reply)]).toEqual([operation.name, 403, 'SUPPORT_VIEW_READ_ONLY']);
    }
    const others = [
      (path: string) => owner.call('POST', path, { name: 'Yaba' }, within(view)),
      (path: string) => t.call('POST', path, { name: 'Yaba' }, { ...bearer(merchant.secretKey), ...within(view) }),
    ];
    for (const call of others) expect(told(await call('/branch/store'))).toEqual([403, 'SUPPORT_VIEW_READ_ONLY']);
    // Without the token it is the operator's own session, which no route of a merchant takes.
    expect(told(await operator.call('POST', '/branch/store', { name: 'Yaba' }))).toEqual([
      403,
      'PERMISSION_NOT_GRANTED',
    ]);
    expect(await state()).toEqual(before);
    expect((await home(operator, view)).status).toBe(200);
  });

  it('shows no secret and no document, nor the desk', async () => {
    const operator = await signedInOperator(t);
    const view = await open(operator);
    const id = '01930000-0000-7000-8000-00000000dead';
    for (const path of [
      '/webhook/secret',
      '/stream',
      `/onboarding/document/${id}/content`,
      `/merchant/document/${id}?expires=1&signature=x`,
      `/collection/session/${id}/checkout`,
      `/member/${id}/key`,
      '/operator/merchant',
      `/operator/merchant/${merchant.merchantId}`,
    ]) {
      const reply = await operator.call('GET', path, undefined, within(view));
      expect([path, ...told(reply)]).toEqual([path, 403, 'NOT_IN_SUPPORT_VIEW']);
    }
    const keys = (await operator.call('GET', '/key', undefined, within(view))).text;
    expect(keys).not.toContain(merchant.secretKey);
  });

  it('is of one session, one merchant and one mode: with another of them it opens nothing', async () => {
    const operator = await signedInOperator(t);
    const colleague = await signedInOperator(t);
    const other = await t.addMerchant({ name: 'Other Foods' });
    const view = await open(operator);
    const member = await signedInMember(t, other.merchantId, 'OWNER');
    expect(told(await home(colleague, view))).toEqual(ENDED);
    expect(told(await home(member, view))).toEqual(ENDED);
    expect(told(await home(owner, view))).toEqual(ENDED);
    expect(told(await home(operator, { token: `${other.merchantId}.${view.supportViewId}` }))).toEqual(ENDED);
    for (const token of ['', 'x', '.', `${view.token}.`, `${view.token} `, view.supportViewId, '%00', "'"]) {
      expect([token, ...told(await home(operator, { token }))]).toEqual([token, ...ENDED]);
    }
    expect(told(await home(operator, view, { 'x-mode': 'LIVE' }))).toEqual([400, 'VALIDATION_FAILED']);
    const stores = await operator.call('GET', `/branch/store/${other.storeIds[0]}`, undefined, within(view));
    expect(stores.status).toBe(404);
    // Without it, the session of the operator's staff reads no merchant's route.
    expect(told(await operator.call('GET', '/home'))).toEqual([403, 'PERMISSION_NOT_GRANTED']);
    // A key takes no notice of it: it reads its own merchant.
    const keyed = await t.call('GET', '/wallet/merchant', undefined, { ...bearer(other.secretKey), ...within(view) });
    expect(keyed.body.data.wallet.id).toBe(other.walletId);
  });

  it('asks for the password, a reason and a merchant', async () => {
    const operator = await signedInOperator(t);
    const path = `/operator/merchant/${merchant.merchantId}/support-view`;
    for (const body of [{}, { mode: 'SANDBOX' }, { mode: 'SANDBOX', reason: '  ' }, { mode: 'BOTH', reason: REASON }]) {
      expect((await operator.call('POST', path, body)).status, JSON.stringify(body)).toBe(400);
    }
    const nobody = path.replace(merchant.merchantId, '01930000-0000-7000-8000-00000000dead');
    expect(told(await operator.call('POST', nobody, { mode: 'LIVE', reason: REASON }))).toEqual([
      404,
      'MERCHANT_NOT_FOUND',
    ]);
    t.clock.advance(6 * MINUTE);
    expect(told(await operator.call('POST', path, { mode: 'SANDBOX', reason: REASON }))).toEqual([
      403,
      'STEP_UP_REQUIRED',
    ]);
  });
});

describe('a support view ends', () => {
  const listed = async (id: string) => {
    const person = await signedInMember(t, merchant.merchantId, 'OWNER');
    const rows: { supportViewId: string; isOpen: boolean }[] = (await person.call('GET', '/support-view')).body.data;
    return rows.find(({ supportViewId }) => supportViewId === id);
  };

  it('after an hour, by who opened it, or where another is opened in its place', async () => {
    const operator = await signedInOperator(t);
    const first = await open(operator);
    const second = await open(operator);
    expect(told(await home(operator, first))).toEqual(ENDED);
    t.clock.advance(25 * MINUTE);
    expect((await home(operator, second)).status).toBe(200);
    t.clock.advance(25 * MINUTE);
    expect((await home(operator, second)).status).toBe(200);
    t.clock.advance(10 * MINUTE);
    expect(told(await home(operator, second))).toEqual(ENDED);
    // Half an hour without a use ends a session; this one was used meanwhile.
    await operator.refresh();
    const third = await open(operator);
    const end = `/operator/merchant/${merchant.merchantId}/support-view/${third.supportViewId}/end`;
    const colleague = await signedInOperator(t);
    expect(told(await colleague.call('POST', end))).toEqual(ENDED);
    expect(await listed(third.supportViewId)).toMatchObject({ isOpen: true, endedAt: null });
    expect((await operator.call('POST', end)).status).toBe(200);
    expect(told(await home(operator, third))).toEqual(ENDED);
    expect(told(await operator.call('POST', end))).toEqual(ENDED);
    expect(await listed(third.supportViewId)).toMatchObject({ isOpen: false, endedAt: expect.any(String) });
  });

  it('alone: another one of its session, of the other mode or another merchant, goes on', async () => {
    const operator = await signedInOperator(t);
    const other = await t.addMerchant({ name: 'Third Foods' });
    const [sandbox, theirs, live] = [
      await open(operator),
      await open(operator, other),
      await open(operator, merchant, 'LIVE'),
    ];
    for (const view of [sandbox, theirs]) expect((await home(operator, view)).status).toBe(200);
    expect((await home(operator, live, { 'x-mode': 'LIVE' })).status).toBe(200);
    const again = await open(operator, merchant, 'LIVE');
    expect(told(await home(operator, live, { 'x-mode': 'LIVE' }))).toEqual(ENDED);
    for (const view of [sandbox, theirs]) expect((await home(operator, view)).status).toBe(200);
    expect((await home(operator, again, { 'x-mode': 'LIVE' })).status).toBe(200);
  });

  it('with the sign-out of its session, and no later session has it back', async () => {
    const operator = await signedInOperator(t);
    const view = await open(operator);
    const before = operator.cookie();
    expect((await operator.call('DELETE', '/session')).status).toBe(200);
    t.clock.advance(2_000);
    expect(told(await home(operator, view, { cookie: before }))).toEqual([401, 'SESSION_EXPIRED']);
    expect(await listed(view.supportViewId)).toMatchObject({ isOpen: false });
  });

  it('when its person is removed from the operator’s staff', async () => {
    const operator = await signedInOperator(t);
    const colleague = await signedInOperator(t);
    const view = await open(operator);
    const reply = await colleague.call('DELETE', `/operator/person/${operator.personId}`);
    expect(reply.status, reply.text).toBe(200);
    t.clock.advance(2_000);
    expect(told(await home(operator, view))).toEqual([401, 'SESSION_EXPIRED']);
    expect(await listed(view.supportViewId)).toMatchObject({ isOpen: false });
  });
});

describe('what the merchant learns of a support view', () => {
  beforeAll(async () => {
    owner = checked(t.app, await signedInMember(t, merchant.merchantId, 'OWNER'));
  });

  it('who looked, when, why and at which pages: on its pages, in its audit log and by mail; the operator has the same', async () => {
    const operator = await signedInOperator(t);
    const view = await open(operator);
    const { storeIds } = merchant;
    await operator.call('GET', '/wallet/merchant', undefined, within(view));
    await operator.call('GET', `/branch/store/${storeIds[0]}`, undefined, within(view));
    await operator.call('POST', `/operator/merchant/${merchant.merchantId}/support-view/${view.supportViewId}/end`);

    const shown = (await owner.call('GET', '/support-view')).body.data[0];
    expect(shown).toMatchObject({ by: operator.email, reason: REASON, mode: 'SANDBOX', isOpen: false });
    const [notice] = (await mailsTo(t, owner.email)).filter(({ text }) => text.includes(operator.email));
    expect(notice?.subject).toContain('The operator is looking at the pages of');
    expect(notice?.text).toContain(REASON);

    const entries = (await owner.call('GET', '/audit?category=PERSONAL_DATA&once=true&size=200')).body.data.records;
    const ofView = entries.filter(
      (entry: { subject: Record<string, unknown> }) => entry.subject['supportViewId'] === view.supportViewId,
    );
    expect(ofView.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`)).toEqual([
      'POST /operator/merchant/:merchantId/support-view/:supportViewId/end DONE',
      'GET /branch/store/:storeId DONE',
      'GET /wallet/merchant DONE',
      'POST /operator/merchant/:merchantId/support-view DONE',
    ]);
    for (const entry of ofView) {
      expect(entry.actor).toEqual({ kind: 'OPERATOR', personId: null, name: operator.email, role: 'SUPPORT' });
      expect([entry.ip, entry.userAgent]).toEqual([null, null]);
    }
    expect(ofView[1].subject).toMatchObject({ storeId: storeIds[0], reason: REASON });
    // Another merchant knows nothing of it.
    const other = await signedInMember(t, (await t.addMerchant()).merchantId, 'OWNER');
    expect((await other.call('GET', '/support-view')).body.data).toEqual([]);

    const query = `merchantId=${merchant.merchantId}&person=${operator.personId}&once=true&size=200`;
    const colleague = await signedInOperator(t);
    const desk = (await colleague.call('GET', `/operator/audit?${query}`)).body.data.records;
    const ids = desk.map(({ entryId }: { entryId: string }) => entryId);
    expect(ids).toEqual(expect.arrayContaining(ofView.map(({ entryId }: { entryId: string }) => entryId)));
    expect((await operator.call('GET', `/operator/merchant/${merchant.merchantId}/support-view`)).body.data[0]).toEqual(
      shown,
    );
  });

  it('of a second view again, also of pages that were just read in the first', async () => {
    const operator = await signedInOperator(t);
    const count = async () =>
      (
        await rowsOf<{ n: number }>(
          t.connectionString,
          `select count(*)::int as n from audit_entries
            where action = 'GET /wallet/merchant' and outcome = 'DONE' and actor_id = $1`,
          [operator.personId],
        )
      )[0]?.n;
    const first = await open(operator);
    for (const _ of [1, 2, 3]) await operator.call('GET', '/wallet/merchant', undefined, within(first));
    expect(await count()).toBe(1);
    const second = await open(operator);
    await operator.call('GET', '/wallet/merchant', undefined, within(second));
    expect(await count()).toBe(2);
  });

  it('who it was of the staff is said of nothing else', async () => {
    const operator = await signedInOperator(t);
    await operator.call('GET', `/operator/merchant/${merchant.merchantId}`);
    const entries = (await owner.call('GET', '/audit?action=GET%20/operator/merchant&size=200')).body.data.records;
    expect(entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(entries)).not.toContain(operator.email);
  });
});
