import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Payer } from './seed.ts';

/** Requests of another merchant, now and then: what they take shows whether a batch leaves room for anyone else. */
const CONNECTIONS = 4;
const PAUSE_MS = 20;

export interface SideFigures {
  requests: number;
  p50Ms: number;
  p99Ms: number;
}

export interface SideTraffic {
  /** What was seen since the last time. */
  take(): SideFigures;
  /** @returns all debits that were answered. */
  stop(): Promise<number>;
}

/** Balances and debits by turns. A request that is refused or lost makes `stop` throw. */
export function startSideTraffic(baseUrl: string, payer: Payer): SideTraffic {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS });
  let stopped = false;
  let seenMs: number[] = [];
  let debits = 0;

  async function ask(path: string, body?: object): Promise<void> {
    const begun = performance.now();
    const headers = { authorization: `Bearer ${payer.key}` };
    const answer = await pool.request(
      body === undefined
        ? { method: 'GET', path, headers }
        : {
            method: 'POST',
            path,
            headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
            body: JSON.stringify(body),
          },
    );
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    seenMs.push(performance.now() - begun);
  }

  async function customer(): Promise<void> {
    while (!stopped) {
      await ask('/wallet/merchant');
      const debit = { pin: payer.pin, amount: 1.5, storeId: payer.storeIds[0], narration: 'Weekly sweep' };
      await ask('/branch/store/debit', debit);
      debits += 1;
      await sleep(PAUSE_MS);
    }
  }
  const customers = Promise.all(Array.from({ length: CONNECTIONS }, customer));
  // Thrown again by `stop`, where somebody listens.
  customers.catch(() => undefined);

  return {
    take() {
      const sorted = seenMs.sort((a, b) => a - b);
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
      const figures = { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
      seenMs = [];
      return figures;
    },
    async stop() {
      stopped = true;
      try {
        await customers;
      } finally {
        await pool.close();
      }
      return debits;
    },
  };
}
