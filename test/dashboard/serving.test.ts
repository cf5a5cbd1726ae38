import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardPages } from '../../src/platform/http/dashboard-pages.ts';
import { type ApiServer, createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';

const folder = mkdtempSync(join(tmpdir(), 'manilla-pages-'));
const dist = join(folder, 'dist');
let server: ApiServer;

beforeAll(async () => {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(dist, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(dist, 'manilla.svg'), '<svg/>');
  writeFileSync(join(dist, '.stamp'), 'hidden');
  writeFileSync(join(dist, 'assets/index-abc123.js'), 'plain');
  writeFileSync(join(dist, 'assets/index-abc123.js.br'), 'squeezed');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
  await dashboardPages(server, dist);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ method: 'GET', url, headers });

describe('the pages of the dashboard', () => {
  it('are where the address without a path leads to', async () => {
    const answer = await get('/');
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/dashboard/']);
  });

  it('are one page at every address below, under a policy that allows nothing inline and nothing from elsewhere', async () => {
    for (const url of ['/dashboard', '/dashboard/', '/dashboard/stores/123', '/dashboard/a.b/c?mode=live']) {
      const { statusCode, headers, body } = await get(url);
      expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-store']);
      expect(body).toContain('<title>page</title>');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|http|\*/);
    }
  });

  it('have their files kept for ever, in the form that was compressed beforehand', async () => {
    const answer = await get('/dashboard/assets/index-abc123.js', { 'accept-encoding': 'br' });
    expect(answer.body).toBe('squeezed');
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.headers['content-type']).toContain('javascript');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/dashboard/assets/index-abc123.js')).body).toBe('plain');
  });

  it('have beside them what the dashboard brings along, each as itself', async () => {
    const names = readdirSync('dashboard/public');
    expect(names).toContain('manilla.svg');
    for (const name of names) {
      const content = readFileSync(join('dashboard/public', name));
      writeFileSync(join(dist, name), content);
      const answer = await get(`/dashboard/${name}`);
      expect([name, answer.rawPayload.equals(content)]).toEqual([name, true]);
      expect(answer.headers['content-type'], name).not.toContain('text/html');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('answer for a file of another release that it is gone, and nobody keeps that answer', async () => {
    const answer = await get('/dashboard/assets/index-old.js');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(answer.json()).toMatchObject({ status: false, code: 'ROUTE_NOT_FOUND' });
  });

  it('give out nothing that is hidden or lies outside', async () => {
    for (const path of [
      '.stamp',
      '../secret.txt',
      '..%2fsecret.txt',
      'assets/../.stamp',
      'assets/..%2f..%2fsecret.txt',
    ]) {
      expect([path, (await get(`/dashboard/${path}`)).body]).toEqual([
        path,
        expect.not.stringMatching(/^(hidden|secret)$/),
      ]);
    }
  });

  it('say how they are built where they are not', async () => {
    const bare = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
    await dashboardPages(bare, join(folder, 'nowhere'));
    const answer = await bare.inject({ method: 'GET', url: '/dashboard/' });
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain('npm run build');
    await bare.close();
  });
});
