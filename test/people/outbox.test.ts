import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { browser, signedInMember, signedInOperator } from '../support/people.ts';

let t: TestApp;
afterEach(() => t.close());

const SECRETS = {
  PIN_PEPPER: 'a pepper of thirty-two characters',
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const SERVER = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Manilla <no-reply@manilla.example>' };

describe('the local outbox', () => {
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
});
