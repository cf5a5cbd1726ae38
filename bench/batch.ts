import { once } from 'node:events';
import { createWriteStream, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processCpu, residentMb, serverCpu } from './cpu.ts';
import { measureCpu, type Run } from './run.ts';
import { type Payer, post } from './seed.ts';
import type { Service } from './service.ts';
import { startSideTraffic } from './side-traffic.ts';

const POLL_MS = 200;
const MEMORY_SAMPLE_MS = 100;
/** A batch that takes longer than this hangs. */
const BATCH_TIMEOUT_MS = 20 * 60_000;
/** Naira; the most that one funding takes, as often as any batch here needs. */
const FUNDING = 1_000_000_000;
const FUNDINGS = 5;

interface Summary {
  batchReference: string;
  status: string;
  counts: { total: number; valid: number; invalid: number };
  payouts: { succeeded: number; failed: number };
  totals: { total: number };
}

export interface BatchScene {
  service: Service;
  /** Of the database's first process. */
  postmaster: number;
  payer: Payer;
  /** Another merchant whose debits and questions go on meanwhile. */
  neighbour: Payer;
  folder: string;
  items: number;
}

export interface BatchRuns {
  upload: Run;
  dispatch: Run;
  conclude: Run;
  /** Debits of the neighbour that were answered. */
  neighbourDebits: number;
}

/** A spreadsheet from upload to the end of its last payout, with another merchant at work all the while. */
export async function runBatch(scene: BatchScene): Promise<BatchRuns> {
  const { service, payer, items } = scene;
  await fundWallet(service, payer);
  const file = await writeSpreadsheet(scene.folder, items);
  const side = startSideTraffic(service.baseUrl, scene.neighbour);
  let runs: Omit<BatchRuns, 'neighbourDebits'> | undefined;
  let neighbourDebits = 0;
  try {
    const { reference, upload } = await uploadAndValidate(scene, file);
    const beside = side.take();
    const dispatch = await dispatchExactly(service, payer, reference);
    const conclude = await untilConcluded(scene, reference);
    const after = side.take();
    runs = {
      upload: { ...upload, p50Ms: beside.p50Ms, p99Ms: beside.p99Ms },
      dispatch,
      conclude: { ...conclude, p50Ms: after.p50Ms, p99Ms: after.p99Ms },
    };
  } finally {
    neighbourDebits = await side.stop();
  }
  return { ...runs, neighbourDebits };
}

async function uploadAndValidate(scene: BatchScene, file: string): Promise<{ reference: string; upload: Run }> {
  const { service, payer, items } = scene;
  return whileWatching(scene, async () => {
    const form = new FormData();
    form.set('file', await openAsBlob(file, { type: 'text/csv' }), 'november.csv');
    form.set('controlCount', String(items));
    const answer = await fetch(`${service.baseUrl}/payout/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${payer.key}` },
      body: form,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST /payout/bulk: ${answer.status} ${text}`);
    const { batchReference } = (JSON.parse(text) as { data: Summary }).data;
    const checked = await until(service, payer, batchReference, ({ status }) => status !== 'VALIDATING');
    if (checked.status !== 'READY' || checked.counts.valid !== items) {
      throw new Error(`the batch is ${checked.status} with ${checked.counts.valid} valid of ${items} items`);
    }
    return batchReference;
  }).then(({ result, run }) => ({ reference: result, upload: run }));
}

/** @throws Error unless exactly the total that the batch shows is held after it. */
async function dispatchExactly(service: Service, payer: Payer, reference: string): Promise<Run> {
  const { totals } = await readBatch(service, payer, reference);
  const before = await readWallet(service, payer);
  const begun = performance.now();
  await post(service.baseUrl, payer.key, '/payout/bulk/dispatch', { pin: payer.pin, batchReference: reference });
  const seconds = (performance.now() - begun) / 1000;
  const after = await readWallet(service, payer);
  const left = toKobo(before.availableBalance) - toKobo(after.availableBalance);
  if (left !== toKobo(totals.total)) throw new Error(`the dispatch took ${left} kobo, the batch says ${totals.total}`);
  return { rate: 1 / seconds, seconds };
}

async function untilConcluded(scene: BatchScene, reference: string): Promise<Run> {
  const { service, payer, items } = scene;
  const { run } = await whileWatching(scene, async () => {
    const ended = await until(service, payer, reference, ({ status }) => status !== 'DISPATCHING');
    if (ended.status !== 'COMPLETED' || ended.payouts.succeeded !== items) {
      throw new Error(`the batch is ${ended.status} with ${ended.payouts.succeeded} of ${items} paid`);
    }
  });
  return run;
}

async function whileWatching<T>({ service, postmaster, items }: BatchScene, work: () => Promise<T>) {
  let resident = residentMb(service.pid);
  const watch = setInterval(() => (resident = Math.max(resident, residentMb(service.pid))), MEMORY_SAMPLE_MS);
  const begun = performance.now();
  try {
    const counters = { serviceCpuUs: () => processCpu(service.pid), databaseCpuUs: () => serverCpu(postmaster) };
    const { result, cpu } = await measureCpu(counters, work, () => items);
    const seconds = (performance.now() - begun) / 1000;
    return { result, run: { rate: items / seconds, seconds, residentMb: resident, ...cpu } satisfies Run };
  } finally {
    clearInterval(watch);
  }
}

async function until(service: Service, payer: Payer, reference: string, done: (batch: Summary) => boolean) {
  const deadline = performance.now() + BATCH_TIMEOUT_MS;
  for (;;) {
    const batch = await readBatch(service, payer, reference);
    if (done(batch)) return batch;
    if (performance.now() > deadline) throw new Error(`the batch is still ${batch.status}`);
    await sleep(POLL_MS);
  }
}

async function fundWallet(service: Service, payer: Payer): Promise<void> {
  const { id } = await readWallet(service, payer);
  for (let times = 0; times < FUNDINGS; times += 1) {
    await post(service.baseUrl, payer.key, '/sandbox/wallet/fund', { walletId: id, amount: FUNDING });
  }
}

function readBatch(service: Service, payer: Payer, reference: string): Promise<Summary> {
  return get<Summary>(service, payer, `/payout/bulk/${reference}`);
}

async function readWallet(service: Service, payer: Payer) {
  const { wallet } = await get<{ wallet: { id: string; availableBalance: number } }>(
    service,
    payer,
    '/wallet/merchant',
  );
  return wallet;
}

async function get<T>(service: Service, payer: Payer, path: string): Promise<T> {
  const answer = await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${payer.key}` } });
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}

const toKobo = (naira: number): number => Math.round(naira * 100);

/** Rows as a payroll has them: a name, a bank, an account of its own each, amounts in all fee bands. */
async function writeSpreadsheet(folder: string, items: number): Promise<string> {
  const path = join(folder, `batch-${items}.csv`);
  const out = createWriteStream(path, { mode: 0o600 });
  out.write('Account Name,Account Number,Bank Code,Amount,Narration,Phone Number\n');
  for (let at = 0; at < items; at += 1) {
    const account = String(1_000_000_000 + at * 7);
    const line = `Employee ${at},${account},058,${1_000 + (at % 60) * 1_000},November salary ${at},08012345678\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return path;
}
