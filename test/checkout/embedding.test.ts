import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { openCheckout, plainBrowser } from './support.ts';

const SHOP = 'https://shop.example';
let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

async function merchantOf(origins: string[]): Promise<TestMerchant> {
  const merchant = await t.addMerchant();
  const as = bearerOf(merchant);
  expect((await t.call('PATCH', '/collection/settings', { allowedOrigins: origins }, as)).status).toBe(200);
  return merchant;
}

async function visitedFrom(origins: string[], query = '') {
  const checkout = await openCheckout(t, {}, await merchantOf(origins));
  const browser = plainBrowser(t);
  return { ...checkout, browser, page: await browser.visit(`${checkout.checkoutUrl}${query}`) };
}

const ancestorsOf = ({ headers }: { headers: Record<string, unknown> }) =>
  /frame-ancestors (.*)$/.exec(String(headers['content-security-policy']))?.[1];
const shopOf = ({ text }: { text: string }) => / data-shop="([^"]*)"/.exec(text)?.[1];

describe('the page of a payment', () => {
  it('is framed by the pages that its own merchant allowed, and by no others', async () => {
    const named = await visitedFrom([SHOP, 'https://till.example:8443']);
    expect(ancestorsOf(named.page)).toBe(`${SHOP} https://till.example:8443`);
    expect(named.page.headers['x-frame-options']).toBeUndefined();
    const other = await visitedFrom([]);
    expect(ancestorsOf(other.page)).toBe("'none'");
    expect(other.page.headers['x-frame-options']).toBe('DENY');
    const bank = await named.browser.get(`${named.path}/sandbox-bank`);
    expect(ancestorsOf(bank)).toBe(`${SHOP} https://till.example:8443`);
  });

  it('lets no origin bring a rule of its own into the policy', async () => {
    const { page } = await visitedFrom(['https://shop.example;sandbox', SHOP]);
    expect(ancestorsOf(page)).toBe(SHOP);
  });

  it('posts messages to the page that opened it only where its merchant allowed that page', async () => {
    const named = await visitedFrom([SHOP], `&in=${encodeURIComponent(SHOP)}`);
    expect(shopOf(named.page)).toBe(SHOP);
    expect(named.page.headers['cross-origin-opener-policy']).toBe('unsafe-none');
    expect(named.page.text).toContain(`/check?in=${encodeURIComponent(SHOP)}"`);
    const foreign = await visitedFrom([SHOP], `&in=${encodeURIComponent('https://evil.example')}`);
    expect(shopOf(foreign.page)).toBeUndefined();
    expect(foreign.page.headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(shopOf((await visitedFrom([SHOP])).page)).toBeUndefined();
  });
});

describe('manilla.js', () => {
  it('is at most 5 kB compressed, for the pages of any shop, under a name for ever and one for an hour', async () => {
    const answer = await plainBrowser(t).get('/checkout/manilla.js');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
    });
    expect(gzipSync(answer.text).length).toBeLessThan(5_000);
    const etag = String(answer.headers['etag']).replaceAll('"', '');
    const versioned = await plainBrowser(t).get(`/checkout/assets/manilla-${etag}.js`);
    expect(versioned.text).toBe(answer.text);
    expect(versioned.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });
});

describe('who may ask, and how often', () => {
  it('holds up anyone who guesses at links, and nobody who has a good one from the same network', async () => {
    const limited = await createTestApp({ ADDRESS_RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_PER_SECOND: '5' });
    try {
      const { checkoutUrl, path } = await openCheckout(limited);
      const payer = plainBrowser(limited);
      expect((await payer.visit(checkoutUrl)).status).toBe(200);
      const statuses: number[] = [];
      for (let guess = 0; guess < 12; guess += 1) {
        statuses.push((await plainBrowser(limited).get(`${path}?s=mcs_test_guess`)).status);
      }
      expect(statuses.filter((status) => status === 404)).toHaveLength(10);
      expect(statuses.at(-1)).toBe(429);
      expect((await payer.get(path)).status).toBe(200);
      const asked = await Promise.all(Array.from({ length: 60 }, () => payer.get(`${path}/state`)));
      expect(asked.some(({ status }) => status === 429)).toBe(true);
    } finally {
      await limited.close();
    }
  });
});
