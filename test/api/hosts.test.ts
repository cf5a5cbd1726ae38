import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { createHostCheck, isFromThisMachine } from '../../src/platform/http/allowed-hosts.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { allOperationsOf, sampleRequest } from '../support/operations.ts';
import { bearer } from '../support/world.ts';

/** By which names the service is called, so that no page of another site can have its own name lead here. */
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({
    PUBLIC_URL: 'https://Pay.Example:8443',
    ALLOWED_HOSTS: 'pay.internal, manilla-api',
    TRUSTED_PROXIES: '10.9.9.9',
  });
});
afterAll(() => t.close());

async function ask(host: string, url = '/wallet/merchant', headers: Record<string, string> = {}, from = '127.0.0.1') {
  const answer = await t.app.server.inject({
    method: 'GET',
    url,
    remoteAddress: from,
    headers: { host, ...bearer(t.merchant.secretKey), ...headers },
  });
  return { status: answer.statusCode, code: /"code":"(\w+)"/.exec(answer.body)?.[1], body: answer.body };
}

describe('the name that a request calls the service by', () => {
  it.each([
    'pay.example',
    'PAY.EXAMPLE:443',
    'pay.example.',
    'pay.internal:3000',
    'manilla-api',
    'localhost:9999',
    '127.0.0.1',
    '127.8.9.1:80',
    '[::1]:3000',
  ])('may be one that was set, or this machine’s: %s', async (host) => {
    expect((await ask(host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'pay.example.evil.example',
    'evil.example:3000',
    'notlocalhost',
    'localhost.evil.example',
    '127.0.0.1.nip.example',
    'localhost@evil.example',
    'evil.example/localhost',
    'pay_example',
    '[::1].evil.example',
    '192.0.2.7:3000',
    '[2001:db8::7]',
  ])('is refused where it is none of these: %s', async (host) => {
    const { status, code, body } = await ask(host);
    expect([status, code]).toEqual([421, 'HOST_UNKNOWN']);
    expect(body).toContain('ALLOWED_HOSTS');
  });

  it.each([
    ['192.0.2.7:3000', '192.0.2.7'],
    ['192.0.2.7', '::ffff:192.0.2.7'],
    ['[2001:DB8::7]:3000', '2001:db8::7'],
  ])('may be the address that the connection came in by, and no other: %s', (host, localAddress) => {
    const check = createHostCheck([]);
    const request = (address: string | undefined) =>
      ({ host, socket: { localAddress: address }, route: { config: {} } }) as unknown as FastifyRequest;
    expect(() => check(request(localAddress))).not.toThrow();
    for (const other of ['192.0.2.8', '::1', undefined]) expect(() => check(request(other))).toThrow('not called');
  });

  it('is refused before anything is looked at, whatever the operation', async () => {
    for (const operation of allOperationsOf(t.app)) {
      const { method, url } = sampleRequest(operation, {});
      const answer = await t.app.server.inject({ method, url, headers: { host: 'evil.example' } });
      expect([operation.name, answer.statusCode]).toEqual([operation.name, 421]);
    }
    for (const url of ['/', '/dashboard/', '/docs', '/openapi.json', '/metrics', '/nowhere'])
      expect([url, (await ask('evil.example', url)).status]).toEqual([url, 421]);
  });

  it('does not matter to who watches the process, nor to a bank that signs', async () => {
    for (const url of ['/healthz', '/readyz']) expect((await ask('10-2-3-4.pod.cluster.local', url)).status).toBe(200);
    const providerWebhook = {
      method: 'POST',
      url: '/rail/sandbox/sandbox/webhook',
      headers: { host: 'hooks.example' },
      payload: '{}',
    } as const;
    expect((await t.app.server.inject(providerWebhook)).json().code).toBe('PROVIDER_WEBHOOK_SIGNATURE_INVALID');
  });

  it('is what a named proxy says in X-Forwarded-Host, and nobody else', async () => {
    const forwarded = (host: string) => ({ 'x-forwarded-host': host });
    expect((await ask('backend', undefined, forwarded('pay.example'), '10.9.9.9')).status).toBe(200);
    expect((await ask('pay.example', undefined, forwarded('evil.example'), '10.9.9.9')).status).toBe(421);
    expect((await ask('evil.example', undefined, forwarded('pay.example'), '192.0.2.9')).status).toBe(421);
  });

  it('is allowed to no page of another site by a header of ours', async () => {
    for (const url of ['/wallet/merchant', '/mail', '/session', '/metrics', '/openapi.json']) {
      const answer = await t.app.server.inject({ method: 'GET', url, headers: { origin: 'https://evil.example' } });
      const allowing = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      expect([url, allowing]).toEqual([url, []]);
    }
  });
});

describe('a request from this machine', () => {
  it.each([
    ['localhost:3000', '127.0.0.1', true],
    ['localhost:3000', '::ffff:127.0.0.1', true],
    ['192.168.1.5:3000', '127.0.0.1', false],
    ['localhost:3000', '192.168.1.5', false],
    ['', '127.0.0.1', false],
  ])('comes by a name of it and from its own address: %s from %s', (host, remoteAddress, isIt) => {
    const request = { host, headers: {}, socket: { remoteAddress } } as unknown as FastifyRequest;
    expect(isFromThisMachine(request)).toBe(isIt);
  });
});

describe('the names that are set', () => {
  it('are names, without ports and addresses of pages', () => {
    expect(readConfig({ ALLOWED_HOSTS: 'a.example,b-2.example' }).hostNames).toEqual([
      '127.0.0.1',
      'a.example',
      'b-2.example',
    ]);
    for (const wrong of ['https://a.example', 'a.example:80', '*', 'a example'])
      expect(() => readConfig({ ALLOWED_HOSTS: wrong })).toThrow(ConfigError);
  });
});
