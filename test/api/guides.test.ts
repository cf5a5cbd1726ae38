import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/documentation/error-codes.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const open = (url: string) => t.app.server.inject({ method: 'GET', url });

async function guideNames(): Promise<string[]> {
  const { body } = await open('/docs/guides.md');
  return [...body.matchAll(/\]\(\/docs\/([\w-]+)\)/g)].map(([, name]) => name as string);
}

describe('the guides', () => {
  it('are all that the README names for integrators', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const row = /^\| integrators \|.*$/m.exec(readme)?.[0] ?? '';
    const named = [...row.matchAll(/\]\(docs\/([\w-]+)\.md\)/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(['integrating', 'checkout', 'operations-of-the-api']));
    expect(await guideNames()).toEqual(expect.arrayContaining(named));
  });

  it('lead from the changelog to the guides, as a page and as Markdown', async () => {
    const [page, markdown] = [(await open('/docs/changelog')).body, (await open('/docs/changelog.md')).body];
    expect(page).toContain('href="/docs/checkout#payment-links"');
    expect(markdown).toContain('](checkout.md#payment-links)');
    expect(markdown).not.toContain('](docs/');
  });

  it('are served by the installation itself, as pages and as Markdown', async () => {
    const names = await guideNames();
    expect(names).toEqual(expect.arrayContaining(['integrating', 'webhooks', 'errors', 'events', 'changelog']));
    for (const name of names) {
      const [page, markdown] = [await open(`/docs/${name}`), await open(`/docs/${name}.md`)];
      expect([name, page.statusCode, page.headers['content-type']]).toEqual([name, 200, 'text/html; charset=utf-8']);
      expect([name, markdown.statusCode]).toEqual([name, 200]);
      expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(markdown.body).toMatch(/^# /);
    }
  });

  it('name the address at which they are read, and no other', async () => {
    const addresses = async (url: string, host: string) => {
      const { body, headers } = await t.app.server.inject({ method: 'GET', url, headers: { host } });
      expect(headers['content-security-policy']).toBeDefined();
      return new Set([...body.matchAll(/https?:\/\/(?:127\.0\.0\.1|localhost)[:\d]*/g)].map(([address]) => address));
    };
    for (const name of ['integrating', 'bulk-files']) {
      for (const host of ['127.0.0.1:8080', 'localhost:9000', '127.0.0.1:8080']) {
        for (const url of [`/docs/${name}`, `/docs/${name}.md`]) {
          expect([url, [...(await addresses(url, host))]]).toEqual([url, [`http://${host}`]]);
        }
      }
    }
  });

  it.each(['$(id).localhost', "a'b.localhost", 'a;b.localhost'])(
    'keep the address of the example under a host that a shell reads as more: %s',
    async (host) => {
      const read = await t.app.server.inject({ method: 'GET', url: '/docs/integrating.md', headers: { host } });
      expect(read.statusCode).toBe(200);
      expect(read.body).toContain('curl -X POST http://127.0.0.1:3000/');
      expect(read.body).not.toContain(host);
    },
  );

  it('say in the changelog what was, and not the address of now', async () => {
    const { body } = await t.app.server.inject({
      method: 'GET',
      url: '/docs/changelog.md',
      headers: { host: 'localhost:9000' },
    });
    expect(body).toContain('in place of `http://127.0.0.1:3000`');
  });

  it('are made for a few addresses, and not for as many as somebody makes up', async () => {
    const own = await createTestApp();
    const named = async (port: number) => {
      const host = `localhost:${port}`;
      const { body } = await own.app.server.inject({ method: 'GET', url: '/docs/integrating.md', headers: { host } });
      return body.includes(`http://${host}/`);
    };
    const before: boolean[] = [];
    for (let port = 5_001; port <= 5_020; port += 1) before.push(await named(port));
    expect(new Set(before)).toEqual(new Set([true]));
    expect([await named(5_021), await named(5_001)]).toEqual([false, true]);
    await own.close();
  });

  it('run no script and load nothing from elsewhere', async () => {
    for (const name of await guideNames()) {
      const { body, headers } = await open(`/docs/${name}`);
      expect(body).not.toMatch(/<script|\son\w+=|javascript:|<style/i);
      expect([...body.matchAll(/<(?:link|img)\b[^>]*(?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual(
        expect.not.arrayContaining([expect.stringMatching(/^https?:/)]),
      );
      expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'/);
    }
  });

  it('link only to what is there', async () => {
    const broken: string[] = [];
    for (const name of await guideNames()) {
      const { body } = await open(`/docs/${name}`);
      for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g)) {
        if (/^https:/.test(href)) continue;
        const [path = '', anchor] = (href.startsWith('#') ? `/docs/${name}${href}` : href).split('#');
        const target = await open(path);
        if (target.statusCode >= 400 && target.statusCode !== 503) broken.push(`${name}: ${href}`);
        if (anchor !== undefined && !target.body.includes(`id="${anchor}"`)) broken.push(`${name}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('have an anchor for every error code, where docUrl of a refusal points', async () => {
    const { body } = await open('/docs/errors');
    const missing = Object.keys(ERROR_CODES).filter((code) => !body.includes(`id="${code}"`));
    expect(missing).toEqual([]);
  });

  it('have a section for every type of event of the document', async () => {
    const document = (await open('/openapi.json')).json<{ webhooks: object }>();
    const { body } = await open('/docs/events');
    expect(Object.keys(document.webhooks).filter((type) => !body.includes(`id="${type}"`))).toEqual([]);
  });

  it('are named for programs that read, in /llms.txt', async () => {
    const { statusCode, headers, body } = await open('/llms.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    for (const name of await guideNames()) expect(body).toContain(`(/docs/${name}.md)`);
  });

  it('there is no page for a name that is none', async () => {
    for (const name of ['nothing', 'operations', '..%2fREADME', 'integrating.html'])
      expect([name, (await open(`/docs/${name}`)).statusCode]).toEqual([name, 404]);
  });
});

describe('a refusal', () => {
  it('names its request and where its code is explained', async () => {
    const answers = [
      await t.call('GET', '/wallet/merchant', undefined, { authorization: 'Bearer nothing' }),
      await t.call('POST', '/branch/store', { name: 1 }),
      await t.call('POST', '/branch/store', '{'),
      await t.call('GET', '/nowhere'),
      await t.call('GET', '/transaction/01930000-0000-7000-8000-00000000dead'),
    ];
    for (const { body, headers } of answers) {
      expect(body.requestId).toBe(headers['x-request-id']);
      expect(body.docUrl).toBe(`/docs/errors#${body.code}`);
    }
  });

  it('of an address that has other methods is 405 and lists them', async () => {
    const { status, body, headers } = await t.call('DELETE', '/wallet/merchant');
    expect([status, body.code, headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD']);
    const other = await t.call('GET', '/payout/bulk/item/01930000-0000-7000-8000-00000000dead');
    expect([other.status, other.headers['allow']]).toEqual([405, 'DELETE']);
  });

  it('of a caller who is not known says how to authenticate', async () => {
    const without = await t.app.server.inject({ method: 'GET', url: '/wallet/merchant' });
    expect(without.headers['www-authenticate']).toBe('Bearer realm="manilla"');
    const wrong = await t.call('GET', '/wallet/merchant', undefined, { authorization: 'Bearer nothing' });
    expect(wrong.headers['www-authenticate']).toBe('Bearer realm="manilla", error="invalid_token"');
  });
});
