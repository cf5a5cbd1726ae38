import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Container, createContainer } from '../../src/container.ts';
import {
  createOpeningLimits,
  openLinkSession,
  type PayersLink,
  readPayersLink,
} from '../../src/payment-links/index.ts';
import { linkStatus } from '../../src/payment-links/queries.ts';
import { checkSession } from '../../src/payment-sessions/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { inOneGroup } from '../support/in-one-group.ts';
import { brokenChecks } from '../support/proof.ts';
import { makeLink, openUnder, PATH, paySession } from './support.ts';

let t: TestApp;
let other: TestMerchant;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant({ name: 'Suya Spot' });
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const read = async (linkId: string) => (await t.call('GET', `${PATH}/${linkId}`)).body.data;
const create = (body: object) => t.call('POST', PATH, { title: 'Fees', ...body });
const sessionsOf = async (linkId: string) =>
  (await t.call('GET', `/collection/session?linkId=${linkId}`)).body.data.records;

/** What a process has whose first two movements come to the ledger as one group, and when the first one waits for it. */
function together(container: Container) {
  const ledger = inOneGroup(container.ledger);
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const commit: typeof ledger.commit = (movement) => {
    const done = ledger.commit(movement);
    resolve();
    return done;
  };
  return { deps: { ...container, ledger: { ...ledger, commit } }, first };
}

const payerOf = (link: PayersLink, network: number) => ({
  ...{ link, limits: createOpeningLimits(t.clock), attempt: newId(), amountMinor: undefined },
  ...{ name: null, email: null, network: `10.0.0.${network}` },
});

type Row = Record<string, string>;

