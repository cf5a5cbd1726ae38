import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { groupCpu, serverCpu } from './cpu.ts';
import { measureCpu, type Run } from './run.ts';
import { mapAtOnce, type Payer, post } from './seed.ts';
import { type Home, type Stage, tallyOf } from './stage.ts';

/** Naira that each merchant has. */
const FUNDING = 1_000_000;
/** To ask for all of them, and then some. */
const MS_A_SCHEDULE = 20;
const LEAD_MS = 5_000;
const POLL_MS = 50;
const TIMEOUT_MS = 5 * 60_000;

/**
 * One scheduled payout of each merchant, all due in the same second, from that second to the end of the last of them at a rail without
 * delay: each fires, is sent, and ends. Processor time is from the second on.
 */
export async function runPayday(stage: Stage, home: Home, payers: readonly Payer[]): Promise<Run> {
  const { service, databaseUrl, name } = home;
  await fund(service.baseUrl, payers);
  const due = new Date(Date.now() + LEAD_MS + payers.length * MS_A_SCHEDULE);
  await mapAtOnce(payers.length, async (at) => {
    const { key, pin } = payers[at] as Payer;
    const to = { bankCode: '058', accountNumber: String(1_000_000_000 + at) };
    const body = { pin, amount: 100, ...to, narration: 'Salary', scheduledFor: due.toISOString() };
    await post(service.baseUrl, key, '/payout/single/schedule', body);
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const open = async () => {
    const text = `select count(*) filter (where status not in ('SUCCESS', 'FAILED'))::int as open,
                         count(*) filter (where status = 'FAILED')::int as failed
                    from transactions where category = 'PAYOUT'`;
    return (await client.query(text)).rows[0] as { open: number; failed: number };
  };
  const counters = {
    serviceCpuUs: () => groupCpu(service.pid),
    databaseCpuUs: () => serverCpu(stage.server.pid),
  };
  try {
    const early = due.getTime() - Date.now();
    if (early < 0) throw new Error(`the merchants had scheduled their payouts ${-early} ms too late`);
    await sleep(early);
    const { cpu } = await measureCpu(
      counters,
      async () => {
        for (let left = await open(); left.open > 0; left = await open()) {
          if (left.failed > 0) throw new Error(`${left.failed} scheduled payouts failed`);
          if (Date.now() - due.getTime() > TIMEOUT_MS) throw new Error('the payouts do not come to their end');
          await sleep(POLL_MS);
        }
        return payers.length;
      },
      (paid) => paid,
    );
    tallyOf(stage, name);
    const seconds = (Date.now() - due.getTime()) / 1000;
    return { rate: payers.length / seconds, seconds, ...cpu };
  } finally {
    await client.end();
  }
}

async function fund(baseUrl: string, payers: readonly Payer[]): Promise<void> {
  await mapAtOnce(payers.length, async (at) => {
    const { key } = payers[at] as Payer;
    const answer = await fetch(`${baseUrl}/wallet/merchant`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data: { wallet: { id: string } } };
    await post(baseUrl, key, '/sandbox/wallet/fund', { walletId: data.wallet.id, amount: FUNDING });
  });
}
