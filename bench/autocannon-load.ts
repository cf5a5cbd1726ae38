import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon, { type Request } from 'autocannon';

/** What `http-load.lua` does, for machines without wrk: node autocannon-load.ts URL TARGETS CONNECTIONS SECONDS */
const [, , url = '', targetsFile = '', connections = '1', seconds = '1'] = process.argv;

const targets = readFileSync(targetsFile, 'utf8')
  .trim()
  .split('\n')
  .map((line): Request => {
    const [, method = 'GET', path = '/', key = '-', body = '-'] = /^(\S+) (\S+) (\S+) (.+)$/.exec(line) ?? [];
    const headers: Record<string, string> = key === '-' ? {} : { authorization: `Bearer ${key}` };
    if (method !== 'POST') return { method, path, headers };
    return { method, path, body, headers: { ...headers, 'content-type': 'application/json' } };
  });

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  requests: [
    {
      setupRequest(request) {
        const target = targets[Math.floor(Math.random() * targets.length)] ?? request;
        const fresh = target.method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
        return { ...request, ...target, headers: { ...target.headers, ...fresh } };
      },
    },
  ],
});

const line = {
  answered: result['2xx'] + result.non2xx,
  seconds: result.duration,
  refused: result.non2xx,
  broken: result.errors,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
};
console.log(`RESULT ${JSON.stringify(line)}`);
