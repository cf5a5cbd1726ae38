import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { groupCpu, serverCpu } from './cpu.ts';
import { runHttpLoad, type Target } from './http-load.ts';
import { measureCpu, type Run } from './run.ts';
import { type Payer, post } from './seed.ts';
import { type Home, type Stage, tallyOf } from './stage.ts';

const CONNECTIONS = 64;
/** Naira; the most that one funding takes. */
const FUNDING = 1_000_000_000;
const FUNDINGS = 5;
const POLL_MS = 100;
const TIMEOUT_MS = 5 * 60_000;
/** Of single payouts: each to another account, so that no guard sees one of them twice. */
const ACCOUNTS = 500;

export function payoutTargets(payers: readonly Payer[]): Target[] {
  return payers.flatMap(({ key, pin }) =>
    Array.from({ length: ACCOUNTS }, (_, at): Target => {
      const to = { bankCode: '058', accountNumber: String(1_000_000_000 + at * 7) };
      const body = { pin, amount: 100 + at, ...to, narration: 'Supplier', allowDuplicate: true };
      return { method: 'POST', path: '/payout/single', key, body: JSON.stringify(body) };
    }),
  );
}

export async function fundWallets({ service: { baseUrl } }: Home, payers: readonly Payer[]): Promise<void> {
  for (const { key } of payers) {
    const answer = await fetch(`${baseUrl}/wallet/merchant`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data: { wallet: { id: string } } };
    for (let times = 0; times < FUNDINGS; times += 1)
      await post(baseUrl, key, '/sandbox/wallet/fund', { walletId: data.wallet.id, amount: FUNDING });
  }
}

/**
 * Payouts asked for one by one, from the first request to the end of the last of them at a rail without delay. Processor
 * time is that of the whole way: request, hold, attempt, outcome.
 */
export async function runPayouts(stage: Stage, home: Home, targetsFile: string, seconds: number): Promise<Run> {
  const { service, databaseUrl, name } = home;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const count = async (status: string) => {
    const text = `select count(*)::int as n from transactions where category = 'PAYOUT' and status ${status}`;
    return ((await client.query(text)).rows[0] as { n: number }).n;
  };
  const counters = {
    serviceCpuUs: () => groupCpu(service.pid),
    databaseCpuUs: () => serverCpu(stage.server.pid),
  };
  try {
    const before = await count(`= 'SUCCESS'`);
    const begun = performance.now();
    const { result, cpu } = await measureCpu(
      counters,
      async () => {
        const { refused, broken } = await runHttpLoad({
          baseUrl: service.baseUrl,
          connections: CONNECTIONS,
          targetsFile,
          seconds,
        });
        if (refused + broken > 0) throw new Error(`${refused} payouts were refused and ${broken} requests were lost`);
        while ((await count(`in ('QUEUED', 'PROCESSING')`)) > 0) {
          if (performance.now() - begun > TIMEOUT_MS) throw new Error('the payouts do not come to their end');
          await sleep(POLL_MS);
        }
        return (await count(`= 'SUCCESS'`)) - before;
      },
      (concluded) => concluded,
    );
    // The statements that count are a part of it, and no debit of a store is.
    tallyOf(stage, name);
    const took = (performance.now() - begun) / 1000;
    return { rate: result / took, seconds: took, ...cpu };
  } finally {
    await client.end();
  }
}
