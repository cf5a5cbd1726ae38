import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Client } from 'undici';
import { median, type Run } from './run.ts';
import type { Payer } from './seed.ts';

/**
 * One debit at a time into a wallet where nothing else happens, one row with a commit of its own and one request that
 * does nothing, by turns: what else goes on in the machine slows them all.
 */
export async function runQuiet(
  { baseUrl, commitsUrl, payer }: { baseUrl: string; commitsUrl: string; payer: Payer },
  debits: number,
): Promise<{ quiet: Run; commit: Run; 'empty-request': Run }> {
  const http = new Client(baseUrl);
  const database = new pg.Client({ connectionString: commitsUrl });
  await database.connect();
  try {
    await database.query('create table if not exists bench_commits (id uuid primary key, note text not null)');
    const debitMs: number[] = [];
    const commitMs: number[] = [];
    const emptyMs: number[] = [];
    for (let at = 0; at < debits; at += 1) {
      commitMs.push(await timed(() => commitOne(database)));
      emptyMs.push(await timed(() => askNothing(http)));
      debitMs.push(await timed(() => debitOne(http, payer, at)));
    }
    return { quiet: figures(debitMs), commit: figures(commitMs), 'empty-request': figures(emptyMs) };
  } finally {
    await Promise.all([http.close(), database.end()]);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function commitOne(database: pg.Client): Promise<unknown> {
  const text = 'insert into bench_commits (id, note) values ($1, $2)';
  return database.query({ name: 'bench-commit', text, values: [randomUUID(), 'a row with a commit of its own'] });
}

async function askNothing(http: Client): Promise<void> {
  const { body } = await http.request({ method: 'GET', path: '/healthz' });
  await body.text();
}

async function debitOne(http: Client, { key, pin, storeIds }: Payer, at: number): Promise<void> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/branch/store/debit',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ pin, amount: 1.5, storeId: storeIds[at % storeIds.length], narration: 'Weekly sweep' }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`debit: ${statusCode} ${text}`);
}

function figures(milliseconds: readonly number[]): Run {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const p50Ms = median(sorted);
  return { rate: 1000 / p50Ms, p50Ms, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}
