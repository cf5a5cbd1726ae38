import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { approveMerchant, changeMerchantStatus } from '../../src/merchants/index.ts';
import { createOutboxGate, type OutboxGateDeps } from '../../src/people/outbox-gate.ts';
import type { Logger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { browser, signedInMember, signedInOperator } from '../support/people.ts';

let t: TestApp;

const SECRETS = {
  PIN_PEPPER: 'a pepper of thirty-two characters',
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const SERVER = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Manilla <no-reply@manilla.example>' };

/** A browser's request for the mails, as it would come with these headers and from that address. */
async function open(headers: Record<string, string> = {}, from = '127.0.0.1') {
  const answer = await t.app.server.inject({ method: 'GET', url: '/mail', remoteAddress: from, headers });
  return [answer.statusCode, answer.json().code ?? 'OK', answer.headers['access-control-allow-origin']];
}
const OPEN = [200, 'OK', undefined];
const CLOSED = [401, 'SESSION_MISSING', undefined];

describe('the local outbox', () => {
  afterEach(() => t.close());

  it('is the operator’s where the data are real', async () => {
    t = await createTestApp({ DEMO_DATA: 'false', ...SECRETS });
    await browser(t).call('POST', '/password/forgot', { email: 'nobody@shop.example' });
    expect((await browser(t).call('GET', '/mail')).body.code).toBe('SESSION_MISSING');
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    expect((await owner.call('GET', '/mail')).body.code).toBe('PERMISSION_NOT_GRANTED');
    const operator = await signedInOperator(t);
    expect((await operator.call('GET', '/mail')).body.data[0].link).toContain('/dashboard/sign-up');
  });

  it('shows the operator no texts where a mail server delivers them: a link would let one in as another', async () => {
    t = await createTestApp({ ...SERVER });
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    await browser(t).call('POST', '/password/forgot', { email: owner.email });
    expect((await browser(t).call('GET', '/mail')).body.code).toBe('SESSION_MISSING');
    const operator = await signedInOperator(t);
    const { text, body } = await operator.call('GET', '/mail');
    expect(body.data[0]).toMatchObject({ to: owner.email, link: null, sentAt: null });
    expect(text).not.toContain('token=');
  });

  describe('of demo data', () => {
    it.each([
      ['PUBLIC_URL', { PUBLIC_URL: 'https://pay.example' }],
      ['another address to listen on', { HOST: '0.0.0.0' }],
    ])('is closed with %s', async (_what, env) => {
      t = await createTestApp(env);
      expect(await open({ host: 'localhost' })).toEqual(CLOSED);
    });

    it('closes when somebody has approved a merchant, also when it was suspended since', async () => {
      t = await createTestApp();
      const { merchantId } = await t.addMerchant({ approved: false });
      expect(await open()).toEqual(OPEN);
      await approveMerchant({ queries: t.database, clock: t.clock }, { merchantId, actor: 'ngozi@manilla.example' });
      t.clock.advance(2_000);
      expect(await open()).toEqual(CLOSED);
      await changeMerchantStatus({ queries: t.database, clock: t.clock }, 'suspend', {
        merchantId,
        actor: 'ngozi@manilla.example',
      });
      t.clock.advance(2_000);
      expect(await open()).toEqual(CLOSED);
      const operator = await signedInOperator(t);
      expect((await operator.call('GET', '/mail')).status).toBe(200);
    });

    it('says so once, too, when it closes because a merchant was approved', async () => {
      t = await createTestApp();
      const { database, clock } = t;
      const { merchantId } = await t.addMerchant({ approved: false });
      const warn = vi.fn();
      const gate = createOutboxGate({
        ...{ database, clock, demoData: true, hasMailServer: false, host: 'localhost', publicUrl: undefined },
        logger: { warn } as unknown as Logger,
      });
      expect([await gate.isOpen(), warn.mock.calls]).toEqual([true, []]);
      await approveMerchant({ queries: database, clock }, { merchantId, actor: 'ngozi@manilla.example' });
      clock.advance(2_000);
      expect([await gate.isOpen(), await gate.isOpen()]).toEqual([false, false]);
      expect(warn.mock.calls.map(([{ why }]) => why)).toEqual(['a merchant was approved']);
    });
  });
});

describe('the local outbox of demo data of which nobody has approved a merchant', () => {
  beforeAll(async () => {
    t = await createTestApp();
  });
  afterAll(() => t.close());

  it('is open to anyone who is at this machine and calls it by its own name', async () => {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST', 'manilla.localhost'])
      expect([host, ...(await open({ host }))]).toEqual([host, ...OPEN]);
    expect(await open({ host: 'localhost', 'sec-fetch-site': 'same-origin' }, '::1')).toEqual(OPEN);
  });

  it('is closed to a page that has its own name lead here, to other sites, to other machines and behind a proxy', async () => {
    expect(await open({ host: 'rebind.evil.example:3000' })).toEqual([421, 'HOST_UNKNOWN', undefined]);
    expect(await open({ host: 'localhost.evil.example' })).toEqual([421, 'HOST_UNKNOWN', undefined]);
    expect(await open({ host: '192.168.1.5:3000' })).toEqual([421, 'HOST_UNKNOWN', undefined]);
    expect(await open({ host: 'localhost' }, '192.168.1.7')).toEqual(CLOSED);
    expect(await open({ host: 'localhost', 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).toEqual(
      CLOSED,
    );
    expect(await open({ host: 'localhost', 'sec-fetch-site': 'same-site' })).toEqual(CLOSED);
    for (const header of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'])
      expect([header, ...(await open({ host: 'localhost', [header]: 'localhost' }))]).toEqual([header, ...CLOSED]);
  });

  it('says loudly at the start that mails wait for the staff, unless it is open or a mail server delivers them', async () => {
    const { database, clock } = t;
    const play = { demoData: true, hasMailServer: false, host: '127.0.0.1', publicUrl: undefined };
    const saidOf = (options: Partial<Omit<OutboxGateDeps, 'logger'>>) => {
      const warn = vi.fn();
      createOutboxGate({ database, clock, ...play, ...options, logger: { warn } as unknown as Logger });
      return warn.mock.calls.map(([{ why }, words]) => [why, /^NO MAIL SERVER/.test(words)]);
    };
    expect([saidOf({}), saidOf({ hasMailServer: true })]).toEqual([[], []]);
    expect(saidOf({ publicUrl: 'https://pay.example' })).toEqual([['PUBLIC_URL is set', true]]);
    expect(saidOf({ host: '0.0.0.0' })).toEqual([['HOST is not an address of this machine alone', true]]);
    expect(saidOf({ demoData: false })).toEqual([['there is no demo data', true]]);
  });

  it('is shown in the menu of those who may read it', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const outboxOf = async (headers: Record<string, string>) =>
      (await owner.call('GET', '/session', undefined, headers)).body.data.mailOutbox;
    expect([await outboxOf({}), await outboxOf({ 'x-forwarded-for': '10.0.0.1' })]).toEqual([true, false]);
  });
});
