import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const open = (url: string) => t.app.server.inject({ method: 'GET', url });

describe('the API reference', () => {
  it('writes no script into its page and allows none that is', async () => {
    const page = await open('/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const scripts = [...page.body.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, text] of scripts)
      expect([attributes, text]).toEqual([expect.stringMatching(/src="\/docs\//), '']);
    expect(page.body).not.toMatch(/\son\w+=|javascript:/);
    const policy = String(page.headers['content-security-policy']);
    const scriptSources = /script-src ([^;]*)/.exec(policy)?.[1];
    expect(scriptSources).toBe("'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it.each(['/openapi.json', '/docs', '/docs/js/scalar.js'])(
    '%s is sent compressed, and not again to who has it',
    async (url) => {
      const plain = await open(url);
      const ask = (headers: Record<string, string>) => t.app.server.inject({ method: 'GET', url, headers });
      const squeezed = await ask({ 'accept-encoding': 'br;q=0.1, gzip' });
      expect(squeezed.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(squeezed.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect((await ask({ 'accept-encoding': 'br, gzip;q=0' })).headers['content-encoding']).toBeUndefined();
      const again = await ask({ 'if-none-match': String(plain.headers['etag']) });
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    },
  );

  it('loads nothing from elsewhere', async () => {
    const page = await open('/docs/');
    const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    for (const address of addresses) expect(address).toMatch(/^(\/docs\/|data:,$)/);
    for (const address of addresses.filter((text) => text.startsWith('/'))) {
      const file = await open(address);
      expect([file.statusCode, file.headers['content-type']], address).toEqual([200, 'text/javascript; charset=utf-8']);
    }
  });

  it('takes the key out of the browser’s storage, and only a sandbox key', async () => {
    const { body } = await open('/docs/js/start.js');
    const run = (stored: string | null) => {
      const items = new Map(stored === null ? [] : [['manilla.reference-key', stored]]);
      const storage = {
        getItem: (name: string) => items.get(name) ?? null,
        removeItem: (name: string) => items.delete(name),
      };
      let token: unknown;
      const Scalar = {
        createApiReference(
          _at: string,
          options: { authentication: { securitySchemes: { bearer: { token: string } } } },
        ) {
          token = options.authentication.securitySchemes.bearer.token;
        },
      };
      const empty = { getItem: () => null, removeItem: () => undefined };
      new Function('sessionStorage', 'localStorage', 'globalThis', body)(empty, storage, { Scalar });
      return { token, left: items.size };
    };
    expect(run('sk_test_abc123')).toEqual({ token: 'sk_test_abc123', left: 0 });
    expect(run('sk_live_abc123')).toEqual({ token: '', left: 0 });
    expect(run('"><script>')).toEqual({ token: '', left: 0 });
    expect(run(null)).toEqual({ token: '', left: 0 });
  });

  it('has no other pages', async () => {
    for (const url of ['/docs/openapi.json', '/docs/js/', '/docs/../secrets', '/docs/js/other.js']) {
      expect((await open(url)).statusCode, url).toBe(404);
    }
  });
});