describe(`POST ${PATH}`, () => {
  it('makes a link with an address that cannot be guessed, and shows it as it was asked for', async () => {
    const { status, body } = await create({
      ...{ title: 'School fees', description: 'First term\nPrimary 3', amount: 12_500.5, maxPayments: 40 },
      ...{ payerEmail: 'OPTIONAL', returnUrl: 'https://school.example/thanks', metadata: { term: 1 } },
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...{ status: 'ACTIVE', title: 'School fees', amount: 12_500.5, minAmount: null, maxAmount: null },
      ...{ amountRule: 'EXACT', channels: ['BANK_TRANSFER'], payerName: 'REQUIRED', payerEmail: 'OPTIONAL' },
      ...{ maxPayments: 40, paidSessions: 0, metadata: { term: 1 }, mode: 'SANDBOX', walletId: t.merchant.walletId },
    });
    expect(body.data.url).toMatch(/^http:\/\/[^/]+\/pay\/[0-9a-hjkmnp-tv-z]{16}$/);
    expect(await read(body.data.linkId)).toEqual(body.data);
    expect((await t.call('GET', PATH)).body.data.records[0]).toEqual(body.data);
    const { data } = (await create({ minAmount: 500, maxAmount: 2_500.5 })).body;
    const rows: Row[] = parse((await t.call('GET', `${PATH}.csv`)).text, { bom: true, columns: true });
    const amounts = (of: Row | undefined) => [of?.['Amount'], of?.['Least Amount'], of?.['Most Amount']];
    const rowOf = ({ linkId }: { linkId: string }) => rows.find((row) => row['Payment Link ID'] === linkId);
    expect(amounts(rowOf(body.data))).toEqual(['12500.50', '', '']);
    expect(amounts(rowOf(data))).toEqual(['', '500.00', '2500.50']);
    expect(rowOf(body.data)).toMatchObject({ 'Most Payments': '40', 'Paid Sessions': '0', Address: body.data.url });
  });

  it('takes equal bounds, and no upper one that is a kobo below the lower', async () => {
    expect((await create({ minAmount: 500, maxAmount: 500 })).body.data).toMatchObject({
      ...{ amount: null, minAmount: 500, maxAmount: 500 },
    });
    const { status, body } = await create({ minAmount: 500, maxAmount: 499.99 });
    expect([status, body.errors[0].field]).toEqual([400, 'maxAmount']);
  });

  it('makes one link of a repeated idempotency key', async () => {
    const send = () => t.call('POST', PATH, { title: 'Once', amount: 5 }, { 'idempotency-key': 'link-once' });
    const [first, again] = [await send(), await send()];
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it.each([
    ['nothing about the amount', {}, 'amount'],
    ['an amount and bounds', { amount: 5, minAmount: 1, maxAmount: 9 }, 'minAmount'],
    ['one bound alone', { minAmount: 1 }, 'maxAmount'],
    ['bounds the wrong way round', { minAmount: 9, maxAmount: 1 }, 'maxAmount'],
    ['half a kobo', { amount: 1.005 }, 'amount'],
    ['more than there is', { amount: 1e15 }, 'amount'],
    ['nothing to pay', { amount: 0 }, 'amount'],
    ['no payments', { amount: 5, maxPayments: 0 }, 'maxPayments'],
    ['an end that is over', { amount: 5, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an end that nobody lives to see', { amount: 5, expiresAt: '2099-01-01T00:00:00Z' }, 'expiresAt'],
    ['a script for an address', { amount: 5, returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    [
      'an address that leads to two places',
      { amount: 5, returnUrl: String.raw`https://evil.example\@b.example` },
      'returnUrl',
    ],
    ['a title of spaces', { amount: 5, title: '   ' }, 'title'],
    ['a field that there is not', { amount: 5, discount: 1 }, 'discount'],
  ])('refuses %s, and names the field', async (_what, body, field) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors.map((one: { field: string }) => one.field)).toContain(field);
  });

  it('credits a store’s wallet where that is asked for, and no wallet of somebody else', async () => {
    const store = async (merchant: TestMerchant) =>
      (await t.call('GET', `/branch/store/${merchant.storeIds[0]}`, undefined, bearerOf(merchant))).body.data;
    const { walletId, bookedBalance } = await store(t.merchant);
    const link = await makeLink(t, { walletId });
    const { sessionId } = await openUnder(t, link);
    await paySession(t, sessionId, 5_000);
    expect((await store(t.merchant)).bookedBalance).toBe(bookedBalance + 5_000);
    const theirs = (await store(other)).walletId;
    expect(await create({ amount: 5, walletId: theirs })).toMatchObject({
      status: 404,
      body: { code: 'WALLET_NOT_FOUND' },
    });
  });

  it('is no business of a public key', async () => {
    const { status, body } = await t.call(
      'POST',
      PATH,
      { title: 'Fees', amount: 5 },
      { authorization: `Bearer ${t.merchant.publicKey}` },
    );
    expect([status, body.code]).toEqual([403, 'KEY_TYPE_NOT_ALLOWED']);
  });
});

describe('a link', () => {
  it('is another merchant’s in nothing: not read, not switched, not listed', async () => {
    const { linkId } = await makeLink(t);
    const as = bearerOf(other);
    for (const [method, path] of [
      ['GET', `${PATH}/${linkId}`],
      ['POST', `${PATH}/${linkId}/deactivate`],
      ['POST', `${PATH}/${linkId}/activate`],
    ] as const) {
      expect(await t.call(method, path, undefined, as)).toMatchObject({
        status: 404,
        body: { code: 'PAYMENT_LINK_NOT_FOUND' },
      });
    }
    expect((await t.call('GET', PATH, undefined, as)).body.data.records).toEqual([]);
    expect((await read(linkId)).status).toBe('ACTIVE');
  });

  it('is switched off and on, each once, and reports it', async () => {
    const { linkId } = await makeLink(t);
    const step = async (verb: string) => (await t.call('POST', `${PATH}/${linkId}/${verb}`)).body.data.status;
    expect(await step('deactivate')).toBe('INACTIVE');
    expect(await step('deactivate')).toBe('INACTIVE');
    expect(await step('activate')).toBe('ACTIVE');
    const { rows } = await t.database.pool.query('select type from events where subject_id = $1 order by sequence', [
      linkId,
    ]);
    expect(rows.map(({ type }) => type)).toEqual([
      'payment_link.created',
      'payment_link.deactivated',
      'payment_link.activated',
    ]);
  });

  it('stays so for ten who switch it off at once', async () => {
    const { linkId } = await makeLink(t);
    const answers = await Promise.all(Array.from({ length: 10 }, () => t.call('POST', `${PATH}/${linkId}/deactivate`)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.status}`))).toEqual(
      new Set(['200 INACTIVE']),
    );
  });

  it('shows the sessions under it, and how many were paid', async () => {
    const link = await makeLink(t);
    const paid = await openUnder(t, link);
    const open = await openUnder(t, link);
    await paySession(t, paid.sessionId, 5_000);
    expect(await read(link.linkId)).toMatchObject({ status: 'ACTIVE', paidSessions: 1 });
    const sessions = await sessionsOf(link.linkId);
    expect(sessions.map((one: { sessionId: string }) => one.sessionId)).toEqual([open.sessionId, paid.sessionId]);
    expect(sessions[1]).toMatchObject({ linkId: link.linkId, openedBy: 'LINK', status: 'PAID', customerId: null });
  });

  it('of one payment opens no more sessions once it is paid, and the sessions that were open are credited', async () => {
    const link = await makeLink(t, { maxPayments: 1 });
    const [first, second] = [await openUnder(t, link), await openUnder(t, link)];
    await paySession(t, first.sessionId, 5_000);
    expect((await read(link.linkId)).status).toBe('USED_UP');
    const third = await openUnder(t, link);
    expect([third.answer.status, third.sessionId]).toEqual([410, '']);
    expect(await paySession(t, second.sessionId, 5_000)).toMatchObject({ status: 'PAID', received: 5_000 });
    expect(await read(link.linkId)).toMatchObject({ status: 'USED_UP', paidSessions: 2, maxPayments: 1 });
  });

  it('refuses at the commit anyone who read it before its last payment came', async () => {
    const link = await makeLink(t, { maxPayments: 1 });
    const container = createContainer({ ...t, logger: createLogger('fatal') });
    const read = await readPayersLink(container, link.path.slice('/pay/'.length));
    await paySession(t, (await openUnder(t, link)).sessionId, 5_000);
    const limits = createOpeningLimits(t.clock);
    const payer = { attempt: newId(), amountMinor: undefined, name: null, email: null, network: '10.0.0.1' };
    const asked = { link: read, limits, ...payer };
    await expect(openLinkSession(container, asked)).rejects.toMatchObject({
      code: 'PAYMENT_LINK_CLOSED',
      message: 'This payment link takes no payments: it is USED_UP.',
    });
    await container.ledger.drain();
  });

  it('of three payments opens no session after the third, whoever pays and opens at the same moment', async () => {
    const link = await makeLink(t, { maxPayments: 3 });
    const open = await Promise.all(Array.from({ length: 6 }, () => openUnder(t, link)));
    const work = open.flatMap(({ sessionId }) => [paySession(t, sessionId, 5_000), openUnder(t, link)]);
    await Promise.all(work);
    expect(await read(link.linkId)).toMatchObject({ status: 'USED_UP', paidSessions: 6 });
    expect((await openUnder(t, link)).answer.status).toBe(410);
    const { rows } = await t.database.pool.query(
      `select e.type from events e join payment_sessions s on s.merchant_id = e.merchant_id and s.id = e.subject_id
        where s.link_id = $1 and e.type in ('payment_session.created', 'payment_session.paid') order by e.sequence`,
      [link.linkId],
    );
    const third = rows.flatMap(({ type }, at) => (type === 'payment_session.paid' ? [at] : []))[2] ?? 0;
    expect(rows.slice(third).filter(({ type }) => type === 'payment_session.created')).toEqual([]);
  });

  it('opens no session behind its last payment, also where both come in one group of the books', async () => {
    const link = await makeLink(t, { maxPayments: 1 });
    const container = createContainer({ ...t, logger: createLogger('fatal') });
    const { sessionId } = await openUnder(t, link);
    const { accounts, walletId } = (await t.call('GET', `/collection/session/${sessionId}`)).body.data;
    const paid = { accountNumber: accounts[0].accountNumber, amount: 5_000, scenario: 'never_notified' };
    expect((await t.call('POST', '/sandbox/collection/pay', paid)).status).toBe(200);
    const read = await readPayersLink(container, link.path.slice('/pay/'.length));
    expect(walletId).toBe(read.row.wallet_id);
    const { deps, first } = together(container);
    const paying = checkSession(deps, read.tenant, sessionId);
    await first;
    await expect(openLinkSession(deps, payerOf(read, 1))).rejects.toMatchObject({ code: 'PAYMENT_LINK_CLOSED' });
    expect((await paying).session.row).toMatchObject({ status: 'PAID' });
    await container.ledger.drain();
  });

  it('opens no more sessions in a minute than the merchant lets it, also where two come in one group', async () => {
    const own = await t.addMerchant();
    const limit = { sessionsPerMinute: 2 };
    expect((await t.call('PATCH', '/collection/settings', limit, bearerOf(own))).status).toBe(200);
    const link = await makeLink(t, {}, own);
    const container = createContainer({ ...t, logger: createLogger('fatal') });
    const read = await readPayersLink(container, link.path.slice('/pay/'.length));
    await openLinkSession(container, payerOf(read, 1));
    const { deps } = together(container);
    const opened = await Promise.allSettled([2, 3].map((network) => openLinkSession(deps, payerOf(read, network))));
    const refused = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(['PAYMENT_SESSIONS_TOO_MANY']);
    await container.ledger.drain();
  });

  it('opens no session after it was switched off, also where both come at once', async () => {
    const link = await makeLink(t);
    await Promise.all([
      ...Array.from({ length: 8 }, () => openUnder(t, link)),
      t.call('POST', `${PATH}/${link.linkId}/deactivate`),
    ]);
    const opened = (await sessionsOf(link.linkId)).length;
    expect((await openUnder(t, link)).answer.status).toBe(410);
    expect((await sessionsOf(link.linkId)).length).toBe(opened);
  });

  it('expires at its time', async () => {
    const soon = new Date(t.clock.now().getTime() + 60_000).toISOString();
    const link = await makeLink(t, { expiresAt: soon });
    expect((await openUnder(t, link)).answer.status).toBe(303);
    t.clock.advance(61_000);
    expect((await openUnder(t, link)).answer.status).toBe(410);
    expect((await read(link.linkId)).status).toBe('EXPIRED');
  });

  it('is over at the very moment that it names, and a millisecond before it is not', () => {
    const expires_at = new Date('2026-11-30T12:00:00Z');
    const statusAt = (time: string) =>
      linkStatus({ status: 'ACTIVE', expires_at, max_payments: null }, 0, new Date(time));
    expect(statusAt('2026-11-30T11:59:59.999Z')).toBe('ACTIVE');
    expect(statusAt('2026-11-30T12:00:00.000Z')).toBe('EXPIRED');
  });
});
